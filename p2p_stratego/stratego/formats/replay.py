"""Replays a game from its set-ups and moves by the rulebook itself, and reports its first error.

For records and other whole games: unlike the table, a replay may know the faces under the slots, so it can
also report errors that only the owner could have seen at the time.
"""

from __future__ import annotations

from typing import Any, Final

from p2p_stratego.core.driver import drive
from p2p_stratego.core.game import Ask, Choose, Face, Move, Open, Options, Slot, Together
from p2p_stratego.core.language import _
from p2p_stratego.stratego.formats.diagram import UNSEEN, Setup, TextError
from p2p_stratego.stratego.formats.narration import WHY_ILLEGAL
from p2p_stratego.stratego.formats.setups import answers, check
from p2p_stratego.stratego.rules.board import NAMES as SQUARE_NAMES
from p2p_stratego.stratego.rules.choices import Moves
from p2p_stratego.stratego.rules.game import Stratego
from p2p_stratego.stratego.rules.movement import can_move, illegal, own_reach, possible_reach
from p2p_stratego.stratego.rules.notation import NONE, squares
from p2p_stratego.stratego.rules.pieces import SEATS
from p2p_stratego.stratego.rules.state import State, slot

RULES: Final = Stratego()


class ReplayError(TextError):
    """An impossible game; `square`: the place of the error."""


class Replay:
    """A game from its set-ups on; `state`: its latest state."""

    def __init__(self, options: Options, setups: tuple[Setup, Setup], *, honest: bool = True) -> None:
        """`honest`: also refuse a move that only hidden faces forbid; otherwise only visible errors.

        Pieces that are never opened may be UNSEEN.  Raises SetupError, and OptionError.
        """
        self._honest = honest
        self._known: dict[Slot, Face] = {}
        self._fills: list[Move] = []
        self.state: State = drive(RULES.setup(len(SEATS), options), self._answer)
        for seat in SEATS:
            check(setups[seat], self.state.army, seat=seat, honest=honest)
            faces, answer = answers(setups[seat])
            self._fills.append(answer)
            self._known |= {slot(seat, k): face for k, face in enumerate(faces) if face != UNSEEN}
        while self.state.phase != "play":
            self.state = drive(RULES.turn(self.state), self._answer)

    def make(self, move: Move) -> State:
        """Play one move and return the state after it.  Raises ReplayError."""
        if self.state.ended is not None:
            raise ReplayError(_("the game has ended before this"))
        why = self._objection(move)
        if why is not None:
            ends = squares(move)
            raise ReplayError(why, square=SQUARE_NAMES[ends[0]] if ends else "")

        def answer(ask: Ask) -> Any:
            return move if isinstance(ask, Choose) else self._answer(ask)

        self.state = drive(RULES.turn(self.state), answer)
        return self.state

    def _answer(self, ask: Ask) -> Any:
        if isinstance(ask, Together):
            return tuple(self._fills)  # the rules use no answer to the laying of armies
        if isinstance(ask, Open) and ask.slot not in self._known:
            square = next(square for square, piece in self.state.pieces() if piece.slot == ask.slot)
            raise ReplayError(
                _("the piece is opened here, so the set-up must show it"), square=SQUARE_NAMES[square]
            )
        return self._known[ask.slot] if isinstance(ask, Open) else None

    def _objection(self, move: Move) -> str | None:
        state, seen = self.state, self._known if self._honest else {}
        if move == NONE:
            true = move in Moves(state) and not can_move(state, own_reach(state.seat, seen))
            return None if true else WHY_ILLEGAL["false-claim"]
        if squares(move) is None:
            return _('a move is two squares, such as "a4a5", or "{none}"', none=NONE)
        could = possible_reach(state, state.seat)
        rule = illegal(state, move, own_reach(state.seat, seen, could))
        return None if rule is None else WHY_ILLEGAL[rule]
