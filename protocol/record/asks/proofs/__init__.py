"""The Asks under the profile of proofs: every step is proved with the entry that makes it."""
