"""The map at one moment of Conquest, as one seat sees it.

A state is frozen between acts; in the middle of one a card may be played already, pieces mixed, a piece
turned up.  Derived here once, for the map, the questions, the panels and the sentences.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from cli.games.conquest.names import lands_called, zones_in
from cli.games.interface import ViewContext
from p2p_stratego.conquest.rules import notation, observation
from p2p_stratego.conquest.rules.atlas import (
    LETTERS,
    TERRITORIES,
    TERRITORY_OF,
    ZONE_NAMED,
    TerritoryId,
    Zone,
)
from p2p_stratego.conquest.rules.movement import moves_of
from p2p_stratego.conquest.rules.state import Piece, State
from p2p_stratego.conquest.rules.underway import now
from p2p_stratego.core.game import Choose, Commit, Face, Move, Seat
from p2p_stratego.core.view import View

CONTESTED: Final = -1
"""In place of the owner of a territory: pieces of several stand there."""
Kind: TypeAlias = Literal[
    "", "take", "army", "zones", "play", "place", "regroup", "mix", "look", "draw", "accuse", "answer",
    "move", "flag",
]  # fmt: skip
"""The decision that is due, by the first word of its answers; "" for none."""
_STAR: Final = " ★*"
"""A city's sign, in Unicode and ASCII, and the space before it."""
MOVES: Final = ("moved", "ran", "walked-in", "won", "lost", "both", "flag")
"""Kinds of events that begin in one zone and end in another."""


@dataclass(frozen=True, slots=True)
class SeenPiece:
    """A piece as this seat sees it."""

    seat: Seat
    face: Face | None
    """None: this seat cannot read it."""
    shown: bool = False
    """Whether everybody can read it."""
    moved: bool = False
    """Of a closed one: whether it has stepped, so that it is neither flag nor cursed land."""
    piece: Piece | None = None
    """Everybody's knowledge of the piece; None in a draft, and of an attacker in the middle of being turned
    up."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The moment, as one seat sees it."""

    state: State
    seat: Seat
    asked: Kind
    pieces: Mapping[Zone, SeenPiece]
    owners: tuple[Seat | None, ...]
    """By territory; CONTESTED; None: nobody's."""
    bag: tuple[SeenPiece, ...]
    """The seat's own, in order."""
    hand: SeenPiece | None
    """The piece that was drawn from its bag and is still to be placed."""
    trail: tuple[Zone, Zone] | None = None
    """The ends of the last move, or of the move under way."""
    changed: frozenset[Zone] = frozenset()
    """Where else something has just changed."""
    emptied: frozenset[Zone] = frozenset()
    """Where a piece has just fallen and nothing stands."""
    picked: Zone | None = None
    """The own piece to move that is pointed at or typed."""
    goals: frozenset[Zone] = frozenset()
    """Where it can go, or the zones that can be named now."""
    named: tuple[Zone, ...] = ()
    """The other zones that are typed, or those of the territory that is typed."""
    cursor: Zone | None = None

    @property
    def drafting(self) -> bool:
        """Whether the map shows who has taken what, and no pieces yet."""
        return self.state.phase == "draft"


def snapshot(context: ViewContext) -> Snapshot:
    """Read a context."""
    view: View[State] = context.view
    state, seat = now(view), view.seat
    pieces = drafted(context) if is_setting_up(state) else standing(view, state) | _not_turned(view, state)
    asked = kind(view)
    trail, changed, emptied = _news(view, state, pieces)
    named = tuple(zones_in(context.typed))
    picked, goals = None, frozenset[Zone]()
    if asked == "move":
        own = named and named[0] in pieces and pieces[named[0]].seat == seat
        picked = named[0] if own else None
        goals = frozenset(target for source, target in own_steps(view) if source == picked)
        named = named[1:2]
    elif asked in ("place", "flag") and isinstance(view.decision, Choose):
        goals = frozenset(zone for move in view.decision.options for zone in notation.zones_in(move))
    elif asked == "take":
        named = _named_land(context.typed) or named
    elif is_setting_up(state):
        picked = named[0] if named and named[0] in pieces else None
    return Snapshot(
        state=state,
        seat=seat,
        asked=asked,
        pieces=pieces,
        owners=owners(state),
        bag=tuple(_seen(view, piece) for piece in state.bags[seat]),
        hand=_seen(view, state.hand) if state.hand is not None and state.hand.seat == seat else None,
        trail=trail,
        changed=changed,
        emptied=emptied,
        picked=picked,
        goals=goals,
        named=named,
        cursor=ZONE_NAMED.get(context.cursor),
    )


def _not_turned(view: View[State], state: State) -> dict[Zone, SeenPiece]:
    """The attacker that is open in `state` before the piece that it fights: both are turned at once."""
    begun = answers_aloud(view)
    between = notation.zones(begun[-1]) if begun and not state.report else None
    if between is None or (piece := view.state.board[between[0]]) is None:
        return {}
    there, own = state.board[between[0]], piece.seat == view.seat or piece.seen >> view.seat & 1
    if own or piece.face is not None or there is None or there.face is None:
        return {}
    return {between[0]: SeenPiece(piece.seat, None, moved=piece.stepped)}


