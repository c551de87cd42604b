"""Records told to people: descriptions, histories, and where records are read from."""
