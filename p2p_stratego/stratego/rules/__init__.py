"""The rules of Stratego: armies, board, movement, repetition, notation and the view of one seat."""
