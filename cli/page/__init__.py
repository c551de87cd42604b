"""The page: one file of HTML that holds a match, draws it, and checks its record in JavaScript."""
