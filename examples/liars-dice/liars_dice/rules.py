"""The rulebook: secret rolls, rising bids, and a challenge that costs somebody a die.

A secret roll: the program of each player draws a face for each die and commits to it; then the table rolls
one number for each die, and the die shows the sum.  The owner was bound before anybody knew that number, and
the others do not know what it is added to.  Each die has a number of its own: one for several would keep the
differences that their owner chose, as five of a kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from p2p_stratego.core.game import (
    Choose,
    Commit,
    Face,
    Game,
    Move,
    Open,
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
from p2p_stratego.core.sides import each_alone

SIDES: Final = 6
ACE: Final = 1
MOST_DICE: Final = 5
LIAR: Final[Move] = "liar"
SEAT_NAMES: Final = ("red", "blue", "green", "yellow", "white")
_ROUNDS: Final = len(SEAT_NAMES) * MOST_DICE - 1 + len(SEAT_NAMES) - 2
"""At most: each costs a die, but for those in which somebody leaves."""

Cup: TypeAlias = tuple[tuple[Slot, int], ...]
"""The dice of one player: the slot of each, and the number that the table rolled for it."""


class Bid(NamedTuple):
    """There are at least `least` dice that show `face`, of all on the table; bids rise in this order."""

    least: int
    face: int

    @property
    def move(self) -> Move:
        """As a move: "bid 3 5"."""
        return f"bid {self.least} {self.face}"


class Shown(NamedTuple):
    """A challenge: who bid, who did not believe it, what lay there, and who lost a die (None: void)."""

    bid: Bid
    bidder: Seat
    doubter: Seat
    dice: tuple[tuple[int, ...], ...]
    loser: Seat | None


class State(NamedTuple):
    """Everything that all players can see."""

    wild: bool
    """Whether a one counts as every face."""
    dice: tuple[int, ...]
    """How many each seat has left; 0: it is out."""
    next: Seat
    """Whose turn it is, or who begins once all have rolled."""
    cups: tuple[Cup, ...] = ()
    """By seat; none before a roll."""
    bid: Bid | None = None
    bidder: Seat = 0
    used: int = 0
    """Slots used so far."""
    round: int = 0
    shown: Shown | None = None
    """The challenge that ended the round before, or has just ended this one."""
    ended: Outcome | None = None

    @property
    def total(self) -> int:
        """All dice on the table."""
        return sum(self.dice)


def values(cup: Cup, faces: Mapping[Slot, Face]) -> tuple[int, ...]:
    """What the dice of a cup show, 1 to 6, as far as their faces are known."""
    return tuple((faces[slot] + number) % SIDES + 1 for slot, number in cup if slot in faces)


def counted(bid: Bid, dice: Sequence[int], wild: bool) -> int:
    """How many of `dice` a bid counts."""
    return sum(die == bid.face or (wild and die == ACE) for die in dice)


def bids(state: State) -> list[Bid]:
    """The bids that may be made now, ascending."""
    every = [Bid(least, face) for least in range(1, state.total + 1) for face in range(1, SIDES + 1)]
    return [bid for bid in every if state.bid is None or bid > state.bid]


def after(state: State, seat: Seat) -> Seat:
    """The next seat that has dice."""
    seats = len(state.dice)
    return next(s for step in range(1, seats + 1) if state.dice[s := (seat + step) % seats])


class LiarsDice:
    """Implements `core.game.Game[State]`."""

    name: Final = "liars-dice"
    version: Final = 1
    seat_counts: Final = (2, 3, 4, 5)
    most_rolls: Final = 1 + _ROUNDS * len(SEAT_NAMES)
    most_shuffles: Final = 0
    needs_proofs: Final = False
    private_talk: Final = False

    def options(self, wanted: Options) -> Options:
        chosen = {"dice": MOST_DICE, "ones": "wild", **wanted}
        if len(chosen) > 2 or chosen["dice"] not in range(1, MOST_DICE + 1):
            raise OptionError(f"dice are 1 to {MOST_DICE}")
        if chosen["ones"] not in ("wild", "plain"):
            raise OptionError("ones are wild or plain")
        return {"dice": chosen["dice"], "ones": chosen["ones"]}

    def seat_names(self, seats: int) -> tuple[str, ...]:
        return SEAT_NAMES[:seats]

    def sides(self, seats: int) -> Sides:
        return each_alone(seats)

    def rematch(self, options: Options, _state: State) -> Options:
        return options

    def setup(self, seats: int, options: Options) -> Turn[State]:
        begins = yield Roll(seats)
        return State(options["ones"] == "wild", (int(options["dice"]),) * seats, begins)

    def turn(self, state: State) -> Turn[State]:
        if not state.cups:
            return (yield from self._roll(state))
        offered = [bid.move for bid in bids(state)]
        move = yield Choose(state.next, offered if state.bid is None else [LIAR, *offered])
        if move is None:  # its player has left: `gone` comes next
            return state
        if move == LIAR:
            return (yield from self._show(state))
        bid = Bid(*map(int, move.split()[1:]))
        return state._replace(bid=bid, bidder=state.next, next=after(state, state.next))

    def _roll(self, state: State) -> Turn[State]:
        ends = [state.used + sum(state.dice[: seat + 1]) for seat in range(len(state.dice))]
        slots = [tuple(range(end - count, end)) for end, count in zip(ends, state.dice, strict=True)]
        yield Together(
            tuple(Commit(seat, laid, range(SIDES), chosen=False) for seat, laid in enumerate(slots) if laid)
        )
        cups = []
        for laid in slots:
            number = (yield Roll(SIDES ** len(laid))) if laid else 0
            cups.append(tuple((slot, number // SIDES**place % SIDES) for place, slot in enumerate(laid)))
        return state._replace(cups=tuple(cups), bid=None, used=ends[-1], round=state.round + 1)

    def _show(self, state: State) -> Turn[State]:
        faces: dict[Slot, Face] = {}
        slots = [slot for cup in state.cups for slot, _ in cup]
        for slot in slots:
            face = yield Open(slot)
            if face is not None:
                faces[slot] = face
        bid = state.bid or Bid(0, 0)
        dice = tuple(values(cup, faces) for cup in state.cups)
        there = counted(bid, [die for cup in dice for die in cup], state.wild)
        loser = state.next if there >= bid.least else state.bidder
        if len(faces) < len(slots):  # somebody left meanwhile: nobody pays for dice that nobody saw
            return state._replace(shown=Shown(bid, state.bidder, state.next, dice, None))
        shown = Shown(bid, state.bidder, state.next, dice, loser)
        return self._without(state._replace(shown=shown), loser, 1)

    def _without(self, state: State, seat: Seat, lost: int) -> State:
        """The state after `seat` has lost dice: a new round begins, with it if it has any left."""
        dice = tuple(count - lost * (at == seat) for at, count in enumerate(state.dice))
        left = [at for at, count in enumerate(dice) if count]
        state = state._replace(dice=dice, cups=(), bid=None)
        if len(left) == 1:
            return state._replace(ended=Outcome(frozenset(left), "last"))
        return state._replace(next=seat if dice[seat] else after(state, seat))

    def outcome(self, state: State) -> Outcome | None:
        return state.ended

    def gone(self, state: State, seat: Seat) -> Turn[State]:
        yield from ()
        # Who is out must not be able to save a friend's dice: without any of its own it voids no round.
        return self._without(state, seat, state.dice[seat]) if state.dice[seat] else state


GAME: Final[Game[State]] = LiarsDice()
