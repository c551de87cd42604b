"""What happens to one match of many: all follows from its seed, but for the timing of the processes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from tests.campaigns.chaos.plan import BREAKS, FAULTS, Break, Fault
from tests.campaigns.tables.daggers import MESSAGES, MOMENTS, Dagger

NAMES: Final = ("Ada", "Ben", "Cleo", "Dan", "Eve")
HOST: Final = NAMES[0]
SPECTATORS: Final = ("Vera", "Will")
ACQUAINTED: Final = 8
"""Entries after which guests know each other's addresses: before, they meet only through the host."""
PATIENCE: Final = (5.0, 20.0)
"""The least and most seconds without a connection after which a player says that another one is away."""
AGAIN: Final = 1000
"""Added to the entries of a return match, where the plan says when something happens."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A game of the campaign.

    `entries`: about so many has a short match of it; `cards`: whether it has decks; `escrow`: as in the
    genesis; `ends`: the entries from which on all but one give up, as a whole match would be long.
    """

    game: str
    seats: int
    options: dict[str, Any]
    entries: int
    cards: bool = False
    escrow: int = 0
    ends: tuple[int, int] | None = None


KINDS: Final = (
    Kind("conquest", 3, {"rounds": 6}, 200),
    Kind("conquest", 4, {"rounds": 6}, 250),
    Kind("spies-and-lies", 4, {}, 150),
    Kind("toy", 5, {"rounds": 3, "claims": "yes", "looks": "yes"}, 150),
    Kind("toy", 3, {"rounds": 3, "looks": "yes"}, 80),
    Kind("cups", 3, {"rounds": 2}, 110, cards=True),
    Kind("cups", 4, {"rounds": 2}, 150, cards=True, escrow=2),
    Kind("spies", 3, {}, 230, cards=True, escrow=2, ends=(170, 260)),
    Kind("spies", 3, {"purse": "secret"}, 230, cards=True, ends=(170, 260)),
)


@dataclass(frozen=True, slots=True)
class Kill:
    """Kill these players (kill -9) once one of them has `entries` entries."""

    entries: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Absence:
    """`name` is away from when somebody has `entries` entries, for `seconds`; the others may say so.

    `stopped`: its process only sleeps, and goes on with what it knew; otherwise it is killed.
    """

    entries: int
    name: str
    seconds: float
    stopped: bool


@dataclass(frozen=True, slots=True)
class Wish:
    """A player who wants the match to end once somebody has `entries` entries."""

    entries: int
    name: str


