"""SPIES! in plain English: one line an event, for histories, plain mode and replays.

Only public things are told; `names` is as in p2p_stratego/core/narration.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from p2p_stratego.core import narration
from p2p_stratego.core.game import Ask, Options
from p2p_stratego.core.language import _, mark, n_, number
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.rules import act
from p2p_stratego.spies.rules.allocation import EVEN, SEATS, check
from p2p_stratego.spies.rules.atlas import POWERS, RUSSIA, SEA_NAMES, Power, voyage
from p2p_stratego.spies.rules.counters import FIRST_YEAR, KINDS
from p2p_stratego.spies.rules.options import LESSON
from p2p_stratego.spies.rules.state import Event, State
from p2p_stratego.spies.rules.underway import FollowedStep

_REASONS: Final[Mapping[str, str]] = {
    "points": mark("The last year is over: {W} wins by victory points."),
    "money": mark("The last year is over: equal in points, {W} wins by money."),
    "draw": mark("The last year is over: {W} is equal in points and money."),
    "deserted": mark("{W} wins: all others have left."),
}
_SHORT_REASONS: Final[Mapping[str, str]] = {
    "points": mark("victory points"),
    "money": mark("money, at equal points"),
    "draw": mark("equal in points and money"),
}
_BREACHES: Final[Mapping[str, str]] = {
    act.WRONG_CHIT: mark("played or gave a chit that it did not hold"),
    act.WRONG_YEAR: mark("played a tile of another year"),
    act.WRONG_TILE: mark("has tiles that are not its own"),
    act.FALSE_DISCARD: mark("discarded a tile that does not fit the year"),
    act.FALSE_NONE: mark("held a tile that fits, and said that it had none"),
    act.WRONG_POLICE: mark("laid police that are not its own"),
    act.WRONG_SPIES: mark("laid spies that are not its own"),
    act.FALSE_COMPARISON: mark("told the outcome of a search falsely"),
    act.FALSE_FIND: mark("told falsely what the secret is"),
    act.FALSE_SURVIVAL: mark("told falsely whether its spy survived"),
    act.FALSE_COUSIN: mark("told falsely whether its spy is the cousin"),
    act.OVERDRAWN: mark("spent more than it has"),
}
_ENDS: Final = narration.Ends(_REASONS, _SHORT_REASONS, _BREACHES)
ending, reason, breach = _ENDS.ending, _ENDS.reason, _ENDS.breach
SEVERAL: Final = (
    mark("The last year is over: {W} win by victory points."),
    mark("The last year is over: equal in points, {W} win by money."),
    mark("The last year is over: {W} are equal in points and money."),
)
"""The same of several winners, for translators (`core.narration.agreeing`)."""
TALKED: Final = mark("All are ready: the talks are over.")
_EVENTS: Final[Mapping[str, str]] = {
    "russia": mark("Russia goes to {player} for {pounds}."),
    "russia unsold": mark("Russia goes to {player} for nothing."),
    "secrets": mark("{power} has laid its secrets."),
    "spies": mark("{power} has laid its spies."),
    "talked": TALKED,
    "left": mark("{power} does nothing any more: its player has left, and its cards lie open."),
    "plays tile": mark("{power} plays the tile {tile}."),
    "discards": mark("{power} discards a tile of this year."),
    "no tile": mark("{power} has no tile that fits this year."),
    "gains": mark("{power} gains {pounds} for its spy at {city}."),
    "returns": mark("{power} returns {chits}: nobody holds more than ten."),
    "police": mark("{power} has laid its police."),
    "searches": mark("{power} searches {spy} in {city}."),
    "escapes": mark("{spy} escapes to {city}."),
    "too strong": mark("{spy} is too strong for the police of {power}."),
    "captured": mark("{spy} is caught: {power} captures it, for £3 and a chit."),
    "captured neutral": mark("{spy} is caught: it lies in the box of the neutral countries."),
    "captured borrowed": mark(
        "{power} captures {spy}, for nothing: nobody gains by spies of a Russia that changes hands."
    ),
    "plays": mark("{power} plays {chit} for {pounds}."),
    "moves": mark("{spy} goes to {city}."),
    "sails baltic": mark("{spy} puts out to the baltic sea and rolls {rolls}."),
    "sails north": mark("{spy} puts out to the north sea and rolls {rolls}."),
    "sails atlantic": mark("{spy} puts out to the atlantic sea and rolls {rolls}."),
    "sails west": mark("{spy} puts out to the west sea and rolls {rolls}."),
    "sails adriatic": mark("{spy} puts out to the adriatic sea and rolls {rolls}."),
    "sails east": mark("{spy} puts out to the east sea and rolls {rolls}."),
    "sails black": mark("{spy} puts out to the black sea and rolls {rolls}."),
    "stays": mark("{spy} stays in port."),
    "takes": mark("{spy} takes {secret}."),
    "gives": mark("{spy} gives {secret} to the police there."),
    "leaves": mark("{spy} leaves {secret}."),
    "cashes": mark("{spy} brings {secret} home: {power} gains £20 and a chit."),
    "discovers": mark("{spy} looks for {secret}."),
    "discovery fails": mark("The Discovery fails."),
    "controls": mark("{spy} controls {secret} now."),
    "counterspy": mark("The secret of {city} is a counterspy of strength {strength}."),
    "survives": mark("{spy} survives the counterspy."),
    "sanctions": mark("{spy} sets out to kill {spy2}."),
    "is the cousin": mark("{spy} is shown."),
    "killed": mark("{spy} is killed by {power}, which gets a marker of value 2."),
    "sanction fails": mark("The Sanction fails."),
    "drops": mark("{spy} hides {secret}."),
    "drop stands": mark("The secret of {city} lies in a drop of {power}'s."),
    "intercepts": mark("{power} intercepts {secret}."),
    "tries to escape": mark("{spy} tries to escape."),
    "escape fails": mark("The escape fails."),
    "recruited": mark("{spy} is back, in {city}."),
    "diplomacy": mark("{power} talks with {other}, alone and sealed, until {power} does anything but trade."),
    "trade": mark("{power} offers {other} {own} for {theirs}; {other} accepts."),
    "trade declined": mark("{power} offers {other} {own} for {theirs}; {other} declines."),
}
"""By kind of event, and what became of it."""
_WHY: Final = {"capture": mark("for the capture"), "secret": mark("for the secret")}


def step(before: State | None, after: State, names: Sequence[str]) -> tuple[str, ...]:
    """The events of the step from `before` (None: the set-up) to `after`, a line each."""
    turn = [] if before is None else _turn(before, after, names)
    return (*step_results(before, after, names), *turn)


def step_results(before: State | None, after: State, names: Sequence[str]) -> tuple[str, ...]:
    """The same without whose turn begins."""
    lines = list[str]()
    if before is None and after.allocation == LESSON:
        lines = [_("Secrets and tiles are dealt, from decks in an order that suits a lesson.")]
    elif before is None:
        lines = [_("The decks are shuffled; secrets and tiles are dealt."), *_countries_run(after, names)]
    lines += events(after, names)
    if after.ended is not None:
        lines += _count(after, names)
        lines.append(ending(after.ended, names))
    return tuple(lines)


def events(after: State, names: Sequence[str], start: int = 0) -> Iterator[str]:
    """The sentences of a step's events, from a place of its report on, with the action points that they cost.

    The pounds that several powers gain in one city are one sentence.
    """
    before: Event | None = after.report[start - 1] if start else None
    for _key, alike in groupby(enumerate(after.report[start:]), key=_award):
        group = [event for _at, event in alike]
        event = group[0]
        sentence = _gain(group) if len(group) > 1 else tell(after, event, names)
        points = _points(after, event, before)
        before = group[-1]
        if sentence and points:
            sentence = n_(
                "{event} ({count} point).", "{event} ({count} points).", points, event=sentence[:-1]
            )
        if sentence:
            yield sentence


def _award(numbered: tuple[int, Event]) -> tuple[object, ...]:
    """The key of events that share a sentence: pounds and city; for other events, their number."""
    number, event = numbered
    return (event.kind, event.city, event.numbers) if event.kind == "gains" else (number,)


def _gain(group: Sequence[Event]) -> str:
    powers = narration.listed([_who(event) for event in group])
    pounds, city = words.pounds(group[0].numbers[0]), words.city(group[0].city)
    return _(
        "{powers} gain {pounds} each for their spies at {city}.", powers=powers, pounds=pounds, city=city
    )


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
    """An event in a sentence or two; "" for an event that another event's sentence tells."""
    if event.kind == "draws":
        return _draws(event)
    sentence = _(_EVENTS.get(_variant(state, event), ""))
    text = sentence.format_map(narration.Fields(_FIELDS, state, event, names))
    return narration.joined(text, words.effect(event.face)) if event.kind == "plays tile" else text


