"""What a game brings to the environments: its vocabulary, how it asks, and the numbers that a seat sees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from cli.research.asking import Asking, Word
from p2p_stratego.core.game import Options, Seat
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
