"""Cryptography a second time, from its papers; keys, decks and proofs from fixed bytes, and forged ones."""
