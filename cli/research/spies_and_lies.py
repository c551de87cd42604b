"""Spies & Lies: each thing said is one word, soldiers are laid one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from cli.games.spies_and_lies.snapshot import Snapshot, snapshot
from cli.research.tables import Asking, Field, GameTable, Word, face_words, laying, listed
from p2p_stratego.core.game import Commit
from p2p_stratego.core.self_play import Decided
from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.rules.components import DAYS, FORWARD, MISSIONS, RANKS
from p2p_stratego.spies_and_lies.rules.notation import (
    CAPTAIN_POINTS,
    COPIES,
    GUESSES,
    KEEP,
    LAY,
    MARKS,
    MARSHAL_FIVE,
    MARSHAL_TEN,
)
from p2p_stratego.spies_and_lies.rules.state import State

_PHASES: Final = ("deploy", "look", "intel", "mission", "night", "over")
_RESULTS: Final = ("counted", "incorrect-order", "incorrect-intel", "identified", "retreated", "activated")


def ask(view: View[State]) -> Asking:
    """See GameTable.ask.  A soldier that is exhausted, or that the side has laid today, cannot be there."""
    decision = view.asked
    if isinstance(decision, Commit):
        return (yield from laying(len(decision.slots), snapshot(view).hand, once=True))
    return (yield from listed(((move,), move) for move in decision.options))


def spell(_view: View[State], decided: Decided) -> Sequence[Word]:
    """See GameTable.spell."""
    return (decided,) if isinstance(decided, str) else face_words(decided)


def _both(moment: Snapshot) -> tuple[int, int]:
    """The sides, the seat's own first."""
    return moment.side, 1 - moment.side


def _standing(moment: Snapshot) -> tuple[int, ...]:
    state, forward = moment.state, FORWARD[moment.side]
    return (
        _PHASES.index(state.phase),
        moment.seat,
        state.seating.seats,
        state.wall,
        state.day,
        state.turn,
        int(state.guesser == moment.side),
        forward * state.agent,
        state.spare,
        int(moment.turned),
    )


def _counts(moment: Snapshot) -> Iterator[int]:
    state = moment.state
    for side in _both(moment):
        yield from (
            state.points[side],
            state.tokens[side],
            state.moved[side],
            int(state.blast[side]),
            int(state.caught[side]),
            int(state.double[side]),
        )


def _intel(moment: Snapshot) -> list[int]:
    numbers = [rank for card in moment.intel for rank in card]
    return [*numbers, *[0] * (2 * (DAYS + 1) - len(numbers))]


def _ranks(moment: Snapshot, of: Sequence[Iterable[int]]) -> list[int]:
    return [int(rank in of[side]) for side in _both(moment) for rank in RANKS]


def _missions(moment: Snapshot, of: Sequence[Iterable[int]]) -> list[int]:
    return [int(mission in of[side]) for side in _both(moment) for mission in MISSIONS]


def _cards(moment: Snapshot) -> list[int]:
    return [0 if card is None else card.rank for side in _both(moment) for card in moment.state.cards[side]]


def _turn(moment: Snapshot) -> tuple[int, ...]:
    target = moment.target
    return (
        0 if target is None else 1 + (target[0] != moment.side),
        0 if target is None else target[1],
        int(moment.token),
        moment.guess or 0,
        moment.opened or 0,
        moment.copied or 0,
    )


def _report(moment: Snapshot) -> tuple[int, ...]:
    report = moment.state.report
    if report is None:
        return (0,) * 7
    return (
        1 + (report.guesser != moment.side),
        report.mission,
        report.guess or 0,
        int(report.token),
        int(report.marked),
        report.soldier or 0,
        1 + _RESULTS.index(report.result) if report.result in _RESULTS else 0,
    )


_LINE: Final = len(MISSIONS)
_TWO_LINES: Final = 2 * _LINE
TABLE: Final = GameTable(
    words=(
        *face_words(RANKS),
        *MARKS,
        *GUESSES,
        LAY,
        KEEP,
        CAPTAIN_POINTS,
        *COPIES,
        MARSHAL_TEN,
        MARSHAL_FIVE,
    ),
    longest=_LINE,
    fields=(
        Field(
            "phase, seat, seats, wall, day, turn, own side guesses, agent forward, spare tokens, intel open",
            10,
            _standing,
        ),
        Field("of each side: points, tokens, steps today, blast, caught, double", 12, _counts),
        Field("intel cards, lowest and highest rank, oldest first", 2 * (DAYS + 1), _intel),
        Field("exhausted, by side and rank", 2 * len(RANKS), lambda it: _ranks(it, it.state.exhausted)),
        Field("in force, by side and rank", 2 * len(RANKS), lambda it: _ranks(it, it.state.active)),
        Field("marked, by side and mission", _TWO_LINES, lambda it: _missions(it, it.state.marks)),
        Field("closed for good, by side and mission", _TWO_LINES, lambda it: _missions(it, it.state.closed)),
        Field("open soldiers, by side and mission", _TWO_LINES, _cards),
        Field("own soldiers of today", _LINE, lambda it: (rank or 0 for rank in it.line)),
        Field("the mate's, while they can be seen", _LINE, lambda it: (rank or 0 for rank in it.seen)),
        Field("own missions", _LINE, lambda it: (int(mission in it.own) for mission in MISSIONS)),
        Field("missions to lay now", _LINE, lambda it: (int(mission in it.asked) for mission in MISSIONS)),
        Field("target's side, mission, token, guess, soldier open, soldier copied", 6, _turn),
        Field("the last turn: guesser, mission, guess, token, marked, soldier, result", 7, _report),
    ),
    moment=snapshot,
    ask=ask,
    spell=spell,
)
