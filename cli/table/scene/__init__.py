"""The scene of the table for both front ends: keys, palette, preferences, what is possible."""
