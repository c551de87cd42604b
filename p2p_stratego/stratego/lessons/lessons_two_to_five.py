"""Lessons two to five of Stratego: a bluff, reading an opponent, when to scout, and the hunt for the flag."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import Final

from p2p_stratego.core.game import Face, Move
from p2p_stratego.core.language import _, mark, n_
from p2p_stratego.core.lesson import Lesson, states
from p2p_stratego.core.view import View
from p2p_stratego.stratego.lessons.positions import (
    Position,
    at,
    away,
    beside,
    circle,
    enemies,
    fights,
    has_won,
    toward,
    where,
)
from p2p_stratego.stratego.rules.board import NAMES, NEIGHBOURS, Square, apart, row_of
from p2p_stratego.stratego.rules.notation import STEPS, move
from p2p_stratego.stratego.rules.observation import own_moves
from p2p_stratego.stratego.rules.pieces import (
    BLUE,
    BOMB,
    CAPTAIN,
    COLONEL,
    GENERAL,
    MARSHAL,
    MINER,
    RED,
    SCOUT,
    SERGEANT,
    SPY,
)
from p2p_stratego.stratego.rules.state import Report, State


def _fell(report: Report, seat: int) -> Iterator[Face]:
    """The faces of this seat's pieces that fell in a fight."""
    mine, other = (
        (report.attacker, report.defender) if report.seat == seat else (report.defender, report.attacker)
    )
    lost = report.result == "both" or (report.result == "lost") == (report.seat == seat)
    if mine is not None and other is not None and lost:
        yield mine


def _lost(known: Sequence[State]) -> set[Face]:
    """The faces of the learner's fallen pieces."""
    return {face for report in fights(known) for face in _fell(report, RED)}


# Two: a bluff

_WATCHED, _HOME = at("a2"), at("a1")
"""Where the learner's sergeant passes for a bomb, and its flag stands."""


def _bluffed(view: View[State]) -> Iterator[Move]:
    """The guard runs from what may be a Colonel, and the Colonel leaves alone what may be a bomb."""
    guard, colonel = where(view, SERGEANT), where(view, COLONEL)
    if guard is not None and (near := beside(view, guard)):
        known = [square for square, piece in near if piece.face is not None and piece.face < SERGEANT]
        yield from (move(guard, square) for square in known)
        if len(known) < len(near):
            yield from away(view, guard)
    if colonel is not None:
        yield from (move(colonel, square) for square, piece in beside(view, colonel) if piece.moved)
        stays = view.state.at(_WATCHED)
        if stays is None or stays.seat == BLUE:
            yield from (move(colonel, square) for square, _piece in beside(view, colonel))
            yield from toward(view, colonel, _WATCHED)
        elif row_of(colonel) > row_of(_WATCHED) + 1:
            yield from toward(view, colonel, at("a3"))
    yield from circle(view, "j10", "j9", "i9", "i10")


def _bluff_met(known: Sequence[State]) -> bool | None:
    met = fights(known)
    if not met:
        return None
    return len(met) == 1 and has_won(known) and met[0].attacker == SCOUT


def _bluff_tip(view: View[State]) -> str:
    state, scout = view.state, where(view, SCOUT)
    guard = state.at(at("e9"))
    if scout is not None and state.at(scout) is not None and row_of(scout) > row_of(at("e8")):
        return _("It believed you. The flag stands on e10: take it!")
    if guard is None or guard.seat != BLUE:
        return _("The guard has left e9. Walk in, and take the flag on e10.")
    if any(piece.moved and square % 10 == 0 for square, piece in enemies(view).items()):
        return _(
            "Blue's Colonel comes down the edge to look at a2. Leave it there: what never moves may well be "
            "a bomb. Go on with your Scout, one square at a time."
        )
    if scout != at("e4"):
        return _("On with your Scout, one square at a time, as if it feared nobody.")
    return _(
        "Walk your Scout straight up to the guard on e9, one square at a time: so may a Colonel walk. A run "
        "of several squares shows a Scout.\nType e4e5"
    )


