"""Tests of cli.play.engines."""