def kind(view: View[State]) -> Kind:
    """The decision that is due."""
    decision = view.decision
    if decision is None:
        return ""
    if isinstance(decision, Commit):
        return "army" if view.state.phase == "army" else "mix"
    word = next(iter(decision.options), "").split(" ")[0]
    if word in (notation.YES, notation.NO):
        return "answer"
    for known in ("take", "zones", "play", "place", "regroup", "look", "draw", "accuse", "flag"):
        if word == known:
            return known
    return "move"


def is_setting_up(state: State) -> bool:
    """Whether the armies do not stand on the map yet, though their territories are known."""
    return state.phase in ("army", "zones")


def owners(state: State) -> tuple[Seat | None, ...]:
    """By territory: who has taken it, or in play who owned it when the last turn ended."""
    if state.phase in ("draft", "army", "zones"):
        return state.taken
    several = [
        len({p.seat for z in territory.zones if (p := state.board[z])}) > 1 for territory in TERRITORIES
    ]
    return tuple(
        CONTESTED if owner is None and fought_over else owner
        for owner, fought_over in zip(state.territories, several, strict=True)
    )


def standing(view: View[State], state: State) -> dict[Zone, SeenPiece]:
    """The pieces on the map of `state`, by zone, ascending."""
    return {zone: _seen(view, piece) for zone, piece in enumerate(state.board) if piece is not None}


def _seen(view: View[State], piece: Piece) -> SeenPiece:
    face = view.known.get(piece.slot) if piece.face is None else piece.face
    return SeenPiece(piece.seat, face, piece.face is not None, piece.stepped, piece)


def drafted(context: ViewContext) -> dict[Zone, SeenPiece]:
    """The pieces of the player's draft, by zone."""
    seat = context.view.seat
    places = context.draft.places if context.draft is not None else {}
    return {zone: SeenPiece(seat, face) for zone, face in sorted(places.items())}


def own_steps(view: View[State]) -> list[tuple[Zone, Zone]]:
    """The moves that the seat's own pieces can make by what they are, by source, then target."""
    state = now(view)
    if state.seat != view.seat:
        return []
    return list(moves_of(state, observation.own_faces(state, view.known)))


def own_moves(view: View[State]) -> list[Move]:
    """The same as moves, and what else the seat may say; never empty."""
    return observation.own_moves(now(view), view.known)


def answers_aloud(view: View[State]) -> list[Move]:
    """The public answers in the act under way, oldest first."""
    return [answer for ask, answer in view.since if isinstance(ask, Choose) and isinstance(answer, str)]


def regrouped(view: View[State]) -> tuple[Zone, ...]:
    """The zones whose pieces are being mixed, ascending."""
    moves = [move for move in answers_aloud(view) if move.startswith("regroup ")]
    return notation.zones_in(moves[-1]) if moves else ()


_News: TypeAlias = tuple[tuple[Zone, Zone] | None, frozenset[Zone], frozenset[Zone]]


def _news(view: View[State], state: State, pieces: Mapping[Zone, SeenPiece]) -> _News:
    """The last move's beginning and end, the other zones that changed, and those where a piece has fallen."""
    begun = answers_aloud(view)
    if begun and not state.report:  # said, and not carried out yet
        move = begun[-1]
        if (between := notation.zones(move)) is not None:
            return between, frozenset(), frozenset()
        if move.startswith("accuse "):
            return None, frozenset(notation.accused(move)[:1]), frozenset()
    trail: tuple[Zone, Zone] | None = None
    touched: set[Zone] = set()
    for event in () if is_setting_up(state) else state.report:
        if event.kind in MOVES:
            trail = (event.zones[0], event.zones[1])
        touched |= set(event.zones[-1:] if event.kind in MOVES else event.zones)
    emptied = frozenset(zone for zone in touched if zone not in pieces and state.phase != "draft")
    return trail, frozenset(touched) - emptied, emptied


def _named_land(typed: str) -> tuple[Zone, ...]:
    """The zones of the one territory that is typed, if there is one."""
    place = place_called(typed)
    return () if place is None else TERRITORIES[place].zones


def place_called(typed: str) -> TerritoryId | None:
    """The territory that is named: "take A", a zone of it, or the beginning of its name; None if not one.

    The star of a city may stand behind it, as it does where territories are offered.
    """
    text = typed.strip().lower().removeprefix("take").rstrip(_STAR).strip()
    if text in ZONE_NAMED:
        return TERRITORY_OF[ZONE_NAMED[text]]
    if len(text) < 2:
        return LETTERS.index(text.upper()) if text and text.upper() in LETTERS else None
    fitting = lands_called(text)
    return fitting[0] if len(fitting) == 1 else None
