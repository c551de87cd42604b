"""What writes the vectors of records and whole matches."""
