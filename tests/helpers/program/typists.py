"""Standard inputs of players in line mode: one that holds its lines, and one at which nothing is typed."""

from __future__ import annotations

import trio


class Scripted:
    """Standard input that holds all its lines from the beginning."""

    def __init__(self, *lines: str, ends: bool = True) -> None:
        """`ends`: after them the input is over; else its owner just types nothing more."""
        self._lines = list(lines)
        self._ends = ends

    async def read(self) -> str | None:
        await trio.lowlevel.checkpoint()
        if not self._lines and not self._ends:
            await trio.sleep_forever()
        return self._lines.pop(0) if self._lines else None


class Silent:
    """Standard input of somebody who types nothing."""

    async def read(self) -> str | None:
        await trio.sleep_forever()
        raise AssertionError
