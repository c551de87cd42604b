"""The coach in ordinary games of Stratego: one sentence on what matters now, and why a move is good.

It reads one seat's view and nothing else, and decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from p2p_stratego.core.game import Commit, Face, Move
from p2p_stratego.core.language import _, n_
from p2p_stratego.core.sampling import percent
from p2p_stratego.core.view import View
from p2p_stratego.stratego.bots.beliefs import Chances, chances
from p2p_stratego.stratego.bots.evaluation import Weigher
from p2p_stratego.stratego.bots.piece_values import worth
from p2p_stratego.stratego.bots.position import HAS_MOVED, Picture, Stand, fares
from p2p_stratego.stratego.bots.potential_fields import FADING
from p2p_stratego.stratego.bots.threats import Replies
from p2p_stratego.stratego.formats.narration import piece
from p2p_stratego.stratego.rules.board import NAMES, NEIGHBOURS, SIDE, Square
from p2p_stratego.stratego.rules.cells import MOVED, OPEN, OWNER
from p2p_stratego.stratego.rules.notation import NONE, STEPS
from p2p_stratego.stratego.rules.observation import could_be, own_moves
from p2p_stratego.stratego.rules.pieces import BOMB, FIGHTS, FLAG, MINER, MOBILE
from p2p_stratego.stratego.rules.state import State

_FEW: Final = 20
"""So many moves before a draw the coach begins to say so."""
_SAFE: Final = 0.7
"""An attack that goes well so often is worth a word."""


class _Fight(NamedTuple):
    """A possible attack: the attacker, the place, how likely it wins, and its worth."""

    source: Square
    target: Square
    mine: Face
    wins: float
    gain: float


def advise(view: View[State]) -> str:
    """One sentence for the seat of `view`; "" while the seat has no decision to make."""
    state = view.state
    if view.decision is None or state.ended is not None:
        return ""
    if isinstance(view.decision, Commit) or state.phase != "play":
        return _(
            "Type ready, or change it first: flag at the back, bombs beside it, scouts in front, the spy "
            "near your highest pieces."
        )
    foes = chances(state, 1 - view.seat)
    fight = max(_fights(view, foes), key=lambda candidate: candidate.gain, default=None)
    danger = max(_dangers(view), default=None)
    if fight is not None and (danger is None or fight.gain >= danger[0]):
        return _attack(state, fight, foes[fight.target])
    if danger is not None:
        _worth, own, foe = danger
        return _(
            "Your {mine} on {square} can be taken by the {theirs} on {place}.",
            mine=piece(_face(view, own)),
            square=NAMES[own],
            theirs=piece(_face(view, foe)),
            place=NAMES[foe],
        )
    left = state.quiet - state.calm
    if state.quiet and left <= _FEW:
        return n_(
            "{count} move without an attack is left, then it is a draw.",
            "{count} moves without an attack are left, then it is a draw.",
            left,
        )
    return _unmoved(view)


def _face(view: View[State], square: Square) -> Face:
    """The face of a piece that the seat knows: its own, or an open one."""
    return min(could_be(view, square))


def _fights(view: View[State], foes: dict[Square, Chances]) -> Iterator[_Fight]:
    """The attacks that probably go well."""
    own, theirs = worth(view.state, view.seat), worth(view.state, 1 - view.seat)
    for move in own_moves(view):
        if move == NONE:
            continue
        source, target, _between = STEPS[move]
        if target not in foes:
            continue
        mine, wins, gain = _face(view, source), 0.0, 0.0
        for face, share in enumerate(foes[target]):
            result = FIGHTS[mine][face]
            wins += share * (result in ("won", "flag"))
            gain += share * (theirs[face] * (result != "lost") - own[mine] * (result in ("lost", "both")))
        if wins >= _SAFE and gain > 0:
            yield _Fight(source, target, mine, wins, gain)


def _dangers(view: View[State]) -> Iterator[tuple[float, Square, Square]]:
    """Each own piece that an open enemy beside it beats: its worth, its square, and the enemy's square."""
    own = worth(view.state, view.seat)
    board = view.state.board
    for square, cell in enumerate(board):
        if cell < OPEN or OWNER[cell] != 1 - view.seat:
            continue
        foe = _face(view, square)
        for beside in NEIGHBOURS[square]:
            if OWNER[board[beside]] == view.seat and foe in MOBILE:
                mine = _face(view, beside)
                if FIGHTS[foe][mine] in ("won", "flag"):
                    yield own[mine], beside, square


