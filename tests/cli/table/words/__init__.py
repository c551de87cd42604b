"""Tests of cli.table.words."""