def _bluff_end(known: Sequence[State]) -> str:
    if _bluff_met(known):
        return _("A mere Scout made a Sergeant run, and took the flag. Not one fight: that was a bluff!")
    met = fights(known)
    if met and met[0].defender is not None and met[0].result == "flag" and met[0].seat == BLUE:
        return _("Once a2 was free, the Colonel took your flag. What never moves may be a bomb: leave it.")
    return _(
        "That was a fight. Without one it goes like this: one square at a time with the Scout, and nothing "
        "else moves."
    )


BLUFF: Final[Lesson] = Position(
    army="0-0-1-0-0-0-1-0-1-0-2-1",
    first=RED,
    learners="F a1, B b1 b2, 4 a2, 2 e4, 8 j1",
    tutors=("F e10, B d10 f10, 4 e9, 8 a7, 2 j10",),
    wishes=_bluffed,
    met=_bluff_met,
    goal=lambda: _(
        "Goal: take blue's flag on e10 with your Scout, without a single fight. A Sergeant guards it on e9, "
        "which would beat the Scout. But it does not know who comes.\nType ready"
    ),
    tip=_bluff_tip,
    end=_bluff_end,
    learnt=(
        mark("A weak piece that walks on boldly looks like a strong one."),
        mark("A Scout that runs tells what it is; one that walks does not."),
        mark("What never moves may be a bomb: a piece that stands still guards a flag well."),
    ),
).lesson()


# Three: reading an opponent

_HUNTERS: Final = ("c8", "h8")
"""Where the Marshal and the Colonel begin, either way."""
_SHY: Final = 2
_CURIOUS: Final = 4
"""The Colonel keeps so many steps from the General, and comes no nearer than that unasked."""
_IDLE: Final = 8
"""Every so many moves the Colonel drifts.  Had it as many moves as the Marshal, both would seem to come."""
_LONG: Final = 20
"""After so many moves the coach says which piece to watch."""
_CLEAR: Final = 6
"""After so many steps of one piece toward the General, too."""


def _general(view: View[State]) -> Square | None:
    """Where the learner's General stands, open."""
    return next((square for square, piece in enemies(view).items() if piece.face == GENERAL), None)


def _hunting(view: View[State]) -> Iterator[Move]:
    """A Scout finds the General; then the Marshal hunts it, and the Colonel keeps away from it."""
    if view.state.plies == 0:
        yield move(at("e7"), at("e4"))
    general, marshal, colonel = _general(view), where(view, MARSHAL), where(view, COLONEL)
    if general is not None and marshal is not None and apart(general, marshal) == 1:
        yield move(marshal, general)
    if general is not None and colonel is not None and apart(general, colonel) <= _SHY:
        yield from away(view, colonel)
    drifts = view.state.plies % _IDLE == 0
    if general is not None and colonel is not None and drifts and apart(general, colonel) > _CURIOUS:
        yield from toward(view, colonel, general)
    if general is not None and marshal is not None:
        yield from toward(view, marshal, general)
    if colonel is not None:
        yield from away(view, colonel)


def _pursuit(view: View[State]) -> dict[Square, int]:
    """How often each piece of blue's came nearer to the open General, less its steps away; by its square."""
    steps: dict[Square, int] = {}
    for state in states(view):
        report = state.report
        if report is None or report.seat != BLUE or report.result != "moved":
            continue
        general = next((square for square, piece in state.pieces() if piece.face == GENERAL), None)
        source, target, _between = STEPS[report.move]
        before = steps.pop(source, 0)
        if general is not None:
            steps[target] = before + apart(source, general) - apart(target, general)
    return steps


def _reading_met(known: Sequence[State]) -> bool | None:
    if any((fight.attacker, fight.defender) == (SPY, MARSHAL) for fight in fights(known)):
        return True
    return False if {SPY, GENERAL} & _lost(known) else None


