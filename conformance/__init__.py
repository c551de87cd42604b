"""The conformance kit: what an author of another implementation checks it with."""
