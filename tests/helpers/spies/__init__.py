"""Helpers for the tests of SPIES!."""
