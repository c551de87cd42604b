"""Tests of cli.studies."""
