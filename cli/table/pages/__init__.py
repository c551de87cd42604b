"""Pages over the board: of the match, at its end, and in the lobby before it; from values to lines."""
