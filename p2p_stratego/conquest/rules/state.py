"""The public state of Conquest Stratego between two acts: the facts that every player can see.

An *act* is one step of the rulebook: a pick of the draft, the armies, the filled zones, the cards of a turn,
the card played, or one move.  The values below share their parts from state to state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

from p2p_stratego.conquest.rules.atlas import CITIES, TERRITORIES, ZONES, Field, TerritoryId, Zone
from p2p_stratego.conquest.rules.cards import FULL, Card, Pile
from p2p_stratego.conquest.rules.pieces import ANY, ARMY, FLAG, Faces
from p2p_stratego.core.game import Face, Options, Outcome, Seat, Slot

Phase: TypeAlias = Literal["draft", "army", "zones", "cards", "play", "move", "over"]
"""The act that comes next: a pick; all armies; the zones they fill; the cards of a turn; a card; a move."""
SeatStatus: TypeAlias = Literal["in", "out", "gone"]
"""Of a player: in the game; out of it by the rules; away from the match for good."""

ON_BOARD: Final = -1
LOST: Final = -2
"""Where a flag is, if not with the seat that captured it; lost: away with a player who left."""
_IN: Final[tuple[SeatStatus, ...]] = ("in", "in", "in", "in")
_NOBODY: Final = frozenset({None})
SLOTS: Final = len(ARMY)
"""A side's first slots: seat × 18 to seat × 18 + 17."""

Promise: TypeAlias = tuple[str, Faces]
"""A claim about one slot: the rule that is broken unless it shows one of the faces."""


class Piece(NamedTuple):
    """A piece on the board or in a bag, as everybody sees it."""

    slot: Slot
    seat: Seat
    face: Face | None = None
    """Of a piece that is open to all."""
    stepped: bool = False
    """Of a closed one: whether it has stepped since it was laid, and so is not fixed."""
    could: Faces = ANY
    """The faces that it can have by everything seen so far, if nobody cheats."""
    seen: int = 0
    """Bit s: seat s, an enemy of its owner, has looked at it alone."""
    mixed: int = 0
    """The number of the Mix that laid it, the same for all its pieces; 0: still where the set-up laid it."""
    promised: tuple[Promise, ...] = ()
    """Its owner's claims about it, oldest first."""


class Event(NamedTuple):
    """An event of an act."""

    kind: str
    seat: Seat
    """Who did it, or to whom it happened."""
    zones: tuple[Zone, ...] = ()
    faces: tuple[Face, ...] = ()
    """The face that was opened or named."""
    cards: tuple[Card, ...] = ()
    other: Seat | None = None
    """An enemy that it concerns."""


