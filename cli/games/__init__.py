"""The games at the terminal: their boards, questions, panels, manuals, options and set-ups."""
