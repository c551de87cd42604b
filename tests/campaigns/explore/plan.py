"""What a seed stands for: a table, the seats that forge there, and the habits of all."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from p2p_stratego.core.game import Game, Options
from p2p_stratego.registry import GAMES
from protocol.record.time_control import TimeControl
from tests.helpers.games.cups import CUPS
from tests.helpers.games.toy import TOY
from tests.helpers.links.gossiping import Edge

CLOCK: Final = TimeControl(900, 10)
PLAYED: Final[Mapping[str, Game[Any]]] = {**GAMES, TOY.name: TOY, CUPS.name: CUPS}


class Arena(NamedTuple):
    """A game in one profile and by one way.

    `seats`: as often as a table has so many; `weight`: how often of all; `lengths`: of schedules, in steps;
    `decisions`: how many honest seats make in the end, when those that forge are silent.
    """

    game: str
    seats: tuple[int, ...]
    weight: int
    lengths: tuple[int, ...]
    decisions: int
    proofs: bool = False
    post: bool = False
    takebacks: bool = False


SMALL: Final = (100, 300, 700, 1500)
ARENAS: Final[Mapping[str, Arena]] = MappingProxyType(
    {
        "toy": Arena(TOY.name, (3, 3, 4, 4, 5), 134, SMALL, 400),
        "toy-proofs": Arena(TOY.name, (3, 3, 4), 12, (100, 300, 700), 400, proofs=True),
        "toy-takebacks": Arena(TOY.name, (3, 3, 4, 5), 16, (100, 300, 700), 400, takebacks=True),
        "toy-post": Arena(TOY.name, (3, 3, 4), 20, (60, 150, 300), 400, post=True),
        "decks": Arena(CUPS.name, (3, 3, 4), 8, (100, 300), 100, proofs=True),
        "spies-and-lies": Arena("spies-and-lies", (3, 4), 14, (300, 700), 60),
        "spies-and-lies-proofs": Arena("spies-and-lies", (3, 4), 4, (300,), 20, proofs=True),
        "conquest": Arena("conquest", (3, 4), 8, (300, 700), 40),
        "conquest-proofs": Arena("conquest", (3,), 2, (300,), 20, proofs=True),
        "spies": Arena("spies", (3, 4, 5), 2, (200,), 10, proofs=True),
    }
)


@dataclass(frozen=True, slots=True)
class Plan:
    """One table.  The habits are chances, from 0 to 1.

    `edges`: the links between honest seats; `equivocates`: of a forging seat to sign another version of a
    record; `careful`: it signs nothing that is a fault by itself; `impatient`, `resigns`, `draws`: of honest
    players who could say so; `dies`: of an honest process, when the schedule has it die.
    """

    seed: int
    arena: str
    seats: int
    forging: tuple[int, ...]
    edges: tuple[Edge, ...]
    length: int
    escrow: int = 0
    control: TimeControl | None = None
    options: Options = field(default_factory=dict)
    equivocates: float = 0.0
    careful: bool = True
    impatient: float = 0.1
    resigns: float = 0.0
    draws: float = 0.0
    dies: bool = False

    @property
    def at(self) -> Arena:
        """The game, its profile, and the way of the records."""
        return ARENAS[self.arena]

    @property
    def game(self) -> Game[Any]:
        """The rules."""
        return PLAYED[self.at.game]

    @property
    def honest(self) -> tuple[int, ...]:
        """The seats with the real program."""
        return tuple(seat for seat in range(self.seats) if seat not in self.forging)


def plan(seed: int, arena: str = "") -> Plan:
    """The table of a seed; `arena`: not one by chance."""
    rng = random.Random(f"explore {seed}")
    by_chance = rng.choices([*ARENAS], [kind.weight for kind in ARENAS.values()])[0]
    arena = arena or by_chance
    at = ARENAS[arena]
    seats = rng.choice(at.seats)
    most = rng.randrange(1, seats) if rng.random() < 0.8 else 1
    forging = tuple(sorted(rng.sample(range(seats), most)))
    honest = [seat for seat in range(seats) if seat not in forging]
    edges = combinations(honest, 2) if rng.random() < 0.6 else pairwise(honest)
    escrow = rng.randrange(2, seats) if PLAYED[at.game].needs_proofs and rng.random() < 0.5 else 0
    return Plan(
        seed,
        arena,
        seats,
        forging,
        () if at.post else tuple(edges),
        rng.choice(at.lengths),
        escrow,
        CLOCK if not at.post and rng.random() < 0.2 else None,
        _options(at, rng),
        rng.choice((0.0, 0.0, 0.0, 0.02)),
        rng.random() < 0.85,
        rng.choice((0.02, 0.1, 0.5)),
        rng.choice((0.0, 0.1, 0.5)),
        rng.choice((0.0, 0.2, 0.8)),
        rng.random() < 0.5,
    )


def _options(at: Arena, rng: random.Random) -> Options:
    if at.game != TOY.name:
        return {}
    return {
        "rounds": rng.choice((1, 2)),
        "claims": rng.choice(("yes", "no")),
        "looks": rng.choice(("no", "no", "yes")),
    }
