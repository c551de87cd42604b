"""Answers a game's asks from a list that was kept, and tells of each: what all playthroughs share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Generic

from p2p_stratego.core.driver import drive
from p2p_stratego.core.game import (
    Ask,
    Choose,
    Claim,
    Commit,
    Face,
    Game,
    Open,
    Options,
    Roll,
    S,
    Seat,
    Slot,
    Together,
)

NAMES: Final = ("Red", "Blue")


@dataclass(frozen=True)
class Words(Generic[S]):
    """What a playthrough needs to know of its game to tell of it."""

    owner: Callable[[Slot], Seat]
    face: Callable[[Face], str]
    tell: Callable[[S | None, S, tuple[str, ...]], tuple[str, ...]]
    where: Callable[[S], str]
    """A line that sums up the state."""


class Recorded(Generic[S]):
    """Plays one game; a kept answer is a move, a number of chance, or the faces of a Commit."""

    def __init__(self, game: Game[S], words: Words[S], answers: list[Any]) -> None:
        self._game, self._words = game, words
        self._left = iter(answers)
        self._faces: dict[Slot, Face] = {}
        self._told: list[str] = []

    def play(self, options: Options) -> Iterator[str]:
        """The lines of the playthrough."""
        yield f"{self._game.name}, rules version {self._game.version}"
        yield ""
        before: S | None = None
        state = drive(self._game.setup(2, self._game.options(options)), self._answer)
        while True:
            yield from self._told
            yield from self._words.tell(before, state, NAMES)
            yield f"= {self._words.where(state)}"
            yield ""
            if self._game.outcome(state) is not None:
                break
            self._told.clear()
            before, state = state, drive(self._game.turn(state), self._answer)
        assert next(self._left, None) is None

    def _answer(self, ask: Ask) -> Any:
        if isinstance(ask, Together):
            return tuple(map(self._answer, ask.asks))
        if isinstance(ask, Open):
            face, owner = self._faces[ask.slot], self._name(self._words.owner(ask.slot))
            self._told.append(f"  {owner} opens slot {ask.slot}: {self._words.face(face)}")
            return face
        if isinstance(ask, Claim):
            slots = ", ".join(map(str, ask.slots))
            self._told.append(f"  {self._name(ask.seat)} claims not to break {ask.rule} with slot {slots}")
            return None
        answer = next(self._left)
        if isinstance(ask, Roll):
            self._told.append(f"  chance rolls {answer} of {ask.sides}")
            return answer
        name = self._name(ask.seat)
        if isinstance(ask, Choose):
            assert answer in ask.options
            self._told.append(f"  {name} chooses of {len(ask.options)}: {answer}")
            return answer
        assert isinstance(ask, Commit)
        self._faces.update(zip(ask.slots, answer, strict=True))
        secret = " ".join(map(str, answer))
        self._told.append(f"  {name} commits slots {ask.slots[0]} to {ask.slots[-1]}, in secret: {secret}")
        return None

    def _name(self, seat: Seat) -> str:
        return self._game.seat_names(self._game.seat_counts[0])[seat]
