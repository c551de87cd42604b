"""Pointing in SPIES!: cities of the map, with keys or a mouse."""

from __future__ import annotations

from typing import Final

from cli.games.interface import STEPS, ViewContext
from cli.games.spies import laying, reach
from cli.games.spies.answers import moving, offered
from cli.games.spies.cities import as_spoken
from cli.games.spies.map.board import ROOMY
from cli.games.spies.names import begun, matching, tokens
from cli.games.spies.questions import kind
from cli.games.spies.snapshot import Snapshot, snapshot
from p2p_stratego.core.language import mark
from p2p_stratego.spies.rules.atlas import CAPITALS, CITY_NAMED, NAMES, City
from p2p_stratego.spies.rules.state import secret_name, spy_code
from p2p_stratego.spies.rules.underway import now

_OF_PLACES: Final = frozenset(("", "secret", "place", "police", "lay", "turn", "stay", "arrival"))
"""The kinds of questions whose answers can be pointed at; with none the map can be looked at."""
_ACROSS: Final = 3
"""How much further a city to the side counts than one ahead."""


class MapPointer:
    """Implements `cli.games.interface.Pointer`."""

    keys = (
        (mark("arrows"), mark("move the cursor from city to city; pick an answer where none is a city")),
        (
            mark("Enter, Space, click"),
            mark("pick your spy there, then where it goes (far: twice); or name the city that is asked for"),
        ),
        (mark("the same again"), mark("the next spy of yours there; confirm a city")),
        (
            mark("while police are laid"),
            mark(
                "a city gets the strongest unit that is left, and then its secret is stood on; Enter "
                "sends all"
            ),
        ),
    )

    def step(self, context: ViewContext, direction: str) -> str:
        """The nearest city in that direction; none while the answers name no city."""
        if kind(context.view) not in _OF_PLACES:
            return ""
        moment = snapshot(context)
        if moment.cursor is None:
            return NAMES[_beginning(moment)]
        nearest = _nearest(moment.cursor, STEPS[direction])
        return NAMES[moment.cursor if nearest is None else nearest]

    def point(self, context: ViewContext, place: str) -> tuple[str, bool]:
        """Picks a spy, moves the picked one, or names a city."""
        city = CITY_NAMED.get(place)
        if city is None:
            return "", False
        line, done = _pointed(context, city)
        return as_spoken(line), done

    def goes_on(self, context: ViewContext, rest: str) -> bool:
        """A city follows a spy; anything that an answer goes on with does, as strengths, cities and secrets
        do behind police.
        """
        if kind(context.view) in ("police", "lay"):
            return laying.goes_on(tokens(rest))
        return bool(begun(tokens(f"{context.typed} {rest}"), offered(context.view)))

    def stroke(self, context: ViewContext, key: str) -> str | None:
        """No key stands for an input by itself."""
        del context, key
        return None

    def onward(self, context: ViewContext) -> str:
        """The cursor stays."""
        return context.cursor


def _beginning(moment: Snapshot) -> City:
    """The first place of the cursor: the last event, an own spy, or a capital."""
    if moment.changed:
        return min(moment.changed)
    for power in range(len(CAPITALS)):
        if moment.runs(power):
            return next((spy.city for _, spy in moment.state.own(power)), CAPITALS[power])
    return CAPITALS[0]


def _pointed(context: ViewContext, city: City) -> tuple[str, bool]:
    """The line after a city was pointed at, in English, and whether it is sent at once."""
    asked, place = kind(context.view), NAMES[city]
    if asked in ("secret", "place"):
        return place, context.typed == place
    if asked == "police":
        return laying.pointed(context, city), False
    if asked == "stand":
        return _standing(context, city)
    if asked == "lay":
        return f"{context.typed} {place}".strip(), False
    return _acting(context, city)


def _nearest(city: City, step: tuple[int, int]) -> City | None:
    """The nearest other city in a direction, columns counting half of rows."""
    x, y = ROOMY.corners[city]
    east, north = step
    candidates: list[tuple[float, City]] = []
    for other, (column, row) in ROOMY.corners.items():
        ahead = (column - x) / 2 * east - (row - y) * north
        aside = abs((row - y) if east else (column - x) / 2)
        if other != city and ahead > 0 and aside <= ahead * 2:
            candidates.append((ahead + aside * _ACROSS, other))
    return min(candidates)[1] if candidates else None


def _standing(context: ViewContext, city: City) -> tuple[str, bool]:
    """The line with the next secret there that police could stand on; the same city again says it."""
    state, phrase = now(context.view), tokens(context.typed)
    possible = {part for word in offered(context.view) for part in word.split(" ")}
    names = [secret_name(state, secret) for secret in state.secrets_in(city)]
    left = [name for name in names if name in possible and name not in phrase]
    if left:
        return " ".join([*phrase, left[0]]), False
    return context.typed, bool(phrase) and context.cursor == NAMES[city]


def _acting(context: ViewContext, city: City) -> tuple[str, bool]:
    """A spy of the player's there, the next one each time; with one picked, the answer that it goes there."""
    moment = snapshot(context)
    own = [
        spy_code(spy)
        for spy in moment.state.spies_in(city)
        if moment.state.spies[spy].power == moment.state.power and moment.runs(moment.state.power)
    ]
    if moment.picked is not None:
        code = spy_code(moment.picked)
        going = matching([code, NAMES[city]], offered(context.view))
        if len(going) == 1:
            return going[0], True
        if city in moment.points:
            line = moving(code, reach.ways(context.view, moment.picked)[city])
            return line, context.typed.strip() == line
        if code in own:
            at = own.index(code) + 1
            return (own[at], False) if at < len(own) else ("", False)
    searching = f"search {NAMES[city]}"
    if searching in offered(context.view):
        return searching, context.typed == searching
    return (own[0], False) if own else ("", False)
