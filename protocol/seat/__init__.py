"""One seat of a match without I/O: its secrets, what it owes, and the session that plays it."""