class State(NamedTuple):
    """Everything public between two acts."""

    seats: int
    garrison: bool
    """Whether each own territory gets a piece at set-up."""
    charge: bool
    """Whether a scout's run may end with an attack."""
    rounds: int
    phase: Phase
    seat: Seat
    """The seat to pick or move."""
    first: Seat
    """The starter: a round begins at its place."""
    round: int
    """1 to `rounds`; 0 before the first turn."""
    turn: int
    """Counted through the whole game from 1; 0 before the first."""
    picks: int
    """The picks of the draft that were made or fell away: 0 to 24."""
    taken: tuple[Seat | None, ...]
    """By territory: who picked it in the draft."""
    board: tuple[Piece | None, ...]
    """By zone."""
    bags: tuple[tuple[Piece, ...], ...]
    """By seat, in the order in which the pieces came there."""
    flags: tuple[Seat, ...]
    """By seat, where its flag is: ON_BOARD, LOST, or the seat that captured it."""
    flag_slots: tuple[Slot | None, ...]
    """By seat: the slot of its flag while it is captured."""
    status: tuple[SeatStatus, ...]
    territories: tuple[Seat | None, ...]
    """By territory: its owner as of the end of the last turn; None: nobody's, or contested."""
    pile: Pile
    """The cards of this turn are not in it."""
    next_slot: Slot
    due: int = 0
    """The cards due in this turn: fixed when it begins, like the moves."""
    drawn: tuple[Card, ...] = ()
    """The cards of this turn until they are put away."""
    moves: int = 0
    """The moves of this turn, made or not."""
    made: int = 0
    """Of these, how many were made."""
    hand: Piece | None = None
    """The piece drawn from a bag and not placed yet; only seen inside an act."""
    mixes: int = 0
    """How often pieces were mixed."""
    report: tuple[Event, ...] = ()
    """The events of the last act."""
    ended: Outcome | None = None

    def live(self, seat: Seat) -> Iterator[Piece]:
        """The pieces of `seat` on the board, in the bag and in the hand; not its flag while captured."""
        for piece in self.board:
            if piece is not None and piece.seat == seat:
                yield piece
        yield from self.bags[seat]
        if self.hand is not None and self.hand.seat == seat:
            yield self.hand

    def zones_held(self, seat: Seat) -> tuple[Zone, ...]:
        """The zones on which pieces of `seat` stand, ascending."""
        return tuple(zone for zone in ZONES if (piece := self.board[zone]) and piece.seat == seat)

    def held(self, seat: Seat) -> Field:
        """The same zones as a set."""
        zones = 0
        for zone, piece in enumerate(self.board):
            if piece is not None and piece.seat == seat:
                zones |= 1 << zone
        return zones

    def free(self) -> Field:
        """The zones without a piece."""
        zones = 0
        for zone, piece in enumerate(self.board):
            if piece is None:
                zones |= 1 << zone
        return zones

    def owned(self, seat: Seat) -> tuple[TerritoryId, ...]:
        """The territories of `seat`, ascending."""
        return tuple(place for place, owner in enumerate(self.territories) if owner == seat)

    def cities(self, seat: Seat) -> int:
        """How many cities `seat` owns."""
        return sum(place in CITIES for place in self.owned(seat))

    def captives(self, seat: Seat) -> tuple[Seat, ...]:
        """The seats whose flags `seat` holds, ascending."""
        return tuple(owner for owner, where in enumerate(self.flags) if where == seat)

    @property
    def flags_left(self) -> int:
        """The flags on the board."""
        return self.flags.count(ON_BOARD)

    @property
    def still_in(self) -> tuple[Seat, ...]:
        return tuple(seat for seat, status in enumerate(self.status) if status == "in")

    @property
    def moves_left(self) -> int:
        return self.moves - self.made


def owners(board: tuple[Piece | None, ...]) -> tuple[Seat | None, ...]:
    """By territory: who alone has pieces there."""
    whose = [None if piece is None else piece.seat for piece in board]
    seats: list[Seat | None] = []
    for territory in TERRITORIES:
        there = {whose[zone] for zone in territory.zones} - _NOBODY
        seats.append(there.pop() if len(there) == 1 else None)
    return tuple(seats)


def opening(seats: int, options: Options, first: Seat) -> State:
    """The state before the draft."""
    return State(
        seats=seats,
        garrison=options["garrison"] == "all",
        charge=options["scout"] == "charge",
        rounds=int(options["rounds"]),
        phase="draft",
        seat=first,
        first=first,
        round=0,
        turn=0,
        picks=0,
        taken=(None,) * len(TERRITORIES),
        board=(None,) * len(ZONES),
        bags=((),) * seats,
        flags=(ON_BOARD,) * seats,
        flag_slots=(None,) * seats,
        status=_IN[:seats],
        territories=(None,) * len(TERRITORIES),
        pile=FULL,
        next_slot=seats * SLOTS,
    )


def position(
    seats: int,
    options: Options,
    first: Seat,
    pieces: Mapping[Zone, tuple[Seat, Slot]],
    bags: Mapping[Seat, tuple[Slot, ...]],
) -> State:
    """Any position with closed pieces, before its first turn: for scenarios and problems."""
    board: list[Piece | None] = [None] * len(ZONES)
    for zone, (seat, slot) in pieces.items():
        board[zone] = Piece(slot, seat)
    return opening(seats, options, first)._replace(
        board=tuple(board),
        bags=tuple(tuple(Piece(slot, seat) for slot in bags.get(seat, ())) for seat in range(seats)),
        territories=owners(tuple(board)),
    )


def with_zone(board: tuple[Piece | None, ...], zone: Zone, piece: Piece | None) -> tuple[Piece | None, ...]:
    """The board with other contents on one zone."""
    return (*board[:zone], piece, *board[zone + 1 :])


def open_ones(state: State, seat: Seat, face: Face) -> int:
    """How many pieces of `seat` are open with this face, its captured flag among them."""
    shown = sum(piece.face == face for piece in state.live(seat))
    captured = face == FLAG and state.flag_slots[seat] is not None
    return shown + captured
