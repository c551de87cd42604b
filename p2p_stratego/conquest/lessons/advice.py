"""The coach in games of Conquest Stratego: one sentence on what matters now, with its reason.

It reads one seat's view and nothing else, and decides nothing.
"""

from __future__ import annotations

from p2p_stratego.conquest.formats.words import piece
from p2p_stratego.conquest.lessons.card_advice import advised
from p2p_stratego.conquest.rules.atlas import NAMES
from p2p_stratego.conquest.rules.flags import keeper
from p2p_stratego.conquest.rules.notation import zones
from p2p_stratego.conquest.rules.observation import could_be, face_of, own_moves
from p2p_stratego.conquest.rules.pieces import FIGHTS, FLAG, SORCERESS
from p2p_stratego.conquest.rules.state import ON_BOARD, State
from p2p_stratego.conquest.rules.underway import now
from p2p_stratego.core.game import Commit
from p2p_stratego.core.language import _, n_
from p2p_stratego.core.view import View


def advise(view: View[State]) -> str:
    """One sentence for the seat of `view`; "" while the seat has no decision to make."""
    if view.decision is None or view.state.ended is not None:
        return ""
    state = now(view)
    if state.phase == "draft":
        return _("Who holds the last flag wins: take land in which yours can stand far from the others.")
    if state.phase in ("army", "zones") or isinstance(view.decision, Commit):
        return _("The flag and the Cursed lands never move; only a Sorceress takes a Cursed land.")
    if state.phase == "play" and (advice := advised(view, state)):
        return advice
    if state.phase == "move" and state.seat == view.seat and (sure := _sure(view, state)):
        return sure
    if state.flags[view.seat] != ON_BOARD:
        return _(
            "Your flag is captured: take only the captor's own flag. Any other goes to the captor, and can "
            "win it the game."
        )
    return _flags(view, state)


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
