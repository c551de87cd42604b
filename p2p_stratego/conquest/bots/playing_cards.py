"""The agent's cards: which one it plays, and how."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from p2p_stratego.conquest.bots.evaluation import VALUES, Weigher
from p2p_stratego.conquest.rules.act import free_zones
from p2p_stratego.conquest.rules.atlas import Zone
from p2p_stratego.conquest.rules.cards import BLITZ, NEW_SPY, REGROUP, REINFORCE, SECRET, SURPRISE, Card
from p2p_stratego.conquest.rules.choices import pairs
from p2p_stratego.conquest.rules.effects import near_own
from p2p_stratego.conquest.rules.pieces import FACES, FLAG, SPY
from p2p_stratego.conquest.rules.state import Piece
from p2p_stratego.core.game import Face

FLAG_KNOWN: Final = 8.0
"""The worth of finding an enemy's flag by a look."""
LOOK: Final = 0.5
A_MOVE: Final = 0.9
"""The worth of a move more, beside the best move that there is."""
HIDDEN_FLAG: Final = 3.0
"""The worth of hiding an own flag that all can see."""


def worth(weigher: Weigher, card: Card, best_move: float) -> float:
    """The worth of a card now; `best_move`: that of the best move."""
    if card == BLITZ:
        return A_MOVE + min(best_move, 3.0)
    if card == REGROUP:
        return _worth_of_mixing(weigher)
    if card in (REINFORCE, SURPRISE):
        zones = near_own(weigher.state) if card == REINFORCE else free_zones(weigher.state)
        return _worth_of_bag(weigher, zones)
    if card == SECRET:
        return max((worth_of_look(weigher, pair) for pair in pairs(weigher.state)), default=0.0)
    if card == NEW_SPY:
        return max((weigher.placed(zone, SPY) for zone in free_zones(weigher.state)), default=0.0)
    return max((value for _, _, value in accusations(weigher)), default=0.0)


def _worth_of_bag(weigher: Weigher, zones: Iterable[Zone]) -> float:
    """The best place, for a piece of middling value out of the bag."""
    bag = [
        face
        for piece in weigher.state.bags[weigher.seat]
        if (face := weigher.beliefs.face(piece)) is not None
    ]
    middle = sorted(bag, key=lambda face: VALUES[face])[len(bag) // 2]
    return max((weigher.placed(zone, middle) for zone in zones), default=0.0)


def _worth_of_mixing(weigher: Weigher) -> float:
    home = weigher.home
    piece = None if home is None else weigher.state.board[home]
    if piece is None or piece.face is None:
        shown = [face for _, laid, face in own(weigher) if laid.face is not None]
        return 0.05 + 0.1 * max((VALUES[face] for face in shown), default=0.0)
    return HIDDEN_FLAG + weigher.danger


def own(weigher: Weigher) -> Iterator[tuple[Zone, Piece, Face]]:
    """The own pieces on the board, with their faces."""
    for zone, piece in enumerate(weigher.state.board):
        if piece is not None and piece.seat == weigher.seat:
            face = weigher.beliefs.face(piece)
            if face is not None:
                yield zone, piece, face


def trio(weigher: Weigher) -> tuple[Zone, ...]:
    """Three pieces to mix: the flag if all see it, else what is open and strong; with closed ones near by."""
    pieces = list(own(weigher))
    subject = max(
        pieces,
        key=lambda item: (item[1].face is not None) * (100.0 if item[2] == FLAG else VALUES[item[2]]),
    )[0]
    others = [(zone, piece, face) for zone, piece, face in pieces if zone != subject and face != FLAG]
    closed_first = sorted(others, key=lambda item: (item[1].face is not None, -weigher.safe(item[0])))
    if len(closed_first) < 2:
        closed_first += [item for item in pieces if item[0] != subject and item not in closed_first]
    return tuple(sorted((subject, closed_first[0][0], closed_first[1][0])))


def worth_of_look(weigher: Weigher, zones: tuple[Zone, ...]) -> float:
    """The worth of knowing the faces on these zones."""
    return sum(_unknown(weigher, zone) for zone in zones)


def _unknown(weigher: Weigher, zone: Zone) -> float:
    """The worth of knowing the face on a zone."""
    piece = weigher.state.board[zone]
    if piece is None or piece.seat == weigher.seat or weigher.beliefs.face(piece) is not None:
        return 0.0
    chances = weigher.beliefs.chances(piece)
    return LOOK * (1 - max(chances.values(), default=1.0)) + FLAG_KNOWN * weigher.beliefs.flag_chance(piece)


def accusations(weigher: Weigher) -> Iterator[tuple[Zone, Face, float]]:
    """The accusations of the Traitor, with their worth."""
    for zone, piece in enumerate(weigher.state.board):
        if piece is None or piece.seat == weigher.seat:
            continue
        chances = weigher.beliefs.chances(piece)
        for face in FACES:
            chance = chances.get(face, 0.0)
            prize = (
                weigher.flag_worth(piece.seat) if face == FLAG else weigher.rivals[piece.seat] * VALUES[face]
            )
            near = weigher.land({zone: None})
            yield zone, face, chance * (prize + near)
