"""The lesson of Stratego: a small battle, with both set-ups, the tutor's moves, and the coach's sentences.

The moves are worked out from public information and the learner's own pieces.  The tutor is blue.  Its set-up
is always the same, so the coach knows what stands where without looking.  A learner may leave the script at
any time: every text starts from the state as it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from p2p_stratego.core.game import Commit, Face, Move
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.lesson import Lesson
from p2p_stratego.core.view import Chance, View
from p2p_stratego.stratego.formats.narration import piece
from p2p_stratego.stratego.formats.setups import answers, read
from p2p_stratego.stratego.rules.armies import ARMIES
from p2p_stratego.stratego.rules.board import NEIGHBOURS, RAYS, SQUARE_NAMED, Square
from p2p_stratego.stratego.rules.cells import EMPTY, OWNER
from p2p_stratego.stratego.rules.notation import NONE, STEPS, move
from p2p_stratego.stratego.rules.observation import own_moves
from p2p_stratego.stratego.rules.pieces import BLUE, BOMB, IMMOBILE, MARSHAL, MINER, MOBILE, RED, SCOUT, SPY
from p2p_stratego.stratego.rules.state import Report, State

ARMY: Final = "barrage"
PROPOSED: Final = """
    4  . B . . 2 . . . 3 M
    3  . . . . S . . . . .
    2  . . . . . 9 . . . .
    1  F 2 . . . . . . . .
"""
"""The set-up that the learner begins from."""
TUTORS: Final = read(
    """
    4  9 . . . . M . . 2 .
    3  . . . . . . . . . .
    2  B . . . . . . S 3 .
    1  F 2 . . . . . . . .
    """,
    ARMIES[ARMY],
)[0]
"""The tutor's, as blue sees it: flag on j10, bomb on j9, general on j7, marshal on e7, scout on b7."""

_at = SQUARE_NAMED.__getitem__
GUARD, LOOKOUT, MINED, GOAL = _at("e7"), _at("j7"), _at("j9"), _at("j10")
"""Where the tutor's marshal, general, bomb and flag stand."""
_RAID: Final = move(_at("b7"), _at("b4"))
_MARCH: Final = tuple(map(_at, ("e7", "e6", "e5", "e4")))
_AMBUSH: Final = _at("e3")
"""Where the learner's spy waits for it."""
_STROLL: Final = {
    _at(start): _at(end) for start, end in (("b9", "a9"), ("a9", "a8"), ("a8", "b8"), ("b8", "b9"))
}
"""A walk in a circle; no rule against repetition forbids it."""
_PATIENCE: Final = 12
"""Moves without an attack after which the tutor's marshal attacks what stands beside it."""