def _variant(state: State, event: Event) -> str:
    """The kind of an event, and what became of it where that has a sentence of its own."""
    match event.kind:
        case "sails":
            return f"sails {event.word}"
        case "russia" if not event.numbers[0]:
            return "russia unsold"
        case "captured" if event.power < 0:
            return "captured neutral"
        case "captured" if state.borrowed(state.spies[event.spy].power):
            return "captured borrowed"
        case "trade" if event.word:
            return "trade declined"
    return event.kind


def _who(event: Event) -> str:
    return words.power(event.power) if event.power >= 0 else _("Nobody")


def _draws(event: Event) -> str:
    why = _WHY.get(event.word)
    return n_(
        "{power} draws {count} chit {why}.",
        "{power} draws {count} chits {why}.",
        event.numbers[0],
        power=_who(event),
        why=_(why) if why else _("for its spy at {city}", city=words.city(event.city)),
    )


def _given(numbers: Sequence[int]) -> str:
    pounds, chits, secrets = numbers
    parts = [_("pounds that they alone know")] if pounds < 0 else [words.pounds(pounds)] * bool(pounds)
    parts += [n_("{count} chit", "{count} chits", chits)] * bool(chits)
    parts += [n_("{count} secret", "{count} secrets", secrets)] * bool(secrets)
    return narration.listed(parts) or _("nothing")


