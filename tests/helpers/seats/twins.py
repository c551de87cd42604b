"""Replies that differ in hidden things alone: at one place of a match, with other cards under the same slots.

The place is seen by a seat that has not got the message yet, so the reply can be worked out anew.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, Final, NamedTuple, TypeVar

from p2p_stratego.core.game import (
    Choose,
    Claim,
    ClaimOneOf,
    Commit,
    Face,
    Game,
    Mix,
    Options,
    Slot,
    Together,
)
from p2p_stratego.registry import GAMES
from protocol.crypto.permutation import permutation
from protocol.record.asks.base import AskPart, Decided, Obligation
from protocol.record.asks.together import HiddenChoice
from protocol.record.evidence import read_record
from protocol.record.referee import Referee
from protocol.seat import replies
from protocol.seat.secrets import MatchSecrets
from protocol.wire.messages import Message
from tests.helpers.games.cups import CUPS
from tests.helpers.games.players import honest
from tests.helpers.games.toy import TOY
from tests.helpers.seats.pair import Seat, Table

T = TypeVar("T")
Reply = Callable[[], Message | None]
_OPTIONS: Final = 64
"""So many options of a choice are looked at: some choices have billions."""
_PATIENCE: Final = 600


class Hand(NamedTuple):
    """What lies hidden: the item of a list of possible ones, and the order of a list of given ones."""

    item: Callable[[Sequence[Any]], Any]
    order: Callable[[Sequence[Any]], Sequence[Any]]
    seed: bytes
    """Of what the seat's program draws, 32 bytes."""


LOW: Final = Hand(lambda faces: faces[0], lambda faces: faces, bytes(32))
HIGH: Final = Hand(lambda faces: faces[-1], lambda faces: faces[::-1], bytes(31) + b"\1")


def any_hand(seed: int) -> Hand:
    """Drawn by chance."""
    rng = random.Random(seed)
    return Hand(rng.choice, lambda faces: rng.sample(faces, len(faces)), rng.randbytes(32))


class _Drawing(MatchSecrets):
    """The secrets of a seat whose program draws by a seed that a test sets."""

    seed = bytes(32)

    def faces_seed(self, *_: object) -> bytes:
        return self.seed

    def mix_order(self, _game: bytes, _seat: int, _serial: int, length: int) -> list[int]:
        return permutation(self.seed, length)


@dataclass(frozen=True)
class Place:
    """A message that `seat` owes, as the `referee` of another seat sees it."""

    seat: Seat
    referee: Referee
    owed: Obligation

    def reply(self, hand: Hand) -> Message | None:
        """The message, if this lies hidden; it proves and opens what it would then."""
        (prepare,) = self.replies(hand)
        return prepare()()

    def replies(self, *hands: Hand) -> list[Callable[[], Reply]]:
        """For each hand what makes it lie there; that gives the work to do then.

        All are the same objects in memory: so the works differ in nothing but the hands.
        """
        secrets, own = _Drawing(self.seat.master), dict[Slot, Face]()
        work = partial(replies.reply, secrets, self.referee, self.owed, own)

        def lay(hand: Hand, faces: dict[Slot, Face], decided: Decided | None) -> Reply:
            own.update(faces)
            secrets.seed = hand.seed
            if decided is not None:
                fresh = "".join([*decided]) if isinstance(decided, str) else (*decided,)
                secrets.decided[self.referee.table.serial] = fresh
            return work

        return [partial(lay, hand, *self._hidden(hand)) for hand in hands]

    def _hidden(self, hand: Hand) -> tuple[dict[Slot, Face], Decided | None]:
        """The faces that the seat can read, and its decision."""
        table, part, known = self.referee.table, self.owed.part, self.seat.session.known
        own = known | {
            slot: hand.item(sorted(set(hidden.faces)))
            for slot, hidden in table.hidden.items()
            if slot in known and slot not in table.faces
        }
        decided = self.seat.secrets.decided.get(table.serial)
        if isinstance(part, Mix):
            own |= {slot: known[slot] for slot in part.old}
            decided = tuple(hand.order(sorted(known[slot] for slot in part.old)))
        elif isinstance(part, Claim | ClaimOneOf):
            tuples = part.tuples if isinstance(part, ClaimOneOf) else [(face,) for face in sorted(part.faces)]
            own |= zip(part.slots, hand.item(tuples), strict=True)
        elif isinstance(part, Commit) and part.seat == self.owed.seat:  # else it owes its keys alone
            decided = self._laid(hand)
        elif isinstance(part, Choose):
            options = sorted(islice(part.options, _OPTIONS), key=len)
            is_hidden = self.owed.message is HiddenChoice
            decided = hand.item(options) if is_hidden else decided or options[0]
        return own, decided

    def _laid(self, hand: Hand) -> Decided:
        """The faces of the whole Commit, of which one message may lay a part."""
        ask = self.owed.ask
        parts = ask.asks if isinstance(ask, Together) else (ask,)
        whole = next(part for part in parts if isinstance(part, Commit) and part.seat == self.owed.seat)
        faces = sorted(whole.faces)
        return tuple(hand.order(faces) if whole.exactly else [hand.item(faces) for _ in whole.slots])


