"""Models that try every run of a small world."""
