"""A tiny game for two to five seats that uses every Ask: the protocol must play an unknown game.

Each round a die names the taboo face.  All lay two cards at the same time and then, at the same time, bid to
be high or low.  A die names the caller, who says aloud whether everybody's left or right card is opened.
A seat with the taboo face there has cheated.  The highest card scores for a high bid, the lowest for a low
one; the most points win, and if all have the same it is a draw.

With the option `claims` each seat first lays 1, 2, 3 in an order of its own, claimed to be exactly those, and
the caller claims that its other card is not taboo.

With the option `looks` each seat then shows its left card to the next one alone (with `claims` it says first
that it is not taboo), and mixes its two cards: the even seats as they like, the odd ones blindly.  With
`claims` it mixes its 1, 2, 3 as well, in every round.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from p2p_stratego.core.game import (
    Breach,
    Choose,
    Claim,
    Commit,
    Face,
    Game,
    Mix,
    Open,
    OpenTo,
    OptionError,
    Options,
    Outcome,
    Roll,
    Seat,
    Sides,
    Slot,
    Together,
    Turn,
)
from p2p_stratego.core.sides import each_alone, without

FACES: Final = range(1, 7)
BIDS: Final = ("high", "low", "out of it")
SIDES: Final = ("left", "right")
_HAND: Final = (1, 2, 3)
_PER_ROUND: Final = 16
_MIXED: Final = 500
_HAND_SLOTS: Final = 1000


@dataclass(frozen=True, slots=True)
class State:
    """The public state; `phase`: "hand", "lay", "look", "mix", "bid", "show" or "over"."""

    seats: int
    rounds: int
    claims: bool
    looks: bool
    phase: str
    round: int
    taboo: Face
    bids: tuple[str, ...]
    points: tuple[int, ...]
    gone: frozenset[Seat] = frozenset()
    ended: Outcome | None = None


def slot(number: int, seat: Seat, side: int) -> Slot:
    """The name of a card: round from 0, side 0 or 1."""
    return number * _PER_ROUND + seat * 2 + side


def mixed_slot(number: int, seat: Seat, side: int) -> Slot:
    """The name of a card that was mixed."""
    return _MIXED + slot(number, seat, side)


def hand_slots(number: int, seat: Seat) -> tuple[Slot, ...]:
    """The names of a seat's 1, 2, 3 after so many rounds of mixing."""
    first = _HAND_SLOTS + 100 * number + 3 * seat
    return first, first + 1, first + 2


class Toy:
    """Implements `core.game.Game[State]`."""

    name: Final = "toy"
    version: Final = 4
    seat_counts: Final = (2, 3, 4, 5)
    most_rolls: Final = 8
    needs_proofs: Final = False
    most_shuffles: Final = 0
    private_talk: Final = False

    def options(self, wanted: Options) -> Options:
        chosen: dict[str, int | str] = {"rounds": 1, "claims": "no", "looks": "no"}
        for name, value in wanted.items():
            if name not in chosen:
                raise OptionError(f"there is no option {name!a}")
            chosen[name] = value
        if chosen["rounds"] not in (1, 2, 3) or {chosen["claims"], chosen["looks"]} - {"yes", "no"}:
            raise OptionError("rounds are 1 to 3, claims and looks yes or no")
        return chosen

    def setup(self, seats: int, options: Options) -> Turn[State]:
        taboo = yield Roll(len(FACES))
        claims, looks = options["claims"] == "yes", options["looks"] == "yes"
        phase = "hand" if claims else "lay"
        return State(seats, int(options["rounds"]), claims, looks, phase, 0, FACES[taboo], (), (0,) * seats)

    def turn(self, state: State) -> Turn[State]:
        seats = range(state.seats)
        if state.phase == "hand":
            yield Together(tuple(Commit(s, hand_slots(0, s), _HAND, exactly=True) for s in seats))
            return replace(state, phase="lay")
        if state.phase == "lay":
            yield Together(
                tuple(Commit(s, tuple(slot(state.round, s, side) for side in (0, 1)), FACES) for s in seats)
            )
            return replace(state, phase="look" if state.looks else "bid")
        if state.phase == "look":
            for seat in seats:
                shown = slot(state.round, seat, 0)
                if state.claims:
                    yield Claim(seat, "showed a taboo card", (shown,), self._clean(state))
                yield OpenTo(shown, (seat + 1) % state.seats)
            return replace(state, phase="mix")
        if state.phase == "mix":
            for seat in seats:
                yield from self._mix(state, seat)
            return replace(state, phase="bid")
        if state.phase == "bid":
            bids = yield Together(tuple(Choose(s, BIDS) for s in seats))
            return replace(state, phase="show", bids=bids)
        return (yield from self._show(state))

    def _clean(self, state: State) -> frozenset[Face]:
        return frozenset(FACES) - {state.taboo}

    def _card(self, state: State, seat: Seat, side: int) -> Slot:
        return (mixed_slot if state.looks else slot)(state.round, seat, side)

    def _mix(self, state: State, seat: Seat) -> Turn[None]:
        old, new = (tuple(name(state.round, seat, side) for side in (0, 1)) for name in (slot, mixed_slot))
        yield Mix(seat, old, new, "swapped a card", chosen=seat % 2 == 0)
        if state.claims:
            hands = hand_slots(state.round, seat), hand_slots(state.round + 1, seat)
            yield Mix(seat, *hands, "swapped a card of its hand")

    def _show(self, state: State) -> Turn[State]:
        caller = yield Roll(state.seats)
        called = yield Choose(caller, SIDES)
        side = 0 if called is None else SIDES.index(called)
        if state.claims:
            other = self._card(state, caller, 1 - side)
            yield Claim(caller, "called a taboo card clean", (other,), self._clean(state))
        shown = []
        for seat in range(state.seats):
            shown.append((yield Open(self._card(state, seat, side))))
            if shown[-1] == state.taboo:
                winners = without(self.sides(state.seats), seat)
                breach = Breach(seat, "laid the taboo face")
                return replace(state, phase="over", ended=Outcome(winners, "cheated", breach))
        there = [face for face in shown if face is not None]
        wanted = {"high": max(there, default=0), "low": min(there, default=0)}
        points = tuple(
            had + (face is not None and wanted.get(bid) == face)
            for had, bid, face in zip(state.points, state.bids, shown, strict=True)
        )
        if state.round + 1 == state.rounds:
            left = frozenset(s for s in range(state.seats) if shown[s] is not None)
            best = frozenset(s for s in left if points[s] == max(points[s] for s in left))
            draw = best == left
            ended = Outcome(frozenset(), "draw") if draw else Outcome(best, "points")
            return replace(state, phase="over", points=points, ended=ended)
        taboo = yield Roll(len(FACES))
        return replace(state, phase="lay", round=state.round + 1, taboo=FACES[taboo], points=points)

    def outcome(self, state: State) -> Outcome | None:
        return state.ended

    def seat_names(self, seats: int) -> tuple[str, ...]:
        return ("north", "east", "south", "west", "centre")[:seats]

    def sides(self, seats: int) -> Sides:
        return each_alone(seats)

    def gone(self, state: State, seat: Seat) -> Turn[State]:
        yield from ()
        return replace(state, gone=state.gone | {seat})

    def rematch(self, options: Options, state: State) -> Options:
        return {**options, "rounds": state.rounds}


TOY: Final[Game[Any]] = Toy()
GAMES: Final[Mapping[str, Game[Any]]] = MappingProxyType({TOY.name: TOY})
"""The games that an auditor needs to read its transcripts."""
