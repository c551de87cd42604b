"""Help for deciding in Stratego: the pieces left of each kind, and notes on closed ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Final

from cli.games.interface import Panel, ViewContext
from cli.games.stratego import board
from cli.games.stratego.names import LETTERS, called, grouped, short, square
from cli.games.stratego.pointer import TRAY, to_place
from cli.games.stratego.snapshot import SeenPiece, Snapshot, is_setting_up, snapshot
from cli.text.layout import EMPTY, Line, filled, fit, longest, marked, overlaid, styled, whole, wrapped
from cli.text.sanitize import cells
from p2p_stratego.core.game import Face
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.sampling import percent
from p2p_stratego.stratego.bots.beliefs import Chances, even_chances
from p2p_stratego.stratego.bots.piece_values import alive
from p2p_stratego.stratego.formats.narration import listed, named, piece
from p2p_stratego.stratego.rules.armies import ORDER
from p2p_stratego.stratego.rules.board import Square
from p2p_stratego.stratego.rules.pieces import BOMB, FACES, FIGHTS, FLAG, NAMES
from p2p_stratego.stratego.rules.state import State

MATTERS: Final = (FLAG, BOMB, *(face for face in ORDER if face not in (FLAG, BOMB)))
"""Faces in the order of interest in a closed piece: first the faces that decide on attacking it."""


ASSUMED: Final = mark("layouts equally likely")
"""The assumption behind the percentages of all notes."""


def panels(context: ViewContext, columns: int, board: tuple[int, int] | None = None) -> list[Panel]:
    """The panels beside the board, the most useful first; no size of the `board` makes one superfluous."""
    del board
    moment = snapshot(context)
    if is_setting_up(moment.state):
        lines = _in_two(_army(moment, columns), columns)
        return [Panel("pieces", _("Your army"), lines, len(lines))]
    enemy = context.players.names[1 - moment.seat]
    lines = _in_two(_left(moment, columns), columns)
    panels_shown = [Panel("pieces", _("Left, yours : {enemy}'s", enemy=enemy), lines, len(lines))]
    if context.notes and moment.state.phase == "play":
        title = longest(
            (
                _("Notes on {enemy} ({assumed})", enemy=enemy, assumed=_(ASSUMED)),
                _("Notes ({assumed})", assumed=_(ASSUMED)),
                _("Notes (equal layouts)"),
                _("Notes"),
            ),
            columns - 3,
        )
        panels_shown.append(Panel("notes", title, list(_notes(moment, columns)), 4))
    return panels_shown


def _in_two(parts: Iterable[Line], columns: int) -> list[Line]:
    """Kinds of pieces in two columns, the first ones on the left."""
    lines = list(parts)
    rows, half = (len(lines) + 1) // 2, columns // 2
    pairs = zip_longest(lines[:rows], lines[rows:], fillvalue=EMPTY)
    return [fit((*fit(left, half), *right), columns) for left, right in pairs]


_COUNTED: Final = 12
"""Cells of a kind besides its name: the letter before it, and the counts behind it."""
_COUNTED_SHORT: Final = 7
"""The same with the counts as short as they can be: " M … 1:1"."""


def _roomy(columns: int) -> bool:
    """Whether every name fits beside counts in words."""
    return columns // 2 >= max(10, *(cells(named(face)) for face in ORDER)) + _COUNTED


def _kind(face: Face, columns: int) -> Line:
    """The letter of a kind and its name: a name too long for its column is the short one on the board."""
    room = columns // 2 - _COUNTED_SHORT
    if _roomy(columns):
        room = max(10, *(cells(named(other)) for other in ORDER))
    name = longest((named(face), short(face)), room)
    return styled(f" {LETTERS[face]}", "strong") + styled(f" {filled(name, room)}" if room > 0 else "")


def _left(moment: Snapshot, columns: int) -> Iterator[Line]:
    """The number of each kind that is left, on both sides; a kind that is all gone is marked."""
    own, enemy = (alive(moment.state, seat) for seat in (moment.seat, 1 - moment.seat))
    counts = moment.state.army.counts
    digits = 2 if _roomy(columns) else 1
    for face in ORDER:
        if counts[face]:
            yield (
                *_kind(face, columns),
                *styled(f" {own[face]:>{digits}}", "" if own[face] else "dim"),
                *styled(":", "dim"),
                *styled(f"{enemy[face]}", "" if enemy[face] else "dim"),
            )


def _army(moment: Snapshot, columns: int) -> Iterator[Line]:
    """How many of each kind stand on the board already, of how many."""
    counts = moment.state.army.counts
    stand = [0] * len(FACES)
    for seen in moment.pieces.values():
        if seen.face is not None:
            stand[seen.face] += 1
    roomy = _roomy(columns)
    for face in ORDER:
        if counts[face] or stand[face]:
            standing = f" {stand[face]:>2}" if roomy else f" {stand[face]}"
            yield (
                *_kind(face, columns),
                *styled(standing, "good" if stand[face] == counts[face] else "warn"),
                *styled(_(" of {count}", count=counts[face]) if roomy else f"/{counts[face]}", "dim"),
            )


def shares(state: State, seen: SeenPiece) -> Chances:
    """How likely each face is under a closed piece, as far as everybody can tell."""
    return even_chances(state, seen.seat)[seen.moved]


def possible(odds: Chances) -> str:
    """The faces that are possible, with how likely they are, none broken in two: "F 4 %  M 8 %"."""
    return "  ".join(whole(f"{LETTERS[face]} {percent(odds[face])}") for face in MATTERS if odds[face])


def _notes(moment: Snapshot, columns: int) -> Iterator[Line]:
    """Notes on the enemy's closed pieces: the ones that moved, and the ones that never did."""
    state, enemy = moment.state, 1 - moment.seat
    closed = [seen for seen in moment.pieces.values() if seen.seat == enemy and seen.face is None]
    for moved, label in (
        (True, _("have moved ▐•▌")),
        (False, _("never moved {closed}", closed=board.CLOSED)),
    ):
        count = sum(seen.moved == moved for seen in closed)
        if not count:
            continue
        yield fit(styled(f" {count} {_singular(count, label)}", "strong"), columns)
        odds = even_chances(state, enemy)[moved]
        yield from wrapped((("", " "), *styled(possible(odds), "dim")), columns, 1)
    if not closed:
        yield fit(styled(_(" Nothing is closed."), "dim"), columns)


