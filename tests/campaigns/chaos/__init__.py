"""Whole matches between real processes that are killed, cut off and given a failing disk."""