Goal: TypeAlias = Literal["strike", "scout", "marshal", "miner", "flag", "other"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A move that the coach proposes, and its goal."""

    goal: Goal
    move: Move


# The tutor


def tutors_move(view: View[State]) -> Move:
    """The tutor's next move."""
    moves = own_moves(view)
    wanted = next((move for move in _wanted(view) if move in moves), None)
    if wanted is not None:
        return wanted
    quiet = [move for move in moves if move in STEPS and view.state.board[STEPS[move][1]] == EMPTY]
    still = [move for move in quiet if STEPS[move][0] not in (GUARD, LOOKOUT)]
    return (still or quiet or moves)[0]


def _wanted(view: View[State]) -> Iterator[Move]:
    """The moves of the script, the most important first; not all need to be legal."""
    state = view.state
    if state.plies == 1:
        yield _RAID
    marshal = _open(state, BLUE, MARSHAL)
    if marshal is not None:
        beside = [square for square in NEIGHBOURS[marshal] if OWNER[state.board[square]] == RED]
        if beside and state.calm >= _PATIENCE:
            yield from (move(marshal, square) for square in beside)
        if not beside and marshal in _MARCH[:-1]:
            yield move(marshal, _MARCH[_MARCH.index(marshal) + 1])
    for source, target in _STROLL.items():
        if OWNER[state.board[source]] == BLUE:
            yield move(source, target)


def _open(state: State, seat: int, face: Face) -> Square | None:
    """Where an open piece of this face stands, if one does."""
    return next((at for at, piece in state.pieces() if (piece.seat, piece.face) == (seat, face)), None)


def comes(view: View[State]) -> bool:
    """Whether the tutor's open marshal is on its way to stand before the learner's spy."""
    state, marshal = view.state, _open(view.state, BLUE, MARSHAL)
    return (
        marshal is not None
        and marshal in _MARCH[:-1]
        and own_pieces(view).get(_AMBUSH) == SPY
        and all(OWNER[state.board[square]] != RED for square in NEIGHBOURS[marshal])
    )


# The learner


def proposal(view: View[State]) -> Proposal:
    """The next move towards the flag, by way of everything that there is to learn."""
    moves = own_moves(view)
    for goal, proposed in _goals(view):
        if proposed in moves:
            return Proposal(goal, proposed)
    return Proposal("other", moves[0])


def _goals(view: View[State]) -> Iterator[tuple[Goal, Move]]:
    """The moves that the coach would like, the most important first; not all need to be legal."""
    state = view.state
    own = own_pieces(view)
    enemies = {at for at, piece in state.pieces() if piece.seat == BLUE}
    for source, face in own.items():  # the flag is within reach
        if face in MOBILE and GOAL in NEIGHBOURS[source] and GOAL in enemies:
            yield "flag", move(source, GOAL)
    marshal = _open(state, BLUE, MARSHAL)
    if marshal is not None:
        yield from (("strike", move(at, marshal)) for at in NEIGHBOURS[marshal] if own.get(at) == SPY)
    guard = state.at(GUARD)
    if guard is not None and guard.seat == BLUE and guard.face is None:
        yield from (("scout", step) for step in _ways(view, own, (SCOUT,), GUARD))
    if LOOKOUT in enemies:
        yield from (("marshal", step) for step in _ways(view, own, (MARSHAL,), LOOKOUT))
    if MINED in enemies:
        yield from (("miner", step) for step in _ways(view, own, (MINER,), MINED))
    strong = (
        [face for face in MOBILE if face not in (SPY, MINER)] if MINED in enemies else list(MOBILE - {SPY})
    )
    yield from (("flag", step) for step in _ways(view, own, strong, GOAL))
    yield from (("flag", step) for step in _ways(view, own, strong, GOAL, through=True))


def own_pieces(view: View[State]) -> dict[Square, Face]:
    """The learner's pieces by square."""
    pieces = {}
    for at, standing in view.state.pieces():
        face = standing.face if standing.slot is None else view.known.get(standing.slot)
        if standing.seat == view.seat and face is not None:
            pieces[at] = face
    return pieces


def _ways(
    view: View[State],
    own: dict[Square, Face],
    faces: Collection[Face],
    target: Square,
    *,
    through: bool = False,
) -> Iterator[Move]:
    """First moves of the shortest ways of such pieces to attack `target`, the nearest piece first.

    `through`: other enemies on the way may be attacked, too.
    """
    steps = distances(view, target, through=through)
    pieces = [at for at, face in own.items() if face in faces and face not in IMMOBILE]
    near = [(min((steps[n] for n in NEIGHBOURS[at] if n in steps), default=None), at) for at in pieces]
    for far, at in sorted((far, at) for far, at in near if far is not None):
        if own[at] == SCOUT:
            yield from _runs(at, target)
        yield from (move(at, n) for n in NEIGHBOURS[at] if steps.get(n) == far)


def _runs(source: Square, target: Square) -> Iterator[Move]:
    """The scout's run straight to `target`, if both lie on a line."""
    if any(target in ray for ray in RAYS[source]):
        yield move(source, target)


def distances(view: View[State], target: Square, *, through: bool) -> dict[Square, int]:
    """Steps to `target` from each square that can be stood on, `target` itself being 0."""
    board = view.state.board
    distances, ring = {target: 0}, [target]
    while ring:
        beyond = []
        for square in ring:
            for beside in NEIGHBOURS[square]:
                free = board[beside] == EMPTY or (through and OWNER[board[beside]] == BLUE)
                if free and beside not in distances:
                    distances[beside] = distances[square] + 1
                    beyond.append(beside)
        ring = beyond
    return distances


_WHY: Final[Mapping[Goal, str]] = {
    "scout": mark(
        "A scout runs any number of free squares in a line, and is worth little: let it find out what stands "
        "on e7.\nType {move}"
    ),
    "strike": mark(
        "The Marshal stands beside your spy! The spy beats it, but only if it attacks first.\nType {move}"
    ),
    "marshal": mark(
        "Your Marshal (10) beats every piece that moves but their Marshal, with which it would fall: lead it "
        "up the edge against what stands on j7.\nType {move}"
    ),
    "miner": mark(
        "Blue's flag hides in the corner behind a bomb on j9. Only a miner takes a bomb: bring it "
        "there.\nType {move}"
    ),
    "flag": mark("The flag stands on j10: whoever takes it wins.\nType {move}"),
    "other": mark("Move on as you like, such as {move}"),
}
_MARSHAL_ALONE: Final = mark(
    "Their Marshal is gone, so nothing that moves withstands yours (10): lead it up the edge against what "
    "stands on j7.\nType {move}"
)
"""In the place of the "marshal" sentence, once the spy has taken theirs."""


def coach(view: View[State]) -> str:
    """The coach's text for the learner, who is red."""
    state = view.state
    if state.ended is not None:
        won = RED in state.ended.winners
        return (
            _("You have the flag, and the battle!")
            if won
            else _("The battle is over, and the flag still stands.")
        )
    if isinstance(view.decision, Commit) or state.phase != "play":
        return _(
            "Goal: take blue's flag. Nobody sees the other's ranks until two pieces meet: then the higher "
            "rank wins. Your eight pieces stand ready, flag and bomb never move.\nType ready"
        )
    sentences = [*came(state), *_asked(view)]
    return "\n".join(sentences)


def strayed(view: View[State], since: Sequence[State]) -> str:
    """A sentence if the learner, who was asked at `view`, left the proposed move; else ""."""
    if view.decision is None or isinstance(view.decision, Commit) or view.state.phase != "play":
        return ""
    plan, made = proposal(view), view.state.plies + 1
    report = next((state.report for state in since if state.plies == made), None)
    if report is None or report.move == plan.move or plan.goal == "other" or since[-1].ended is not None:
        return ""
    if plan.goal == "strike":
        stays = _can_strike(view, since[-1])
        return "" if stays else _("Your spy could have taken the Marshal just now: that chance has passed.")
    if len(since[-1].lost[RED]) > len(view.state.lost[RED]):  # nothing is all right about a fallen piece
        return _("Another way than mine: we go on from here.")
    return _("Another way than mine: all right, we go on from here.")


def _can_strike(view: View[State], state: State) -> bool:
    """Whether in `state`, a little after `view`, the learner's spy stands beside the tutor's open marshal."""
    marshal = _open(state, BLUE, MARSHAL)
    beside = [] if marshal is None else [state.at(square) for square in NEIGHBOURS[marshal]]
    own = [standing for standing in beside if standing is not None and standing.seat == view.seat]
    return any(
        (standing.face if standing.slot is None else view.known.get(standing.slot)) == SPY for standing in own
    )


def _asked(view: View[State]) -> Iterator[str]:
    """The next thing to do."""
    if view.decision is None:
        return
    plan = proposal(view)
    if plan.goal != "strike" and comes(view):
        yield _("Blue's Marshal comes: keep your spy where it stands.")
    if plan.move == NONE:
        yield _("You cannot move: type none.")
        return
    alone = plan.goal == "marshal" and MARSHAL in view.state.lost[BLUE]
    yield _(_MARSHAL_ALONE if alone else _WHY[plan.goal], move=plan.move)


def came(state: State) -> Iterator[str]:
    """The result of the last move, with its reason, if pieces met."""
    report = state.report
    if report is None or report.attacker is None or report.defender is None:
        return
    mine, theirs = report.attacker, report.defender
    names = {"attacker": piece(mine), "defender": piece(theirs)}
    yield from (_we(report, names) if report.seat == RED else _they(report, names))


def _we(report: Report, names: Mapping[str, str]) -> Iterator[str]:
    """The learner attacked."""
    if report.result == "both":
        yield _("Equal ranks: both fall.")
    elif (report.attacker, report.defender) == (SPY, MARSHAL):
        yield _("The spy beats the Marshal, the highest of all, since it attacked.")
    elif (report.attacker, report.defender) == (MINER, BOMB):
        yield _("The miner clears the bomb; any other piece would have fallen.")
    elif report.result == "won":
        yield _("Your {attacker} beats the {defender}: the higher rank wins.", **names)
    elif report.attacker == SCOUT:
        yield _("Your scout falls, but now you know the {defender}: it stays face up.", **names)
    elif report.defender == BOMB:
        yield _("A bomb! Your {attacker} falls; only a miner takes bombs.", **names)
    else:
        yield _("Your {attacker} falls: the {defender} is higher.", **names)


def _they(report: Report, names: Mapping[str, str]) -> Iterator[str]:
    """The tutor attacked."""
    if report.defender == BOMB and report.result == "lost":
        yield _("Blue's {attacker} ran into your bomb and fell: bombs never move, and guard well.", **names)
    elif report.result == "both":
        yield _("Equal ranks: both fall.")
    elif report.defender == SPY:
        yield _("Your spy was attacked and fell: it only wins when it attacks the Marshal first.")
    elif report.result == "won":
        yield _("Blue's {attacker} beats your {defender}: the higher rank wins.", **names)
    else:
        yield _("Blue's {attacker} falls to your {defender}, which is higher.", **names)


class Tutor:
    """The opponent, who plays the script; implements `view.Bot[State]`."""

    def __init__(self, _chance: Chance) -> None:
        """The script leaves nothing to chance."""

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        """The script's set-up and moves."""
        faces, squares = answers(TUTORS)
        if isinstance(view.asked, Commit):
            return faces
        return squares if view.state.phase == "squares" else tutors_move(view)


LESSON: Final = Lesson(
    options={"army": ARMY, "first": "red"},
    tutor=Tutor,
    coach=coach,
    strayed=strayed,
    quick=lambda view: view.state.report is None or view.state.report.attacker is None,
    setup=PROPOSED,
    met=lambda view: view.state.ended is not None and RED in view.state.ended.winners,
    learnt=(
        mark("Scouts run and find out; the higher rank wins, and equal ranks fall together."),
        mark("The spy beats the Marshal, but only by attacking it."),
        mark("Bombs and flags never move; only a miner takes a bomb."),
        mark("You win by taking the flag, or by leaving the other side no piece that can move."),
    ),
)
