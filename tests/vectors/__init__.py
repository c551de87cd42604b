"""Test vectors: files for every implementation, and what writes them."""
