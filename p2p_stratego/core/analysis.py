"""An analysis of a game that was played: what a game yields for it, the same shapes for every game.

The measures are these, alike for all games:

- *chance*: how likely a seat is to win, 0 to 1, a draw counting half: an estimate by public information, and
  where a game has them, by the knowledge of each seat and with everything known; exact once the game is over;
- *lost*: how much worse the chosen answer was than the best one, in chance, to a player with the knowledge of
  its seat at that moment; 0 for the best one;
- *odds*: how likely the choice was to come right (a named card to be there, an attack to win), by the same
  knowledge;
- *bits*: how much the others do not know about a seat's closed things: the entropy, in bits, of what they can
  still be by public information;
- *luck*: by how much the chance after a closed thing was opened differs from its expectation before.

Pure: no clock, no chance.  What takes long is cut short by a function of the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from p2p_stratego.core.game import Face, Move, Seat, Slot
from p2p_stratego.core.view import View

Enough: TypeAlias = Callable[[], bool]
"""Whether the time for the present decision is over."""


@dataclass(frozen=True, slots=True)
class MadeDecision:
    """A decision as it was made: entry `number`, within the game's step `step`, counted from 1.

    `view`: all that its seat could see then, as far as it is known now, with the decision; `answer`: what it
    decided, None for faces that nobody has opened; `after`: the state at the end of the step, None if it has
    none.
    """

    number: int
    step: int
    view: View[Any]
    answer: Move | tuple[Face, ...] | None
    after: Any

    @property
    def seat(self) -> Seat:
        """Who decided."""
        return self.view.seat


@dataclass(frozen=True, slots=True)
class Likelihood:
    """One thing that a closed card or a choice can be, in words, and how likely it is: 0 to 1."""

    what: str
    odds: float


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an analysis says of one decision; None stands for a measure that does not apply, or is unknown.

    `kind`: one of the game's own kinds, an English word; `knew`: what mattered, the likeliest first;
    `chosen`, `best`: in words; `came`: whether the choice came right; `given`: bits that the others learned
    about the seat's closed things by the choice and what it led to; `gained`: bits that the seat learned.
    """

    made: MadeDecision
    kind: str
    chosen: str
    best: str = ""
    lost: float | None = None
    odds: float | None = None
    best_odds: float | None = None
    came: bool | None = None
    given: float | None = None
    gained: float | None = None
    luck: float | None = None
    knew: tuple[Likelihood, ...] = ()
    unknown: bool = False
    """Whether it could not be judged, since faces that the seat saw are not known."""
    hasty: bool = False
    """Whether the time was over before every choice was weighed."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """How likely each seat is to win, 0 to 1, after one step."""

    seen: tuple[float, ...]
    """By what everybody can see."""
    own: tuple[float | None, ...] | None = None
    """By what each seat knows; None where that is not known, or not estimated."""
    whole: tuple[float, ...] | None = None
    """With every closed thing known; None where one is not, or it is not estimated."""
    begun: bool = True
    """Whether play has begun: before it, an even split stands for an estimate."""


class Analysis(Protocol):
    """The analysis of one game; a module with these functions is one."""

    def judge(self, played: Iterable[MadeDecision], enough: Callable[[], Enough]) -> Iterator[Judgement]:
        """A judgement of each decision, in order; `enough` is called as each begins."""
        ...

    def chance(self, state: Any, seat: Seat) -> float:
        """How likely `seat` is to win, 0 to 1."""
        ...

    def outlooks(self, states: Iterable[Any], seats: int, truth: Mapping[Slot, Face]) -> Iterator[Outlook]:
        """The outlook after each step of a game, from the first one on; `truth`: all faces that are known."""
        ...

    def reason(self, before: Any, after: Any, names: Sequence[str], truth: Mapping[Slot, Face]) -> str | None:
        """Why a step that was no event (`GameEntry.moment`) changed the chance to win, in a sentence.

        "" if what is told of the step says it; None if nothing that one could see does.  `truth`: all faces
        of the game, or none if some are not known; `names`: by seat.
        """
        ...

    def happened(self, before: Any, after: Any, names: Sequence[str]) -> Sequence[str]:
        """What the step from one state to the next brought, in sentences, without whose turn it is then."""
        ...

    def bits(self, state: Any, seat: Seat) -> float:
        """How much the others do not know about the closed things of `seat`'s side, ≥ 0."""
        ...

    def kinds(self, kind: str) -> str:
        """A kind of decision in the reader's language."""
        ...

    def summary(self, name: str, judged: Sequence[Judgement]) -> list[str]:
        """The game of one seat in plain sentences; `judged`: its decisions."""
        ...
