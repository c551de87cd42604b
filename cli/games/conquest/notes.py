"""The possible faces of the others' closed pieces with their chances, and the pieces that were mixed.

The chances are those for somebody who takes all layouts for equally likely.  A layout gives each closed
piece of a player one of the player's faces that are neither open nor known to the looker, and no piece a
face that it cannot be.  Pieces with the same known facts are alike, so layouts are counted by groups: over
the faces one after the other, by the number of each that goes to each group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from math import comb
from typing import Final, TypeAlias

from cli.games.conquest.names import LETTERS, SIGNS, zone
from cli.games.conquest.snapshot import SeenPiece, Snapshot
from cli.games.interface import ViewContext
from cli.text.layout import Line, styled, whole, wrapped
from p2p_stratego.conquest.rules.atlas import Zone
from p2p_stratego.conquest.rules.pieces import A_SIDE, FACES, Faces, faces_in
from p2p_stratego.conquest.rules.state import Piece, State
from p2p_stratego.core.game import Face, Seat, Slot
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.sampling import percent

MATTERS: Final[tuple[Face, ...]] = (11, 0, 10, 9, 8, 7, 6, 5, 4, 3, 1, 2)
"""Faces in the order of interest in a closed piece: first the faces that decide on attacking it."""
ASSUMED: Final = mark("layouts equally likely")
"""The assumption behind the percentages of all notes."""


def possible(odds: Chances) -> str:
    """The faces that are possible, with how likely they are, none broken in two: "F 4 %  K 8 %"."""
    return "  ".join(whole(f"{LETTERS[face]} {percent(odds[face])}") for face in MATTERS if odds.get(face))


def groups(context: ViewContext, moment: Snapshot, owner: Seat) -> list[tuple[list[Zone], Chances]]:
    """The closed pieces of a player on the map that this seat cannot read, by what they can be."""
    by_faces: dict[Faces, list[Zone]] = {}
    for at, seen in closed(moment, owner):
        if seen.piece is not None:
            by_faces.setdefault(seen.piece.could, []).append(at)
    by_kinds: Mapping[Faces, Chances] = chances(moment.state, owner, context.view.known) if by_faces else {}
    return [(zones, by_kinds.get(faces, {})) for faces, zones in sorted(by_faces.items())]


def closed(moment: Snapshot, owner: Seat) -> list[tuple[Zone, SeenPiece]]:
    """The pieces of a player on the map that this seat cannot read."""
    return [(at, seen) for at, seen in moment.pieces.items() if seen.seat == owner and seen.face is None]


def mixed(moment: Snapshot, owner: Seat) -> list[list[Zone]]:
    """The zones of closed pieces that were mixed with each other, for each Mix of which two or more stand."""
    by_mix: dict[int, list[Zone]] = {}
    for at, seen in closed(moment, owner):
        if seen.piece is not None and seen.piece.mixed:
            by_mix.setdefault(seen.piece.mixed, []).append(at)
    return [zones for _, zones in sorted(by_mix.items()) if len(zones) > 1]


def others(moment: Snapshot) -> Iterable[Seat]:
    """The seats of the others that are still in."""
    return (seat for seat in moment.state.still_in if seat != moment.seat)


def named(zones: Iterable[Zone]) -> str:
    """Zones in a list."""
    return ", ".join(zone(at) for at in zones)


def noted(context: ViewContext, moment: Snapshot, columns: int) -> list[Line]:
    """Notes on every other player's closed pieces."""
    lines: list[Line] = []
    for owner in others(moment):
        for zones, odds in groups(context, moment, owner):
            where = named(zones) if len(zones) <= _NAMED else _("{count} pieces", count=len(zones))
            head = styled(f" {SIGNS[owner]} {where}  ", f"seat{owner}")
            lines += wrapped((*head, *styled(possible(odds), "dim")), columns, 1)
        for zones in mixed(moment, owner):
            text = (
                *styled(_(" {sign} mixed: ", sign=SIGNS[owner]), f"seat{owner}"),
                *styled(named(zones), "dim"),
            )
            lines += wrapped(text, columns, 1)
    return lines or [styled(_(" Nothing is closed."), "dim")]


