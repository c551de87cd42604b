"""Lies about cards under keys, mixes and private looks."""
