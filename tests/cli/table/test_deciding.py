"""Decisions made at the same time: for whom players and spectators wait, in words."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cli.games.interface import Players
from cli.games.spies.terminal import TERMINAL
from cli.reports import history
from cli.table.seat.watching import WatchedMatch
from cli.table.words import status
from p2p_stratego.core.game import Choose, Seat, Together
from p2p_stratego.core.view import View
from p2p_stratego.spies.rules.notation import READY
from p2p_stratego.spies.rules.state import State
from protocol.record.asks.base import Obligation
from protocol.record.asks.together import HiddenChoice, ShownChoice
from protocol.replication.onlooker import Onlooker
from protocol.replication.replica import Replica, Status
from tests.helpers.spies.moments import PEOPLE, moments

SEATS = 3
NAMES = PEOPLE[:SEATS]
ALL = Together(tuple(Choose(seat, (READY,)) for seat in range(SEATS)))


@cache
def talk() -> State:
    """The first talks of a game that has them."""
    return next(view.state for view, _ in moments(SEATS, wild=1, talk=6) if view.state.phase == "talk")


def at(seat: Seat, message: Any = HiddenChoice, gone: tuple[Seat, ...] = ()) -> Any:
    """A referee of the talks that waits for this message of a seat."""
    table = SimpleNamespace(state=talk(), gone=gone, history=[])
    return SimpleNamespace(owed=Obligation(seat, message, ALL, ALL.asks[seat]), table=table, record=[])


def told(referee: Any, seat: Seat) -> str:
    """What a player reads that has said that it is ready."""
    session = SimpleNamespace(referee=referee, kept=None, view=View(seat, talk(), {}))
    match = SimpleNamespace(players=NAMES)
    replica = SimpleNamespace(session=session, match=match, seat=seat, status=Status.CONNECTED)
    return status.waiting(cast("Replica", replica), TERMINAL, Players(NAMES, seat))


def test_a_player_reads_all_whose_words_are_still_to_come() -> None:
    talks = "The talks before 1933 end when all are ready"
    assert told(at(1), 0) == f"{talks}; words still to come, in this order: Boris and Chen."
    assert told(at(0), 1) == f"{talks}; words still to come, in this order: Anna and Chen."
    assert told(at(2), 0) == f"{talks}; Chen is not yet."
    assert told(at(1), 2) == f"{talks}; Boris is not yet."
    assert told(at(1, gone=(2,)), 0) == f"{talks}; Boris is not yet."


def test_nobody_is_called_late_once_all_have_decided() -> None:
    assert told(at(0, ShownChoice), 2) == "All have decided; Anna's decision is shown next."


@pytest.mark.parametrize(
    ("owed", "waits"),
    [
        ({"seat": 0}, "Anna, Boris and Chen"),
        ({"seat": 1}, "Boris and Chen"),
        ({"seat": 0, "gone": (1,)}, "Anna and Chen"),
        ({"seat": 0, "message": ShownChoice}, "Anna"),
    ],
)
def test_a_spectator_reads_all_for_whom_the_game_waits(
    owed: dict[str, Any], waits: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "names", lambda _: NAMES)
    match = SimpleNamespace(players=NAMES, game=SimpleNamespace(name="spies"), proofs=True)
    onlooker = SimpleNamespace(match=match, copy=SimpleNamespace(referee=at(**owed), outcome=None))
    assert WatchedMatch(cast("Onlooker", onlooker)).ending == f"The game waits for {waits}."
