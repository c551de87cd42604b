"""What forging seats sign: with keys of their own, over what they see in the copies of honest seats.

They know every honest copy, act together, and sign in any order and as often as they like.  Each keeps one
log of statements, as two would convict it at once; Plan.equivocates has it sign another version all the same.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType, SimpleNamespace
from typing import Any, Final, cast

from p2p_stratego.core.view import View
from protocol.channel.channel import receipt_frame
from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.errors import Malformed
from protocol.record import receipts, statements
from protocol.record.asks.base import Decided
from protocol.record.asks.registry import CODEC
from protocol.record.asks.takeback import TakeBack
from protocol.record.referee import Referee
from protocol.record.silence import rules
from protocol.record.silence.gone import Gone
from protocol.record.silence.rules import ChainPlace
from protocol.record.statements import Content, Kind, Statement, end_content, statement_hash
from protocol.replication.holdings import Counts, Have
from protocol.seat import replies
from protocol.seat.faces import Faces
from protocol.seat.secrets import MatchSecrets
from protocol.seat.session import Session
from protocol.seat.talk import Talk
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, STATEMENT, Frame, encode
from tests.campaigns.explore.world import World
from tests.helpers.games.players import honest as honest_decision

RECENT: Final = 5
"""Entries from the end of a copy that are of interest."""
_LAST_WORDS: Final = (Kind.RESIGN, Kind.END, Kind.REVEAL, Kind.ACCEPT_DRAW)
_LIKELY: Final = (
    *(Kind.CHAT, Kind.RESIGN, Kind.OFFER_DRAW, Kind.ACCEPT_DRAW),
    *(Kind.AWAY, Kind.AWAY, Kind.AWAY, Kind.AWAY),
    *(Kind.BACK, Kind.BACK, Kind.END, Kind.REVEAL, Kind.COMPLAIN),
)


class Hand:
    """One forging seat: its secrets, what it has decided, and all that it ever signed."""

    def __init__(self, world: World, seat: int) -> None:
        self.seat = seat
        self._world, self._match = world, world.match
        self._identity = world.owners[seat].identity
        self.secrets: MatchSecrets = world.secrets[seat]
        self.log: list[Frame] = []
        """Its statements, as they follow on each other."""
        self.count = 0
        """The highest count in them."""
        self.over = False
        """Whether a last word is among them."""
        self.sides: dict[int, Kind] = {}
        """By place: whether it has first called the owner away there, or said BACK."""
        self.pool: list[Frame] = []
        """All records that it has signed."""
        self.entries: dict[bytes, Frame] = {}
        """Its entry behind each head."""
        self._head = self._match.id
        self._faces: dict[int, tuple[Referee, Faces]] = {}

    def faces(self, copy: int) -> Faces:
        """What it knows of hidden slots, by the record in an honest copy."""
        referee = self._world.referee(copy)
        known = self._faces.get(copy)
        if known is None or known[0] is not referee:
            known = self._faces[copy] = referee, Faces(referee, self.seat, self.secrets)
        return known[1]

    def statement(self, referee: Referee, kind: Kind, content: Content, count: int) -> Frame | None:
        """Its next statement, over so many entries of a record; None if it has gone further."""
        count = max(count, self.count)
        if count > referee.count:
            return None
        after = len(self.log), self._head
        body = statements.body(self.seat, after, (count, referee.heads[count]), kind, content)
        frame = self._signed(STATEMENT, body)
        if frame is not None:
            self.pool.append(frame)
            self.log.append(frame)
            self._head, self.count = statement_hash(body), count
            self.over = self.over or kind in _LAST_WORDS
            if kind in (Kind.AWAY, Kind.BACK):
                self.sides.setdefault(count if kind is Kind.AWAY else content[0], kind)
        return frame

    def beside(self, referee: Referee, kind: Kind, content: Content, count: int) -> Frame | None:
        """A statement that stands in no log: of use within a Gone, and elsewhere a second version."""
        after = len(referee.statements[self.seat]), referee.statement_heads[self.seat][-1]
        return self._signed(
            STATEMENT, statements.body(self.seat, after, (count, referee.heads[count]), kind, content)
        )

    def entry(self, number: int, head: bytes, message: Any, release: Sequence[bytes] = ()) -> Frame | None:
        """An entry at this place, with any message."""
        fields = (number, self.seat, head, message, *([tuple(release)] if release else []))
        frame = self._signed(ENTRY, encode(fields))
        self.pool += [] if frame is None else [frame]
        return frame

    def receipt(self, referee: Referee) -> Frame:
        """Its receipt for all entries of that record."""
        signed = receipts.sign(self._identity, self._match, self.seat, referee.count, referee.head)
        return receipt_frame(self._match.id, self.seat, referee.count, signed)

    def _signed(self, kind: int, body: bytes) -> Frame | None:
        label = labels.SIGN_ENTRY if kind == ENTRY else labels.SIGN_STATEMENT
        frame = Frame(kind, body + self._identity.sign(label, self._match.id + body))
        if kind == STATEMENT and parsed(frame) is None:
            return None  # mutations.py sends what has no form
        return frame


class Forger:
    """All forging seats of a table."""

    def __init__(self, world: World) -> None:
        self.world, self.plan = world, world.plan
        self.hands = {seat: Hand(world, seat) for seat in world.plan.forging}
        for hand in self.hands.values():
            for copy in world.plan.honest:
                world.join(copy, hand.seat)
            referee = world.referee(world.plan.honest[0])
            statement = hand.statement(referee, Kind.AGREE, Talk(referee, hand.seat, hand.secrets).key, 0)
            for copy in world.plan.honest:
                world.give(hand.seat, copy, [statement] if statement else [])

    # What they see

    def owner(self, referee: Referee, number: int) -> int | None:
        """Who owes the entry with this number in a record, or owed it."""
        return referee.owing[number] if number < len(referee.owing) else None

    def place(self, referee: Referee, number: int) -> ChainPlace | None:
        """The place of an entry that a Gone could take."""
        if self.owner(referee, number) is None:
            return None
        place = referee.absences.place(number)
        return place if place.many else None

    def recent(self, referee: Referee, rng: random.Random) -> int:
        """The end of a record, or a place a little before it."""
        return referee.count if rng.random() < 0.5 else max(0, referee.count - rng.randrange(RECENT))

    def proves_both_ways(self, referee: Referee, number: int) -> bool:
        """Whether a Gone there would only convict its authors: the owner's record is built on."""
        if number >= referee.count:
            return False
        absences = referee.absences
        return (
            not absences.stands(number) or absences.built(number) is not None or bool(absences.backs(number))
        )

    def shown_statements(self) -> list[Statement]:
        """All statements that anybody has signed and shown to anybody, of every version."""
        own = [
            parsed(frame) for hand in self.hands.values() for frame in hand.pool if frame.kind == STATEMENT
        ]
        return [*self.world.shown_statements, *(statement for statement in own if statement is not None)]

    # Entries

    def reply(self, hand: Hand, copy: int, rng: random.Random) -> Frame | None:
        """The entry that a forging seat owes in an honest copy."""
        referee = self.world.referee(copy)
        owed = referee.owed
        if owed is None or owed.seat != hand.seat or not referee.agreed:
            return None
        anew = rng.random() < self.plan.equivocates
        if hand.over and self.plan.careful and rng.random() < 0.95:
            return None
        if referee.head in hand.entries and not anew:
            return hand.entries[referee.head]
        faces = hand.faces(copy)
        self._decide(hand, copy, faces, rng, anew=anew)
        try:
            message = replies.reply(hand.secrets, referee, owed, faces.own)
        except KeyError:
            return None  # a seat of two minds has lost count of what it laid
        if message is None:
            return None
        frame = hand.entry(
            referee.count, referee.head, CODEC.value(message), self._release(hand, referee, rng)
        )
        return None if frame is None else hand.entries.setdefault(referee.head, frame)

    def takes_back(self, hand: Hand, copy: int) -> Frame | None:
        """A TakeBack of the last decision that it may take back, where it owes another in an honest copy."""
        referee = self.world.referee(copy)
        number = referee.takeable(hand.seat)
        if number is None or referee.head in hand.entries or not referee.agreed or hand.over:
            return None
        frame = hand.entry(referee.count, referee.head, CODEC.value(TakeBack(number)))
        return None if frame is None else hand.entries.setdefault(referee.head, frame)

    def _decide(self, hand: Hand, copy: int, faces: Faces, rng: random.Random, *, anew: bool) -> None:
        referee = self.world.referee(copy)
        table, owed = referee.table, referee.owed
        part = None if owed is None else next(iter(faces.parts(owed.ask)), None)
        if part is None or (table.serial in hand.secrets.decided and not anew):
            return
        since = tuple((step.ask, step.answer) for step in table.since)
        view = View(hand.seat, table.state, faces.known, part, since)
        seen = SimpleNamespace(genesis=self.world.match, referee=referee, view=view)
        decided: Decided = honest_decision(cast("Session", seen), part, rng)
        hand.secrets.decided[table.serial] = decided

    def _release(self, hand: Hand, referee: Referee, rng: random.Random) -> Sequence[bytes]:
        due: Sequence[bytes] = ()
        with suppress(ValueError):  # nobody has said the BACK that it would need
            due = referee.absences.release(hand.seat)
        if due and rng.random() < (0.9 if self.plan.careful else 0.5):
            return due
        if rng.random() < 0.85:
            return ()
        number = rng.choice(referee.absences.open or [max(0, referee.count - 1)])
        backs = [s.payload for s in self.shown_statements() if s.kind is Kind.BACK and s.content[0] == number]
        return rng.sample(backs, min(len(backs), 2))

    def gone(self, hand: Hand, copy: int, rng: random.Random, number: int | None = None) -> Frame | None:
        """A Gone of the owner of a recent place, with all AWAYs that can be had."""
        referee = self.world.referee(copy)
        number = self.recent(referee, rng) if number is None else number
        place = self.place(referee, number)
        bold = 0.0 if self.plan.careful else 0.03
        if place is not None and self.plan.careful and self.proves_both_ways(referee, number):
            return None
        if place is None or (place.decider != hand.seat and rng.random() >= bold):
            return None
        aways = self.aways(referee, number, place)
        got = [aways[seat] for seat in sorted(place.accusers) if seat in aways]
        if not got or (len(got) < len(place.accusers) and rng.random() >= bold):
            return None
        value = CODEC.value(Gone(place.owner, tuple(got)))
        return hand.entry(number, referee.heads[number], value)

    def aways(self, referee: Referee, number: int, place: ChainPlace) -> dict[int, bytes]:
        """The AWAYs against the owner of a place, by seat; forging seats sign theirs for it."""
        aways: dict[int, bytes] = {}
        for statement in self.shown_statements():
            over = (statement.count, statement.head) == (number, referee.heads[number])
            if over and statement.kind is Kind.AWAY and statement.content[0] == place.owner:
                aways.setdefault(statement.seat, statement.payload)
        for seat in place.accusers & self.hands.keys() - aways.keys():
            frame = self.hands[seat].beside(referee, Kind.AWAY, (place.owner, 5, b""), number)
            if frame is not None:
                aways[seat] = frame.payload
        return aways

    # Statements

    def says(self, hand: Hand, copy: int, rng: random.Random) -> Frame | None:
        """Any statement that it may make, or nearly any."""
        referee = self.world.referee(copy)
        kind = rng.choice(_LIKELY)
        count = referee.count
        if rng.random() < 0.3 and not (self.plan.careful and kind in _LAST_WORDS):
            count = max(hand.count, referee.count - rng.randrange(RECENT))
        if count > referee.count:
            return None
        content = _CONTENTS[kind](self, hand, copy, count, rng) if kind in _CONTENTS else ()
        if content is None:
            return None
        if rng.random() < self.plan.equivocates:
            second = hand.beside(referee, kind, content, count)
            hand.pool += [] if second is None else [second]
            return second
        return hand.statement(referee, kind, content, count)

    def resign(self, hand: Hand, copy: int, count: int, rng: random.Random) -> Content | None:
        """The content of a RESIGN."""
        referee = self.world.referee(copy)
        return replies.key_to_give(hand.secrets, referee, hand.seat) if rng.random() < 0.3 else None

    def accepts(self, hand: Hand, copy: int, count: int, rng: random.Random) -> Content | None:
        """The content of an ACCEPT_DRAW."""
        known = self.world.referee(copy).statements
        offers = [
            (seat, s.index)
            for seat, of_seat in enumerate(known)
            for s in of_seat
            if s.kind is Kind.OFFER_DRAW
        ]
        return rng.choice(offers or [(hand.seat, 1)])

    def calls_away(self, hand: Hand, copy: int, count: int, rng: random.Random) -> Content | None:
        """The content of an AWAY."""
        referee = self.world.referee(copy)
        owner, place = self.owner(referee, count), self.place(referee, count)
        accused = owner if owner is not None and rng.random() < 0.8 else rng.randrange(self.plan.seats)
        if place is not None and rng.random() < 0.3:
            accused = place.decider
        if accused == hand.seat and (self.plan.careful or rng.random() < 0.98):
            return None
        if self.plan.careful and not self._may_call(hand, referee, count, accused):
            return None
        if self.plan.careful and hand.sides.get(count) is Kind.BACK and rng.random() < 0.9:
            return None
        timed = owner == accused and self.plan.control is not None and rng.random() < 0.5
        return (accused, rng.randrange(9), b"", *([statements.OUT_OF_TIME] if timed else []))

    def _may_call(self, hand: Hand, referee: Referee, count: int, accused: int) -> bool:
        owner = self.owner(referee, count)
        if owner is None:
            return bool(referee.table.ledger.due(accused, count))
        place = referee.absences.place(count)
        return accused == owner or rules.may_accuse(place, hand.seat, accused)

    def says_back(self, hand: Hand, copy: int, count: int, rng: random.Random) -> Content | None:
        """The content of a BACK; with a release, where the protocol knows one."""
        referee = self.world.referee(copy)
        if not count:
            return None
        number = rng.randrange(max(0, count - RECENT - 1), count)
        if referee.absences.open and rng.random() < 0.5:
            number = rng.choice(referee.absences.open)
        if self.plan.careful:
            place = self.place(referee, number)
            if place is None or hand.seat == place.owner or not referee.absences.stands(number):
                return None
            if hand.sides.get(number) is Kind.AWAY and rng.random() < 0.9:
                return None
        backs = [s.payload for s in self.shown_statements() if s.kind is Kind.BACK and s.content[0] == number]
        released = (number, rng.choice(backs)) if backs and rng.random() < 0.3 else None
        if released is not None and _has_form(Kind.BACK, released):
            return released
        return (number,)

    def ends(self, hand: Hand, copy: int, count: int, rng: random.Random) -> Content | None:
        """The content of an END."""
        referee = self.world.referee(copy)
        if referee.outcome is None:
            return None
        if rng.random() < (0.98 if self.plan.careful else 0.8):
            return end_content(referee.outcome)
        ruled = referee.ended_by_rules
        winners = tuple(sorted(ruled.winners)) if ruled else ()
        return rng.choice((((), "agreed-draw"), (winners, "unrevealed")))

    def reveals(self, hand: Hand, copy: int, count: int, rng: random.Random) -> Content | None:
        """The content of a REVEAL."""
        referee = self.world.referee(copy)
        parts = replies.parts(referee, hand.seat) if hand.seat in referee.unsettled else []
        if not parts:
            return None
        try:
            own = hand.faces(copy).own
            return parts[0], replies.openings(hand.secrets, referee, hand.seat, own, parts[0])
        except KeyError:
            return None

    def complains(self, hand: Hand, copy: int, count: int, rng: random.Random) -> Content | None:
        """The content of a COMPLAIN, a false one."""
        looks = list(self.world.referee(copy).table.looks)
        return None if self.plan.careful or not looks else (rng.choice(looks), rng.randbytes(32))

    # Words beside the record

    def have(self, copy: int, rng: random.Random) -> Frame:
        """A HAVE that may lie in every field."""
        referee, seats = self.world.referee(copy), self.plan.seats
        counts = [len(known) + rng.randrange(2) for known in referee.statements]
        hops = tuple(rng.randrange(seats + 1) for _ in range(seats))
        wanted = tuple(seat for seat in range(seats) if rng.random() < 0.5)
        return Have(Counts(referee.count + rng.randrange(3), counts), referee.count, hops, wanted).frame


_CONTENTS: Final[Mapping[Kind, Callable[[Forger, Hand, int, int, random.Random], Content | None]]] = (
    MappingProxyType(
        {
            Kind.CHAT: lambda *_: ("x",),
            Kind.RESIGN: Forger.resign,
            Kind.ACCEPT_DRAW: Forger.accepts,
            Kind.AWAY: Forger.calls_away,
            Kind.BACK: Forger.says_back,
            Kind.END: Forger.ends,
            Kind.REVEAL: Forger.reveals,
            Kind.COMPLAIN: Forger.complains,
        }
    )
)


def parsed(frame: Frame) -> Statement | None:
    """The statement in a frame; None if it has no form."""
    try:
        return statements.parse(frame.payload)
    except Malformed:
        return None


def _has_form(kind: Kind, content: Content) -> bool:
    body = statements.body(0, (1, bytes(32)), (1, bytes(32)), kind, content)
    return parsed(Frame(STATEMENT, body + bytes(SIGNATURE_BYTES))) is not None
