"""Times of SPIES!: talk before each year, answers in the turns of others, and when two may talk alone."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from cli.games.interface import Limit
from cli.games.spies.chain import arrived, chain
from p2p_stratego.core.game import Choose, Seat
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.view import View
from p2p_stratego.spies.rules.counters import FIRST_YEAR
from p2p_stratego.spies.rules.notation import NO_ANSWER, READY
from p2p_stratego.spies.rules.state import State
from p2p_stratego.spies.rules.turn.actions import TALK
from p2p_stratego.spies.rules.underway import now

INTERRUPTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "papers": mark("a spy of yours is searched; papers stop that"),
        "escape": mark("a spy of yours is searched, or to be killed; an escape saves it"),
        "cover": mark(
            "somebody looks for a secret of yours, or is to kill a spy of yours; a cover stops that"
        ),
        "double-cross": mark("a chit was played that a Double-cross would undo"),
        "intercept": mark("a secret is being hidden where you have a piece; an Intercept takes it"),
        "seize": mark("a spy of yours has struck one that controlled a secret, and may take it"),
        "search": mark("an enemy spy comes to police of yours, who may search it"),
    }
)
"""The questions in the turns of others: every player who may have such a chit is asked."""
_MINUTE: Final = 60.0


def private(view: View[State]) -> frozenset[Seat]:
    """The other seats to which a player may talk alone: all in the talks before a year; in a turn, the two
    of a diplomacy that was paid for, until something else is done.
    """
    if view.state.phase == "talk":
        return frozenset(range(view.state.seats)) - {view.seat}
    state = now(view)
    mover, talking = state.runs[state.power], {state.runs[power] for power in state.talks}
    open_to = talking if view.seat == mover else {mover} if view.seat in talking else set()
    return frozenset(seat for seat in open_to if seat is not None)


def opens_talk(view: View[State]) -> str:
    """The move that opens a talk alone with one more player, as a sentence; "" if there is none."""
    if isinstance(view.decision, Choose) and any(
        move.startswith(f"{TALK} ") for move in view.decision.options
    ):
        return _("`diplomacy POWER` opens sealed talk with one more power, for a point.")
    return ""


def talk_seconds(state: State) -> float:
    """How long the talks last that are on or come next."""
    first = state.year == FIRST_YEAR
    return state.talk * _MINUTE / (1 if first else 2)


def limit(view: View[State]) -> Limit | None:
    """The clock of the present decision: talks, and every question that one may pass."""
    decision, state = view.decision, view.state
    if not isinstance(decision, Choose):
        return None
    if state.phase == "talk":
        sentence = _("your program said for you that you are ready.")
        return Limit(READY, talk_seconds(state), sentence, company=True)
    if state.phase in ("tile", "turn") and NO_ANSWER in decision.options:
        kinds = frozenset(move.split(" ")[0] for move in decision.options) - {NO_ANSWER}
        about = chain(view) or arrived(view)
        sentence = _("your program passed for you. {about}", about=about).strip()
        return Limit(NO_ANSWER, state.answer, sentence, kinds, hides=True)
    return None
