"""Bytes: context labels, canonical encoding, messages, and the frames of a transcript."""