_FIELDS: Final[Mapping[str, Callable[[State, Event, Sequence[str]], object]]] = {
    "player": lambda _s, e, names: names[e.other],
    "power": lambda _s, e, _n: _who(e),
    "other": lambda _s, e, _n: words.power(e.other),
    "spy": lambda s, e, _n: words.spy(e.spy, s.spies[e.spy].face),
    "spy2": lambda s, e, _n: words.spy(e.other, s.spies[e.other].face),
    "secret": lambda s, e, _n: words.secret(s.secrets[e.secret].origin),
    "city": lambda s, e, _n: words.city(e.city if e.city >= 0 else s.secrets[e.secret].origin),
    "tile": lambda _s, e, _n: words.tile(e.face),
    "chit": lambda _s, e, _n: words.chit(e.face),
    "pounds": lambda _s, e, _n: words.pounds(e.numbers[0] if e.numbers else KINDS[e.face].pounds),
    "chits": lambda _s, e, _n: e.numbers[0],
    "strength": lambda _s, e, _n: e.numbers[0],
    "rolls": lambda _s, e, _n: _(", then ").join(map(str, e.numbers)),
    "own": lambda _s, e, _n: _given(e.numbers[:3]),
    "theirs": lambda _s, e, _n: _given(e.numbers[3:]),
}
"""By field of the sentences about an event."""


def _turn(before: State, after: State, names: Sequence[str]) -> Iterator[str]:
    """Whose turn begins."""
    if after.ended is not None or after.phase not in ("tile", "turn"):
        return
    if before.phase in ("tile", "turn") and (before.year, before.power) == (after.year, after.power):
        return
    year = f"{after.year}. " if before.year != after.year or before.phase in ("spies", "talk") else ""
    turn = _(
        "{power}'s turn ({player}).", power=words.power(after.power), player=names[after.seat(after.power)]
    )
    yield f"{year}{turn}"


def _count(after: State, names: Sequence[str]) -> Iterator[str]:
    """The points of the powers at the end, and what counts for each seat."""
    if not after.points:
        return
    points = [f"{words.power(power)} {number}" for power, number in enumerate(after.points)]
    yield _("Points: {points}.", points=narration.listed(points))
    seats = SEATS[after.seats, after.allocation]
    if all(len(own) == 1 for own in seats):
        scores = [f"{name} {score}" for name, score in zip(names, after.scores, strict=True)]
        yield _("Scores: {scores}.", scores=narration.listed(scores))
        return
    for own, name, score in zip(seats, names, after.scores, strict=True):
        yield _counted(after, own, name, score)
    if not any(RUSSIA in own for own in seats):
        yield _("Russia counts for nobody, since it changed hands.")


def _counted(after: State, own: Sequence[Power], name: str, score: int) -> str:
    """The score of a seat, and how it comes from the points of its powers."""
    how, less = after.handicap if len(own) > 1 else "alone", 0
    if how in ("even", "none"):
        less = max(after.points[power] for power in own) - score
        how = "less" if less else "none"
    powers = narration.listed([words.power(power) for power in own])
    return _(_SCORES[how], player=name, score=score, powers=powers, less=less)


_SCORES: Final = {
    "alone": mark("{player} has {score} with {powers}."),
    "none": mark("{player} has {score}: of {powers} the better one counts."),
    "less": mark("{player} has {score}: of {powers} the better one counts, less {less}."),
    "lower": mark("{player} has {score}: of {powers} the lower one counts."),
    "sum": mark("{player} has {score}: {powers} count together."),
}
"""By what counts of the powers of a seat."""


def _countries_run(begun: State, names: Sequence[str]) -> Iterator[str]:
    """Who runs which powers, and who has Russia in which years where it changes hands."""
    powers = SEATS[begun.seats, begun.allocation]
    for clause in (_runs(powers, names), _russia_in_turns(begun.seats, begun.allocation, names)):
        if clause:
            yield f"{narration.capital(clause)}."


