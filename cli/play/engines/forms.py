"""What an engine is told, as JSON values: states, Asks with their answers, and steps (docs/engines.md).

One form for the games of all packages: the fields of the rules' own values, by their names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import Any, Final, TypeAlias

from cli.reports.describe import edition
from p2p_stratego.core.game import Ask, Game, Options, Seat, Together
from p2p_stratego.core.language import english
from p2p_stratego.core.narration import Narration
from p2p_stratego.core.values import frozen
from protocol.record.asks.base import Answered, Reached

Json: TypeAlias = Any
"""None, bool, int, float, str, list, or dict by str."""
History: TypeAlias = Sequence[Answered | Reached]
_LONG: Final = "options"
"""The field of a Choose that can have billions of values, and that tells nothing once the answer is known."""


@dataclass(frozen=True, slots=True)
class GameTerms:
    """The terms of one game, as the engine on one of its seats is told them."""

    game: Game[Any]
    options: Options
    """Complete."""
    seat: Seat
    names: tuple[str, ...]
    """The players, by seat."""
    seed: int | None = None
    """From which the engine can take its chance, so that a game can be repeated."""

    def parts(self) -> dict[str, Json]:
        """The keys of the line "game"."""
        seats = len(self.names)
        return {
            "game": self.game.name,
            **edition(self.game.version),
            "options": dict(self.options),
            "seats": list(self.game.seat_names(seats)),
            "sides": plain(self.game.sides(seats)),
            "seat": self.seat,
            "names": list(self.names),
            "seed": self.seed,
        }


def plain(value: object) -> Json:
    """A value of the rules: fields by name, bytes as numbers, sets ascending, keys as texts.

    Fields whose names begin with an underscore are left out: they are how, and not what.
    """
    match value:
        case Enum():
            return value.name
        case None | bool() | int() | float() | str():
            return value
        case bytes():
            return list(value)
        case tuple() if hasattr(value, "_fields"):
            return {name: plain(getattr(value, name)) for name in value._fields}
        case tuple() | list():
            return [plain(item) for item in value]
        case Set():
            return sorted((plain(item) for item in value), key=repr if _mixed(value) else None)
        case Mapping():
            return {str(plain(key)): plain(item) for key, item in value.items()}
    if not is_dataclass(value) or isinstance(value, type):
        return str(value)
    names = (field.name for field in fields(value))
    return {name: plain(getattr(value, name)) for name in names if not name.startswith("_")}


def _mixed(values: Set[object]) -> bool:
    """Whether `values` have no order of their own."""
    return not (all(isinstance(value, int) for value in values) or all(isinstance(v, str) for v in values))


def asked(ask: Ask) -> dict[str, Json]:
    """An Ask: its kind, and its fields but for the options of a Choose."""
    if isinstance(ask, Together):
        return {"ask": "Together", "asks": [asked(part) for part in ask.asks]}
    values = {field.name: plain(getattr(ask, field.name)) for field in fields(ask) if field.name != _LONG}
    return {"ask": type(ask).__name__, **values}


@frozen
class News:
    """What happened since an engine was told last.

    `start`: how many Asks of those that were told still hold; the engine forgets the others.
    """

    start: int
    asks: list[dict[str, Json]]
    steps: list[dict[str, Json]]

    def parts(self) -> dict[str, Json]:
        """The keys of the lines "decide" and "end"."""
        return {"from": self.start, "happened": self.asks, "steps": self.steps}


class Herald:
    """Tells one engine each Ask of one game once, and each step in the sentences of an export."""

    def __init__(self, narration: Narration, names: Sequence[str]) -> None:
        self._narration = narration
        self._names = names
        self._known: list[Answered | Reached] = []

    def news(self, history: History) -> News:
        """What `history` has that was not told.

        Another history can take the place of the one before, from somewhere on: a player has left, or a
        decision was taken back.
        """
        same = self._same(history)
        start = _asks(self._known[:same])
        before = next(
            (item.state for item in reversed(self._known[:same]) if isinstance(item, Reached)), None
        )
        number = len(self._known[:same]) - start
        fresh = list(history[same:])
        self._known[same:] = fresh
        asks = [
            {**asked(item.ask), "answer": plain(item.answer)} for item in fresh if isinstance(item, Answered)
        ]
        return News(start, asks, list(self._steps(fresh, before, number)))

    def _same(self, history: History) -> int:
        """How many items at the beginning are those that were told."""
        pairs = zip(self._known, history, strict=False)
        last = min(len(self._known), len(history)) - 1
        if last >= 0 and self._known[last] is history[last]:
            return last + 1  # an item is made once, so all before it are the same too
        return next((at for at, (old, new) in enumerate(pairs) if old is not new and old != new), last + 1)

    def _steps(self, fresh: History, before: Any, number: int) -> Iterator[dict[str, Json]]:
        for item in fresh:
            if isinstance(item, Reached):
                number += 1
                with english():
                    sentences = list(self._narration.step(before, item.state, self._names))
                yield {"step": number, "told": sentences}
                before = item.state


def _asks(history: History) -> int:
    return sum(isinstance(item, Answered) for item in history)
