"""What a game brings to the environments: its vocabulary, how it asks, and the numbers that a seat sees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar

from p2p_stratego.core.game import Commit, Face, Move, Options, Seat
from p2p_stratego.core.self_play import Decided
from p2p_stratego.core.view import View


class NotEncoded(Exception):
    """A variant that the environments cannot play; the text tells why."""


class Seated(Protocol):
    """The state of a game, as far as a Moment needs it."""

    @property
    def seats(self) -> int:
        """How many play."""
        ...


S = TypeVar("S", bound=Seated)


@dataclass(frozen=True, slots=True)
class Moment(Generic[S]):
    """The state now, in the middle of a step too, and the view of the seat that sees it."""

    view: View[S]
    state: S

    def seat(self, seat: Seat | None) -> int:
        """0: nobody; 1: the seat itself; then the others, clockwise."""
        return 0 if seat is None else 1 + (seat - self.view.seat) % self.state.seats


@dataclass(frozen=True, slots=True)
class Field:
    """One row of numbers in an observation."""

    name: str
    size: int
    """How many numbers, 1 or more."""
    read: Callable[[Any], Iterable[int]]
    """From a moment exactly `size` numbers, -32,768 to 32,767."""


@dataclass(frozen=True, slots=True)
class GameTable:
    """One game, for any number of seats."""

    words: tuple[Word, ...]
    """The vocabulary; the number of an action is the place of its word."""
    longest: int
    """Words of the longest answer."""
    fields: tuple[Field, ...]
    moment: Callable[[View[Any]], Any]
    """What the fields read from, made of the view of one seat alone."""
    ask: Callable[[View[Any]], Asking]
    """Asks for the view's decision: every answer that breaks no rule by what the seat knows, and no other."""
    spell: Callable[[View[Any], Decided], Sequence[Word]]
    """The words of an answer, in the order in which they are asked for."""
    check: Callable[[Options], None] = lambda _options: None
    """Raises NotEncoded for complete options that cannot be played here."""

    def observed(self, view: View[Any]) -> list[int]:
        """The numbers of all fields, one row behind the other."""
        moment = self.moment(view)
        numbers: list[int] = []
        for field in self.fields:
            before = len(numbers)
            numbers += field.read(moment)
            if len(numbers) - before != field.size:
                raise RuntimeError(f"the field {field.name} gave {len(numbers) - before} numbers")
        return numbers


Word: TypeAlias = str
Asking: TypeAlias = Generator[Sequence[Word], Word, Decided]
"""Yields the words possible next, at least one, no word twice; is sent one of them; returns the answer."""
END: Final[Word] = "."
"""Nothing follows: where an answer is also the beginning of a longer one."""


def face_word(face: Face) -> Word:
    """The word that lays a face."""
    return f"face {face}"


def face_words(faces: Iterable[Face]) -> tuple[Word, ...]:
    """The words for these faces, in their order."""
    return tuple(map(face_word, faces))


def laying(slots: int, faces: Iterable[Face], *, once: bool) -> Asking:
    """Faces for so many slots, one after the other; `once`: each as often as it stands in `faces`."""
    left = Counter(faces)
    laid: list[Face] = []
    for _ in range(slots):
        named = {face_word(face): face for face in sorted(left) if left[face] > 0}
        face = named[(yield tuple(named))]
        left[face] -= once
        laid.append(face)
    return tuple(laid)


def laying_for(decision: Commit) -> Asking:
    """Every answer to a Commit."""
    return laying(
        len(decision.slots), decision.faces if decision.exactly else {*decision.faces}, once=decision.exactly
    )


def picking(
    count: int, places: Sequence[Word], groups: Collection[Collection[Word]] = ()
) -> Generator[Sequence[Word], Word, tuple[Word, ...]]:
    """So many of `places` in any order, at least one of each group; as they were picked."""
    picked: list[Word] = []
    while len(picked) < count:
        missing = [group for group in groups if not set(group) & set(picked)]
        free = [place for place in places if place not in picked]
        if len(missing) == count - len(picked):
            free = [place for place in free if any(place in group for group in missing)]
        picked.append((yield free))
    return tuple(picked)


def listed(options: Iterable[tuple[Sequence[Word], Move]]) -> Asking:
    """One of these spelt moves, of which there is at least one."""
    left, at = list(options), 0
    while len(left) > 1:
        following = [words[at] if at < len(words) else END for words, _ in left]
        chosen = yield tuple(dict.fromkeys(following))
        left = [option for option, word in zip(left, following, strict=True) if word == chosen]
        at += 1
    return left[0][1]
