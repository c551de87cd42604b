"""The actions of a turn in a scenario: read strictly, put into choices, with the answers behind them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from p2p_stratego.core.game import Ask, Choose, Move
from p2p_stratego.core.scenario import Reader
from p2p_stratego.spies.formats.scenario_answers import Answers
from p2p_stratego.spies.formats.scenario_setup import lay_police
from p2p_stratego.spies.formats.scenario_start import city, posts
from p2p_stratego.spies.formats.scenario_table import Cheat, Table
from p2p_stratego.spies.formats.scenario_trade import Trade
from p2p_stratego.spies.rules.atlas import HAVENS, NAMES, POWERS, SEA_NAMES
from p2p_stratego.spies.rules.counters import (
    CHIT_NAMES,
    DISCOVERY,
    DROP,
    ESCAPE,
    RECRUIT,
    SANCTION,
)
from p2p_stratego.spies.rules.faults import FALSE_DISCARD, WRONG_TILE
from p2p_stratego.spies.rules.game import step_of
from p2p_stratego.spies.rules.notation import (
    ACCEPT,
    AGAIN,
    CAPTURED,
    END,
    IS_COUSIN,
    IS_GENUINE,
    NO_ANSWER,
    NO_TILE,
    POLICE_ANEW,
    SEARCH,
    SEIZE,
    STAY,
    SURVIVES,
    words,
)
from p2p_stratego.spies.rules.state import SPY_CODED
from p2p_stratego.spies.rules.tiles import TILES
from p2p_stratego.spies.rules.turn.actions import enemies

_SPIES: Final = tuple(SPY_CODED)
_CHIT_KEYS: Final[dict[int, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    DISCOVERY: (("spy", "secret"), ("says", "survives")),
    SANCTION: (("spy", "victim"), ("seize", "cousin")),
    DROP: (("spy",), ()),
    ESCAPE: (("spy", "haven"), ()),
    RECRUIT: (("spy", "city"), ()),
}
"""By chit: the keys that must be there, and those that may."""
_TWO: Final = 2


class Actions:
    """The entries of one turn, consumed in order."""

    def __init__(self, table: Table, entries: list[object]) -> None:
        self.table = table
        self.entries = list(entries)

    @property
    def reader(self) -> Reader:
        return self.table.reader

    def action(self) -> None:
        """The next action with the answers behind it."""
        action = self.entries.pop(0)
        if not isinstance(action, dict):
            raise self.reader.error("each action must be an object")
        if "by" in action:
            raise self.reader.error("an answer stands where nobody is asked for it, or it is not possible")
        answers: list[object] = []
        while self.entries and isinstance(self.entries[0], dict) and "by" in self.entries[0]:
            answers.append(self.entries.pop(0))
        kind = next((name for name in _ACTIONS if name in action), None)
        if kind is None:
            raise self.reader.error(f"an action must be one of {', '.join(_ACTIONS)}")
        if (kind == "tile") != (self.table.state.phase == "tile"):
            raise self.reader.error("a turn begins with one tile, unless russia is bound")
        behind = Answers(self.table, action, answers)
        _ACTIONS[kind](self, action, behind)
        behind.finished()

    def say(self, behind: Answers, *said: Move | Callable[[Choose], Move]) -> None:
        """One step: the moves in `said`, or what they choose, then the answers."""
        moves = iter(said)

        def decide(ask: Ask) -> Any:
            move = next(moves, None) if isinstance(ask, Choose) and _open(ask) else None
            if move is None or not isinstance(ask, Choose):
                return behind.said(ask)
            if callable(move):
                return move(ask)
            if move not in ask.options:
                raise self.reader.error(f"the rules do not offer this now: {move!a}")
            return move

        self.table.through(step_of(self.table.state), decide)
        if next(moves, None) is not None:
            raise self.reader.error("not all of this action is possible")

    def _spy(self, value: object, what: str) -> str:
        return self.reader.word(value, what, _SPIES)

    def _pair(self, value: object, what: str) -> list[object]:
        parts = self.reader.items(value, what)
        if len(parts) != _TWO:
            raise self.reader.error(f"{what} must have two parts")
        return parts

    def tile(self, action: dict[str, object], behind: Answers) -> None:
        power = self.table.state.power
        how = self.reader.word(action["tile"], '"tile"', ("play", "discard", "none"))
        if how == "none":
            self.reader.record(action, "the action", ("tile",))
            self.say(behind, NO_TILE)
            return
        self.reader.record(action, "the action", ("tile", "id"))
        tile = self.reader.whole(action["id"], '"id"', min(TILES), max(TILES))
        held = [slot for slot in self.table.state.tiles[power] if self.table.faces[slot] == tile]
        if not held:
            raise Cheat(power, WRONG_TILE if how == "play" else FALSE_DISCARD)
        self.say(behind, words("tile" if how == "play" else "discard", held[0]))

    def police(self, action: dict[str, object], behind: Answers) -> None:
        behind.finished()
        self.reader.record(action, "the action", ("police",), ("guard",))
        lay_police(self.table, posts(self.reader, action["police"], action.get("guard", [])), POLICE_ANEW)

    def search(self, action: dict[str, object], behind: Answers) -> None:
        self.reader.record(action, "the action", ("search", "spies"), ("says",))
        at = city(self.reader, action["search"], '"search"')
        spies = [self._spy(spy, 'each of "spies"') for spy in self.reader.items(action["spies"], '"spies"')]
        if not spies:
            raise self.reader.error('"spies" must name a spy at least')
        self.say(behind, words(SEARCH, NAMES[at]), *spies, *([] if self._all(at, spies) else [END]))

    def _all(self, at: int, spies: list[str]) -> bool:
        """Whether the search ends by itself, as no other spy is there."""
        state = self.table.state
        return set(enemies(state, state.power, at)) <= {SPY_CODED[spy] for spy in spies}

    def move(self, action: dict[str, object], behind: Answers) -> None:
        self.reader.record(action, "the action", ("move",))
        spy, to = self._pair(action["move"], '"move"')
        self.say(behind, words("move", self._spy(spy, "the spy"), NAMES[city(self.reader, to, "the city")]))

    def sail(self, action: dict[str, object], behind: Answers) -> None:
        self.reader.record(action, "the action", ("sail",), ("again", "to"))
        spy, sea = self._pair(action["sail"], '"sail"')
        again = self.reader.whole(action.get("again", 0), '"again"', 0, 100)
        first = words("sail", self._spy(spy, "the spy"), self.reader.word(sea, "the sea", SEA_NAMES))
        last = STAY
        if "to" in action:
            last = words("land", NAMES[city(self.reader, action["to"], '"to"')])
        self.say(behind, first, *[AGAIN] * again, last)

    def take(self, action: dict[str, object], behind: Answers) -> None:
        self.reader.record(action, "the action", ("take",))
        spy, secret = self._pair(action["take"], '"take"')
        self.say(
            behind, words("take", self._spy(spy, "the spy"), NAMES[city(self.reader, secret, "the secret")])
        )

    def handle(self, action: dict[str, object], behind: Answers) -> None:
        ((word, spy),) = action.items() if len(action) == 1 else [("", None)]
        if not word:
            raise self.reader.error("the action has more keys than it may")
        self.say(behind, words(word, self._spy(spy, f'"{word}"')))

    def chit(self, action: dict[str, object], behind: Answers) -> None:
        kind = CHIT_NAMES.index(self.reader.word(action["chit"], '"chit"', CHIT_NAMES))
        if kind not in _CHIT_KEYS:
            raise self.reader.error(f"{CHIT_NAMES[kind]} is an answer")
        required, optional = _CHIT_KEYS[kind]
        self.reader.record(action, "the action", ("chit", *required), optional)
        parts = [self._spy(action["spy"], '"spy"')]
        if kind == DISCOVERY:
            parts.append(NAMES[city(self.reader, action["secret"], '"secret"')])
        elif kind == SANCTION:
            parts.append(self._spy(action["victim"], '"victim"'))
        elif kind == ESCAPE:
            parts.append(self.reader.word(action["haven"], '"haven"', tuple(NAMES[at] for at in HAVENS)))
        elif kind == RECRUIT:
            parts.append(NAMES[city(self.reader, action["city"], '"city"')])
        power = self.table.state.power
        self.say(behind, lambda ask: behind.play(power, kind, ask.options, *parts))

    def diplomacy(self, action: dict[str, object], behind: Answers) -> None:
        self.reader.record(action, "the action", ("diplomacy",))
        other = self.reader.word(action["diplomacy"], '"diplomacy"', POWERS)
        self.say(behind, words("diplomacy", other))

    def trade(self, action: dict[str, object], behind: Answers) -> None:
        Trade(self.table, behind).carry_out(action)


def _open(ask: Choose) -> bool:
    """Whether this is a choice of the power to move in its own action, not an answer or a fact."""
    first = next(iter(ask.options), "")
    return not first.startswith("return ") and not any(word in ask.options for word in _FACTS)


_FACTS: Final = (CAPTURED, IS_GENUINE, SURVIVES, IS_COUSIN, SEIZE, ACCEPT, NO_ANSWER)
"""Words that stand among the options of every answer and of every question of fact."""
_ACTIONS: Final[dict[str, Callable[[Actions, dict[str, object], Answers], None]]] = {
    "tile": Actions.tile,
    "police": Actions.police,
    "search": Actions.search,
    "move": Actions.move,
    "sail": Actions.sail,
    "take": Actions.take,
    "give": Actions.handle,
    "leave": Actions.handle,
    "cash": Actions.handle,
    "chit": Actions.chit,
    "diplomacy": Actions.diplomacy,
    "trade": Actions.trade,
}
"""By the key that names an action."""
