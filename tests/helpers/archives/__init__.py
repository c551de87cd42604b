"""Archives of records, for tests and benchmarks."""
