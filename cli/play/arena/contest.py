"""A contest of two players, bots or engines: games by the rules alone, each from its own seed.

They play with the same View that a match over the network gives them.  At a table of more than two the first
player has all seats of one side, the second all the others.  The sides take turns, so that neither has the
first move more often; any game can be repeated from the seed and its number, but for bots that learn from
game to game, of which the whole contest can.
"""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Protocol, cast

from cli.play.arena.figures import Results
from cli.play.engines.consultation import LossCause, Lost
from cli.play.engines.engine_bot import EngineBot
from cli.play.engines.forms import GameTerms
from cli.reports.history import by_seat
from p2p_stratego.core.game import Game, Options, Outcome, Seat, Turn
from p2p_stratego.core.self_play import Decided, FalseClaim, play
from p2p_stratego.core.sides import score
from p2p_stratego.core.view import Bot, LearningBot, PastMatch, View
from p2p_stratego.registry import make_bot
from protocol.record.asks.base import Answered, Reached

KEPT: Final = 8
"""Games of a series that a learning bot can look back on; older ones make room."""


class LastLoss(NamedTuple):
    """Why an engine went on no further; `complaints`: the end of its standard error, not escaped."""

    lost: Lost
    complaints: str


class Contender(Protocol):
    """One of the two players of a contest, on all its seats."""

    name: str
    faults: dict[str, int]
    """By reason: the games that it lost without playing to their end, but for those that it resigned."""
    last_loss: LastLoss | None
    """Why its program went on no further, the last time that this cost a game."""

    @property
    def by_the_wall(self) -> bool:
        """Whether its seconds are those of a clock; otherwise they are those of a processor."""
        ...

    @property
    def seconds(self) -> list[float]:
        """For each decision so far."""
        ...

    def sit(self, terms: GameTerms, place: int, chance: random.Random, history: list[Any]) -> Bot[Any]:
        """The bot for one seat of a new game; `place`: which of its seats; `history`: grows with the game."""
        ...

    def rise(self, outcome: Outcome) -> None:
        """The game is over."""
        ...

    def close(self) -> None: ...


class LevelContender:
    """A bot of this program, of one level."""

    by_the_wall: Final = False

    def __init__(self, game: str, level: str, think: int | None = None) -> None:
        """`level`: one of the game's; `think`: see `make_bot`."""
        self.name = level
        self.seconds: list[float] = []
        self.faults: dict[str, int] = {}
        self.last_loss: LastLoss | None = None
        self._game, self._think = game, think
        self._played: dict[int, deque[tuple[list[Any], Seat]]] = {}
        """By place: the histories of the last games of a bot that learns from them, and its seats."""

    def sit(self, terms: GameTerms, place: int, chance: random.Random, history: list[Any]) -> Bot[Any]:
        bot = make_bot(self._game, self.name, chance, self._think)
        if isinstance(bot, LearningBot):
            played = self._played.setdefault(place, deque(maxlen=KEPT))
            bot.meet(partial(_matches, tuple(played)[::-1]))
            played.append((history, terms.seat))
        return Clocked(bot, self.seconds)

    def rise(self, outcome: Outcome) -> None:
        """What its bots keep is in the histories."""

    def close(self) -> None:
        """It runs nothing."""


def _matches(played: Sequence[tuple[list[Any], Seat]]) -> Iterator[PastMatch[Any]]:
    for history, seat in played:
        if states := [step.state for step in history if isinstance(step, Reached)]:
            yield PastMatch(states, seat)


class EngineContender:
    """An engine, with a process for each of its seats, which stay for the whole contest."""

    by_the_wall: Final = True

    def __init__(self, name: str, hire: Callable[[], EngineBot], seconds: float) -> None:
        """`hire`: makes one more player of it; `seconds`: for each decision."""
        self.name = name
        self.faults: dict[str, int] = {}
        self.last_loss: LastLoss | None = None
        self._hire, self._limit = hire, seconds
        self._bots: dict[int, EngineBot] = {}

    @property
    def seconds(self) -> list[float]:
        return [seconds for bot in self._bots.values() for seconds in bot.spent]

    def sit(self, terms: GameTerms, place: int, chance: random.Random, history: list[Any]) -> Bot[Any]:
        if place not in self._bots:
            self._bots[place] = self._hire()
        bot = self._bots[place]
        bot.chance = chance
        bot.begin(terms, history)
        bot.seconds = self._limit
        return bot

    def rise(self, outcome: Outcome) -> None:
        for bot in self._bots.values():
            bot.end(outcome)

    def close(self) -> None:
        for bot in self._bots.values():
            bot.close()


@dataclass(slots=True)
class Clocked:
    """A bot, and the seconds it thought about each decision.

    Of its own thread's time on a processor: what else the machine does meanwhile is not the bot's doing.
    """

    bot: Bot[Any]
    seconds: list[float]

    def decide(self, view: View[Any]) -> Decided:
        begun = time.thread_time()
        decided = self.bot.decide(view)
        self.seconds.append(time.thread_time() - begun)
        return decided


class _Forfeited(Exception):
    """The bot of a seat plays no further."""

    def __init__(self, seat: Seat, loss: LastLoss) -> None:
        self.seat, self.loss = seat, loss
        super().__init__(seat, loss)


@dataclass(slots=True)
class _Noted:
    """A bot whose decisions are written down."""

    seat: Seat
    bot: Bot[Any]
    decisions: list[tuple[Seat, Decided]]

    def decide(self, view: View[Any]) -> Decided:
        try:
            decided = self.bot.decide(view)
        except Lost as lost:
            # Before the next game begins: then a new process may have this place.
            complaints = self.bot.complaints if isinstance(self.bot, EngineBot) else ""
            raise _Forfeited(self.seat, LastLoss(lost, complaints)) from lost
        self.decisions.append((self.seat, decided))
        return decided


