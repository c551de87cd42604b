"""SPIES! at the terminal."""
