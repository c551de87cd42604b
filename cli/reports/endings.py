"""How a match ended, in whole sentences, for audits: who has won or claims it, and what it leaves open.

Each of them begins small, as it stands behind a colon; `series_of` puts several behind each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, Protocol, TypeAlias

from cli.text.layout import series
from cli.text.names import shown as shown_name
from p2p_stratego.core.game import Outcome, Seat
from p2p_stratego.core.language import _, _c, mark, mark_c
from p2p_stratego.core.narration import all_of, capital
from protocol.audit.verdict import Report
from protocol.record.genesis import Genesis

Named: TypeAlias = Callable[[Seat], str]
"""A seat and its player in a sentence, escaped."""
_TWO: Final = 2
"""Players of a match in which others are one."""
_OUTSIDE: Final[Mapping[str, tuple[str, str]]] = {
    "resigned": (
        mark("{players}, has won by resignation"),
        mark("{players}, have won by resignation"),
    ),
    "deserted": (
        mark("{players}, has won because all others left"),
        mark("{players}, have won because all others left"),
    ),
    "unrevealed": (
        mark("{players}, has won, as some did not show what they had claimed"),
        mark("{players}, have won, as some did not show what they had claimed"),
    ),
    "cheated": (
        mark("{players}, has won because the other side cheated"),
        mark("{players}, have won because the other side cheated"),
    ),
}
"""By the reason of an end that the rules of a game did not bring about: of one winner, of several."""
_SILENT: Final = (
    mark("{winners}, claims the win: {players}, did not answer"),
    mark("{winners}, claim the win: {players}, did not answer"),
)
_TIMED: Final = (
    mark("{winners}, claims the win on time: the clock of {players}, has run out"),
    mark("{winners}, claim the win on time: the clock of {players}, has run out"),
    mark("{winners}, claims the win on time: the clocks of {players}, have run out"),
    mark("{winners}, claim the win on time: the clocks of {players}, have run out"),
)
"""Of one winner and of several, for one clock; and for several clocks."""


def series_of(sentences: Sequence[str]) -> str:
    """Several sentences as a text, without the last full stop."""
    first, *more = (sentence.rstrip(".") for sentence in sentences)
    return ". ".join((first, *map(capital, more)))


def ended(genesis: Genesis, outcome: Outcome, left: Left, why: str, named: Named) -> Iterator[str]:
    """How a match ended, and who had left before; `why`: its reason in a few words."""
    seats = len(genesis.players)
    gone = departures(outcome, left, named)
    claimed = outcome.reason == "unresponsive" and outcome.winners
    silent = late(outcome, left, seats)
    if claimed and silent:
        yield from _claimed(genesis, outcome, left, silent, named)
    elif claimed:
        there = series([named(seat) for seat in sorted(outcome.winners)])
        yield _("nobody has won by play: a key is missing to draw cards; it counts for {there}", there=there)
    elif left.keyless is not None:
        yield _(
            "nobody has won: without the key of {player}, no card can be drawn", player=named(left.keyless)
        )
    else:
        yield _ended(outcome, why, _("all others") if gone else all_of(seats), named)
    if gone:
        yield gone


def _claimed(
    genesis: Genesis, outcome: Outcome, left: Left, silent: Sequence[Seat], named: Named
) -> Iterator[str]:
    """A claim that the `silent` do not answer: what is claimed, and by whose word alone."""
    several = len(outcome.winners) > 1
    timed = {*silent} <= {*left.out_of_time}
    winners, players = (
        series([named(seat) for seat in sorted(seats)]) for seats in (outcome.winners, silent)
    )
    yield _(
        _TIMED[several + 2 * (len(silent) > 1)] if timed else _SILENT[several],
        winners=winners,
        players=players,
    )
    alone = series(_alone(genesis, outcome))
    if timed and several:
        yield _("only {players} say so: a record holds no times", players=alone)
    elif timed:
        yield _("only {players} says so: a record holds no times", players=alone)
    elif several:
        yield _("only {players} say so", players=alone)
    else:
        yield _("only {players} says so", players=alone)


def _alone(genesis: Genesis, outcome: Outcome) -> list[str]:
    """The winners by name; where somebody else has that name, by seat."""
    shown = [shown_name(player.name) for player in genesis.players]
    return [
        shown[seat] if shown.count(shown[seat]) == 1 else _(genesis.seat_names[seat])
        for seat in sorted(outcome.winners)
    ]


def _ended(outcome: Outcome, why: str, everybody: str, named: Named) -> str:
    won, several = series([named(seat) for seat in sorted(outcome.winners)]), len(outcome.winners) > 1
    outside = _OUTSIDE.get(outcome.reason)
    if won and outside is not None:
        return _(outside[several], players=won)
    if won:
        return (
            _("{players}, have won ({why})", players=won, why=why)
            if several
            else _("{players}, has won ({why})", players=won, why=why)
        )
    if outcome.reason == "cheated" and outcome.breach is not None:
        culprit = named(outcome.breach.seat)
        return _("the game is void: nobody has won, because {player}, cheated", player=culprit)
    if outcome.reason == "cheated":
        return _("the game is void: nobody has won")
    if outcome.reason == "unresponsive":
        return _("nobody has won: the match cannot go on, for some do not answer")
    if outcome.reason == "unrevealed":
        return _("nobody has won: some did not show what they had claimed")
    if outcome.reason == "agreed-draw":
        return _("a draw, as {all} agreed", all=everybody)
    return _("a draw ({why})", why=why)


def left_open(report: Report, named: Named) -> Iterator[str]:
    """What a match leaves unproven or unanswered, and by whom."""
    outcome = report.outcome

    def listed(seats: Sequence[Seat]) -> str:
        return series([named(seat) for seat in seats])

    if outcome is not None and report.silent:
        yield (
            _("all others say that {players}, do not answer", players=listed(report.silent))
            if len(report.silent) > 1
            else _("all others say that {players}, does not answer", players=listed(report.silent))
        )
    if outcome is not None and outcome.reason == "unrevealed":
        yield _(
            "what was claimed by {players}, was never shown: no answer came", players=listed(report.unsettled)
        )
    if outcome is not None and report.never_settled:
        yield _(
            "what was claimed by {players}, stays unproven: the player is gone",
            players=listed(report.never_settled),
        )
    if outcome is None and report.contested:
        yield _(
            "{players}, say of each other that they do not answer, and neither can show it",
            players=listed(report.contested),
        )
    overdue = [seat for seat in report.out_of_time if outcome is None or not _tells_time(report, outcome)]
    if overdue and len(report.genesis.players) == _TWO:
        yield _(
            "the other side says that the clock of {players}, has run out: a record holds no times",
            players=listed(overdue),
        )
    elif len(overdue) == 1:
        yield _(
            "others say that the clock of {players}, has run out: a record holds no times",
            players=listed(overdue),
        )
    elif overdue:
        yield _(
            "others say that the clocks of {players}, have run out: a record holds no times",
            players=listed(overdue),
        )


def _tells_time(report: Report, outcome: Outcome) -> bool:
    """Whether the end itself tells whose clock has run out."""
    silent = late(outcome, report, len(report.genesis.players))
    claimed = outcome.reason == "unresponsive" and bool(outcome.winners) and bool(silent)
    return claimed and {*silent} == {*report.out_of_time}


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


def departures(outcome: Outcome, left: Left, named: Callable[[Seat], str], me: Seat | None = None) -> str:
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


_GAME_TIMED: Final = (
    mark("{winners} claims the game: {players} ran out of time."),
    mark("{winners} claim the game: {players} ran out of time."),
)
_GAME_SILENT: Final = (
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
        first = _((_GAME_TIMED if timed else _GAME_SILENT)[several], winners=winners, players=late_ones)
        before = departures(outcome, left, names.__getitem__)
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
