"""The coach on action cards: the drawn card most worth playing, and what matters in carrying it out.

It reads one seat's view and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from p2p_stratego.conquest.formats.words import piece
from p2p_stratego.conquest.rules.atlas import NAMES
from p2p_stratego.conquest.rules.cards import (
    BLITZ,
    KINDS,
    NEW_SPY,
    REGROUP,
    REINFORCE,
    SECRET,
    SURPRISE,
    TRAITOR,
)
from p2p_stratego.conquest.rules.flags import keeper
from p2p_stratego.conquest.rules.notation import NO, PLAY_NONE, YES, played
from p2p_stratego.conquest.rules.observation import could_be, own_plays
from p2p_stratego.conquest.rules.pieces import FLAG
from p2p_stratego.conquest.rules.state import State
from p2p_stratego.core.game import Choose, Face
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.lesson import Remark
from p2p_stratego.core.view import View

_GAINS: Final = {
    BLITZ: mark("Blitz! costs you nothing: two moves more, and cards that are not played are put away too."),
    SURPRISE: mark("Surprise attack brings a piece of your bag to any free zone, even beside an enemy's."),
    REINFORCE: mark(
        "Reinforcement costs you nothing: a piece more, and cards that are not played are put away too."
    ),
    NEW_SPY: mark("New spy brings your spy back, though open: it beats a king that it attacks."),
    SECRET: mark("Secret information shows you two pieces alone, but everybody sees all of your bag."),
    TRAITOR: mark("Traitor needs luck here: no closed piece is sure. If you are wrong, you alone see it."),
    REGROUP: mark("Regroup mixes three pieces, so that nobody can tell any more which of them has moved."),
}
"""By card, the most useful first: its gain."""
_CARRYING_OUT: Final = {
    "place": mark("Put it where the others must fear it, or where it guards what you hold."),
    "regroup": mark("Mix a piece that the others know with two that they do not know."),
    "look": mark("Look at pieces that have never moved: one of them can be a flag."),
    "draw": mark("Your spy must be shown: name the piece that is the spy."),
    "flag": mark("Your flag stands open from now on: put it far from the others, behind your own pieces."),
    YES: mark("Say what is true: it is opened at the end, and a false answer loses the game."),
    NO: mark("Say what is true: it is opened at the end, and a false answer loses the game."),
}
"""By the first word of the answers."""


def advised(view: View[State], state: State) -> Iterator[Remark]:
    """The remarks on the card that the seat chooses or carries out."""
    asked = view.decision
    if not isinstance(asked, Choose):
        return
    word = next(iter(asked.options), "").split(" ")[0]
    if word == PLAY_NONE.split(" ", maxsplit=1)[0]:
        yield from _best(view, state)
    elif word == "accuse":
        yield from map(Remark, filter(None, [_certain(view, state)]))
        yield Remark(
            _("Name a kind that is likely there: if you are wrong, you alone see it."), rule="accuse"
        )
    elif word in _CARRYING_OUT:
        yield Remark(_(_CARRYING_OUT[word]), rule=word)


def _best(view: View[State], state: State) -> Iterator[Remark]:
    """The most useful cards that the seat can play honestly, with the reasons."""
    may = {card for play in own_plays(state, view.known) if (card := played(play)) is not None}
    if not may:
        yield Remark(_("None of these cards can be played now: say none, and your moves come next."))
    if TRAITOR in may:
        yield from map(Remark, filter(None, [_certain(view, state)]))
    if REGROUP in may and (hidden := _open(view, state)) is not None:
        yield Remark(_("Regroup hides your open {mine} among two others.", mine=piece(hidden)))
    for best in _GAINS:
        if best in may:
            yield Remark(_(_GAINS[best]), rule=KINDS[best].title)


def _certain(view: View[State], state: State) -> str:
    """An enemy's piece that can be one thing only, for the Traitor: a flag before all; "" without one.

    A flag that another player would get is none.
    """
    accusations = [
        (face == FLAG, face, zone)
        for zone, enemy in enumerate(state.board)
        if enemy is not None and enemy.seat != view.seat
        if len(faces := could_be(enemy, view.known)) == 1
        for face in faces
        if face != FLAG or keeper(state, view.seat, enemy.seat) == view.seat
    ]
    if not accusations:
        return ""
    flag, face, zone = max(accusations)
    if flag:
        return _("{place} can hold nothing but a flag: named with Traitor, it is yours.", place=NAMES[zone])
    return _(
        "{place} is sure to hold the {theirs}: named with Traitor, it goes to its owner's bag.",
        place=NAMES[zone],
        theirs=piece(face),
    )


def _open(view: View[State], state: State) -> Face | None:
    """The seat's highest piece on the board that all see, its flag before all; None if all are closed."""
    own = (piece for piece in state.board if piece is not None and piece.seat == view.seat)
    return max((piece.face for piece in own if piece.face is not None), default=None)
