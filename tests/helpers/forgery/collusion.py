"""Records that both seats of a match agreed to forge: every one well signed and in its chain.

So what is tried is the meaning of statements, in any number and order: draws, resignations, AWAYs with
receipts, REVEALs and ENDs that cross.  Nobody honest is in such a match, so it makes no promises.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from p2p_stratego.core.game import Seat
from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.errors import Refusal
from protocol.record import receipts, statements
from protocol.record.entries import entry_hash
from protocol.record.referee import Referee
from protocol.record.statements import OUT_OF_TIME, Kind, as_value, parse_record, statement_hash
from protocol.seat import replies
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, STATEMENT, Frame, decode, encode
from tests.helpers.forgery.corpus import Source

KINDS: Final = (
    *(Kind.CHAT, Kind.RESIGN, Kind.OFFER_DRAW, Kind.OFFER_DRAW, Kind.ACCEPT_DRAW, Kind.ACCEPT_DRAW),
    *(Kind.AWAY, Kind.AWAY, Kind.AWAY, Kind.END, Kind.END, Kind.REVEAL, Kind.REVEAL),
)
RECEIPT: Final = b"receipt"
"""Stands in an AWAY of the draft for the true receipt over its count."""


@dataclass
class Item:
    """A record before it is signed: an entry's message, or a statement's count, kind and content."""

    kind: int
    seat: Seat
    value: list[Any]
    astray: bool = False
    """An entry that stands in the place of the one before it; a statement that follows none of its seat."""


class Collusion:
    """Rewrites a copy of a match of two, with the keys of both."""

    def __init__(self, rng: random.Random, source: Source, frames: Sequence[Frame]) -> None:
        self._rng, self._source = rng, source
        self.draft = [_read(frame) for frame in frames]

    def sealed(self, until: int | None = None) -> list[Frame]:
        """The records of the draft, or of its beginning, numbered, chained and signed anew."""
        begun = self._source.begun
        heads, out = [begun.id], list[Frame]()
        statement_heads = [[begun.id] for _ in begun.players]
        for item in self.draft[:until]:
            if item.kind == ENTRY and item.astray:
                number = max(0, len(heads) - 2)
                label, body = labels.SIGN_ENTRY, encode([number, item.seat, heads[number], item.value])
            elif item.kind == ENTRY:
                label, body = labels.SIGN_ENTRY, encode([len(heads) - 1, item.seat, heads[-1], item.value])
                heads.append(entry_hash(body))
            else:
                count = min(item.value[0], len(heads) - 1)
                previous = bytes(32) if item.astray else statement_heads[item.seat][-1]
                fields = [item.seat, len(statement_heads[item.seat]) - 1, previous, count, heads[count]]
                rest = [
                    self._receipt(item, count, heads) if part == RECEIPT else part for part in item.value[1:]
                ]
                label, body = labels.SIGN_STATEMENT, encode([*fields, *rest])
                statement_heads[item.seat].append(statement_hash(body))
            signature = self._source.players[item.seat].identity.sign(label, begun.id + body)
            out.append(Frame(item.kind, body + signature))
        return out

    def _receipt(self, item: Item, count: int, heads: list[bytes]) -> bytes:
        accused = 1 - item.seat
        identity = self._source.players[accused].identity
        return receipts.sign(identity, self._source.begun, accused, count, heads[count])

    def change(self) -> None:
        """Add a statement, mostly; or leave one out, or say it elsewhere; or leave the last entries out."""
        changes = (*[self._say] * 8, *[self._move] * 2, *[self._stop] * 2, self._stray, *[self._agree] * 2)
        self._rng.choice(changes)()

    def _stray(self) -> None:
        """An entry for a place that is taken, or a statement of another history."""
        at = self._rng.randrange(2, len(self.draft) + 1)
        value = self._rng.choice(([15, self._rng.randrange(2), [b"gone"]], [1, "none"], []))
        forged = Item(ENTRY, self._rng.randrange(2), value, astray=True)
        count = sum(item.kind == ENTRY for item in self.draft[:at])
        other = Item(STATEMENT, self._rng.randrange(2), [count, int(Kind.CHAT), "astray"], astray=True)
        self.draft.insert(at, self._rng.choice((forged, other)))

    def _say(self) -> None:
        at = self._rng.randrange(2, len(self.draft) + 1) if self._rng.random() < 0.5 else len(self.draft)
        seat = self._rng.randrange(2)
        count = sum(item.kind == ENTRY for item in self.draft[:at])
        if self._rng.random() < 0.25:
            count = max(0, count - self._rng.randrange(4))
        self.draft.insert(at, Item(STATEMENT, seat, [count, *self._content(seat, at)]))

    def _content(self, seat: Seat, at: int) -> list[Any]:
        rng, kind = self._rng, self._rng.choice(KINDS)
        content: tuple[Any, ...] = ()
        if kind is Kind.CHAT:
            content = ("made up",)
        elif kind is Kind.ACCEPT_DRAW:
            content = self._offer(at)
        elif kind is Kind.AWAY:
            content = (1 - seat, 600, rng.choice((b"", RECEIPT)), *rng.choice(((), (OUT_OF_TIME,))))
            content = content if self._source.begun.clock else content[:3]
        elif kind in (Kind.END, Kind.REVEAL):
            referee = self._judged(at)
            outcome = referee.outcome
            if kind is Kind.END:
                ends = [statements.end_content(outcome) for outcome in referee.endings.possible()]
                ends += [] if outcome is None else [statements.end_content(outcome)] * 2
                made_up = rng.choice([((), "agreed-draw"), ((seat,), "resigned"), ((1 - seat,), "resigned")])
                content = rng.choice([*ends, made_up])
            else:
                content = (0, self._openings(referee, seat))
        return [int(kind), *as_value(content)]

    def _offer(self, at: int) -> tuple[int, int]:
        """Author and index of an offer that stands in the draft, or of none."""
        indices, offers = [0, 0], [(0, 1)]
        for item in self.draft[:at]:
            if item.kind == STATEMENT:
                if item.value[1] == Kind.OFFER_DRAW:
                    offers.append((item.seat, indices[item.seat]))
                indices[item.seat] += 1
        return self._rng.choice(offers[1:] or offers)

    def _agree(self) -> None:
        """A draw, offered and accepted within a few entries, by which it may have lapsed."""
        self._stop()
        at = self._rng.randrange(max(2, len(self.draft) - 6), len(self.draft) + 1)
        offer, answer = ([int(Kind.OFFER_DRAW)], int(Kind.ACCEPT_DRAW))
        seat = self._rng.randrange(2)
        count = sum(item.kind == ENTRY for item in self.draft[:at])
        self.draft.insert(at, Item(STATEMENT, seat, [count, *offer]))
        last = sum(item.kind == ENTRY for item in self.draft) - self._rng.choice((0, 0, 1, 2))
        acceptance = [max(0, last), answer, *self._offer(len(self.draft))]
        self.draft.append(Item(STATEMENT, self._rng.choice((seat, 1 - seat, 1 - seat)), acceptance))

    def _openings(self, referee: Referee, seat: Seat) -> Any:
        player = self._source.players[seat]
        due = referee.table.ledger.due(seat, referee.count)
        if due and all(slot in player.known for slot in due):
            return replies.openings(player.secrets, referee, seat, player.known)
        return ((1, bytes(32)),)

    def _judged(self, at: int) -> Referee:
        referee = Referee(self._source.begun)
        for frame in self.sealed(at):
            try:
                referee.admit(parse_record(frame))
            except Refusal:
                break
        return referee

    def _move(self) -> None:
        places = [at for at, item in enumerate(self.draft) if item.kind == STATEMENT and at > 1]
        if places:
            item = self.draft.pop(self._rng.choice(places))
            if self._rng.random() < 0.7:
                self.draft.insert(self._rng.randrange(2, len(self.draft) + 1), item)

    def _stop(self) -> None:
        """No entry behind a place, and few statements."""
        at = self._rng.randrange(2, len(self.draft) + 1)
        behind = [item for item in self.draft[at:] if item.kind == STATEMENT and self._rng.random() < 0.5]
        self.draft[at:] = behind


def _read(frame: Frame) -> Item:
    value: Any = decode(frame.payload[:-SIGNATURE_BYTES])
    if frame.kind == ENTRY:
        return Item(ENTRY, value[1], value[3])
    return Item(STATEMENT, value[0], [value[3], *value[5:]])
