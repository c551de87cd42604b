"""Tests of cli.play.bots."""
