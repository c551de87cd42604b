"""Conquest Stratego for two to four players: rules, words, scenarios and bots."""
