"""What happens to one match: everything follows from its seed, but for the timing of the processes."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, Final

SIDES: Final = ("host", "join")
GAMES: Final[tuple[tuple[str, dict[str, str | int]], ...]] = (
    ("spies-and-lies", {}),
    ("spies-and-lies", {}),
    ("stratego", {"army": "barrage"}),
    ("stratego", {"army": "duel"}),
    ("cups", {"rounds": 2}),
)
FAULTS: Final = ("no room", "write fails", "sync fails", "short writes", "power cut")
"""What a disk may do; see `faults`."""
BREAKS: Final = ("cut", "reset", "half-open", "slow")
"""What the wire may do; see `proxy`."""


@dataclass(frozen=True, slots=True)
class Kill:
    """Kill `sides` (kill -9) once one of them has `entries` entries."""

    entries: int
    sides: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """The disk of the process that gets it does `kind` at the `at`th write or sync."""

    kind: str
    at: int
    seed: int


@dataclass(frozen=True, slots=True)
class Break:
    """The wire does `kind` to one connection after `after` bytes."""

    kind: str
    after: int


@dataclass(frozen=True, slots=True)
class Plan:
    """One match.  `faults`: for one process after the other; `breaks`: for one connection after the other;
    `abandoned`: a side that is not started again after the last kill.
    """

    seed: int
    game: str
    options: dict[str, Any]
    kills: tuple[Kill, ...]
    faults: tuple[Fault | None, ...]
    breaks: tuple[Break | None, ...]
    abandoned: str | None


def plan(seed: int) -> Plan:
    """The plan of the match with this seed."""
    rng = random.Random(seed)
    game, options = rng.choice(GAMES)
    either = [("host",), ("join",), SIDES]
    kills = sorted((rng.randint(0, 70), rng.choice(either)) for _ in range(rng.randint(1, 4)))
    faults = [
        Fault(rng.choice(FAULTS), rng.randint(1, 40), rng.getrandbits(32)) if rng.random() < 0.5 else None
        for _ in range(5)
    ]
    breaks = [
        Break(rng.choice(BREAKS), rng.randint(0, 20_000)) if rng.random() < 0.6 else None for _ in range(5)
    ]
    return Plan(
        seed,
        game,
        dict(options),
        tuple(Kill(entries, sides) for entries, sides in kills),
        tuple(faults),
        tuple(breaks),
        rng.choice(SIDES) if rng.random() < 0.1 else None,
    )
