"""The statistics of a match of Stratego for its players: captures, bluffs, and set-ups.

A bluff is a move without an attack of a piece that nobody has seen, to a square next to an open enemy piece
that would beat it.  The bluff worked if the enemy's next move was no attack on the piece.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from p2p_stratego.core.game import Face, Seat, Slot
from p2p_stratego.core.language import mark
from p2p_stratego.core.tally import Favourite, Rate, Tally, Tallying, counters
from p2p_stratego.stratego.rules.board import HOME, HOME_ROWS, NEIGHBOURS, SIDE, Square
from p2p_stratego.stratego.rules.board import NAMES as SQUARE_NAMES
from p2p_stratego.stratego.rules.notation import STEPS
from p2p_stratego.stratego.rules.pieces import FIGHTS, FLAG, IMMOBILE, PIECES, SEATS
from p2p_stratego.stratego.rules.state import State

_NAMES: Final = ("attacks", "attacks_won", "attacks_even", "fights", "fights_won", "bluffs", "bluffs_worked")
_NOBODY: Final = "."


def tally(states: Sequence[State], faces: Mapping[Slot, Face], seats: int) -> Tally:
    """See `core.tally.Tallying.of`."""
    counts = counters(seats, _NAMES)
    for state in states:
        if state.report is not None and state.report.attacker is not None:
            _fight(counts, state)
    for seat, worked in _bluffs(states, faces):
        counts[seat]["bluffs"] += 1
        counts[seat]["bluffs_worked"] += worked
    began = frozenset(states[0].first for _ in states[:1])
    liked: list[dict[str, tuple[str, ...]]] = [{"fronts": (), "flags": ()} for _ in range(seats)]
    laid = next((state for state in states if state.phase == "play"), None)
    if laid is not None:
        liked = [_set_up(laid, faces, seat) for seat in SEATS]
    return Tally(began, tuple(counts), tuple(liked))


def _fight(counts: list[dict[str, float]], state: State) -> None:
    report = state.report
    if report is None:
        return
    attacker, defender = counts[report.seat], counts[1 - report.seat]
    attacker["attacks"] += 1
    attacker["attacks_won"] += report.result in ("won", "flag")
    attacker["attacks_even"] += report.result == "both"
    for mine, won in ((attacker, report.result in ("won", "flag")), (defender, report.result == "lost")):
        mine["fights"] += report.result != "both"
        mine["fights_won"] += won


def _bluffs(states: Sequence[State], faces: Mapping[Slot, Face]) -> Iterator[tuple[Seat, bool]]:
    """Each bluff: the seat that made it, and whether it worked."""
    for at, (before, after) in enumerate(pairwise(states)):
        report = after.report
        if report is None or report.attacker is not None or report.move not in STEPS:
            continue
        source, target, _ = STEPS[report.move]
        piece = after.at(target)
        if piece is None or piece.slot is None or piece.slot not in faces:
            continue
        mine = faces[piece.slot]
        if mine in IMMOBILE or not _stronger(after, target, report.seat, mine):
            continue
        if _stronger(before, source, report.seat, mine):
            continue  # it stood beside one before, so it may only have gone away
        answer = states[at + 2].report if at + 2 < len(states) else None
        if answer is not None:
            yield report.seat, not (answer.attacker is not None and STEPS[answer.move][1] == target)


def _stronger(state: State, square: Square, seat: Seat, mine: Face) -> bool:
    """Whether an open enemy piece that moves, and beats this one, stands beside the square."""
    for near in NEIGHBOURS[square]:
        there = state.at(near)
        if there is None or there.seat == seat or there.face is None or there.face in IMMOBILE:
            continue
        if FIGHTS[there.face][mine] == "won":
            return True
    return False


def _set_up(state: State, faces: Mapping[Slot, Face], seat: Seat) -> dict[str, tuple[str, ...]]:
    """The foremost piece of each column, and the flag's square, as this side sees its own half."""
    half: list[Face | None] = []
    for square in HOME[seat]:
        piece = state.at(square)
        half.append(faces.get(piece.slot) if piece is not None and piece.slot is not None else None)
    if not any(face is not None for face in half):
        return {"fronts": (), "flags": ()}
    columns = [[face for face in half[column::SIDE] if face is not None] for column in range(SIDE)]
    front = "".join(PIECES[column[-1]].letter if column else _NOBODY for column in columns)
    flags = tuple(SQUARE_NAMES[place] for place, face in enumerate(half) if face == FLAG)
    return {"fronts": (front,), "flags": flags}


_LETTERS: Final = frozenset(piece.letter for piece in PIECES) | {_NOBODY}


def front_shown(letters: str) -> str:
    """The foremost pieces, left to right.  Raises ValueError."""
    if len(letters) != SIDE or not _LETTERS.issuperset(letters):
        raise ValueError("no ten columns")
    return " ".join(letters)


def flag_shown(square: str) -> str:
    """The flag's square, named as red's own half.  Raises ValueError."""
    if square not in SQUARE_NAMES[: HOME_ROWS * SIDE]:
        raise ValueError("no square of a half")
    return square


TALLYING: Final = Tallying(
    1,
    tally,
    (
        Rate(mark("fights won, of those that one piece survived"), "fights_won", "fights"),
        Rate(
            mark("attacks won, of all attacks"),
            "attacks_won",
            "attacks",
            ((mark("both fell"), "attacks_even"),),
        ),
        Rate(mark("bluffs beside a stronger piece that worked"), "bluffs_worked", "bluffs"),
    ),
    (
        Favourite(mark("favourite foremost pieces, left to right"), "fronts", front_shown),
        Favourite(mark("favourite squares of the flag, as red's"), "flags", flag_shown),
    ),
)
