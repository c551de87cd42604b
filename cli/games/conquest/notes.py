"""The possible faces of the others' closed pieces with their chances, and the pieces that were mixed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from cli.games.conquest.names import LETTERS, SIGNS, zone
from cli.games.conquest.snapshot import SeenPiece, Snapshot
from cli.games.interface import ViewContext
from cli.text.layout import Line, styled, whole, wrapped
from p2p_stratego.conquest.bots.layouts import Chances, chances
from p2p_stratego.conquest.rules.atlas import Zone
from p2p_stratego.conquest.rules.pieces import Faces
from p2p_stratego.core.game import Face, Seat
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
