"""Records that all seats forged together, through everything that reads records: `make hostile`.

`python -m tests.campaigns.hostile --seed 1 --count 2000`: of every game and under both profiles, with
other faces, points, kinds and numbers, and whole matches of liars.  Each has to come to a verdict or a typed
refusal, and a proof has to hold.  Prints each record that fails, with the number that makes it again, and
exits with 1 if there was one.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing import Pool
from typing import Any, Final

from cli.page import content
from cli.reports import describe, history, match_json, match_text
from cli.shell.exit_codes import Sorry
from cli.studies.analysis.analysing import Work, whole
from cli.studies.playback import Replay
from cli.studies.statistics import facts
from cli.studies.tournament import evidence
from p2p_stratego.registry import GAMES
from protocol.audit import proof
from protocol.audit.comparison import compare
from protocol.audit.verdict import ProofPolicy, Replayed, audit, replay
from protocol.crypto.proofs.verification import keeping
from protocol.errors import Refusal
from protocol.wire import transcript
from tests.helpers.forgery.hostile import EVERY, SORTS, Forgery, Sort, honest_match, played_by_liars

CHUNK: Final = 10
MATCHES: Final = 3
"""True matches of each sort that are rewritten."""
ANALYSED: Final = 0.1
"""Of the records; an analysis takes longest."""


def made(number: int) -> tuple[Sort, str, list[bytes]]:
    """Copies of one match, how they came to be: always the same."""
    rng = random.Random(f"hostile {number}")
    sort = rng.choice(SORTS)
    if sort.proofs and rng.random() < 0.4:
        return sort, "liars", [played_by_liars(sort, rng, rng.choice((0.02, 0.1, 0.5)))]
    source = honest_match(sort, rng.randrange(MATCHES))
    forged = Forgery(rng, source)
    how = [forged.change() for _ in range(rng.choice((1, 1, 2, 4)))]
    true = transcript.write(source.begun.body, source.logs[0])
    return sort, f"forged {'+'.join(how)}", [forged.data, true][: rng.choice((1, 2))]


def _read(replayed: Replayed, data: bytes, rng: random.Random) -> Iterator[Callable[[], Any]]:
    """What commands make of one record of a game that they know."""
    yield lambda: match_json.plain(replayed)
    yield lambda: match_text.text(replayed)
    yield lambda: describe.audited(replayed.report)
    yield lambda: describe.verdict(replayed.report)
    yield lambda: Replay.of(history.of_match(replayed))
    yield lambda: facts.of(replayed)
    yield lambda: content.page(replayed, data, "en")
    yield lambda: evidence.judged({evidence.digest(data): data})
    if rng.random() < ANALYSED:
        yield lambda: whole(lambda: Work(replayed, history.of_match(replayed)), 0.0)


def tried(number: int) -> tuple[str, str]:
    """What the copies of this number come to, and what goes wrong over them, if anything does."""
    sort, how, copies = made(number)
    rng = random.Random(f"read {number}")
    verdict = "refused"
    try:
        with keeping():
            for data in copies:
                for every in (False, True):
                    report = audit(data, EVERY, every_signature=every, proving=ProofPolicy(every=every))
                    verdict = f"{report.verdict.value} {report.fault.rule if report.fault else ''}".strip()
                    if report.proof is not None and proof.check(report.proof, EVERY) != report.fault:
                        return verdict, f"{number} {sort} {how}: a fault without a proof"
                if sort.game in GAMES:
                    replayed = replay(data, EVERY)
                    for work in _read(replayed, data, rng):
                        with suppress(Refusal, Sorry):
                            work()
            compare(copies, EVERY)
    except Exception:
        return "failed", f"{number} {sort} {how}:\n{traceback.format_exc(limit=-6)}"
    return verdict, ""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.hostile")
    parser.add_argument("--seed", type=int, default=1, help="number of the campaign; each has its own")
    parser.add_argument("--count", type=int, default=2000, help="matches to forge")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    wanted = parser.parse_args(arguments)
    first = wanted.seed * 10_000_000
    verdicts: Counter[str] = Counter()
    failures = 0
    with Pool(wanted.jobs) as pool:
        for verdict, failure in pool.imap_unordered(tried, range(first, first + wanted.count), CHUNK):
            verdicts[verdict] += 1
            failures += bool(failure)
            if failure:
                print(f"\n{failure}", flush=True)
    text = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common())
    print(f"seed {wanted.seed}: {wanted.count} matches, {failures} that fail: {text}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
