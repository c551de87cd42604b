"""For whom SPIES! waits, and for what: the decisions of others in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cli.games.interface import Players
from cli.games.spies import proposals
from cli.games.spies.chain import arrived, chain, sea_rolled, spy_told
from cli.games.spies.kinds import kind_of
from cli.text.layout import series
from p2p_stratego.core.game import Ask, Choose, Claim, ClaimOneOf, Commit, Mix, Open, Roll, Together
from p2p_stratego.core.language import _, mark, n_
from p2p_stratego.core.view import View
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.rules.atlas import SEA_NAMES
from p2p_stratego.spies.rules.counters import HAND
from p2p_stratego.spies.rules.police import Layings
from p2p_stratego.spies.rules.state import State
from p2p_stratego.spies.rules.trade import Proposals
from p2p_stratego.spies.rules.underway import now


def waiting(view: View[State], players: Players, ask: Ask) -> str:
    """The decision of the others, while the seat has none."""
    if isinstance(ask, Open):
        return _("A card is being turned up.")
    if isinstance(ask, Roll):
        return _("The die of the sea is being rolled together.")
    if isinstance(ask, Claim | ClaimOneOf):
        return _behind(chain(view), _("{name} proves what it said.", name=players.names[ask.seat]))
    if isinstance(ask, Together):
        late = series([players.names[part.seat] for part in ask.asks])
        if view.state.phase == "talk":
            talks = _("The talks before {year} end when all are ready", year=view.state.year)
            if len(ask.asks) == 1:
                return _("{talks}; {late} is not yet.", talks=talks, late=late)
            return (
                _(
                    "{talks}; words still to come, in this order: {late}.", talks=talks, late=late
                )  # the first one holds the others back
            )
        return _("All bid for Russia; waiting for {late}.", late=late)
    if isinstance(ask, Mix):
        return f"{players.names[ask.seat]} {_laying(now(view), ask)}."
    if isinstance(ask, Choose):
        return _(
            "{about}{name} {doing}.",
            about=_about(view, ask),
            name=players.names[ask.seat],
            doing=_doing(view, ask),
        )
    if isinstance(ask, Commit):
        return f"{players.names[ask.seat]} {_laying(now(view), ask)}."
    return _("Cards are being dealt or shown: every step is proved.")


def _laying(state: State, ask: Commit | Mix) -> str:
    """What another player lays in secret."""
    if isinstance(ask, Mix):
        return _("lays the police of {power}", power=words.power(state.power))
    if not ask.exactly:
        return _("lays its pounds")
    what = _("spies") if 0 in ask.faces else _("police")
    return _("lays the {what} of {power}", what=what, power=words.power(state.power))


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
        return _("lays the police of {power}", power=power)
    if isinstance(ask.options, Proposals):
        return _("composes a proposal")
    first = {option.split(" ")[0] for option in ask.options}
    asked = kind_of(first, state)
    if asked == "accept" and (found := proposals.proposed(view)) is not None:
        given, wanted, one, other = found
        return _(
            "thinks about an offer: {power} gives {given}; {power2} gives {wanted}",
            power=words.power(one),
            given=given,
            power2=words.power(other),
            wanted=wanted,
        )
    if asked == "turn":
        return _(
            "is to move: {power}, {counted}",
            power=power,
            counted=n_("{count} point", "{count} points", state.ap),
        )
    if asked == "answer" and state.report:
        return _("is asked for {get}", get=_(_ANSWERS.get(state.report[-1].kind, mark("an answer"))))
    if asked == "return":
        held = max(map(len, state.hands))
        return _("chooses what goes back: of {held} chits, {held2}", held=held, held2=held - HAND)
    if asked == "stay":
        sea, rolled = sea_rolled(view)
        return _(
            "is in the {sea} sea with {spy_told}: it rolled {rolled}",
            sea=words.sea(SEA_NAMES.index(sea)),
            spy_told=spy_told(view, state.mover),
            rolled=rolled,
        )
    city = words.city(state.searched[-1]) if state.searched else ""
    return _(_DOES.get(asked, mark("decides")), power=power, city=city)


_ANSWERS: Final[Mapping[str, str]] = {
    "searches": mark("Papers or an Escape"),
    "discovers": mark("a Cover or a Double-cross"),
    "sanctions": mark("a Cover, an Escape or a Double-cross"),
    "drops": mark("an Intercept"),
    "tries to escape": mark("a Double-cross"),
    "plays": mark("a Double-cross"),
}
"""By the last event: the chits that could answer it."""
_DOES: Final[Mapping[str, str]] = {
    "secret": mark("lays the secrets of {power}"),
    "place": mark("lays the spies of {power}"),
    "stand": mark("lays the police of {power}"),
    "tile": mark("chooses a tile for {power}"),
    "whom": mark("chooses whom the police of {power} search in {city}"),
    "arrival": mark("decides whether to search it"),
    "seize": mark("decides whether to take the secret of the victim"),
    "hand": mark("chooses chits to hand over"),
    "pay": mark("pays for Russia"),
    "ready": mark("composes a proposal"),
    "give": mark("composes a proposal"),
    "want": mark("composes a proposal"),
    "fact": mark("compares cards in private"),
}
