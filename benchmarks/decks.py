"""Five seats with one deck over loopback: a reshuffle of all 80 cards, a card drawn by one seat; the audit.

All five seats share one event loop here; processes check and make the shuffles, one for each core in all.
"""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from functools import partial
from itertools import combinations
from pathlib import Path
from time import perf_counter
from typing import Final
from unittest.mock import patch

import trio

from benchmarks.links import linked
from benchmarks.measure import Measure
from benchmarks.report import Figure
from benchmarks.whole import audits
from p2p_stratego.core.game import Ask, Back, Draw, NewDeck, Shuffle
from protocol.channel import tls
from protocol.crypto import workers
from protocol.crypto.proofs.checking import deferring
from protocol.lobby.founding import found
from protocol.network.peer import Peer
from protocol.storage.home import Home, Owner
from tests.helpers.games.scripted import Scripted
from tests.helpers.seats.pair import Table

SEATS: Final = 5
CARDS: Final = 80
ROUNDS: Final = 6
AUDITED: Final = 10
"""Reshuffles of the match that is audited."""
_SETUP: Final = SEATS
"""Entries with the seats' keys."""
_SHUFFLE: Final = SEATS
_DRAW: Final = SEATS - 1
_BACK: Final = 1


class _Cup(Scripted):
    """A deck of so many cards is shuffled, one card is drawn and goes back, and so on."""

    seat_counts = (SEATS,)  # type: ignore[assignment]  # of the parent: two or three

    def __init__(self, rounds: int = ROUNDS) -> None:
        faces = tuple(number % 40 for number in range(CARDS))
        turns: list[tuple[Ask, ...]] = [(NewDeck(0, faces),)]
        turns += [
            (Shuffle(0), Draw(0, ((slot % SEATS, (slot,)),)), Back((slot,), 0)) for slot in range(rounds)
        ]
        super().__init__(*turns, needs_proofs=True)
        self.most_shuffles = rounds

    def seat_names(self, seats: int) -> tuple[str, ...]:
        """See Game."""
        return tuple(f"seat {seat}" for seat in range(seats))


class _Watch:
    """Notes when all seats have so many entries."""

    def __init__(self, peers: list[Peer]) -> None:
        self.at: list[float] = []
        self._peers = peers
        self._done = trio.Event()
        for peer in peers:
            peer.replica.on_change = self._changed

    def _changed(self) -> None:
        everywhere = min(peer.replica.session.referee.count for peer in self._peers)
        self.at += [perf_counter()] * (everywhere - len(self.at) + 1)
        if all(peer.replica.finished for peer in self._peers):
            self._done.set()

    async def until_the_end(self) -> None:
        """Return once all seats have finished."""
        await self._done.wait()


async def _match(folder: Path) -> list[float]:
    """When all seats had each number of entries, from 0 on."""
    game = _Cup()
    with ExitStack() as homes:
        owners = []
        for seat in range(SEATS):
            home = homes.enter_context(Home(folder / str(seat)))
            owners.append(Owner(home, home.identity(), f"seat {seat}", {game.name: game}, workers=1))
        stores = found(game, {}, owners, "")
        async with trio.open_nursery() as nursery:
            peers = [Peer(nursery, owner, store) for owner, store in zip(owners, stores, strict=True)]
            certificate = tls.make()
            for one, other in combinations(range(SEATS), 2):
                here, there = await linked(nursery, certificate)
                peers[one].take(here, other)
                peers[other].take(there, one)
            watch = _Watch(peers)
            for peer in peers:
                nursery.start_soon(peer.run)
            await watch.until_the_end()
            for peer in peers:
                peer.leave()
    return watch.at


def _audits() -> list[Figure]:
    game = _Cup(AUDITED)
    with deferring():  # the proofs are made, and checked in the audits
        data = Table(1, game=game, seats=SEATS).play().seats[0].transcript
    return audits(f"{AUDITED * SEATS} shuffles of {CARDS}", data, {game.name: game})


def figures() -> list[Figure]:
    """All figures of this room."""
    # In one process, what one seat has made or checked would be known to all.
    with tempfile.TemporaryDirectory() as folder, patch.object(workers, "is_remembered", return_value=False):
        at = trio.run(partial(_match, Path(folder)))
    shuffles, draws = [], []
    for number in range(1, ROUNDS):  # the first one starts the processes
        begins = _SETUP + number * (_SHUFFLE + _DRAW + _BACK)
        shuffled = begins + _SHUFFLE
        shuffles.append(at[shuffled] - at[begins])
        draws.append(at[shuffled + _DRAW] - at[shuffled])
    return [
        Figure(f"reshuffle of {CARDS} cards by {SEATS} seats", Measure(tuple(shuffles)), _milli),
        Figure(f"a card drawn at a table of {SEATS}", Measure(tuple(draws)), _milli),
        *_audits(),
    ]


def _milli(seconds: float) -> str:
    return f"{seconds * 1e3:.1f} ms"