_NAMED: Final = 4
"""Zones that a note names; of more it says how many."""


Chances: TypeAlias = Mapping[Face, float]
"""By face, 0 to 1; faces that cannot be are left out."""
Groups: TypeAlias = tuple[tuple[Faces, int], ...]
"""The possible faces of pieces, with the number of these pieces; each set of faces once, ascending."""


def could_be(state: State, owner: Seat, known: Mapping[Slot, Face], piece: Piece) -> Chances:
    """The chances of a closed `piece` of `owner` for one who knows the faces in `known` besides open ones."""
    if piece.face is not None:
        return {piece.face: 1.0}
    if piece.slot in known:
        return {known[piece.slot]: 1.0}
    by_kinds = chances(state, owner, known)
    return by_kinds.get(piece.could) or dict.fromkeys(sorted(faces_in(piece.could)), 0.0)


def chances(state: State, owner: Seat, known: Mapping[Slot, Face]) -> Mapping[Faces, Chances]:
    """The same for all closed pieces of `owner`, by what everybody knows that they could be."""
    left, closed = Counter(dict(enumerate(A_SIDE))), Counter[Faces]()
    if state.flag_slots[owner] is not None:
        left[FACES[-1]] -= 1
    for piece in state.live(owner):
        face = known.get(piece.slot) if piece.face is None else piece.face
        if face is None:
            closed[piece.could] += 1
        else:
            left[face] -= 1
    return _chances(tuple(sorted(closed.items())), tuple(max(left[face], 0) for face in FACES))


@lru_cache(maxsize=256)
def _chances(groups: Groups, left: tuple[int, ...]) -> Mapping[Faces, Chances]:
    """By group, how likely each face is under one of its pieces; none if no layout is possible."""
    could = tuple(faces for faces, _ in groups)
    room = tuple(count for _, count in groups)
    total = _layouts(could, room, left, 0)
    if not total or sum(room) != sum(left):
        return {}
    expected = [dict.fromkeys(FACES, 0.0) for _ in groups]
    reached = Counter({room: 1})
    for face in FACES:
        onward: Counter[tuple[int, ...]] = Counter()
        for rest, ways in reached.items():
            for given, own in _shared(could, rest, face, left[face]):
                after = tuple(have - took for have, took in zip(rest, given, strict=True))
                onward[after] += ways * own
                weight = ways * own * _layouts(could, after, left, face + 1) / total
                for group, took in enumerate(given):
                    expected[group][face] += took * weight
        reached = onward
    return {
        faces: {face: value / count for face, value in sums.items() if value > 0}
        for (faces, count), sums in zip(groups, expected, strict=True)
    }


@lru_cache(maxsize=65536)
def _layouts(could: tuple[Faces, ...], room: tuple[int, ...], left: tuple[int, ...], face: Face) -> int:
    """In how many ways the faces from `face` on fill what `room` is left in each group."""
    if face == len(FACES):
        return int(not any(room))
    return sum(
        ways
        * _layouts(could, tuple(have - took for have, took in zip(room, given, strict=True)), left, face + 1)
        for given, ways in _shared(could, room, face, left[face])
    )


def _shared(
    could: tuple[Faces, ...], room: tuple[int, ...], face: Face, count: int
) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every way to share `count` pieces of one face among the groups, with the number of its layouts."""
    if not room:
        if not count:
            yield (), 1
        return
    most = min(count, room[0]) if could[0] >> face & 1 else 0
    for took in range(most + 1):
        for rest, ways in _shared(could[1:], room[1:], face, count - took):
            yield (took, *rest), ways * comb(room[0], took)
