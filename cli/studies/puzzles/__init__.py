"""Puzzles: the shipped collection, the one of a day, and what a player has solved."""