def _carry(table: Table) -> bool:
    """One frame to each seat, and nobody decides; whether there was any."""
    for seat, queue in zip(table.seats, table.under_way, strict=True):
        table.deliver(seat)
        if queue:
            seat.session.receive(read_record(queue.popleft()))
        table.deliver(seat)
    return any(table.under_way)


def _places(table: Table, steps: int, step: Callable[[Table], bool] = Table.step) -> Iterator[Place]:
    seen: set[int] = set()
    for _ in range(steps):
        if not step(table):
            return
        for witness in table.seats:
            referee = witness.session.referee
            owed = referee.owed
            if owed is None or owed.seat == witness.seat or referee.count in seen:
                continue
            owner = table.seats[owed.seat]
            if owner.session.referee.count >= referee.count:  # it has all that it answers
                seen.add(referee.count)
                yield Place(owner, referee, owed)


class Match(NamedTuple):
    """A match whose messages are looked at.

    `leaves`: behind so many steps the seat that owes is said to be gone, and the others release its key; no
    more is looked at then.
    """

    name: str
    game: Game[Any]
    seats: int
    proofs: bool
    options: Options
    escrow: int = 0
    leaves: int | None = None

    def __str__(self) -> str:
        return self.name

    def places(self, steps: int = 1_000_000) -> Iterator[Place]:
        """Every message of the match, when it is owed; to be looked at before the next one."""
        table = Table(
            7,
            game=self.game,
            seats=self.seats,
            options=self.options,
            proofs=self.proofs,
            escrow=self.escrow,
            decide=honest,
        )
        if self.leaves is None:
            yield from _places(table, steps)
        else:
            yield from _places(table, self.leaves)
            _say_gone(table.hold())
            yield from _places(table, steps, _carry)

    def first_places(self, steps: int = 1_000_000) -> Iterator[Place]:
        """Of each kind of message, and of Ask that it answers, the first one."""
        met: set[tuple[type[Message], type[AskPart]]] = set()
        for place in self.places(steps):
            kind = (place.owed.message, type(place.owed.part))
            if kind not in met:
                met.add(kind)
                yield place


def _say_gone(table: Table) -> None:
    owed = table.seats[0].session.referee.owed
    if owed is None:
        raise RuntimeError("the match is over before its leaver goes")
    for seat in table.seats:  # the decider, the highest, speaks last
        if seat.seat != owed.seat:
            table.hold()
            seat.session.claim_away(_PATIENCE)


def matches() -> Iterator[Match]:
    """Every game under each profile that it can have, for each number of seats, with all that it can ask."""
    for game in (TOY, CUPS, *GAMES.values()):
        options: Options = {"claims": "yes", "looks": "yes", "rounds": 1} if game is TOY else {}
        for proofs in (True,) if game.needs_proofs else (False, True):
            profile = "proofs" if proofs else "hashes"
            for seats in game.seat_counts:
                yield Match(f"{game.name} of {seats}, {profile}", game, seats, proofs, options)
        if game is CUPS:
            yield Match("cups of 3, shares of keys", CUPS, 3, proofs=True, options={}, escrow=2, leaves=20)
