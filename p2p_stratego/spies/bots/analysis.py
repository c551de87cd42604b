"""A game of SPIES! looked back on: choices beside the agent's own, and the odds of searches and chits.

It asks the agent's own beliefs and worths (see `core.analysis` for the measures); the chance to win is that
of `prospects`.  Layings, bids, proposals, and answers that the rules force are counted, and not judged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import exp, log, log2
from typing import Final, NamedTuple

from p2p_stratego.core.analysis import Enough, Judgement, Likelihood, MadeDecision, Outlook
from p2p_stratego.core.game import Choose, Face, Move, Seat, Slot
from p2p_stratego.core.language import _, mark, n_, number
from p2p_stratego.core.view import View
from p2p_stratego.spies.bots import prospects
from p2p_stratego.spies.bots.agent import tile_worth
from p2p_stratego.spies.bots.answers import Answers
from p2p_stratego.spies.bots.characters import EVEN
from p2p_stratego.spies.bots.guard import Guard, Post
from p2p_stratego.spies.bots.prospects import Attempted
from p2p_stratego.spies.bots.turn import Turn
from p2p_stratego.spies.bots.turn_worths import TurnWorths
from p2p_stratego.spies.formats import narration, words
from p2p_stratego.spies.formats.choices import in_words
from p2p_stratego.spies.rules.atlas import CITY_NAMED, SEA_NAMES, City, Power
from p2p_stratego.spies.rules.bids import powers_of
from p2p_stratego.spies.rules.counters import ALL_SECRETS, CHIT_NAMES, DISCOVERY, SANCTION, SPIES, SPY_FACES
from p2p_stratego.spies.rules.map_data import DIE
from p2p_stratego.spies.rules.notation import (
    ACCEPT,
    AGAIN,
    DECLINE,
    END,
    NO_ANSWER,
    READY,
    SEARCH,
    SEIZE,
    STAY,
)
from p2p_stratego.spies.rules.observation import true_options
from p2p_stratego.spies.rules.police import Layings, cities_of
from p2p_stratego.spies.rules.state import SPY_CODED, Event, SpyId, State
from p2p_stratego.spies.rules.turn.movement import landings
from p2p_stratego.spies.rules.turn.trade import Proposals
from p2p_stratego.spies.rules.underway import now

_KINDS: Final[Mapping[str, str]] = {
    "laying": mark("laying"),
    "bid": mark("bid"),
    "tile": mark("tile"),
    "police": mark("police"),
    "search": mark("search"),
    "journey": mark("journey"),
    "secret": mark("secret"),
    "chit": mark("chit"),
    "answer": mark("answer"),
    "talk": mark("talk"),
    "end": mark("end of turn"),
}
_BY_WORD: Final[Mapping[str, str]] = {
    **dict.fromkeys(("move", "sail", "land", STAY, AGAIN), "journey"),
    **dict.fromkeys(("take", "give", "leave", "cash", SEIZE), "secret"),
    **dict.fromkeys(("tile", "discard", "no"), "tile"),
    **dict.fromkeys(("police", "lay", "stand"), "police"),
    **dict.fromkeys(("diplomacy", "propose", ACCEPT, DECLINE, READY, "want"), "talk"),
    **dict.fromkeys(("hand", "return"), "chit"),
    **dict.fromkeys((SEARCH, *SPY_CODED), "search"),
    **dict.fromkeys(("bid", "pay"), "bid"),
    "at": "laying",
}
"""By the first word of a choice: its kind; of others "answer"."""
_TOLD: Final = frozenset(
    {
        *("cashes", "controls", "counterspy", "captured", "killed", "escapes", "recruited", "intercepts"),
        *("drop stands", "discovery fails", "sanction fails", "plays tile", "trade", "russia", "left"),
    }
)
"""The kinds of events that change the chance to win before everybody's eyes."""
_SHOWN: Final = 3
"""How many of the likeliest faces are told."""


def judge(played: Iterable[MadeDecision], enough: Callable[[], Enough]) -> Iterator[Judgement]:
    """A judgement of each decision, in order."""
    for made in played:
        yield _with_bits(_judged(made, enough()))


