"""Spies & Lies, for two players."""
