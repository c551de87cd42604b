"""The players who had left a match of three or more before it ended, in words: how it ended does not tell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from cli.text.layout import series
from p2p_stratego.core.game import Outcome, Seat
from p2p_stratego.core.language import _, _c, mark, mark_c

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

    @property
    def keyless(self) -> Seat | None:
        """The seat without whose key no card could be drawn, if the match ended by that."""
        ...

    @property
    def out_of_time(self) -> tuple[Seat, ...]:
        """Of these, and of those said to be silent, the seats whose clocks ran out, as others say."""
        ...


def told(outcome: Outcome, left: Left, named: Callable[[Seat], str], me: Seat | None = None) -> str:
    """Who had left before that `outcome`, as a clause: "Ann and Ben had resigned"; "" if nobody had.

    `named`: a seat in a sentence, escaped; `me`: the one that is told of it.
    """
    return "" if outcome.reason in _TOLD_BY_THEMSELVES else gone(left, named, me)


def gone(left: Left, named: Callable[[Seat], str], me: Seat | None = None) -> str:
    """Who has left so far, as a clause: "Ann and Ben had resigned"; "" if nobody has."""
    ways = ((left.resigned, _HAD_RESIGNED), (left.taken_out, _HAD_LEFT))
    return series([_clause(how, seats, named, me) for seats, how in ways if seats])


def resigned(outcome: Outcome, names: Sequence[str], me: Seat | None) -> str:
    """Who ended a match of two by resigning, as a clause.  `names`: by seat, escaped."""
    seats = [seat for seat in range(len(names)) if seat not in outcome.winners]
    return _clause(_RESIGNED, seats, names.__getitem__, me)


_RESIGNED: Final = (
    mark("you resigned"),
    mark("{players} resigned"),
    mark_c("of several", "{players} resigned"),
)
_HAD_RESIGNED: Final = (
    mark("you had resigned"),
    mark("{players} had resigned"),
    mark_c("of several", "{players} had resigned"),
)
_HAD_LEFT: Final = (
    mark("you had left without a word"),
    mark("{players} had left without a word"),
    mark_c("of several", "{players} had left without a word"),
)
"""Of the player that is told of it, of one player, and of several."""


def _clause(
    how: tuple[str, str, str], seats: Sequence[Seat], named: Callable[[Seat], str], me: Seat | None
) -> str:
    alone, single, several = how
    if tuple(seats) == (me,):
        return _(alone)
    players = series([_("you") if seat == me else named(seat) for seat in seats])
    return _(single, players=players) if len(seats) == 1 else _c("of several", several, players=players)


def late(outcome: Outcome, left: Left, seats: int) -> tuple[Seat, ...]:
    """Of so many seats those that are claimed to be away, and may still answer; none if the match ended since
    a player was taken out whose key every card needs.
    """
    if left.keyless is not None:
        return ()
    settled = {*outcome.winners, *left.resigned, *left.taken_out}
    return tuple(seat for seat in range(seats) if seat not in settled)


_TIMED: Final = (
    mark("{winners} claims the game: {players} ran out of time."),
    mark("{winners} claim the game: {players} ran out of time."),
)
_SILENT: Final = (
    mark("{winners} claims the game: {players} did not answer."),
    mark("{winners} claim the game: {players} did not answer."),
)
"""Of one winner, and of several."""


def claimed(outcome: Outcome, left: Left, names: Sequence[str]) -> str:
    """How a match ended that somebody has won by the word that others do not answer, in sentences.

    `names`: by seat, escaped.
    """
    winners = series([names[seat] for seat in sorted(outcome.winners)])
    away = late(outcome, left, len(names))
    if away:
        several, timed = len(outcome.winners) > 1, {*away} <= {*left.out_of_time}
        late_ones = series([names[seat] for seat in away])
        first = _((_TIMED if timed else _SILENT)[several], winners=winners, players=late_ones)
        before = told(outcome, left, names.__getitem__)
        return f"{first} {before}." if before else first
    out = series([names[seat] for seat in left.taken_out])
    home = series([names[seat] for seat in left.resigned])
    return (
        _(
            "Nobody has won by play: {out} did not answer, and without every player's key no card "
            "can be drawn. The game ends here; it counts for {winners}, who was still in it.",
            out=out,
            winners=winners,
        )
        if len(outcome.winners) == 1
        else _(
            "Nobody has won by play: {out} did not answer, and without every player's key no card "
            "can be drawn. The game ends here; it counts for {winners}, who were still in it.",
            out=out,
            winners=winners,
        )
    ) + _(" {home} had resigned.", home=home) * bool(home)
