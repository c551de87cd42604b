"""Meshes of the toy game in which records cross."""

from __future__ import annotations

import random

from protocol.record.asks.choose import Choice
from protocol.record.statements import Kind
from tests.helpers.mesh import Mesh
from tests.helpers.players import honest
from tests.helpers.toy import TOY


def table(seed: int, seats: int, *, claims: bool = False) -> Mesh:
    options = {"rounds": 2, "claims": "yes" if claims else "no"}
    return Mesh(seed, game=TOY, seats=seats, decide=honest, options=options)


def running(seats: int, *, seed: int = 1) -> Mesh:
    """A match in the middle: all sent records have arrived, and one seat owes a Choice."""
    mesh = table(seed, seats)
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


def crossed_end() -> Mesh:
    """Three seats: the third heard of a resignation before the entry that crossed it, and signed the END."""
    mesh = running(3, seed=2)
    mover = owing(mesh)
    quitter, third = (mover + 1) % 3, (mover + 2) % 3
    mesh.let_decide(mesh.seats[mover])
    mesh.seats[quitter].session.resign()
    for seat in mesh.seats:
        mesh.deliver(seat)
    mesh.arrive(quitter, third)
    assert mesh.seats[third].session.referee.statements[third][-1].kind is Kind.END
    mesh.run(random.Random(0))
    return mesh
