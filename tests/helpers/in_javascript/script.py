"""A whole game as a script: every Ask with its answer, every state, and moves that were offered or not.

A script is JSON for `tests/page/compare_rules.mjs`, which plays it again with the rules in JavaScript and
names the first difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any, Final, Protocol

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
    Move,
    Open,
    OpenTo,
    OptionError,
    Options,
    Outcome,
    Roll,
    Seat,
    Slot,
    Together,
    Turn,
)
from p2p_stratego.core.rulebook import drive

Json = Any
Script = dict[str, Json]
OBSERVED: Final = 0.1
"""How many of the states are observed, if nothing else is said."""
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
    seats: int = 2
    events: list[Json] = field(default_factory=list)
    faces: dict[Slot, Face] = field(default_factory=dict)
    answers: list[Move] = field(default_factory=list)

    def play(self, options: Options) -> Any:
        """The state after the set-up."""
        return self.step(self.tongue.game.setup(self.seats, options), None)

    def play_on(self, state: Any, most: int | None) -> Any:
        """The last state, after at most `most` steps."""
        while self.tongue.game.outcome(state) is None and most != 0:
            state = self.step(self.tongue.game.turn(state), state)
            most = None if most is None else most - 1
        return state

    def step(self, turn: Turn[Any], state: Any) -> Any:
        before = state
        state = drive(turn, lambda ask: self.answer(before, ask))
        self.events.append({"state": self.tongue.state(state)})
        if self.random.random() < self.observations:
            viewer = self.random.choice([*range(self.seats), "all", "nobody"])
            shown = self.tongue.observed(state, viewer, self.faces)
            faces = {str(slot): face for slot, face in self.faces.items()}
            self.events.append({"viewer": viewer, "faces": faces, "observed": shown})
        return state

    def answer(self, state: Any, ask: Ask) -> Any:
        tries = [self.tries(part) for part in _parts(ask)]
        asked = asked_json(ask, self.tongue.unlisted)
        answer = self.settle(state, ask)
        self.events.append({"ask": asked, "tries": tries, "answer": answer})
        return tuple(answer) if isinstance(ask, Together) else answer

    def settle(self, state: Any, ask: Ask) -> Any:
        if isinstance(ask, Together):
            return [self.settle(state, part) for part in ask.asks]
        if isinstance(ask, Choose):
            move = self.player.choose(state, ask, self.faces)
            assert move in ask.options
            self.answers.append(move)
            return move
        if isinstance(ask, Commit):
            self.faces.update(zip(ask.slots, self.player.lay(state, ask), strict=True))
        if isinstance(ask, Mix):
            laid = self.player.lay(state, ask.decision(self.faces))
            self.faces.update(zip(ask.new, laid, strict=True))
        if isinstance(ask, Open):
            return self.faces[ask.slot]
        return self.player.roll(ask.sides) if isinstance(ask, Roll) else None

    def tries(self, ask: Ask) -> list[tuple[Move, bool]]:
        """Some strings, and whether this Choose offers them."""
        if not isinstance(ask, Choose):
            return []
        words = [self.tongue.nonsense(self.random), "none"]
        words += [self.random.choice(self.answers)] if self.answers else []
        return [(word, word in ask.options) for word in words[:_TRIES]]


def script_of(
    tongue: Tongue,
    player: Player,
    options: Options,
    random: Random,
    *,
    observations: float = OBSERVED,
    most: int | None = None,
    seats: int = 2,
) -> tuple[Script, Outcome | None]:
    """The script of a game that `player` plays, after at most `most` turns, and its Outcome."""
    writer = _Writer(tongue, player, random, observations, seats)
    chosen = tongue.game.options(options)
    state = writer.play_on(writer.play(chosen), most)
    return _script(tongue, state, writer.events, options=list(chosen.items()), seats=seats)


def script_from(
    tongue: Tongue, player: Player, start: Any, random: Random, most: int | None = None
) -> tuple[Script, Outcome | None]:
    """The script of a game that begins in the state `start`, before which nothing was moved."""
    writer = _Writer(tongue, player, random, observations=OBSERVED)
    state = writer.play_on(start, most)
    return _script(tongue, state, writer.events, start=tongue.state(start))


def _script(tongue: Tongue, state: Any, events: list[Json], **begin: Json) -> tuple[Script, Outcome | None]:
    outcome = tongue.game.outcome(state)
    return {
        "game": tongue.game.name,
        **begin,
        "events": events,
        "outcome": outcome_json(outcome),
    }, outcome


class Overheard:
    """A game that somebody else plays; it notes every Ask, answer and state.  For one match.

    `random`: at each Choose some words are tried, and some of the states are observed too.
    """

    def __init__(self, tongue: Tongue, random: Random | None = None) -> None:
        self._tongue = tongue
        self._random = random
        self._options: Options = {}
        self._seats = 2
        self._events: list[Json] = []
        self._faces: dict[Slot, Face] = {}
        self._said: list[Move] = []
        self._states = 0
        self._left: list[tuple[int, Seat]] = []
        """How many states there were when the rules heard that a seat had left."""
        self.state: Any = None
        """The last one."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tongue.game, name)

    def setup(self, seats: int, options: Options) -> Turn[Any]:
        self._options, self._seats = self._tongue.game.options(options), seats
        return self._noted(self._tongue.game.setup(seats, options))

    def turn(self, state: Any) -> Turn[Any]:
        return self._noted(self._tongue.game.turn(state))

    def gone(self, state: Any, seat: Seat) -> Turn[Any]:
        self._left.append((self._states, seat))
        return self._noted(self._tongue.game.gone(state, seat))

    def tried(self, state: Any, *moves: Move) -> None:
        """Note which of `moves` are offered in this state, where the script ends."""
        ask = next(self._tongue.game.turn(state))
        assert isinstance(ask, Choose)
        tries = [[(move, move in ask.options) for move in moves]]
        self._events.append({"ask": asked_json(ask, self._tongue.unlisted), "tries": tries})

    def script(self) -> tuple[Script, Outcome | None]:
        """The game so far."""
        begin = {"options": list(self._options.items()), "seats": self._seats, "left": self._left}
        return _script(self._tongue, self.state, self._events, **begin)

    def _noted(self, turn: Turn[Any]) -> Turn[Any]:
        events: list[Json] = []
        reply: Any = None
        while True:
            try:
                ask = turn.send(reply)
            except StopIteration as end:
                self.state = end.value
                self._states += 1
                self._events += [*events, {"state": self._tongue.state(end.value)}, *self._observed()]
                return end.value
            tries = [self._tries(part) for part in _parts(ask)]
            asked = asked_json(ask, self._tongue.unlisted)
            reply = yield ask
            answer = reply if isinstance(ask, Choose | Together | Roll | Open) else None
            if isinstance(ask, Open):
                self._faces[ask.slot] = reply
            if isinstance(ask, Choose):
                self._said.append(reply or "")
            events.append({"ask": asked, "tries": tries, "answer": answer})

    def _tries(self, ask: Ask) -> list[tuple[Move, bool]]:
        if self._random is None or not isinstance(ask, Choose):
            return []
        words = [self._tongue.nonsense(self._random), *self._random.sample(self._said, bool(self._said))]
        return [(word, word in ask.options) for word in words]

    def _observed(self) -> Iterator[Json]:
        if self._random is not None and self._random.random() < OBSERVED:
            viewer = self._random.choice([*range(self._seats), "all", "nobody"])
            faces = {str(slot): face for slot, face in self._faces.items()}
            shown = self._tongue.observed(self.state, viewer, self._faces)
            yield {"viewer": viewer, "faces": faces, "observed": shown}


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
        return {**kind, "asks": [asked_json(part, unlisted) for part in ask.asks]}
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
    if isinstance(ask, OpenTo):
        return {**kind, "slot": ask.slot, "seat": ask.seat}
    if isinstance(ask, Mix | ClaimOneOf | DeckAsk):
        return {**kind, **asdict(ask)}
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
