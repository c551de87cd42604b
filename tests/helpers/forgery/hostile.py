"""Matches of every game under both profiles that all seats forged together, with their keys.

Two sorts: a true record in which messages were exchanged for others that parse, and all was signed anew; and
a match played by liars, who take every proof for true, and go on from what the lies tell, until a program
fails.  Proofs name no heads, so that those of untouched messages hold in a record that was signed anew.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final
from unittest.mock import patch

from p2p_stratego.core.game import Game
from p2p_stratego.registry import GAMES
from protocol.crypto.group.backend import group
from protocol.crypto.proofs import card
from protocol.crypto.proofs.verification import deferring, keeping
from protocol.record.asks.proofs.laid import Laid
from protocol.record.asks.proofs.moved import Moved
from protocol.record.asks.proofs.opened import Opened
from protocol.record.asks.proofs.shuffled import Shuffled
from protocol.record.asks.proofs.tokens import Tokens
from protocol.record.entries import Entry
from protocol.record.referee import Referee
from protocol.seat import replies
from protocol.wire import transcript
from protocol.wire.encoding import ENTRY, Frame
from protocol.wire.messages import Message
from tests.helpers.forgery.collusion import Collusion, Item
from tests.helpers.forgery.corpus import Player, Source
from tests.helpers.games.cups import CUPS
from tests.helpers.games.players import honest
from tests.helpers.games.toy import TOY
from tests.helpers.seats.pair import Table

EVERY: Final = {**GAMES, TOY.name: TOY, CUPS.name: CUPS}


@dataclass(frozen=True)
class Sort:
    """A game, so many seats, and a profile; `steps`: how long it is played, at most."""

    game: str
    seats: int
    proofs: bool
    steps: int = 400
    escrow: int = 0
    options: tuple[tuple[str, int | str], ...] = ()

    def table(self, seed: int) -> Table:
        """A match of this sort, not played yet."""
        game: Game[Any] = EVERY[self.game]
        proofs = self.proofs and not game.needs_proofs
        # The second round of cups opens a card that nobody holds.
        options = {"rounds": 2} if game is CUPS else dict(self.options)
        return Table(
            seed,
            game=game,
            seats=self.seats,
            options=options,
            decide=honest,
            proofs=proofs,
            escrow=self.escrow,
        )


SORTS: Final = (
    *(Sort("spies-and-lies", seats, proofs) for seats in (2, 3, 4) for proofs in (False, True)),
    *(Sort("stratego", 2, proofs) for proofs in (False, True)),
    *(Sort("conquest", seats, proofs) for seats in (2, 3) for proofs in (False, True)),
    Sort("spies", 2, proofs=True, steps=250),
    Sort("spies", 3, proofs=True, steps=250, escrow=2),
    *(Sort(TOY.name, seats, proofs) for seats in (2, 3) for proofs in (False, True)),
    Sort(CUPS.name, 2, proofs=True),
    Sort(CUPS.name, 3, proofs=True, escrow=2),
)


@cache
def honest_match(sort: Sort, seed: int) -> Source:
    """A match of this sort by honest seats, perhaps broken off."""
    with keeping():
        table = sort.table(seed).play(steps=sort.steps)
    return _source(sort, table, table.seats[0].log)


def _source(sort: Sort, table: Table, log: Sequence[Frame]) -> Source:
    players = tuple(Player(seat.identity, seat.secrets, {}) for seat in table.seats)
    return Source(f"{sort.game} for {sort.seats}", table.begun, players, (tuple(log),), ())


# Another message in the place of a true one


class Forgery:
    """The record of a match, rewritten with the keys of all seats."""

    def __init__(self, rng: random.Random, source: Source) -> None:
        self._rng = rng
        self._source = source
        self._record = Collusion(rng, source, source.logs[0])

    @property
    def entries(self) -> list[Item]:
        """The entries of the draft; change `value`, the array of a message, to forge one."""
        return [item for item in self._record.draft if item.kind == ENTRY]

    def change(self) -> str:
        """Forge one entry; the tag of its message, as text."""
        entries, rng = self.entries, self._rng
        item = rng.choice(entries)
        tag = str(item.value[0] if item.value else "")
        match rng.randrange(12):
            case 0:
                item.value = list(rng.choice(entries).value)
            case 1:
                item.seat = rng.randrange(len(self._source.players))
            case 2:
                self._record.draft.remove(item)
            case 3:
                at = self._record.draft.index(item)
                self._record.draft.insert(at, replace(item, value=list(rng.choice(entries).value)))
            case _:
                item.value = self._otherwise(item.value, entries)
        return tag

    def _otherwise(self, value: list[Any], entries: Sequence[Item]) -> list[Any]:
        at = self._rng.randrange(1, len(value)) if len(value) > 1 else 0
        alike = [
            entry.value
            for entry in entries
            if entry.value[:1] == value[:1] and len(entry.value) == len(value)
        ]
        changed = list(value)
        changed[at] = self._rng.choice(alike)[at] if self._rng.random() < 0.2 else other(self._rng, value[at])
        return changed

    @property
    def data(self) -> bytes:
        """The transcript, numbered, chained and signed anew."""
        return transcript.write(self._source.begun.body, self._record.sealed())


def other(rng: random.Random, value: Any) -> Any:
    """Another value in the place of this field of a message."""
    if isinstance(value, int):
        return rng.choice((0, 1, 7, 12, 50, 100, 127, 128, 255, 2**16, 2**32, 2**53 - 1, value + 1))
    if isinstance(value, str):
        digits = rng.choice(("0", "9", "99", "999999999999"))
        return rng.choice(
            (value[::-1], value + digits, digits, "none", "x" * 32, f"{value[:-1]}{digits}", "")
        )
    if isinstance(value, list):
        changed = [other(rng, part) if rng.random() < 0.3 else part for part in value]
        return rng.choice((changed, changed[:-1], changed * 2, []))
    if not isinstance(value, bytes) or not value:
        return b"\x01"
    if len(value) == 1:
        return bytes((rng.choice((rng.randrange(128), rng.randrange(256))),))
    if len(value) % 32 == 0:
        at = 32 * rng.randrange(len(value) // 32)
        unit = rng.choice((group().base(rng.randrange(1, 2**60)), value[:32], value[-32:], bytes(32)))
        if rng.random() < 0.1:
            return value + unit if rng.random() < 0.5 else value[:-32]
        return value[:at] + unit + value[at + 32 :]
    at = rng.randrange(len(value))
    return value[:at] + bytes((value[at] ^ 1 << rng.randrange(8),)) + value[at + 1 :]


# Liars who believe each other


def played_by_liars(sort: Sort, rng: random.Random, often: float) -> bytes:
    """The transcript of a match in which messages about cards lie, and the seats go on from what they tell,
    up to the entry at which a program fails, if one does.
    """
    table, last = sort.table(rng.randrange(2**32)), [b""]
    with _gullible(rng, often, last), suppress(Exception):
        table.play(steps=sort.steps)
    log = max((seat.log for seat in table.seats), key=len)
    written = {frame.payload for frame in log}
    more = [Frame(ENTRY, last[0])] if last[0] and last[0] not in written else []
    return transcript.write(table.begun.body, [*log, *more])


@contextmanager
def _gullible(rng: random.Random, often: float, last: list[bytes]) -> Iterator[None]:
    """Until the end of the block seats lie about cards as `often`, and no proof is checked."""
    reply, read, admit = replies.reply, card.read, Referee.admit_entry

    def lying(*given: Any) -> Message | None:
        true = reply(*given)
        return true if true is None or rng.random() >= often else _lie(rng, true)

    def noting(self: Referee, entry: Entry, *, verified: bool = False) -> None:
        if entry.previous == self.head:
            last[0] = entry.payload
        admit(self, entry, verified=verified)

    with ExitStack() as patched:
        patched.enter_context(deferring())
        patched.enter_context(patch.object(replies, "reply", lying))
        patched.enter_context(patch.object(card, "read", lambda x, closed: read(x, closed) or 0))
        patched.enter_context(patch.object(Referee, "admit_entry", noting))
        yield


def _lie(rng: random.Random, true: Message) -> Message:
    """`true`, a message about cards, with another face, or another point in the place of one."""
    if isinstance(true, Opened):
        return replace(true, faces=bytes((rng.randrange(128),)))
    if isinstance(true, Tokens):
        return replace(true, tokens=_spoilt(rng, true.tokens))
    if isinstance(true, Laid | Moved | Shuffled):
        return replace(true, cards=_spoilt(rng, true.cards))
    return true


def _spoilt(rng: random.Random, points: bytes) -> bytes:
    """`points` with another one in the place of one of them, mostly that of some face."""
    at = 32 * rng.randrange(len(points) // 32)
    number = rng.randrange(1, 129) if rng.random() < 0.7 else rng.randrange(1, 2**60)
    return points[:at] + group().base(number) + points[at + 32 :]
