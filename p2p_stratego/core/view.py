"""The view of one seat: the only part of a match that a screen or a bot receives.

The holder of the secrets (the session, or self-play) makes the view.  It never depends on another seat's
hidden faces, so a bot cannot cheat, even by mistake.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias, runtime_checkable

from p2p_stratego.core.game import (
    Ask,
    Commit,
    Decision,
    Draw,
    Face,
    Give,
    Mix,
    Move,
    OpenTo,
    S,
    Seat,
    Show,
    Slot,
    Together,
)


def read_by(ask: Ask) -> Iterator[tuple[Seat, tuple[Slot, ...]]]:
    """The seats that learn faces by this Ask, each with the slots that it can read from then on.

    Openings are left out: everybody reads them.  A seat that left before learns nothing.
    """
    match ask:
        case Together(asks):
            for part in asks:
                yield from read_by(part)
        case Commit(seat, slots):
            yield seat, slots
        case Mix(seat=seat, new=new):
            yield seat, new
        case OpenTo(slot, seat):
            yield seat, (slot,)
        case Draw(hands=hands):
            yield from hands
        case Show(slots, seat, copies):
            yield seat, (*slots, *copies)
        case Give(slots, seat):
            yield seat, slots
        case _:
            return


AnsweredAsk: TypeAlias = tuple[Ask, Any]
"""An ask that is settled and its public answer (see `core.game`)."""


@dataclass(frozen=True, slots=True)
class View(Generic[S]):
    """The knowledge of `seat`.

    `state` is the last frozen state; `since` holds the later asks with their answers, oldest first, without
    other seats' simultaneous decisions.  `known` holds the faces that this seat can read: its own hidden
    ones, those shown to it, and the opened ones.  `decision` is the ask that this seat may decide now, or
    None.  `past` holds the frozen states before `state`, oldest first, where a bot is asked; a view for a
    screen leaves it empty.

    Rulebooks keep decisions out of their `setup`, so every decision has a state to rest on.
    """

    seat: Seat
    state: S
    known: Mapping[Slot, Face]
    decision: Decision | None = None
    since: tuple[AnsweredAsk, ...] = ()
    past: Sequence[S] = ()

    @property
    def asked(self) -> Decision:
        """The decision that is due.  Raises RuntimeError if there is none: a bug of the caller."""
        if self.decision is None:
            raise RuntimeError(f"seat {self.seat} has nothing to decide now")
        return self.decision


class Chance(Protocol):
    """A source of randomness from outside; `random.Random` is one.

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


@dataclass(frozen=True, slots=True)
class PastMatch(Generic[S]):
    """A match that a bot played before, as everybody saw it."""

    states: Sequence[S]
    """The frozen states, oldest first."""
    seat: Seat
    """The bot's."""


PastMatches: TypeAlias = Callable[[], Iterator[PastMatch[S]]]
"""Reads the matches of a bot with the same other players, newest first, each when it is asked for."""


@runtime_checkable
class LearningBot(Bot[S], Protocol):
    """A bot that plays otherwise against players whom it has met.

    It keeps nothing: all that it knows of them follows from the records of these matches.
    """

    def meet(self, past: PastMatches[S]) -> None:
        """A match begins.  `past` may take long: it is for `decide` to call."""
        ...
