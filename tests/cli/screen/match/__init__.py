"""Tests of cli.screen.match."""
