"""The terminal of SPIES!."""
