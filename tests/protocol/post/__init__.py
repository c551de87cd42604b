"""Tests of protocol.post."""
