"""Tests of cli.table.news."""
