"""For whom SPIES! waits, and for what: the decisions of others in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cli.games.interface import Players
from cli.games.spies import proposals
from cli.games.spies.chain import arrived, chain, sea_rolled, spy_told
from cli.games.spies.kinds import kind_of
from cli.text.layout import counted, series
from p2p_stratego.core.game import Ask, Choose, Claim, ClaimOneOf, Commit, Mix, Open, Roll, Together
from p2p_stratego.core.view import View
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.rules.counters import HAND
from p2p_stratego.spies.rules.police import Layings
from p2p_stratego.spies.rules.state import State
from p2p_stratego.spies.rules.trade import Proposals
from p2p_stratego.spies.rules.underway import now


def waiting(view: View[State], players: Players, ask: Ask) -> str:
    """The decision of the others, while the seat has none."""
    if isinstance(ask, Open):
        return "A card is being turned up."
    if isinstance(ask, Roll):
        return "The die of the sea is being rolled together."
    if isinstance(ask, Claim | ClaimOneOf):
        return _behind(chain(view), f"{players.names[ask.seat]} proves what it said.")
    if isinstance(ask, Together):
        late = series([players.names[part.seat] for part in ask.asks])
        if view.state.phase == "talk":
            talks = f"The talks before {view.state.year} end when all are ready"
            if len(ask.asks) == 1:
                return f"{talks}; {late} is not yet."
            return (
                f"{talks}; words still to come, in this order: {late}."  # the first one holds the others back
            )
        return f"All bid for Russia; waiting for {late}."
    if isinstance(ask, Mix):
        return f"{players.names[ask.seat]} {_laying(now(view), ask)}."
    if isinstance(ask, Choose):
        return f"{_about(view, ask)}{players.names[ask.seat]} {_doing(view, ask)}."
    if isinstance(ask, Commit):
        return f"{players.names[ask.seat]} {_laying(now(view), ask)}."
    return "Cards are being dealt or shown: every step is proved."


def _laying(state: State, ask: Commit | Mix) -> str:
    """What another player lays in secret."""
    if isinstance(ask, Mix):
        return f"lays the police of {words.power(state.power)}"
    if not ask.exactly:
        return "lays its pounds"
    what = "spies" if 0 in ask.faces else "police"
    return f"lays the {what} of {words.power(state.power)}"


def _about(view: View[State], ask: Choose) -> str:
    """What the decision rests on, in sentences; "" where it rests on nothing that has just happened."""
    if isinstance(ask.options, Layings | Proposals):
        return ""
    asked = kind_of({option.split(" ")[0] for option in ask.options}, now(view))
    if asked == "arrival":
        return _behind(arrived(view))
    return _behind(chain(view)) if asked in ("answer", "fact", "seize") else ""


def _behind(told: str, more: str = "") -> str:
    """Sentences with a space behind them, if there are any, and more sentences."""
    return f"{told} {more}" if told else more


def _doing(view: View[State], ask: Choose) -> str:
    """What another player decides, and about what."""
    state = now(view)
    power = words.power(state.power)
    if isinstance(ask.options, Layings):
        return f"lays the police of {power}"
    if isinstance(ask.options, Proposals):
        return "composes a proposal"
    first = {option.split(" ")[0] for option in ask.options}
    asked = kind_of(first, state)
    if asked == "accept" and (found := proposals.proposed(view)) is not None:
        given, wanted, one, other = found
        return f"thinks about an offer: {words.power(one)} gives {given}; {words.power(other)} gives {wanted}"
    if asked == "turn":
        return f"is to move: {power}, {counted(state.ap, 'point')}"
    if asked == "answer" and state.report:
        return f"is asked for {_ANSWERS.get(state.report[-1].kind, 'an answer')}"
    if asked == "return":
        held = max(map(len, state.hands))
        return f"chooses what goes back: of {held} chits, {held - HAND}"
    if asked == "stay":
        sea, rolled = sea_rolled(view)
        return f"is in the {sea} sea with {spy_told(view, state.mover)}: it rolled {rolled}"
    city = words.city(state.searched[-1]) if state.searched else ""
    return _DOES.get(asked, "decides").format(power=power, city=city)


_ANSWERS: Final[Mapping[str, str]] = {
    "searches": "Papers or an Escape",
    "discovers": "a Cover or a Double-cross",
    "sanctions": "a Cover, an Escape or a Double-cross",
    "drops": "an Intercept",
    "tries to escape": "a Double-cross",
    "plays": "a Double-cross",
}
"""By the last event: the chits that could answer it."""
_DOES: Final[Mapping[str, str]] = {
    "secret": "lays the secrets of {power}",
    "place": "lays the spies of {power}",
    "stand": "lays the police of {power}",
    "tile": "chooses a tile for {power}",
    "whom": "chooses whom the police of {power} search in {city}",
    "arrival": "decides whether to search it",
    "seize": "decides whether to take the secret of the victim",
    "hand": "chooses chits to hand over",
    "pay": "pays for Russia",
    "ready": "composes a proposal",
    "give": "composes a proposal",
    "want": "composes a proposal",
    "fact": "compares cards in private",
}
