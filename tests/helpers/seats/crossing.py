"""Meshes of the toy game in which records cross."""

from __future__ import annotations

import random

from protocol.record.asks.choose import Choice
from tests.helpers.games.players import honest
from tests.helpers.games.toy import TOY
from tests.helpers.seats.mesh import Mesh


def table(seed: int, seats: int, *, claims: bool = False) -> Mesh:
    options = {"rounds": 2, "claims": "yes" if claims else "no"}
    return Mesh(seed, game=TOY, seats=seats, decide=honest, options=options)


def running(seats: int, *, seed: int = 1, claims: bool = False) -> Mesh:
    """A match in the middle: all sent records have arrived, and one seat owes a Choice."""
    mesh = table(seed, seats, claims=claims)
    rng = random.Random(seed)
    while True:
        mesh.carry(rng)
        owed = mesh.seats[0].session.referee.owed
        assert owed is not None
        if owed.message is Choice:
            return mesh
        rng.choice(mesh.events())()


def owing(mesh: Mesh) -> int:
    owed = mesh.seats[0].session.referee.owed
    assert owed is not None
    return owed.seat
