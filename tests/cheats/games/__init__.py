"""Every way to cheat in each game."""
