"""Whole matches between players of one's choice, signed and over, for what counts results."""

from __future__ import annotations

import hashlib
import random
from typing import Any

from p2p_stratego.core.game import Decision, Game, Options
from p2p_stratego.registry import GAMES, make_bot
from protocol.crypto.keys import Identity
from protocol.record.asks.base import Decided
from protocol.seat.session import Session
from tests.helpers.program.commands import honest
from tests.helpers.seats.pair import Decide, Table


def identity(name: str) -> Identity:
    """A player's key, the same in every test."""
    return Identity(hashlib.sha256(name.encode()).digest())


def key(name: str) -> str:
    """In 64 hex digits."""
    return identity(name).key.hex()


def played(
    *names: str,
    seed: int = 0,
    game: str = "spies-and-lies",
    loser: int | None = None,
    steps: int = 1_000_000,
    options: Options | None = None,
    word: str = "",
    decide: Decide | None = None,
) -> Table:
    """A match of the players in `names`, by seat, up to its end; `loser`: the seat that resigns at once;
    `word`: what they wear behind their names.
    """
    rules: Game[Any] = GAMES[game]
    table = Table(
        seed,
        game=rules,
        options=options if options or game != "stratego" else {"army": "classic"},
        seats=len(names),
        identities=[identity(name) for name in names],
        names=[f"{name} {word}".strip() for name in names],
        decide=decide or (honest if game == "spies-and-lies" else _recruits(game)),
    )
    if loser is None:
        return table.play(steps=steps)
    table.play(steps=8)
    table.hold()
    table.seats[loser].session.resign()
    return table.play()


def _recruits(game: str) -> Decide:
    """Bots that make any move that the rules allow."""

    def decide(session: Session, _decision: Decision, rng: random.Random) -> Decided:
        return make_bot(game, "recruit", rng).decide(session.view)

    return decide


def transcript(table: Table, seat: int = 0) -> bytes:
    """The record as one seat has it."""
    return table.seats[seat].transcript
