"""The rules of Conquest Stratego: map, pieces, cards, set-up, turns, and who leaves."""
