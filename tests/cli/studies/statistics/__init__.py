"""Tests of cli.studies.statistics."""
