"""Spies & Lies at the terminal: its board, questions, panels and manual."""
