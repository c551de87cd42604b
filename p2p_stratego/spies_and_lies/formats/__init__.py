"""Spies & Lies in words and files: narration and scenarios."""
