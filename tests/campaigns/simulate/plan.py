"""What happens in one world: all follows from its seed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

from tests.campaigns.simulate.life import Misfortune
from tests.campaigns.simulate.net import BREAKS, NAMES, Weather
from tests.campaigns.tables.plan import ACQUAINTED, PATIENCE, Kind, Wish

KINDS: Final = (
    Kind("toy", 2, {}, 25),
    Kind("toy", 3, {"looks": "yes"}, 40),
    Kind("toy", 5, {"claims": "yes", "looks": "yes"}, 70),
    Kind("cups", 2, {}, 45, cards=True),
    Kind("cups", 3, {}, 60, cards=True, escrow=2),
    Kind("stratego", 2, {"army": "duel"}, 60, ends=(20, 60)),
    Kind("spies-and-lies", 2, {}, 120, ends=(30, 120)),
    Kind("spies-and-lies", 4, {}, 150, ends=(30, 120)),
    Kind("conquest", 3, {"rounds": 2}, 70, ends=(30, 80)),
)
WEIGHTS: Final = (6, 6, 3, 2, 2, 3, 3, 1, 2)
STARTS: Final = 3
"""Processes of a player that a misfortune may meet; the later ones live."""
BREAKING: Final = 8
"""Connections of a world that may break."""
_SHORT: Final = ("ENOSPC", "EIO", "short writes", "kill before", "kill after", "kill", "kill", "kill")


@dataclass(frozen=True, slots=True)
class Plan:
    """One world.

    `behind`: the players whom others call through a relay alone; `gone`: who does not come back, and from
    when on; `resigns`: who gives up; `draw`: an offer; `agrees`: who would accept one; `late`: a player that
    is away for so many seconds from an entry on; `old`: a player that once begins from a copy of its
    disk as it was then; `jumps`: how far the clocks on the wall jump, forth and back.
    """

    seed: int
    kind: Kind
    behind: tuple[str, ...]
    gone: tuple[Wish, ...]
    resigns: tuple[Wish, ...]
    draw: Wish | None
    agrees: tuple[str, ...]
    late: tuple[Wish, float] | None
    old: Wish | None
    jumps: float
    patience: float

    @property
    def names(self) -> tuple[str, ...]:
        """The players, the host first."""
        return NAMES[: self.kind.seats]

    def misfortune(self, name: str, start: int) -> Misfortune | None:
        """What happens to a process of a player, or of the relay."""
        rng = random.Random(f"{self.seed} {name} {start}")
        if start > STARTS or rng.random() < 0.4:
            return None
        what = rng.choice(_SHORT)
        most = 4000 if what == "kill" else 500
        at = int(most ** rng.random())
        return Misfortune(what, at, rng.random() < 0.4, rng.random() < 0.5)

    def weather(self, number: int) -> Weather:
        """What the connection with this number suffers."""
        rng = random.Random(f"{self.seed} connection {number}")
        delay = rng.choice((0.0, 0.01, 0.1, 2.0))
        breaks = rng.choice(BREAKS) if number < BREAKING and rng.random() < 0.6 else ""
        return Weather(rng, (0.0, delay), rng.choice((0.0, 0.3)), breaks, int(400 ** rng.random()) - 1)


def plan(seed: int) -> Plan:
    """The plan of the world with this seed."""
    rng = random.Random(seed)
    [kind] = rng.choices(KINDS, WEIGHTS)
    names = NAMES[: kind.seats]

    def when() -> int:
        return rng.randint(0, int(0.9 * kind.entries))

    leavers = rng.sample(names, rng.choice((0, 0, 0, 0, 1)))
    resigns = [Wish(when(), name) for name in rng.sample(names, rng.choice((0, 0, 0, 1)))]
    if kind.ends is not None:
        resigns = [Wish(rng.randint(*kind.ends), name) for name in rng.sample(names, len(names) - 1)]
    stay = [name for name in names if name not in leavers]
    late = None
    # Without its key nobody plays on over the cards of a seat that the others have taken out.
    if rng.random() < 0.2 and (kind.escrow or not kind.cards):
        late = Wish(when(), rng.choice(stay)), rng.uniform(0.5, 60.0)
    draw = Wish(when(), rng.choice(names)) if rng.random() < 0.2 else None
    return Plan(
        seed,
        kind,
        tuple(name for name in names if rng.random() < 0.25),
        tuple(Wish(max(ACQUAINTED, when()), name) for name in leavers),
        tuple(resigns),
        draw,
        tuple(name for name in names if rng.random() < 0.8) if draw is not None else (),
        late,
        Wish(when(), rng.choice(names)) if rng.random() < 0.3 else None,
        rng.choice((0.0, 0.0, 60.0, 86_400.0)),
        rng.uniform(*PATIENCE),
    )
