"""Plays a whole game of Spies & Lies out of one scenario, with the real rules and nothing else.

The scenario holds all hidden cards and all chance, and answers each Ask of the rules.  The player reads each
part only when the rules need it, so all lines before a mistake are right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from p2p_stratego.core.game import Choose, Face, Move, Open, Options, OptionValue
from p2p_stratego.core.rulebook import drive
from p2p_stratego.core.scenario import Line, Reader
from p2p_stratego.spies_and_lies.options import WALL
from p2p_stratego.spies_and_lies.rules.chance import deck_left, join, setup_number
from p2p_stratego.spies_and_lies.rules.components import (
    INTEL_DECK,
    MISSIONS,
    RANKS,
    SIDE_NAMES,
    SIDES,
    IntelRange,
    Mission,
    Rank,
)
from p2p_stratego.spies_and_lies.rules.game import SpiesAndLies
from p2p_stratego.spies_and_lies.rules.notation import (
    CAPTAIN_POINTS,
    KEEP,
    LAY,
    MARSHAL_FIVE,
    MARSHAL_TEN,
    copy,
    guess,
    mark,
)
from p2p_stratego.spies_and_lies.rules.phases import ways_to_rest
from p2p_stratego.spies_and_lies.rules.state import Report, State, place

RULES: Final = SpiesAndLies()


@dataclass(frozen=True)
class _Day:
    """One day of a scenario, its types checked; pairs are indexed by seat."""

    exhausted: tuple[list[Rank], ...]
    deploy: tuple[list[Rank], ...]
    intel: IntelRange
    marks: tuple[list[Mission], ...]
    turns: list[object]


def play(scenario: object) -> Iterator[Line]:
    """A line for each turn that was played out, then the outcome.

    Raises ScenarioError; its day and turn are those of the first turn that could not be played.
    """
    reader = Reader({"day": 1, "turn": 1})
    whole = reader.record(scenario, "the scenario", ("game", "starter", "old_intel", "days"), ("options",))
    reader.word(whole["game"], '"game"', (RULES.name,))
    options = _options(reader, whole)
    old = _intel(reader, whole["old_intel"], '"old_intel"')
    state: State | None = None
    for number, written in enumerate(reader.items(whole["days"], '"days"'), 1):
        if state is not None and state.phase == "mission":
            break  # the day before lacks turns, so the game stands there, unfinished: no new day can begin
        reader = Reader({"day": number, "turn": 1})
        _not_over(reader, state)
        day = _day(reader, written)
        state = _night(reader, state, day) if state else _setup(reader, options, old, day)
        state = _morning(reader, state, day)
        for count, turn in enumerate(day.turns, 1):
            reader = Reader({"day": number, "turn": count})
            _not_over(reader, state)
            if state.phase == "night":
                raise reader.error("a day has eight turns at most; leave out the others")
            state = _turn(reader, turn, state, day)
            if state.report is not None and state.report.result != "impossible":
                yield _line(state.report)
    yield _outcome(state)


def _not_over(reader: Reader, state: State | None) -> None:
    if state is not None and state.phase == "over":
        raise reader.error("the game has ended before this; leave out all that follows its end")


# Reading


def _options(reader: Reader, whole: Mapping[str, object]) -> Options:
    """The options of the rules; the starter is not one of them here but a part of the scenario."""
    wanted: dict[str, OptionValue] = {"starter": reader.word(whole["starter"], '"starter"', SIDE_NAMES)}
    options = reader.record(whole.get("options", {}), '"options"', (), ("wall",))
    if "wall" in options:
        wanted["wall"] = reader.whole(options["wall"], '"wall"', WALL.least, WALL.most)
    return RULES.options(wanted)


def _intel(reader: Reader, value: object, what: str) -> IntelRange:
    low_and_high = reader.wholes(value, what, RANKS[0], RANKS[-1])
    for card in INTEL_DECK:
        if low_and_high == [*card]:
            return card
    raise reader.error(f"{what} must be one of [1, 4], [4, 7] and [7, 10]")


def _sides(reader: Reader, value: object, what: str, limits: tuple[int, int]) -> tuple[list[int], list[int]]:
    """A list of integers within `limits` for each of the seats."""
    pair = reader.record(value, what, SIDE_NAMES)
    red, blue = (reader.wholes(pair[name], f"{what} of {name}", *limits) for name in SIDE_NAMES)
    return red, blue


def _day(reader: Reader, value: object) -> _Day:
    keys = ("exhausted", "deploy", "intel", "tokens", "turns")
    written = reader.record(value, "the day", keys)
    ranks = (RANKS[0], RANKS[-1])
    day = _Day(
        exhausted=_sides(reader, written["exhausted"], '"exhausted"', ranks),
        deploy=_sides(reader, written["deploy"], '"deploy"', ranks),
        intel=_intel(reader, written["intel"], '"intel"'),
        marks=_sides(reader, written["tokens"], '"tokens"', (MISSIONS[0], MISSIONS[-1])),
        turns=reader.items(written["turns"], '"turns"'),
    )
    for seat, name in enumerate(SIDE_NAMES):
        if len(day.deploy[seat]) != len(MISSIONS):
            raise reader.error(f'"deploy" of {name} must have one soldier for each of the four missions')
        if len(set(day.marks[seat])) != len(day.marks[seat]):
            raise reader.error(f'"tokens" of {name} names a mission twice')
    return day


# Playing


def _setup(reader: Reader, options: Options, old: IntelRange, day: _Day) -> State:
    for seat, name in enumerate(SIDE_NAMES):
        if len(day.exhausted[seat]) != 1:
            raise reader.error(f'"exhausted" of {name} must be exactly one soldier on day 1')
    tired = (day.exhausted[0][0], day.exhausted[1][0])
    return drive(RULES.setup(len(SIDES), options), lambda _: setup_number(old, tired))


def _night(reader: Reader, state: State, day: _Day) -> State:
    ways = ways_to_rest(state)
    digits = []
    for seat, name in enumerate(SIDE_NAMES):
        drawn = tuple(sorted(day.exhausted[seat]))
        if drawn not in ways[seat]:
            count = "two" if state.double[seat] else "one"
            raise reader.error(
                f'"exhausted" of {name} must be exactly {count} of the soldiers it deployed the day before'
            )
        digits.append(ways[seat].index(drawn))
    return drive(RULES.turn(state), lambda _: join(digits, [len(way) for way in ways]))


def _morning(reader: Reader, state: State, day: _Day) -> State:
    """Deployment, intel and marks."""
    left = deck_left(state.intel)
    if day.intel not in left:
        raise reader.error('"intel" must be a card still in the deck, which has two of each range')
    state = drive(RULES.turn(state), lambda _: (None, None))
    answers = iter((left.index(day.intel), (mark(day.marks[0]), mark(day.marks[1]))))
    return drive(RULES.turn(state), lambda _: next(answers))


def _guess(reader: Reader, value: object) -> Move:
    return guess(reader.whole(value, '"guess"', RANKS[0], RANKS[-1]))


def _deception(reader: Reader, value: object) -> Move:
    return LAY if reader.flag(value, '"deception"') else KEEP


def _captain(reader: Reader, value: object) -> Move:
    if isinstance(value, str):
        reader.word(value, '"captain"', ("points",))
        return CAPTAIN_POINTS
    return copy(reader.whole(value, '"captain", if not "points",', RANKS[0], RANKS[-1]))


def _marshal(reader: Reader, value: object) -> Move:
    return MARSHAL_TEN if reader.word(value, '"marshal"', ("ten", "five")) == "ten" else MARSHAL_FIVE


_READ: Final[Mapping[str, Callable[[Reader, object], Move]]] = {
    "guess": _guess,
    "deception": _deception,
    "captain": _captain,
    "marshal": _marshal,
}
_DEFAULTS: Final = {"deception": KEEP, "captain": CAPTAIN_POINTS, "marshal": MARSHAL_TEN}
_KEYS: Final = {guess(RANKS[0]): "guess", LAY: "deception", CAPTAIN_POINTS: "captain", MARSHAL_TEN: "marshal"}
"""Which key answers a Choose, by the first of its options."""


def _turn(reader: Reader, value: object, state: State, day: _Day) -> State:
    """One mission turn; its keys must be exactly those that the rules ask for."""
    written = reader.record(value, "the turn", (), tuple(_READ))
    moves = {**_DEFAULTS, **{key: _READ[key](reader, item) for key, item in written.items()}}
    asked: set[str] = set()

    def answer(ask: Choose | Open) -> Move | Face:
        if isinstance(ask, Open):
            _, seat, mission = place(ask.slot)
            return day.deploy[seat][mission - 1]
        key = _KEYS[next(iter(ask.options))]
        asked.add(key)
        if key not in moves:
            raise reader.error('the turn lacks the key "guess", and its card is not counted')
        if moves[key] not in ask.options:
            raise reader.error(f'"{key}" must be "points" or an exhausted soldier of the Captain\'s owner')
        return moves[key]

    after = drive(RULES.turn(state), answer)
    counted = "guess" not in asked
    impossible = after.report is not None and after.report.result == "impossible"
    for key in written:
        default = not counted and moves[key] == _DEFAULTS.get(key)
        idle = default or (impossible and key in ("captain", "marshal"))
        if key not in asked and not idle:
            raise reader.error(f'"{key}" has no place in this turn: {_needless(key, counted=counted)}')
    return after


def _needless(key: str, *, counted: bool) -> str:
    """Why the rules did not ask for this key."""
    if counted and key in ("guess", "deception"):
        return "the card is counted, for its owner was caught out of order today; write {}"
    if key == "deception":
        return "the card's owner holds no deception token"
    return f"no {key.capitalize()} goes into action"


# Printing


def _pair(values: tuple[int, int]) -> Line:
    return dict(zip(SIDE_NAMES, values, strict=True))


def _line(report: Report) -> Line:
    return {
        "day": report.day,
        "turn": report.turn,
        "guesser": SIDE_NAMES[report.guesser],
        "mission": report.mission,
        "soldier": report.soldier,
        "result": report.result,
        "points": _pair(report.points),
        "agent": report.agent,
        "deception": _pair(report.tokens),
    }


def _outcome(state: State | None) -> Line:
    """The last line; before the first day, nothing has moved yet."""
    ended = state.ended if state else None
    winner = next((name for seat, name in enumerate(SIDE_NAMES) if ended and seat in ended.winners), None)
    return {
        "winner": winner,
        "reason": ended.reason if ended else "unfinished",
        "agent": state.agent if state else 0,
        "points": _pair(state.points if state else (0, 0)),
    }
