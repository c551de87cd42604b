"""Opponents for SPIES!."""
