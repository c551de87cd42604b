"""Tests of protocol.replication."""
