"""Orders that a player gives at the table, and what each does."""
