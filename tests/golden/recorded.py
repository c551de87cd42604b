"""Answers a game's asks from a list that was kept, and tells of each: what all playthroughs share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Generic

from p2p_stratego.core.game import (
    Ask,
    Choose,
    Claim,
    ClaimOneOf,
    Commit,
    DeckAsk,
    Face,
    Game,
    Mix,
    Open,
    OpenTo,
    Options,
    Roll,
    S,
    Seat,
    Slot,
    Together,
)
from p2p_stratego.core.rulebook import drive

NAMES: Final = ("Red", "Blue")
PEOPLE: Final = ("Anna", "Boris", "Cleo", "Dora")
"""The players of more than two seats."""


@dataclass(frozen=True)
class Words(Generic[S]):
    """What a playthrough needs to know of its game to tell of it."""

    face: Callable[[Face], str]
    tell: Callable[[S | None, S, tuple[str, ...]], tuple[str, ...]]
    where: Callable[[S], str]
    """A line that sums up the state."""


class Recorded(Generic[S]):
    """Plays one game; a kept answer is a move, a number of chance, or the faces of a Commit.

    None: the seat that is asked has gone.
    """

    def __init__(self, game: Game[S], words: Words[S], answers: list[Any], seats: int = 2) -> None:
        self._game, self._words = game, words
        self._names = game.seat_names(seats)
        self._people = NAMES if seats == len(NAMES) else PEOPLE[:seats]
        self._left = iter(answers)
        self._faces: dict[Slot, Face] = {}
        self._owners: dict[Slot, Seat] = {}
        self._gone: list[Seat] = []
        """In the order of leaving."""
        self._told: list[str] = []

    def play(self, options: Options) -> Iterator[str]:
        """The lines of the playthrough."""
        yield f"{self._game.name}, rules version {self._game.version}"
        yield ""
        before: S | None = None
        number = 0
        state = drive(self._game.setup(len(self._names), self._game.options(options)), self._answer)
        while True:
            yield from self._told
            yield from self._words.tell(before, state, self._people)
            yield f"= {self._words.where(state)}"
            yield ""
            if self._game.outcome(state) is not None:
                break
            self._told.clear()
            turn = self._game.turn(state)
            if number < len(self._gone):
                turn = self._game.gone(state, self._gone[number])
                number += 1
            before, state = state, drive(turn, self._answer)
        assert next(self._left, None) is None

    def _answer(self, ask: Ask) -> Any:
        assert not isinstance(ask, ClaimOneOf | DeckAsk)
        if isinstance(ask, Together):
            return tuple(map(self._answer, ask.asks))
        if isinstance(ask, Open | OpenTo):
            return self._show(ask)
        name = "" if isinstance(ask, Roll) else self._names[ask.seat]
        if isinstance(ask, Claim):
            slots = ", ".join(map(str, ask.slots))
            self._told.append(f"  {name} claims not to break {ask.rule} with slot {slots}")
            return None
        if not isinstance(ask, Roll) and ask.seat in self._gone:
            return None
        answer = next(self._left)
        if isinstance(ask, Roll):
            self._told.append(f"  chance rolls {answer} of {ask.sides}")
            return answer
        if answer is None:
            self._told.append(f"  {name} has gone")
            self._gone.append(ask.seat)
            return None
        if isinstance(ask, Choose):
            assert answer in ask.options
            self._told.append(f"  {name} chooses of {len(ask.options)}: {answer}")
            return answer
        self._lay(ask, answer)
        return None

    def _show(self, ask: Open | OpenTo) -> Face | None:
        owner = self._owners[ask.slot]
        name, face = self._names[owner], self._faces[ask.slot]
        if owner in self._gone or (isinstance(ask, OpenTo) and ask.seat in self._gone):
            return None
        if isinstance(ask, OpenTo):
            self._told.append(f"  {name} shows slot {ask.slot} to {self._names[ask.seat]} alone")
            return None
        self._told.append(f"  {name} opens slot {ask.slot}: {self._words.face(face)}")
        return face

    def _lay(self, ask: Commit | Mix, faces: list[Face]) -> None:
        new = ask.new if isinstance(ask, Mix) else ask.slots
        self._faces.update(zip(new, faces, strict=True))
        self._owners.update(dict.fromkeys(new, ask.seat))
        did, secret = "commits", " ".join(map(str, faces))
        if isinstance(ask, Mix):
            assert sorted(faces) == sorted(self._faces[slot] for slot in ask.old)
            did = f"mixes slots {', '.join(map(str, ask.old))} into"
        line = f"  {self._names[ask.seat]} {did} slots {new[0]} to {new[-1]}, in secret: {secret}"
        self._told.append(line)
