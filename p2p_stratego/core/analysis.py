"""The analysis of a played game: the same measures and the same shapes for every game.

The measures:

- *chance*: how likely a seat is to win, 0 to 1; a draw counts half.  An estimate by public information, in
  some games also by the knowledge of one seat and by all faces; exact once the game is over;
- *lost*: the chance of the best answer less that of the chosen one, to a player with the knowledge of the
  seat at that moment; 0 for the best one;
- *odds*: how likely the choice was to come right (a named card to be there, an attack to win), by the same
  knowledge;
- *bits*: the entropy, in bits, of a seat's closed things by public information;
- *luck*: the chance after a closed thing was opened less the chance expected before.

Pure: no clock, no randomness.  The caller passes a function that cuts long work short.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

from p2p_stratego.core.game import Face, Move, Seat, Slot
from p2p_stratego.core.view import View

Enough: TypeAlias = Callable[[], bool]
"""Whether the time for the present decision is over."""
COSTLY: Final = 0.005
"""A choice that loses less is as good as the best: half a point of the chance to win."""


@dataclass(frozen=True, slots=True)
class MadeDecision:
    """A decision of a player: entry `number`, within the game's step `step`, counted from 1.

    `view`: the seat's view then, with the decision, as far as its faces are known now; `answer`: the player's
    answer, None for faces that nobody has opened; `after`: the state at the end of the step, None if the step
    never ended.
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
    """A possible content of a closed card, or a choice, with its odds, 0 to 1; `name`: in words."""

    name: str
    odds: float


@dataclass(frozen=True, slots=True)
class Judgement:
    """The analysis of one decision; a measure is None where it does not apply, or is unknown.

    `kind`: one of the game's own kinds, an English word; `knew`: the facts that mattered, the likeliest
    first; `chosen`, `best`: in words; `came`: whether the choice came right; `given`: bits that the others
    learned about the seat's closed things by the choice and its results; `gained`: bits that the seat
    learned.
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
    """Whether there is no judgement, because faces that the seat saw are not known."""
    hasty: bool = False
    """Whether the time ended before every choice was weighed."""


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
        """Why a step without an event (`GameEntry.moment`) changed the chance to win, in a sentence.

        "" if the sentences of the step say the reason; None if nobody at the table can see it.  `truth`: all
        faces of the game, or none if some are unknown; `names`: by seat.
        """
        ...

    def step_results(self, before: Any, after: Any, names: Sequence[str]) -> Sequence[str]:
        """The results of the step between two states, in sentences; whose turn follows is left out."""
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
