"""Conquest from any position on, as a game of its own for real ends: the acts are those of the rulebook.

The set-up asks for nothing.  The first act lays every piece of the position, on the board and in the bags,
face down; the seat that begins has drawn the cards named.  Then the rulebook of Conquest goes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from p2p_stratego.conquest.rules.atlas import ZONE_NAMED
from p2p_stratego.conquest.rules.cards import CARD_NAMED
from p2p_stratego.conquest.rules.game import GAME
from p2p_stratego.conquest.rules.pieces import FACES, SEAT_COUNTS
from p2p_stratego.conquest.rules.state import State, position
from p2p_stratego.conquest.rules.turns import begun
from p2p_stratego.core.game import Commit, Game, Options, Outcome, Seat, Sides, Slot, Together, Turn

A_SEAT: Final = 100
"""Slots of a seat: its pieces on the board in the order of the position, then those in its bag."""
NEXT_SLOT: Final = 1_000


class Dealt:
    """Implements `core.game.Game[State]`.

    Options: `board`: zones, by seat, "a1 b2/l6"; `bags`: numbers of pieces, by seat, "1 0"; `cards` drawn by
    the seat `first`; `rounds`; `scout`.
    """

    name: Final = "dealt-conquest"
    version: Final = 1
    seat_counts: Final = SEAT_COUNTS
    most_rolls: Final = 40
    needs_proofs: Final = False
    most_shuffles: Final = 0
    private_talk: Final = False

    def seat_names(self, seats: int) -> tuple[str, ...]:
        return GAME.seat_names(seats)

    def sides(self, seats: int) -> Sides:
        return GAME.sides(seats)

    def options(self, wanted: Options) -> Options:
        usual: Options = {"board": "", "bags": "", "cards": "", "first": 0, "rounds": 1, "scout": "run"}
        return {**usual, **wanted}

    def setup(self, seats: int, options: Options) -> Turn[State]:
        yield from ()
        usual = GAME.options({"scout": options["scout"], "rounds": options["rounds"]})
        bags = [int(number) for number in str(options["bags"]).split()] or [0] * seats
        pieces: dict[int, tuple[Seat, Slot]] = {}
        bagged: dict[Seat, tuple[Slot, ...]] = {}
        for seat, zones in enumerate(str(options["board"]).split("/")):
            names = zones.split()
            for at, zone in enumerate(names):
                pieces[ZONE_NAMED[zone]] = (seat, A_SEAT * seat + at)
            first = A_SEAT * seat + len(names)
            bagged[seat] = tuple(range(first, first + bags[seat]))
        state = position(seats, usual, int(options["first"]), pieces, bagged)
        drawn = tuple(CARD_NAMED[card] for card in str(options["cards"]).split())
        return state._replace(phase="army", round=1, next_slot=NEXT_SLOT, drawn=drawn)

    def turn(self, state: State) -> Turn[State]:
        if state.phase != "army":
            return (yield from GAME.turn(state))
        slots: list[list[Slot]] = [[] for _ in range(state.seats)]
        for piece in (*state.board, *(piece for bag in state.bags for piece in bag)):
            if piece is not None:
                slots[piece.seat].append(piece.slot)
        yield Together(tuple(Commit(seat, tuple(sorted(own)), FACES) for seat, own in enumerate(slots)))
        drawn = state.drawn
        state = begun(state, state.first)
        phase = "play" if drawn else "move"
        return state._replace(phase=phase, drawn=drawn, due=len(drawn))  # type: ignore[arg-type]

    def gone(self, state: State, seat: Seat) -> Turn[State]:
        return (yield from GAME.gone(state, seat))

    def outcome(self, state: State) -> Outcome | None:
        return GAME.outcome(state)

    def rematch(self, options: Options, state: State) -> Options:
        return options


DEALT: Final[Game[State]] = Dealt()
GAMES: Final[Mapping[str, Game[Any]]] = MappingProxyType({DEALT.name: DEALT})
"""What an auditor needs to read transcripts from a position on."""
