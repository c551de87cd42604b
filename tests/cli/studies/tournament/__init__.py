"""Tests of cli.studies.tournament."""
