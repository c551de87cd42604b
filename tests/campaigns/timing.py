"""Whether the time of a reply tells what it hides: `python -m tests.campaigns.timing` (threat 40).

For each message that a seat can owe, under each profile: the reply with the lowest and the one with the
highest cards that could lie hidden, in random order; Welch's t-test of their CPU times, without the slowest
tenth (Reparaz, Balasch and Verbauwhede, "Dude, is my code constant time?", DATE 2017, whose bound is 4.5).
Exits with 1 if a difference is certain by that and more than a hundredth of the time: below lie the caches
of the processor, which hold the one small integer of Python's and not the other: up to 25 ns a reply.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from math import inf, sqrt
from statistics import fmean, variance
from time import thread_time_ns
from typing import Final, NamedTuple

from p2p_stratego.core.game import Shuffle
from p2p_stratego.registry import GAMES
from protocol.record.asks.base import AskPart
from protocol.wire.messages import Message
from tests.helpers.seats.twins import HIGH, LOW, Hand, Match, Place, matches

CERTAIN: Final = 4.5
NOTICED: Final = 0.01
KEPT: Final = 0.9
A_PROOF: Final = 50
"""A proof in a real game is about so many cards more than in the toys, which ask for all kinds of proofs."""
A_FEW: Final = 20
PROFILES: Final = ("hashes", "proofs")
STEPS: Final = 80
"""Of a match, in which most of its kinds of messages come."""
Prepared = Callable[[], Callable[[], object]]
"""What a work needs, outside the time that is measured; gives the work."""
Pair = Callable[..., Sequence[Prepared]]
"""Makes two works; with True in the other order."""
RENEWED: Final = 200
"""After so many measurements the works are made anew."""
LYING: Final = 30
"""So many that were made before still lie in memory, each with up to LARGEST bytes beside it."""
LARGEST: Final = 5_000


def welch(sample: Sequence[float], other: Sequence[float]) -> float:
    """Welch's t of two samples: 0 if they are constant and the same, infinite if constant and different."""
    apart = fmean(sample) - fmean(other)
    spread = sqrt(variance(sample) / len(sample) + variance(other) / len(other))
    return apart / spread if spread else inf if apart else 0.0


class Difference(NamedTuple):
    """Between the times of two works: Welch's t, and the difference of the means in parts of their mean."""

    t: float
    share: float

    @property
    def tells(self) -> bool:
        return abs(self.t) > CERTAIN and abs(self.share) > NOTICED


def difference(make: Pair, count: int, clock: Callable[[], int], rng: random.Random) -> Difference:
    """Of two works, done `count` times both together, at least some ten, in random order.

    They are made anew again and again, elsewhere in memory: by where things lie alone, and so which of them
    the processor has at hand, two works that are the same differ by as much as some that are not.
    """
    times: tuple[list[int], list[int]] = ([], [])
    lying: deque[object] = deque(maxlen=LYING)
    works: Sequence[Prepared] = ()
    for number in range(count):
        if number % RENEWED == 0:
            lying.append((bytearray(rng.randrange(LARGEST)), works))
            works = make() if rng.randrange(2) else make(True)[::-1]
            for prepare in works:
                prepare()()  # what is computed once is computed now
        which = rng.randrange(2)
        work = works[which]()
        begun = clock()
        work()
        times[which].append(clock() - begun)
    slow = sorted([*times[0], *times[1]])[int(count * KEPT)]
    first, other = ([time for time in sample if time <= slow] for sample in times)
    return Difference(welch(first, other), (fmean(first) - fmean(other)) / fmean([*first, *other]))


def pairs(
    matches: Iterable[Match], hands: tuple[Hand, Hand] = (LOW, HIGH), steps: int = STEPS
) -> Iterator[tuple[str, Pair]]:
    """Two replies for each message that some of the matches has, and each Ask that it answers.

    They have the lowest and the highest cards that could lie hidden; the shortest and the longest choice.
    """
    met: set[tuple[type[Message], type[AskPart]]] = set()
    for match in matches:
        for place in match.first_places(steps):
            owed = place.owed
            kind = (owed.message, type(owed.part))
            if kind not in met and not isinstance(owed.part, Shuffle):  # its order comes from fresh bytes
                met.add(kind)
                yield f"{owed.message.__name__} for {type(owed.part).__name__}", partial(_made, place, hands)


def _made(place: Place, hands: tuple[Hand, Hand], turned: bool = False) -> Sequence[Prepared]:
    return place.replies(*(hands[::-1] if turned else hands))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.timing")
    parser.add_argument("--count", type=int, default=100_000, help="replies to measure in each comparison")
    parser.add_argument("--profile", choices=PROFILES, help="one of the two alone")
    parser.add_argument(
        "--control", action="store_true", help="the lowest cards twice: what the method itself finds"
    )
    wanted = parser.parse_args(arguments)
    count, hands = wanted.count, (LOW, LOW if wanted.control else HIGH)
    rng, telling, differing = random.Random(1), 0, 0
    for (game, proofs), several in groupby(matches(), lambda match: (match.game, match.proofs)):
        repeats = max(count // A_PROOF, A_FEW) if proofs and game.name in GAMES else count
        profile = PROFILES[proofs]
        if wanted.profile not in (None, profile):
            continue
        for what, make in pairs(several, hands):
            apart = difference(make, repeats, thread_time_ns, rng)
            telling += apart.tells
            differing += abs(apart.t) > CERTAIN
            print(
                f"{game.name}, {profile}, {what}: t = {apart.t:+.2f}, {apart.share:+.3%} over {repeats:,}",
                flush=True,
            )
    print(
        f"|t| is above {CERTAIN} in {differing}, and the difference above {NOTICED:.0%}, too, in {telling}."
    )
    return 1 if telling else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
