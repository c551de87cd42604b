"""What the test kit should know of the game."""

from __future__ import annotations

from typing import Final

from cli.testing.subject import Facts

FACTS: Final = Facts(short={"dice": 2})
