"""Two replicas on real disks, joined by a wire without time: for crashes at every place."""

from __future__ import annotations

import random
from collections import deque
from functools import partial
from pathlib import Path
from typing import Any

from p2p_stratego.core.game import Game
from p2p_stratego.registry import make_bot
from p2p_stratego.spies_and_lies.rules.game import GAME
from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.failures import LinkLost, Loss
from protocol.record.asks.choose import Choice
from protocol.record.asks.registry import CODEC
from protocol.record.statements import Kind, body
from protocol.replication.replica import Replica
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, STATEMENT, Deframer, Frame, decode, encode
from tests.helpers.links.peers import owner, two_stores
from tests.helpers.machine.homes import kill
from tests.helpers.seats.pair import any_decision


class Clock:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


class Crash(BaseException):
    """A power cut: the process stops at this moment."""


class Wire:
    """Ada and Ben; `sent` holds every record that ever went over the wire, by its signer."""

    def __init__(self, path: Path, seed: int = 1, game: Game[Any] = GAME) -> None:
        """A new match; or the one that is in the homes in `path` already.

        In Spies & Lies the decisions only look legal; in other games their random bot decides.
        """
        self.rng = random.Random(seed)
        self._bot = None if game is GAME else make_bot(game.name, "recruit", self.rng)
        self.sent: list[Frame] = []
        self.owners = [owner(path / name, name.title()) for name in ("ada", "ben")]
        if not self.owners[0].home.games():
            for store in two_stores(path, game):
                store.close()
        [saved] = self.owners[0].home.games()
        self.match = saved.id
        self.clocks = [Clock(), Clock()]
        self.sides = [
            Replica(own, own.home.open(self.match), clock)
            for own, clock in zip(self.owners, self.clocks, strict=True)
        ]
        self.queues: list[deque[bytes]] = [deque(), deque()]
        self.link()

    def link(self) -> None:
        """A new connection: frames under way on the old one are lost."""
        for queue in self.queues:
            queue.clear()
        for side, replica in enumerate(self.sides):
            replica.linked(partial(self.send, 1 - side))

    def send(self, to: int, data: bytes) -> None:
        """Put frames on the way to a side."""
        self.queues[to].append(data)
        self.sent += [frame for frame in Deframer().feed(data) if frame.kind in (ENTRY, STATEMENT)]

    def step(self) -> bool:
        """Deliver or decide one thing on each side; return False if there is none."""
        busy = False
        for replica, queue in zip(self.sides, self.queues, strict=True):
            if queue:
                data = b"".join(queue)
                queue.clear()
                replica.received(list(Deframer().feed(data)))
                busy = True
            elif decision := replica.session.decision:
                replica.decide(
                    any_decision(replica.session, decision, self.rng)
                    if self._bot is None
                    else self._bot.decide(replica.session.view)
                )
                busy = True
        return busy

    def play(self, entries: int = 10_000) -> None:
        """Play until both sides have that many entries, or no event is left."""
        while min(replica.session.referee.count for replica in self.sides) < entries and self.step():
            pass

    def settle(self) -> None:
        """Deliver all frames under way, without any decision."""
        while any(self.queues):
            for replica, queue in zip(self.sides, self.queues, strict=True):
                while queue:
                    replica.received(list(Deframer().feed(queue.popleft())))

    def play_until_owed(self, seat: int) -> None:
        """Play until no frame is under way and `seat` owes the next entry."""
        self.settle()
        while (owed := self.sides[0].session.referee.owed) is None or owed.seat != seat:
            assert self.step(), "the match is over"
            self.settle()

    def records(self, side: int) -> set[bytes]:
        """All entries and statements that `side` holds."""
        referee = self.sides[side].session.referee
        entries = {entry.payload for entry in referee.entries}
        return entries | {statement.payload for known in referee.statements for statement in known}

    def sent_payloads(self) -> list[bytes]:
        """All payloads that ever went over the wire."""
        return [frame.payload for frame in self.sent]

    def restart(self, side: int) -> None:
        """The process of `side` dies; a new one opens its files."""
        kill(self.sides[side].store)
        store = self.owners[side].home.open(self.match)
        self.sides[side] = Replica(self.owners[side], store, self.clocks[side])
        self.sides[1 - side].unlinked(LinkLost(Loss.BROKEN))

    def close(self) -> None:
        """Close all files."""
        for replica in self.sides:
            replica.close()
        for own in self.owners:
            own.home.close()

    def signed(self) -> list[tuple[tuple[int, int, int], bytes]]:
        """All sent or kept records of the match: the place (kind, seat, number) and the payload."""
        frames = self.sent.copy()
        for replica in self.sides:
            referee = replica.session.referee
            frames += [Frame(ENTRY, entry.payload) for entry in referee.entries]
            frames += [
                Frame(STATEMENT, statement.payload) for known in referee.statements for statement in known
            ]
        places = []
        for frame in frames:
            body = decode(frame.payload[:-64])
            assert isinstance(body, list)
            number, seat = (body[0], body[1]) if frame.kind == ENTRY else (body[1], body[0])
            assert isinstance(number, int)
            assert isinstance(seat, int)
            places.append(((frame.kind, seat, number), frame.payload))
        return places


def assert_one_signature_a_place(wire: Wire) -> None:
    """Assert that no seat signed two contents for one place (threat 30)."""
    known: dict[tuple[int, int, int], bytes] = {}
    for place, payload in wire.signed():
        assert known.setdefault(place, payload) == payload, f"two versions of {place}"


def statement(wire: Wire, side: int, kind: Kind, *content: object) -> Frame:
    """A statement of `side`, signed by its key and unknown to its own session."""
    session = wire.sides[side].session
    referee = session.referee
    over = (referee.count, referee.head)
    after = (len(referee.statements[side]), referee.statement_heads[side][-1])
    signed = body(side, after, over, kind, content)
    key = wire.owners[side].identity
    return Frame(STATEMENT, signed + key.sign(labels.SIGN_STATEMENT, session.genesis.id + signed))


def wish(payload: bytes) -> tuple[bytes, bytes]:
    """The nonce and the anchor (32 bytes each) in a REMATCH."""
    match decode(payload[:-SIGNATURE_BYTES]):
        case [bytes(), int(), int(), bytes() as nonce, bytes() as anchor]:
            return nonce, anchor
    raise AssertionError(payload)


def entry(wire: Wire, side: int, move: str) -> Frame:
    """A choice of `side` at the head, in or out of turn."""
    referee = wire.sides[side].session.referee
    signed = encode((referee.count, side, referee.head, CODEC.value(Choice(move))))
    return Frame(
        ENTRY, signed + wire.owners[side].identity.sign(labels.SIGN_ENTRY, referee.genesis.id + signed)
    )