def _judged(made: MadeDecision, stop: Enough) -> Judgement:
    view: View[State] = made.view
    decision = view.asked
    if not isinstance(decision, Choose):
        kind = "laying" if view.state.phase in ("police", "spies") else "talk"
        return Judgement(made, kind, "", unknown=made.answer is None)
    state, move = now(view), str(made.answer)
    kind = _kind(move, decision.options)
    judgement = Judgement(made, kind, _in_words(state, view, move))
    if not prospects.begun(state) or kind in ("laying", "bid"):
        return judgement
    turn = Turn(state, view, EVEN)
    tried = attempt(turn, move, acts=END in decision.options)
    if tried is not None:
        judgement = _tried(judgement, turn, tried)
    if not _knows_all(state, view):
        return replace(judgement, unknown=True)
    if stop():
        return replace(judgement, hasty=True)
    return _beside(judgement, turn, _Choices(turn, view).compared(move))


def _in_words(state: State, view: View[State], move: Move) -> str:
    """A choice in words; of a laying, with the strengths that are known."""
    options = view.asked.options if isinstance(view.asked, Choose) else ()
    if not isinstance(options, Layings):
        return in_words(view.known, move)
    return _posted(_posts(state, view.known, options.power, move))


def _kind(move: Move, options: Collection[Move]) -> str:
    """The kind of a choice."""
    word = move.split(" ")[0]
    acts = END in options and not any(option in SPY_CODED for option in options)
    if isinstance(options, Proposals):
        return "talk"
    if move == END:
        return "end" if acts else "search"
    if move == NO_ANSWER:
        return "search" if SEARCH in options else "secret" if SEIZE in options else "answer"
    if word in CHIT_NAMES:
        return "chit" if acts else "answer"
    return "talk" if word == "give" and not acts else _BY_WORD.get(word, "answer")


def _knows_all(state: State, view: View[State]) -> bool:
    """Whether all that the seat could read then is known now."""
    own = [power for power, runner in enumerate(state.runs) if runner == view.seat]
    slots = [
        *prospects.readable(state, view.seat),
        *(slot for power in own for slot in state.hands[power]),
        *(unit.slot for power in own for unit in state.police[power] if unit.face is None),
        *(piece.slot for power in own for _spy, piece in state.own(power) if piece.face is None),
    ]
    return all(slot in view.known for slot in slots)


class _Choices:
    """The choices of a question beside each other, as the agent weighs them."""

    def __init__(self, turn: Turn, view: View[State]) -> None:
        self._turn, self._view = turn, view

    def compared(self, move: Move) -> tuple[str, float] | None:
        """The agent's choice in words, and how many points more than `move` it is worth.

        None if they cannot be compared.
        """
        decision, turn = self._view.asked, self._turn
        options: Collection[Move] = decision.options if isinstance(decision, Choose) else ()
        if isinstance(options, Layings):
            return self._laid(move, options)
        if isinstance(options, Proposals):
            return None
        true = true_options(self._view)
        if move not in true or len(true) < 2:
            return None  # forced, or a breach of the rules: the record says so
        if END in options and not any(option in SPY_CODED for option in options):
            worths = TurnWorths(turn, true, EVEN.a_search)
            return _apart(turn, move, turn.action(true), worths.worth)
        worth = self._worth(true)
        return None if worth is None else _apart(turn, move, max(true, key=worth), worth)

    def _worth(self, true: Sequence[Move]) -> Callable[[Move], float] | None:
        """The worth of an answer in points; None where the agent has no such measure."""
        turn, word = self._turn, true[0].split(" ")[0]
        if any(move in SPY_CODED for move in true):
            return lambda move: _preyed(turn, SPY_CODED[move]) if move in SPY_CODED else 0.0
        if SEARCH in true:
            spy = _arrived(turn.state)
            return lambda move: _preyed(turn, spy) * (move == SEARCH)
        if word in ("tile", "discard"):
            return lambda move: tile_worth(turn.worths, move)
        if word in ("hand", "return"):
            return lambda move: -turn.trader.kept(int(move.split(" ")[1]))
        if STAY in true and AGAIN not in true:
            return self._landed
        if NO_ANSWER in true and SEIZE not in true:
            return Answers(turn.worths, turn.targets).worth
        return None

    def _landed(self, move: Move) -> float:
        """The worth of landing somewhere, or of going back to port, once no new roll is possible."""
        turn = self._turn
        state, spy = turn.state, turn.state.mover
        if move == STAY:
            return turn.planner.landed(spy, state.spies[spy].city, 0, state.ap)
        sea = SEA_NAMES.index(str(self._view.since[0][1]).split(" ")[2])
        city = CITY_NAMED[move.split(" ")[1]]
        spent = dict(landings(state, spy, sea, max(DIE)))[city]
        return turn.planner.landed(spy, city, state.spaces(spy) - spent, state.ap - spent)

    def _laid(self, move: Move, options: Layings) -> tuple[str, float]:
        """The agent's laying of police in words, and how many points more it is worth."""
        turn, power = self._turn, options.power
        guard = Guard(turn.worths, power)
        made = _posts(turn.state, turn.worths.known, power, move)
        best = guard.posts([post.strength for post in made])
        return _posted(best), guard.total(best) - guard.total(made)


