"""A player for all seats that knows all cards: whole random games, crooked ones and leavers included.

Each game is played through the generators of the rules and written down as a scenario at the same time.  The
scenario of a game that seats have left is no valid one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from p2p_stratego.core.game import (
    Ask,
    Choose,
    Commit,
    DeckAsk,
    Face,
    Open,
    OpenTo,
    Roll,
    Seat,
    Slot,
    Together,
)
from p2p_stratego.core.rulebook import drive
from p2p_stratego.core.sides import last_side
from p2p_stratego.spies_and_lies.rules.chance import deck_left
from p2p_stratego.spies_and_lies.rules.components import (
    MISSIONS,
    RANKS,
    SERGEANT,
    SIDE_NAMES,
    SIDES,
    Rank,
    in_range,
)
from p2p_stratego.spies_and_lies.rules.game import GAME
from p2p_stratego.spies_and_lies.rules.notation import GUESSES, MARKS, mark
from p2p_stratego.spies_and_lies.rules.state import State, place, slot


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
    seats: int = 2
    leaves: float = 0.0
    """To go, for each seat that an Ask waits for."""
    gone: list[Seat] = field(default_factory=list)
    """In the order of leaving."""
    faces: dict[Slot, Face] = field(default_factory=dict)
    layers: dict[Slot, Seat] = field(default_factory=dict)
    """By slot: who laid it."""
    answers: list[tuple[Ask, Any]] = field(default_factory=list)
    state: State | None = None
    """The last frozen state; None during the set-up."""
    plans: dict[tuple[int, int], list[Rank]] = field(default_factory=dict)
    """By day and side: the four soldiers that are laid, or will be."""
    scenario: dict[str, Any] = field(default_factory=dict)
    """The game so far, as the referee reads it."""

    def play(self, wall: int, starter: str) -> Iterator[State]:
        """Every state of one game, the first after the set-up; to its end, or until a side is deserted."""
        options = GAME.options({"wall": wall, "starter": starter})
        self.state = state = drive(GAME.setup(self.seats, options), self.answer)
        yield state
        self.scenario = {
            "game": GAME.name,
            "options": {"wall": state.wall},
            "starter": SIDE_NAMES[state.starter],
            "old_intel": [*state.intel[0]],
            "days": [],
        }
        number = 0
        while GAME.outcome(state) is None and self.deserted is None:
            before, start = state, len(self.answers)
            if number < len(self.gone):
                turn = GAME.gone(before, self.gone[number])
                number += 1
            else:
                turn = GAME.turn(before)
            self.state = state = drive(turn, self.answer)
            if before.seating == state.seating:
                self._write(before, state, self.answers[start:])
            yield state

    @property
    def deserted(self) -> frozenset[Seat] | None:
        """The side that is left alone, if one is."""
        return last_side(GAME.sides(self.seats), self.gone)

    def _write(self, before: State, after: State, answers: list[tuple[Ask, Any]]) -> None:
        days = self.scenario["days"]
        if before.phase == "deploy":
            lines = [self.plans.get((before.day, side), []) for side in SIDES]
            days.append({"exhausted": _sides(before.exhausted), "deploy": _sides(lines)})
        elif before.phase == "intel":
            tokens = _sides([sorted(marks) for marks in after.marks])
            days[-1] |= {"intel": [*after.intel[-1]], "tokens": tokens, "turns": []}
        elif before.phase == "mission":
            replies = [reply for ask, reply in answers if isinstance(ask, Choose) and reply is not None]
            days[-1]["turns"].append(dict(map(_key, replies)))

    def answer(self, ask: Ask) -> Any:
        for seat in self._waited_for(ask):
            stays = seat in self.gone or self.deserted is not None  # that ends the match
            if not stays and self.random.random() < self.leaves:
                self.gone.append(seat)
        reply = self._answer(ask)
        self.answers.append((ask, reply))
        return reply

    def _waited_for(self, ask: Ask) -> list[Seat]:
        """The seats without which the table cannot go on."""
        if not self.leaves or isinstance(ask, DeckAsk):
            return []
        if isinstance(ask, Together):
            return [part.seat for part in ask.asks]
        if isinstance(ask, Roll):
            return list(range(self.seats))
        if isinstance(ask, OpenTo):
            return [ask.seat, self.layers[ask.slot]]
        return [self.layers[ask.slot]] if isinstance(ask, Open) else [ask.seat]

    def _answer(self, ask: Ask) -> Any:
        if isinstance(ask, Open):
            return None if self.layers[ask.slot] in self.gone else self.faces[ask.slot]
        if isinstance(ask, OpenTo):
            return None
        if isinstance(ask, Roll):
            return self.random.randrange(ask.sides)
        if isinstance(ask, Together):
            return tuple(map(self._decide, ask.asks))
        assert isinstance(ask, Choose | Commit)
        assert self.state is not None
        if isinstance(ask, Commit) or ask.seat in self.gone:
            return self._decide(ask)
        options = list(ask.options)
        if options[0] in GUESSES and self.random.random() < self.insight:
            name = slot(self.state.day, 1 - self.state.guesser, self.state.mission)
            return f"guess {self.faces[name]}"
        return self.random.choice(options)

    def _decide(self, ask: Choose | Commit) -> str | None:
        if ask.seat in self.gone:
            return None
        if isinstance(ask, Choose):
            return self._mark(ask)
        self._deploy(ask)
        return None

    def _deploy(self, ask: Commit) -> None:
        day, side, _ = place(ask.slots[0])
        line = self.plans.setdefault((day, side), self._plan(side))
        for name in ask.slots:
            assert name not in self.faces
            self.faces[name] = line[place(name)[2] - 1]
            self.layers[name] = ask.seat

    def _plan(self, side: int) -> list[Rank]:
        assert self.state is not None
        hand = [rank for rank in RANKS if rank not in self.state.exhausted[side]]
        line = sorted(self.random.sample(hand, len(MISSIONS)))
        if SERGEANT in line:
            line.remove(SERGEANT)
            line.insert(self.random.randrange(4), SERGEANT)
        if self.random.random() < self.disorder:
            self.random.shuffle(line)
        if self.random.random() < self.impossible:
            line = [self.random.choice(RANKS) for _ in MISSIONS]
        return line

    def _mark(self, ask: Choose) -> str:
        assert self.state is not None
        turned_up = next(reply for asked, reply in reversed(self.answers) if isinstance(asked, Roll))
        intel = deck_left(self.state.intel)[turned_up]
        marked = []
        own = frozenset[int]().union(*(MARKS[move] for move in ask.options))
        for mission in sorted(own):
            rank = self.faces[slot(self.state.day, self.state.seating.side(ask.seat), mission)]
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


def honest(random: Random, seats: int = 2, leaves: float = 0.0) -> Crook:
    """A player that never breaks a rule."""
    return Crook(random, insight=random.choice((0.1, 0.3, 0.6)), seats=seats, leaves=leaves)


def crooked(random: Random, seats: int = 2, leaves: float = 0.0) -> Crook:
    """A player that may break any, each game in its own way."""
    return Crook(
        random,
        seats=seats,
        leaves=leaves,
        disorder=random.choice((0.0, 0.3, 0.8)),
        impossible=random.choice((0.0, 0.0, 0.15)),
        lies=random.choice((0.0, 0.05, 0.4)),
        insight=random.choice((0.0, 0.1, 0.3, 0.9)),
    )
