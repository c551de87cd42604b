"""Lessons of Stratego from a position: set-ups, the tutor's moves and the goal are given, the way is not.

The tutor is blue.  It sees its own view alone, and may choose among set-ups by chance; the coach does not
know which one it is.  Once the goal is met, or can be met no more, the lesson is over: the tutor gives up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from p2p_stratego.core.game import Commit, Face, Move, Seat
from p2p_stratego.core.lesson import LEARNER, Lesson, states
from p2p_stratego.core.sampling import any_of
from p2p_stratego.core.view import Bot, Chance, View
from p2p_stratego.stratego.formats.diagram import PLACES, Setup
from p2p_stratego.stratego.formats.setups import answers, write
from p2p_stratego.stratego.lessons.lesson import came, distances
from p2p_stratego.stratego.rules.board import NEIGHBOURS, PLACE, SQUARE_NAMED, Square, apart
from p2p_stratego.stratego.rules.cells import EMPTY, PlacedPiece
from p2p_stratego.stratego.rules.notation import STEPS, move
from p2p_stratego.stratego.rules.observation import own_moves
from p2p_stratego.stratego.rules.pieces import BLUE, PIECES, RED
from p2p_stratego.stratego.rules.state import Report, State

Wishes: TypeAlias = Callable[[View[State]], Iterator[Move]]
"""The tutor's moves at its turn, the dearest first; not all need to be legal."""

_LETTERS: Final = {piece.letter: face for face, piece in enumerate(PIECES)}
at: Final = SQUARE_NAMED.__getitem__


@dataclass(frozen=True, slots=True)
class Position:
    """One lesson."""

    army: str
    """Its counts, as in the option `army`."""
    first: Seat
    learners: str
    """Pieces and squares: "F a1, B b1 b2"."""
    tutors: Sequence[str]
    """The tutor's, on the same squares in each; chance takes one."""
    wishes: Wishes
    met: Callable[[Sequence[State]], bool | None]
    """Whether the goal is met; None while that is open.  Takes all states, oldest first."""
    goal: Callable[[], str]
    """The goal, while the pieces are laid."""
    tip: Callable[[View[State]], str]
    """What there is to think of at the learner's turn; takes a view with its past."""
    end: Callable[[Sequence[State]], str]
    """A sentence on how the goal was met or missed."""
    learnt: Sequence[str]

    def lesson(self) -> Lesson:
        """The position as a lesson."""
        setups = [laid(text, BLUE) for text in self.tutors]
        return Lesson(
            options={"army": self.army, "first": ("red", "blue")[self.first]},
            tutor=lambda chance: _Tutor(setups, self.wishes, chance),
            coach=self._coach,
            learnt=self.learnt,
            over=self._over,
            quick=lambda view: view.state.report is None or view.state.report.attacker is None,
            setup=write(laid(self.learners, RED)),
            met=lambda view: self._result(view) is True,
        )

    def _result(self, view: View[State]) -> bool | None:
        known = states(view)
        result = self.met(known)
        return False if result is None and known[-1].ended is not None else result

    def _over(self, view: View[State]) -> bool:
        return view.state.phase == "play" and self._result(view) is not None

    def _coach(self, view: View[State]) -> str:
        if isinstance(view.decision, Commit) or view.state.phase in ("army", "squares"):
            return self.goal()
        if self._result(view) is not None:
            return self.end(states(view))
        sentences = [*came(view.state)]
        if view.decision is not None:
            sentences.append(self.tip(view))
        return "\n".join(sentences)


def laid(text: str, seat: Seat) -> Setup:
    """The set-up in a text of pieces and squares."""
    setup: list[Face | None] = [None] * PLACES
    for group in text.split(", "):
        letter, *squares = group.split()
        for square in squares:
            setup[PLACE[seat][at(square)]] = _LETTERS[letter]
    return tuple(setup)


class _Tutor(Bot[State]):
    """Plays a position's script, and otherwise anything quiet."""

    def __init__(self, setups: Sequence[Setup], wishes: Wishes, chance: Chance) -> None:
        self._setups, self._wishes, self._chance = setups, wishes, chance

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        if isinstance(view.asked, Commit):
            return answers(any_of(self._setups, self._chance))[0]
        if view.state.phase == "squares":
            return answers(self._setups[0])[1]  # all stand on the same squares
        moves = own_moves(view)
        wanted = next((move for move in self._wishes(view) if move in moves), None)
        if wanted is not None:
            return wanted
        quiet = [move for move in moves if move in STEPS and view.state.board[STEPS[move][1]] == EMPTY]
        return (quiet or moves)[-1]


# What scripts and goals are made of


def where(view: View[State], face: Face) -> Square | None:
    """Where the seat's own piece of this face stands; None if it has none left."""
    for square, piece in view.state.pieces():
        known = piece.face if piece.slot is None else view.known.get(piece.slot)
        if (piece.seat, known) == (view.seat, face):
            return square
    return None


def enemies(view: View[State]) -> dict[Square, PlacedPiece]:
    """The other side's pieces, by square."""
    return {square: piece for square, piece in view.state.pieces() if piece.seat != view.seat}


def beside(view: View[State], square: Square) -> list[tuple[Square, PlacedPiece]]:
    """The other side's pieces next to a square."""
    others = enemies(view)
    return [(near, others[near]) for near in NEIGHBOURS[square] if near in others]


def toward(view: View[State], source: Square, target: Square) -> Iterator[Move]:
    """Steps from `source` that come nearer to `target` over free squares."""
    steps = distances(view, target, through=False)
    near = sorted((steps[n], n) for n in NEIGHBOURS[source] if n in steps)
    yield from (move(source, n) for _far, n in near)


def away(view: View[State], source: Square) -> Iterator[Move]:
    """Steps from `source` to free squares, the farthest from all enemies that move first."""
    others = [square for square, piece in enemies(view).items() if piece.moved or piece.face is not None]
    free = [n for n in NEIGHBOURS[source] if view.state.board[n] == EMPTY]
    near = {n: min((apart(n, other) for other in others), default=0) for n in free}
    yield from (move(source, n) for n in sorted(free, key=near.__getitem__, reverse=True))


def circle(view: View[State], *squares: str) -> Iterator[Move]:
    """The next step of a walk in a circle, which no rule against repetition forbids."""
    for start, end in zip(squares, (*squares[1:], squares[0]), strict=True):
        piece = view.state.at(at(start))
        if piece is not None and piece.seat == view.seat:
            yield move(at(start), at(end))


def fights(known: Sequence[State]) -> list[Report]:
    """The attacks of a match, in order."""
    reports = [state.report for state in known if state.report is not None]
    return [report for report in reports if report.attacker is not None]


def has_won(known: Sequence[State]) -> bool:
    """Whether the learner has won by the rules."""
    ended = known[-1].ended
    return ended is not None and LEARNER in ended.winners
