"""Helpers for tests of several folders; no tests."""