def _reading_tip(view: View[State]) -> str:
    state, general, spy = view.state, where(view, GENERAL), where(view, SPY)
    coming = [square for square, piece in enemies(view).items() if piece.moved and piece.face is None]
    if state.plies <= 1:
        return _(
            "That Scout has found your General (9): it lies open now. Blue's pieces on c8 and h8 are its "
            "Marshal and a Colonel. Which is which? Move your General a step, and watch what they do."
        )
    pursuit = _pursuit(view)
    hunter = max(pursuit, key=pursuit.__getitem__, default=None)
    if hunter is not None and (state.plies >= _LONG or pursuit[hunter] >= _CLEAR):
        if spy is not None and apart(spy, hunter) == 1:
            return _(
                "The piece on {square} keeps coming, and your Spy stands beside it: attack!\nType {move}",
                square=NAMES[hunter],
                move=move(spy, hunter),
            )
        return _(
            "The piece on {square} keeps coming, wherever your General goes. Bring your Spy beside it.",
            square=NAMES[hunter],
        )
    if general is not None and any(apart(square, general) <= _SHY for square in coming):
        return _(
            "One of them is close to your General. A Colonel runs from it; the Marshal comes, and strikes "
            "as soon as it stands beside you. Step back in time, past your Spy."
        )
    return _last_step(view, general, pursuit) or _(
        "Who follows your General, and who keeps away? Once you know, let your Spy attack the Marshal."
    )


def _last_step(view: View[State], general: Square | None, pursuit: Mapping[Square, int]) -> str:
    """What blue's last step showed; "" if it showed nothing."""
    report = view.state.report
    if report is None or report.seat != BLUE or report.result != "moved" or general is None:
        return ""
    source, target, _between = STEPS[report.move]
    nearer = apart(source, general) - apart(target, general)
    if nearer < 0:
        return _(
            "The piece on {square} went away from your General: a Colonel does so.", square=NAMES[target]
        )
    if nearer == 0 or pursuit.get(target, 0) <= 0:
        return ""
    return n_(
        "The piece on {square} came nearer to your General, by {count} step so far. Who keeps coming?",
        "The piece on {square} came nearer to your General, by {count} steps so far. Who keeps coming?",
        pursuit[target],
        square=NAMES[target],
    )


def _reading_end(known: Sequence[State]) -> str:
    if _reading_met(known):
        return _("You read it well: the piece that hunted your General was the Marshal, and your Spy has it.")
    lost = _lost(known)
    if SPY in lost:
        return _("Your Spy met the wrong one. A Colonel keeps away from a General, a Marshal comes.")
    return _("Your General fell. A bait must stay a step ahead: two squares between it and the hunter.")


READING: Final[Lesson] = Position(
    army="1-1-1-0-0-0-0-0-1-1-2-1",
    first=BLUE,
    learners="F a1, B b1 a2, 9 e4, S d2, M j1, 8 i1, 2 h1",
    tutors=tuple(
        f"F j10, B i10 j9, 9 b10, S a10, M {hunter}, 8 {other}, 2 e7"
        for hunter, other in permutations(_HUNTERS)
    ),
    wishes=_hunting,
    met=_reading_met,
    goal=lambda: _(
        "Goal: find out which piece is blue's Marshal, and take it with your Spy. You get no look at it: "
        "watch how it moves. Your General will be the bait.\nType ready"
    ),
    tip=_reading_tip,
    end=_reading_end,
    learnt=(
        mark("Pieces tell what they are by how they move: who hunts an open General is a Marshal."),
        mark("Who keeps away from an open piece is weaker, or a Spy's friend."),
        mark("A piece that is known still has a use: as a bait."),
    ),
).lesson()


# Four: when to scout

_FRONT: Final = ("b7", "e7", "f7", "i7")
_UNKNOWN: Final = "9S3B"


