"""Tests of cli.play.arena."""
