"""The match of the test kit, under the name that the tests of this program know."""

from __future__ import annotations

from cli.testing.match import NAMES, Decide, Seat, Table, any_decision

__all__ = ["NAMES", "Decide", "Seat", "Table", "any_decision"]
