"""Figures of cards: a shuffle and its check in products of the group, and a reshuffle at a whole table."""

from __future__ import annotations

import tempfile
from functools import cache, partial
from itertools import combinations
from pathlib import Path
from time import perf_counter
from typing import Final
from unittest.mock import patch

import trio

from benchmarks.matches import linked, owners
from benchmarks.measure import Floor, Measure, Taken, rounds, timed
from benchmarks.report import summed
from p2p_stratego.core.game import Ask, NewDeck, Shuffle
from protocol.channel import tls
from protocol.crypto import workers
from protocol.crypto.group.backend import group
from protocol.crypto.proofs import card, shuffle
from protocol.crypto.proofs.shuffle import ShuffleProof
from protocol.network.peer import Peer
from tests.helpers.crypto.deck import Seats
from tests.helpers.games.scripted import Scripted
from tests.helpers.links.founding import founded

ROUNDS: Final = 15
CARDS: Final = 52
"""As LibTMCG (H. Stamer, https://www.nongnu.org/libtmcg/), in C++, was measured with a key of 2048 bits: it
took 225 ms to shuffle and prove, and 157 ms to check, where one product by libsodium took 34.5 µs."""
MOST_PROVING: Final = round(0.225 / 34.5e-6 / 10)
"""Products: a tenth of its time."""
MOST_CHECKING: Final = round(0.157 / 34.5e-6 / 6)
"""A sixth."""
MOST_CARDS: Final = 80
"""In the largest deck of the program's games."""
SEATS: Final = 5
RESHUFFLES: Final = 6


@cache
def _shuffled(count: int) -> list[Measure]:
    """The seconds of a shuffle of so many cards with its proof, of its check, and of one product."""
    seats, g = Seats(1), group()
    ctx, key, nonces = seats.context(1, 0), seats.joint, seats.nonces[0]
    deck = seats.shuffled(seats.deck(range(count)))
    prove = partial(shuffle.shuffle, ctx, key, deck, nonces)
    check = ShuffleProof(ctx, key, card.joined(deck), *prove()).verify
    point, k = g.base(2**200 + 7), 2**251 + 12345
    return rounds(ROUNDS, timed(prove), timed(check), timed(lambda: g.multiply(k, point), 100))


def proved() -> Taken:
    """A shuffle with its proof."""
    proof, _, product = _shuffled(CARDS)
    return Taken(proof, Floor("product", product))


def checked() -> Taken:
    """The check of its proof."""
    _, check, product = _shuffled(CARDS)
    return Taken(check, Floor("product", product))


def reshuffled() -> Taken:
    """From the first seat's turn to shuffle until all have the last one's, beside a shuffle and a check for
    each seat: they wait for each other.
    """
    # In one process, what one seat has made or checked would be known to all.
    with tempfile.TemporaryDirectory() as folder, patch.object(workers, "is_remembered", return_value=False):
        at = trio.run(_table, Path(folder))
    first = 2 * SEATS  # behind the keys, and the shuffle that starts the processes
    begins = range(first, len(at) - 1, SEATS)
    proof, check, _ = _shuffled(MOST_CARDS)
    taken = Measure(tuple(at[begin + SEATS] - at[begin] for begin in begins), proof.waiting)
    words, floor = summed({"shuffle": (SEATS, proof), "check": (SEATS, check)})
    return Taken(taken, Floor(words, Measure((floor.median,), floor.waiting)))


class _Cup(Scripted):
    """A deck is shuffled again and again."""

    def __init__(self) -> None:
        faces = tuple(number % 40 for number in range(MOST_CARDS))
        turns: list[tuple[Ask, ...]] = [(NewDeck(0, faces),), *[(Shuffle(0),)] * RESHUFFLES]
        super().__init__(*turns, needs_proofs=True)
        self.seat_counts = (SEATS,)
        self.most_shuffles = RESHUFFLES

    def seat_names(self, seats: int) -> tuple[str, ...]:
        """See Game."""
        return tuple(f"seat {seat}" for seat in range(seats))


async def _table(folder: Path) -> list[float]:
    """When all of five seats, linked each to each, had so many entries, from 0 on."""
    game, at, done = _Cup(), list[float](), trio.Event()
    with owners(folder, SEATS, {game.name: game}, workers=1) as players:
        stores = founded(game, {}, players, "")
        async with trio.open_nursery() as nursery:
            peers = [Peer(nursery, owner, store) for owner, store in zip(players, stores, strict=True)]
            certificate = tls.make()
            for seat, other in combinations(range(SEATS), 2):
                here, there = await linked(nursery, certificate)
                peers[seat].take(here, other)
                peers[other].take(there, seat)

            def changed() -> None:
                everywhere = min(peer.replica.session.referee.count for peer in peers)
                at.extend([perf_counter()] * (everywhere - len(at) + 1))
                if all(peer.replica.finished for peer in peers):
                    done.set()

            for peer in peers:
                peer.replica.on_change = changed
                nursery.start_soon(peer.run)
            await done.wait()
            for peer in peers:
                peer.leave()
    return at
