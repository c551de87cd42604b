"""Opponents that tell one lie at a time."""
