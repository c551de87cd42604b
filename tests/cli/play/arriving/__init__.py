"""Tests of cli.play.arriving."""
