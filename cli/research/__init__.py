"""Matches by the rules alone for researchers: answered word by word, seen as numbers or as text."""
