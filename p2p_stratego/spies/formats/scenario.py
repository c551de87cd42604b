"""Plays a whole game of SPIES! out of one scenario, with the real rules and nothing else.

A scenario hides nothing, so every Ask of the rules is answered from it.  Each turn is read when it is due, so
all lines before a mistake are right; what is untrue ends the game as it would at a table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from p2p_stratego.core.narration import Fields
from p2p_stratego.core.scenario import Line, Reader
from p2p_stratego.spies.formats import scenario_start
from p2p_stratego.spies.formats.scenario_actions import Actions
from p2p_stratego.spies.formats.scenario_start import Cheat, Start, Table, bid, chits, set_up
from p2p_stratego.spies.rules.atlas import NAMES, POWERS, Power
from p2p_stratego.spies.rules.counters import CHIT_NAMES, FIRST_YEAR, SPIES, spy_names
from p2p_stratego.spies.rules.game import step_of
from p2p_stratego.spies.rules.map_data import DIE
from p2p_stratego.spies.rules.notation import END
from p2p_stratego.spies.rules.state import Event, State, secret_name, spy_code


def play(scenario: object) -> Iterator[Line]:
    """A line for each turn, then the outcome.

    Raises ScenarioError; its turn is the one that could not be played, if it was a turn at all.
    """
    start = scenario_start.read(Reader(), scenario)
    player = _Player(start)
    try:
        set_up(player.table, start)
        yield from player.turns()
    except Cheat as cheat:
        yield player.cheated(cheat)
        return
    yield player.outcome()


class _Player:
    """One scenario being played."""

    def __init__(self, start: Start) -> None:
        self.start = start
        self.table = Table()

    @property
    def reader(self) -> Reader:
        return self.table.reader

    def turns(self) -> Iterator[Line]:
        """The lines of all turns."""
        for number, written in enumerate(self.start.turns, start=1):
            self.table.reader = Reader({"turn": number})
            if self.table.state.ended is not None:
                raise self.reader.error("the game was over before this turn")
            yield self._turn(written)

    def _turn(self, value: object) -> Line:
        table = self.table
        written = self.reader.record(value, "the turn", ("power", "do"), ("draws", "dice", "bids", "pay"))
        power = POWERS.index(self.reader.word(written["power"], '"power"', POWERS))
        if power != table.state.power:
            raise self.reader.error(f'"power" must be {POWERS[table.state.power]}, whose turn it is')
        draws = list(chits(self.reader, written.get("draws", []), '"draws"'))
        dice = self.reader.wholes(written.get("dice", []), '"dice"', min(DIE), max(DIE))
        table.draws, table.dice = iter(draws), iter(dice)
        table.events = []
        if table.state.phase == "bid":
            if "bids" not in written:
                raise self.reader.error('"bids" is missing: russia is bid for')
            bid(table, scenario_start.bids(self.reader, written))
        elif "bids" in written or "pay" in written:
            raise self.reader.error("nobody bids for russia now")
        actions = Actions(table, self.reader.items(written["do"], '"do"'))
        while actions.entries:
            actions.action()
        return self._end(power)

    def _end(self, power: Power) -> Line:
        table = self.table
        if table.state.phase == "tile":
            raise self.reader.error("the turn must begin with a tile")
        for key, left in (("draws", table.draws), ("dice", table.dice)):
            if next(left, None) is not None:
                raise self.reader.error(f'"{key}" has more than the turn uses')
        log = [text for event in table.events if (text := log_text(table.state, event)) is not None]
        state = table.state
        line: Line = {
            "year": state.year,
            "power": POWERS[power],
            "ap": state.ap,
            "log": log,
            "money": self._money(),
            "chits": {name: len(hand) for name, hand in zip(POWERS, state.hands, strict=True)},
        }
        table.through(step_of(state), lambda _: END)
        return line

    # Lines

    def _money(self) -> dict[str, int]:
        return {name: self.table.money(power) for power, name in enumerate(POWERS)}

    def outcome(self) -> Line:
        """The last line."""
        state = self.table.state
        line: Line = {"winners": [], "reason": "unfinished", "points": None, "scores": None}
        if state.ended is not None:
            line = {
                "winners": sorted(state.ended.winners),
                "reason": state.ended.reason,
                "points": dict(zip(POWERS, state.points, strict=True)),
                "scores": list(state.scores),
            }
        return {**line, "money": self._money(), "year": state.year}

    def cheated(self, cheat: Cheat) -> Line:
        """The last line, if somebody broke a rule."""
        state = self.table.state
        return {
            "winners": [seat for seat in range(state.seats) if seat != state.runs[cheat.power]],
            "reason": "cheated",
            "by": POWERS[cheat.power],
            "rule": cheat.rule,
            "points": None,
            "scores": None,
            "money": self._money(),
            "year": max(state.year, FIRST_YEAR),
        }


TEXTS: Final[Mapping[str, str]] = {
    "russia": "russia to seat {other} for {number}",
    "plays tile": "plays tile {face}",
    "discards": "discards a tile",
    "no tile": "no tile",
    "gains": "{power} gains {number} at {city}",
    "draws": "{power} draws {number} {why}",
    "returns": "{power} returns {number}",
    "police": "police",
    "searches": "{power} searches {spy} in {city}",
    "escapes": "{spy} escapes to {city}",
    "too strong": "{spy} is too strong",
    "captured": "{name} captured by {power}",
    "plays": "{power} plays {chit}",
    "moves": "{spy} to {city}",
    "sails": "{spy} sails {word} {numbers}",
    "stays": "{spy} stays",
    "takes": "{spy} takes {secret}",
    "gives": "{spy} gives {secret} to police",
    "leaves": "{spy} leaves {secret}",
    "cashes": "{spy} cashes {secret}",
    "discovers": "{spy} discovers {secret}",
    "discovery fails": "discovery fails",
    "controls": "{spy} controls {secret}",
    "counterspy": "{secret} is counterspy {number}",
    "survives": "{spy} survives",
    "sanctions": "{spy} sanctions {victim}",
    "is the cousin": "{spy} is the cousin",
    "killed": "{name} killed by {power}",
    "sanction fails": "sanction fails",
    "drops": "{spy} drops {secret}",
    "drop stands": "drop of {secret} stands",
    "intercepts": "{power} intercepts {secret}",
    "tries to escape": "{spy} tries to escape",
    "escape fails": "escape fails",
    "recruited": "{spy} recruited in {city}",
    "diplomacy": "diplomacy with {partner}",
    "trade": "trade {power} {own}, {partner} {theirs}{declined}",
}
"""By kind of event."""
SILENT: Final = frozenset({"secrets", "spies", "left", "talked"})
_FOR: Final = {"capture": "for a capture", "secret": "for a secret"}
_FIELDS: Final[Mapping[str, Callable[[State, Event], object]]] = {
    "power": lambda _, e: POWERS[e.power] if e.power >= 0 else "nobody",
    "partner": lambda _, e: POWERS[e.other],
    "other": lambda _, e: e.other,
    "spy": lambda _, e: spy_code(e.spy),
    "victim": lambda _, e: spy_code(e.other),
    "name": lambda _, e: f"{spy_code(e.spy)} {spy_names(e.spy // SPIES)[e.face]}",
    "secret": lambda s, e: secret_name(s, e.secret),
    "city": lambda _, e: NAMES[e.city],
    "chit": lambda _, e: CHIT_NAMES[e.face],
    "face": lambda _, e: e.face,
    "word": lambda _, e: e.word,
    "number": lambda _, e: e.numbers[0],
    "numbers": lambda _, e: _spaced(e.numbers),
    "why": lambda _, e: _FOR.get(e.word) or f"at {NAMES[e.city]}",
    "own": lambda _, e: _spaced(e.numbers[:3]),
    "theirs": lambda _, e: _spaced(e.numbers[3:]),
    "declined": lambda _, e: " declined" if e.word else "",
}
"""By field of these texts."""


def log_text(state: State, event: Event) -> str | None:
    """The text of an event; None if the log does not tell it."""
    return None if event.kind in SILENT else TEXTS[event.kind].format_map(Fields(_FIELDS, state, event))


def _spaced(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))
