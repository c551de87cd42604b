"""The map of SPIES! in sentences: for line mode, screen readers, and players who ask for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from typing import Final

from cli.games.interface import THE_END, ViewContext
from cli.games.spies import knowledge, laying, proposals, records
from cli.games.spies.answers import offered
from cli.games.spies.chain import deciding
from cli.games.spies.panels import noted
from cli.games.spies.questions import choices, kind
from cli.games.spies.snapshot import Snapshot, snapshot
from p2p_stratego.core.language import _, mark, n_
from p2p_stratego.core.view import View
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.rules.atlas import NAMES, POWERS
from p2p_stratego.spies.rules.counters import ACTION_POINTS
from p2p_stratego.spies.rules.state import State
from p2p_stratego.spies.rules.underway import now

_WHOLE: Final = 200
"""Characters of answers that line mode lists with each question."""
_SOME: Final = 140
"""Where all would take more: of those listed."""


_LAYING: Final = {
    "secrets": mark("{year} · laying secrets"),
    "police": mark("{year} · laying police"),
    "spies": mark("{year} · laying spies"),
}
"""By the phase."""


def banner(view: View[State]) -> str:
    """How far the game is: "1934 · Italy"."""
    state = view.state
    if state.phase == "talk":
        return _("{year} · talks", year=state.year)
    if state.phase in ("secrets", "police", "spies", "bid"):
        return (
            _(_LAYING[state.phase], year=state.year)
            if state.phase != "bid"
            else _("{year} · bidding", year=state.year)
        )
    if state.phase == "over":
        return f"{state.year}{_(THE_END)}"
    decides = deciding(view)
    if decides is not None:
        return _("{year} · {power}{left}", year=state.year, power=words.power(decides), left="")
    left = (
        _(" · {counted} left", counted=n_("{count} point", "{count} points", now(view).ap))
        if state.phase == "turn"
        else ""
    )
    return _("{year} · {power}{left}", year=state.year, power=words.power(state.power), left=left)


def goal(_unused: View[State]) -> str:
    """How the game is won."""
    return _("Bring foreign secrets home and catch spies: most victory points win.")


def board(context: ViewContext) -> list[str]:
    """Every power, then every city where something stands."""
    moment = snapshot(context)
    return [*_powers(context, moment), *_cities(context, moment)]


def _powers(context: ViewContext, moment: Snapshot) -> Iterator[str]:
    state = moment.state
    for power in knowledge.ALL_POWERS:
        seat = state.runs[power]
        yield (
            _(
                "{power} ({letter}, {run}): {purse}, {counted}, {counted2}.",
                power=words.power(power),
                letter=knowledge.letter(power),
                run=knowledge.run_by(context.players, seat),
                purse=knowledge.purse(moment, power),
                counted=n_("{count} chit", "{count} chits", len(state.hands[power])),
                counted2=n_("{count} tile", "{count} tiles", len(state.tiles[power])),
            )
        )
        yield _(
            "{power} has {score}.",
            power=words.power(power),
            score=records.score_text(moment.state, moment.known, power),
        )


def _cities(context: ViewContext, moment: Snapshot) -> Iterator[str]:
    """The cities by territory; a city with nothing in it is left out."""
    order = sorted(
        range(len(NAMES)),
        key=lambda city: len(POWERS) if (owner := moment.state.territory[city]) is None else owner,
    )
    for owner, cities in groupby(order, key=lambda city: moment.state.territory[city]):
        yield _("In no territory:") if owner is None else _("In {power}:", power=words.power(owner))
        for city in cities:
            ways = set(knowledge.ways(city))
            about = knowledge.city_texts(moment, context.players, city)
            sentences = [text for text in about if text not in ways][1:]
            if sentences:
                yield f"{words.city(city)}: {' '.join(sentences)}"


def hand(context: ViewContext) -> list[str]:
    """The chits, tiles, spies and police of the powers that the player runs."""
    moment = snapshot(context)
    return [line for power in knowledge.own_powers(moment) for line in _held(moment, power)]


def _held(moment: Snapshot, power: int) -> Iterator[str]:
    name = words.power(power)
    chits = ", ".join(knowledge.chits(moment, power, priced=True)) or _("none")
    yield _("{name}: {purse}; chits: {chits}.", name=name, purse=knowledge.purse(moment, power), chits=chits)
    fit, later = knowledge.tiles(moment, power)
    for face in fit:
        yield _("Tile of this year: {tile_told}", tile_told=knowledge.tile_text(face))
    for face in later:
        yield _("Tile: {tile_told}", tile_told=knowledge.tile_text(face))
    for spy, piece in moment.state.own(power):
        yield _(
            "{spy_told} in {city}.", spy_told=knowledge.spy_text(moment, spy), city=words.city(piece.city)
        )


def notes(context: ViewContext) -> list[str]:
    """The possible faces of the others' closed spies."""
    return list(noted(snapshot(context))) or [_("No spy of the others is closed on the map.")]


def asked(context: ViewContext) -> list[str]:
    """The facts that the present question rests on."""
    moment = snapshot(context)
    state, question = moment.state, kind(context.view)
    lines = []
    if question == "turn":
        money = knowledge.purse(moment, state.power)
        lines.append(
            _(
                "{ap} of {action_points} action points are left; {money}.",
                ap=state.ap,
                action_points=ACTION_POINTS,
                money=money,
            )
        )
    if question == "tile":
        fit, _unused = knowledge.tiles(moment, state.power)
        lines += [knowledge.tile_text(face) for face in fit] or [_("No tile of yours fits this year.")]
    lines += [*laying.facts(context.view), *proposals.facts(context.view), *proposals.pending(context.view)]
    return [*lines, *_offers(context)]


def _offers(context: ViewContext) -> Iterator[str]:
    """The possible answers, with prices, the most promising first."""
    if not offered(context.view):
        return
    offers = [choice.shown for choice in choices(replace(context, typed=""))]
    sentence = ", ".join(offers)
    if len(sentence) <= _WHOLE:
        yield _("You can say: {answers}.", answers=sentence)
        return
    number = sentence[:_SOME].count(", ")
    yield _(
        "You can say: {answers}, and {count} more: moves lists all.",
        answers=", ".join(offers[:number]),
        count=len(offers) - number,
    )
