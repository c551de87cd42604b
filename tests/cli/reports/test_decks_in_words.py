"""Records of a game with decks, told and exported: what lies closed is nowhere in them.

Each seat has a copy of the same record; its player alone is told what it was shown or has drawn.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from cli.games.interface import Players, terminal
from cli.reports import history, match_json
from cli.table.news.looks import Looks
from p2p_stratego.core.game import Draw, Give, Lay, Open, Show, Slot
from p2p_stratego.registry import GAMES
from p2p_stratego.spies.rules.counters import CHIT_NAMES, SECRET_NAME, spy_names
from protocol.audit.verdict import ProofPolicy, Replayed, accept_all, replay
from protocol.crypto.proofs.verification import keeping
from protocol.record.asks.base import Answered, Reached
from protocol.seat.session import Session
from tests.helpers.games.players import honest
from tests.helpers.seats.pair import Table

SEATS = 3
GAME = GAMES["spies"]
HIDDEN = (*CHIT_NAMES, *SECRET_NAME.values(), *(name for power in range(5) for name in spy_names(power)))


@cache
def table() -> Table:
    """A game of SPIES! between real sessions, some turns of it."""
    with keeping():
        return Table(4, game=GAME, seats=SEATS, decide=honest).play(steps=300)


@cache
def recording(seat: int) -> Replayed:
    """What anybody reads in the copy of a seat."""
    trusted = ProofPolicy(hold=accept_all)
    return replay(table().seats[seat].transcript, GAMES, proving=trusted)


def answers(referee: Any) -> list[Answered]:
    return [step for step in referee.table.history if isinstance(step, Answered)]


def opened() -> dict[Slot, int]:
    """The slots that were opened to all, with their faces."""
    return {
        step.ask.slot: step.answer for step in answers(recording(0).referee) if isinstance(step.ask, Open)
    }


def closed(session: Session) -> dict[Slot, int]:
    """What the player of a seat knows, and not all do."""
    shown = opened()
    return {slot: face for slot, face in session.known.items() if slot not in shown}


def test_much_is_known_to_one_seat_alone() -> None:
    kinds = {type(step.ask) for step in answers(recording(0).referee)}
    assert kinds >= {Draw, Lay, Show, Open}
    for seat in table().seats:
        assert len(closed(seat.session)) > 20
        others = [other.session.known for other in table().seats if other is not seat]
        assert any(slot not in known for known in others for slot in closed(seat.session))


@pytest.mark.parametrize("seat", range(SEATS))
def test_row_37_a_face_that_was_not_opened_is_in_no_step_and_no_export(seat: int) -> None:
    """Neither the seat's own copy nor another one holds them: they can be read with its key only."""
    shown, hidden = opened(), closed(table().seats[seat].session)
    for reader in range(SEATS):
        story = history.of_match(recording(reader))
        for step in story.steps:
            assert step.faces.items() <= shown.items()
            assert not hidden.keys() & step.faces.keys()
        plain = json.loads(json.dumps(match_json.plain(recording(reader))))
        assert {int(slot): face for slot, face in plain["opened"].items()} == shown
        for entry in plain["record"]:
            assert "face" not in entry
            assert ("faces" in entry) == (entry["message"] == "Opened")
            assert set(map(type, entry.values())) <= {int, str}


def complete(exported: dict[str, Any]) -> list[Any]:
    """The steps that this copy of the record holds whole."""
    return [step for step in exported["steps"] if step["complete"]]


def test_row_37_all_copies_tell_the_same() -> None:
    """So nothing of what its owner alone knows can be in one of them."""
    short = min(len(recording(seat).referee.entries) for seat in range(SEATS))
    first, *others = (match_json.plain(recording(seat)) for seat in range(SEATS))
    for other in others:
        assert other["record"][:short] == first["record"][:short]
        assert complete(other)[: len(complete(first))] == complete(first)[: len(complete(other))]
        assert other["opened"] == first["opened"]
        assert other["players"] == first["players"]


def test_row_37_what_is_drawn_laid_and_shown_is_not_named() -> None:
    """A step in which nothing was opened names no card."""
    asked: list[Answered] = []
    sentences = {step.number: step.sentences for step in history.steps(recording(0).referee)}
    private = 0
    for step in recording(0).referee.table.history:
        if isinstance(step, Answered):
            asked.append(step)
            continue
        assert isinstance(step, Reached)
        if any(isinstance(answered.ask, Draw | Show | Give) for answered in asked):
            open_now = any(isinstance(answered.ask, Open) for answered in asked)
            text = " ".join(sentences[step.number]).lower()
            private += not open_now
            assert open_now or not any(f" {name}" in text for name in HIDDEN)
        asked = []
    assert private


@pytest.mark.parametrize("seat", range(SEATS))
def test_its_player_alone_is_told_what_it_was_shown_or_has_drawn(seat: int) -> None:
    session = table().seats[seat].session
    looks = Looks(session, Players(("Ada", "Ben", "Cleo"), seat), terminal("spies").alone)
    assert looks.all
    by_number: dict[int, list[Answered]] = {}
    for step in answers(session.referee):
        by_number.setdefault(step.number, []).append(step)
    for look in looks.all:
        asks = [step.ask for step in by_number[look.number]]
        assert any(
            ask.seat == seat
            if isinstance(ask, Show | Give)
            else isinstance(ask, Draw) and any(drawer == seat for drawer, _ in ask.hands)
            for ask in asks
        )
        assert "None" not in " ".join(look.private.sentences)
