"""A table to try single steps of Spies & Lies on: any state, and one step with given answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from p2p_stratego.core import values
from p2p_stratego.core.game import Choose, Move, Open, Roll
from p2p_stratego.core.rulebook import drive
from p2p_stratego.spies_and_lies.rules.components import RED, Rank, in_range
from p2p_stratego.spies_and_lies.rules.game import GAME
from p2p_stratego.spies_and_lies.rules.seating import Seating
from p2p_stratego.spies_and_lies.rules.state import CardLine, Effect, Report, Shown, State

BASE = State(
    seating=Seating(2),
    wall=4,
    first_starter=RED,
    phase="mission",
    day=1,
    turn=0,
    starter=RED,
    agent=0,
    points=(0, 0),
    tokens=(1, 1),
    spare=2,
    intel=((1, 4), (4, 7)),
    exhausted=((2,), (2,)),
)
"""Before the first guess of day 1: red guesses blue's mission 1; both Scouts are exhausted."""


def replace(state: State, **changes: Any) -> State:
    """The same state but for these fields."""
    return values.replace(state, **changes)


def line(*ranks: Rank | None) -> CardLine:
    """A side's cards of the day, None where one is face down; how they were shown does not matter."""
    cards = [None if rank is None else Shown(rank, "identified") for rank in ranks]
    first, second, third, four = cards + [None] * (4 - len(cards))
    return (first, second, third, four)


def blue_shows(state: State, *ranks: Rank) -> State:
    """The state in which blue has shown these cards today, red as many others, and red guesses next."""
    turn = 2 * len(ranks)
    return replace(state, turn=turn, cards=(state.cards[RED], line(*ranks)))


def truthfully(state: State, card: Rank) -> State:
    """The state in which the owner of the coming card has marked its mission, or not, as it should."""
    owner = 1 - state.guesser
    marks = list(state.marks)
    marks[owner] -= {state.mission}
    if in_range(card, state.intel[-1]):
        marks[owner] |= {state.mission}
    return replace(state, marks=(marks[0], marks[1]))


class Answers:
    """Answers a mission turn's asks, each kind at most once, and notes the order in which they came."""

    def __init__(self, card: Rank, moves: Mapping[str, Move], closed: Mapping[int, Rank]) -> None:
        self.card, self.moves, self.closed = card, moves, closed
        self.asked: list[str] = []

    def __call__(self, ask: Choose | Open) -> Any:
        if isinstance(ask, Open):
            first = "open" not in self.asked
            self.asked.append("open")
            return self.card if first else self.closed[ask.slot]
        verb = next(iter(ask.options)).split()[0]
        self.asked.append(verb)
        move = self.moves[verb]
        assert move in ask.options
        return move


def guessed(
    state: State,
    card: Rank,
    named: Rank | None = None,
    *,
    token: bool | None = None,
    captain: str | None = None,
    marshal: str | None = None,
    lie: bool = False,
    closed: Mapping[int, Rank] | None = None,
) -> State:
    """One mission turn in which `card` is turned up.  The rules must ask for exactly the given answers.

    `named`: the guess (default: a wrong one); `token`: None means that the owner must not even be asked;
    `lie`: the card's mark is false; `closed`: further cards by slot, for a winner's line.
    """
    state = truthfully(state, card)
    if lie:
        owner = 1 - state.guesser
        marks = list(state.marks)
        marks[owner] ^= {state.mission}
        state = replace(state, marks=(marks[0], marks[1]))
    moves: dict[str, Move] = {}
    if not state.caught[1 - state.guesser]:
        moves["guess"] = f"guess {named if named is not None else card % 10 + 1}"
    if token is not None:
        moves["token"] = "token" if token else "no token"
    if captain is not None:
        moves["captain"] = f"captain {captain}"
    if marshal is not None:
        moves["marshal"] = f"marshal {marshal}"
    answers = Answers(card, moves, closed or {})
    after = drive(GAME.turn(state), answers)
    assert sorted(set(answers.asked)) == sorted({*moves, "open"})
    return after


def report(state: State) -> Report:
    """The report of the last mission turn."""
    assert state.report is not None
    return state.report


def result(state: State) -> str:
    """How the card of the last mission turn was judged."""
    return report(state).result


def effects(state: State) -> list[Effect]:
    """The effects of the last mission turn, in order."""
    return list(report(state).effects)


def rolled(state: State, number: int) -> tuple[State, int]:
    """One step in which chance falls to `number`, and the sides it had; all else is the first option."""
    sides = []

    def answer(ask: Any) -> Any:
        if isinstance(ask, Roll):
            sides.append(ask.sides)
            return number
        return tuple(next(iter(part.options)) if isinstance(part, Choose) else None for part in ask.asks)

    after = drive(GAME.turn(state), answer)
    return after, sides[0]


def in_action(
    card: Rank, state: State = BASE, *, captain: str | None = None, marshal: str | None = None
) -> State:
    """Blue's `card` goes into action, on a day on which blue has no token to lay."""
    after = guessed(replace(state, tokens=(1, 0)), card, captain=captain, marshal=marshal)
    assert result(after) == "activated"
    return after
