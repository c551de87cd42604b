"""The players who had left a match of three or more before it ended, in words: how it ended does not tell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from cli.text.layout import series
from p2p_stratego.core.game import Outcome, Seat

_TOLD_BY_THEMSELVES: Final = ("resigned", "deserted")
"""Ends of which it is the reason that players left."""


class Left(Protocol):
    """A match that knows who has left it: a Referee, or the Report of an audit."""

    @property
    def resigned(self) -> tuple[Seat, ...]:
        """The seats that had resigned."""
        ...

    @property
    def taken_out(self) -> tuple[Seat, ...]:
        """The seats that the others had taken out, since they did not answer."""
        ...


def told(outcome: Outcome, left: Left, named: Callable[[Seat], str]) -> str:
    """Who had left before that `outcome`, as a clause: "Ann and Ben had resigned"; "" if nobody had.

    `named`: a seat in a sentence, escaped.
    """
    if outcome.reason in _TOLD_BY_THEMSELVES:
        return ""
    ways = ((left.resigned, "had resigned"), (left.taken_out, "had left without a word"))
    return series([f"{series(list(map(named, seats)))} {how}" for seats, how in ways if seats])
