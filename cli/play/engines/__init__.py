"""Programs of other people as players: their lines, their process, and the bot that they are to a match."""
