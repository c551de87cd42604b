"""Sitting down: the handshake, the listing of a table, and the word of each guest."""
