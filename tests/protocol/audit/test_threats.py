"""Rows of the table of attacks that need a whole match: cut, shuffled, rotten, spied upon."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import pytest

from p2p_stratego.core.game import Outcome
from p2p_stratego.registry import GAMES
from protocol.audit.verdict import Report, Verdict
from protocol.errors import Refusal
from protocol.wire import transcript
from protocol.wire.encoding import ENTRY, Frame, read_frame
from tests.helpers.cheats.bout import judge
from tests.helpers.games.players import honest
from tests.helpers.games.toy import TOY
from tests.helpers.seats.pair import Seat, Table

TOYS: Final[dict[str, Any]] = {"game": TOY, "options": {"rounds": 1}, "decide": honest}


ENDS: Final = (
    *("by the rules", "resigned", "agreed draw", "three, with claims", "four, one resigned"),
    *("real", "real, with claims"),
)


@cache
def finished() -> dict[str, Seat]:
    """A seat of a match that came to each kind of end."""
    resigned = Table(1, **TOYS).play(steps=8)
    resigned.seats[1].session.resign()
    drawn = Table(5, **TOYS).play(steps=8)
    drawn.seats[0].session.offer_draw()
    drawn.play(steps=2)
    drawn.seats[1].session.accept_draw()
    real = Table(51, options={"wall": 2}, decide=honest)
    three = Table(8, game=TOY, options={"claims": "yes"}, seats=3, decide=honest)
    four = Table(3, game=TOY, options={"rounds": 1}, seats=4, decide=honest).play(steps=8)
    four.seats[2].session.resign()
    army: dict[str, Any] = {"army": "1-0-0-0-0-0-0-1-1-0-1-1", "quiet": 20}
    other = Table(16, game=GAMES["stratego"], options=army, decide=honest)
    tables = [Table(1, **TOYS), resigned, drawn, three, four, real, other]
    for table in tables:
        table.play()
    assert all(judge(seat.transcript).verdict is Verdict.COMPLETE for table in tables for seat in table.seats)
    return {name: table.seats[0] for name, table in zip(ENDS, tables, strict=True)}


@pytest.fixture(params=ENDS)
def seat(request: pytest.FixtureRequest) -> Seat:
    return finished()[request.param]


def nobody_is_blamed(report: Report) -> bool:
    return report.fault is None and report.verdict not in (Verdict.CHEATED, Verdict.EQUIVOCATED)


def outcome(seat: Seat) -> Outcome:
    ending = seat.session.outcome
    assert ending is not None
    return ending


def test_row_09_cut_at_every_record_it_is_unfinished_or_comes_to_the_same_end(seat: Seat) -> None:
    """The ENDs show that nothing is missing; without them, the longer copy of the other side does."""
    ended = False
    for size in range(len(seat.log) + 1):
        report = judge(transcript.write(seat.begun.body, seat.log[:size]))
        assert nobody_is_blamed(report)
        if report.outcome is None:
            assert report.verdict is Verdict.INCOMPLETE
            assert not ended
        else:
            ended = True
            assert (report.verdict, report.outcome) == (Verdict.COMPLETE, outcome(seat))
        # The ENDs of all endorse the rest; a seat that has left signs none.
        everybody_signed = size == len(seat.log) and not seat.session.referee.table.gone
        assert (report.checks.endorsed > 0) == everybody_signed
    assert ended


def test_row_10_with_any_two_neighbours_swapped_the_match_means_the_same_or_nothing(seat: Seat) -> None:
    """Statements of different seats may change places; entries may not."""
    for at in range(len(seat.log) - 1):
        swapped = list(seat.log)
        swapped[at], swapped[at + 1] = swapped[at + 1], swapped[at]
        report = judge(transcript.write(seat.begun.body, swapped))
        assert nobody_is_blamed(report)
        assert report.outcome in (None, outcome(seat))
        if seat.log[at].kind == seat.log[at + 1].kind == ENTRY:
            assert report.verdict is Verdict.TAMPERED
            assert report.at == at


def test_row_10_with_any_record_dropped_or_repeated_nobody_is_blamed_and_nothing_else_comes_of_it(
    seat: Seat,
) -> None:
    for at in range(len(seat.log)):
        for frames in (
            seat.log[:at] + seat.log[at + 1 :],
            seat.log[:at] + seat.log[at : at + 1] + seat.log[at:],
        ):
            report = judge(transcript.write(seat.begun.body, frames))
            assert nobody_is_blamed(report)
            assert report.outcome in (None, outcome(seat))
            if seat.log[at].kind == ENTRY:
                assert report.verdict is Verdict.TAMPERED


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_row_10_records_spliced_from_another_match_of_the_same_players_are_forged(seats: int) -> None:
    """Same keys, same decisions, another nonce: the game's id is in every signature."""
    table = Table(1, **TOYS, seats=seats).play()
    other = Table(1, game=TOY, options={"rounds": 2}, seats=seats, decide=honest).play()
    assert table.seats[0].identity.key == other.seats[0].identity.key
    log = table.seats[0].log
    for at, foreign in enumerate(other.seats[0].log[: len(log)]):
        for frames in ([*log[:at], foreign, *log[at + 1 :]], [*log[:at], foreign, *log[at:]]):
            report = judge(transcript.write(table.begun.body, frames))
            assert nobody_is_blamed(report)
            assert (report.verdict, report.at) == (Verdict.TAMPERED, at)


@pytest.mark.parametrize("repaired", [False, True], ids=["as it rots", "with checksums made to fit"])
def test_row_35_whatever_bit_of_a_short_transcript_flips_it_means_the_same_or_nothing(repaired: bool) -> None:
    """A match resigned at once, byte by byte; a longer one, here and there."""
    short = Table(1, **TOYS)
    short.play(steps=3)
    short.seats[0].session.resign()
    short.play()
    long = finished()["by the rules"]
    for seat, step in ((short.seats[0], 1), (long, 5)):
        data = seat.transcript
        for at in range(0, len(data), step):
            # Of each byte one bit: that none passes the checks of a frame is a test of the reader's.
            changed = _flip(data, at, at % 8, repaired=repaired)
            try:
                report = judge(changed)
            except Refusal:
                continue
            assert nobody_is_blamed(report)
            assert report.outcome in (None, outcome(seat))
            if not repaired:
                assert report.verdict is Verdict.TAMPERED


def _flip(data: bytes, at: int, bit: int, *, repaired: bool) -> bytes:
    """The data with a bit flipped; if it lies in a payload, with that frame's checks computed anew."""
    changed = bytearray(data)
    changed[at] ^= 1 << bit
    if repaired:
        position = len(transcript.MAGIC)
        while frame := read_frame(data, position):
            start, end = position + 5, position + 5 + len(frame.payload)
            if start <= at < end:
                again = bytes(Frame(frame.kind, bytes(changed[start:end])))
                return data[:position] + again + data[position + len(frame) :]
            position += len(frame)
    return bytes(changed)
