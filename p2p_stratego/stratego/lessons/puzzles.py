"""Puzzles of Stratego: one move is clearly the best, whatever the closed pieces are.

A position is written by squares: `a1F` is a piece that never moved, `a1F'` a closed one that has, `a1F*` an
open one; of the other side closed pieces are `?` and `?'`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from p2p_stratego.core.game import Choose, Face, Seat, Slot
from p2p_stratego.core.language import _, n_, number
from p2p_stratego.core.puzzle import Position, Solution
from p2p_stratego.core.view import View
from p2p_stratego.stratego.bots.piece_values import FLAG_WORTH
from p2p_stratego.stratego.formats.narration import piece
from p2p_stratego.stratego.lessons.counting import MOST, Count
from p2p_stratego.stratego.rules.armies import army
from p2p_stratego.stratego.rules.board import NAMES, SQUARE_NAMED
from p2p_stratego.stratego.rules.cells import FACE, MOVED, OPEN, OWNER, SLOT, UNMOVED, bare, opened
from p2p_stratego.stratego.rules.game import Moves
from p2p_stratego.stratego.rules.notation import STEPS
from p2p_stratego.stratego.rules.options import QUIET
from p2p_stratego.stratego.rules.pieces import FLAG, PIECES, SEATS
from p2p_stratego.stratego.rules.state import State, slot, start

MOVE: Final = "move"
"""The one task."""
CLEAR: Final = 3.0
"""So much more than the next one does the best move bring, in pieces that beat nothing."""
LEAST_WINS: Final = 0.5
"""The share of the ways in which an attack wins at least."""
FEWEST_MOVES: Final = 4
_MOST_CLOSED: Final = 10
_LETTERS: Final = "".join(piece.letter for piece in PIECES)
_PLACED: Final = re.compile(r"([a-j]\d+)([FS2-9MB?])(['*]?)")


def read(position: Position) -> View[State]:
    """The view of the side to move."""
    seat: Seat = position["seat"]
    board, known = bytearray(bare()), dict[Slot, Face]()
    left = [list(army(position["army"]).counts) for _seat in SEATS]
    unmoved = [0, 0]
    for owner, pieces in zip((seat, 1 - seat), (position["own"], position["enemy"]), strict=True):
        for k, (square, letter, how) in enumerate(_PLACED.findall(pieces)):
            if how == "*":
                face = _LETTERS.index(letter)
                cell = opened(owner, face)
                left[owner][face] -= 1
            else:
                cell = (MOVED if how else UNMOVED) + slot(owner, k)
                unmoved[owner] += not how
                if owner == seat:
                    known[slot(owner, k)] = _LETTERS.index(letter)
            board[SQUARE_NAMED[square]] = cell
    lost = tuple(bytes(map(_LETTERS.index, position["lost"][owner])) for owner in SEATS)
    for owner in SEATS:
        for face in lost[owner]:
            left[owner][face] -= 1
    state = start(army(position["army"]), 0, int(QUIET.usual))._replace(
        phase="play",
        seat=seat,
        plies=position["plies"],
        board=bytes(board),
        left=(bytes(left[0]), bytes(left[1])),
        unmoved=(unmoved[0], unmoved[1]),
        lost=(lost[0], lost[1]),
    )
    return View(seat, state, known, Choose(seat, Moves(state)))


def write(view: View[State]) -> Position:
    """The position as texts; earlier moves are left out."""
    state, sides = view.state, (list[str](), list[str]())
    for square, cell in enumerate(state.board):
        if OWNER[cell] not in SEATS:
            continue
        enemy = OWNER[cell] != view.seat
        how = "*" if cell >= OPEN else "'" * (cell >= MOVED)
        face = FACE[cell] if cell >= OPEN else view.known[SLOT[cell]] if not enemy else None
        sides[enemy].append(f"{NAMES[square]}{'?' if face is None else _LETTERS[face]}{how}")
    return {
        "army": state.army.text,
        "seat": view.seat,
        "plies": state.plies,
        "own": " ".join(sides[0]),
        "enemy": " ".join(sides[1]),
        "lost": ["".join(_LETTERS[face] for face in state.lost[seat]) for seat in SEATS],
    }


def themes(view: View[State]) -> Sequence[str]:
    """The one task, of a position in play with few enough ways to count."""
    state = view.state
    if state.phase != "play" or not isinstance(view.decision, Choose) or state.stuck:
        return ()
    closed = sum(OWNER[cell] == 1 - view.seat and cell < OPEN for cell in state.board)
    if closed > _MOST_CLOSED:
        return ()
    count = Count(view)
    return (MOVE,) if len(count.moves) >= FEWEST_MOVES and 0 < len(count.ways) <= MOST else ()


def solve(view: View[State], theme: str) -> Solution:
    """Every move weighed over every way.  Raises ValueError for another theme."""
    if theme != MOVE:
        raise ValueError(f"{theme!a} is no task of this game")
    count = Count(view)
    worths = count.worths()
    best, second = sorted(worths, key=worths.__getitem__, reverse=True)[:2]
    facts = _facts(count, best)
    # A move that wins the game ends the argument only if the next one wins nothing of the kind, and nobody is
    # convinced by an attack that is more likely to fail.
    clear = worths[best] - worths[second] >= CLEAR and worths[second] < FLAG_WORTH / 2
    clear = clear and facts.get("wins", 1.0) >= LEAST_WINS
    clear = clear and worths[best] > -FLAG_WORTH / 8  # no lesson lies in the best way to lose a flag
    return Solution(theme, best, second, worths, len(count.ways), clear, _kind(facts), facts)


def _kind(facts: Mapping[str, Any]) -> str:
    if "wins" in facts:
        return "gamble" if facts["face"] is None else "capture"
    return "threat" if facts["threats"] else "rescue"


def _facts(count: Count, move: str) -> Mapping[str, Any]:
    source, target, _between = STEPS[move]
    at = count.public.at
    facts: dict[str, Any] = {"mine": at[source] - 1, "target": target, "danger": count.in_danger()}
    if at[target]:
        possible = count.public.possible(at[target])
        face = min(possible) if len(possible) == 1 else None
        flags = sum(way[at[target] % 40] == FLAG for way in count.ways) if face is None else 0
        return {**facts, "wins": count.wins(move), "face": face, "flags": flags}
    after = count.after_quiet(move)
    before = {square for _gain, square in count.threats(count.public)}
    threats = [
        (min(after.possible(after.at[square])), square)
        for gain, square in count.threats(after)
        if gain >= 1 and square not in before
    ]
    return {**facts, "threats": threats[:2]}


def task(view: View[State], theme: str, names: Sequence[str]) -> str:
    """What is asked."""
    del view, theme, names
    return _("Your move. One is clearly better than all others: which?")


def hint(view: View[State], solution: Solution) -> str:
    """The kind of move, and nothing about its squares."""
    del view
    if "wins" in solution.facts:
        return _("It is an attack.")
    if solution.facts["threats"]:
        return _("It attacks nothing yet. Look for a threat that cannot be met.")
    return _("It attacks nothing. Look for what the enemy would take next.")


def why(view: View[State], solution: Solution, names: Sequence[str]) -> Iterator[str]:
    """The point of the move, then the count."""
    facts, count = solution.facts, solution.ways
    fields = {"piece": piece(facts["mine"]), "square": NAMES[facts["target"]], "enemy": names[1 - view.seat]}
    if "wins" in facts and facts["face"] is not None:
        yield _("Your {piece} takes {enemy}'s {other} on {square}.", other=piece(facts["face"]), **fields)
    elif "wins" in facts and facts["flags"]:
        yield _(
            "Your {piece} takes the flag on {square} in {flags} of {count} ways.",
            flags=facts["flags"],
            count=count,
            **fields,
        )
    elif "wins" in facts:
        wins = round(facts["wins"] * count)
        yield _("Your {piece} wins on {square} in {wins} of {count} ways.", wins=wins, count=count, **fields)
    elif len(facts["threats"]) > 1:
        (face, at), (other, there) = facts["threats"]
        yield _(
            "It threatens the {piece} on {at} and the {other} on {there} at once: one of them is lost.",
            piece=piece(face),
            at=NAMES[at],
            other=piece(other),
            there=NAMES[there],
        )
    elif facts["threats"]:
        ((face, at),) = facts["threats"]
        yield _(
            "It threatens the {piece} on {at}, which has no good answer.", piece=piece(face), at=NAMES[at]
        )
    elif facts["danger"] is not None:
        yield _("Your {danger} was in danger.", danger=piece(facts["danger"]))
    if count > 1 and solution.kind != "gamble":
        yield n_(
            "The closed pieces can lie in {count} way.", "The closed pieces can lie in {count} ways.", count
        )
    best, less = solution.worths[solution.move], solution.worths[solution.second]
    if best >= FLAG_WORTH:
        yield _("It wins the game, whatever the answer.")
    if less <= -FLAG_WORTH / 2:
        yield _("Any other move can cost your flag.")
    if best >= FLAG_WORTH or less <= -FLAG_WORTH / 2:
        return
    yield _(
        "Against the strongest reply it brings {best} points on average; the next best, {second}, {less}.",
        best=number(best, 1),
        second=solution.second,
        less=number(less, 1),
    )
