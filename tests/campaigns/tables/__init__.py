"""Whole matches at tables of three to five real processes that are killed, cut off, and leave for good."""
