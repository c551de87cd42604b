"""Seats of one match without homes: who signs, who crashes, who leaves."""
