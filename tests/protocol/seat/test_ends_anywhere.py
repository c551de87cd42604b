"""Play ends, or goes on without a seat, at every place of every Ask; then every seat starts anew.

The four events share the places of a match: in order each has every third place, where records cross every
sixth.  In `make thorough` each event has all.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from typing import Final

import pytest

from protocol.audit.verdict import Verdict
from protocol.errors import Violation
from protocol.failures import NotNow
from protocol.record.evidence import read_record
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, Frame, encode
from tests.helpers.cheats.bout import compare, judge_all
from tests.helpers.games.players import honest
from tests.helpers.games.toy import TOY
from tests.helpers.machine.examples import runs
from tests.helpers.seats.mesh import Mesh
from tests.helpers.seats.pair import Seat

Event = Callable[[Mesh, random.Random], None]
OPTIONS: Final[dict[str, int | str]] = {"rounds": 1, "claims": "yes", "looks": "yes"}


def reopened(seat: Seat) -> Seat:
    """The seat in a new process, from its files."""
    copy = Seat(seat.begun, seat.seat, seat.identity, seat.master)
    copy.log, copy.vault = list(seat.log), list(seat.vault)
    copy.restart()
    assert copy.session.answerable
    assert copy.session.position() == seat.session.position()
    assert copy.session.outcome == seat.session.outcome
    return copy


def again(mesh: Mesh) -> Mesh:
    """The same table, every seat in a new process, with all frames that were under way."""
    copy = Mesh.__new__(Mesh)
    copy.__dict__.update(mesh.__dict__)
    copy.rng = random.Random(1)
    copy.seats = [reopened(seat) for seat in mesh.seats]
    copy.links = {link: deque(queue) for link, queue in mesh.links.items()}
    copy.held = [list(held) for held in mesh.held]
    for seat in copy.seats:
        seat.session.go_live()
    return copy


def places(seats: int, *, crossing: bool, event: int) -> Iterator[Mesh]:
    """A whole match, as it stands after those of its steps at which the event of this number is tried.

    `crossing`: records cross, and players decide early; else each decides when it owes, one after another.
    """
    rng = random.Random(seats)
    mesh = Mesh(seats, game=TOY, options=OPTIONS, seats=seats, decide=honest)
    mesh.carry(rng)
    share = runs(4 if crossing else 3, 1)  # four events: no place is left out by all
    for step in count():
        if not (events := mesh.events()):
            return
        if step % share == event % share:
            yield again(mesh)
        if crossing or any(mesh.links.values()):
            rng.choice(events)() if crossing else events[0]()
        elif (owes := owing(mesh)) is not None:
            mesh.let_decide(owes)


def owing(mesh: Mesh) -> Seat | None:
    """The seat that owes the next entry, by the longest copy."""
    longest = max((seat.session.referee for seat in mesh.seats), key=lambda referee: referee.count)
    return None if longest.owed is None else mesh.seats[longest.owed.seat]


def draw(mesh: Mesh, rng: random.Random) -> None:
    """A seat offers a draw, and each other accepts as soon as it can; all this crosses what is under way."""
    with suppress(NotNow):
        min(mesh.seats, key=lambda seat: seat is owing(mesh)).session.offer_draw()
    while True:
        for seat in mesh.seats:
            mesh.deliver(seat)
        able = [seat for seat in mesh.seats if seat.session.draw_offer is not None]
        busy = [link for link, queue in sorted(mesh.links.items()) if queue]
        if able and (not busy or rng.randrange(2)):
            rng.choice(able).session.accept_draw()
        elif busy:
            mesh.arrive(*rng.choice(busy))
        else:
            return


def resign(mesh: Mesh, rng: random.Random) -> None:
    with suppress(NotNow):
        rng.choice(mesh.seats).session.resign()


def call_away(mesh: Mesh, rng: random.Random) -> None:
    """Who owes is called away by all others, and what it answers comes after that."""
    late = owing(mesh)
    own = (
        {} if late is None else {link: mesh.links.pop(link) for link in [*mesh.links] if link[0] == late.seat}
    )
    mesh.carry(rng) if late is None else carry_without(mesh, late, own, rng)
    for _ in mesh.seats:
        for seat in mesh.seats:
            if seat is not late and seat.session.claimable is not None:
                with suppress(NotNow):
                    seat.session.claim_away(60)
        if late is not None:
            carry_without(mesh, late, own, rng)
    for link, queue in own.items():
        mesh.links.setdefault(link, deque()).extendleft(reversed(queue))


def carry_without(
    mesh: Mesh, late: Seat, own: dict[tuple[int, int], deque[Frame]], rng: random.Random
) -> None:
    """Deliver all frames but those of the `late` seat, which come to its `own`."""
    for seat in mesh.seats:
        mesh.deliver(seat)
    while True:
        for link in [link for link in mesh.links if link[0] == late.seat]:
            own.setdefault(link, deque()).extend(mesh.links.pop(link))
        busy = [link for link, queue in sorted(mesh.links.items()) if queue]
        if not busy:
            return
        sender, to = rng.choice(busy)
        mesh.arrive(sender, to)
        mesh.deliver(mesh.seats[to])


def cheat(mesh: Mesh, rng: random.Random) -> None:
    """Who owes signs what is no message."""
    mesh.carry(rng)
    culprit = owing(mesh)
    if culprit is None:
        return
    referee = culprit.session.referee
    body = encode((referee.count, culprit.seat, referee.head, ["nothing"]))
    frame = Frame(ENTRY, body + culprit.identity.sign(labels.SIGN_ENTRY, referee.genesis.id + body))
    for seat in mesh.seats:
        if seat is not culprit:
            with pytest.raises(Violation):
                seat.session.receive(read_record(frame))


EVENTS: Final[dict[str, Event]] = {"draw": draw, "RESIGN": resign, "AWAY": call_away, "fault": cheat}


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("crossing", [False, True], ids=["in order", "crossing"])
@pytest.mark.parametrize("seats", [2, 3])
def test_row_102_whatever_ends_play_at_any_place_of_any_ask_every_seat_opens_its_match_again(
    seats: int, crossing: bool, event: str
) -> None:
    for number, mesh in enumerate(places(seats, crossing=crossing, event=[*EVENTS].index(event))):
        rng = random.Random(number)
        EVENTS[event](mesh, rng)
        for seat in mesh.seats:
            mesh.deliver(seat)
        there = again(mesh)  # with what is still under way
        there.carry(rng)
        assert_settled(again(there), rng, event)


def assert_settled(mesh: Mesh, rng: random.Random, event: str) -> None:
    """The match goes on to an end, and the copies of honest seats are equal; nobody honest is blamed."""
    again(mesh.run(rng))
    reports = judge_all(mesh.seats, every_signature=True)
    assert all(report.verdict is not Verdict.TAMPERED for report in reports)
    if event == "fault":  # each copy but the culprit's ends with it
        return
    assert all(seat.session.fault is None for seat in mesh.seats)
    assert len({seat.session.referee.head for seat in mesh.seats}) == 1
    assert len({seat.session.outcome for seat in mesh.seats}) == 1
    assert compare(reports).fault is None
