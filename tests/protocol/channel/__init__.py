"""Tests of protocol.channel."""
