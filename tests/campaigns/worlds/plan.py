"""The tables whose worlds are searched, and how far: what all have played, and what may follow."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from p2p_stratego.core.game import Decision, Game, Options, Seat
from protocol.crypto.keys import Identity
from protocol.record.asks.base import Decided
from protocol.record.entries import Folded
from protocol.record.genesis import Genesis
from protocol.record.referee import Referee
from protocol.record.statements import Kind
from protocol.seat.secrets import MatchSecrets
from protocol.seat.session import Session
from protocol.wire.encoding import Frame
from tests.helpers.games.cups import CUPS
from tests.helpers.games.players import honest
from tests.helpers.games.toy import TOY
from tests.helpers.seats.mesh import Mesh

GAMES: Final[Mapping[str, Game[Any]]] = {TOY.name: TOY, CUPS.name: CUPS}

SILENCE: Final = frozenset({Kind.AWAY, Kind.BACK})
LEAVING: Final = SILENCE | {Kind.RESIGN}
DRAWS: Final = frozenset({Kind.OFFER_DRAW, Kind.ACCEPT_DRAW, Kind.RESIGN})
ENDS: Final = frozenset({Kind.END, Kind.REVEAL, Kind.AWAY, Kind.RESIGN})
ALL: Final = frozenset(Kind) - {Kind.AGREE, Kind.SEALED}


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much may happen behind the beginning.  Within them every world is visited.

    `entries`: that a copy may gain, until nobody decides any more; `forged`: records that liars sign anew,
    for all copies together; `acts`: what the person of one honest seat may do beside deciding: call away,
    resign, offer and accept a draw, talk; `crashes`: of all honest processes together.
    """

    entries: int = 2
    forged: int = 2
    acts: int = 2
    crashes: int = 0


@dataclass(frozen=True, slots=True)
class Arena:
    """One table, and one place of its match.

    `place`: the entries that all have admitted when the search begins; −1: all of them; `liars`: seats that
    may sign anything; `kinds`: the statements that are signed there, by liars and by persons; `mute`: honest
    seats whose person does nothing but decide.
    """

    name: str
    place: int
    liars: frozenset[Seat] = frozenset()
    seats: int = 3
    game: str = TOY.name
    kinds: frozenset[Kind] = LEAVING
    bounds: Bounds = Bounds()
    options: tuple[tuple[str, int | str], ...] = ()
    proofs: bool = False
    mute: frozenset[Seat] = frozenset()

    @property
    def honest(self) -> tuple[Seat, ...]:
        """The seats with the real program."""
        return tuple(seat for seat in range(self.seats) if seat not in self.liars)


@dataclass(frozen=True)
class Beginning:
    """What all copies hold when a search begins.

    `recorded`: consents and entries; `vaults`: by seat, the decisions in its secrets file, and those of the
    whole match, which a liar knows beforehand.
    """

    genesis: Genesis
    identities: tuple[Identity, ...]
    masters: tuple[bytes, ...]
    recorded: tuple[Frame, ...]
    vaults: tuple[tuple[Mapping[int, Decided], Mapping[int, Decided]], ...] = field(repr=False)

    def secrets(self, seat: Seat, *, foreseen: bool = False) -> MatchSecrets:
        """The secrets of a seat as its file holds them; `foreseen`: with all decisions of the match."""
        secrets = MatchSecrets(self.masters[seat], bytes)
        secrets.decided.update(self.vaults[seat][foreseen])
        return secrets


def decision(session: Session, asked: Decision) -> Decided:
    """What an honest person decides: the same in every world."""
    return honest(session, asked, random.Random(f"worlds {session.seat} {session.referee.table.serial}"))


@cache
def _played(game: str, options: tuple[tuple[str, int | str], ...], seats: int, proofs: bool) -> Mesh:
    chosen: Options = dict(options)
    mesh = Mesh(
        3,
        game=GAMES[game],
        options=chosen,
        seats=seats,
        decide=lambda session, asked, _: decision(session, asked),
        proofs=proofs,
    )
    return mesh.run(random.Random(1))


def length(arena: Arena) -> int:
    """The entries of the whole match."""
    mesh = _played(arena.game, arena.options, arena.seats, arena.proofs)
    return mesh.seats[0].session.referee.count


@cache
def beginning(arena: Arena) -> Beginning:
    """The records of an honest match up to the place of the arena."""
    mesh = _played(arena.game, arena.options, arena.seats, arena.proofs)
    whole = mesh.seats[0].session.referee
    place = whole.count if arena.place < 0 else arena.place
    consents = [known[0].frame for known in whole.statements]
    entries = [entry.frame for entry in whole.entries[:place] if not isinstance(entry, Folded)]
    recorded = (*consents, *entries)
    referee = Referee(mesh.begun)
    since, serial = 0, -1
    for known in whole.statements:
        referee.admit(known[0], verified=True)
    for entry in whole.entries[:place]:
        if referee.table.serial != serial:
            since, serial = referee.count, referee.table.serial
        referee.admit(entry, verified=True)
    under_way = (
        {behind.seat for behind in referee.entries[since:]} if referee.table.serial == serial else set()
    )
    vaults = tuple(
        (
            {
                at: decided
                for at, decided in seat.secrets.decided.items()
                if at < referee.table.serial or (at == referee.table.serial and seat.seat in under_way)
            },
            dict(seat.secrets.decided),
        )
        for seat in mesh.seats
    )
    masters = tuple(seat.master for seat in mesh.seats)
    return Beginning(mesh.begun, tuple(seat.identity for seat in mesh.seats), masters, recorded, vaults)


def places(arena: Arena) -> Iterator[int]:
    """All places of the match of an arena, its end included."""
    yield from range(length(arena) + 1)
