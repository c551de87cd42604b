"""Killed at any moment, a seat goes on from what it persisted and never signs a place twice."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import Stale, WrongKey
from protocol.failures import NotNow
from protocol.record.evidence import read_record
from tests.helpers.cheats.bout import compare, judge
from tests.helpers.games.players import honest
from tests.helpers.games.toy import TOY
from tests.helpers.machine.examples import every, examples
from tests.helpers.seats.crash import Frail, assert_finished, once, place
from tests.helpers.seats.pair import Seat

SHORT: Final[dict[str, Any]] = {"seed": 3, "game": TOY, "options": {"claims": "yes"}, "decide": honest}
REAL: Final[dict[str, Any]] = {"seed": 51, "options": {"wall": 2}, "decide": honest}


def outputs(match: dict[str, Any], seat: int) -> int:
    """How many things a seat persists in a whole match without a crash."""
    table = Frail(**match).prepare(lambda *_: False)
    table.play()
    assert_finished(table)
    return table.given[seat]


@pytest.mark.parametrize("lossy", [True, False], ids=["the link loses", "the link keeps"])
@pytest.mark.parametrize("persisted", [False, True], ids=["before persisting", "before sending"])
@pytest.mark.parametrize("victim", [0, 1])
@pytest.mark.parametrize("match", [SHORT, REAL], ids=["toy", "real"])
def test_row_30_killed_at_every_write_a_seat_goes_on_and_never_signs_a_place_twice(
    match: dict[str, Any], victim: int, persisted: bool, lossy: bool
) -> None:
    total = outputs(match, victim)
    assert total > 15
    for moment in every(range(total), 2, lossy + victim):  # each write, both before and after it is kept
        table = Frail(**match).prepare(once((victim, moment, persisted)), lossy=lossy)
        table.play()
        assert table.crashes == 1
        assert_finished(table)


@given(seed=st.integers(0, 2**32), often=st.sampled_from([3, 10, 30]), lossy=st.booleans())
@examples(6, 60)
def test_row_30_both_killed_again_and_again_they_still_finish(seed: int, often: int, lossy: bool) -> None:
    chance = random.Random(seed)
    table = Frail(**{**SHORT, "seed": seed % 50}).prepare(
        lambda *_: chance.randrange(often * 8) == 0, lossy=lossy
    )
    table.play(steps=4000)
    table.strike = lambda *_: False
    table.play()
    assert_finished(table)


def test_row_30_every_persisted_prefix_is_a_state_to_go_on_from() -> None:
    """A seat whose log and vault end anywhere, in the order in which they were written."""
    whole = Frail(**SHORT).prepare(lambda *_: False)
    whole.play()
    log = whole.seats[0].log
    for size in range(len(log) + 1):
        seat = whole.seats[0]
        copy = Seat(seat.begun, 0, seat.identity, seat.master)
        copy.log, copy.vault = list(log[:size]), list(seat.vault)
        copy.restart()
        assert copy.session.position().count <= whole.seats[1].session.position().count
        assert not copy.session.live
        assert copy.session.outputs() == []


def clone(seat: Seat) -> Seat:
    """A second copy of a save, opened on another machine."""
    twin = Seat(seat.begun, seat.seat, seat.identity, seat.master)
    twin.log, twin.vault = list(seat.log), list(seat.vault)
    twin.restart()
    return twin


def connect(end: Seat, other: Seat) -> list[BaseException]:
    """Compare, exchange what is lacking, and answer, until nothing moves; what stopped either."""
    stopped: list[BaseException] = []
    for seat in (end, other):
        seat.session.pause()
    positions = end.session.position(), other.session.position()
    try:
        lacking = end.session.missing(positions[1]), other.session.missing(positions[0])
        end.session.go_live(positions[1])
        other.session.go_live(positions[0])
    except Stale as stale:
        return [stale]
    queues = {end.seat: list(lacking[1]), other.seat: list(lacking[0])}
    while any(queues.values()):
        for seat, peer in ((end, other), (other, end)):
            if queues[seat.seat]:
                try:
                    seat.session.receive(read_record(queues[seat.seat].pop(0)))
                except Stale as stale:
                    stopped.append(stale)
                    queues[seat.seat].clear()
            queues[peer.seat] += seat.persist()
    return stopped


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5])
@pytest.mark.parametrize("cloned", [0, 1])
@pytest.mark.parametrize("match", [SHORT, REAL], ids=["toy", "real"])
def test_row_31_the_older_of_two_clones_freezes_and_nobody_is_blamed(
    match: dict[str, Any], cloned: int, share: float
) -> None:
    steps = int(share * outputs(match, cloned))
    table = Frail(**match).prepare(lambda *_: False)
    table.play(steps=steps)
    old = clone(table.seats[cloned])
    table.play(steps=12)
    peer = table.seats[1 - cloned]
    peer.persist()
    before, signed = list(peer.log), len(old.log)
    stopped = connect(old, peer)
    assert [type(error) for error in stopped] == [Stale]
    assert [frame for frame in old.log[signed:] if place(frame)[1] == cloned] == []
    assert peer.log == before
    assert peer.session.fault is None
    # It stays frozen: nothing that its player or the other side does makes it sign again.
    with pytest.raises(Stale):
        old.session.go_live(peer.session.position())
    for wish in (
        old.session.resign,
        old.session.offer_draw,
        old.session.agree,
        partial(old.session.claim_away, 9),
    ):
        with suppress(NotNow):
            wish()
    with pytest.raises(NotNow):
        old.session.say("hello")
    assert old.persist() == []
    reports = [judge(seat.transcript) for seat in (old, peer, table.seats[cloned])]
    assert all(report.fault is None for report in reports)
    assert compare(reports).agree
    # The newer copy can go on.
    table.reconnect()
    table.play()
    assert_finished(table)


def test_row_31_a_clone_that_takes_over_where_the_first_stopped_leaves_that_one_frozen() -> None:
    table = Frail(**SHORT).prepare(lambda *_: False)
    table.play(steps=10)
    first = table.seats[0]
    table.deliver(first)
    table.deliver(table.seats[1])
    table.seats[0] = clone(first)
    table.reconnect()
    table.play()
    assert_finished(table)
    assert [type(error) for error in connect(first, table.seats[1])] == [Stale]


def test_row_31_a_number_alone_freezes_nobody() -> None:
    """The other side only says that it holds more of our statements; it must show them."""
    table = Frail(**SHORT).prepare(lambda *_: False)
    table.play(steps=10)
    session = table.seats[0].session
    position = session.position()
    more = replace(position.statements[0], count=position.statements[0].count + 5)
    lie = replace(position, statements=(more, position.statements[1]))
    session.go_live(lie)
    assert not session.live
    assert table.seats[0].persist() == []
    session.go_live(position)
    assert session.live


def test_a_seat_with_another_key_is_not_ours() -> None:
    table = Frail(**SHORT)
    with pytest.raises(WrongKey):
        type(table.seats[0])(table.begun, 0, table.seats[1].identity, table.seats[0].master)
