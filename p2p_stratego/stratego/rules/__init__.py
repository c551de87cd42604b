"""The rules of Stratego: armies, board, movement, repetition, notation and what one seat may see."""
