"""The map of SPIES! on the screen, and what the player points at."""
