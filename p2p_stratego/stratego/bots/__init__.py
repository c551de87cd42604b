"""Players of Stratego: beliefs, evaluation, set-ups, and a bot for each level."""