def _waiting(view: View[State]) -> Iterator[Move]:
    """The Spy strikes at what comes near, and a Scout walks about at home."""
    spy = where(view, SPY)
    if spy is not None:
        yield from (move(spy, square) for square, piece in beside(view, spy) if piece.face != SCOUT)
    yield from circle(view, "g9", "g8", "h8", "h9")


def _scouting_met(known: Sequence[State]) -> bool | None:
    if _lost(known) - {SCOUT}:
        return False
    taken = any((fight.attacker, fight.defender) == (MARSHAL, GENERAL) for fight in fights(known))
    if not taken and GENERAL in {face for fight in fights(known) for face in _fell(fight, BLUE)}:
        return False
    return True if taken else None


def _standing(state: State) -> dict[Square, Face | None]:
    """What stands on the four squares: faces where they are open."""
    return {
        square: piece.face
        for square in map(at, _FRONT)
        if (piece := state.at(square)) is not None and piece.seat == BLUE
    }


def _scouting_tip(view: View[State]) -> str:
    standing = _standing(view.state)
    general = next((square for square, face in standing.items() if face == GENERAL), None)
    closed = [square for square, face in standing.items() if face is None]
    if general is None and len(closed) == 1:
        return _(
            "The three others are known: so the General stands on {square}. Lead your Marshal there.",
            square=NAMES[closed[0]],
        )
    if general is not None:
        return _(
            "The General stands open on {square}. Lead your Marshal there, and keep it away from what is "
            "still closed.",
            square=NAMES[general],
        )
    may = own_moves(view)  # none of these where another piece has come between
    first = next((ask for ask in ("b4b7", "f4f7", "i4i7") if ask in may and STEPS[ask][1] in closed), "")
    return (
        _(
            "A Scout is the cheapest question. Ask before your Marshal walks, as a bomb or the Spy would end "
            "it.\nType {move}",
            move=first,
        )
        if first
        else _("Ask with what is worth little, before your Marshal goes near a closed piece.")
    )


def _scouting_end(known: Sequence[State]) -> str:
    if _scouting_met(known):
        return _("The Marshal took the General, and only Scouts fell on the way. That is what they are for.")
    if MARSHAL in _lost(known):
        return _("Your Marshal fell. Its life is worth three Scouts: send them first.")
    return _("That cost more than a Scout. Let only Scouts find out what is closed.")


SCOUTING: Final[Lesson] = Position(
    army="1-1-0-0-0-0-0-1-3-1-2-1",
    first=RED,
    learners="F j1, B i1 j2, M e4, 9 c2, 3 g2, S d2, 2 b4 f4 i4",
    tutors=tuple(
        f"F a10, B b10, M c10, 2 g9 d10 j10, {', '.join(map(' '.join, zip(order, _FRONT, strict=True)))}"
        for order in permutations(_UNKNOWN)
    ),
    wishes=_waiting,
    met=_scouting_met,
    goal=lambda: _(
        "Goal: take blue's General (9) with your Marshal, and lose nothing but Scouts. On b7, e7, f7 and i7 "
        "stand a General, a Spy, a Miner and a bomb, and chance has mixed them.\nType ready"
    ),
    tip=_scouting_tip,
    end=_scouting_end,
    learnt=(
        mark("Scout before a strong piece walks: a Scout is the cheapest question."),
        mark("Count what is left: three known pieces tell the fourth."),
        mark("A Marshal stays away from closed pieces, since one of them is the Spy."),
    ),
).lesson()


# Five: the hunt for the flag

_CORNERS: Final = ("a10", "j10")
_ALARM: Final = 6
"""The guard runs when an enemy is so near to the flag."""


