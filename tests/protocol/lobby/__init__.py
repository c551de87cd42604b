"""Tests of protocol.lobby."""
