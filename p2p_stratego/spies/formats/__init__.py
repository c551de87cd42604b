"""SPIES! for people and for files: words, narration, scenarios."""