def _apart(
    turn: Turn, move: Move, best: Move, worth: Callable[[Move], float | None]
) -> tuple[str, float] | None:
    """The agent's choice in words, and how many points more it is worth; None if one has no worth."""
    named = in_words(turn.worths.known, best)
    if move == best:
        return named, 0.0
    made, better = worth(move), worth(best)
    return None if made is None or better is None else (named, better - made)


def _posts(state: State, known: Mapping[Slot, Face], power: Power, move: Move) -> list[Post]:
    """The units of a laying, each in its city; strength 0 where it is not known."""
    units = [known.get(unit.slot, 0) for unit in state.police[power]]
    return [Post(city, unit) for city, unit in zip(cities_of(power, move), units, strict=True)]


def _posted(posts: Iterable[Post]) -> str:
    """A laying in words: "Berlin 4+3, Hamburg 2"; of closed units, "Berlin ?+?, Hamburg ?"."""
    by_city: dict[City, list[str]] = {}
    for post in posts:
        by_city.setdefault(post.city, []).append(str(post.strength or "?"))
    return ", ".join(f"{words.city(city)} {'+'.join(units)}" for city, units in by_city.items())


def _beside(judgement: Judgement, turn: Turn, compared: tuple[str, float] | None) -> Judgement:
    """A decision beside the agent's, by what both are worth to it."""
    if compared is None:
        return judgement
    best, points = compared
    lost = _in_chance(turn, points)
    return replace(judgement, best=judgement.chosen if lost == 0 else best, lost=lost)


# The chance to win


def _hopes(turn: Turn) -> float:
    """The chance of the seat by what it knows."""
    return prospects.chance(turn.state, turn.worths.known)[turn.worths.seat]


def _in_chance(turn: Turn, points: float) -> float:
    """The chance to win that so many points (≥ 0) less cost."""
    if points <= 0:
        return 0.0
    hopes = _hopes(turn)
    return max(hopes - _shifted(turn.state, hopes, -points), 0.0)


def _shifted(state: State, hopes: float, points: float) -> float:
    """A chance to win with so many points more, or less."""
    if not 0 < hopes < 1:
        return hopes
    return 1 / (1 + exp(-log(hopes / (1 - hopes)) - prospects.gain(state, points)))


# What can come right or wrong


class Attempt(NamedTuple):
    """A choice that can come right or wrong."""

    kind: Attempted
    odds: float
    """How likely it would come right, if nobody could answer it."""
    chits: int
    """In the hand of the power that may answer."""
    gain: float
    """The worth of success, in points."""
    came: Callable[[Event], bool]
    """Whether an event is that success."""
    knew: Sequence[tuple[str, float]] = ()


