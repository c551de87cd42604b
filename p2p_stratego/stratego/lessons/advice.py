"""The coach in ordinary games of Stratego: what matters now, in a sentence each, with its reason.

It reads one seat's view and nothing else, and decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

from p2p_stratego.core.game import Commit, Face, Move
from p2p_stratego.core.language import _, n_
from p2p_stratego.core.lesson import Remark
from p2p_stratego.core.sampling import percent
from p2p_stratego.core.view import View
from p2p_stratego.stratego.bots.analysis import observed, win_odds
from p2p_stratego.stratego.bots.beliefs import Chances, chances
from p2p_stratego.stratego.bots.evaluation import Weigher
from p2p_stratego.stratego.bots.piece_values import FLAG_WORTH, worth
from p2p_stratego.stratego.bots.position import HAS_MOVED, Picture, Stand
from p2p_stratego.stratego.bots.potential_fields import FADING
from p2p_stratego.stratego.bots.threats import Replies
from p2p_stratego.stratego.formats.narration import piece
from p2p_stratego.stratego.rules.board import NAMES, NEIGHBOURS, Square, apart
from p2p_stratego.stratego.rules.cells import EMPTY, FACE, MOVED, OPEN, OWNER, SLOT
from p2p_stratego.stratego.rules.notation import NONE, STEPS
from p2p_stratego.stratego.rules.observation import could_be, own_moves
from p2p_stratego.stratego.rules.pieces import BOMB, FACES, FIGHTS, FLAG, MINER, MOBILE
from p2p_stratego.stratego.rules.state import State

_LEFT: Final = frozenset((5, 10, 20, 40))
"""So many moves before a draw the coach says so."""
_NEAR: Final = 4
"""An enemy so few steps from the flag is worth a word."""
_NEWS: Final = 0.5
"""The weight of what a move showed, in the worth of pieces: less than any that can be taken now."""
_ROUND: Final = 2
"""Moves since our last decision: ours and the other side's."""
_SAFE: Final = 0.7
"""An attack that goes well so often is worth a word."""


Weighed: TypeAlias = tuple[float, str]
"""A sentence, and how much it matters, in the worth of pieces."""


class _Fight(NamedTuple):
    """A possible attack: the attacker, the place, how likely it wins, and its worth."""

    source: Square
    target: Square
    mine: Face
    wins: float
    gain: float


def advise(view: View[State]) -> Iterator[Remark]:
    """The remarks for the seat of `view`, the weightiest first; none while it has no decision to make."""
    state = view.state
    if view.decision is None or state.ended is not None:
        return
    if isinstance(view.decision, Commit) or state.phase != "play":
        yield Remark(
            _(
                "Type ready, or change it first: flag at the back, bombs beside it, scouts in front, the spy "
                "near your highest pieces."
            ),
            rule="army",
        )
        return
    foes = chances(state, 1 - view.seat)
    weighed = [*_attacks(view, foes), *_dangers(view), *_at_the_flag(view), *_shown(view, foes)]
    weighed.sort(key=itemgetter(0), reverse=True)
    yield from (Remark(text) for _weight, text in weighed)
    left = state.quiet - state.calm
    if state.quiet and left in _LEFT:
        yield Remark(
            n_(
                "{count} move without an attack is left, then it is a draw.",
                "{count} moves without an attack are left, then it is a draw.",
                left,
            )
        )
    yield from _unmoved(view)


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


def _attacks(view: View[State], foes: dict[Square, Chances]) -> Iterator[Weighed]:
    """Each attack that probably goes well."""
    for fight in _fights(view, foes):
        yield fight.gain, _attack(view.state, fight, foes[fight.target])


def _dangers(view: View[State]) -> Iterator[Weighed]:
    """Each own piece that an open enemy beside it beats."""
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
                    yield (
                        own[mine],
                        _(
                            "Your {mine} on {square} can be taken by the {theirs} on {place}.",
                            mine=piece(mine),
                            square=NAMES[beside],
                            theirs=piece(foe),
                            place=NAMES[square],
                        ),
                    )


def _at_the_flag(view: View[State]) -> Iterator[Weighed]:
    """The enemy nearest to our flag, if it can walk there in a few steps."""
    board = view.state.board
    flag = next(
        (at for at, cell in enumerate(board) if OWNER[cell] == view.seat and _face(view, at) == FLAG), None
    )
    if flag is None:
        return
    edge, reached, steps = [flag], {flag}, 0
    while edge and steps < _NEAR:
        steps += 1
        edge = [near for at in edge for near in NEIGHBOURS[at] if near not in reached]
        reached.update(edge)
        for at in edge:
            cell = board[at]
            if OWNER[cell] != 1 - view.seat or cell < MOVED or (cell >= OPEN and FACE[cell] not in MOBILE):
                continue
            fields = {"place": NAMES[at], "flag": NAMES[flag]}
            text = (
                n_(
                    "An unknown piece on {place} stands {count} step from your flag on {flag}.",
                    "An unknown piece on {place} stands {count} steps from your flag on {flag}.",
                    steps,
                    **fields,
                )
                if cell < OPEN
                else n_(
                    "The {theirs} on {place} stands {count} step from your flag on {flag}.",
                    "The {theirs} on {place} stands {count} steps from your flag on {flag}.",
                    steps,
                    theirs=piece(FACE[cell]),
                    **fields,
                )
            )
            yield FLAG_WORTH / 4**steps, text
            return
        edge = [at for at in edge if board[at] == EMPTY]


