"""Players of Spies & Lies: beliefs, evaluation, and a bot for each level."""
