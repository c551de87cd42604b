"""The common part of rulebooks: a game's usual answers, steps that can be stopped and followed, and their
driver.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from p2p_stratego.core.entry import OptionField
from p2p_stratego.core.game import (
    Ask,
    Commit,
    Mix,
    OptionError,
    Options,
    Outcome,
    S,
    Seat,
    Sides,
    Together,
    Turn,
)
from p2p_stratego.core.language import _
from p2p_stratego.core.narration import listed
from p2p_stratego.core.sides import each_alone
from p2p_stratego.core.view import AnsweredAsk


class PublicState(Protocol):
    """A state that says how its game ended."""

    @property
    def ended(self) -> Outcome | None:
        """None while it goes on."""
        ...


Public = TypeVar("Public", bound=PublicState)


class Rulebook(Generic[Public]):
    """The usual `core.game.Game`; a game overrides its differences, and has no state of its own."""

    title: str
    """The name for people."""
    fields: Sequence[OptionField] = ()
    """The options, in the order of the rules."""
    needs_proofs = False
    most_shuffles = 0
    private_talk = False

    def options(self, wanted: Options) -> Options:
        """`wanted` completed with the usual values of `fields`.  Raises OptionError."""
        for name in wanted:
            if name not in [field.name for field in self.fields]:
                raise OptionError(
                    _(
                        "{game} has no option {name!a}; its options are {options}",
                        game=self.title,
                        name=name,
                        options=listed([field.name for field in self.fields]),
                    )
                )
        return {
            field.name: field.values.allowed(field.name, wanted[field.name])
            if field.name in wanted
            else field.values.usual
            for field in self.fields
        }

    def sides(self, seats: int) -> Sides:
        """Everybody plays alone; alliances are talk."""
        return each_alone(seats)

    def outcome(self, state: Public) -> Outcome | None:
        """How the game ended by its rules, or None while it goes on."""
        return state.ended

    def gone(self, state: Public, seat: Seat) -> Turn[Public]:  # noqa: ARG002 - part of the interface
        """The usual answer: nothing to do.

        Nobody asks for it at a table of two sides of one seat: there the match ends with a leaver.
        """
        yield from ()
        return state

    def rematch(self, options: Options, state: Public) -> Options:  # noqa: ARG002 - part of the interface
        """The same options; chance decides who begins, or the seats, which go round."""
        return self.options(options)


class Stopped(Exception):
    """The act ends here: the game is over, or the player whose act it is has left."""


@dataclass(slots=True)
class Act(Generic[S]):
    """A step under way; the generators of the rules replace `state` at each Ask at the latest.

    So a screen or a bot can see the board in the middle of a step.
    """

    state: S


def played(act: Act[S], steps: Callable[[Any], Turn[None]]) -> Turn[S]:
    """The state after these steps, or after as many as there were before the act was stopped."""
    try:
        yield from steps(act)
    except Stopped:
        return act.state
    return act.state


def follows(turn: Turn[Any], since: Sequence[AnsweredAsk], decision: Ask | None) -> bool:
    """Whether `turn`, given these answers, puts the Asks in `since` and then `decision`.

    `decision` None: the last answer may lead to any Ask, or to the end; if there is no answer either, `turn`
    is not begun.  Afterwards `turn` stands behind the last Ask that it put.
    """
    reply: Any = None
    for settled, answer in since:
        if _put(turn, reply) != settled:
            return False
        reply = answer
    if decision is None and not since:
        return True
    asked = _put(turn, reply)
    return decision is None or (asked is not None and _puts(asked, decision))


def _put(turn: Turn[Any], reply: Any) -> Ask | None:
    """The Ask that `turn` puts after `reply`; None at its end."""
    try:
        return turn.send(reply)
    except StopIteration:
        return None


def _puts(asked: Ask, decision: Ask) -> bool:
    """Whether `asked` puts this decision to a player: itself, a part of it, or a chosen Mix."""
    if isinstance(asked, Mix) and isinstance(decision, Commit):
        return asked.seat == decision.seat and asked.new == decision.slots
    return asked == decision or (isinstance(asked, Together) and decision in asked.asks)


def drive(turn: Turn[S], answer: Callable[[Any], Any]) -> S:
    """The state that `turn` returns; `answer` gives the answer to each Ask."""
    reply: Any = None
    while True:
        try:
            ask = turn.send(reply)
        except StopIteration as end:
            after: S = end.value
            return after
        reply = answer(ask)
