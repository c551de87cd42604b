"""One seat of a match without I/O: its secrets, its obligations, and the session that plays it."""
