"""Longer runs of what the tests do briefly."""
