"""The visible events of an act of Conquest: duels, flags, named pieces, and cities that change hands.

At the end of a round, the property of each player.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from cli.games.conquest.names import LETTERS, zone
from cli.games.drama import Capture, CardTurn, Closing, DramaEvent, Duel, Figure, Finale
from cli.games.interface import Players
from p2p_stratego.conquest.formats import words
from p2p_stratego.conquest.rules.atlas import CITIES
from p2p_stratego.conquest.rules.state import Event, State
from p2p_stratego.core.game import Face, Seat
from p2p_stratego.core.language import _, n_

_STANDS: Final[dict[str, Literal["left", "right", "neither"]]] = {
    "won": "left",
    "lost": "right",
    "both": "neither",
    "flag": "left",
}
FINALE: Final[Finale] = {
    "won": (
        "      │▀██▀",
        "      │",
        "  █ █ █ █ █ █",
        "  ████▀▀▀████",
        "  ████ │ ████",
    ),
    "lost": (
        "      │",
        "      ░  ░",
        "  █ ░   ░   █",
        "  ██░░▀ ░░███",
        "  ███░ │ ░███",
    ),
    "drawn": (
        "   │██   │██",
        "  █ █ █ █ █ █",
        "  ████   ████",
        "  ████   ████",
        "  ████═══████",
    ),
}
"""By result: a castle under its banner, a ruin, two towers."""


def events(before: State, after: State, players: Players) -> list[DramaEvent]:
    """The events of the step between two states."""
    if after.report is before.report:
        return []
    scenes = [scene for event in after.report for scene in _of(event, players)]
    return [*scenes, *_cities(before, after, players)]


def _of(event: Event, players: Players) -> Iterator[DramaEvent]:
    kind, names = event.kind, players.names
    if kind in _STANDS and event.other is not None and event.faces:
        left = _figure(event.seat, event.faces[0], players)
        right = _figure(event.other, event.faces[-1], players)
        title = _("Combat on {zone}", zone=zone(event.zones[-1]))
        yield Duel(title, left, right, _STANDS[kind], _why(kind, left, right))
    if kind in ("flag", "betrayed-flag"):
        sentence = _("{player} captures a flag!", player=names[event.seat])
        yield Capture(_("The flag"), event.seat, "⚑", sentence)
    if kind in ("hit", "missed") and event.other is not None and event.faces:
        figure = _figure(event.other, event.faces[0], players)
        title = _("{player} names a piece", player=names[event.seat])
        if kind == "hit":
            yield CardTurn(title, figure, _("It is the {piece}.", piece=figure.name))
        else:
            closed = Figure(event.other, "?", _("closed"), figure.owner)
            yield CardTurn(title, closed, _("It is not the {piece}.", piece=figure.name), good=False)


def _why(kind: str, left: Figure, right: Figure) -> str:
    if kind == "both":
        return _("Equal ranks: both fall.")
    if kind == "flag":
        return _("The {piece} captures the flag!", piece=left.name)
    winner, loser = (left, right) if kind == "won" else (right, left)
    return _("The {winner} beats the {loser}.", winner=winner.name, loser=loser.name)


def _figure(seat: Seat, face: Face, players: Players) -> Figure:
    return Figure(seat, LETTERS[face], words.named(face), players.names[seat])


def _cities(before: State, after: State, players: Players) -> Iterator[DramaEvent]:
    """Cities that have another owner now, once the set-up is over."""
    if not before.turn:
        return
    for place in sorted(CITIES):
        owner = after.territories[place]
        if owner is not None and owner != before.territories[place]:
            sentence = _("{player} holds {city}.", player=players.names[owner], city=words.land(place))
            yield Capture(_("A city"), owner, "★", sentence)


def closing(steps: Sequence[tuple[State, State]], players: Players) -> Closing | None:
    """The property of each player after a round, with what it lost in it, once the next one begins."""
    before, after = steps[-1]
    if not before.round or after.round == before.round:
        return None
    began = steps[0][0]
    deeds = [event for was, now in steps if now.report is not was.report for event in now.report]
    gains = tuple((seat, players.names[seat], _balance(began, after, seat, deeds)) for seat in began.still_in)
    return Closing(_("Round {round} is over", round=before.round), gains)


def _balance(before: State, after: State, seat: Seat, deeds: Sequence[Event]) -> str:
    """The property of a player after a round, and what it lost since the state before it."""
    if seat not in after.still_in:
        return _("out of the game")
    lands = n_("{count} territory", "{count} territories", len(after.owned(seat)))
    cities = n_("{count} city", "{count} cities", after.cities(seat))
    flags = n_("{count} captured flag", "{count} captured flags", len(after.captives(seat)))
    holds, lost = f"{lands} · {cities} · {flags}", _lost(before, after, seat, deeds)
    return _("{holds}; lost: {lost}", holds=holds, lost=lost) if lost else holds


def _lost(before: State, after: State, seat: Seat, deeds: Sequence[Event]) -> str:
    """The pieces of a player that fell or were named, its cities that it has no longer, and its flag."""
    fell = sum(
        (event.kind in ("lost", "both") and event.seat == seat)
        or (event.kind in ("won", "both", "hit") and event.other == seat)
        for event in deeds
    )
    cities = sum(before.territories[city] == seat != after.territories[city] for city in CITIES)
    parts = [n_("{count} piece", "{count} pieces", fell)] * bool(fell)
    parts += [n_("{count} city", "{count} cities", cities)] * bool(cities)
    taken = any(event.kind in ("flag", "betrayed-flag") and event.other == seat for event in deeds)
    return " · ".join([*parts, *[_("its flag")] * taken])
