"""The kinds of decisions in SPIES!, read from what may be answered."""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.game import Commit
from p2p_stratego.core.view import View
from p2p_stratego.spies.rules.police import Layings
from p2p_stratego.spies.rules.state import SPY_CODED, State
from p2p_stratego.spies.rules.trade import Proposals
from p2p_stratego.spies.rules.underway import now


def kind(view: View[State]) -> str:
    """The kind of decision that is due; "" for none."""
    decision = view.decision
    if decision is None:
        return ""
    if isinstance(decision, Commit):
        if not decision.exactly:
            return "pounds"
        return "spies" if 0 in decision.faces else "police"
    if isinstance(decision.options, Layings):
        return "lay"
    if isinstance(decision.options, Proposals):
        return "propose"
    return kind_of({option.split(" ")[0] for option in decision.options}, now(view))


def kind_of(first: set[str], state: State) -> str:
    """The kind of a choice between options that begin with these words."""
    if state.phase == "talk":
        return "talk"
    if "at" in first:
        return "secret" if state.phase == "secrets" else "place"
    if "search" in first and "pass" in first:
        return "arrival"
    if "seize" in first:
        return "seize"
    if "end" in first:
        return "whom" if first & set(SPY_CODED) else "turn"
    if "pass" in first:
        return "answer"
    if first & set(SPY_CODED):
        return "whom"
    return next((word for word in _FIRST if word in first), "fact")


_FIRST: Final = ("tile", "stand", "stay", "return", "hand", "bid", "pay", "accept", "ready", "give", "want")
