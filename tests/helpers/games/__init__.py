"""Games that only tests play, and players and whole games of any game."""
