"""Tests of cli.table.scene.scene."""
