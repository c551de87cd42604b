"""Bots and engines against each other by the rules alone: games from seeds, and what their results mean."""
