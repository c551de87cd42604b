"""Tests of cli.table.seat."""
