"""The referee: one gate through which every entry and statement passes, ours like theirs.

It keeps the chain and the match it spells out, knows only what is public, and either admits a record whole
or raises a Refusal and stays as it was.  Blame (Violation, Equivocation) is raised only for bytes whose
signature by the accused has been verified.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from p2p_stratego.table import Breach, Outcome, Seat
from protocol import labels, statements
from protocol.commitment import Hiding, SaltedHash
from protocol.encoding import Value, decode, encode, tagged
from protocol.errors import Equivocation, Forged, Malformed, Misplaced, Violation
from protocol.genesis import Genesis
from protocol.keys import SIGNATURE_BYTES, verify
from protocol.match import Broken, Owed, Table, play, turn_up
from protocol.messages import Choice, Commitments, HiddenChoice, Message, parse, wire
from protocol.statements import MAX_STATEMENTS, Kind, Statement

MAX_ENTRY: Final = 16 * 1024
"""Bytes of an entry: 256 commitments and their frame fit in 9 KiB."""
_DECISIONS: Final = (Choice, HiddenChoice, Commitments)

entry_hash = tagged(labels.ENTRY)


class Duplicate(Misplaced):
    """Exactly this record stands here already: a repetition after a reconnect, no harm done."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One link of the chain: its number, whose it is, the head it follows (32 bytes), and its message."""

    number: int
    seat: Seat
    previous: bytes
    message: Value
    payload: bytes

    @property
    def body(self) -> bytes:
        """The bytes that were signed, without label and game id; their hash is the new head."""
        return self.payload[:-SIGNATURE_BYTES]


def parse_entry(payload: bytes) -> Entry:
    """Read an entry's envelope; neither signature nor message is checked here.  Raises Malformed."""
    if not SIGNATURE_BYTES < len(payload) <= MAX_ENTRY:
        raise Malformed("An entry is too short to be signed, or over 16 KiB.")
    value = decode(payload[:-SIGNATURE_BYTES])
    if type(value) is not list or len(value) != 4:
        raise Malformed("An entry is not a number, a seat, a head and a message.")
    number, seat, previous, message = value
    if type(number) is not int or type(seat) is not int:
        raise Malformed("An entry has no number or no seat.")
    if type(previous) is not bytes or len(previous) != 32:
        raise Malformed("An entry names no head.")
    return Entry(number, seat, previous, message, payload)