class _Heard:
    """A rulebook whose Asks, answers and states are written down as they come."""

    def __init__(self, game: Game[Any], history: list[Answered | Reached]) -> None:
        self._game, self._history = game, history

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def setup(self, seats: int, options: Options) -> Turn[Any]:
        return self._heard(self._game.setup(seats, options))

    def turn(self, state: Any) -> Turn[Any]:
        return self._heard(self._game.turn(state))

    def gone(self, state: Any, seat: Seat) -> Turn[Any]:
        return self._heard(self._game.gone(state, seat))

    def _heard(self, turn: Turn[Any]) -> Turn[Any]:
        answer: Any = None
        while True:
            try:
                ask = turn.send(answer)
            except StopIteration as end:
                self._history.append(Reached(end.value, 0))
                return end.value
            answer = yield ask
            self._history.append(Answered(ask, answer, 0))


class ContestTerms(NamedTuple):
    """What is played, but for the game."""

    seats: int = 2
    options: Options = MappingProxyType({})


TWO: Final = ContestTerms()
_TABLE: Final = -1
"""The place of the table, whose chance no player has, whatever it calls itself."""


@dataclass(frozen=True, slots=True)
class ArenaGame:
    """One game of a contest."""

    number: int
    """From 0."""
    names: tuple[str, ...]
    """By seat."""
    first: frozenset[Seat]
    """The seats of the first player."""
    outcome: Outcome
    decisions: tuple[tuple[Seat, Decided], ...]
    points: tuple[int, int] | None
    """Where the rules count points: the best score of the first player's seats, and of the others."""

    @property
    def score(self) -> float:
        """1 if the first player won, 0 if it lost; ½ in a draw, and where both share the first place."""
        return score(self.outcome.winners, self.first)


@dataclass(slots=True)
class Tally:
    """The games so far."""

    results: Results = field(default_factory=Results)
    points: list[tuple[int, int]] = field(default_factory=list)

    def count(self, game: ArenaGame) -> None:
        """One more game."""
        self.results = self.results.after(game.score)
        if game.points is not None:
            self.points.append(game.points)


def contest(
    game: Game[Any], two: tuple[Contender, Contender], games: int, seed: int, table: ContestTerms = TWO
) -> Iterator[ArenaGame]:
    """Play `games` games; each as it ends.  Raises OptionError."""
    for number in range(games):
        yield one_game(game, two, number, seed, table)


def one_game(
    game: Game[Any], two: tuple[Contender, Contender], number: int, seed: int, table: ContestTerms = TWO
) -> ArenaGame:
    """Play one game.  Raises OptionError."""
    seats, options = table.seats, game.options(table.options)
    sides = game.sides(seats)
    own = sides[number % len(sides)]
    names = by_seat([two[seat not in own].name for seat in range(seats)], game.seat_names(seats))
    history: list[Any] = []
    decisions: list[tuple[Seat, Decided]] = []
    bots: dict[Seat, Bot[Any]] = {}
    # By the first player's seats, then the others: with two, a bot has the same chance in either colour.
    for place, seat in enumerate(sorted(range(seats), key=lambda seat: (seat not in own, seat))):
        player = two[seat not in own]
        chance = _chance(seed, number, player.name, place)
        terms = GameTerms(game, options, seat, names, chance.getrandbits(32))
        bot = player.sit(terms, place, _chance(seed, number, player.name, place), history)
        bots[seat] = _Noted(seat, bot, decisions)
    heard = cast("Game[Any]", _Heard(game, history))
    points = None
    try:
        played = play(
            heard, [bots[seat] for seat in range(seats)], options, _chance(seed, number, "table", _TABLE)
        )
        outcome, points = played.outcome, _points(played.state, own)
    except _Forfeited as end:
        outcome = _lost_by(two, end.seat not in own, own, seats, _reason(end.loss.lost))
        if end.loss.lost.cause is not LossCause.RESIGNED:
            two[end.seat not in own].last_loss = end.loss
    except FalseClaim as claim:
        if not isinstance(two[claim.claim.seat not in own], EngineContender):
            raise  # a bug of a bot of ours
        outcome = _lost_by(two, claim.claim.seat not in own, own, seats, "cheated")
    for player in two:
        player.rise(outcome)
    return ArenaGame(number, names, own, outcome, tuple(decisions), points)


def _reason(lost: Lost) -> str:
    """Why a game ended that an engine did not go on with."""
    if lost.cause is LossCause.RESIGNED:
        return "resigned"
    return f"engine-{lost.cause.name.lower().replace('_', '-')}"


def _lost_by(
    two: tuple[Contender, Contender], which: bool, own: frozenset[Seat], seats: int, reason: str
) -> Outcome:
    """The end of a game that the first player (False) or the second one (True) lost outside the rules."""
    if reason != "resigned":
        two[which].faults[reason] = two[which].faults.get(reason, 0) + 1
    return Outcome(own if which else frozenset(range(seats)) - own, reason)


def _points(state: Any, own: frozenset[Seat]) -> tuple[int, int] | None:
    scores: Sequence[int] = getattr(state, "scores", ())
    if not scores:
        return None
    best = [
        max(score for seat, score in enumerate(scores) if (seat in own) is ours) for ours in (True, False)
    ]
    return best[0], best[1]


def _chance(seed: int, number: int, player: str, place: int) -> random.Random:
    return random.Random(f"{seed}/{number}/{player}/{place}")  # noqa: S311 - games that can be repeated
