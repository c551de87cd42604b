"""Sentences of the table about seats, links, clocks and the end."""
