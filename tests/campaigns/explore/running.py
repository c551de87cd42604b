"""One schedule from its seed to what came of it."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.campaigns.explore.invariants import Ends, Judgement, reopened, sure
from tests.campaigns.explore.plan import Plan, plan
from tests.campaigns.explore.schedule import Table
from tests.campaigns.explore.world import Broken, World
from tests.helpers.machine.homes import MEMORY, TEST


@dataclass
class Result:
    """What came of a schedule.

    `steps`: those of the schedule; `taken`: how many were, before an invariant broke; `ends`: how the match
    stood each time when all was at rest; `broken`: the name of the invariant that does not hold, or "";
    `text`: how; `done`: what happened, and how often.
    """

    plan: Plan
    steps: Sequence[int]
    taken: int = 0
    ends: list[str] = field(default_factory=list)
    broken: str = ""
    text: str = ""
    done: Counter[str] = field(default_factory=Counter)
    digest: str = ""
    """Stands for all that the honest seats have signed."""


def run(
    seed: int, arena: str = "", steps: Iterable[int] | None = None, notes: list[str] | None = None
) -> Result:
    """Play the schedule of a seed, or only these `steps` of it; `notes`: takes lines on what happens."""
    planned = plan(seed, arena)
    result = Result(planned, range(planned.length) if steps is None else sorted(steps))
    with _folder() as folder:
        world = World(folder, planned, notes)
        try:
            _play(world, result)
        except Broken as broken:
            result.broken, result.text = broken.invariant, broken.text
            world.note("BROKEN:", broken)
        finally:
            result.taken = world.steps
            result.done.update(world.done)
            result.digest = world.digest
            for seat in world.killed:
                world.dead.discard(seat)
            with suppress(Exception):  # what a broken program leaves open is closed below
                world.close()
            TEST.close()
    return result


def _play(world: World, result: Result) -> None:
    rng = random.Random(f"explore {world.plan.seed} end")
    ends = Ends()
    table = Table(world, ends.check)
    table.play(result.steps)
    for last in (False, True):
        world.rng = rng
        if last:
            world.note("-- the forging seats tell all")
            table.tell_all(rng)
        table.part_all()
        world.note("-- all come to rest")
        world.come_to_rest(world.plan.at.decisions)
        ends.check(world)
        judgement = Judgement(world)
        result.ends.append(judgement.check())
        judgement.cut(rng)
        judgement.forged(table.forger, rng)
        sure(world)
    reopened(world)


@contextmanager
def _folder() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="explore-", dir=MEMORY))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