class Referee:
    """A match as far as its admitted records tell."""

    def __init__(self, genesis: Genesis, hiding: Hiding | None = None) -> None:
        self.genesis = genesis
        self.table = Table(genesis, hiding or SaltedHash())
        self.entries: list[Entry] = []
        self.heads: list[bytes] = [genesis.id]
        """heads[n]: the head after n entries, 32 bytes."""
        self.statements: tuple[list[Statement], ...] = tuple([] for _ in genesis.players)
        self.decided_at: tuple[list[int], ...] = tuple([] for _ in genesis.players)
        """The numbers of each seat's entries that were decisions of a player."""
        self.ended_by_rules: Outcome | None = None
        self._ended_by_statement: Outcome | None = None
        self._said_away: Outcome | None = None
        self._owed: list[Owed | None] = []
        self._script = play(self.table)
        self._owed.append(next(self._script))

    @property
    def count(self) -> int:
        """Entries admitted."""
        return len(self.entries)

    @property
    def head(self) -> bytes:
        """The hash of the whole chain so far, 32 bytes."""
        return self.heads[-1]

    @property
    def owed(self) -> Owed | None:
        """What the rules wait for; None when they have ended the game."""
        return self._owed[-1]

    @property
    def agreed(self) -> bool:
        """Whether every seat has signed its consent to the genesis; no entry is due before."""
        return all(self.statements)

    @property
    def provisional(self) -> Outcome | None:
        """How play ended, by the rules or an agreed draw or a resignation, with claims perhaps unsettled."""
        return self.ended_by_rules or self._ended_by_statement

    @property
    def unsettled(self) -> tuple[Seat, ...]:
        """The seats that owe a REVEAL: play has ended, and claims of theirs speak of slots still closed."""
        if self.provisional is None or not self.table.ledger.claims:
            return ()
        seats = range(len(self.genesis.players))
        return tuple(seat for seat in seats if self.table.ledger.unsettled(seat, self.count))

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, all claims settled; or that a seat is said to be away; or None."""
        provisional = self.provisional
        broken = None if provisional is None else self.table.ledger.broken(self.table.faces)
        if broken is not None and not (provisional and provisional.breach):
            others = frozenset(range(len(self.genesis.players))) - {broken.seat}
            return Outcome(others, "cheated", Breach(broken.seat, broken.rule))
        if provisional is not None and not self.unsettled:
            return provisional
        return self._said_away

    def entry_body(self, message: Message) -> bytes:
        """The bytes that the seat which owes must sign to say `message` now."""
        owed = self.owed
        if owed is None:
            raise RuntimeError("nobody owes an entry")
        return encode((self.count, owed.seat, self.head, wire(message)))

    def admit_entry(self, payload: bytes, *, verified: bool = False) -> Entry:
        """Admit the next entry.

        `verified`: the caller vouches for the signature, because an END by every seat endorses the head.
        Raises Malformed, Forged, Duplicate, Misplaced, Violation or Equivocation.
        """
        entry = parse_entry(payload)
        number, seat = entry.number, entry.seat
        if not verified:
            self._check_signature(seat, labels.SIGN_ENTRY, entry.body, payload)
        if number < self.count:
            self._refuse_old(entry)
        if number > self.count or entry.previous != self.head:
            raise Misplaced(
                f"Entry {number} does not follow from entry {self.count - 1} as it is known here."
            )
        message = self._expected(entry)
        self.table.number = number
        try:
            owed: Owed | None = self._script.send(message)
        except Broken as broken:
            raise Violation(seat, "entry", number, broken.rule) from broken
        except StopIteration as stop:
            owed, self.ended_by_rules = None, stop.value
        self.entries.append(entry)
        self.heads.append(entry_hash(entry.body))
        self._owed.append(owed)
        if type(message) in _DECISIONS:
            self.decided_at[seat].append(number)
        return entry

    def admit_statement(self, payload: bytes) -> Statement:
        """Admit a statement.  Raises as admit_entry does."""
        statement = self._signed_statement(payload)
        seat = statement.seat
        known = self.statements[seat]
        if statement.index < len(known):
            earlier = known[statement.index]
            if earlier.body == statement.body:
                raise Duplicate("This statement is known already.")
            raise Equivocation(seat, "statement", statement.index, (earlier.payload, payload))
        if statement.index != len(known) or len(known) >= MAX_STATEMENTS:
            raise Misplaced(f"A statement of seat {seat} is missing before this one, or there are too many.")
        if statement.kind is Kind.REVEAL and self.provisional is None:
            raise Misplaced("A REVEAL settles claims of a match that has not ended here.")
        self._check_statement(statement)
        known.append(statement)
        self._conclude()
        return statement

    def judge_statement(self, payload: bytes) -> None:
        """Raise what admit_statement would for this statement alone, whatever its seat has said before."""
        self._check_statement(self._signed_statement(payload))

    def _signed_statement(self, payload: bytes) -> Statement:
        statement = statements.parse(payload)
        self._check_signature(statement.seat, labels.SIGN_STATEMENT, statement.body, payload)
        return statement

    def _check_signature(self, seat: Seat, label: bytes, body: bytes, payload: bytes) -> None:
        if seat >= len(self.genesis.players):
            raise Malformed("There is no such seat in this match.")
        key = self.genesis.players[seat].key
        if not verify(key, label, self.genesis.id + body, payload[-SIGNATURE_BYTES:]):
            raise Forged(f"A signature of seat {seat} does not verify: anybody could have written this.")

    def _refuse_old(self, entry: Entry) -> None:
        """An entry for a place that is taken: a repetition, an equivocation, or an entry out of turn."""
        number, seat = entry.number, entry.seat
        earlier = self.entries[number]
        if earlier.body == entry.body:
            raise Duplicate(f"Entry {number} is known already.")
        if earlier.seat == seat:
            raise Equivocation(seat, "entry", number, (earlier.payload, entry.payload))
        if entry.previous == self.heads[number]:
            raise Violation(seat, "entry", number, "out-of-turn")
        raise Misplaced(f"Entry {number} belongs to another chain than the one known here.")

    def _expected(self, entry: Entry) -> Message:
        """The message of an entry that stands at the head, if it is what its seat owes."""
        owed = self.owed
        if owed is None:
            raise Violation(entry.seat, "entry", entry.number, "after-the-end")
        if owed.seat != entry.seat:
            raise Violation(entry.seat, "entry", entry.number, "out-of-turn")
        try:
            message = parse(entry.message)
        except Malformed as error:
            raise Violation(entry.seat, "entry", entry.number, "not-a-message") from error
        if type(message) is not owed.message:
            raise Violation(entry.seat, "entry", entry.number, "wrong-message")
        return message

    def _check_statement(self, statement: Statement) -> None:
        seat, count = statement.seat, statement.count
        if count > self.count or statement.head != self.heads[count]:
            raise Misplaced("A statement stands over a head that is not known here.")
        if (statement.index == 0) != (statement.kind is Kind.AGREE):
            raise Violation(seat, "statement", count, "no-consent-first")
        if statement.kind is Kind.AWAY and not self._owes(statement.content[0], count, but=seat):
            raise Violation(seat, "statement", count, "false-away")
        if statement.kind is Kind.REVEAL:
            self._reveal(statement)
        if statement.kind is Kind.END and (
            count != self.count
            or self.unsettled
            or self.outcome is None
            or statement.content != statements.end_content(self.outcome)
        ):
            if self._owed[count] is None and not self.unsettled:
                raise Violation(seat, "statement", count, "false-end")
            raise Misplaced("An END speaks of an end that is not known here.")

    def _owes(self, accused: Seat, count: int, *, but: Seat) -> bool:
        """Whether `accused`, not `but`, owed an entry over `count` entries, or a REVEAL after the last."""
        owed = self._owed[count]
        if accused == but or accused >= len(self.genesis.players):
            return False
        if owed is not None and owed.seat == accused:
            return True
        return self.provisional is not None and bool(self.table.ledger.unsettled(accused, count))

    def _reveal(self, statement: Statement) -> None:
        """Open what `statement.seat` has to reveal over that many entries; all of it, in the slots' order."""
        seat, count, openings = statement.seat, statement.count, statement.content[0]
        slots = self.table.ledger.unsettled(seat, count)
        if len(openings) != len(slots):
            raise Violation(seat, "statement", count, "wrong-count")
        before = dict(self.table.faces), dict(self.table.ledger.opened_at)
        try:
            for slot, opening in zip(slots, openings, strict=True):
                turn_up(self.table, slot, opening, count - 1)
        except Broken as broken:
            self.table.faces, self.table.ledger.opened_at = before
            raise Violation(seat, "statement", count, broken.rule) from broken

    def _conclude(self) -> None:
        """What statements make of the match; what the rules give goes before.

        The same for all who hold the same records, in whatever order they came: an agreed draw, else the
        resignation over the shortest chain (of the lowest seat, if equal); besides, the first claim of that
        kind that a seat does not answer.
        """
        everything = [s for known in self.statements for s in known]
        first: dict[Kind, Statement] = {}
        for statement in sorted(everything, key=lambda s: (s.count, s.seat), reverse=True):
            first[statement.kind] = statement
        seats = len(self.genesis.players)
        if self._draw_agreed(everything):
            self._ended_by_statement = Outcome(frozenset(), "agreed-draw")
        elif Kind.RESIGN in first:
            self._ended_by_statement = self.genesis.game.resigned(first[Kind.RESIGN].seat, seats)
        if Kind.AWAY in first:
            others = frozenset(range(seats)) - {first[Kind.AWAY].content[0]}
            self._said_away = Outcome(others, "unresponsive")

    def _draw_agreed(self, everything: list[Statement]) -> bool:
        """Whether all other seats have accepted one offer before deciding anything else after it."""
        others = len(self.genesis.players) - 1
        return any(
            len({s.seat for s in everything if self._accepts(s, offer)}) == others
            for offer in everything
            if offer.kind is Kind.OFFER_DRAW
        )

    def _accepts(self, statement: Statement, offer: Statement) -> bool:
        return (
            statement.kind is Kind.ACCEPT_DRAW
            and statement.seat != offer.seat
            and statement.content == (offer.seat, offer.index)
            and not self.moved_between(statement.seat, offer.count, statement.count)
        )

    def moved_between(self, seat: Seat, start: int, stop: int) -> bool:
        """Whether `seat` decided anything in the entries from `start` to before `stop`: then an offer
        lapsed.
        """
        return any(start <= number < stop for number in self.decided_at[seat])
