"""Judging records offline: verdicts, self-contained proofs, comparison of copies."""
