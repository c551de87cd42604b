"""The rules of SPIES!: map, counters, state, and the turn as generators."""
