"""Stratego in words and files: diagrams, armies, set-ups, game records, scenarios, narration."""
