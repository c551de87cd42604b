"""What a move of a puzzle brings, worked out a second time: every way laid out, and played by the rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from p2p_stratego.core.game import Face, Move, Seat, Slot
from p2p_stratego.core.view import View
from p2p_stratego.stratego.bots.piece_values import FLAG_WORTH, Worth, worth
from p2p_stratego.stratego.lessons.counting import Count
from p2p_stratego.stratego.rules.board import NEIGHBOURS
from p2p_stratego.stratego.rules.cells import EMPTY, FACE, OPEN, OWNER, SLOT
from p2p_stratego.stratego.rules.movement import legal, own_reach
from p2p_stratego.stratego.rules.notation import STEPS
from p2p_stratego.stratego.rules.pieces import FIGHTS, MOBILE
from p2p_stratego.stratego.rules.state import State
from p2p_stratego.stratego.rules.transitions import moved, revealed


class Way(NamedTuple):
    """One way in which all pieces lie, and what they are worth."""

    seat: Seat
    mine: Worth
    theirs: Worth
    known: Mapping[Slot, Face]
    """Our own faces."""
    faces: Mapping[Slot, Face]
    """All faces."""

    def played(self, state: State, move: Move) -> State:
        """After a move, with its openings."""
        source, target, between = STEPS[move]
        attack = state.board[target] != EMPTY
        for square, opens in ((source, attack or between), (target, attack)):
            if opens and state.board[square] < OPEN:
                state = revealed(state, square, self.faces[SLOT[state.board[square]]])
        return moved(state, move)

    def gained(self, after: State) -> float:
        """What the last move brought us."""
        report = after.report
        assert report is not None
        if report.attacker is None or report.defender is None:
            return 0.0
        ours = report.seat == self.seat
        if report.result == "flag":
            return FLAG_WORTH if ours else -FLAG_WORTH
        own, other = (report.attacker, report.defender) if ours else (report.defender, report.attacker)
        attacker_falls, defender_falls = report.result != "won", report.result != "lost"
        own_falls, other_falls = (
            (attacker_falls, defender_falls) if ours else (defender_falls, attacker_falls)
        )
        return self.theirs[other] * other_falls - self.mine[own] * own_falls

    def after_reply(self, state: State, reply: Move) -> float:
        """What the enemy's reply and our next capture bring."""
        then = self.played(state, reply)
        gain = self.gained(then)
        if then.ended is not None:
            return gain
        moves = legal(then, own_reach(self.seat, self.known))
        captures = (self.captured(then, move) for move in moves if then.board[STEPS[move][1]] != EMPTY)
        return gain + max(0.0, *captures, 0.0)

    def captured(self, state: State, move: Move) -> float:
        """What a capture brings if everybody can tell the piece; 0 if not."""
        source, target, _between = STEPS[move]
        cell, enemy = state.board[source], state.at(target)
        assert enemy is not None
        if len(state.could_be(enemy)) > 1:
            return 0.0
        (face,) = state.could_be(enemy)
        own = FACE[cell] if cell >= OPEN else self.known[SLOT[cell]]
        result = FIGHTS[own][face]
        if result == "flag":
            return FLAG_WORTH
        if result == "lost":
            return -self.mine[own]
        beside = [
            state.at(s) for s in NEIGHBOURS[target] if s != source and OWNER[state.board[s]] == 1 - self.seat
        ]
        faces = {
            possible for piece in beside if piece is not None for possible in state.could_be(piece) & MOBILE
        }
        retaken = any(FIGHTS[enemy][own] in ("won", "both") for enemy in faces)
        return self.theirs[face] - self.mine[own] * (result == "both" or retaken)


def brings(view: View[State], move: Move) -> float:
    """As `Count.brings`, by the game's own rules."""
    count, seat, total = Count(view), view.seat, 0.0
    for laid in count.ways:
        slots = (SLOT[view.state.board[square]] for square in count.closed)
        faces = {**view.known, **dict(zip(slots, laid, strict=True))}
        way = Way(seat, worth(view.state, seat), worth(view.state, 1 - seat), view.known, faces)
        after = way.played(view.state, move)
        total += way.gained(after)
        if after.ended is None:
            replies = legal(after, own_reach(1 - seat, faces))
            total += min((way.after_reply(after, reply) for reply in replies), default=FLAG_WORTH)
    return total / len(count.ways)
