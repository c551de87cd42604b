"""Advice in games of Conquest Stratego."""
