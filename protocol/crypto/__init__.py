"""Constructions, each with its source: signature keys, hash commitments, joint coin tosses."""