def _guarding(view: View[State]) -> Iterator[Move]:
    """The Sergeant runs to the flag when something comes near it, and tells by that where it is."""
    guard = where(view, SERGEANT)
    flag = next(square for square in map(at, _CORNERS) if _own(view, square) not in (CAPTAIN, None))
    captain = where(view, CAPTAIN)
    if captain is not None:
        yield from (move(captain, square) for square, _piece in beside(view, captain))
    if guard is not None:
        near = beside(view, guard)
        strong = [square for square, piece in near if piece.face is not None and piece.face > SERGEANT]
        yield from (move(guard, square) for square, _piece in near if square not in strong)
        if strong:
            yield from away(view, guard)
        others = enemies(view).items()
        moving = [square for square, piece in others if piece.moved or piece.face is not None]
        post = at("c9") if flag == at("a10") else at("h9")
        if any(apart(square, flag) <= _ALARM for square in moving):
            if guard != post:
                yield from toward(view, guard, post)
        elif guard != at("e8"):
            yield from toward(view, guard, at("e8"))
    yield from circle(view, "e10", "f10", "f9", "e9")


def _own(view: View[State], square: Square) -> Face | None:
    """The face of the seat's own piece on a square."""
    piece = view.state.at(square)
    if piece is None or piece.seat != view.seat:
        return None
    return piece.face if piece.slot is None else view.known.get(piece.slot)


def _hunt_met(known: Sequence[State]) -> bool | None:
    if has_won(known):
        return True
    return False if MINER in _lost(known) or known[-1].ended is not None else None


def _hunt_tip(view: View[State]) -> str:
    state, miner = view.state, where(view, MINER)
    opened = [fight for fight in fights(states(view)) if (fight.attacker, fight.defender) == (MINER, BOMB)]
    if opened and miner is not None:
        corner = next((square for square in map(at, _CORNERS) if square in NEIGHBOURS[miner]), None)
        if corner is not None and state.at(corner) is not None:
            return _("The ring is open. Take what stands on {square}!", square=NAMES[corner])
    if any(face == SERGEANT for fight in fights(states(view)) for face in _fell(fight, BLUE)):
        return _("The guard is gone. It ran to the side of the flag: bring your Miner to the bombs there.")
    guard = next((s for s, p in enemies(view).items() if p.moved and s not in map(at, _ROUND)), None)
    if guard is not None and guard != at("e8"):
        return _(
            "Blue's guard has left the middle: it stands on {square} now. A guard runs to what it guards. "
            "Your Captain beats it, and your Miner clears a bomb.",
            square=NAMES[guard],
        )
    return _(
        "Which corner is it? Lead your Captain up one side, and watch blue's guard on e8. Keep your only "
        "Miner back until you know."
    )


_ROUND: Final = ("e10", "f10", "f9", "e9")
"""Where blue's Scout walks."""


def _hunt_end(known: Sequence[State]) -> str:
    if _hunt_met(known):
        return _("The flag is yours. One Miner was enough, since you knew where to dig.")
    return _("Your only Miner fell. First find out which corner the guard defends, then dig there.")


HUNT: Final[Lesson] = Position(
    army="0-0-0-0-1-0-1-1-1-0-4-1",
    first=RED,
    learners="F e1, B d1 f1 e2 h2, 6 a4, 3 e4, 4 f3, 2 j4",
    tutors=tuple(
        f"{face} a10, {other} j10, B a9 b10 j9 i10, 4 e8, 3 g10, 2 e10" for face, other in permutations("F6")
    ),
    wishes=_guarding,
    met=_hunt_met,
    goal=lambda: _(
        "Goal: find the flag behind its bombs, with your only Miner. Bombs stand around a10 and around j10: "
        "one ring hides the flag, the other a Captain that would take your Miner.\nType ready"
    ),
    tip=_hunt_tip,
    end=_hunt_end,
    learnt=(
        mark("Keep a Miner for the end: no other piece opens a ring of bombs."),
        mark("Threaten both sides, and watch: a guard runs to what it guards."),
        mark("Clear the way with a strong piece first, then let the Miner follow."),
    ),
).lesson()
