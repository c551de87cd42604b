"""Copies of one match with its records in other orders: the short way to their verdict is the audit's."""

from __future__ import annotations

import random
from functools import cache
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_stratego.core.game import Decision
from p2p_stratego.registry import GAMES as REAL
from protocol.audit.comparison import Copies
from protocol.audit.verdict import Replayed, is_free_of_order, reordered, replay
from protocol.errors import Refusal
from protocol.record.asks.base import Decided
from protocol.seat.session import Session
from protocol.wire import transcript
from protocol.wire.encoding import STATEMENT, Frame
from tests.helpers.cheats.tables import ALL_GAMES
from tests.helpers.games.players import honest
from tests.helpers.games.toy import TOY
from tests.helpers.seats.pair import Seat, Table

GAMES: Final = {**REAL, **ALL_GAMES}
TABLES: Final[dict[str, dict[str, Any]]] = {
    "toy": {"game": TOY, "options": {"rounds": 2}},
    "toy of three": {"game": TOY, "options": {"rounds": 2}, "seats": 3},
    "toy with looks and claims": {"game": TOY, "options": {"looks": "yes", "claims": "yes"}},
    "toy with proofs": {"game": TOY, "options": {"rounds": 2}, "proofs": True},
    "spies-and-lies": {"game": REAL["spies-and-lies"]},
    "conquest": {"game": REAL["conquest"]},
    "stratego": {"game": REAL["stratego"]},
}


def talking(session: Session, decision: Decision, rng: random.Random) -> Decided:
    """A player who says something now and then."""
    if session.live and session.referee.agreed and rng.random() < 0.2:
        session.say(rng.choice(("hm", "well played", "oh")))
    return honest(session, decision, rng)


@cache
def seats(name: str) -> tuple[Seat, ...]:
    return tuple(Table(5, decide=talking, **TABLES[name]).play().seats)


def audited(data: bytes) -> Replayed | None:
    try:
        return replay(data, GAMES)
    except Refusal:
        return None


@pytest.mark.parametrize("name", TABLES)
def test_the_copy_of_another_seat_has_the_same_records_and_the_verdict_of_its_audit(name: str) -> None:
    _first, *others = seats(name)
    copy = replayed(name)
    assert is_free_of_order(copy)
    for other in others:
        short = reordered(copy, other.transcript)
        assert short is not None
        assert short.report == replay(other.transcript, GAMES).report
        assert short.referee is copy.referee


@cache
def replayed(name: str) -> Replayed:
    return replay(seats(name)[0].transcript, GAMES)


def moved(frames: list[Frame], rng: random.Random) -> None:
    """Move statements, by some places or anywhere, as in another copy, or further."""
    stated = [at for at, frame in enumerate(frames) if frame.kind == STATEMENT]
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.choice(stated)
        to = at + rng.choice((-2, -1, -1, 1, 1, 2, rng.randrange(-len(frames), len(frames))))
        frames.insert(max(0, to), frames.pop(at))


@given(st.sampled_from(sorted(TABLES)), st.integers(0, 2**32))
def test_every_order_of_the_records_is_judged_as_by_an_audit(name: str, seed: int) -> None:
    """An order that an audit takes has the same report; one that it does not take is left to it."""
    rng, copy = random.Random(seed), replayed(name)
    seat = rng.choice(seats(name))
    frames = list(seat.log)
    moved(frames, rng)
    if rng.random() < 0.1:
        frames.insert(rng.randrange(len(frames)), rng.choice(frames))
    if rng.random() < 0.1:
        del frames[rng.randrange(len(frames))]
    written = transcript.write(seat.begun.body, frames) + b"\x02" * rng.choice((0, 0, 2))
    short, whole = reordered(copy, written), audited(written)
    if short is not None:
        assert whole is not None
        assert short.report == whole.report
    elif whole is not None and whole.report.checks.endorsed:
        assert whole.report.checks != copy.report.checks  # a record is missing


@given(st.sampled_from(sorted(TABLES)), st.integers(0), st.integers(1, 255))
def test_a_copy_with_another_byte_is_left_to_the_audit(name: str, at: int, flip: int) -> None:
    data = bytearray(seats(name)[-1].transcript)
    data[at % len(data)] ^= flip
    assert reordered(replayed(name), bytes(data)) is None


def test_a_match_that_a_player_resigned_is_not_free_of_order() -> None:
    """As a resignation: its place among the records decides."""
    table = Table(3, game=TOY, options={"rounds": 2}, decide=honest).play(steps=12)
    table.seats[0].session.resign()
    table.play()
    for seat in table.seats:
        copy = replay(seat.transcript, GAMES)
        assert copy.report.checks.endorsed
        assert not is_free_of_order(copy)


def test_copies_in_another_order_agree_as_if_each_was_audited(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = (seat.transcript for seat in seats("spies-and-lies"))
    audits = Copies(GAMES)
    apart = [audits.add(data) for data in (first, second)]
    assert apart == [replay(data, GAMES).report for data in (first, second)]
    monkeypatch.setattr(Copies, "reordered", lambda _self, _data: None)
    slowly = Copies(GAMES)
    for data in (first, second):
        slowly.add(data)
    assert audits.compare() == slowly.compare()
    assert audits.compare().whole == slowly.compare().whole
