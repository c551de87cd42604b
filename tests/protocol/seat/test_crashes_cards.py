"""Killed over any message about cards, a seat reads it back, or makes another one that gives nothing away."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import pytest

from protocol.audit.verdict import Verdict, audit
from protocol.crypto.proofs.verification import keeping
from protocol.record.asks.registry import CODEC
from protocol.record.entries import parse_entry
from protocol.seat.effects import Duty, Output
from protocol.wire.encoding import ENTRY, Frame, read_frame
from protocol.wire.messages import Message
from tests.helpers.cheats.spies import GAMES as SPIES
from tests.helpers.cheats.spies import SCRIPT, Recording
from tests.helpers.games.cups import CUPS, GAMES
from tests.helpers.games.players import honest
from tests.helpers.seats.crash import Frail
from tests.helpers.seats.pair import Seat
from tests.helpers.spies.dealt import THREE

MATCH: Final[dict[str, Any]] = {"seed": 5, "game": CUPS, "options": {"rounds": 1}, "decide": honest}
VICTIM: Final = 1
OVER: Final = (
    ("Keys", 0),
    ("Shuffled", 0),  # the deck
    ("Shuffled", -1),  # its tokens, mixed
    ("Tokens", 0),
    ("Moved", 0),  # shown
    ("Moved", -1),  # returned
    ("Proved", 0),
    ("Opened", -1),
    ("Laid", 0),
)
"""A message, and which one of those that the victim sends."""


@pytest.fixture(autouse=True)
def checked_once() -> Iterator[None]:
    with keeping():
        yield


def message_in(frame: Frame) -> Message | None:
    return CODEC.parse(parse_entry(frame.payload).message) if frame.kind == ENTRY else None


class Dying(Frail):
    """Takes note of what the victim gives out, in order."""

    outputs: list[Message | None]

    def made(self, seat: Seat, output: Output) -> None:
        self.outputs = getattr(self, "outputs", [])
        if seat.seat == VICTIM:
            frame = read_frame(output.data, 0) if output.duty is Duty.SEND else None
            self.outputs.append(None if frame is None else message_in(frame))


@cache
def whole() -> tuple[str, ...]:
    """What the victim gives out in a match without a crash."""
    table = Dying(**MATCH)
    table.prepare(lambda *_: False)
    table.play()
    return tuple(type(output).__name__ for output in table.outputs)


@pytest.mark.parametrize("persisted", [False, True], ids=["before it is on the disk", "before it is sent"])
@pytest.mark.parametrize(("what", "which"), OVER)
def test_row_74_killed_over_a_message_about_cards_a_seat_signs_no_second_one(
    what: str, which: int, *, persisted: bool
) -> None:
    due = [at for at, name in enumerate(whole()) if name == what][which]
    table = Dying(**MATCH)
    table.prepare(lambda seat, given, on_disk: (seat, given, on_disk) == (VICTIM, due, persisted))
    table.play()
    assert table.crashes == 1
    mine = table.outputs[due]
    assert type(mine).__name__ == what
    again = table.outputs[due + 1]
    if not persisted:  # nobody has seen the first, and its random numbers serve no other statement
        assert type(again) is type(mine)
        field = "proofs" if hasattr(mine, "proofs") else "proof"
        scalars = [getattr(proof, field) for proof in (mine, again)]
        assert scalars[0][:32] != scalars[1][:32]
        assert scalars[0][-32:] != scalars[1][-32:]
    assert sum(type(output).__name__ == what for output in table.outputs) == whole().count(what) + (
        not persisted
    )
    heads = {seat.session.referee.head for seat in table.seats}
    assert len(heads) == 1
    report = audit(table.seats[VICTIM].transcript, GAMES, every_signature=True)
    assert (report.verdict, report.fault) == (Verdict.COMPLETE, None)


def test_all_killed_over_answers_of_spies_go_on_where_they_were() -> None:
    """A search, a cousin's question, a trade, a return of chits, a draw, an open counterspy."""
    over = ("br4", "captured # br4", "sanction ge2 fr5", "accept", "hand escape", "return papers", "survives")
    table = Recording(THREE, SCRIPT, crashes=over).table
    signed = [[(entry.seat, entry.number) for entry in seat.session.referee.entries] for seat in table.seats]
    assert len({seat.session.referee.head for seat in table.seats}) == 1
    assert all(len(set(places)) == len(places) for places in signed)
    report = audit(table.seats[0].transcript, SPIES, every_signature=True)
    assert (report.verdict, report.fault) == (Verdict.INCOMPLETE, None)
