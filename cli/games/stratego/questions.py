"""The questions of Stratego while it is played, their answers, and the warnings.

A cheat that nobody can see is possible: a bomb may walk, and the player is warned of the penalty.  A move
that everybody sees to be impossible is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from cli.games.interface import (
    UNSETTLED,
    Ambiguous,
    Choice,
    Decided,
    NotPossible,
    Players,
    Question,
    Unknown,
    ViewContext,
)
from cli.games.stratego.names import FACE_OF, SQUARE, square, squares_in
from p2p_stratego.core.game import Ask, Choose, Claim, Commit, Face, Move, Open, Together
from p2p_stratego.core.language import _, mark, n_
from p2p_stratego.core.narration import capital, either
from p2p_stratego.core.view import View
from p2p_stratego.stratego.bots.beliefs import even_chances
from p2p_stratego.stratego.formats.narration import WHY_ILLEGAL, piece
from p2p_stratego.stratego.rules.board import SIDE, SQUARE_NAMED, Square
from p2p_stratego.stratego.rules.cells import EMPTY
from p2p_stratego.stratego.rules.movement import illegal
from p2p_stratego.stratego.rules.notation import NONE, STEPS, MoveError, NotAMove, parse, squares
from p2p_stratego.stratego.rules.observation import own_moves, reach
from p2p_stratego.stratego.rules.pieces import FIGHTS, IMMOBILE, RED, SCOUT
from p2p_stratego.stratego.rules.state import State

HOW: Final = mark("two squares, such as {move}")


def is_asked(view: View[State]) -> bool:
    """Whether the seat is asked for a move."""
    return isinstance(view.decision, Choose) and view.state.phase == "play"


def question(view: View[State], players: Players) -> Question | None:
    """The question to the seat, and how to answer it."""
    if not is_asked(view):
        return None
    state, moves = view.state, own_moves(view)
    if moves == [NONE]:
        return Question(_("None of your pieces can move. That ends the game: say so."), NONE)
    how = _(HOW, move=moves[0])
    if state.stuck:
        return Question(
            _("{name} cannot move. Any move of yours wins the game.", name=players.names[1 - view.seat]), how
        )
    left = state.quiet - state.calm
    calm = (
        " "
        + n_(
            "It is a draw in {count} move without an attack.",
            "It is a draw in {count} moves without an attack.",
            left,
        )
        if state.quiet and left <= _SOON
        else ""
    )
    return Question(_("Your move.{calm}", calm=calm), how)


_SOON: Final = 30
"""The draw for want of attacks is announced at most this many moves before."""


def waiting(view: View[State], players: Players, ask: Ask) -> str:
    """The decision of the others, while the seat has none."""
    if isinstance(ask, Open):
        return _("A piece is being turned up.")
    if isinstance(ask, Together | Commit):
        other = players.names[1 - view.seat]
        if view.state.phase == "squares":  # the board says then that the army is laid
            return _("{name} is putting the army on the board.", name=other)
        return _("{name} is still setting up.", name=other)
    if isinstance(ask, Claim):
        return _("A claim is being put on record.")
    return _("{name} is to move.", name=players.names[1 - view.seat])


def read(view: View[State], typed: str) -> Move:
    """The move that `typed` means.  Raises Misunderstood."""
    decision = view.decision
    named = squares_in(typed)
    if not isinstance(decision, Choose):
        if named or typed.strip().lower() == NONE:
            raise NotPossible(_("You have nothing to decide at the moment."))
        raise Unknown(_("Nothing is asked of you now. Type ? for help, or / and a message."))
    moves = own_moves(view)
    try:
        return parse(typed, moves if len(named) == 1 else decision.options)
    except NotAMove as error:
        raise Unknown(
            _(
                "“{typed}” is no move. Type two squares, such as {move}.",
                typed=typed.strip()[:40],
                move=moves[0],
            )
        ) from error
    except MoveError as error:
        if not named:
            raise NotPossible(
                _("You cannot say that: everybody can see that a piece of yours can move.")
            ) from error
        if len(named) == 2:
            raise NotPossible(_why_not(view, "".join(named))) from error
        if _stands_own(view, named[0]):
            raise NotPossible(_where_to(view, named[0], moves)) from error
        kind = Ambiguous if error.several else NotPossible
        raise kind(f"{named[0]} {error.why}.") from error


def _stands_own(view: View[State], name: str) -> bool:
    standing = view.state.at(SQUARE_NAMED[name])
    return standing is not None and standing.seat == view.seat


def _where_to(view: View[State], name: str, moves: Sequence[Move]) -> str:
    """The answer to a piece without a target."""
    fitting = [move for move in moves if move != NONE and square(STEPS[move][0]) == name]
    face = face_at(view, SQUARE_NAMED[name])
    called = _("piece") if face is None else piece(face)
    if not fitting:
        return _("Your {piece} on {square} cannot move now.", piece=called, square=name)
    fitting.sort(key=lambda move: _rank(view, move, notes=False))
    shown = [choice.shown for choice in _offered(view, fitting)]
    named, left = either(shown[:_NAMED]), len(shown) - _NAMED
    if left <= 0:
        return _("Where does your {piece} go? Type {moves}.", piece=called, moves=named)
    return n_(
        "Where does your {piece} go? Type {moves}; {count} more is possible.",
        "Where does your {piece} go? Type {moves}; {count} more are possible.",
        left,
        piece=called,
        moves=named,
    )


_NAMED: Final = 4
"""Moves that a sentence names."""


def _why_not(view: View[State], move: Move) -> str:
    """Why a move between two squares is not possible, as its player knows."""
    ends = squares(move)
    if ends is None:
        return _("{move} is not possible now.", move=move)
    if ends[0] == ends[1]:
        return _("{move} is not possible: a move needs two different squares.", move=move)
    rule = illegal(view.state, move, reach(view))
    if rule is None:
        return _("{move} is not possible now.", move=move)
    why = (
        _("you have no piece on {square}", square=square(ends[0]))
        if rule == "not-yours"
        else _(WHY_ILLEGAL[rule])
    )
    return _("{move} is not possible: {why}.", move=move, why=why)


def face_at(view: View[State], at: int) -> Face | None:
    """The face of the piece on a square, as far as this seat can read it."""
    standing = view.state.at(at)
    if standing is None:
        return None
    return standing.face if standing.slot is None else view.known.get(standing.slot)


def choices(context: ViewContext) -> tuple[Choice, ...]:
    """The legal moves that begin with the typed text, the most promising first."""
    view: View[State] = context.view
    if not is_asked(view):
        return ()
    typed = "".join(letter for letter in context.typed.lower() if letter.isalnum())
    moves = [move for move in own_moves(view) if move.startswith(typed)]
    return _offered(view, sorted(moves, key=lambda move: _rank(view, move, notes=context.notes)))


def _rank(view: View[State], move: Move, *, notes: bool) -> tuple[int, float, int]:
    """Where a move stands among those offered, the smallest first.

    First the attacks that gain more than they lose, then steps forward, then other steps, then the attacks
    that lose; of steps the short ones first, and of those the ones nearest the enemy.
    Without notes only what everybody has seen counts.
    """
    if move == NONE:
        return (0, 0.0, 0)
    source, target, _ = STEPS[move]
    if view.state.board[target] != EMPTY:
        gain = _gain(view, source, target, notes=notes)
        return (0 if gain >= 0 else 3, -gain, 0)
    columns, rows = abs(target % SIDE - source % SIDE), target // SIDE - source // SIDE
    forward = rows if view.seat == RED else -rows
    row = target // SIDE
    return (1 if forward > 0 else 2, columns + abs(rows), -row if view.seat == RED else row)


def _gain(view: View[State], source: Square, target: Square, *, notes: bool) -> float:
    """The expected value of an attack: 1 a piece taken, -1 the attacker lost, 9 the flag."""
    attacker, standing = face_at(view, source), view.state.at(target)
    if attacker is None or standing is None:
        return 0.0
    seen = face_at(view, target)
    if seen is not None:
        return _WORTH[FIGHTS[attacker][seen]]
    if not notes:
        return 0.0
    shares = even_chances(view.state, standing.seat)[standing.moved]
    return sum(share * _WORTH[FIGHTS[attacker][face]] for face, share in enumerate(shares))


_WORTH: Final = {"won": 1.0, "both": 0.0, "lost": -1.0, "flag": 9.0}


def _offered(view: View[State], moves: Sequence[Move]) -> tuple[Choice, ...]:
    """Moves as they are shown, attacks with a cross."""
    board = view.state.board
    return tuple(
        Choice(move, f"{square(STEPS[move][0])}×{square(STEPS[move][1])}")
        if move != NONE and board[STEPS[move][1]] != EMPTY
        else Choice(move, move)
        for move in moves
    )


def reveals(view: View[State] | None, text: str) -> bool:
    """Whether a message is mostly squares and pieces, or rows of a set-up by their letters."""
    del view
    line = text.lower()
    if _ROWS.search(line):
        return True
    named, words = squares_in(line), re.findall(r"[^\W_]+", re.sub(SQUARE, " ", line))
    pieces = sum(word in FACE_OF for word in words)
    if not named and pieces < _FEW:
        return False
    return 2 * (len(named) + pieces) > len(named) + len(words)


_ROWS: Final = re.compile(r"\b[a-m]{10,}\b")
"""As files have them: ten squares a row, A to M by what stands there."""
_FEW: Final = 3
"""Pieces without a square that could be small talk."""


def warnings(view: View[State], decided: Decided, *, settled: bool = True) -> list[str]:
    """The penalties for a player caught at this: a sentence each."""
    return [] if isinstance(decided, tuple) else list(_warned(view, decided, settled=settled))


def _warned(view: View[State], move: Move, *, settled: bool) -> Iterator[str]:
    if move == NONE:
        could = own_moves(view)
        if could != [NONE]:
            yield (
                _("You can move: {could}, and more.", could=", ".join(could[:4]))
                if len(could) > 4
                else _("You can move: {could}.", could=", ".join(could[:4]))
            )
            yield _claimed(_("saying so"), settled=settled)
        return
    source, target, between = STEPS[move]
    face = face_at(view, source)
    if face is None:
        return
    if face in IMMOBILE:
        yield _("The {piece} on {square} may never move.", piece=piece(face), square=square(source))
    elif between and face != SCOUT:
        yield _(
            "Only a scout goes so far, and on {square} stands your {piece}.",
            square=square(source),
            piece=piece(face),
        )
    else:
        rule = illegal(view.state, move, reach(view))
        if rule is None:
            return
        yield f"{capital(_(WHY_ILLEGAL[rule]))}."
    attacks = view.state.board[target] != EMPTY
    yield _(_AT_ONCE) if between or attacks else _claimed(_("moving it"), settled=settled)


def _claimed(act: str, *, settled: bool) -> str:
    """The penalty for a false claim; `act`: how it is made."""
    return _(_CLAIM, act=act) if settled else _(UNSETTLED)


_AT_ONCE: Final = mark(
    "The piece is turned up in this very move, and you lose the game: the record proves the cheat."
)
_CLAIM: Final = mark(
    "Nobody can see that now. But by {act} you claim it, and when play is over everything that was claimed "
    "is opened: then you lose the game, however it stands, and the record proves the cheat."
)


def spoken(view: View[State], decided: Decided) -> str:
    """A decision as the object of a sentence."""
    if isinstance(decided, tuple):
        return _("set up like this")
    if decided == NONE:
        return _("say that you cannot move")
    if decided not in STEPS:
        return _("fill these squares")
    source, target, _unused = STEPS[decided]
    face = face_at(view, source)
    called = _("piece") if face is None else piece(face)
    return _(
        "move the {piece} from {square} to {square2}",
        piece=called,
        square=square(source),
        square2=square(target),
    )
