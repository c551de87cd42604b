"""Words of a player who places pieces on a board, whatever the board: both set-up editors read them alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from cli.games.interface import Ambiguous, Choice, NotPossible, Unknown
from p2p_stratego.core.game import Face, Slot
from p2p_stratego.core.view import View

Place = TypeVar("Place")
"""Whatever a board calls a place of it."""


def laid(view: View[Any], slots: Iterable[Slot]) -> tuple[Face, ...] | None:
    """The faces of a seat's own `slots` in the order in which it has laid them, if it has."""
    wanted = list(slots)
    return tuple(view.known[each] for each in wanted) if all(each in view.known for each in wanted) else None


def changes(typed: str, words: Sequence[str], ready: str, *, whole: bool, right: bool) -> tuple[Choice, ...]:
    """The `words` for changes of a draft that begin with `typed`, and `ready` if the draft is `whole`.

    `whole`: as many pieces as there must be are placed; `right`: they are the right ones.
    """
    offered = list(words)
    if whole:
        offered.insert(0 if right else len(offered), ready)  # a wrong army loses the game: it comes last
    said = typed.strip().lower()
    return tuple(Choice(word, word) for word in offered if word.startswith(said))


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
