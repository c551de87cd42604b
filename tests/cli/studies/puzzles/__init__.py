"""Tests of `cli.studies.puzzles`."""
