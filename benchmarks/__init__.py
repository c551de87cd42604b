"""Figures: each a ratio to a floor, or a rate, measured in the same run on the same machine."""
