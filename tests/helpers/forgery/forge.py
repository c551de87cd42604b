"""The forgeries of a player with its own key: any record that it may sign, well formed.

Its records are numbered, chained and signed anew after each change, so only their content can be refused.
Records of other seats stay untouched; those that no longer follow can be left out.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from p2p_stratego.core.game import Seat
from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.errors import Refusal
from protocol.record.asks.open import Opening
from protocol.record.entries import entry_hash
from protocol.record.referee import Referee
from protocol.record.statements import OUT_OF_TIME, Kind, as_value, parse_record, statement_hash
from protocol.seat import replies
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, STATEMENT, Frame, decode, encode
from tests.helpers.forgery.corpus import Player, Source

REASONS: Final = (
    *("resigned", "agreed-draw", "unresponsive", "cheated", "draw"),
    *("points", "flag", "territory", "no-moves", "quiet-draw"),
)


@dataclass
class Own:
    """A record of the forger's own: an entry's message, or a statement's count, kind and content."""

    kind: int
    value: list[Any]


Item: TypeAlias = Frame | Own
Draft: TypeAlias = list[Item]


class Forger:
    """Rewrites a copy, `frames`, as one seat; all of it whole records."""

    def __init__(self, rng: random.Random, source: Source, seat: Seat, frames: Sequence[Frame]) -> None:
        self._rng, self._source, self._seat = rng, source, seat
        self._player: Player = source.players[seat]
        self.draft: Draft = [self._read(frame) for frame in frames]

    def _read(self, frame: Frame) -> Item:
        value: Any = decode(frame.payload[:-SIGNATURE_BYTES])
        if frame.kind == ENTRY and value[1] == self._seat:
            return Own(ENTRY, value[3])
        if frame.kind == STATEMENT and value[0] == self._seat:
            return Own(STATEMENT, [value[3], *value[5:]])
        return frame

    def sealed(self, *, consistent: bool) -> list[Frame]:
        """The records of the draft; `consistent`: without those of others that no longer follow."""
        heads, statement_heads, out = [self._source.begun.id], [self._source.begun.id], list[Frame]()
        for item in self.draft:
            if isinstance(item, Own):
                frame = self._signed(item, heads, statement_heads)
                if frame.kind == STATEMENT:
                    statement_heads.append(statement_hash(frame.payload[:-SIGNATURE_BYTES]))
            elif consistent and not _follows(item, heads):
                continue
            else:
                frame = item
            if frame.kind == ENTRY:
                heads.append(entry_hash(frame.payload[:-SIGNATURE_BYTES]))
            out.append(frame)
        return out

    def _signed(self, own: Own, heads: list[bytes], statement_heads: list[bytes]) -> Frame:
        if own.kind == ENTRY:
            label, body = labels.SIGN_ENTRY, encode([len(heads) - 1, self._seat, heads[-1], own.value])
        else:
            count, *rest = own.value
            head = heads[min(count, len(heads) - 1)]
            place = [self._seat, len(statement_heads) - 1, statement_heads[-1]]
            label, body = labels.SIGN_STATEMENT, encode([*place, count, head, *rest])
        return Frame(own.kind, body + self._player.identity.sign(label, self._source.begun.id + body))

    # Changes

    def change(self) -> str:
        """Make one random change of the draft; return its name."""
        change = self._rng.choice(CHANGES)
        change(self)
        return change.__name__

    def _owns(self, kind: int) -> list[int]:
        return [at for at, item in enumerate(self.draft) if isinstance(item, Own) and item.kind == kind]

    def _count(self, at: int) -> int:
        """The entries before this place of the draft."""
        return sum(item.kind == ENTRY for item in self.draft[:at])

    def redated(self) -> None:
        """A statement over fewer or later entries, moved to their place."""
        if own := self._owns(STATEMENT):
            at = self._rng.choice(own)
            item = self.draft.pop(at)
            assert isinstance(item, Own)
            to = self._rng.randrange(len(self.draft) + 1)
            anywhere = self._rng.randrange(len(self.draft) + 1)
            item.value[0] = self._count(to) if self._rng.random() < 0.6 else anywhere
            self.draft.insert(at if self._rng.random() < 0.3 else to, item)

    def reworded(self) -> None:
        """A statement with another content."""
        if own := self._owns(STATEMENT)[1:]:
            item = self.draft[self._rng.choice(own)]
            assert isinstance(item, Own)
            item.value[1:] = self._said()

    def said_more(self) -> None:
        """One more statement, in the middle or at the end."""
        at = len(self.draft) if self._rng.random() < 0.5 else self._rng.randrange(len(self.draft) + 1)
        count = self._count(at)
        if self._rng.random() < 0.3:
            count = self._rng.randrange(count + 1)
        self.draft.insert(at, Own(STATEMENT, [count, *self._said(at)]))

    def unsaid(self) -> None:
        """One statement fewer."""
        if own := self._owns(STATEMENT)[1:]:
            self.draft.pop(self._rng.choice(own))

    def done_otherwise(self) -> None:
        """An entry with another move, digest, face or salt, from the same match or random."""
        if own := self._owns(ENTRY):
            item = self.draft[self._rng.choice(own)]
            assert isinstance(item, Own)
            field = self._rng.randrange(1, len(item.value))
            item.value = [*item.value]
            item.value[field] = self._other(item.value[field], item.value[0], field)

    def cut(self) -> None:
        """Without the records after a place, or without those of others after it."""
        at = self._rng.randrange(len(self.draft) + 1)
        kept = [item for item in self.draft[at:] if isinstance(item, Own)] if self._rng.random() < 0.4 else []
        self.draft = [*self.draft[:at], *kept]

    def _other(self, value: Any, tag: int, field: int) -> Any:
        """Another value of the same type: one that stands in such a place elsewhere, or a new one."""
        elsewhere = [
            message[field]
            for message in self._messages()
            if message[0] == tag and len(message) > field and message[field] != value
        ]
        if elsewhere and self._rng.random() < 0.7:
            return self._rng.choice(elsewhere)
        if isinstance(value, int):
            return (value + self._rng.choice((1, 2, 5))) % 13
        if isinstance(value, bytes):
            return self._rng.randbytes(32)
        if isinstance(value, list):
            return [*value[:-1], self._rng.randbytes(32)]
        return self._rng.choice(("none", "left", "high", "guess 1", "captain 8", value[2:] + value[:2]))

    def _messages(self) -> list[Any]:
        """Every message of the match, the forger's as they are now."""
        return [
            item.value if isinstance(item, Own) else _value(item)[3]
            for item in self.draft
            if item.kind == ENTRY
        ]

    def _said(self, at: int | None = None) -> list[Any]:
        """Kind and content of a statement."""
        rng, seats = self._rng, len(self._source.players)
        kind = rng.choice((*Kind, Kind.RESIGN, Kind.AWAY, Kind.END, Kind.END, Kind.REVEAL, Kind.REVEAL))
        content: tuple[Any, ...] = ()
        if kind is Kind.CHAT:
            content = ("made up",)
        elif kind is Kind.ACCEPT_DRAW:
            content = (rng.randrange(seats), rng.randrange(4))
        elif kind is Kind.AWAY:
            content = (rng.randrange(seats), rng.choice((0, 600, 2**32 - 1)), b"")
            if rng.random() < (0.1 if self._source.begun.clock is None else 0.5):
                content = (*content, OUT_OF_TIME)
        elif kind is Kind.END:
            winners = [self._seat] if rng.random() < 0.5 else rng.sample(range(seats), rng.randrange(seats))
            content = (sorted(winners), rng.choice(REASONS))
        elif kind is Kind.REVEAL:
            part = 0 if rng.random() < 0.8 else rng.choice((1, 2, 2**32 - 1))
            content = (part, self._openings(len(self.draft) if at is None else at))
        elif kind is Kind.SEALED:
            content = (rng.randrange(seats), rng.randbytes(304))
        elif kind is Kind.COMPLAIN:
            content = self._complaint(len(self.draft) if at is None else at)
        return [int(kind), *as_value(content)]

    def _complaint(self, at: int) -> tuple[int, bytes]:
        """A look of its own with the true secret, or one that is none, or another secret."""
        looks, rng = list(self._judged(at).table.looks.values()), self._rng
        own = [look for look in looks if look.place.viewer == self._seat]
        if not own or rng.random() < 0.2:
            return rng.randrange(len(self.draft) + 1), rng.randbytes(32)
        place = (look := rng.choice(own)).place
        secret = self._player.secrets.look_secret(place.game, place.viewer, place.serial)
        return look.number, secret if rng.random() < 0.8 else rng.randbytes(32)

    def _judged(self, at: int) -> Referee:
        """The match as the records before this place of the draft tell it."""
        referee = Referee(self._source.begun, agreed=True)
        for frame in self._whole(at):
            try:
                referee.admit(parse_record(frame))
            except Refusal:
                break
        return referee

    def _openings(self, at: int) -> tuple[Opening, ...]:
        """The openings due here, true or changed."""
        referee = self._judged(at)
        player, rng = self._player, self._rng
        slots = referee.table.ledger.due(self._seat, referee.count)
        if any(slot not in player.known for slot in slots) or not slots:
            return (Opening(rng.randrange(12), rng.randbytes(32)),)
        true = replies.openings(player.secrets, referee, self._seat, player.known)
        match rng.randrange(6):
            case 0:
                return true[1:] or true
            case 1:
                return (*true[:-1], Opening((true[-1].face + 1) % 12, true[-1].salt))
            case 2:
                return tuple(rng.sample(true, len(true)))
            case _:
                return true

    def _whole(self, at: int) -> list[Frame]:
        kept, self.draft = self.draft, self.draft[:at]
        try:
            return self.sealed(consistent=True)
        finally:
            self.draft = kept


CHANGES: Final[tuple[Callable[[Forger], None], ...]] = (
    Forger.redated,
    Forger.redated,
    Forger.reworded,
    Forger.said_more,
    Forger.said_more,
    Forger.said_more,
    Forger.unsaid,
    Forger.done_otherwise,
    Forger.cut,
)


def _value(frame: Frame) -> Any:
    return decode(frame.payload[:-SIGNATURE_BYTES])


def _follows(frame: Frame, heads: Sequence[bytes]) -> bool:
    """Whether a record of another seat still stands over a head of this chain."""
    value = _value(frame)
    if frame.kind == ENTRY:
        return bool(value[0] == len(heads) - 1 and value[2] == heads[-1])
    count, head = value[3], value[4]
    return bool(count < len(heads) and head == heads[count])
