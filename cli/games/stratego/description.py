"""The board of Stratego in words and letters: for line mode, screen readers, and players who ask for it.

It tells everything that the drawn board shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from cli.games.interface import THE_END, ViewContext
from cli.games.stratego.names import LETTERS, square
from cli.games.stratego.panels import ASSUMED, MATTERS, shares
from cli.games.stratego.snapshot import SeenPiece, Snapshot, is_setting_up, snapshot
from cli.text.layout import whole
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import _, mark, n_
from p2p_stratego.core.sampling import percent
from p2p_stratego.core.view import View
from p2p_stratego.stratego.bots.piece_values import alive
from p2p_stratego.stratego.formats.narration import called, listed, piece
from p2p_stratego.stratego.rules.armies import ARMIES, ORDER
from p2p_stratego.stratego.rules.board import CRATERS, NAMES, SIDE, Square, row_of
from p2p_stratego.stratego.rules.notation import NONE, STEPS
from p2p_stratego.stratego.rules.observation import own_moves
from p2p_stratego.stratego.rules.pieces import RED, SEAT_NAMES
from p2p_stratego.stratego.rules.state import State

LEGEND: Final = mark(
    "Yours by their letters: F flag, S spy, 2 to 9 by rank, M marshal, B bomb. In brackets the enemy's: (?) "
    "closed, (+) closed and has moved, (7) seen. A dot is an empty square, ~ a crater."
)


def banner(view: View[State]) -> str:
    """The army, and whose turn it is: "quickplay · red to move".

    No moves are counted: what is read beside it counts steps, and those of the set-up are among them.
    """
    state = view.state
    army = state.army.text if state.army.text in ARMIES else _("{size} pieces", size=state.army.size)
    if is_setting_up(state):
        return _("{army} · setting up", army=army)
    if state.phase == "over":
        return f"{army}{_(THE_END)}"
    return _("{army} · {colour} to move", army=army, colour=_(SEAT_NAMES[state.seat]))


def goal(_unused: View[State]) -> str:
    """How the game is won, and in which direction."""
    return _("↑ Take the enemy's flag, or leave the enemy no piece that can move.")


def board(context: ViewContext) -> list[str]:
    """The whole board: a diagram with its legend, then every piece in sentences."""
    moment = snapshot(context)
    lines = [*diagram(moment), _(LEGEND)]
    if is_setting_up(moment.state):
        return [*lines, *_sides(context, moment)]
    state = moment.state
    calm = n_("{count} move since the last attack", "{count} moves since the last attack", state.calm)
    draw = _("; after {quiet} without one it is a draw", quiet=state.quiet) if state.quiet else ""
    return [*lines, f"{calm}{draw}.", *_sides(context, moment)]


def diagram(moment: Snapshot, rows: range = range(SIDE)) -> list[str]:
    """The `rows`, counted from the bottom, as letters, from the top down; the columns' names below."""
    lines = []
    squares: list[Square] = []
    for row in reversed(rows):
        squares = [_at(moment.seat, row, column) for column in range(SIDE)]
        lines.append(f"{row_of(squares[0]) + 1:2} " + "".join(_letter(moment, at) for at in squares).rstrip())
    return [*lines, "   " + "".join(f" {NAMES[at][0]} " for at in squares).rstrip()]


def _at(seat: Seat, row: int, column: int) -> Square:
    """The square in this row and column as `seat` sees the board, from the bottom left."""
    here = row * SIDE + column
    return here if seat == RED else SIDE * SIDE - 1 - here


def _letter(moment: Snapshot, at: Square) -> str:
    seen = moment.pieces.get(at)
    if seen is None:
        return " ~ " if at in CRATERS else " . "
    if seen.seat == moment.seat:
        return " ? " if seen.face is None else f" {LETTERS[seen.face]} "
    return f"({LETTERS[seen.face]})" if seen.face is not None else "(+)" if seen.moved else "(?)"


