"""What happens to one match of many: all follows from its seed, but for the timing of the processes."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, Final

from tests.campaigns.chaos.plan import BREAKS, FAULTS, Break, Fault

NAMES: Final = ("Ada", "Ben", "Cleo", "Dan", "Eve")
HOST: Final = NAMES[0]


@dataclass(frozen=True, slots=True)
class Kind:
    """A game of the campaign; `entries`: about so many has a short match of it."""

    game: str
    seats: int
    options: dict[str, Any]
    entries: int


KINDS: Final = (
    Kind("conquest", 3, {"rounds": 6}, 200),
    Kind("conquest", 4, {"rounds": 6}, 250),
    Kind("spies-and-lies", 4, {}, 150),
    Kind("toy", 5, {"rounds": 3, "claims": "yes", "looks": "yes"}, 150),
    Kind("toy", 3, {"rounds": 3, "looks": "yes"}, 80),
)


@dataclass(frozen=True, slots=True)
class Kill:
    """Kill these players (kill -9) once one of them has `entries` entries."""

    entries: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """One match.  `silent`: the guests that do not listen; `faults`: by player, for one process after the
    other; `breaks`: by player, for one connection to it after the other; `abandoned`: the player who does not
    come back after the last kill.
    """

    seed: int
    kind: Kind
    silent: tuple[str, ...]
    kills: tuple[Kill, ...]
    faults: dict[str, tuple[Fault | None, ...]]
    breaks: dict[str, tuple[Break | None, ...]]
    abandoned: str | None

    @property
    def names(self) -> tuple[str, ...]:
        """The players, the host first."""
        return NAMES[: self.kind.seats]


def plan(seed: int) -> Plan:
    """The plan of the match with this seed."""
    rng = random.Random(seed)
    kind = rng.choice(KINDS)
    names = NAMES[: kind.seats]
    abandoned = rng.choice(names) if rng.random() < 0.25 else None
    guests = [name for name in names[1:] if name != abandoned]
    # Whoever goes, one who listens is left.
    silent = tuple(sorted(rng.sample(guests, rng.choice((0, 0, 1, len(guests) - 1)))))
    kills = sorted(
        (rng.randint(0, kind.entries), tuple(sorted(rng.sample(names, rng.randint(1, 2)))))
        for _ in range(rng.randint(1, 4))
    )
    return Plan(
        seed,
        kind,
        silent,
        tuple(Kill(entries, who) for entries, who in kills),
        {name: tuple(_fault(rng) for _ in range(3)) for name in names},
        {name: tuple(_break(rng) for _ in range(8)) for name in names},
        abandoned,
    )


def _fault(rng: random.Random) -> Fault | None:
    if rng.random() < 0.6:
        return None
    return Fault(rng.choice(FAULTS), rng.randint(1, 60), rng.getrandbits(32))


def _break(rng: random.Random) -> Break | None:
    return Break(rng.choice(BREAKS), rng.randint(0, 30_000)) if rng.random() < 0.5 else None
