"""The table at one moment of Spies & Lies: the frozen state and the Asks since.

A state is frozen between steps; in the middle of one there may already be an intel card turned up, a token
laid, a guess said.  Derived here once, for the board, the questions and the notes.
"""

from __future__ import annotations

from dataclasses import dataclass

from cli.games.interface import ViewContext
from p2p_stratego.core.game import Choose, Commit, Open, Seat
from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.rules.components import INTEL_DECK, RANKS, IntelRange, Mission, Rank, Side
from p2p_stratego.spies_and_lies.rules.notation import COPIES, GUESSES, LAY
from p2p_stratego.spies_and_lies.rules.observation import (
    Known,
    asked_missions,
    own_line,
    own_missions,
    seen_line,
    todays_intel,
)
from p2p_stratego.spies_and_lies.rules.seating import FIRST
from p2p_stratego.spies_and_lies.rules.state import State, slot


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The moment, as one seat sees it."""

    state: State
    seat: Seat
    side: Side
    """The seat's own."""
    intel: tuple[IntelRange, ...]
    """All cards turned up, oldest first; today's is the last one if `turned`."""
    turned: bool
    """Whether today's intel card lies open."""
    target: tuple[Side, Mission] | None
    """Owner and mission of the card that is being guessed."""
    token: bool
    """Whether a token lies on the target."""
    guess: Rank | None
    """The guess, while the turn goes on."""
    opened: Rank | None
    """The target's soldier, while its owner still chooses its effect."""
    copied: Rank | None
    """The exhausted soldier that a Captain uses, while its owner still chooses its effect."""
    line: Known
    """The seat's own soldiers of today, laid or decided; None where there is none, or it is its mate's."""
    seen: Known
    """Its mate's soldiers, while it may look at them."""
    own: tuple[Mission, ...]
    """The missions that the seat acts for."""
    asked: tuple[Mission, ...]
    """The missions under which it is asked to lay soldiers now."""

    @property
    def hand(self) -> tuple[Rank, ...]:
        """The soldiers that the seat may lay today, or had not laid, without the visible ones of its mate."""
        out = (*self.state.exhausted[self.side], *self.seen)
        return tuple(rank for rank in RANKS if rank not in out)

    @property
    def before(self) -> Known:
        """The side's soldiers that the seat knows, its own and its mate's."""
        first, second, third, fourth = (mine or mate for mine, mate in zip(self.line, self.seen, strict=True))
        return first, second, third, fourth

    @property
    def intel_to_come(self) -> int:
        """Intel cards still face down."""
        return len(INTEL_DECK) - len(self.intel)

    def is_laid(self, side: Side, mission: Mission) -> bool:
        """Whether a card lies there, as far as this seat can tell."""
        if side == self.side and self.before[mission - 1] is not None:
            return True
        if self.state.phase == "look":
            seating = self.state.seating
            return not seating.is_team(side) or mission in FIRST
        return self.state.phase != "deploy"


def known_rank(context: ViewContext, moment: Snapshot, side: Side, mission: Mission) -> Rank | None:
    """The soldier there as far as the reader may know it, before it is open to all.

    Nobody at the table reads a replay, so a replay shows a mate's card like any other.
    """
    if side == moment.side and (context.players.me is not None or moment.before[mission - 1] is not None):
        return moment.before[mission - 1]
    if not moment.is_laid(side, mission):
        return None
    return context.view.known.get(slot(moment.state.day, side, mission))


def snapshot(view: View[State]) -> Snapshot:
    """Read a view."""
    state = view.state
    today = todays_intel(view)
    intel = state.intel if today is None else (*state.intel[: state.day], today)
    token = False
    guess = opened = copied = None
    for ask, answer in view.since:
        if isinstance(ask, Open) and opened is None:
            opened = answer
        elif isinstance(ask, Choose):
            token = token or answer == LAY
            guess = GUESSES.get(answer, guess)
            copied = COPIES.get(answer, copied)
    return Snapshot(
        state,
        view.seat,
        state.seating.side(view.seat),
        intel,
        today is not None,
        (1 - state.guesser, state.mission) if state.phase == "mission" else None,
        token,
        guess,
        opened if state.phase == "mission" else None,
        copied,
        own_line(view),
        seen_line(view),
        own_missions(state, view.seat),
        asked_missions(view.decision) if isinstance(view.decision, Commit) else (),
    )
