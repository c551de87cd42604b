"""What every game shares: Asks, views, the driver, scenarios, self-play; no rule of any game."""