def _singular(count: int, text: str) -> str:
    return text.replace("have", "has") if count == 1 else text


def tray(context: ViewContext, columns: int) -> Line:
    """The pieces still to be set up; in play, a note on the enemy's pieces that were never seen."""
    moment = snapshot(context)
    state = moment.state
    if is_setting_up(state):
        return fit(_to_place(moment), columns)
    if not context.notes:
        return fit(EMPTY, columns)
    enemy = 1 - moment.seat
    text = styled(_(" {name}'s closed pieces  ", name=context.players.names[enemy]), "dim")
    closed = any(seen.face is None for _unused, seen in moment.of(enemy))
    unseen = [face for face in FACES for _unused in range(state.left[enemy][face])] if closed else []
    return fit((*text, *styled(grouped(unseen) or _("none"), f"seat{enemy}")), columns)


def _to_place(moment: Snapshot) -> Line:
    """The pieces still to be set up, each of which can be pointed at; and the superfluous ones."""
    missing = to_place(moment)
    stand = Counter(seen.face for seen in moment.pieces.values() if seen.face is not None)
    many = stand - Counter(moment.state.army.faces)
    if not missing and not many:
        return styled(_(" All pieces are placed."), "good")
    parts = styled(_(" To place "), "dim") if missing else EMPTY
    for face in dict.fromkeys(missing):
        count = missing.count(face)
        sign = styled(f" {LETTERS[face]}{f'×{count}' if count > 1 else ''} ", f"tile{moment.seat}")
        parts += (*overlaid(sign, marked(TRAY + NAMES[face])), ("", " "))
    rule = styled("·", "rule") if missing and many else EMPTY
    text = _(" Too many: {pieces}", pieces=listed(many.elements())) if many else ""
    return parts + rule + styled(text, "warn")


