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
from tests.golden.tables import Chronicle, assert_as_kept
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


def waiting_line(referee: Any, seat: Seat) -> str:
    """What a player reads that has said that it is ready."""
    session = SimpleNamespace(referee=referee, kept=None, view=View(seat, talk(), {}))
    match = SimpleNamespace(players=NAMES)
    replica = SimpleNamespace(session=session, match=match, seat=seat, status=Status.CONNECTED)
    return status.waiting(cast("Replica", replica), TERMINAL, Players(NAMES, seat))


def test_a_player_reads_for_whom_it_waits(chronicle: Chronicle) -> None:
    chronicle.show(
        "of Anna, Boris and Chen, all but Anna are still to speak: Anna reads", waiting_line(at(1), 0)
    )
    chronicle.show("all are still to speak: Boris reads", waiting_line(at(0), 1))
    chronicle.show("Chen alone is still to speak: Anna reads", waiting_line(at(2), 0))
    chronicle.show("Boris is to speak, and Chen reads", waiting_line(at(1), 2))
    chronicle.show("Boris is to speak, and Chen has left: Anna reads", waiting_line(at(1, gone=(2,)), 0))
    # Nobody is called late then.
    chronicle.show(
        "all have spoken, and their words are opened: Chen reads", waiting_line(at(0, ShownChoice), 2)
    )
    assert_as_kept(chronicle)


def test_a_spectator_reads_all_for_whom_the_game_waits(
    monkeypatch: pytest.MonkeyPatch, chronicle: Chronicle
) -> None:
    monkeypatch.setattr(history, "names", lambda _: NAMES)
    match = SimpleNamespace(players=NAMES, game=SimpleNamespace(name="spies"), proofs=True, takebacks=False)
    for what, referee in (
        ("all are still to speak", at(0)),
        ("Boris and Chen are still to speak", at(1)),
        ("Anna and Chen are still to speak, and Boris has left", at(0, gone=(1,))),
        ("all have spoken, and Anna's words are to be opened", at(0, ShownChoice)),
    ):
        onlooker = SimpleNamespace(match=match, copy=SimpleNamespace(referee=referee, outcome=None))
        chronicle.show(what, WatchedMatch(cast("Onlooker", onlooker)).ending)
    assert_as_kept(chronicle)
