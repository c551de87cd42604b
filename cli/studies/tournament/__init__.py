"""Tournaments: pairings, evidence from audited records, standings, and how a director reads them."""
