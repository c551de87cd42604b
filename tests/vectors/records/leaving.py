"""Vectors of matches of four in which one leaves, and of lies about who is away."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from p2p_stratego.core.game import Seat
from p2p_stratego.registry import GAMES, make_bot
from protocol.record.evidence import read_record
from protocol.record.statements import Kind
from protocol.wire import transcript
from protocol.wire.encoding import Frame
from tests.helpers.cheats.away import Scene, scenes
from tests.helpers.seats.pair import Seat as Place
from tests.helpers.seats.pair import Table
from tests.vectors.records.players import REAL, WALL, player

_PATIENCE: Final = 600
_CONQUEST: Final = GAMES["conquest"]


def transcripts() -> Iterator[tuple[str, bytes]]:
    """By the name of the file."""
    for name, leave in _LEFT.items():
        yield f"complete-four-{name}", _four(leave)
    yield "unresponsive-four", _all_silent(2)
    yield "unresponsive-four-highest", _all_silent(3)
    yield "complete-three-unrevealed", unrevealed()[1].transcript
    yield from _lies()


def _table(number: int) -> Table:
    decide = [player(f"vector leaving {number}-{seat}") for seat in range(4)]
    return Table(number, game=REAL, options=WALL, seats=4, decide=decide)


def _four(leave: Callable[[Table, Seat], bool]) -> bytes:
    """The first match of four, at rest in its middle, in which `leave` succeeds; played to its end."""
    for number in range(200):
        made = _table(number).play(steps=40 + number)
        made.hold()
        owed = made.seats[0].session.referee.owed
        if owed is None or not leave(made, owed.seat):
            continue
        made.play()
        witness = next(seat for seat in made.seats if not seat.session.left)
        outcome = witness.session.outcome
        if outcome is not None and outcome.breach is None:
            return witness.transcript
    raise AssertionError("no match fits")


def _claim(made: Table, seat: Seat) -> None:
    made.seats[seat].session.claim_away(_PATIENCE)
    made.hold()


def _gone(made: Table, owner: Seat) -> bool:
    for seat in range(4):
        if seat != owner:
            _claim(made, seat)
    return True


def _back(made: Table, owner: Seat) -> bool:
    """The owner answers late, and the first to go on is the accuser, whose entry holds the BACK."""
    accuser = min({0, 1, 2, 3} - {owner})
    _claim(made, accuser)
    session = made.seats[owner].session
    decision = session.decision
    if decision is None:
        return False
    session.decide(made.decide[owner](session, decision, made.rng))
    made.hold()
    made.play(steps=12)
    made.hold()
    return any(entry.release for entry in session.referee.entries)


def _resigned(made: Table, owner: Seat) -> bool:
    """One that owes nothing resigns: it goes later, in its turn."""
    made.seats[(owner + 1) % 4].session.resign()
    made.hold()
    return made.seats[owner].session.referee.table.gone == {}


def _drawn(made: Table, owner: Seat) -> bool:
    first, *others = [seat for seat in range(4) if seat != owner]
    made.seats[first].session.offer_draw()
    made.hold()
    for seat in (*others, owner):
        made.seats[seat].session.accept_draw()
        made.hold()
    return made.seats[owner].session.outcome is not None


def _drawn_without(made: Table, owner: Seat) -> bool:
    """One that owes nothing resigns, and the others agree to a draw before its turn comes."""
    first, second, left = [seat for seat in range(4) if seat != owner]
    made.seats[left].session.resign()
    made.hold()
    made.seats[first].session.offer_draw()
    made.hold()
    for seat in (second, owner):
        made.seats[seat].session.accept_draw()
        made.hold()
    return made.seats[owner].session.outcome is not None


_LEFT: Final[dict[str, Callable[[Table, Seat], bool]]] = {
    "gone": _gone,
    "back": _back,
    "resigned": _resigned,
    "draw": _drawn,
    "draw-resigned": _drawn_without,
}


def _all_silent(owner: Seat) -> bytes:
    """The accusers say that the `owner` is away, and then that the decider is."""
    tables = (_table(number).play(steps=45).hold() for number in range(100))
    made, owed = next(
        (made, owed)
        for made in tables
        if (owed := made.seats[0].session.referee.owed) is not None and owed.seat == owner
    )
    away = {owed.seat, max({0, 1, 2, 3} - {owed.seat})}
    accusers = sorted({0, 1, 2, 3} - away)
    for seat in accusers * 2:
        _claim(made, seat)
    return made.seats[accusers[0]].transcript


def unrevealed() -> tuple[Table, Place, Seat]:
    """Conquest of three: a draw is agreed, and one never shows what its claims speak of.

    With it a seat that has the whole record, and the one that hides.
    """
    for number in range(50):
        bots = [make_bot(_CONQUEST.name, "recruit", random.Random(f"{number} {seat}")) for seat in range(3)]
        decide = [lambda session, _, __, bot=bot: bot.decide(session.view) for bot in bots]
        made = Table(number, game=_CONQUEST, options={"rounds": 4}, seats=3, decide=decide)
        referee = made.seats[0].session.referee
        while made.step() and not referee.table.ledger.claims:
            pass
        made.hold()
        claims, owed = referee.table.ledger.claims, referee.owed
        if claims and owed is not None and claims[0].seat != owed.seat and _hides(made, claims[0].seat):
            return made, made.seats[owed.seat], claims[0].seat
    raise AssertionError("nobody claims anything")


def _hides(made: Table, hider: Seat) -> bool:
    """Whether the others take `hider` for silent, which they reach no more once a draw is agreed."""
    referee = made.seats[hider].session.referee
    owner = -1 if referee.owed is None else referee.owed.seat
    living = [seat for seat in made.seats if seat.seat != hider]
    made.seats[owner].session.offer_draw()
    made.hold()
    made.seats[hider].session.accept_draw()
    made.hold()
    for seat in living:
        if seat.seat != owner:
            seat.session.accept_draw()
    carry(living)
    if any(seat.session.referee.unsettled != (hider,) for seat in living):
        return False
    for seat in living:
        seat.session.claim_away(_PATIENCE)
        carry(living)
    return True


def carry(living: Sequence[Place]) -> None:
    """These seats give each other their records; nobody else gets any."""
    while frames := [(seat, frame) for seat in living for frame in seat.persist()]:
        for sender, frame in frames:
            for seat in living:
                if seat is not sender:
                    seat.session.receive(read_record(frame))


def _lies() -> Iterator[tuple[str, bytes]]:
    scene = _scene(lambda s: s.number > 10 and s.follower in s.accusers)
    aways = [scene.away(seat) for seat in scene.accusers]
    late, following = scene.entries()
    yield "cheated-false-gone", _told(scene, [scene.gone(scene.decider, aways[:1])])
    yield "cheated-false-back", _told(scene, [scene.says(scene.decider, Kind.BACK, scene.number)])
    own = aways[scene.accusers.index(scene.follower)]
    yield "cheated-both-ways", _told(scene, [own, late, following])
    back = scene.says(scene.decider, Kind.BACK, scene.number, over=1)
    gone = scene.gone(scene.decider, aways)
    yield "cheated-both-ways-decider", _told(scene, [late, back, gone])
    frame = scene.says(scene.decider, Kind.CHAT, "well", over=1)
    yield "cheated-both-ways-decider-said", _told(scene, [late, frame, gone])
    bare = scene.says(scene.follower, Kind.CHAT, "well", over=1, after=[own])
    yield "cheated-both-ways-said", _told(scene, [own, late, bare])
    freed = scene.says(scene.follower, Kind.BACK, scene.number, back.payload, over=1, after=[own])
    yield "incomplete-back-released", _told(scene, [own, late, freed])
    yield "cheated-both-ways-released", _told(scene, [own, late, freed, gone])
    chained = scene.says(scene.follower, Kind.BACK, scene.number, frame.payload, over=1, after=[own])
    yield "cheated-false-back-released", _told(scene, [own, late, chained])
    yield "incomplete-gone-supersedes", _told(scene, [late, gone])


def _scene(fits: Callable[[Scene], bool]) -> Scene:
    for number in range(100):
        made = _table(number).play(steps=80).hold()
        for scene in scenes(made):
            if fits(scene):
                return scene
    raise AssertionError("no such place")


def _told(scene: Scene, frames: list[Frame]) -> bytes:
    return transcript.write(scene.mesh.begun.body, [*scene.before, *frames])