@dataclass(frozen=True, slots=True)
class Plan:
    """One match.

    `silent`: the guests that do not listen; `faults`: by player, for one process after the other; `breaks`:
    by player, for one connection to it after the other; `gone`: who does not come back, and from when on;
    `late`: an absence that the others may put on record; `resigns`: who gives up; `draw`: an offer; `agrees`:
    who would accept one; `spectators`: those who watch, and when they are killed; `rematch`: whether all want
    a return match; `early`: before the match has begun, by player, the seconds after which one process after
    the other is killed; `early_breaks`: the same as `breaks`, before the match has begun; `daggers`: by
    player, what one process after the other dies over, in a game with decks.
    """

    seed: int
    kind: Kind
    silent: tuple[str, ...]
    kills: tuple[Kill, ...]
    faults: dict[str, tuple[Fault | None, ...]]
    breaks: dict[str, tuple[Break | None, ...]]
    gone: tuple[Wish, ...] = ()
    late: Absence | None = None
    resigns: tuple[Wish, ...] = ()
    draw: Wish | None = None
    agrees: tuple[str, ...] = ()
    spectators: dict[str, tuple[int, ...]] | None = None
    rematch: bool = False
    early: dict[str, tuple[float, ...]] | None = None
    early_breaks: dict[str, tuple[Break | None, ...]] | None = None
    patience: dict[str, float] | None = None
    daggers: dict[str, tuple[Dagger | None, ...]] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The players, the host first."""
        return NAMES[: self.kind.seats]


def plan(seed: int) -> Plan:
    """The plan of the match with this seed."""
    rng = random.Random(seed)
    kind = rng.choice(KINDS)
    names = NAMES[: kind.seats]

    def when(share: float = 0.9) -> int:
        return rng.randint(0, int(share * kind.entries))

    rematch = kind.game == "toy" and rng.random() < 0.4
    leavers = [] if rematch else rng.sample(names, rng.choice((0, 0, 0, 0, 0, 1, 1, 2)))
    gone = tuple(
        sorted((Wish(max(ACQUAINTED, when()), name) for name in leavers), key=lambda wish: wish.entries)
    )
    stay = [name for name in names if name not in leavers]
    guests = [name for name in stay if name != HOST]
    # Whoever goes, one who listens is left.
    silent = tuple(
        sorted(rng.sample(guests, rng.choice((0, 0, min(1, len(guests)), max(0, len(guests) - 1)))))
    )
    late = None
    # Without its key nobody plays on over the cards of a seat that the others have taken out.
    if rng.random() < 0.6 and not rematch and (kind.escrow or not kind.cards):
        late = Absence(when(), rng.choice(stay), rng.uniform(0.5, 5.0), rng.random() < 0.5)
    resigns = tuple(Wish(when(), name) for name in rng.sample(names, rng.choice((0, 0, 0, 1, 1, 2))))
    if kind.ends is not None:
        resigns = tuple(Wish(rng.randint(*kind.ends), name) for name in rng.sample(names, len(names) - 1))
    draw = Wish(when(), rng.choice(names)) if rng.random() < 0.25 else None
    early, early_breaks = _early(rng, names) if rng.random() < 0.3 else (None, None)
    return Plan(
        seed,
        kind,
        silent,
        _kills(rng, kind, names, again=rematch),
        {name: tuple(_fault(rng) for _ in range(3)) for name in names},
        {name: tuple(_break(rng) for _ in range(8)) for name in names},
        gone,
        late,
        resigns,
        draw,
        tuple(name for name in names if rng.random() < 0.8) if draw is not None else (),
        _spectators(rng, kind) if rng.random() < 0.3 else None,
        rematch,
        early,
        early_breaks,
        {name: round(rng.uniform(*PATIENCE), 1) for name in names},
        {name: tuple(_dagger(rng, kind) for _ in range(4)) for name in names} if kind.cards else None,
    )


def _kills(rng: random.Random, kind: Kind, names: Sequence[str], *, again: bool) -> tuple[Kill, ...]:
    kills = [
        Kill(
            rng.randint(0, kind.entries) + (AGAIN if again and rng.random() < 0.5 else 0),
            tuple(sorted(rng.sample(names, rng.randint(1, 2)))),
        )
        for _ in range(rng.randint(1, 4))
    ]
    return tuple(sorted(kills, key=lambda kill: (kill.entries, kill.names)))


def _spectators(rng: random.Random, kind: Kind) -> dict[str, tuple[int, ...]]:
    return {
        name: tuple(sorted(rng.randint(1, kind.entries) for _ in range(rng.randint(0, 3))))
        for name in SPECTATORS[: rng.randint(1, len(SPECTATORS))]
    }


def _early(
    rng: random.Random, names: Sequence[str]
) -> tuple[dict[str, tuple[float, ...]], dict[str, tuple[Break | None, ...]]]:
    killed = {
        name: tuple(round(rng.uniform(0.02, 0.8), 3) for _ in range(rng.choice((0, 0, 1, 2))))
        for name in names
    }
    breaks = {name: tuple(_break(rng, 4000) for _ in range(rng.randint(0, 3))) for name in names}
    return killed, breaks


def _dagger(rng: random.Random, kind: Kind) -> Dagger | None:
    if rng.random() < 0.4:
        return None
    what, moment = rng.choice(MESSAGES if kind.game == "spies" else MESSAGES[:-1]), rng.choice(MOMENTS)
    return Dagger("Shuffled" if moment == "working" else what, rng.randint(1, 4), moment)


def _fault(rng: random.Random) -> Fault | None:
    if rng.random() < 0.6:
        return None
    return Fault(rng.choice(FAULTS), rng.randint(1, 60), rng.getrandbits(32))


def _break(rng: random.Random, most: int = 30_000) -> Break | None:
    return Break(rng.choice(BREAKS), rng.randint(0, most)) if rng.random() < 0.5 else None
