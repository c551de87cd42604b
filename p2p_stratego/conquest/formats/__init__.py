"""Conquest Stratego in texts: its narration and its scenarios."""
