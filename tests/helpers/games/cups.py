"""A small game with decks for two to five seats that uses every Ask, and needs proofs.

Each round everybody draws two cards from one cup, and one lies in the middle unseen.  All commit some pounds
and, once, three tokens; the tokens are mixed in every round.  Each seat shows its first card to the next one,
which says truly whether its own is higher, and lets it look at the second.  The seat that a die names sees
the middle card, or all do, and the seat behind it gets the card; of an open one it says truly how high it is.
All bid at the same time; the caller claims that it has pounds left and says which cards are opened: the
highest scores.  Everything goes back into the cup.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from p2p_stratego.core.game import (
    Back,
    Choose,
    Claim,
    ClaimOneOf,
    Commit,
    Decision,
    Draw,
    Face,
    Game,
    Give,
    Lay,
    Mix,
    NewDeck,
    Open,
    OpenTo,
    OptionError,
    Options,
    Outcome,
    Roll,
    Seat,
    Show,
    Shuffle,
    Sides,
    Slot,
    Together,
    Turn,
)
from p2p_stratego.core.sides import each_alone
from p2p_stratego.core.view import View

CUP: Final = 0
CARDS: Final = tuple(sorted((*range(1, 8), *range(1, 8))))
POUNDS: Final = range(4)
TOKENS: Final = (20, 21, 21)
SAID: Final = ("higher", "not higher")
SIDES: Final = ("first", "second")
HIGH: Final = {"high": frozenset((5, 6, 7)), "low": frozenset((1, 2, 3, 4))}
"""By word, the faces of which it is true."""
_ROUND: Final = 100


@dataclass(frozen=True, slots=True)
class State:
    """The public state; `phase`: "deal", "lay", "look", "middle", "mix", "bid", "call" or "over"."""

    seats: int
    rounds: int
    phase: str = "deal"
    round: int = 0
    hands: tuple[tuple[Slot, ...], ...] = ()
    middle: Slot = -1
    points: tuple[int, ...] = ()
    gone: frozenset[Seat] = frozenset()
    shown: tuple[tuple[Slot, Face], ...] = ()
    ended: Outcome | None = None

    def slot(self, seat: Seat, which: int) -> Slot:
        """A slot of this round: 0, 1 cards, 2 pounds, 3 a copy of the card before, 4 of the middle one."""
        return self.round * _ROUND + seat * 10 + which

    def tokens(self, seat: Seat) -> tuple[Slot, ...]:
        """The tokens after so many rounds of mixing."""
        first = 10_000 + self.round * _ROUND + seat * 10
        return first, first + 1, first + 2


class Cups:
    """Implements `core.game.Game[State]`."""

    name: Final = "cups"
    version: Final = 1
    seat_counts: Final = (2, 3, 4, 5)
    most_rolls: Final = 8
    needs_proofs: Final = True
    most_shuffles: Final = 3
    private_talk: Final = False

    def options(self, wanted: Options) -> Options:
        chosen: dict[str, int | str] = {"rounds": 1, **wanted}
        if set(chosen) != {"rounds"} or chosen["rounds"] not in (1, 2, 3):
            raise OptionError("cups has one option, rounds, 1 to 3")
        return chosen

    def setup(self, seats: int, options: Options) -> Turn[State]:
        yield NewDeck(CUP, CARDS)
        return State(seats, int(options["rounds"]), points=(0,) * seats)

    def turn(self, state: State) -> Turn[State]:
        phase: Callable[[State], Turn[State]] = getattr(self, f"_{state.phase}")
        return (yield from phase(state))

    def there(self, state: State) -> list[Seat]:
        return [seat for seat in range(state.seats) if seat not in state.gone]

    def _deal(self, state: State) -> Turn[State]:
        yield Shuffle(CUP)
        hands = tuple(
            () if seat in state.gone else (state.slot(seat, 0), state.slot(seat, 1))
            for seat in range(state.seats)
        )
        yield Draw(CUP, tuple((seat, hand) for seat, hand in enumerate(hands) if hand))
        middle = state.slot(9, 9)
        yield Lay(CUP, (middle,))
        return replace(state, phase="lay", hands=hands, middle=middle)

    def _lay(self, state: State) -> Turn[State]:
        there = self.there(state)
        yield Together(tuple(Commit(seat, (state.slot(seat, 2),), POUNDS) for seat in there))
        if state.round == 0:
            yield Together(tuple(Commit(seat, state.tokens(seat), TOKENS, exactly=True) for seat in there))
        return replace(state, phase="look")

    def _look(self, state: State) -> Turn[State]:
        there = self.there(state)
        for seat in there:
            viewer = there[(there.index(seat) + 1) % len(there)]
            first, second = state.hands[seat]
            copy, own = state.slot(viewer, 3), state.hands[viewer][0]
            yield Show((first,), viewer, (copy,))
            word = yield Choose(viewer, SAID)
            if word is not None:
                yield ClaimOneOf(viewer, "false-word", (own, copy), true_pairs(word))
            yield OpenTo(second, viewer)
        return replace(state, phase="middle")

    def _middle(self, state: State) -> Turn[State]:
        seat = yield Roll(state.seats)
        if state.round % 2:
            face = yield Open(state.middle)
            state = replace(state, shown=(*state.shown, (state.middle, face)))
        else:
            yield Show((state.middle,), seat, (state.slot(seat, 4),))
        holder = (seat + 1) % state.seats
        yield Give((state.middle,), holder)
        if state.round % 2:
            word = yield Choose(holder, tuple(HIGH))
            if word is not None:
                yield Claim(holder, "false-size", (state.middle,), HIGH[word])
        return replace(state, phase="mix")

    def _mix(self, state: State) -> Turn[State]:
        after = replace(state, round=state.round + 1)
        for seat in self.there(state):
            yield Mix(seat, state.tokens(seat), after.tokens(seat), "swapped", chosen=seat % 2 == 0)
        return replace(state, phase="bid")

    def _bid(self, state: State) -> Turn[State]:
        yield Together(tuple(Choose(seat, SIDES) for seat in self.there(state)))
        return replace(state, phase="call")

    def _call(self, state: State) -> Turn[State]:
        there = self.there(state)
        caller = there[state.round % len(there)]
        called = yield Choose(caller, SIDES)
        yield Claim(caller, "no-pounds", (state.slot(caller, 2),), frozenset(POUNDS))
        side = 0 if called is None else SIDES.index(called)
        shown: list[tuple[Slot, Face]] = []
        for seat in there:
            slot = state.hands[seat][side]
            shown.append((slot, (yield Open(slot))))
        best = max(face for _, face in shown)
        for seat in there:
            yield Back(state.hands[seat], CUP)
        yield Back((state.middle,), CUP)
        scored = {seat for seat, (_, face) in zip(there, shown, strict=True) if face == best}
        points = tuple(had + (seat in scored) for seat, had in enumerate(state.points))
        state = replace(state, points=points, shown=(*state.shown, *shown), hands=((),) * state.seats)
        if state.round + 1 < state.rounds:
            return replace(state, phase="deal", round=state.round + 1)
        most = max(points[seat] for seat in there)
        winners = frozenset(seat for seat in there if points[seat] == most)
        ended = Outcome(frozenset(), "draw") if len(winners) == len(there) else Outcome(winners, "points")
        return replace(state, phase="over", ended=ended)

    def outcome(self, state: State) -> Outcome | None:
        return state.ended

    def seat_names(self, seats: int) -> tuple[str, ...]:
        return ("north", "east", "south", "west", "centre")[:seats]

    def sides(self, seats: int) -> Sides:
        return each_alone(seats)

    def gone(self, state: State, seat: Seat) -> Turn[State]:
        hand = state.hands[seat] if state.hands else ()
        shown: tuple[tuple[Slot, Face], ...] = ()
        for slot in hand:
            face = yield Open(slot)
            shown += ((slot, face),)
        if hand:
            yield Back(hand, CUP)
        hands = tuple(() if owner == seat else hand for owner, hand in enumerate(state.hands))
        return replace(state, hands=hands, gone=state.gone | {seat}, shown=(*state.shown, *shown))

    def rematch(self, options: Options, state: State) -> Options:
        return {**options, "rounds": state.rounds}


def true_pairs(word: str) -> tuple[tuple[Face, Face], ...]:
    """The pairs of a card of one's own and a shown one of which a word is true."""
    faces = sorted(set(CARDS))
    return tuple((own, shown) for own in faces for shown in faces if (own > shown) == (word == SAID[0]))


def decide(view: View[State], decision: Decision, rng: random.Random) -> Any:
    """A decision that tells the truth."""
    if isinstance(decision, Choose) and decision.options == SAID:
        state, seat = view.state, view.seat
        higher = view.known[state.hands[seat][0]] > view.known[state.slot(seat, 3)]
        return SAID[0 if higher else 1]
    if isinstance(decision, Choose) and decision.options == tuple(HIGH):
        return next(word for word, faces in HIGH.items() if view.known[view.state.middle] in faces)
    if isinstance(decision, Choose):
        return rng.choice(list(decision.options))
    if decision.exactly:
        return tuple(rng.sample(list(decision.faces), len(decision.slots)))
    return tuple(rng.choice(list(decision.faces)) for _ in decision.slots)


class Honest:
    """A bot that tells the truth."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def decide(self, view: View[State]) -> Any:
        return decide(view, view.asked, self._rng)


CUPS: Final[Game[Any]] = Cups()
GAMES: Final[Mapping[str, Game[Any]]] = MappingProxyType({CUPS.name: CUPS})
