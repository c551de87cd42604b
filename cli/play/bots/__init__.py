"""Bots as players: their process, their match, their front end."""