def _sides(context: ViewContext, moment: Snapshot) -> Iterator[str]:
    for seat in (moment.seat, 1 - moment.seat):
        you = seat == context.players.me
        name = _("You, {name}", name=context.players.names[seat]) if you else context.players.names[seat]
        pieces = moment.of(seat)
        if is_setting_up(moment.state) and not pieces:
            yield _(
                "{name} ({colour}), not on the board yet: {faces}.",
                name=name,
                colour=_(SEAT_NAMES[seat]),
                faces=listed(moment.state.army.faces),
            )
            continue
        yield _(
            "{name} ({colour}): {count} of {size} pieces.",
            name=name,
            colour=_(SEAT_NAMES[seat]),
            count=len(pieces),
            size=moment.state.army.size,
        )
        for group, chosen in _GROUPS:
            here = [
                square(at) if seen.face is None else f"{piece(seen.face)} {square(at)}"
                for at, seen in pieces
                if chosen(seen)
            ]
            if here:
                yield f"  {_(group)}: {', '.join(here)}."
        lost = moment.state.lost[seat]
        if lost:
            yield _("  Fallen: {lost}.", lost=listed(lost))


_GROUPS: Final[tuple[tuple[str, Callable[[SeenPiece], bool]], ...]] = (
    (mark("Seen by all"), lambda seen: seen.shown),
    (mark("Closed, have moved"), lambda seen: not seen.shown and seen.moved),
    (mark("Closed, never moved"), lambda seen: not seen.shown and not seen.moved),
)


def hand(context: ViewContext) -> list[str]:
    """The pieces that this seat has left, by kind, and where they stand."""
    moment = snapshot(context)
    lines = []
    left = alive(moment.state, moment.seat)
    for face in ORDER:
        if not moment.state.army.counts[face]:
            continue
        where = [square(at) for at, seen in moment.of(moment.seat) if seen.face == face]
        stand = f": {', '.join(where)}" if where else ""
        lines.append(
            _(
                "{piece}, {left} of {count} left{stand}.",
                piece=piece(face),
                left=left[face],
                count=moment.state.army.counts[face],
                stand=stand,
            )
        )
    return lines


def notes(context: ViewContext) -> list[str]:
    """The pieces that each closed piece of the enemy's can still be."""
    moment = snapshot(context)
    state: State = moment.state
    enemy = 1 - moment.seat
    if is_setting_up(state):
        return [_("There is nothing to note before both armies stand on the board.")]
    closed = [(at, seen) for at, seen in moment.of(enemy) if seen.face is None]
    if not closed:
        return [_("No piece of the enemy's is closed.")]
    lines = []
    for moved, past in ((True, _("have moved")), (False, _("never moved"))):
        group: list[tuple[Square, SeenPiece]] = [(at, seen) for at, seen in closed if seen.moved == moved]
        if group:
            where = ", ".join(square(at) for at, _unused in group)
            odds = shares(state, group[0][1])
            can = ", ".join(
                f"{whole(f'{piece(face)} {percent(odds[face])}')}" for face in MATTERS if odds[face]
            )
            lines.append(
                _("Closed, {called}: {where}. Each can be: {can}.", called=past, where=where, can=can)
            )
    return [*lines, _("The percentages take all {assumed}.", assumed=_(ASSUMED))]


def asked(context: ViewContext) -> list[str]:
    """The facts that the present question rests on."""
    moment = snapshot(context)
    if is_setting_up(moment.state):
        return diagram(moment, range(4)) if moment.pieces else []
    moves = own_moves(context.view)
    if moves == [NONE]:
        return []
    able = sorted({STEPS[move][0] for move in moves})
    return [
        _(
            "You can move: {named}. The word board tells all.",
            named=", ".join(_named(moment, at) for at in able),
        )
    ]


def _named(moment: Snapshot, at: Square) -> str:
    face = moment.pieces[at].face
    return square(at) if face is None else f"{called(face)} {square(at)}"
