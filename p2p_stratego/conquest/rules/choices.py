"""The options of Chooses that offer many: collections that test membership, and list moves on demand only."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import combinations, product
from math import comb

from p2p_stratego.conquest.rules.atlas import NEIGHBOURS, TERRITORIES, ZONES, TerritoryId, Zone
from p2p_stratego.conquest.rules.movement import may, moves_of, public_face, surely_steps
from p2p_stratego.conquest.rules.notation import (
    NONE,
    STOP,
    accuse,
    fill,
    filled,
    is_fill,
    look,
    move,
    regroup,
    trio,
)
from p2p_stratego.conquest.rules.notation import zones as zones_of_move
from p2p_stratego.conquest.rules.pieces import FACES
from p2p_stratego.conquest.rules.state import SLOTS, State
from p2p_stratego.core.game import Move, Seat


@dataclass(frozen=True, slots=True)
class Moves(Collection[Move]):
    """Every move that could be legal by public facts; "none" or "stop" where the rules allow them."""

    state: State

    def __contains__(self, move: object) -> bool:
        if move == NONE:
            return self.state.made == 0 and not surely_steps(self.state)
        if move == STOP:
            return self.state.made > 0
        step = zones_of_move(move)
        return step is not None and may(self.state, *step)

    def __iter__(self) -> Iterator[Move]:
        state = self.state
        own = ((zone, public_face(state, zone)) for zone in state.zones_held(state.seat))
        yield from (move(source, target) for source, target in moves_of(state, own))
        yield from (word for word in (NONE, STOP) if word in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def own_zones(state: State, seat: Seat) -> tuple[Zone, ...]:
    """The zones of the territories that `seat` took, ascending: its places to fill."""
    places = {place for place, owner in enumerate(state.taken) if owner == seat}
    return tuple(sorted(zone for place in places for zone in TERRITORIES[place].zones))


def digits(state: State) -> int:
    """The hexadecimal digits of a side's places: 9 for two players, 6 for three."""
    return len(ZONES) // state.seats // 4


@dataclass(frozen=True, slots=True)
class Fillings(Collection[Move]):
    """Every way to fill 18 of a side's own zones; of the 36 of two players 9,075,135,300."""

    zones: tuple[Zone, ...]
    territories: tuple[TerritoryId, ...]
    """The territories that must not stay empty."""

    @property
    def digits(self) -> int:
        """Four zones a digit."""
        return len(self.zones) // 4

    def groups(self) -> list[set[int]]:
        """The places of each territory that must not stay empty."""
        return [{self.zones.index(zone) for zone in TERRITORIES[place].zones} for place in self.territories]

    def __contains__(self, move: object) -> bool:
        if not is_fill(move, self.digits):  # by its form: the list of all fillings would never end
            return False
        places = filled(str(move))
        return len(places) == SLOTS and all(group.intersection(places) for group in self.groups())

    def __iter__(self) -> Iterator[Move]:
        groups = self.groups()
        for places in combinations(range(len(self.zones)), SLOTS):
            if all(group.intersection(places) for group in groups):
                yield fill(places, self.digits)

    def __len__(self) -> int:
        # Inclusion and exclusion over the territories left empty, three zones each.
        free, groups = len(self.zones), len(self.territories)
        return sum(
            (-1) ** empty * comb(groups, empty) * comb(free - 3 * empty, SLOTS) for empty in range(groups + 1)
        )


@dataclass(frozen=True, slots=True)
class Trios(Collection[Move]):
    """Every three of these zones, for a regroup."""

    zones: tuple[Zone, ...]

    def __contains__(self, move: object) -> bool:
        zones = trio(move)  # the list of all trios of a large side is hundreds of texts
        return zones is not None and {*zones} <= {*self.zones}

    def __iter__(self) -> Iterator[Move]:
        return map(regroup, combinations(self.zones, 3))

    def __len__(self) -> int:
        return comb(len(self.zones), 3)


def pairs(state: State) -> tuple[tuple[Zone, Zone], ...]:
    """Every two pieces on neighbouring zones of which one at least is no piece of the player to move."""
    seat, board = state.seat, state.board
    neighbours = []
    for zone, piece in enumerate(board):
        if piece is None:
            continue
        for other in NEIGHBOURS[zone]:
            beside = board[other]
            if zone < other and beside is not None and not piece.seat == beside.seat == seat:
                neighbours.append((zone, other))
    return tuple(neighbours)


def looks(state: State) -> tuple[Move, ...]:
    """Every pair that Secret information can look at."""
    return tuple(map(look, pairs(state)))


@dataclass(frozen=True, slots=True)
class Accusations(Collection[Move]):
    """Every enemy piece with every kind that the Traitor can name."""

    state: State

    def _zones(self) -> tuple[Zone, ...]:
        seat = self.state.seat
        return tuple(
            zone for zone, piece in enumerate(self.state.board) if piece is not None and piece.seat != seat
        )

    def __contains__(self, move: object) -> bool:
        return move in set(self)

    def __iter__(self) -> Iterator[Move]:
        return (accuse(zone, face) for zone, face in product(self._zones(), FACES))

    def __len__(self) -> int:
        return len(self._zones()) * len(FACES)
