"""SPIES! in plain English: one line an event, for histories, plain mode and replays.

Only public things are told; `names` is as in p2p_stratego/core/narration.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from p2p_stratego.core import narration
from p2p_stratego.core.game import Options, Outcome
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.rules import faults
from p2p_stratego.spies.rules.allocation import SEATS
from p2p_stratego.spies.rules.atlas import POWERS, SEA_NAMES, voyage
from p2p_stratego.spies.rules.counters import KINDS
from p2p_stratego.spies.rules.state import Event, State
from p2p_stratego.spies.rules.tiles import ANNEXED

_REASONS: Final[Mapping[str, str]] = {
    "points": "The last year is over: {W} wins by victory points.",
    "money": "The last year is over: equal in points, {W} wins by money.",
    "draw": "The last year is over: {W} is equal in points and money.",
    "deserted": "{W} wins: all others have left.",
}
_SHORT_REASONS: Final[Mapping[str, str]] = {
    "points": "victory points",
    "money": "money, at equal points",
    "draw": "equal in points and money",
}
_BREACHES: Final[Mapping[str, str]] = {
    faults.WRONG_CHIT: "played or gave a chit that it did not hold",
    faults.WRONG_YEAR: "played a tile of another year",
    faults.WRONG_TILE: "has tiles that are not its own",
    faults.FALSE_DISCARD: "discarded a tile that does not fit the year",
    faults.FALSE_NONE: "held a tile that fits, and said that it had none",
    faults.WRONG_POLICE: "laid police that are not its own",
    faults.WRONG_SPIES: "laid spies that are not its own",
    faults.FALSE_COMPARISON: "told the outcome of a search falsely",
    faults.FALSE_FIND: "told falsely what the secret is",
    faults.FALSE_SURVIVAL: "told falsely whether its spy survived",
    faults.FALSE_COUSIN: "told falsely whether its spy is the cousin",
    faults.OVERDRAWN: "spent more than it has",
}
_WHY: Final = {"capture": "for the capture", "secret": "for the secret"}


def step(before: State | None, after: State, names: Sequence[str]) -> tuple[str, ...]:
    """The events of the step from `before` (None: the set-up) to `after`, a line each."""
    lines = ["The decks are shuffled; secrets and tiles are dealt."] if before is None else []
    lines += events(after, names)
    if before is not None:
        lines += _turn(before, after, names)
    if after.ended is not None:
        lines += _count(after, names)
        lines.append(ending(after.ended, names))
    return tuple(lines)


def events(after: State, names: Sequence[str], start: int = 0) -> Iterator[str]:
    """The events of a step from a place of its report on, those that cost action points with the points.

    The pounds that several powers gain in one city are one sentence.
    """
    before: Event | None = after.report[start - 1] if start else None
    for _, alike in groupby(enumerate(after.report[start:]), key=_award):
        group = [event for _, event in alike]
        event = group[0]
        told = _gain(group) if len(group) > 1 else tell(after, event, names)
        points = _points(after, event, before)
        before = group[-1]
        if told and points:
            told = f"{told[:-1]} ({points} {'point' if points == 1 else 'points'})."
        if told:
            yield told


def _award(numbered: tuple[int, Event]) -> tuple[object, ...]:
    """What is the same for the events that are told together: pounds and city; of others, their number."""
    number, event = numbered
    return (event.kind, event.city, event.numbers) if event.kind == "gains" else (number,)


def _gain(group: Sequence[Event]) -> str:
    who = narration.listed([_who(event) for event in group])
    pounds, city = words.pounds(group[0].numbers[0]), words.city(group[0].city)
    return f"{who} gain {pounds} each for their spies at {city}."


def _points(after: State, event: Event, before: Event | None) -> int:
    """The action points that an event cost; `before`: the event before it in the same step."""
    if event.kind == "moves" and before is not None and before.kind == "sails":
        length = voyage(SEA_NAMES.index(before.word), event.city)
        return 1 if length is None else length - 1
    if event.kind == "searches":
        return int(before is None)  # the first of a city; on arrival it is free
    if event.kind == "plays":
        return KINDS[event.face].points if event.power == after.power and after.ended is None else 0
    if event.kind == "sails":
        return len(event.numbers)
    return int(event.kind in ("plays tile", "moves", "diplomacy"))


def tell(state: State, event: Event, names: Sequence[str]) -> str:
    """One event in a sentence or two; "" for one that others tell."""
    found = _EVENTS.get(event.kind)
    if found is None:
        return ""
    return found if isinstance(found, str) else found(state, event, names)


def _who(event: Event) -> str:
    return words.power(event.power) if event.power >= 0 else "Nobody"


def _spy(state: State, event: Event) -> str:
    return words.spy(event.spy, state.spies[event.spy].face)


def _secret(state: State, event: Event) -> str:
    return words.secret(state.secrets[event.secret].origin)


def _russia(_: State, event: Event, names: Sequence[str]) -> str:
    price = event.numbers[0]
    paid = f" for {words.pounds(price)}" if price else " for nothing"
    return f"Russia goes to {names[event.other]}{paid}."


def _tile(_: State, event: Event, __: Sequence[str]) -> str:
    told = f"{_who(event)} plays the tile {words.tile(event.face)}."
    if event.face in ANNEXED:
        city, owner = ANNEXED[event.face]
        told += f" {words.city(city)} becomes territory of {words.power(owner)}."
    return told


def _draws(_: State, event: Event, __: Sequence[str]) -> str:
    number = event.numbers[0]
    why = _WHY.get(event.word) or f"for its spy at {words.city(event.city)}"
    return f"{_who(event)} draws {number} {'chit' if number == 1 else 'chits'} {why}."


def _plays(_: State, event: Event, __: Sequence[str]) -> str:
    kind = KINDS[event.face]
    return f"{_who(event)} plays {words.chit(event.face)} for {words.pounds(kind.pounds)}."


def _sails(state: State, event: Event, _: Sequence[str]) -> str:
    rolls = ", then ".join(map(str, event.numbers))
    return f"{_spy(state, event)} puts out to the {event.word} sea and rolls {rolls}."


def _captured(state: State, event: Event, _: Sequence[str]) -> str:
    by = (
        f"{_who(event)} captures it, for £3 and a chit"
        if event.power >= 0
        else "it lies in the box of the neutral countries"
    )
    return f"{_spy(state, event)} is caught: {by}."


def _trade(_: State, event: Event, __: Sequence[str]) -> str:
    own, theirs = (_given(event.numbers[at : at + 3]) for at in (0, 3))
    other = words.power(event.other)
    told = f"{_who(event)} offers {other} {own} for {theirs}"
    return f"{told}; {other} declines." if event.word else f"{told}; {other} accepts."


def _given(numbers: Sequence[int]) -> str:
    pounds, chits, secrets = numbers
    parts = ["pounds that they alone know"] if pounds < 0 else [words.pounds(pounds)] * bool(pounds)
    parts += [f"{chits} {'chit' if chits == 1 else 'chits'}"] * bool(chits)
    parts += [f"{secrets} {'secret' if secrets == 1 else 'secrets'}"] * bool(secrets)
    return narration.listed(parts) or "nothing"


Teller = Callable[[State, Event, Sequence[str]], str]
_EVENTS: Final[Mapping[str, str | Teller]] = {
    "russia": _russia,
    "secrets": lambda _, e, __: f"{_who(e)} has laid its secrets.",
    "spies": lambda _, e, __: f"{_who(e)} has laid its spies.",
    "talked": "All are ready: the talks are over.",
    "left": lambda _, e, __: f"{_who(e)} does nothing any more: its player has left, and its cards lie open.",
    "plays tile": _tile,
    "discards": lambda _, e, __: f"{_who(e)} discards a tile of this year.",
    "no tile": lambda _, e, __: f"{_who(e)} has no tile that fits this year.",
    "gains": lambda _, e, __: (
        f"{_who(e)} gains {words.pounds(e.numbers[0])} for its spy at {words.city(e.city)}."
    ),
    "draws": _draws,
    "returns": lambda _, e, __: f"{_who(e)} returns {e.numbers[0]}: nobody holds more than ten.",
    "police": lambda _, e, __: f"{_who(e)} has laid its police.",
    "searches": lambda s, e, __: f"{_who(e)} searches {_spy(s, e)} in {words.city(e.city)}.",
    "escapes": lambda s, e, __: f"{_spy(s, e)} escapes to {words.city(e.city)}.",
    "too strong": lambda s, e, __: f"{_spy(s, e)} is too strong for the police of {_who(e)}.",
    "captured": _captured,
    "plays": _plays,
    "moves": lambda s, e, __: f"{_spy(s, e)} goes to {words.city(e.city)}.",
    "sails": _sails,
    "stays": lambda s, e, __: f"{_spy(s, e)} stays in port.",
    "takes": lambda s, e, __: f"{_spy(s, e)} takes {_secret(s, e)}.",
    "gives": lambda s, e, __: f"{_spy(s, e)} gives {_secret(s, e)} to the police there.",
    "leaves": lambda s, e, __: f"{_spy(s, e)} leaves {_secret(s, e)}.",
    "cashes": lambda s, e, __: f"{_spy(s, e)} brings {_secret(s, e)} home: {_who(e)} gains £20 and a chit.",
    "discovers": lambda s, e, __: f"{_spy(s, e)} looks for {_secret(s, e)}.",
    "discovery fails": "The Discovery fails.",
    "controls": lambda s, e, __: f"{_spy(s, e)} controls {_secret(s, e)} now.",
    "counterspy": lambda s, e, __: f"T{_secret(s, e)[1:]} is a counterspy of strength {e.numbers[0]}.",
    "survives": lambda s, e, __: f"{_spy(s, e)} survives the counterspy.",
    "sanctions": lambda s, e, __: f"{_spy(s, e)} is to kill {words.spy(e.other, s.spies[e.other].face)}.",
    "is the cousin": lambda s, e, __: f"{_spy(s, e)} is shown.",
    "killed": lambda s, e, __: f"{_spy(s, e)} is killed by {_who(e)}, which gets a marker of value 2.",
    "sanction fails": "The Sanction fails.",
    "drops": lambda s, e, __: f"{_spy(s, e)} hides {_secret(s, e)}.",
    "drop stands": lambda s, e, __: f"T{_secret(s, e)[1:]} lies in a drop of {_who(e)}'s.",
    "intercepts": lambda s, e, __: f"{_who(e)} intercepts {_secret(s, e)}.",
    "tries to escape": lambda s, e, __: f"{_spy(s, e)} tries to escape.",
    "escape fails": "The escape fails.",
    "recruited": lambda s, e, __: f"{_spy(s, e)} is back, in {words.city(e.city)}.",
    "diplomacy": lambda _, e, __: f"{_who(e)} talks with {words.power(e.other)}.",
    "trade": _trade,
}
"""By kind of event: its sentence."""


def _turn(before: State, after: State, names: Sequence[str]) -> Iterator[str]:
    """Whose turn begins."""
    if after.ended is not None or after.phase not in ("tile", "turn"):
        return
    if before.phase in ("tile", "turn") and (before.year, before.power) == (after.year, after.power):
        return
    year = f"{after.year}. " if before.year != after.year or before.phase in ("spies", "talk") else ""
    yield f"{year}{words.power(after.power)}'s turn ({names[after.seat(after.power)]})."


def _count(after: State, names: Sequence[str]) -> Iterator[str]:
    """Points and scores at the end."""
    if not after.points:
        return
    points = [f"{words.power(power)} {number}" for power, number in enumerate(after.points)]
    yield f"Points: {narration.listed(points)}."
    scores = [f"{name} {score}" for name, score in zip(names, after.scores, strict=True)]
    yield f"Scores: {narration.listed(scores)}."


def ending(outcome: Outcome, names: Sequence[str]) -> str:
    """How the game ended; a reason from outside the rules stays as it is."""
    broke = breach(outcome.breach.rule) if outcome.breach else ""
    return narration.ending(outcome, names, _REASONS, broke)


def reason(reason: str) -> str:
    """A reason in a few words, for lists; `ending` says it in a sentence."""
    return _SHORT_REASONS.get(reason, reason)


def breach(rule: str) -> str:
    """The offence against this rule, as the end of a sentence that begins with the offender's name."""
    return _BREACHES.get(rule, f"broke a rule: {rule}")


