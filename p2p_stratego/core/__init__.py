"""The vocabulary of all games: Asks, views, driver, narration, scenarios, self-play; no rule of any game."""
