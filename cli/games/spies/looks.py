"""The cards that our player alone was shown, was given or has drawn in SPIES!, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from cli.games.interface import PrivateNews, ViewContext
from cli.games.spies.knowledge import secret_text, tile_named
from cli.games.spies.snapshot import Snapshot, snapshot
from cli.text.layout import series
from p2p_stratego.core.game import Ask, Draw, Face, Give, Show, Slot
from p2p_stratego.core.language import _
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.rules.counters import DISCOVERY, DROP, SANCTION
from p2p_stratego.spies.rules.purse import pounds
from p2p_stratego.spies.rules.state import Event, State


def alone(context: ViewContext, ask: Ask) -> PrivateNews | None:
    """The private sentences after an Ask; None if there is nothing new.  `context`: of that moment."""
    moment = snapshot(context)
    if isinstance(ask, Draw):
        slots = [slot for seat, hand in ask.hands if seat == moment.seat for slot in hand]
        sentences = [
            _("{name} draws {chits} ({year}).", name=name, chits=chits, year=moment.state.year)
            for name, chits in _by_power(moment, slots)
            if chits
        ]
        return PrivateNews(tuple(sentences), pressing=False) if sentences else None
    if isinstance(ask, Show | Give):
        # A seat that is gone shows nothing; its answer stands there all the same.
        ask = replace(ask, slots=tuple(slot for slot in ask.slots if slot in moment.known))
        if not ask.slots:
            return None
        sentences = [
            *_spies(moment, ask.slots),
            *_police(moment, ask.slots),
            *_secrets(moment, ask.slots),
            *_chits(moment, ask),
            *_tiles(moment, ask.slots),
            *_pounds(moment, ask.slots),
        ]
        chits = all(slot in hand for slot in ask.slots for hand in [sum(moment.state.hands, ())])
        return (
            PrivateNews((f"{_when(moment.state)}: {sentences[0]}", *sentences[1:]), pressing=not chits)
            if sentences
            else None
        )
    return None


def _when(state: State) -> str:
    """The year, and the event in which something was shown."""
    event = next((event for event in reversed(state.report) if event.kind in _WHAT), None)
    if event is not None:
        return f"{state.year}, {_WHAT[event.kind](event)}"
    return str(state.year) if state.partner is None else _("{year}, trade", year=state.year)


def _search(event: Event) -> str:
    return _("search in {city}", city=words.city(event.city))


_WHAT: Final[Mapping[str, Callable[[Event], str]]] = {
    "searches": _search,
    "discovers": lambda _unused: words.chit(DISCOVERY),
    "sanctions": lambda _unused: words.chit(SANCTION),
    "drops": lambda _unused: words.chit(DROP),
    "russia": lambda _unused: _("Russia changes hands"),
}


def _by_power(moment: Snapshot, slots: Iterable[Slot]) -> Iterator[tuple[str, str]]:
    """By power of the player that drew chits: its name, and them."""
    slots = set(slots)
    for power, hand in enumerate(moment.state.hands):
        yield words.power(power), _named(moment.known[slot] for slot in hand if slot in slots)


def _named(kinds: Iterable[Face]) -> str:
    """Chits by kind: "2 Papers and Cover"."""
    counts = sorted(Counter(kinds).items())
    return series(
        [f"{number} {words.chit(kind)}" if number > 1 else words.chit(kind) for kind, number in counts]
    )


def _spies(moment: Snapshot, slots: Iterable[Slot]) -> Iterator[str]:
    for spy, piece in enumerate(moment.state.spies):
        if piece.slot in slots and piece.slot in moment.known:
            name = words.spy(spy, moment.known[piece.slot])
            place = "" if piece.where != "map" else _(", in {city}", city=words.city(piece.city))
            yield _("{spy} of {power}{place}.", spy=name, power=words.power(piece.power), place=place)


def _police(moment: Snapshot, slots: Iterable[Slot]) -> Iterator[str]:
    """Police by city, with their strengths."""
    for power, units in enumerate(moment.state.police):
        for city in sorted({unit.city for unit in units if unit.slot in slots}):
            faces = [moment.known[unit.slot] for unit in units if unit.slot in slots and unit.city == city]
            strengths = series([str(face) for face in sorted(faces, reverse=True)])
            together = _(", {faces} together", faces=sum(faces)) * (len(faces) > 1)
            yield _(
                "Police of {power} in {city}: strength {strengths}{together}.",
                power=words.power(power),
                city=words.city(city),
                strengths=strengths,
                together=together,
            )


def _secrets(moment: Snapshot, slots: Iterable[Slot]) -> Iterator[str]:
    for secret, lying in enumerate(moment.state.secrets):
        if lying.slot in slots and lying.slot in moment.known:
            sentence = secret_text(moment, secret)
            yield f"{sentence[0].upper()}{sentence[1:]}."


def _chits(moment: Snapshot, ask: Show | Give) -> Iterator[str]:
    for power, hand in enumerate(moment.state.hands):
        names = _named(moment.known[slot] for slot in ask.slots if slot in hand)
        if names:
            yield _("{power} gets {chits}.", power=words.power(power), chits=names)


def _tiles(moment: Snapshot, slots: Iterable[Slot]) -> Iterator[str]:
    for power, held in enumerate(moment.state.tiles):
        tiles = sorted(moment.known[slot] for slot in slots if slot in held)
        if tiles:
            yield _(
                "Tiles of {power}: {value}.",
                power=words.power(power),
                value=series([tile_named(face) for face in tiles]),
            )


def _pounds(moment: Snapshot, slots: tuple[Slot, ...]) -> Iterator[str]:
    """The pounds of a proposal with secret purses, or of a purse that changes hands."""
    for power, purse in enumerate(moment.state.purses):
        if purse and set(purse) <= set(slots):
            more = moment.state.money[power]
            yield _(
                "{power} has {pounds}.",
                power=words.power(power),
                pounds=words.pounds(more + _sum(moment, purse)),
            )
    for place, amount in enumerate(moment.state.amounts[::2]):
        if amount == slots:
            verb = _("offers") if place == 0 else _("wants")
            yield f"{words.power(moment.state.power)} {verb} {words.pounds(_sum(moment, amount))}."


def _sum(moment: Snapshot, slots: Iterable[Slot]) -> int:
    return pounds(tuple(moment.known[slot] for slot in slots))
