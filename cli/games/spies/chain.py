"""The subject of a question in a step of SPIES!: the action that began it, and the chits played since."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from cli.games.spies.knowledge import hidden_text
from p2p_stratego.core.game import Choose, Roll
from p2p_stratego.core.language import _
from p2p_stratego.core.view import View
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.rules.atlas import CITY_NAMED, NAMES, SEA_NAMES, Power
from p2p_stratego.spies.rules.counters import CHIT_NAMES, INTERCEPT
from p2p_stratego.spies.rules.map_data import DIE
from p2p_stratego.spies.rules.notation import ACCEPT, AGAIN
from p2p_stratego.spies.rules.observation import spy_face
from p2p_stratego.spies.rules.police import Layings
from p2p_stratego.spies.rules.state import Event, State
from p2p_stratego.spies.rules.turn import movement
from p2p_stratego.spies.rules.turn.trade import Proposals
from p2p_stratego.spies.rules.turn.tricks import BY_POLICE
from p2p_stratego.spies.rules.underway import now


def chain(view: View[State]) -> str:
    """Sentences: a search, a Discovery, a Sanction, a Drop or an Escape, and the answers to it so far.

    "" if there is none, or a spy has only come to police.
    """
    report = now(view).report
    beginnings = [at for at, event in enumerate(report) if event.kind in _BEGINS]
    if not beginnings:
        return ""
    begun = beginnings[-1]
    sentences = [_BEGINS[report[begun].kind](view, report[begun])]
    played = [event for event in report[: begun + 1] if event.kind == "plays"]
    answers = list(_answers(view))
    for event in report[begun + 1 :]:
        if event.kind == "plays":
            sentences.append(
                _(
                    "{power} plays {chit}{how}.",
                    power=words.power(event.power),
                    chit=words.chit(event.face),
                    how=_how(answers, len(played)),
                )
            )
            played.append(event)
    return " ".join(sentences)


def arrived(view: View[State]) -> str:
    """The arrival of a spy at police, in a sentence, if it is the last event; else ""."""
    event = next((event for event in reversed(now(view).report) if event.kind == "moves"), None)
    return (
        ""
        if event is None
        else _(
            "{spy_told} comes to {city}.", spy_told=spy_sentence(view, event.spy), city=words.city(event.city)
        )
    )


def answering(view: View[State]) -> Power | None:
    """The power that is asked for a chit: whose hand the options name."""
    if not isinstance(view.decision, Choose) or isinstance(view.decision.options, Layings | Proposals):
        return None
    slots = [int(parts[1]) for option in view.decision.options if _names_a_chit(parts := option.split(" "))]
    return next((power for power, held in enumerate(now(view).hands) if slots and slots[0] in held), None)


def deciding(view: View[State]) -> Power | None:
    """The power for which an open question is answered in the turn of another: it gives chits away, or has
    been offered a trade.
    """
    options = view.decision.options if isinstance(view.decision, Choose) else ()
    if isinstance(options, Layings | Proposals):
        return None
    if ACCEPT in options:
        return now(view).partner
    gives = any(option.startswith(("return ", "hand ")) for option in options)
    return answering(view) if gives else None


def _names_a_chit(parts: list[str]) -> bool:
    return len(parts) > 1 and parts[0] in (*CHIT_NAMES, "return", "hand")


def _answers(view: View[State]) -> Iterator[list[str]]:
    """The words with which each chit of this step was played, in order."""
    for ask, answer in view.since:
        if isinstance(ask, Choose) and answer is not None and answer.split(" ")[0] in CHIT_NAMES:
            yield answer.split(" ")


def _how(answers: list[list[str]], at: int) -> str:
    """Where a played Escape goes, or which piece an Intercept names."""
    parts = answers[at][2:] if at < len(answers) else []
    city = next((part for part in parts if part in CITY_NAMED), None)
    if city is not None:
        return _(" to {city}", city=words.city(CITY_NAMED[city]))
    if parts and answers[at][0] == CHIT_NAMES[INTERCEPT]:
        return _(" with its police") if parts[0] == BY_POLICE else _(" with {part}", part=parts[0])
    return ""


def spy_sentence(view: View[State], spy: int) -> str:
    """A spy, as far as the player knows it."""
    return words.spy(spy, spy_face(now(view), spy, view.known))


def _where(view: View[State], spy: int) -> str:
    city = now(view).spies[spy].city
    return _(" in {city}", city=words.city(city)) if city >= 0 else ""


def _hidden(view: View[State], event: Event) -> str:
    """A secret, with its content if the player knows it."""
    return hidden_text(now(view), event.secret, view.known)


def _tries(view: View[State], event: Event) -> str:
    answer = next(_answers(view), ["", ""])
    return _(
        "{spy_told}, a prisoner, tries to escape{how}.",
        spy_told=spy_sentence(view, event.spy),
        how=_how([answer], 0),
    )


_BEGINS: Final[Mapping[str, Callable[[View[State], Event], str]]] = {
    "searches": lambda v, e: _(
        "{power} searches {spy_told} in {city}.",
        power=words.power(e.power),
        spy_told=spy_sentence(v, e.spy),
        city=words.city(e.city),
    ),
    "discovers": lambda v, e: _(
        "{spy_told} looks for {hidden}{where}.",
        spy_told=spy_sentence(v, e.spy),
        hidden=_hidden(v, e),
        where=_where(v, e.spy),
    ),
    "sanctions": lambda v, e: _(
        "{spy_told} is to kill {spy_told2}{where}.",
        spy_told=spy_sentence(v, e.spy),
        spy_told2=spy_sentence(v, e.other),
        where=_where(v, e.spy),
    ),
    "drops": lambda v, e: _(
        "{spy_told} hides {hidden}{where}.",
        spy_told=spy_sentence(v, e.spy),
        hidden=_hidden(v, e),
        where=_where(v, e.spy),
    ),
    "tries to escape": _tries,
}
"""By kind of event: its sentence."""


def sea_rolled(view: View[State]) -> tuple[str, int]:
    """The sea where a spy is, and the last roll of its die; ("", 0) for no spy at sea."""
    rolls = [DIE[answer] for ask, answer in view.since if isinstance(ask, Roll)]
    first_answer = str(view.since[0][1]).split(" ") if view.since else []
    return (first_answer[2], rolls[-1]) if rolls and first_answer[:1] == ["sail"] else ("", 0)


def landing_cost(view: View[State], word: str) -> int | None:
    """The points and spaces that an answer takes while a spy is at sea; None for another answer."""
    sea, rolled = sea_rolled(view)
    verb, _, port = word.partition(" ")
    if not rolled or verb not in ("land", AGAIN):
        return None
    if verb == AGAIN:
        return 1
    state = now(view)
    return dict(movement.landings(state, state.mover, SEA_NAMES.index(sea), rolled))[NAMES.index(port)]
