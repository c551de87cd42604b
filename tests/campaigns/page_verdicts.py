"""Spoilt and forged transcripts, judged by Python's audit and by the verifier of the page, which must agree.

`python -m tests.campaigns.page_verdicts --seed 1 --count 2000`: compared are verdict, exit code, culprit,
place, rule, outcome, who owes what, and all counts; every second one with every signature.  Uses all cores.
Prints each disagreement with the number that makes it again, and exits with 1 if there was one.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from multiprocessing import Pool
from typing import Final

from p2p_stratego.registry import GAMES
from protocol.wire import transcript
from tests.helpers.forgery.collusion import Collusion
from tests.helpers.forgery.corpus import Source, source_of, sources
from tests.helpers.forgery.mutate import BLIND, mutant, spoilt
from tests.helpers.games.toy import TOY
from tests.helpers.in_javascript.matches import random_match
from tests.helpers.in_javascript.page_verdicts import Told, by_python, by_the_page
from tests.helpers.machine.modules import VECTORS
from tests.helpers.machine.node import node

CHUNK: Final = 100
HERE: Final = {**GAMES, TOY.name: TOY}
TRANSCRIPTS: Final = VECTORS / "transcripts"


@cache
def known() -> tuple[Source, ...]:
    """All matches, those of the page's games three times."""
    return tuple(one for one in sources() for _ in range(1 if one.begun.game is TOY else 3))


@lru_cache(maxsize=4)
def played(number: int) -> Source:
    """A random match of one of the page's games: any options, honest or crooked, to some end."""
    return source_of(f"match {number}", random_match(f"page {number}"))


@cache
def vectors() -> tuple[tuple[str, bytes], ...]:
    """The transcripts of the vectors: every rule is broken in one of them."""
    return tuple((path.name, path.read_bytes()) for path in sorted(TRANSCRIPTS.glob("*.p2ps")))


def made(number: int) -> tuple[str, bytes]:
    """The transcript of this number, always the same, and how it came to be."""
    rng = random.Random(f"page {number}")
    sort = rng.random()
    if sort < 0.3:
        return colluded(rng)
    if sort < 0.8:
        one = mutant(f"page {number}", (played(number // 25),) if sort < 0.45 else known())
        return one.how, one.data
    name, data = rng.choice(vectors())
    if rng.random() < 0.4 or not name.startswith(("complete", "cheated", "incomplete", "unresponsive")):
        return f"{name}: raw", spoilt(rng, data)
    read = transcript.read(data)
    frames, change = list(read.frames), rng.choice(BLIND)
    return f"{name}: {change.__name__}", transcript.write(read.genesis, change(rng, frames) if frames else [])


def colluded(rng: random.Random) -> tuple[str, bytes]:
    """A match that both players forged together."""
    source = rng.choice([one for one in known() if one.culprit is None and len(one.players) == 2])
    both = Collusion(rng, source, rng.choice(source.logs))
    for _ in range(rng.randrange(1, 8)):
        both.change()
    return f"{source.name}: together", transcript.write(source.begun.body, both.sealed())


def compared(numbers: Sequence[int]) -> tuple[Counter[str], list[str]]:
    """How many verdicts of each kind both gave, and the disagreements."""
    verdicts: Counter[str] = Counter()
    found: list[str] = []
    for every in (False, True):
        chosen = [number for number in numbers if number % 2 == every]
        written = [made(number) for number in chosen]
        theirs = by_the_page((data for _, data in written), every=every)
        for number, (how, data), told in zip(chosen, written, theirs, strict=True):
            verdicts[told["status"]] += 1
            wrong = disagreement(told, by_python(data, HERE, every=every))
            if wrong:
                found.append(f"transcript {number} ({how}): {wrong}")
    return verdicts, found


def disagreement(theirs: Told, ours: Told) -> str:
    """Where the verdict of the page differs from that of Python; nothing if they agree."""
    wrong = {key: (theirs.get(key), ours.get(key)) for key in theirs | ours}
    return ", ".join(
        f"{key}: page {one}, Python {other}" for key, (one, other) in wrong.items() if one != other
    )


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.page_verdicts")
    parser.add_argument("--seed", type=int, default=1, help="number of the campaign; each has its own")
    parser.add_argument("--count", type=int, default=2000, help="transcripts to judge")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    wanted = parser.parse_args(arguments)
    if node() is None:
        print("There is no Node, so nothing was compared.")
        return 1
    first = wanted.seed * 10_000_000
    numbers = range(first, first + wanted.count)
    chunks = [numbers[at : at + CHUNK] for at in range(0, wanted.count, CHUNK)]
    verdicts: Counter[str] = Counter()
    failures = 0
    with Pool(wanted.jobs) as pool:
        for counted, found in pool.imap(compared, chunks):
            verdicts += counted
            failures += len(found)
            for line in found:
                print(f"\n{line}", flush=True)
    told = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common())
    print(f"seed {wanted.seed}: {wanted.count} transcripts, {failures} disagreements: {told}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
