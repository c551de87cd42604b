"""Stratego at the terminal: its board, set-up editor, questions, panels and manual."""