def _shown(view: View[State], foes: dict[Square, Chances]) -> Iterator[Weighed]:
    """The enemies on the board of which the last moves, ours and the other side's, showed something."""
    state = view.state
    if len(view.past) < _ROUND or view.past[-_ROUND].phase != "play":
        return
    before: State = view.past[-_ROUND]
    were = {SLOT[cell]: cell for cell in before.board if EMPTY < cell < OPEN}
    for at, likely in foes.items():
        cell = state.board[at]
        if cell >= OPEN:
            if state.left[1 - view.seat] != before.left[1 - view.seat] and before.board[at] != cell:
                yield from _beaten_by(view, at)
        elif cell >= MOVED > were.get(SLOT[cell], MOVED):
            face = max(FACES, key=likely.__getitem__)
            yield (
                _NEWS,
                _(
                    "What moved to {place} is neither bomb nor flag; a {theirs} is likeliest, at {share}.",
                    place=NAMES[at],
                    theirs=piece(face),
                    share=percent(likely[face]),
                ),
            )


def _beaten_by(view: View[State], at: Square) -> Iterator[Weighed]:
    """Our piece next to an enemy that has just been opened, of those that beat it."""
    foe = FACE[view.state.board[at]]
    hunters = [
        (apart(square, at), mine, square)
        for square, cell in enumerate(view.state.board)
        if OWNER[cell] == view.seat
        if (mine := _face(view, square)) in MOBILE and FIGHTS[mine][foe] == "won"
    ]
    fields = {"theirs": piece(foe), "place": NAMES[at]}
    if not hunters:
        yield _NEWS, _("Keep away from the {theirs} on {place}: no piece of yours beats it.", **fields)
        return
    _far, mine, square = min(hunters)
    yield (
        _NEWS + worth(view.state, 1 - view.seat)[foe] / 10,
        _(
            "You know the {theirs} on {place} now: your {mine} on {square} is the nearest that beats it.",
            mine=piece(mine),
            square=NAMES[square],
            **fields,
        ),
    )


def _attack(state: State, fight: _Fight, likely: Chances) -> str:
    """Why this attack is good."""
    fields = {"mine": piece(fight.mine), "square": NAMES[fight.source], "place": NAMES[fight.target]}
    cell = state.board[fight.target]
    if likely[FLAG] >= _SURE:
        return _("Your {mine} on {square} takes the flag on {place}, and you win.", **fields)
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


def _unmoved(view: View[State]) -> Iterator[Remark]:
    """Where the enemy's flag can still be."""
    state, enemy = view.state, 1 - view.seat
    bombs, still = state.left[enemy][BOMB], state.unmoved[enemy]
    miners = [at for at, piece in state.pieces() if piece.seat == view.seat and _face(view, at) == MINER]
    if not bombs and state.left[enemy][FLAG]:
        yield Remark(
            n_(
                "No bomb is left to fear: the flag is the {count} closed enemy piece that never moved.",
                "No bomb is left to fear: the flag is one of {count} closed enemy pieces that never moved.",
                still,
            ),
            rule="no bombs",
        )
    elif not miners:
        yield Remark(
            n_(
                "You have no miner left: the {count} enemy bomb that is closed stops every attack on it.",
                "You have no miner left: the {count} enemy bombs that are closed stop every attack on them.",
                bombs,
            ),
            rule="no miners",
        )
    else:
        yield Remark(
            n_(
                "The enemy's flag and {count} bomb are among {still} closed pieces that never moved; only a "
                "miner takes a bomb.",
                "The enemy's flag and {count} bombs are among {still} closed pieces that never moved; only a "
                "miner takes a bomb.",
                bombs,
                still=still,
            ),
            rule="flag",
        )


# Why a move is good


_SAFER: Final = 0.5
"""So much less to lose, in the worth of pieces, is worth a word."""
_SURE: Final = 0.999
"""Of what follows from the pieces that are left; sums of floats need not come to 1."""
_UNLIKELY: Final = 0.5
"""An attack that wins less often needs another reason."""


def why(view: View[State], move: Move) -> str:
    """A sentence about a step to an empty square, or an attack that probably fails; "" for other answers."""
    if view.state.phase != "play" or move not in STEPS:
        return ""
    source, target, _between = STEPS[move]
    conduct = observed(view)
    conduct.watch(view.state)
    picture = Picture(view, conduct.leanings)
    mine, seen, _gone = picture.stand
    face = mine[source]
    if target in picture.foes:
        if picture.foes[target][FLAG] >= _SURE:
            return _("That is the flag: your {mine} takes it, and you win.", mine=piece(face))
        unlikely = win_odds(face, picture.foes[target]) < _UNLIKELY
        return (
            _("It may fail, but what you can win or learn is worth more than your piece.") if unlikely else ""
        )
    left = {square: own for square, own in mine.items() if square != source}
    moved = Stand({**left, target: face}, {**seen, target: max(HAS_MOVED, seen[source])})
    replies = Replies(picture)
    if replies.cost(picture.stand) - replies.cost(moved) > _SAFER:
        return _("So your pieces have less to fear from the enemy's next move.")
    weigher = Weigher(picture)

    def drawn(foe: Square) -> float:
        """How strongly an enemy draws the piece closer by this move; 0 for one that it moves away from."""
        steps = apart(target, foe)
        return weigher.pull(face, foe) * FADING**steps * (steps < apart(source, foe))

    goal = max(picture.foes, key=drawn, default=None)
    if goal is None or drawn(goal) <= 0:
        return ""
    if picture.foes[goal][FLAG] >= _SURE:
        return _(
            "Your {mine} goes for the flag, which stands on {square}.", mine=piece(face), square=NAMES[goal]
        )
    return _(
        "Your {mine} goes for the piece on {square}. If that stays there, the attack succeeds at {share}.",
        mine=piece(face),
        square=NAMES[goal],
        share=percent(win_odds(face, picture.foes[goal])),
    )
