"""A module a game: what the tests should know of it beyond its entry."""
