"""Tests of `p2p_stratego`: what the games' rules say, row by row, and what holds in every game."""
