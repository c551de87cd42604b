"""The coach in games of Conquest Stratego: what matters now, in a sentence each, with its reason.

It reads one seat's view and nothing else, and decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import Final

from p2p_stratego.conquest.bots.beliefs import Beliefs, may_move
from p2p_stratego.conquest.bots.distances import STEPS_APART
from p2p_stratego.conquest.bots.evaluation import Weigher
from p2p_stratego.conquest.formats.words import piece, territory
from p2p_stratego.conquest.lessons.card_advice import advised
from p2p_stratego.conquest.rules.atlas import NAMES, NEIGHBOURS, TERRITORY_OF
from p2p_stratego.conquest.rules.flags import keeper
from p2p_stratego.conquest.rules.notation import zones
from p2p_stratego.conquest.rules.observation import could_be, face_of, own_moves
from p2p_stratego.conquest.rules.pieces import FIGHTS, FIXED, FLAG, SORCERESS
from p2p_stratego.conquest.rules.state import ON_BOARD, State
from p2p_stratego.conquest.rules.underway import now
from p2p_stratego.core.game import Commit
from p2p_stratego.core.language import _, n_
from p2p_stratego.core.lesson import Remark
from p2p_stratego.core.view import View

_NEAR: Final = 3
"""An enemy so few steps from the flag is worth a word."""


def advise(view: View[State]) -> Iterator[Remark]:
    """The remarks for the seat of `view`, the weightiest first; none while it has no decision to make."""
    if view.decision is None or view.state.ended is not None:
        return
    state = now(view)
    if state.phase == "draft":
        yield Remark(
            _("Who holds the last flag wins: take land in which yours can stand far from the others."),
            rule="draft",
        )
    elif state.phase in ("army", "zones") or isinstance(view.decision, Commit):
        yield Remark(
            _("The flag and the Cursed lands never move; only a Sorceress takes a Cursed land."), rule="army"
        )
    elif state.phase == "play":
        yield from advised(view, state)
    elif state.phase == "move" and state.seat == view.seat:
        yield from map(Remark, filter(None, [_sure(view, state)]))
        weigher = Weigher(Beliefs(state, view.seat, view.known))
        yield from map(Remark, _at_the_flag(weigher))
        yield from map(Remark, _dangers(view, state))
        yield from map(Remark, _land(view, weigher))
    if state.flags[view.seat] != ON_BOARD:
        yield Remark(
            _(
                "Your flag is captured: take only the captor's own flag. Any other goes to the captor, and "
                "can win it the game."
            ),
            rule="captured",
        )
    elif state.phase in ("play", "move"):
        yield Remark(_flags(view, state), rule="flags")


def _at_the_flag(weigher: Weigher) -> Iterator[str]:
    """The enemy nearest to our flag, if it can be there in a few steps."""
    home, board = weigher.home, weigher.state.board
    if home is None:
        return
    near = [
        (STEPS_APART[zone][home], zone, face)
        for zone, foe in enumerate(board)
        if foe is not None and foe.seat != weigher.seat
        if may_move(foe, face := weigher.beliefs.face(foe)) and STEPS_APART[zone][home] <= _NEAR
    ]
    if not near:
        return
    steps, zone, face = min(near, key=itemgetter(0, 1))
    fields = {"place": NAMES[zone], "flag": NAMES[home]}
    if face is None:
        yield n_(
            "An unknown piece on {place} stands {count} step from your flag on {flag}.",
            "An unknown piece on {place} stands {count} steps from your flag on {flag}.",
            steps,
            **fields,
        )
    else:
        yield n_(
            "The {theirs} on {place} stands {count} step from your flag on {flag}.",
            "The {theirs} on {place} stands {count} steps from your flag on {flag}.",
            steps,
            theirs=piece(face),
            **fields,
        )


def _dangers(view: View[State], state: State) -> Iterator[str]:
    """The own pieces that an open enemy beside them beats, the highest first."""
    beaten = [
        (mine, own, zone, foe.face)
        for zone, foe in enumerate(state.board)
        if foe is not None and foe.seat != view.seat and foe.face is not None and foe.face not in FIXED
        for own in NEIGHBOURS[zone]
        if (there := state.board[own]) is not None and there.seat == view.seat
        if (mine := face_of(there, view.known)) is not None and FIGHTS[foe.face][mine] in ("won", "flag")
    ]
    for mine, own, zone, theirs in sorted(beaten, reverse=True):
        yield _(
            "Your {mine} on {square} can be taken by the {theirs} on {place}.",
            mine=piece(mine),
            square=NAMES[own],
            theirs=piece(theirs),
            place=NAMES[zone],
        )


def _land(view: View[State], weigher: Weigher) -> Iterator[str]:
    """The step that gains most land."""
    steps = [
        (weigher.land({way[0]: None, way[1]: view.seat}), way)
        for move in own_moves(weigher.state, view.known)
        if (way := zones(move)) is not None and weigher.state.board[way[1]] is None
    ]
    gain, (source, target) = max(steps, default=(0.0, (0, 0)))
    if gain > 0:
        yield _(
            "A step from {square} to {place} gains land: {land}.",
            square=NAMES[source],
            place=NAMES[target],
            land=territory(TERRITORY_OF[target]),
        )


def _sure(view: View[State], state: State) -> str:
    """An attack that surely succeeds, by all that the seat knows; "" if there is none.

    An attack on a flag goes before all; not counted is an attack that would take a flag for another player.
    """
    attacks = []
    for move in own_moves(state, view.known):
        way = zones(move)
        own, foe = (None, None) if way is None else (state.board[way[0]], state.board[way[1]])
        if way is None or own is None or foe is None or foe.seat == view.seat:
            continue
        face, faces = face_of(own, view.known), could_be(foe, view.known)
        if FLAG in faces and keeper(state, view.seat, foe.seat) != view.seat:
            continue
        if face is not None and all(FIGHTS[face][other] in ("won", "flag") for other in faces):
            attacks.append((faces == {FLAG}, max(faces), way, face, len(faces)))
    if not attacks:
        return ""
    flag, highest, (source, target), face, count = max(attacks)
    fields = {"mine": piece(face), "square": NAMES[source], "place": NAMES[target]}
    if flag:
        return _("Your {mine} on {square} can take the flag on {place}.", **fields)
    if count == 1:
        return _("Your {mine} on {square} beats the {theirs} on {place}.", theirs=piece(highest), **fields)
    return _(
        "Your {mine} on {square} beats what stands on {place}: it can be no more than the {theirs}.",
        theirs=piece(highest),
        **fields,
    )


def _flags(view: View[State], state: State) -> str:
    """Where flags of enemies can still stand."""
    hidden = sum(
        piece is not None
        and piece.seat != view.seat
        and state.flags[piece.seat] == ON_BOARD
        and FLAG in could_be(piece, view.known)
        for piece in state.board
    )
    if any(face_of(piece, view.known) == SORCERESS for piece in state.live(view.seat)):
        return n_(
            "{count} enemy piece on the board can be a flag; none that has stepped is, or is a Cursed land.",
            "{count} enemy pieces on the board can be a flag; none that has stepped is, or is a Cursed land.",
            hidden,
        )
    return n_(
        "{count} enemy piece on the board can be a flag; you have no Sorceress left against a Cursed land.",
        "{count} enemy pieces on the board can be a flag; you have no Sorceress left against a Cursed land.",
        hidden,
    )
