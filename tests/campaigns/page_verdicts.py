"""Spoilt and forged transcripts, judged by Python's audit and by the verifier of the page, which must agree.

`python -m tests.campaigns.page_verdicts --seed 1 --count 2000`: compared are verdict, exit code, culprit,
place, rule, outcome, who owes what, and all counts; every second one with every signature.  Uses all cores.
`--kind "spies proofs"`: only records of this game, under this profile; `--each`: so many of each game and
profile.  Prints each disagreement with the number that makes it again, and exits with 1 if there was one.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial
from multiprocessing import Pool as Processes
from multiprocessing.pool import Pool
from typing import Final

from p2p_stratego.registry import GAMES
from protocol.wire import transcript
from tests.helpers.cheats.bout import judge
from tests.helpers.forgery.collusion import Collusion
from tests.helpers.forgery.corpus import Source, source_of, sources
from tests.helpers.forgery.hostile import SORTS, Forgery, Sort, honest_match, played_by_liars
from tests.helpers.forgery.mutate import BLIND, mutant, spoilt
from tests.helpers.games.toy import TOY
from tests.helpers.in_javascript.matches import random_match
from tests.helpers.in_javascript.page_verdicts import Told, by_python, by_the_page
from tests.helpers.machine.modules import VECTORS
from tests.helpers.machine.node import node

CHUNK: Final = 100
_LESSON: Final = (("allocation", "lesson"), ("talk", 0))
_SHORT: Final = (
    *[Sort("spies", 2, proofs=True, steps=160, options=_LESSON)] * 6,
    Sort("spies", 2, proofs=True, steps=90, options=(("talk", 0),)),
    Sort("spies", 3, proofs=True, steps=100, escrow=2),
    Sort("spies", 4, proofs=True, steps=60, options=(("allocation", "bid"), ("purse", "secret"))),
)
"""Beginnings of SPIES!: to check a shuffle with every proof takes the page half a second."""
KINDS: Final = {
    f"{game} {profile}": [
        sort
        for sort in (*(sort for sort in SORTS if sort.game != "spies"), *_SHORT)
        if (sort.game, sort.proofs) == (game, profile == "proofs")
    ]
    for game in (*GAMES, TOY.name)
    for profile in ("hashes", "proofs")
    if (game, profile) != ("spies", "hashes")
}
"""By game and profile: the sorts of matches whose records are spoilt."""
_MATCHES: Final = 3
"""True matches of each sort."""
HERE: Final = {**GAMES, TOY.name: TOY}
TRANSCRIPTS: Final = VECTORS / "transcripts"


@cache
def known() -> tuple[Source, ...]:
    """All matches, those of the page's games three times."""
    return tuple(source for source in sources() for _ in range(1 if source.begun.game is TOY else 3))


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
        forged = mutant(f"page {number}", (played(number // 25),) if sort < 0.45 else known())
        return forged.how, forged.data
    name, data = rng.choice(vectors())
    if rng.random() < 0.4 or not name.startswith(("complete", "cheated", "incomplete", "unresponsive")):
        return f"{name}: raw", spoilt(rng, data)
    read = transcript.read(data)
    frames, change = list(read.frames), rng.choice(BLIND)
    return f"{name}: {change.__name__}", transcript.write(read.genesis, change(rng, frames) if frames else [])


@cache
def of_sort(sort: Sort, seed: int) -> Source:
    """A true match of this sort, judged."""
    source = honest_match(sort, seed)
    return replace(source, reports=(judge(transcript.write(source.begun.body, source.logs[0])),))


def made_of(kind: str, number: int) -> tuple[str, bytes]:
    """The transcript of this number of one game and profile, always the same, and how it came to be."""
    rng = random.Random(f"page {kind} {number}")
    sort, chance = rng.choice(KINDS[kind]), rng.random()
    if sort.proofs and chance < 0.1:
        return f"{kind}: liars", played_by_liars(sort, rng, rng.choice((0.02, 0.1, 0.5)))
    source = of_sort(sort, rng.randrange(_MATCHES))
    if chance < 0.5:
        forged = Forgery(rng, source)
        how = [forged.change() for _ in range(rng.choice((1, 1, 2, 4)))]
        return f"{kind}: forged {'+'.join(how)}", forged.data
    if chance < 0.55:
        return f"{kind}: raw", spoilt(rng, transcript.write(source.begun.body, source.logs[0]))
    changed = mutant(f"page {kind} {number}", (source,))
    return f"{kind}: {changed.how}", changed.data


def colluded(rng: random.Random) -> tuple[str, bytes]:
    """A match that both players forged together."""
    source = rng.choice([other for other in known() if other.culprit is None and len(other.players) == 2])
    both = Collusion(rng, source, rng.choice(source.logs))
    for _ in range(rng.randrange(1, 8)):
        both.change()
    return f"{source.name}: together", transcript.write(source.begun.body, both.sealed())


def compared(numbers: Sequence[int], kind: str = "") -> tuple[Counter[str], list[str]]:
    """How many verdicts of each sort both gave, and the disagreements; `kind`: one of KINDS, or any match."""
    verdicts: Counter[str] = Counter()
    disagreements: list[str] = []
    for every in (False, True):
        chosen = [number for number in numbers if number % 2 == every]
        written = [made_of(kind, number) if kind else made(number) for number in chosen]
        theirs = by_the_page((data for _, data in written), every=every)
        for number, (how, data), verdict in zip(chosen, written, theirs, strict=True):
            verdicts[verdict["status"]] += 1
            wrong = disagreement(verdict, by_python(data, HERE, every=every))
            if wrong:
                disagreements.append(f"transcript {number} ({how}): {wrong}")
    return verdicts, disagreements


def disagreement(theirs: Told, ours: Told) -> str:
    """Where the verdict of the page differs from that of Python; nothing if they agree."""
    wrong = {key: (theirs.get(key), ours.get(key)) for key in theirs | ours}
    return ", ".join(
        f"{key}: page {of_page}, Python {other}"
        for key, (of_page, other) in wrong.items()
        if of_page != other
    )


def main(arguments: list[str]) -> int:
    """0: both agree about all."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.page_verdicts")
    parser.add_argument("--seed", type=int, default=1, help="number of the campaign; each has its own")
    parser.add_argument("--count", type=int, default=2000, help="transcripts to judge")
    parser.add_argument("--kind", choices=sorted(KINDS), default="", help="one game and profile")
    parser.add_argument("--each", action="store_true", help="so many of each game and profile")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    wanted = parser.parse_args(arguments)
    if node() is None:
        print("There is no Node, so nothing was compared.")
        return 1
    with Processes(wanted.jobs) as pool:
        kinds = [*KINDS] if wanted.each else [wanted.kind]
        failures = sum(_judged(pool, wanted.seed, wanted.count, kind) for kind in kinds)
    return 1 if failures else 0


def _judged(pool: Pool, seed: int, count: int, kind: str) -> int:
    """How many disagreements there are over so many transcripts of a kind."""
    first = seed * 10_000_000
    chunk = CHUNK // 10 if kind.startswith("spies ") else CHUNK
    chunks = [range(at, min(at + chunk, first + count)) for at in range(first, first + count, chunk)]
    verdicts: Counter[str] = Counter()
    failures = 0
    for counted, lines in pool.imap(partial(compared, kind=kind), chunks):
        verdicts += counted
        failures += len(lines)
        for line in lines:
            print(f"\n{line}", flush=True)
    text = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common())
    print(f"{kind or 'all'}, seed {seed}: {count} transcripts, {failures} disagreements: {text}", flush=True)
    return failures


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