def _attack(state: State, fight: _Fight, likely: Chances) -> str:
    """Why this attack is good."""
    fields = {"mine": piece(fight.mine), "square": NAMES[fight.source], "place": NAMES[fight.target]}
    cell = state.board[fight.target]
    if cell >= OPEN:
        theirs = max(range(len(likely)), key=likely.__getitem__)
        return _("Your {mine} on {square} beats the {theirs} on {place}.", theirs=piece(theirs), **fields)
    fields["share"] = percent(fight.wins)
    if cell >= MOVED:
        return _(
            "Your {mine} on {square} beats what stands on {place} at {share}: it moved, so it is no bomb.",
            **fields,
        )
    return _(
        "Your {mine} on {square} beats what stands on {place} at {share}, by the pieces that are left.",
        **fields,
    )


def _unmoved(view: View[State]) -> str:
    """Where the enemy's flag can still be."""
    state, enemy = view.state, 1 - view.seat
    bombs, still = state.left[enemy][BOMB], state.unmoved[enemy]
    miners = [at for at, piece in state.pieces() if piece.seat == view.seat and _face(view, at) == MINER]
    if not bombs and state.left[enemy][FLAG]:
        return n_(
            "No bomb is left to fear: the flag is the {count} closed enemy piece that never moved.",
            "No bomb is left to fear: the flag is one of {count} closed enemy pieces that never moved.",
            still,
        )
    if not miners:
        return n_(
            "You have no miner left: the {count} enemy bomb that is closed stops every attack on it.",
            "You have no miner left: the {count} enemy bombs that are closed stop every attack on them.",
            bombs,
        )
    return n_(
        "The enemy's flag and {count} bomb are among {still} closed pieces that never moved; only a miner "
        "takes a bomb.",
        "The enemy's flag and {count} bombs are among {still} closed pieces that never moved; only a miner "
        "takes a bomb.",
        bombs,
        still=still,
    )


_SAFER: Final = 0.5
"""So much less to lose, in the worth of pieces, is worth a word."""
_UNLIKELY: Final = 0.5
"""An attack that wins less often needs another reason."""


def why(view: View[State], move: Move) -> str:
    """A sentence about a step to an empty square, or an attack that probably fails; "" for other answers."""
    if view.state.phase != "play" or move not in STEPS:
        return ""
    source, target, _between = STEPS[move]
    picture = Picture(view, {})
    mine, seen, _gone = picture.stand
    face = mine[source]
    if target in picture.foes:
        odds = fares(face, picture.foes[target])
        unlikely = odds["won"] + odds["flag"] < _UNLIKELY
        return (
            _("It may fail, but what it can win or show you weighs more than your piece.") if unlikely else ""
        )
    left = {square: own for square, own in mine.items() if square != source}
    moved = Stand({**left, target: face}, {**seen, target: max(HAS_MOVED, seen[source])})
    replies = Replies(picture)
    if replies.cost(picture.stand) - replies.cost(moved) > _SAFER:
        return _("So your pieces have less to fear from the enemy's next move.")
    weigher = Weigher(picture)

    def drawn(foe: Square) -> float:
        """How strongly an enemy draws the piece closer by this move; 0 for one that it moves away from."""
        apart = _apart(target, foe)
        return weigher.pull(face, foe) * FADING**apart * (apart < _apart(source, foe))

    goal = max(picture.foes, key=drawn, default=None)
    if goal is None or drawn(goal) <= 0:
        return ""
    odds = fares(face, picture.foes[goal])
    return _(
        "Your {mine} goes for the piece on {square}, which it beats at {share}.",
        mine=piece(face),
        square=NAMES[goal],
        share=percent(min(odds["won"] + odds["flag"], 1.0)),
    )


def _apart(one: Square, other: Square) -> int:
    """Steps between two squares on an empty board."""
    return abs(one // SIDE - other // SIDE) + abs(one % SIDE - other % SIDE)
