"""Whether the time of a reply tells what it hides: `python -m tests.campaigns.timing` (threat 40).

Two hidden hands, or two hidden choices, in random order; Welch's t-test of the times, without the slowest
tenth (Reparaz, Balasch and Verbauwhede, "Dude, is my code constant time?", DATE 2017, whose bound is 4.5).
Exits with 1 if a difference is certain by that and more than a hundredth of the time: below lie the caches
of the processor, which hold the one small integer of Python's and not the other, and cost some 25 ns a card.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from math import inf, sqrt
from statistics import fmean, variance
from time import perf_counter_ns
from typing import Any, Final, NamedTuple

from p2p_stratego.core.game import Choose, ClaimOneOf, Commit, Game, Mix, Open
from p2p_stratego.registry import GAMES
from protocol.record.asks.base import Decided, Obligation
from protocol.record.asks.proofs.laid import Laid
from protocol.record.asks.proofs.opened import Opened
from protocol.record.asks.proofs.proved import Proved
from protocol.record.asks.proofs.shuffled import Shuffled
from protocol.record.asks.together import HiddenChoice
from protocol.record.referee import Referee
from protocol.seat import replies
from protocol.seat.secrets import MatchSecrets
from tests.helpers.games.cups import CARDS, CUPS
from tests.helpers.games.players import honest
from tests.helpers.seats.pair import Seat, Table

CERTAIN: Final = 4.5
NOTICED: Final = 0.01
KEPT: Final = 0.9
A_PROOF: Final = 50
"""A reply with a proof takes about as long as so many others."""
Work = Callable[[], object]


def welch(one: Sequence[float], other: Sequence[float]) -> float:
    """Welch's t of two samples: 0 if they are constant and the same, infinite if constant and different."""
    apart = fmean(one) - fmean(other)
    spread = sqrt(variance(one) / len(one) + variance(other) / len(other))
    return apart / spread if spread else inf if apart else 0.0


class Difference(NamedTuple):
    """Between the times of two works: Welch's t, and the difference of the means in parts of their mean."""

    t: float
    share: float

    @property
    def tells(self) -> bool:
        return abs(self.t) > CERTAIN and abs(self.share) > NOTICED


def difference(
    works: tuple[Work, Work], count: int, clock: Callable[[], int], rng: random.Random
) -> Difference:
    """Of two works, done `count` times both together, at least some ten, in random order."""
    times: tuple[list[int], list[int]] = ([], [])
    for _ in range(count):
        which = rng.randrange(2)
        work = works[which]
        begun = clock()
        work()
        times[which].append(clock() - begun)
    slow = sorted([*times[0], *times[1]])[int(count * KEPT)]
    one, other = ([time for time in each if time <= slow] for each in times)
    return Difference(welch(one, other), (fmean(one) - fmean(other)) / fmean([*one, *other]))


def replying(seat: Seat, decided: Decided) -> Work:
    """To work out what `seat` owes, if it has decided like this."""
    referee = seat.session.referee
    owed = referee.owed
    assert owed is not None
    secrets = MatchSecrets(seat.master)
    secrets.decided[referee.table.serial] = decided
    return partial(replies.reply, secrets, referee, owed, seat.session.known)


def hidden_pairs(game: Game[Any]) -> Iterator[tuple[str, tuple[Work, Work]]]:
    """Pairs of works that differ in what they hide alone: a hand laid, and the first hidden choice,
    of equal length: to hash more takes longer.
    """
    table = Table(7, game=game, decide=honest).hold()
    seat = table.seats[0]
    while not isinstance(decision := seat.session.decision, Commit):
        table.step()
    table.hold()
    faces = sorted(decision.faces)
    low, high = (tuple(some[: len(decision.slots)]) for some in (faces, faces[::-1]))
    yield "hand", (replying(seat, low), replying(seat, high))
    while not ((owed := seat.session.referee.owed) and (owed.seat, owed.message) == (0, HiddenChoice)):
        if not table.step():
            return  # in this game nobody chooses while others do
    assert isinstance(owed.part, Choose)
    *others, last = islice(owed.part.options, 8)
    like = next(option for option in others if len(option) == len(last))
    yield "choice", (replying(seat, like), replying(seat, last))


def card_pairs() -> Iterator[tuple[str, tuple[Work, Work]]]:
    """The same with cards under keys: what is laid, in which order cards are mixed, which pair of a claim is
    true, what is opened.
    """
    table = Table(7, game=CUPS, seats=2, decide=honest)
    seat, referee = table.seats[0], table.seats[1].session.referee  # which has not got the message yet
    left = {"laid": Laid, "mixed": Shuffled, "claim": Proved, "opened": Opened}
    while left and table.step():
        owed = referee.owed
        if owed is None or owed.seat != seat.seat:
            continue
        for what, message in list(left.items()):
            if owed.message is message and (message is not Shuffled or isinstance(owed.part, Mix)):
                del left[what]
                yield what, _differing(seat, referee, owed)


def _differing(seat: Seat, referee: Referee, owed: Obligation) -> tuple[Work, Work]:
    """Two replies to what is owed, with the first and with the last of all that it could hide."""
    known, part = seat.session.known, owed.part
    works = []
    for place in (0, -1):
        secrets, own = MatchSecrets(seat.master), dict(known)
        if isinstance(part, Commit):
            faces = sorted(part.faces)
            secrets.decided[referee.table.serial] = (faces[place],) * len(part.slots)
        elif isinstance(part, Mix):
            laid = sorted(known[slot] for slot in part.old)
            secrets.decided[referee.table.serial] = tuple(laid[:: 1 + 2 * place])
        elif isinstance(part, ClaimOneOf):
            own.update(zip(part.slots, part.tuples[place], strict=True))
        elif isinstance(part, Open):
            own[part.slot] = sorted(CARDS)[place]
        works.append(partial(replies.reply, secrets, referee, owed, own))
    return works[0], works[1]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.timing")
    parser.add_argument("--count", type=int, default=100_000, help="replies to measure in each comparison")
    count = parser.parse_args(arguments).count
    rng, telling = random.Random(1), False
    pairs = [(name, hidden_pairs(game)) for name, game in GAMES.items() if not game.needs_proofs]
    for name, several in [*pairs, ("cards", card_pairs())]:
        each = count if name in GAMES else count // A_PROOF
        for what, works in several:
            found = difference(works, each, perf_counter_ns, rng)
            telling = telling or found.tells
            print(f"{name}, {what}: t = {found.t:+.2f}, {found.share:+.2%} over {each:,} replies")
    return 1 if telling else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
