"""News of a match: what happened, what was looked at, what nobody has read yet."""