def explain(context: ViewContext) -> Line:
    """The piece at the cursor, or on the last square that was typed; with a piece picked, the result of an
    attack.
    """
    moment = snapshot(context)
    at = (
        moment.aim
        if moment.aim is not None
        else moment.cursor
        if moment.cursor is not None
        else moment.picked
    )
    seen = None if at is None else moment.pieces.get(at)
    if is_setting_up(context.view.state) and at is not None and at == moment.cursor:
        return _stroke_keys(seen, at)
    if at is None or seen is None:
        return EMPTY
    if moment.picked is not None and seen.seat != moment.seat:
        attacker = moment.pieces[moment.picked].face
        if attacker is not None:
            return _attack(context, attacker, seen, at)
    return _described(context, seen, at)


def _stroke_keys(seen: SeenPiece | None, at: Square) -> Line:
    """The piece at the cursor while a side is set up, and the keys that put another one there."""
    face = None if seen is None else seen.face
    there = _("empty") if face is None else called([face])
    return styled(f"{square(at)}: {there}. ", "strong") + styled(_(_STROKE_KEYS), "dim")


_STROKE_KEYS: Final = mark("Keys: 1 spy, 2 to 9 ranks, 0 marshal, + flag, * bomb, . empty")


def _described(context: ViewContext, seen: SeenPiece, at: Square) -> Line:
    start = styled(f"{square(at)}: ", "strong")
    if is_setting_up(context.view.state):
        return start + styled(piece(seen.face) if seen.face is not None else _("a piece"), "dim")
    if seen.face is not None:
        known = (
            _("seen by all")
            if seen.shown
            else _("closed, has moved")
            if seen.moved
            else _("closed, never moved")
        )
        return start + styled(f"{context.players.has(seen.seat, piece(seen.face))}, {known}.", "dim")
    past = _("closed, has moved") if seen.moved else _("closed, never moved")
    line = start + styled(f"{context.players.owned(seen.seat)}, {past}", "dim")
    if not context.notes:
        return line
    chances = shares(context.view.state, seen)
    return line + styled(f"{_assumed(chances)}: {possible(chances)}", "dim")


def _attack(context: ViewContext, attacker: Face, seen: SeenPiece, at: Square) -> Line:
    """The result of an attack, or the likelihood of each."""
    called = styled(f"{piece(attacker)} × {square(at)}: ", "strong")
    if seen.face is not None:
        return called + styled(_(_RESULTS[FIGHTS[attacker][seen.face]], piece=piece(seen.face)), "dim")
    if not context.notes:
        return called + styled(_("it is closed."), "dim")
    sums = dict.fromkeys(_CHANCES, 0.0)
    for face, share in enumerate(shares(context.view.state, seen)):
        sums[FIGHTS[attacker][face]] += share
    text = ", ".join(f"{_(_CHANCES[result])} {percent(share)}" for result, share in sums.items() if share)
    return called + styled(f"{text}{_assumed(sums.values())}.", "dim")


def _assumed(chances: Iterable[float]) -> str:
    """The assumption behind percentages; "" where they are certain."""
    return "" if max(chances) >= 1.0 else f" ({_(ASSUMED)})"


_RESULTS: Final = {
    "won": mark("beats the {piece}."),
    "lost": mark("falls to the {piece}."),
    "both": mark("meets the {piece}: both fall."),
    "flag": mark("takes the {piece}!"),
}
_CHANCES: Final = {
    "won": mark("wins"),
    "lost": mark("falls"),
    "both": mark("both fall"),
    "flag": mark("takes the flag"),
}
