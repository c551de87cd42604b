"""The map of Conquest on the screen, and what the player points at."""
