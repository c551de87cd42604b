"""`make archive-questions ROWS=…`: each question of reports and of the explorer, over so many matches.

The rows are those of real matches by bots, judged, with other ids, keys, lengths and days: `matches` is what
reports read, and judging a million records takes hours.
"""

from __future__ import annotations

import argparse
import copy
import random
import resource
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from cli.archive import opening_explorer, reports, schema, sql_questions, store
from cli.archive.opening_explorer import Explorer
from cli.archive.sql_questions import Questions
from p2p_stratego.registry import GAMES
from protocol.crypto.keys import fingerprint
from tests.helpers.archives.judged import filled, judge, rows
from tests.helpers.archives.records import match

REAL: Final = 24
"""Matches of each game of which the others are made."""
PLAYERS: Final = 10_000
SPAN: Final = 365 * 86_400
"""Seconds over which the matches are spread."""
BATCH: Final = 50_000


def real(game: str, folder: Path) -> list[dict[str, Any]]:
    """Rows of `matches` as an audit makes them."""
    archive = filled(folder / "real", {str(seed): match(seed, game)[0] for seed in range(REAL)})
    judge(archive)
    return rows(archive, schema.MATCHES)


def made(known: list[dict[str, Any]], count: int, chance: random.Random) -> Iterator[dict[str, Any]]:
    """So many other rows: each is a real one under another id, between other players, on another day.

    Lines of openings are those of any of the real matches, so that they are as different as theirs.
    """
    keys = [chance.randbytes(32) for _ in range(PLAYERS)]
    sitting = [(key.hex(), fingerprint(key), f"Player {at}") for at, key in enumerate(keys)]
    for _ in range(count):
        row = copy.copy(chance.choice(known))
        row["match"] = chance.randbytes(32).hex()
        row["changed"] = 1_700_000_000 + chance.randrange(SPAN)
        row["steps"] += chance.randrange(20)
        row["openings"] = chance.choice(known)["openings"]
        players = chance.sample(sitting, len(row["players"]))
        row["players"] = [
            {**player, "key": key, "fingerprint": print_, "name": name}
            for player, (key, print_, name) in zip(row["players"], players, strict=True)
        ]
        yield row


def archive_of(place: Path, game: str, count: int, chance: random.Random) -> store.Archive:
    """An archive of which only `matches` has rows."""
    archive = store.made(str(place / "club"), schema.USUAL_SHARDS)
    known = real(game, place)
    for begun in range(0, count, BATCH):
        batch = [*made(known, min(BATCH, count - begun), chance)]
        for row in batch:
            row["shard"] = schema.shard(row["match"], archive.depth)
        archive.append(schema.MATCHES, partial(_given, store.ordered(store.rows_of(schema.MATCHES, batch))))
    return archive


def _given(table: Any, _standing: Any) -> Any:
    return table


def cpu() -> float:
    """Processor seconds of this process, all its threads together."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def measured(name: str, ask: Callable[[], Any]) -> Any:
    """What `ask` gives; its seconds are printed."""
    wall, used = perf_counter(), cpu()
    given = ask()
    print(f"{cpu() - used:7.2f} CPU s  {perf_counter() - wall:7.2f} s  {name}", flush=True)
    return given


def report(asked: Questions, game: str) -> None:
    """Each table of a report, but for the ratings."""
    for query in reports.QUERIES:
        measured(query.title, partial(reports.answer, asked, query, game))
    measured("How matches begin", lambda: [*reports.openings(asked, game)])


def explorer(asked: Questions, game: str) -> None:
    """The explorer: its first page, then two choices deep, and the matches behind."""
    here = Explorer(asked, game)
    node = measured("explore: what there is", here.branches)[0].node
    for depth in (1, 2):
        listed = measured(f"explore: choice {depth}", partial(here.choices, node))
        node = node.then(listed.rows[0].word)
    measured(f"explore: the matches, {opening_explorer.MOST} at most", partial(here.matches, node))


def main() -> None:
    """Make the table, and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--game", choices=GAMES, default="spies-and-lies")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        chance = random.Random(given.seed)
        archive = measured("to make it", lambda: archive_of(Path(folder), given.game, given.rows, chance))
        stored = sum(path.stat().st_size for path in Path(archive.place).rglob("*.parquet"))
        print(f"{given.rows} rows of {given.game}, {stored / 1e6:.0f} MB in Parquet")
        with sql_questions.asking(archive) as asked:
            report(asked, given.game)
            explorer(asked, given.game)
            measured("The best by rating", partial(reports.ratings, asked, given.game))
    print(f"memory at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
