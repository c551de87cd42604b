"""Pointing in Stratego: squares of the board, and the pieces that are still to be set up."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from cli.games.interface import STEPS, ViewContext, strokes
from cli.games.stratego.names import names_piece, square
from cli.games.stratego.snapshot import Snapshot, is_setting_up, snapshot
from p2p_stratego.core.game import Face
from p2p_stratego.core.language import mark
from p2p_stratego.stratego.rules.armies import ORDER
from p2p_stratego.stratego.rules.board import CRATERS, HOME, PLACE, SIDE, SQUARE_NAMED, SQUARES, Square
from p2p_stratego.stratego.rules.pieces import FACE_NAMED, RED

TRAY: Final = "tray-"
"""The prefix of places of pieces in the tray; their names follow."""
_STROKES: Final = strokes("marshal", "bomb")
_LINK: Final = re.compile(r"^(?:[\s=:>x×-]|to?(?![a-z]))*")
"""The signs between a square and the next one."""


class BoardPointer:
    """Implements `cli.games.interface.Pointer`."""

    keys = (
        (mark("arrows"), mark("move the cursor over the board")),
        (
            mark("Enter, Space, click"),
            mark("pick the piece there, then where it goes; pick it again to let it go"),
        ),
        (
            "1-9, 0",
            mark("setting up: put the spy, a rank, the marshal at the cursor, which goes on to the next"),
        ),
        ("+ * .", mark("setting up: the flag, a bomb; take away what stands there")),
    )

    def step(self, context: ViewContext, direction: str) -> str:
        """Craters are jumped over; while setting up the cursor stays on the seat's own rows."""
        moment = snapshot(context)
        if moment.cursor is None:
            return square(_beginning(moment))
        at = moment.cursor
        columns, rows = STEPS[direction]
        step = (rows * SIDE + columns) * (1 if moment.seat == RED else -1)
        while True:
            beyond = at + step
            if beyond not in SQUARES or (columns and beyond // SIDE != at // SIDE):
                return square(moment.cursor)
            at = beyond
            if at not in CRATERS:
                break
        if is_setting_up(moment.state) and at not in PLACE[moment.seat]:
            return square(moment.cursor)
        return square(at)

    def point(self, context: ViewContext, place: str) -> tuple[str, bool]:
        """Picks a piece, lets it go, or names its target."""
        moment = snapshot(context)
        if is_setting_up(moment.state):
            return _point_setting_up(context, moment, place)
        at = SQUARE_NAMED.get(place)
        if at is None or at == moment.picked:
            return "", False
        seen = moment.pieces.get(at)
        if seen is not None and seen.seat == moment.seat:
            return place, False
        if moment.picked is None:
            return "", False
        return square(moment.picked) + place, True

    def goes_on(self, context: ViewContext, rest: str) -> bool:
        """A square follows a square; while setting up a piece too, then a new pair behind a comma."""
        if context.typed in FACE_NAMED:
            return not rest.strip()
        typed = _LINK.sub("", rest.lower(), count=1)
        setting_up = is_setting_up(context.view.state)
        if setting_up:
            typed = typed.partition(",")[0].rstrip()
        return any(name.startswith(typed) for name in SQUARE_NAMED) or (setting_up and names_piece(typed))

    def stroke(self, context: ViewContext, key: str) -> str | None:
        """Figures and signs put pieces at the cursor, while setting up."""
        if not is_setting_up(context.view.state) or not context.cursor or key not in _STROKES:
            return None
        return f"{context.cursor} {_STROKES[key]}"

    def onward(self, context: ViewContext) -> str:
        """The next of the own squares: to the right, then the row behind from its left; the last stays."""
        moment = snapshot(context)
        own = HOME[moment.seat]
        at = own.index(moment.cursor) if moment.cursor in own else -1
        if at < 0:
            return context.cursor
        right = at + 1 if (at + 1) % SIDE else at + 1 - 2 * SIDE
        return square(own[right]) if right >= 0 else context.cursor


def _beginning(moment: Snapshot) -> Square:
    """Where the cursor appears: on the piece moved last, if it is one's own, else amid the front row."""
    moved = moment.pieces.get(moment.trail[1]) if moment.trail else None
    if moment.trail is not None and moved is not None and moved.seat == moment.seat:
        return moment.trail[1]
    return HOME[moment.seat][-SIDE // 2]


def _point_setting_up(context: ViewContext, moment: Snapshot, place: str) -> tuple[str, bool]:
    """Exchanges two squares, or puts the piece that was picked in the tray on one."""
    if place.startswith(TRAY):
        name = place.removeprefix(TRAY)
        return ("", False) if context.typed == name else (name, False)
    at = SQUARE_NAMED.get(place)
    if at is None or at not in PLACE[moment.seat] or at == moment.picked:
        return "", False
    if context.typed in FACE_NAMED:
        return f"{place} {context.typed}", True
    if moment.picked is not None:
        return f"{square(moment.picked)} {place}", True
    # The cursor goes to an empty square, and a key then names its piece.
    return (place, False) if at in moment.pieces else ("", False)


def to_place(moment: Snapshot) -> list[Face]:
    """The pieces that are still to be set up, the highest first."""
    due = Counter(moment.state.army.faces)
    due.subtract(seen.face for seen in moment.pieces.values() if seen.face is not None)
    return [face for face in ORDER for _ in range(due[face])]
