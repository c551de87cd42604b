"""Helpers for the tests of Conquest Stratego."""
