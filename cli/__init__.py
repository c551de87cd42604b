"""Shows a match to a person: commands, screens and lines."""
