"""Tests of protocol/crypto/group."""