def options(options: Options, seats: int) -> list[str]:
    """The agreed variant for so many seats, a clause each."""
    powers = SEATS.get((seats, str(options["allocation"])), ())
    single = all(len(each) == 1 for each in powers) and len(powers) == len(POWERS)
    told = [] if single else [_runs(powers)]
    told += [
        _OPTIONS[name][str(value)]
        for name, value in options.items()
        if str(value) in _OPTIONS.get(name, {}) and not (single and name == "handicap")
    ]
    return [*told, *_times(options)]


def _runs(powers: Sequence[Sequence[int]]) -> str:
    """Which powers each seat runs: "seat 1 runs Germany and Italy, seat 2 Russia"."""
    parts = [f"seat {seat} {' and '.join(map(words.power, own))}" for seat, own in enumerate(powers, 1)]
    return ", ".join(parts).replace("seat 1 ", "seat 1 runs ", 1)


def _times(options: Options) -> Iterator[str]:
    """How long talks last, and how long an answer is waited for."""
    talk, answer = int(options["talk"]), int(options["answer"])
    if talk:
        yield f"talks of at most {talk} minutes before the first year and {talk / 2:g} before each other"
    yield f"{answer} seconds for an answer in another's turn" if answer else "no clock for answers"


_OPTIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "allocation": {
        "alternate": "powers in the alternate allocation",
        "bid": "Russia goes to the highest bidder each year",
    },
    "alliances": {"yes": "allies lose points if the other is behind both enemies"},
    "handicap": {
        "even": "the better of two powers counts, less a handicap",
        "none": "the better of two powers counts",
        "lower": "the lower of two powers counts",
        "sum": "two powers count together",
    },
    "purse": {"secret": "purses are secret"},
    "talk": {"0": "no talks between the years, so no talk alone"},
}
