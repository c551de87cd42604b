"""SPIES! from a set-up on that a test chooses, as games of their own for real ends.

The steps are the rulebook's.  But the decks lie in the order of a scenario and are not shuffled before the
first turn, and nobody is asked where secrets, police and spies stand: the scenario tells.  Keys, draws,
mixes, what is laid face down, and all that follows are those of SPIES!.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from p2p_stratego.core.game import (
    Choose,
    Commit,
    Face,
    Game,
    Move,
    NewDeck,
    Options,
    Outcome,
    Seat,
    Shuffle,
    Sides,
    Slot,
    Turn,
)
from p2p_stratego.core.rulebook import played
from p2p_stratego.core.scenario import Reader
from p2p_stratego.spies.formats import scenario_start
from p2p_stratego.spies.formats.scenario_start import Start, dealt
from p2p_stratego.spies.rules.act import Act
from p2p_stratego.spies.rules.atlas import SIGNED, City, Power
from p2p_stratego.spies.rules.counters import ALL_CHITS, CHIT_NAMES, MEANS
from p2p_stratego.spies.rules.game import GAME, step_of
from p2p_stratego.spies.rules.notation import city, lay, stand
from p2p_stratego.spies.rules.state import (
    CHITS,
    CUP,
    POLICE_SLOTS,
    SECRET_DECK,
    SPY_SLOTS,
    TILE_DECK,
    TILES,
    State,
)
from p2p_stratego.spies.rules.tiles import RANDOM
from tests.helpers.spies.examples import START

_SET_UP: Final = ("secrets", "bid", "police", "spies")


class Dealt:
    """Implements `core.game.Game[State]`; options are those of SPIES!, by default the scenario's."""

    version: Final = 1
    most_rolls: Final = GAME.most_rolls
    most_shuffles: Final = GAME.most_shuffles
    needs_proofs: Final = True
    private_talk: Final = True

    def __init__(self, name: str, change: Callable[[dict[str, Any]], None], cup: str = "") -> None:
        """`change`: makes the scenario out of that of the worked examples; `cup`: its first chits."""
        scenario = json.loads(START)
        change(scenario)
        self.name = name
        self.start: Start = scenario_start.read(Reader(), scenario)
        self.seat_counts = (self.start.seats,)
        self.faces = dealt(self.start)
        top = [CHIT_NAMES.index(chit) for chit in cup.split()]
        hands = [chit for hand in self.start.chits for chit in hand]
        left = Counter(ALL_CHITS) - Counter(hands) - Counter(top)
        self._decks: dict[int, tuple[Face, ...]] = {
            SECRET_DECK: tuple(self.faces[slot] for slot in range(len(self.start.neutral) + 32)),
            TILE_DECK: tuple(
                self.faces[TILES + 16 * power + number] for power in range(5) for number in range(RANDOM)
            ),
            CUP: (*hands, *top, *sorted(left.elements())),
        }

    # What the scenario tells

    def police(self, power: Power) -> tuple[tuple[Face, City], ...]:
        """The strengths of a power's police and where they stand, in the order in which they are laid."""
        strengths = self.start.posts[power].strengths
        order = [*SIGNED[power], *(at for at in strengths if at not in SIGNED[power])]
        return tuple((face, at) for at in order for face in strengths.get(at, ()))

    def laying(self, power: Power) -> Move:
        """Where police stand, as it is said."""
        return lay(power, (at for _, at in self.police(power)))

    def standing(self, state: State, power: Power) -> Move:
        """What police stand on, as it is said."""
        named = (state.named(at) for at in self.start.posts[power].guard)
        return stand(sorted(secret for secret in named if secret is not None))

    def laid(self, slots: tuple[Slot, ...]) -> tuple[Face, ...]:
        """What is laid under these slots, those of police or of spies, before the first turn."""
        if slots[0] < POLICE_SLOTS:
            return tuple(face for face, _ in self.start.spies[(slots[0] - SPY_SLOTS) // 8])
        first = POLICE_SLOTS
        for power, means in enumerate(MEANS):
            if first == slots[0]:
                return tuple(face for face, _ in self.police(power))
            first += len(means.police)
        raise ValueError(f"nothing is laid under {slots} before the first turn")

    # The rulebook

    def seat_names(self, seats: int) -> tuple[str, ...]:
        return GAME.seat_names(seats)

    def sides(self, seats: int) -> Sides:
        return GAME.sides(seats)

    def options(self, wanted: Options) -> Options:
        return GAME.options({**self.start.options, **wanted})

    def setup(self, seats: int, options: Options) -> Turn[State]:
        return (yield from self._as_written(GAME.setup(seats, options), lambda ask: ask))

    def turn(self, state: State) -> Turn[State]:
        """The first turn of this game is the whole set-up, but for bids."""
        if state.phase not in _SET_UP or state.year > GAME_BEGINS:
            return (yield from GAME.turn(state))
        while state.phase in _SET_UP:
            steps = played(Act(state._replace(report=())), step_of(state))
            state = yield from self._as_written(steps, self._answers(state))
        return state

    def gone(self, state: State, seat: Seat) -> Turn[State]:
        return (yield from GAME.gone(state, seat))

    def outcome(self, state: State) -> Outcome | None:
        return GAME.outcome(state)

    def rematch(self, options: Options, state: State) -> Options:
        return GAME.rematch(options, state)

    def _answers(self, state: State) -> Callable[[Choose], Move | Choose]:
        """What is said in a step of the set-up; the ask itself where somebody is asked."""
        power = state.power
        where: dict[str, Iterator[Move]] = {
            "secrets": map(city, self.start.secrets[power]),
            "spies": (city(at) for _, at in self.start.spies[power]),
        }

        def answer(ask: Choose) -> Move | Choose:
            if state.phase == "bid":
                return ask
            if state.phase == "police":
                move = self.laying(power)
                return move if move in ask.options else self.standing(state, power)
            return next(where[state.phase])

        return answer

    def _as_written(self, turn: Turn[State], answer: Callable[[Choose], Move | Choose]) -> Turn[State]:
        """A piece of the game with stacked decks that nobody shuffles."""
        reply: Any = None
        while True:
            try:
                ask = turn.send(reply)
            except StopIteration as end:
                after: State = end.value
                return after
            if isinstance(ask, Shuffle):
                reply = None
                continue
            if isinstance(ask, NewDeck):
                ask = NewDeck(ask.deck, self._decks.get(ask.deck, ask.faces))
            answered = answer(ask) if isinstance(ask, Choose) else ask
            reply = answered if isinstance(answered, str) else (yield answered)


GAME_BEGINS: Final = 1933
"""The year of the set-up: later on russia may be bid for again."""


def _three(scenario: dict[str, Any]) -> None:
    """Three players, with spies where everything can happen in the first two turns."""
    scenario["options"] = {"players": 3}
    spies = scenario["setup"]["spies"]
    spies["germany"][3] = ["linde", "geneva"]
    spies["italy"][1:3] = [["brio", "athens"], ["corvo", "moscow"]]
    spies["russia"][3] = ["sova", "warsaw"]
    spies["britain"][1:3] = [["flint", "munich"], ["sable", "geneva"]]


def _five(scenario: dict[str, Any]) -> None:
    _three(scenario)
    scenario["options"] = {"players": 5}


def _mates(scenario: dict[str, Any]) -> None:
    """Three players; germany and italy, of one seat, have spies beside each other's police."""
    scenario["options"] = {"players": 3}
    spies = scenario["setup"]["spies"]
    spies["germany"][1] = ["dorn", "naples"]


def _bidding(scenario: dict[str, Any]) -> None:
    """Four bid for russia, with secret purses."""
    scenario["options"] = {"players": 4, "allocation": "bid", "purse": "secret"}
    scenario["setup"]["bids"] = []


THREE: Final = Dealt("dealt-spies-3", _three)
FIVE: Final = Dealt("dealt-spies-5", _five)
MATES: Final = Dealt("dealt-spies-mates", _mates)
BIDDING: Final = Dealt("dealt-spies-bid", _bidding)
GAMES: Final[Mapping[str, Game[Any]]] = MappingProxyType(
    {game.name: game for game in (THREE, FIVE, MATES, BIDDING)}
)
"""What an auditor needs to read transcripts of these matches."""


def due(game: Dealt, state: State, decision: Commit | Choose) -> Move | tuple[Face, ...] | None:
    """What the scenario says to a decision about police and spies; None for another one."""
    if isinstance(decision, Choose):
        if game.laying(state.power) in decision.options:
            return game.laying(state.power)
        standing = game.standing(state, state.power)
        return standing if standing.startswith("stand") and standing in decision.options else None
    if decision.exactly and decision.slots[0] < CHITS:
        known = decision.slots[0] < POLICE_SLOTS + sum(len(means.police) for means in MEANS)
        return game.laid(decision.slots) if known else tuple(face for face, _ in game.police(state.power))
    return None
