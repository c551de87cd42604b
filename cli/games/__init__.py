"""What the program knows of each game at the terminal: questions, boards, options, set-ups."""