def attempt(turn: Turn, move: Move, *, acts: bool) -> Attempt | None:
    """A search, a Discovery or a Sanction; None for another choice.

    `acts`: whether it is an action of the seat's own turn.
    """
    word, *parts = move.split(" ")
    if move in SPY_CODED:
        return _search(turn, SPY_CODED[move])
    if move == SEARCH:
        return _search(turn, _arrived(turn.state))
    if acts and word == CHIT_NAMES[DISCOVERY]:
        return _discovery(turn, CITY_NAMED[parts[2]])
    if acts and word == CHIT_NAMES[SANCTION]:
        return _sanction(turn, SPY_CODED[parts[1]], SPY_CODED[parts[2]])
    return None


def _arrived(state: State) -> SpyId:
    """The spy that has just come to police."""
    return next(event for event in reversed(state.report) if event.kind == "moves").spy


def _odds_of_search(turn: Turn, spy: SpyId) -> float:
    """How likely the police around a spy are stronger."""
    beliefs, city = turn.worths.beliefs, turn.state.spies[spy].city
    there = turn.state.police_of(city)
    return 0.0 if there is None else min(1.0, beliefs.search(spy, there, city))


def _prey(turn: Turn, spy: SpyId) -> float:
    """The worth to the searching seat of capturing a spy."""
    there = turn.state.police_of(turn.state.spies[spy].city)
    return 0.0 if there is None else turn.worths.capture(spy, there) + turn.worths.robbed(there, spy)


def _chits(turn: Turn, power: Power | None) -> int:
    """The chits with which a power may answer this seat."""
    return 0 if power is None or not turn.worths.hostile(power) else len(turn.state.hands[power])


def _preyed(turn: Turn, spy: SpyId) -> float:
    """The worth of a search that nobody answers."""
    return _odds_of_search(turn, spy) * _prey(turn, spy)


def _search(turn: Turn, spy: SpyId) -> Attempt:
    faces = sorted(turn.worths.beliefs.spy(spy).items(), key=lambda pair: (-pair[1], pair[0]))
    return Attempt(
        "search",
        _odds_of_search(turn, spy),
        _chits(turn, turn.state.spies[spy].power),
        _prey(turn, spy),
        lambda event: event.kind == "captured" and event.spy == spy,
        [(words.spy(spy, face), share) for face, share in faces[:_SHOWN]],
    )


def _discovery(turn: Turn, origin: City) -> Attempt | None:
    secret = turn.state.named(origin)
    if secret is None:
        return None
    lying, genuine = turn.state.secrets[secret], turn.worths.beliefs.promise(secret).genuine
    return Attempt(
        "discovery",
        genuine,
        _chits(turn, lying.owner if lying.by is None else lying.by),
        turn.targets.brought(turn.power, secret, lying.city),
        lambda event: event.kind == "controls" and event.secret == secret,
        [(_("a genuine secret"), genuine), (_("a counterspy"), 1 - genuine)],
    )


def _sanction(turn: Turn, spy: SpyId, victim: SpyId) -> Attempt:
    worths = turn.worths
    return Attempt(
        "sanction",
        1 - (1 - worths.beliefs.cousin(spy)) * worths.beliefs.cousin(victim),
        _chits(turn, turn.state.spies[victim].power),
        worths.marker(turn.power, victim) + worths.robbed(turn.power, victim),
        lambda event: event.kind == "killed" and event.spy == victim,
    )


def _tried(judgement: Judgement, turn: Turn, tried: Attempt) -> Judgement:
    """With odds, and the luck: the chance to win by the result, less that to be expected."""
    after = judgement.made.after
    odds = tried.odds * prospects.stands(tried.kind, tried.chits)
    came = None if after is None else any(map(tried.came, after.report))
    luck = None
    if came is not None:
        hopes = _hopes(turn)
        luck = (_shifted(turn.state, hopes, tried.gain) - hopes) * (came - odds)
    return replace(
        judgement,
        odds=odds,
        came=came,
        luck=luck,
        knew=tuple(Likelihood(name, share) for name, share in tried.knew if share > 0),
    )


# Measures


def _with_bits(judgement: Judgement) -> Judgement:
    """With what all learned in its step by its first decision; nobody learns by the count at the end."""
    made = judgement.made
    before: State = made.view.state
    after: State | None = made.after
    if after is None or after.ended is not None or made.view.since or not prospects.begun(before):
        return judgement
    seat = made.seat
    others = [other for other in range(before.seats) if other != seat]
    return replace(
        judgement,
        given=max(bits(before, seat) - bits(after, seat), 0.0),
        gained=max(sum(bits(before, other) - bits(after, other) for other in others), 0.0),
    )


