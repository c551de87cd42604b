"""Tests of cli.screen.replay.replay."""
