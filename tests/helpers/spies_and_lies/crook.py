"""A player for both sides that knows all cards: whole random games, crooked ones included.

Each game is played through the generators of the rules and written down as a scenario at the same time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from p2p_stratego.core.driver import drive
from p2p_stratego.core.game import Ask, Choose, Commit, Face, Open, Roll, Slot, Together
from p2p_stratego.spies_and_lies.rules.chance import deck_left
from p2p_stratego.spies_and_lies.rules.game import GAME
from p2p_stratego.spies_and_lies.rules.notation import GUESSES, mark
from p2p_stratego.spies_and_lies.rules.soldiers import (
    MISSIONS,
    RANKS,
    SIDE_NAMES,
    SIDES,
    SERGEANT,
    in_range,
)
from p2p_stratego.spies_and_lies.rules.state import State, place


@dataclass
class Crook:
    """Plays one game; the chances, 0 to 1, are for each deployment, mark, and guess."""

    random: Random
    disorder: float = 0.0
    """To lay four cards in any order."""
    impossible: float = 0.0
    """To lay cards that cannot be there."""
    lies: float = 0.0
    """To mark a mission falsely, other than the Sergeant's."""
    insight: float = 0.3
    """To guess right."""
    faces: dict[Slot, Face] = field(default_factory=dict)
    answers: list[tuple[Ask, Any]] = field(default_factory=list)
    state: State | None = None
    """The last frozen state; None during the set-up."""
    scenario: dict[str, Any] = field(default_factory=dict)
    """The game so far, as the referee reads it."""

    def play(self, wall: int, starter: str) -> Iterator[State]:
        """Every state of one game, the first after the set-up."""
        options = GAME.options({"wall": wall, "starter": starter})
        self.state = state = drive(GAME.setup(2, options), self.answer)
        yield state
        self.scenario = {
            "game": GAME.name,
            "options": {"wall": state.wall},
            "starter": GAME.seat_names(2)[state.starter],
            "old_intel": [*state.intel[0]],
            "days": [],
        }
        while GAME.outcome(state) is None:
            before, start = state, len(self.answers)
            self.state = state = drive(GAME.turn(before), self.answer)
            self._write(before, state, self.answers[start:])
            yield state

    def _write(self, before: State, after: State, answers: list[tuple[Ask, Any]]) -> None:
        days = self.scenario["days"]
        if before.phase == "deploy":
            lines = [self._line(seat) for seat in SIDES]
            days.append({"exhausted": _sides(before.exhausted), "deploy": _sides(lines)})
        elif before.phase == "intel":
            tokens = _sides([sorted(marks) for marks in after.marks])
            days[-1] |= {"intel": [*after.intel[-1]], "tokens": tokens, "turns": []}
        elif before.phase == "mission":
            days[-1]["turns"].append(dict(_key(reply) for ask, reply in answers if isinstance(ask, Choose)))

    def answer(self, ask: Ask) -> Any:
        reply = self._answer(ask)
        self.answers.append((ask, reply))
        return reply

    def _answer(self, ask: Ask) -> Any:
        if isinstance(ask, Open):
            return self.faces[ask.slot]
        if isinstance(ask, Roll):
            return self.random.randrange(ask.sides)
        if isinstance(ask, Together):
            return tuple(map(self._decide, ask.asks))
        assert isinstance(ask, Choose)
        assert self.state is not None
        options = list(ask.options)
        if options[0] in GUESSES and self.random.random() < self.insight:
            owner, number = 1 - self.state.guesser, self.state.mission
            return f"guess {self._line(owner)[number - 1]}"
        return self.random.choice(options)

    def _decide(self, ask: Choose | Commit) -> str | None:
        if isinstance(ask, Choose):
            return self._mark(ask)
        self._deploy(ask)
        return None

    def _line(self, seat: int) -> list[Face]:
        assert self.state is not None
        here = [(place(slot), face) for slot, face in self.faces.items()]
        return [face for (day, owner, _), face in here if (day, owner) == (self.state.day, seat)]

    def _deploy(self, ask: Commit) -> None:
        assert self.state is not None
        hand = [rank for rank in RANKS if rank not in self.state.exhausted[ask.seat]]
        line = sorted(self.random.sample(hand, len(MISSIONS)))
        if SERGEANT in line:
            line.remove(SERGEANT)
            line.insert(self.random.randrange(4), SERGEANT)
        if self.random.random() < self.disorder:
            self.random.shuffle(line)
        if self.random.random() < self.impossible:
            line = [self.random.choice(RANKS) for _ in MISSIONS]
        self.faces.update(zip(ask.slots, line, strict=True))

    def _mark(self, ask: Choose) -> str:
        assert self.state is not None
        turned_up = next(reply for asked, reply in reversed(self.answers) if isinstance(asked, Roll))
        intel = deck_left(self.state.intel)[turned_up]
        marked = []
        for mission, rank in zip(MISSIONS, self._line(ask.seat), strict=True):
            lies = self.random.random() < (0.5 if rank == SERGEANT else self.lies)
            if in_range(rank, intel) != lies:
                marked.append(mission)
        return mark(marked)


def _sides(values: Sequence[Sequence[int]]) -> dict[str, list[int]]:
    return {name: [*value] for name, value in zip(SIDE_NAMES, values, strict=True)}


def _key(move: str) -> tuple[str, object]:
    """The key of a scenario's turn, and its value, for one move of a mission turn."""
    if move.endswith("token"):
        return "deception", move == "token"
    verb, _, what = move.partition(" ")
    return verb, int(what) if what.isdigit() else what


def honest(random: Random) -> Crook:
    """A player that never breaks a rule."""
    return Crook(random, insight=random.choice((0.1, 0.3, 0.6)))


def crooked(random: Random) -> Crook:
    """A player that may break any, each game in its own way."""
    return Crook(
        random,
        disorder=random.choice((0.0, 0.3, 0.8)),
        impossible=random.choice((0.0, 0.0, 0.15)),
        lies=random.choice((0.0, 0.05, 0.4)),
        insight=random.choice((0.0, 0.1, 0.3, 0.9)),
    )
