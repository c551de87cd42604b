"""What one seat may see of a match, and what plays from it: the only thing screens and bots are handed.

A view is put together by whoever holds the secrets (the session, or the arena); nothing in it may come from
another seat's hidden faces, so that a bot cannot cheat even by mistake.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias

from p2p_stratego.core.game import Ask, Decision, Face, Move, S, Seat, Slot

Answered: TypeAlias = tuple[Ask, Any]
"""An ask that is settled and its public answer (see `core.game`)."""


@dataclass(frozen=True, slots=True)
class View(Generic[S]):
    """All that `seat` may see.

    `state` is the last frozen state, `since` what was asked and answered after it, oldest first (decisions
    that others make at the same time are not in it).  `known` holds the faces this seat can read: its own
    hidden ones, and those that were opened.  `decision` is what this seat may decide now, if anything.

    Rulebooks keep decisions out of their `setup`, so whoever has to decide always has a state to decide from.
    """

    seat: Seat
    state: S
    known: Mapping[Slot, Face]
    decision: Decision | None = None
    since: tuple[Answered, ...] = ()

    @property
    def asked(self) -> Decision:
        """The decision, for whoever is there to make it.  Raises RuntimeError if there is none: a bug."""
        if self.decision is None:
            raise RuntimeError(f"seat {self.seat} has nothing to decide now")
        return self.decision


class Chance(Protocol):
    """A source of randomness that is given from outside; `random.Random` is one.

    Games and bots are pure: the same chance and the same views lead to the same decisions.
    """

    def random(self) -> float:
        """The next number x, 0 ≤ x < 1."""
        ...


class Bot(Protocol[S]):
    """Plays one seat of one match."""

    def decide(self, view: View[S]) -> Move | tuple[Face, ...]:
        """One of the options of `view.decision`, or for a Commit its faces, in the order of its slots."""
        ...
