"""Tests of cli.studies.analysis."""
