"""Tests of protocol/crypto/proofs."""
