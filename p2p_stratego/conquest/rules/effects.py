"""The action cards: the cards that are playable by public facts, and the effect of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeAlias

from p2p_stratego.conquest.rules.act import (
    CHANGED,
    FALSE_HIT,
    FALSE_MISS,
    NO_SPY,
    Act,
    chosen,
    free_zones,
    laid_anew,
    promised,
    shown,
    shown_in_bag,
)
from p2p_stratego.conquest.rules.atlas import Zone, around, zones_of
from p2p_stratego.conquest.rules.cards import (
    BLITZ,
    CARDS,
    NEW_SPY,
    REGROUP,
    REINFORCE,
    SECRET,
    SURPRISE,
    TRAITOR,
    Card,
)
from p2p_stratego.conquest.rules.choices import Accusations, Trios, looks, pairs
from p2p_stratego.conquest.rules.flags import captured
from p2p_stratego.conquest.rules.notation import (
    NO,
    PLAY_NONE,
    TRIO,
    YES,
    accused,
    draw,
    drawn,
    place,
    play,
    played,
    zones_in,
)
from p2p_stratego.conquest.rules.pieces import ANY, FACES, FLAG, SPY
from p2p_stratego.conquest.rules.state import Event, Piece, State
from p2p_stratego.conquest.rules.turns import discard
from p2p_stratego.core.game import Choose, Claim, Face, Mix, Move, OpenTo, Roll, Turn

BLITZ_MOVES: Final = 2


def near_own(state: State) -> tuple[Zone, ...]:
    """The free zones next to a piece of the player to move, ascending."""
    return zones_of(around(state.held(state.seat)) & state.free())


def _spy_shown(pieces: Iterable[Piece | None], state: State) -> bool:
    return any(piece is not None and piece.seat == state.seat and piece.face == SPY for piece in pieces)


def _may_look(state: State) -> bool:
    """Unless the spy lies open in the bag; two pieces to look at."""
    return not _spy_shown(state.bags[state.seat], state) and bool(pairs(state))


def _may_renew(state: State) -> bool:
    """Unless all see that the spy is not in the bag; a free zone."""
    bag = state.bags[state.seat]
    hidden = any(piece.face is None for piece in bag) and not _spy_shown(state.board, state)
    return (hidden or _spy_shown(bag, state)) and bool(state.free())


_MAY: Final[Mapping[Card, Callable[[State], bool]]] = {
    BLITZ: lambda _: True,
    REGROUP: lambda state: len(state.zones_held(state.seat)) >= TRIO,
    REINFORCE: lambda state: bool(state.bags[state.seat] and near_own(state)),
    SECRET: _may_look,
    SURPRISE: lambda state: bool(state.bags[state.seat] and state.free()),
    NEW_SPY: _may_renew,
    TRAITOR: lambda _: True,
}


def possible(state: State, card: Card) -> bool:
    """Whether the player to move may play this card, by what everybody can see."""
    return _MAY[card](state)


def plays(state: State) -> tuple[Move, ...]:
    """The choices once the cards are drawn: none of them, or one of a kind that may be played."""
    kinds = (card for card in CARDS if card in state.drawn and possible(state, card))
    return (PLAY_NONE, *map(play, kinds))


def choose_card(act: Act) -> Turn[None]:
    """One of the drawn cards is played and carried out, or none; all are put away.  Raises Stopped."""
    state = act.state
    card = played((yield from chosen(plays(state), state.seat)))
    if card is None:
        act.tell(Event("declined", state.seat, cards=state.drawn))
    else:
        act.tell(Event("played", state.seat, cards=(card,)))
        yield from _EFFECTS[card](act)
    discard(act)
    act.state = act.state._replace(phase="move")


def _blitz(act: Act) -> Turn[None]:
    yield from ()
    act.state = act.state._replace(moves=act.state.moves + BLITZ_MOVES)


def _regroup(act: Act) -> Turn[None]:
    """Three own pieces change places in secret, in an order that their player decides."""
    state = act.state
    zones = zones_in((yield from chosen(Trios(state.zones_held(state.seat)), state.seat)))
    old = tuple(piece for zone in zones if (piece := state.board[zone]) is not None)
    new = act.new_slots(TRIO)
    yield Mix(state.seat, tuple(piece.slot for piece in old), new, CHANGED, chosen=True)
    for zone, piece in zip(zones, laid_anew(act, old, new), strict=True):
        act.put(zone, piece)
    act.tell(Event("regrouped", state.seat, zones))


def _from_bag(act: Act, zones: tuple[Zone, ...]) -> Turn[None]:
    """Chance takes a piece from the mixed bag; seen by its owner alone it comes to one of `zones`, closed."""
    seat, bag = act.state.seat, act.state.bags[act.state.seat]
    new = act.new_slots(len(bag))
    yield Mix(seat, tuple(piece.slot for piece in bag), new, CHANGED)
    bag = laid_anew(act, bag, new)
    act.bag(seat, bag)
    index: int = yield Roll(len(bag))
    act.bag(seat, (*bag[:index], *bag[index + 1 :]))
    act.state = act.state._replace(hand=bag[index])
    yield from _placed(act, zones, "placed")


def _placed(act: Act, zones: tuple[Zone, ...], kind: str) -> Turn[None]:
    """The piece in the hand comes to one of `zones`."""
    seat, piece = act.state.seat, act.state.hand
    (zone,) = zones_in((yield from chosen(tuple(map(place, zones)), seat)))
    act.state = act.state._replace(hand=None)
    act.put(zone, piece)
    act.tell(Event(kind, seat, (zone,)))


def _reinforce(act: Act) -> Turn[None]:
    yield from _from_bag(act, near_own(act.state))


def _surprise(act: Act) -> Turn[None]:
    yield from _from_bag(act, free_zones(act.state))


def _secret(act: Act) -> Turn[None]:
    """The bag is shown, to prove that the spy is not in it; then two neighbouring pieces are looked at."""
    seat = act.state.seat
    shown_ones: list[Face] = []
    for index, piece in enumerate(act.state.bags[seat]):
        if piece.face is None:
            face = yield from shown_in_bag(act, index)
            if face == SPY:
                raise act.breached(seat, NO_SPY)
            shown_ones.append(face)
    act.tell(Event("bag-shown", seat, faces=tuple(shown_ones)))
    zones = zones_in((yield from chosen(looks(act.state), seat)))
    for zone in zones:
        yield from _looked(act, zone)
    act.tell(Event("looked", seat, zones))


def _looked(act: Act, zone: Zone) -> Turn[None]:
    """The player to move looks at a piece alone, unless it is open or its own."""
    seat, piece = act.state.seat, act.state.board[zone]
    if piece is not None and piece.face is None and piece.seat != seat:
        yield OpenTo(piece.slot, seat)
        act.put(zone, piece._replace(seen=piece.seen | 1 << seat))


def _new_spy(act: Act) -> Turn[None]:
    """The spy comes from the bag to any free zone, open."""
    seat, bag = act.state.seat, act.state.bags[act.state.seat]
    index = next((at for at, piece in enumerate(bag) if piece.face == SPY), None)
    if index is None:
        closed = tuple(draw(at) for at, piece in enumerate(bag) if piece.face is None)
        index = drawn((yield from chosen(closed, seat)))
        face = yield from shown_in_bag(act, index)
        if face != SPY:
            raise act.breached(seat, NO_SPY)
    bag = act.state.bags[seat]
    act.bag(seat, (*bag[:index], *bag[index + 1 :]))
    act.state = act.state._replace(hand=bag[index])
    yield from _placed(act, free_zones(act.state), "spy-placed")


def _traitor(act: Act) -> Turn[None]:
    """The player names the kind of an enemy piece aloud; a right guess fells it, or captures a flag."""
    seat = act.state.seat
    zone, face = accused((yield from chosen(Accusations(act.state), seat)))
    piece = act.state.board[zone]
    if piece is None:
        return
    right = piece.face == face
    if piece.face is None:
        answer: Move | None = yield Choose(piece.seat, (YES, NO))
        right = answer == YES
        if right:
            true_face = yield from shown(act, zone)
            right = true_face is not None  # None: the owner left between its answer and the opening
            if right and true_face != face:
                raise act.breached(piece.seat, FALSE_HIT)
        elif answer == NO:
            yield from _denied(act, zone, face)
    if not right:
        act.tell(Event("missed", seat, (zone,), (face,), other=piece.seat))
    elif face == FLAG:
        act.tell(Event("betrayed-flag", seat, (zone,), (face,), other=piece.seat))
        act.put(zone, None)
        yield from captured(act, seat, piece.seat, piece.slot)
    else:
        act.tell(Event("hit", seat, (zone,), (face,), other=piece.seat))
        act.fall(zone)


def _denied(act: Act, zone: Zone, face: Face) -> Turn[None]:
    """The owner claims that the piece is of another kind; the accuser alone sees which."""
    piece = act.state.board[zone]
    if piece is not None:
        yield Claim(piece.seat, FALSE_MISS, (piece.slot,), frozenset(FACES) - {face})
        act.put(zone, promised(piece, FALSE_MISS, ANY & ~(1 << face)))  # it binds the piece from now on
        yield from _looked(act, zone)


_Effect: TypeAlias = Callable[[Act], Turn[None]]
_EFFECTS: Final[Mapping[Card, _Effect]] = {
    BLITZ: _blitz,
    REGROUP: _regroup,
    REINFORCE: _reinforce,
    SECRET: _secret,
    SURPRISE: _surprise,
    NEW_SPY: _new_spy,
    TRAITOR: _traitor,
}
