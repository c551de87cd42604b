"""Matches of two to four seats in which one seat resigns, falls silent, or answers late, at any place."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from p2p_stratego.core.game import Game, Options
from protocol.failures import NotNow
from tests.helpers.games.players import honest
from tests.helpers.games.toy import TOY
from tests.helpers.seats.mesh import Mesh, Step
from tests.helpers.seats.pair import Decide, Seat

MOODS = ("late", "dead", "resigns and stays", "resigns and goes")
PATIENCE = 50
"""In one of so many events somebody loses patience though records are still under way."""


@dataclass
class Leaving:
    """A match in which `leaver` is muted after some events; every seat passes on what it admits."""

    mesh: Mesh
    leaver: int
    mood: str
    rng: random.Random
    lengths: dict[int, int] = field(default_factory=dict)

    @property
    def muted(self) -> bool:
        return self.mood in ("late", "dead")

    def gossip(self) -> None:
        for seat in self.mesh.seats:
            self.mesh.deliver(seat)
            for frame in seat.log[self.lengths.get(seat.seat, 0) :]:
                for other in self.mesh.seats:
                    if other is not seat:
                        self.mesh.links.setdefault((seat.seat, other.seat), deque()).append(frame)
            self.lengths[seat.seat] = len(seat.log)

    def events(self) -> list[Step]:
        self.gossip()
        quiet = self.leaver if self.muted else None
        steps: list[Step] = [
            partial(self.mesh.arrive, *link)
            for link, queue in sorted(self.mesh.links.items())
            if queue and link[0] != quiet
        ]
        return steps + [partial(self.decide, s) for s in self.mesh.seats if s.seat != quiet]

    def decide(self, seat: Seat) -> None:
        if seat.session.decision is not None:
            self.mesh.let_decide(seat)

    def busy(self) -> bool:
        quiet = self.leaver if self.muted else None
        return any(queue and link[0] != quiet for link, queue in self.mesh.links.items()) or any(
            seat.session.decision is not None for seat in self.mesh.seats if seat.seat != quiet
        )

    def lose_patience(self) -> bool:
        """Let the living claim that the seat which they wait for is away; return whether anybody did."""
        claimed = False
        for seat in self.mesh.seats:
            if seat.session.claimable is not None and not (self.muted and seat.seat == self.leaver):
                with suppress(NotNow):
                    seat.session.claim_away(60)
                    claimed = True
        return claimed

    def run(self, until: Callable[[], bool] = lambda: False) -> Leaving:
        """Go on until nobody has anything left to do, or `until`."""
        while not until():
            events = self.events()
            if self.busy() and self.rng.randrange(PATIENCE):
                self.rng.choice(events)()
                continue
            claimed = self.lose_patience()
            if self.mood == "late" and (not claimed or self.rng.randrange(3) == 0):
                self.mood = "back"
            elif not claimed and not self.busy():
                break
        return self

    @property
    def living(self) -> list[Seat]:
        return [s for s in self.mesh.seats if self.mood != "dead" or s.seat != self.leaver]


def left(
    seed: int,
    seats: int,
    mood: str,
    after: int,
    game: Game[Any] = TOY,
    *,
    escrow: int = 0,
    decide: Decide = honest,
    options: Options | None = None,
    proofs: bool = False,
) -> Leaving:
    """A whole match in which one seat behaves as `mood` says after so many events."""
    rng = random.Random(seed)
    toys: Options = {"rounds": 2, "claims": "yes" if seed % 2 else "no"}
    chosen = toys if game is TOY else options or {}
    mesh = Mesh(seed, game=game, options=chosen, seats=seats, decide=decide, escrow=escrow, proofs=proofs)
    mesh.run(rng, steps=after)
    leaver = rng.randrange(seats)
    if mood.startswith("resigns"):
        with suppress(NotNow):
            mesh.seats[leaver].session.resign()
        mesh.deliver(mesh.seats[leaver])
        mood = "late" if mood.endswith("stays") else "dead"
    return Leaving(mesh, leaver, mood, rng).run()
