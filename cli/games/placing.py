"""Words of a player who places pieces on a board, alike for both set-up editors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, NamedTuple, TypeVar

from cli.games.interface import Ambiguous, Choice, NotPossible, Unknown
from p2p_stratego.core.game import Face, Slot
from p2p_stratego.core.language import _
from p2p_stratego.core.narration import either, joined
from p2p_stratego.core.view import View

Place = TypeVar("Place")
"""A board's own type for a place on it."""
NOTHING: Final = frozenset(("-", ".", "empty", "nothing", "none"))
"""Words for an empty place, where a piece could be named."""
READY: Final = "ready"
"""The word with which a player lays the draft."""
SETTLED: Final = "# The pieces are laid in this order.\n"
"""The first line of a kept draft of which only the places can still be chosen."""


class Refusals(NamedTuple):
    """Sentences about lines that change nothing, marked; each says what its game calls a place."""

    another: str
    """{put}: a place that is named alone."""
    same: str
    """{name}: a place that is named twice."""
    beyond: str
    """{beyond}: a name that no place has."""
    form: str
    """{part}: all else; {place}, {other}: two places, for an example."""


@dataclass(frozen=True, slots=True)
class Ground(Generic[Place]):
    """The places that one seat may fill, and how they and the pieces are named."""

    refusals: Refusals
    pattern: str
    """A place's name, as a regular expression."""
    examples: tuple[str, str]
    """The names of two places of the seat."""
    place: Callable[[str], Place]
    """The seat's place of this name.  Raises NotPossible."""
    name: Callable[[Place], str]
    piece: Callable[[str], Face]
    """The kind of piece that a word names.  Raises Misunderstood."""


def laid(view: View[Any], slots: Iterable[Slot]) -> tuple[Face, ...] | None:
    """The faces of a seat's own `slots` in the order in which it has laid them, if it has."""
    wanted = list(slots)
    return tuple(view.known[slot] for slot in wanted) if all(slot in view.known for slot in wanted) else None


def amiss(missing: str, superfluous: str) -> str:
    """Why a draft cannot be laid, in sentences: its missing and its superfluous pieces, each listed in words;
    "" if there are none.
    """
    return joined(
        _("Still to place: {pieces}.", pieces=missing) if missing else "",
        _("Too many: {pieces}.", pieces=superfluous) if superfluous else "",
    )


def changes(typed: str, words: Sequence[str], *, right: bool) -> tuple[Choice, ...]:
    """The `words` for changes of a draft that begin with `typed`, and READY if the army is `right`."""
    offered = [READY, *words] if right else words
    word_begun = typed.strip().lower()
    return tuple(Choice(word, word) for word in offered if word.startswith(word_begun))


def the_piece(word: str, faces: Sequence[Face], name: Callable[[Face], str], known: str) -> Face:
    """The kind of piece that `word` means, of `faces`, the kinds with such a name.

    `name`: the name of a kind; `known`: the names of all, for the refusal.  Raises Unknown or Ambiguous.
    """
    if not faces:
        raise Unknown(_("“{word}” is no piece. {known}", word=word[:24], known=known))
    if len(faces) > 1:
        raise Ambiguous(_("“{word}” could be {map}.", word=word[:24], map=either(list(map(name, faces)))))
    return faces[0]


def arranged(places: Mapping[Place, Face], typed: str, ground: Ground[Place]) -> dict[Place, Face]:
    """The pieces by place after `typed`: places with pieces, or two places; several divided by commas.

    Raises Misunderstood.
    """
    arrangement, pattern = dict(places), ground.pattern
    for part in (change.strip() for change in typed.lower().split(",")):
        if pair := re.fullmatch(rf"({pattern})(?:\s|-|to)*({pattern})", part):
            arrangement = _exchanged(arrangement, ground.place(pair[1]), ground.place(pair[2]), ground)
        elif (put := re.fullmatch(rf"({pattern})[\s:=]*(\S*)", part)) is None:
            raise _unknown(part, ground)
        elif not put[2]:
            raise NotPossible(_(ground.refusals.another, put=put[1]))
        else:
            at, face = ground.place(put[1]), None if put[2] in NOTHING else ground.piece(put[2])
            arrangement.pop(at, None)
            if face is not None:
                arrangement[at] = face
    return arrangement


def _exchanged(
    places: dict[Place, Face], place: Place, other: Place, ground: Ground[Place]
) -> dict[Place, Face]:
    """The pieces after those on two places were exchanged, or one was moved to an empty place."""
    name = ground.name
    if place == other:
        raise NotPossible(_(ground.refusals.same, name=name(place)))
    if place not in places and other not in places:
        raise NotPossible(
            _("{name} and {name2} are both empty: nothing to exchange.", name=name(place), name2=name(other))
        )
    moved = {place: other, other: place}
    return {moved.get(at, at): face for at, face in places.items()}


def _unknown(part: str, ground: Ground[Place]) -> Unknown:
    refusals, (place, other) = ground.refusals, ground.examples
    if beyond := re.match(rf"(?!{ground.pattern})([a-z][0-9]+)(?![a-z])", part):
        return Unknown(_(refusals.beyond, beyond=beyond[1][:24]))
    return Unknown(_(refusals.form, part=part[:40], place=place, other=other))
