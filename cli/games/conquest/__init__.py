"""Conquest Stratego at the terminal."""
