"""The table at one moment of Spies & Lies: the frozen state and the Asks since.

A state is frozen between steps; in the middle of one there may already be an intel card turned up, a token
laid, a guess said.  Derived here once, for the board, the questions and the notes.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p_stratego.core.game import Choose, Open, Seat
from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.rules.notation import COPIES, GUESSES, LAY
from p2p_stratego.spies_and_lies.rules.observation import todays_intel
from p2p_stratego.spies_and_lies.rules.soldiers import (
    INTEL_DECK,
    MISSIONS,
    RANKS,
    IntelRange,
    Mission,
    Rank,
)
from p2p_stratego.spies_and_lies.rules.state import State, slot


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The moment, as one seat sees it."""

    state: State
    seat: Seat
    intel: tuple[IntelRange, ...]
    """All cards turned up, oldest first; today's is the last one if `turned`."""
    turned: bool
    """Whether today's intel card lies open."""
    target: tuple[Seat, Mission] | None
    """Owner and mission of the card that is being guessed."""
    token: bool
    """Whether a token lies on the target."""
    guess: Rank | None
    """The guess, while the turn goes on."""
    opened: Rank | None
    """The target's soldier, while its owner still chooses its effect."""
    copied: Rank | None
    """The exhausted soldier that a Captain uses, while its owner still chooses its effect."""
    line: tuple[Rank | None, ...]
    """The seat's own four soldiers of today, laid or decided; None while there are none."""

    @property
    def hand(self) -> tuple[Rank, ...]:
        """The soldiers the seat may lay today, or had not laid."""
        return tuple(rank for rank in RANKS if rank not in self.state.exhausted[self.seat])

    @property
    def intel_to_come(self) -> int:
        """Intel cards still face down."""
        return len(INTEL_DECK) - len(self.intel)


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
        intel,
        today is not None,
        (1 - state.guesser, state.mission) if state.phase == "mission" else None,
        token,
        guess,
        opened if state.phase == "mission" else None,
        copied,
        tuple(view.known.get(slot(state.day, view.seat, mission)) for mission in MISSIONS),
    )
