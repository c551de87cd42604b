"""Vectors of draws where something is mixed, or somebody resigns, and of REVEALs withheld with two left."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from typing import Final

from p2p_stratego.core.game import Choose, Decision, Seat
from protocol.record import statements
from protocol.record.asks.base import Decided
from protocol.record.asks.mix import Mixed
from protocol.record.asks.proofs.shuffled import Shuffled
from protocol.record.asks.registry import is_decision
from protocol.record.statements import Kind
from protocol.seat.session import Session
from protocol.wire.encoding import ENTRY, STATEMENT, Frame
from protocol.wire.messages import Message
from tests.helpers.in_javascript.conquest import RandomPlayer
from tests.helpers.seats.pair import Decide, Table
from tests.vectors.records.last_steps import CONQUEST, bot
from tests.vectors.records.last_words import revealed
from tests.vectors.records.open_points import Copy

_WORDS: Final = (Kind.REVEAL, Kind.END)


def transcripts() -> Iterator[tuple[str, bytes]]:
    """By the name of the file."""
    yield from _in_place_of_mixes()
    yield from _beside_a_resign()
    yield from _hidden()


def _in_place_of_mixes() -> Iterator[tuple[str, bytes]]:
    for message in (Mixed, Shuffled):
        name = message.__name__.lower()
        yield f"complete-three-draw-{name}", _settled(_drawn(_before(message, chosen=True))).transcript
        yield f"tampered-draw-for-{name}", _drawn(_before(message, chosen=False)).transcript


def _beside_a_resign() -> Iterator[tuple[str, bytes]]:
    """The author of the offer goes home, behind the offer or before it; and another one that has accepted."""
    for name, author_first in (("complete-three-draw-author-home", True), ("tampered-draw-of-home", False)):
        place = _before(Mixed, chosen=True)
        words = (Kind.OFFER_DRAW, Kind.RESIGN) if author_first else (Kind.RESIGN, Kind.OFFER_DRAW)
        for kind in words:
            place.copy.say(place.author, kind)
        offer = place.author, 1 if author_first else 2
        for seat in (place.other, place.owner):
            place.copy.say(seat, Kind.ACCEPT_DRAW, *offer)
        yield name, (_settled(place) if author_first else place).transcript
    place = _before(Mixed, chosen=True)
    place.copy.say(place.author, Kind.OFFER_DRAW).say(place.other, Kind.RESIGN)
    place.copy.say(place.owner, Kind.ACCEPT_DRAW, place.author, 1)
    revealed(place.made, place.author, place.copy)
    yield "unresponsive-three-draw-home", place.copy.call_away(place.author, place.owner).transcript
    yield "complete-three-draw-unrevealed-resign", _gone_behind_the_end().transcript


def _gone_behind_the_end() -> Copy:
    """Who only accepted the draw shows nothing, the others sign that, and it resigns beside the draw then."""
    place = _before(Mixed, chosen=True)
    count, staying = place.copy.referee.count, (place.author, place.owner)
    copy = _drawn(place).copy
    for seat in staying:
        revealed(place.made, seat, copy)
    for seat in staying:
        copy.call_away(seat, place.other)
    for seat in staying:
        copy.say(seat, Kind.END, (), "unrevealed")
    return copy.say(place.other, Kind.RESIGN, count=count)


class _Place:
    """A copy that ends where a seat owes an entry: it, and two others, of which one offers a draw."""

    def __init__(self, made: Table, copy: Copy, owner: Seat) -> None:
        self.made, self.copy, self.owner = made, copy, owner
        self.author, self.other = sorted({0, 1, 2} - {owner})

    @property
    def transcript(self) -> bytes:
        return self.copy.transcript


def _before(message: type[Message], *, chosen: bool) -> _Place:
    """A match of Conquest where such a message is owed: `chosen` by a player, or drawn by a program."""
    for number in range(100):
        made = _random_match(number, proofs=message is Shuffled)
        copy = Copy(made, [])
        for frame in made.seats[0].log:
            owed = copy.referee.owed
            if frame.kind == ENTRY and owed and owed.message is message and is_decision(owed) is chosen:
                return _Place(made, copy, owed.seat)
            copy.tell(frame)
    raise AssertionError("nobody mixes anything")


def _random_match(number: int, *, proofs: bool) -> Table:
    player = RandomPlayer(random.Random(f"vector mixes {number}"))
    player.swapped = player.bluff = 0

    def decide(session: Session, decision: Decision, _: random.Random) -> Decided:
        if isinstance(decision, Choose):
            return player.choose(session.view.state, decision, session.known)
        return tuple(player.lay(session.view.state, decision))

    return Table(number, game=CONQUEST, options={"rounds": 1}, seats=3, decide=decide, proofs=proofs).play()


def _drawn(place: _Place) -> _Place:
    place.copy.say(place.author, Kind.OFFER_DRAW)
    for seat in (place.other, place.owner):
        place.copy.say(seat, Kind.ACCEPT_DRAW, place.author, 1)
    return place


def _settled(place: _Place) -> _Place:
    """All show what they owe, and one signs the end."""
    for seat in place.copy.referee.unsettled:
        revealed(place.made, seat, place.copy)
    place.copy.say(place.owner, Kind.END, (), "agreed-draw")
    return place


def _hidden() -> Iterator[tuple[str, bytes]]:
    """Of three one has won, and some show nothing: with two left, and with all three."""
    made, gone, winner = _won()
    loser = 3 - gone - winner
    hidden = _withheld(made, [winner]).call_away(loser, winner)
    yield "unresponsive-three-winner-hides", hidden.transcript
    yield "equivocated-three-winner-hides", hidden.tell(hidden.other_version(gone)).transcript
    yield "unresponsive-three-loser-hides", _withheld(made, [loser]).call_away(winner, loser).transcript
    both = _withheld(made, [winner, loser])
    yield "unresponsive-three-both-hide", both.call_away(winner, loser).transcript
    made, winner = _won_by_all()
    loser, other = sorted({0, 1, 2} - {winner})
    others = _withheld(made, [loser, other])
    yield (
        "unresponsive-three-losers-hide",
        others.call_away(winner, loser).call_away(winner, other).transcript,
    )
    hidden = _withheld(made, [winner]).call_away(loser, winner).call_away(other, winner)
    yield "equivocated-three-unrevealed", hidden.tell(hidden.other_version(loser)).transcript


def _match(name: str, number: int) -> Table:
    decide: list[Decide] = [bot(f"vector {name} {number} {seat}") for seat in range(3)]
    return Table(number, game=CONQUEST, options={"rounds": 1}, seats=3, decide=decide)


def _won_by_all() -> tuple[Table, Seat]:
    """A match in which nobody has gone, and who has won."""
    for number in range(100):
        made = _match("withheld by others", number).play()
        end = made.seats[0].session.outcome
        if end is not None and end.reason == "rounds" and len(end.winners) == 1:
            return made, min(end.winners)
    raise AssertionError("nobody wins")


def _won() -> tuple[Table, Seat, Seat]:
    """A match, who has gone, and who has won."""
    for number in range(100):
        made = _match("withheld", number).play(steps=60)
        leaver = made.hold().seats[number % 3].session
        if leaver.over:
            continue
        leaver.resign()
        made.hold().play()
        end = made.seats[number % 3 - 1].session.outcome
        if end is not None and end.reason == "rounds" and len(end.winners) == 1:
            return made, number % 3, min(end.winners)
    raise AssertionError("nobody wins")


def _withheld(made: Table, hiding: Collection[Seat]) -> Copy:
    """A copy in which nobody has signed the end yet, and these have shown nothing."""

    def is_kept(frame: Frame) -> bool:
        if frame.kind != STATEMENT:
            return True
        statement = statements.parse(frame.payload)
        return statement.kind not in _WORDS or (
            statement.kind is Kind.REVEAL and statement.seat not in hiding
        )

    place = next(seat for seat in made.seats if seat.seat in hiding)
    return Copy(made, [frame for frame in place.log if is_kept(frame)])
