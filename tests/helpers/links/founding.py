"""A match between players of one machine, which needs no lobby."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from p2p_stratego.core.game import Game, Options
from protocol.lobby.handshake import Person, seat_part
from protocol.record import genesis
from protocol.record.time_control import TimeControl
from protocol.seat.secrets import MASTER_BYTES, MatchSecrets
from protocol.storage.home import Owner
from protocol.storage.match_store import Store
from protocol.storage.route import Route


def founded(
    game: Game[Any],
    options: Options,
    owners: Sequence[Owner],
    bot: str,
    *,
    proofs: bool = False,
    escrow: int = 0,
    clock: TimeControl | None = None,
    takebacks: bool = False,
) -> list[Store]:
    """A new match between players of this machine, one store for each seat in order.

    `bot`: the level of the bots on all seats but the first, for the first player's route; "" if people play.
    `proofs`, `escrow`, `clock`, `takebacks`: as in the genesis.
    """
    masters = [owner.home.entropy(MASTER_BYTES) for owner in owners]
    players = tuple(
        seat_part(Person(owner.identity.key, owner.name), game, seat, MatchSecrets(masters[seat]))
        for seat, owner in enumerate(owners)
    )
    match = genesis.make(
        game, options, players, proofs=proofs, escrow=escrow, clock=clock, takebacks=takebacks
    )
    bots = {seat: bot for seat in range(1, len(owners)) if bot}
    routes = [Route(bots=bots), *(Route() for _ in owners[1:])]
    return [
        owner.home.create(match, master, route)
        for owner, master, route in zip(owners, masters, routes, strict=True)
    ]
