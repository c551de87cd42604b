"""Tests of cli.table.orders."""
