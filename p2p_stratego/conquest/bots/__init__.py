"""Opponents for Conquest Stratego."""
