"""Whether a length tells what it hides: `python -m tests.campaigns.lengths` (threat 39).

Every message of whole matches of every game, under each profile, for each number of seats: worked out anew
with the lowest, the highest and other cards that could lie hidden.  Entries differ in their messages alone,
and frames, records on the disk and those of TLS hold nothing else that is hidden: so equal messages are equal
lengths everywhere.
"""

from __future__ import annotations

import argparse
import sys

from protocol.record.asks.registry import CODEC
from protocol.wire.encoding import encode
from tests.helpers.seats.twins import HIGH, LOW, Hand, Match, Place, any_hand, matches


def lengths(place: Place, hands: int, seed: int) -> set[int]:
    """The lengths that a message has, with so many hands by chance beside the lowest and the highest."""
    sizes = set()
    for hand in (LOW, HIGH, *(any_hand(seed + number) for number in range(hands))):
        sizes.add(_length(place, hand))
    return sizes


def _length(place: Place, hand: Hand) -> int:
    message = place.reply(hand)
    if message is None:
        raise RuntimeError(f"{place.owed.message.__name__} is not decided")
    return len(encode(CODEC.value(message)))


def look(match: Match, hands: int, steps: int) -> tuple[int, list[str]]:
    """How many messages of a match were looked at, and those whose lengths differ."""
    looked, differing = 0, []
    for place in match.places(steps):
        looked += 1
        sizes = lengths(place, hands, looked)
        if len(sizes) > 1:
            differing.append(f"entry {place.referee.count}, {place.owed.message.__name__}: {sorted(sizes)}")
    return looked, differing


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.lengths")
    parser.add_argument("--hands", type=int, default=2, help="hands by chance for each message")
    parser.add_argument("--steps", type=int, default=1_000_000, help="of each match at most")
    wanted = parser.parse_args(arguments)
    wrong = 0
    for match in matches():
        looked, differing = look(match, wanted.hands, wanted.steps)
        wrong += len(differing)
        print(
            f"{match}: {looked:,} messages, {len(differing)} whose lengths differ",
            *differing,
            sep="\n  ",
            flush=True,
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