def options(options: Options, seats: int) -> list[str]:
    """The agreed variant for so many seats, a clause each."""
    powers = SEATS.get((seats, str(options["allocation"])), ())
    single = all(len(group) == 1 for group in powers) and len(powers) == len(POWERS)
    chairs = [_("seat {seat}", seat=seat) for seat in range(1, seats + 1)]
    sentences = [] if single else [_runs(powers, chairs)]
    if options["allocation"] == "standard" and seats == 2:
        sentences.append(_russia_in_turns(seats, "standard", chairs))
    shown = dict(options)
    if (seats, str(options["allocation"])) not in EVEN and options["handicap"] == "even":
        shown["handicap"] = "none"  # so few players have none
    sentences += [
        _(_OPTIONS[name][str(value)])
        for name, value in shown.items()
        if str(value) in _OPTIONS.get(name, {}) and not (single and name == "handicap")
    ]
    return [*sentences, *_times(options)]


def countries(seats: int, options: Options) -> tuple[dict[str, str], ...]:
    """By seat: its powers for good, by their names in commands (2.1 of the rule text).

    `options`: complete.  Raises OptionError for options that so many players cannot have.
    """
    check(seats, options)
    return tuple(
        {POWERS[power]: words.power(power) for power in own}
        for own in SEATS[seats, str(options["allocation"])]
    )


_RUNS: Final = mark("{player} runs {powers}")
_RUNS_TOO: Final = mark("{player} {powers}")
"""Behind the first."""


def _runs(powers: Sequence[Sequence[Power]], names: Sequence[str]) -> str:
    """The powers of each seat: "Anna runs Germany and Italy, Boris Russia"."""
    parts = [
        _(
            _RUNS if seat == 0 else _RUNS_TOO,
            player=names[seat],
            powers=narration.listed([words.power(power) for power in own]),
        )
        for seat, own in enumerate(powers)
    ]
    return ", ".join(parts)


def _russia_in_turns(seats: int, allocation: str, names: Sequence[str]) -> str:
    """Who has Russia in which years, as a clause; "" where it stays with a player."""
    if allocation == "bid":
        return _(_OPTIONS["allocation"]["bid"])
    if (seats, allocation) != (2, "standard"):
        return ""
    return _(
        "Russia goes to {odd} in odd years, from {first} on, and to {even} in even ones",
        odd=names[0],
        even=names[1],
        first=FIRST_YEAR,
    )


def _times(options: Options) -> Iterator[str]:
    """How long talks last, and how long an answer is waited for."""
    talk, answer = int(options["talk"]), int(options["answer"])
    if talk:
        yield _(
            "talks of at most {talk} minutes before the first year and {half} before each other",
            talk=talk,
            half=number(talk / 2, talk % 2),
        )
    yield (
        _("{seconds} seconds for an answer in another's turn", seconds=answer)
        if answer
        else _("no clock for answers")
    )


_OPTIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "allocation": {
        "alternate": mark("powers in the alternate allocation"),
        "bid": mark("Russia goes to the highest bidder each year"),
        LESSON: mark("the other powers sleep, and all know what is dealt, as in a lesson"),
    },
    "alliances": {"yes": mark("allies lose points if the other is behind both enemies")},
    "handicap": {
        "even": mark("the better of two powers counts, less a handicap"),
        "none": mark("the better of two powers counts"),
        "lower": mark("the lower of two powers counts"),
        "sum": mark("two powers count together"),
    },
    "purse": {"secret": mark("purses are secret")},
    "talk": {"0": mark("no talks between the years, so no talk alone")},
}


_LABELS: Final[Mapping[str, str]] = {
    "left": mark("left"),
    "killed": mark("killed"),
    "captured": mark("captured"),
    "cashes": mark("secret home"),
    "intercepts": mark("intercepted"),
    "counterspy": mark("counterspy"),
    "takes": mark("secret taken"),
    "controls": mark("secret taken"),
    "recruited": mark("recruited"),
    "trade": mark("trade"),
    "plays tile": mark("tile"),
}
"""By kind of event, the most telling first."""


def moment(before: State | None, after: State) -> str:
    """The event of the step from `before` (None: the set-up) to `after`; "" for nothing of note."""
    if before is None:
        return ""
    if after.ended is not None:
        return _("the end")
    if after.year > before.year:
        return str(after.year)
    kinds = {event.kind for event in after.report}
    return _(next((label for kind, label in _LABELS.items() if kind in kinds), ""))


class Unfolding:
    """One step, told Ask by Ask; implements `core.narration.Unfolding`."""

    def __init__(self, before: State, names: Sequence[str]) -> None:
        """`before`: the state before the step."""
        self._step, self._names, self._heard = FollowedStep(before), names, 0

    def hear(self, ask: Ask, answer: Any) -> Sequence[str]:
        """The sentences of the events up to the next Ask, without those of earlier calls."""
        state = self._step.answered(ask, answer)
        if state is None:
            return ()
        sentences = tuple(events(state, self._names, min(self._heard, len(state.report))))
        self._heard = len(state.report)
        return sentences
