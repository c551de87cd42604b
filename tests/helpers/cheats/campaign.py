"""A game of Stratego by script against one that cheats in it: real ends, set-ups and moves as a test wants.

All squares are written from the cheat's view, who moves first, from rows 1 to 4.  If the cheat has the other
seat, the board is turned round.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

from p2p_stratego.core.game import Breach, Choose, Commit, Decision, Face, Move, Seat
from p2p_stratego.registry import GAMES
from p2p_stratego.stratego.formats.setups import answers
from p2p_stratego.stratego.rules.board import PLACE, SQUARE_NAMED, SQUARES
from p2p_stratego.stratego.rules.notation import move, squares
from p2p_stratego.stratego.rules.pieces import FACE_NAMED, SEAT_NAMES
from protocol.audit import proof
from protocol.audit.proof import Fault
from protocol.audit.verdict import Verdict
from protocol.errors import Violation
from protocol.record.asks.base import Decided
from protocol.record.asks.choose import Choice
from protocol.record.asks.registry import CODEC
from protocol.seat.session import Session
from protocol.wire.encoding import Frame
from protocol.wire.messages import Message
from tests.helpers.cheats.bout import Bout

ARMY: Final = "1-0-0-0-0-0-0-1-1-1-1-1"
"""Marshal, miner, scout, spy, bomb, flag."""
CHEAT: Final = "a4 marshal, b4 miner, e4 scout, f4 spy, d4 bomb, j1 flag"
HONEST: Final = "a7 miner, b7 scout, e7 spy, i7 marshal, h10 bomb, j10 flag"


@dataclass(frozen=True)
class Plan:
    """The set-ups of both, "a4 marshal, b4 miner", and the moves of both in turn, the cheat's first."""

    moves: str = ""
    cheat: str = CHEAT
    honest: str = HONEST
    army: str = ARMY


def turned(choice: Move, seat: Seat) -> Move:
    """A move of the cheat's board on the real one, if the cheat has this seat."""
    ends = squares(choice)
    if ends is None or seat == 0:
        return choice
    return move(*(SQUARES[-1] - end for end in ends))


class Campaign(Bout):
    """A match that follows a plan; `liar`: the cheat's seat."""

    def __init__(self, plan: Plan, liar: Seat) -> None:
        self._said = [turned(move, liar) for move in plan.moves.split()]
        written = (plan.honest, plan.cheat) if liar else (plan.cheat, plan.honest)
        self._laid = [answers(_setup(text, seat, liar)) for seat, text in enumerate(written)]
        options = {"army": plan.army, "first": SEAT_NAMES[liar]}
        super().__init__(1, game=GAMES["stratego"], options=options, liar=liar, decide=self._decides)

    def _decides(self, session: Session, decision: Decision, _: random.Random) -> Decided:
        faces, filled = self._laid[session.seat]
        if isinstance(decision, Commit):
            return faces
        return filled if session.view.state.phase == "squares" else self._said[self._played]

    @property
    def _played(self) -> int:
        """Moves made, a "none" too."""
        state = self.liar.referee.table.state
        return int(state.plies) + bool(state.stuck)

    def play(self, *more: Move) -> Campaign:
        """Play the plan and these moves, until none is left or the rules end the game."""
        self._said += [turned(move, self.liar.seat) for move in more]
        self.run(lambda _: self._is_out_of_moves())
        return self

    def _is_out_of_moves(self) -> bool:
        referee = self.liar.referee
        owed, state = referee.owed, referee.table.state
        to_move = owed is not None and isinstance(owed.ask, Choose)
        return to_move and state.phase == "play" and self._played == len(self._said)

    def says(self, move: Move) -> Frame:
        """The cheat's next move, offered or not."""
        return self.liar.entry(Choice(turned(move, self.liar.seat)))

    def opponent_gives_up(self) -> Campaign:
        """The honest side resigns, which ends play: now the cheat has to reveal the slots of its claims."""
        self.honest[0].session.resign()
        self.run()
        return self

    def number(self, kind: type[Message], move: Move | None = None) -> int:
        """The number of the cheat's last entry of a kind, or of the last one with the move `move`."""
        wanted = None if move is None else turned(move, self.liar.seat)
        own = [entry for entry in self.liar.referee.entries if entry.seat == self.liar.seat]
        for entry in reversed(own):
            message = CODEC.parse(entry.message)
            if type(message) is kind and wanted in (None, getattr(message, "move", None)):
                return entry.number
        raise AssertionError("the cheat has said nothing like this")

    def assert_refused(self, frame: Frame, what: str, rule: str) -> None:
        """Assert that the honest side, given this record of the cheat now, blames it for this fault."""
        number = self.liar.referee.count
        [taken] = self.lie([frame])
        assert isinstance(taken, Violation)
        self.assert_caught(what, number, rule)

    def assert_caught(self, what: str, number: int, rule: str) -> None:
        """Assert that the honest side has won by this fault, and that its record proves it to anybody."""
        cheat, [honest] = self.liar.seat, self.honest
        fault = Fault(cheat, what, number, rule)
        end = honest.session.outcome
        assert end is not None
        assert (end.winners, end.reason, end.breach) == (
            frozenset((honest.seat,)),
            "cheated",
            Breach(cheat, rule),
        )
        for report in (*self.reports(), *self.reports(every_signature=True)):
            assert (report.verdict, report.fault, report.outcome) == (Verdict.CHEATED, fault, end)
            assert report.proof is not None
            assert proof.check(report.proof, GAMES) == fault
        honest.restart()
        assert honest.session.outcome == end


def _setup(text: str, seat: Seat, liar: Seat) -> tuple[Face | None, ...]:
    setup: list[Face | None] = [None] * len(PLACE[seat])
    for piece in text.split(", "):
        name, face = piece.split()
        square = SQUARE_NAMED[name]
        setup[PLACE[seat][SQUARES[-1] - square if liar else square]] = FACE_NAMED[face]
    return tuple(setup)
