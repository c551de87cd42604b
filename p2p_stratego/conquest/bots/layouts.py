"""The chances of closed pieces for somebody who takes all layouts for equally likely.

A layout gives each closed piece of a player one of the player's faces that are neither open nor known to the
looker, and no piece a face that it cannot be.  Pieces with the same known facts are alike, so layouts are
counted by groups: over the faces one after the other, by the number of each that goes to each group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import comb
from typing import TypeAlias

from p2p_stratego.conquest.rules.pieces import A_SIDE, FACES, Faces, faces_in
from p2p_stratego.conquest.rules.state import Piece, State
from p2p_stratego.core.game import Face, Seat, Slot

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
