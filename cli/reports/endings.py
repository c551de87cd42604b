"""How a match ended, in whole sentences, for audits: who has won or claims it, and what it leaves open.

Each of them begins small, as it stands behind a colon; `series_of` puts several behind each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from cli.reports import leavers
from cli.reports.leavers import Left
from cli.text.layout import series
from cli.text.names import shown as shown_name
from p2p_stratego.core.game import Outcome, Seat
from p2p_stratego.core.language import _, mark
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
    gone = leavers.told(outcome, left, named)
    claimed = outcome.reason == "unresponsive" and outcome.winners
    late = leavers.late(outcome, left, seats)
    if claimed and late:
        yield from _claimed(genesis, outcome, left, late, named)
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
    genesis: Genesis, outcome: Outcome, left: Left, late: Sequence[Seat], named: Named
) -> Iterator[str]:
    """A claim that the `late` do not answer: what is claimed, and by whose word alone."""
    several = len(outcome.winners) > 1
    timed = {*late} <= {*left.out_of_time}
    winners, players = (series([named(seat) for seat in sorted(seats)]) for seats in (outcome.winners, late))
    yield _(
        _TIMED[several + 2 * (len(late) > 1)] if timed else _SILENT[several], winners=winners, players=players
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
    late = [seat for seat in report.out_of_time if outcome is None or not _tells_time(report, outcome)]
    if late and len(report.genesis.players) == _TWO:
        yield _(
            "the other side says that the clock of {players}, has run out: a record holds no times",
            players=listed(late),
        )
    elif len(late) == 1:
        yield _(
            "others say that the clock of {players}, has run out: a record holds no times",
            players=listed(late),
        )
    elif late:
        yield _(
            "others say that the clocks of {players}, have run out: a record holds no times",
            players=listed(late),
        )


def _tells_time(report: Report, outcome: Outcome) -> bool:
    """Whether the end itself tells whose clock has run out."""
    late = leavers.late(outcome, report, len(report.genesis.players))
    claimed = outcome.reason == "unresponsive" and bool(outcome.winners) and bool(late)
    return claimed and {*late} == {*report.out_of_time}