def bits(state: State, seat: Seat) -> float:
    """The bits that are open about the spies and secrets of a seat, each by itself."""
    if not prospects.begun(state):
        return 0.0
    own = powers_of(state, seat)
    open_ = 0.0
    for power in own:
        of_power = state.spies[power * SPIES : (power + 1) * SPIES]
        closed = [piece for piece in of_power if piece.face is None and piece.where == "map"]
        unseen = len(SPY_FACES) - sum(piece.face is not None for piece in of_power)
        open_ += len(closed) * log2(max(unseen, 1))
    left = Counter(ALL_SECRETS) - Counter(lying.face for lying in state.secrets if lying.face is not None)
    total = sum(left.values())
    entropy = -sum(count / total * log2(count / total) for count in left.values())
    return open_ + entropy * sum(lying.owner in own and lying.face is None for lying in state.secrets)


def chance(state: State, seat: Seat) -> float:
    """How likely `seat` is to win, 0 to 1."""
    return prospects.chance(state)[seat]


def outlooks(states: Iterable[State], seats: int, truth: Mapping[Slot, Face]) -> Iterator[Outlook]:
    """The outlook after each step: by what everybody can see, and by what each seat knows."""
    for state in states:
        seen = prospects.chance(state)
        own = tuple(_own(state, seat, truth, seen) for seat in range(seats))
        known = any(chance is not None for chance in own)
        yield Outlook(seen, own if known else None, begun=prospects.begun(state))


def _own(state: State, seat: Seat, truth: Mapping[Slot, Face], seen: Sequence[float]) -> float | None:
    """The chance of a seat by what it knows; None if that is not known."""
    if state.ended is not None:
        return seen[seat] if truth else None
    if not prospects.begun(state):
        return None
    slots = prospects.readable(state, seat)
    if seat in state.gone or any(slot not in truth for slot in slots):
        return None
    return prospects.chance(state, {slot: truth[slot] for slot in slots})[seat]


def reason(before: State, after: State, _names: Sequence[str], _truth: Mapping[Slot, Face]) -> str | None:
    """The sentences of a step tell each event that counts; a step without one shows no reason."""
    is_eventful = after.year > before.year or any(event.kind in _TOLD for event in after.report)
    return "" if is_eventful or after.ended is not None else None


def step_results(before: State, after: State, names: Sequence[str]) -> Sequence[str]:
    """The sentences of a step, without whose turn begins."""
    return narration.step_results(before, after, names)


def kinds(kind: str) -> str:
    """A kind of decision in the reader's language."""
    return _(_KINDS[kind])


def summary(name: str, judged: Sequence[Judgement]) -> list[str]:
    """How many searches and chits came right, and how many were to be expected."""
    searches, chits = (
        [judgement for judgement in judged if judgement.kind == kind and judgement.came is not None]
        for kind in ("search", "chit")
    )
    sentences = []
    if searches:
        sentences.append(
            n_(
                "{player} searched {count} spy and caught {hits}; {expected} were to be expected.",
                "{player} searched {count} spies and caught {hits}; {expected} were to be expected.",
                len(searches),
                **_counted(name, searches),
            )
        )
    if chits:
        sentences.append(
            n_(
                "{player} played {count} Discovery or Sanction, and {hits} came right; {expected} were to be"
                " expected.",
                "{player} played {count} Discoveries and Sanctions, and {hits} came right; {expected} were to"
                " be expected.",
                len(chits),
                **_counted(name, chits),
            )
        )
    return sentences or [_("{player} searched nobody, and played no Discovery.", player=name)]


def _counted(name: str, judgements: Sequence[Judgement]) -> dict[str, object]:
    return {
        "player": name,
        "hits": sum(bool(judgement.came) for judgement in judgements),
        "expected": number(sum(judgement.odds or 0.0 for judgement in judgements), 1),
    }
