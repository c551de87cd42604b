"""A match as a signed record: genesis, entries, statements, endings, and the referee that admits them."""
