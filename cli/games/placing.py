"""Words of a player who places pieces on a board, whatever the board: both set-up editors read them alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from cli.games.interface import Ambiguous, NotPossible, Unknown
from p2p_stratego.core.game import Face

Place = TypeVar("Place")
"""Whatever a board calls a place of it."""


def the_piece(word: str, found: Sequence[Face], name: Callable[[Face], str], known: str) -> Face:
    """The one kind of piece that `word` means, of those `found` by it.

    `name`: what a kind is called; `known`: how a piece can be named, told if none is found.  Raises Unknown
    or Ambiguous.
    """
    if not found:
        raise Unknown(f"“{word[:24]}” is no piece. {known}")
    if len(found) > 1:
        raise Ambiguous(f"“{word[:24]}” could be {' or '.join(map(name, found))}.")
    return found[0]


def exchanged(
    places: dict[Place, Face], one: Place, other: Place, name: Callable[[Place], str], noun: str
) -> dict[Place, Face]:
    """The pieces by place after those on two places were exchanged, or one was moved to an empty place.

    `name`: what a place is called; `noun`: what all places are.  Raises NotPossible.
    """
    if one == other:
        raise NotPossible(f"{name(one)} is one {noun}: name two, to exchange what stands there.")
    if one not in places and other not in places:
        raise NotPossible(f"{name(one)} and {name(other)} are both empty: nothing to exchange.")
    moved = {one: other, other: one}
    return {moved.get(at, at): face for at, face in places.items()}
