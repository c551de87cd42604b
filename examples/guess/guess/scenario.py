"""Scenarios: `{"game": "guess", "cards": [1, 2], "point": "right"}`, blue pointing."""

from __future__ import annotations

from collections.abc import Iterator

from guess.rules import GAME, HIGH, LOW, SEAT_NAMES, SIDES
from p2p_stratego.core.rulebook import drive
from p2p_stratego.core.scenario import Line, Reader


def play(scenario: object) -> Iterator[Line]:
    """A line for the guess, then the outcome.  Raises ScenarioError."""
    reader = Reader({"turn": 1})
    whole = reader.record(scenario, "the scenario", ("game", "cards", "point"))
    cards = reader.wholes(whole["cards"], '"cards"', LOW, HIGH)
    if sorted(cards) != [LOW, HIGH]:
        raise reader.error("the cards are a 1 and a 2")
    point = reader.word(whole["point"], '"point"', SIDES)
    state = drive(GAME.setup(2, GAME.options({})), lambda _: None)
    state = drive(GAME.turn(state), lambda _: None)
    answers = iter((point, cards[SIDES.index(point)]))
    state = drive(GAME.turn(state), lambda _: next(answers))
    yield {"point": state.pointed, "card": state.shown}
    outcome = GAME.outcome(state)
    if outcome is not None:
        yield {"winner": SEAT_NAMES[min(outcome.winners)], "reason": outcome.reason}
