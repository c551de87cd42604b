"""A whole game as a script: every Ask with its answer, every state, and moves that were offered or not.

A script is JSON for `tests/page/compare_rules.mjs`, which plays it again with the rules in JavaScript and
names the first difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, Protocol

from p2p_stratego.core.driver import drive
from p2p_stratego.core.game import (
    Ask,
    Choose,
    Claim,
    Commit,
    Face,
    Game,
    Move,
    Open,
    OptionError,
    Options,
    Outcome,
    Roll,
    Slot,
    Together,
    Turn,
)

Json = Any
Script = dict[str, Json]
VIEWERS: Final[tuple[int | str, ...]] = (0, 1, "all", "nobody")
_TRIES: Final = 3
"""Strings that a script tries at each Choose."""


class Player(Protocol):
    """Answers all Asks of one game; the faces that it lays are remembered by the script."""

    def choose(self, state: Any, ask: Choose, faces: Mapping[Slot, Face]) -> Move:
        """One of the options."""
        ...

    def lay(self, state: Any, ask: Commit) -> tuple[Face, ...]:
        """A face for each slot."""
        ...

    def roll(self, sides: int) -> int:
        """0 ≤ x < sides."""
        ...


@dataclass(frozen=True)
class Tongue:
    """One game in JSON."""

    game: Game[Any]
    state: Callable[[Any], Json]
    """As the rules in JavaScript hold it."""
    observed: Callable[[Any, int | str, Mapping[Slot, Face]], Json]
    """As it may be drawn for a seat, "all" or "nobody"."""
    nonsense: Callable[[Random], Move]
    """A string that is hardly ever an option."""
    unlisted: tuple[type, ...] = ()
    """Kinds of options that scripts do not list, since there can be billions: some are tried."""


@dataclass
class _Writer:
    """Plays a game and writes its script."""

    tongue: Tongue
    player: Player
    random: Random
    observations: float
    """How many of the states are observed too, 0 to 1."""
    events: list[Json] = field(default_factory=list)
    faces: dict[Slot, Face] = field(default_factory=dict)
    said: list[Move] = field(default_factory=list)

    def play(self, options: Options, most: int | None) -> Any:
        """The last state, after at most `most` steps."""
        state = self.step(self.tongue.game.setup(2, options), None)
        while self.tongue.game.outcome(state) is None and most != 0:
            state = self.step(self.tongue.game.turn(state), state)
            most = None if most is None else most - 1
        return state

    def step(self, turn: Turn[Any], state: Any) -> Any:
        before = state
        state = drive(turn, lambda ask: self.answer(before, ask))
        self.events.append({"state": self.tongue.state(state)})
        if self.random.random() < self.observations:
            viewer = self.random.choice(VIEWERS)
            shown = self.tongue.observed(state, viewer, self.faces)
            faces = {str(slot): face for slot, face in self.faces.items()}
            self.events.append({"viewer": viewer, "faces": faces, "observed": shown})
        return state

    def answer(self, state: Any, ask: Ask) -> Any:
        tries = [self.tries(each) for each in _parts(ask)]
        asked = asked_json(ask, self.tongue.unlisted)
        answer = self.settle(state, ask)
        self.events.append({"ask": asked, "tries": tries, "answer": answer})
        return tuple(answer) if isinstance(ask, Together) else answer

    def settle(self, state: Any, ask: Ask) -> Any:
        if isinstance(ask, Together):
            return [self.settle(state, each) for each in ask.asks]
        if isinstance(ask, Choose):
            move = self.player.choose(state, ask, self.faces)
            assert move in ask.options
            self.said.append(move)
            return move
        if isinstance(ask, Commit):
            self.faces.update(zip(ask.slots, self.player.lay(state, ask), strict=True))
        if isinstance(ask, Open):
            return self.faces[ask.slot]
        return self.player.roll(ask.sides) if isinstance(ask, Roll) else None

    def tries(self, ask: Ask) -> list[tuple[Move, bool]]:
        """Some strings, and whether this Choose offers them."""
        if not isinstance(ask, Choose):
            return []
        words = [self.tongue.nonsense(self.random), "none"]
        words += [self.random.choice(self.said)] if self.said else []
        return [(word, word in ask.options) for word in words[:_TRIES]]


def script_of(
    tongue: Tongue,
    player: Player,
    options: Options,
    random: Random,
    *,
    observations: float = 0.1,
    most: int | None = None,
) -> tuple[Script, Outcome | None, Any]:
    """The script of a game that `player` plays, its Outcome, and its last state."""
    writer = _Writer(tongue, player, random, observations)
    chosen = tongue.game.options(options)
    state = writer.play(chosen, most)
    outcome = tongue.game.outcome(state)
    script = {
        "game": tongue.game.name,
        "options": list(chosen.items()),
        "events": writer.events,
        "outcome": outcome_json(outcome),
    }
    return script, outcome, state


def wanted_script(tongue: Tongue, wanted: Options) -> Script:
    """Options that somebody wants, and what the game makes of them; null: it does not offer them."""
    try:
        chosen = list(tongue.game.options(wanted).items())
    except OptionError:
        chosen = None
    return {"game": tongue.game.name, "wanted": list(wanted.items()), "chosen": chosen}


def asked_json(ask: Ask, unlisted: tuple[type, ...]) -> Json:
    """An Ask as the page's are; options and faces are sorted, options of a kind `unlisted` are left out."""
    kind = {"kind": type(ask).__name__}
    if isinstance(ask, Together):
        return {**kind, "asks": [asked_json(each, unlisted) for each in ask.asks]}
    if isinstance(ask, Choose):
        options = None if isinstance(ask.options, unlisted) else sorted(ask.options)
        return {**kind, "seat": ask.seat, "options": options}
    if isinstance(ask, Commit):
        faces = {"faces": sorted(ask.faces), "exactly": ask.exactly}
        return {**kind, "seat": ask.seat, "slots": ask.slots, **faces}
    if isinstance(ask, Claim):
        return {**kind, "seat": ask.seat, "rule": ask.rule, "slots": ask.slots, "faces": sorted(ask.faces)}
    if isinstance(ask, Open):
        return {**kind, "slot": ask.slot}
    assert isinstance(ask, Roll)
    return {**kind, "sides": ask.sides}


def outcome_json(outcome: Outcome | None) -> Json:
    """An Outcome as the page's."""
    if outcome is None:
        return None
    breach = outcome.breach and {"seat": outcome.breach.seat, "rule": outcome.breach.rule}
    return {"winners": sorted(outcome.winners), "reason": outcome.reason, "breach": breach}


def _parts(ask: Ask) -> Iterable[Ask]:
    return ask.asks if isinstance(ask, Together) else (ask,)


def camel(name: str) -> str:
    """`first_starter` as `firstStarter`."""
    first, *rest = name.split("_")
    return first + "".join(map(str.title, rest))


class Answers:
    """The answers of a written game, in the order of its Asks: a move, a list of faces, a roll."""

    def __init__(self, answers: Iterable[Json]) -> None:
        self._answers: Iterator[Json] = iter(answers)

    def choose(self, _state: Any, _ask: Choose, _faces: Mapping[Slot, Face]) -> Move:
        return str(next(self._answers))

    def lay(self, _state: Any, _ask: Commit) -> tuple[Face, ...]:
        return tuple(next(self._answers))

    def roll(self, _sides: int) -> int:
        return int(next(self._answers))
