"""Pointing in Conquest: zones of the map, with keys or a mouse."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from cli.games.conquest.names import names_piece, zone, zones_in
from cli.games.conquest.snapshot import Kind, Snapshot, is_setting_up, snapshot
from cli.games.interface import STEPS, ViewContext, strokes
from p2p_stratego.conquest.rules import notation
from p2p_stratego.conquest.rules.atlas import COLUMNS, NAMES, ROWS, TERRITORY_OF, ZONE_NAMED, Zone
from p2p_stratego.conquest.rules.choices import own_zones
from p2p_stratego.core.language import mark

_STROKES: Final = strokes("king", "cursed")
_LINK: Final = re.compile(r"^(?:[\s=:,>x×-]|to?(?![a-z]))*")
"""The signs between a zone and what follows it."""
_MIDDLE: Final = ZONE_NAMED["f3"]


class MapPointer:
    """Implements `cli.games.interface.Pointer`."""

    keys = (
        (mark("arrows"), mark("move the cursor over the map")),
        (
            mark("Enter, Space, click"),
            mark("pick the piece there, then where it goes; or name the zone that is asked for"),
        ),
        (mark("the same again"), mark("let a piece go; confirm a zone or a territory")),
        (
            "1-9, 0",
            mark("placing: put the spy, a rank, the king at the cursor, which goes on to the next zone"),
        ),
        ("+ * .", mark("placing: the flag, cursed land; take away what stands there")),
    )

    def step(self, context: ViewContext, direction: str) -> str:
        """North is up; the cursor stays on the map."""
        moment = snapshot(context)
        if moment.cursor is None:
            return zone(_beginning(moment))
        column, row = divmod(moment.cursor, ROWS)
        east, north = STEPS[direction]
        column = min(max(column + east, 0), len(COLUMNS) - 1)
        row = min(max(row + north, 0), ROWS - 1)
        return zone(column * ROWS + row)

    def point(self, context: ViewContext, place: str) -> tuple[str, bool]:
        """Picks a piece, lets it go, or names a zone."""
        moment = snapshot(context)
        at = ZONE_NAMED.get(place)
        if at is None:
            return "", False
        if is_setting_up(moment.state):
            return _placing(moment, at)
        pointed = _POINTED.get(moment.asked)
        return ("", False) if pointed is None else pointed(context, moment, at)

    def goes_on(self, context: ViewContext, rest: str) -> bool:
        """A zone follows a zone; a piece does where one is named with it."""
        typed = _LINK.sub("", rest.lower(), count=1)
        moment = snapshot(context)
        setting_up = is_setting_up(moment.state)
        if setting_up:
            typed = typed.partition(",")[0].rstrip()
        if (setting_up or moment.asked == "accuse") and names_piece(typed):
            return True
        return moment.asked != "accuse" and any(name.startswith(typed[-2:]) for name in NAMES)

    def stroke(self, context: ViewContext, key: str) -> str | None:
        """Figures and signs put pieces at the cursor, while the army is placed."""
        placing = is_setting_up(context.view.state) and context.draft is not None
        if not placing or not context.cursor or key not in _STROKES:
            return None
        return f"{context.cursor} {_STROKES[key]}"

    def onward(self, context: ViewContext) -> str:
        """The next own zone as one reads: to the east, then the row to the south; the last one stays."""
        moment = snapshot(context)
        own = sorted(own_zones(moment.state, moment.seat), key=lambda at: (-(at % ROWS), at))
        if moment.cursor not in own:
            return context.cursor
        at = own.index(moment.cursor) + 1
        return zone(own[at]) if at < len(own) else context.cursor


def _beginning(moment: Snapshot) -> Zone:
    """Where the cursor appears: the end of the last move, an own piece or zone, or amid the map."""
    if moment.trail is not None:
        return moment.trail[1]
    if moment.goals:
        return min(moment.goals)
    own = [at for at, seen in moment.pieces.items() if seen.seat == moment.seat]
    own = own or list(own_zones(moment.state, moment.seat))
    return own[len(own) // 2] if own else _MIDDLE


def _placing(moment: Snapshot, at: Zone) -> tuple[str, bool]:
    """Exchanges two zones; the cursor goes to an empty one, and a key then names its piece."""
    if at not in own_zones(moment.state, moment.seat) or at == moment.picked:
        return "", False
    if moment.picked is not None:
        return f"{zone(moment.picked)} {zone(at)}", True
    return (zone(at), False) if at in moment.pieces else ("", False)


def _move(_: ViewContext, moment: Snapshot, at: Zone) -> tuple[str, bool]:
    seen = moment.pieces.get(at)
    if at == moment.picked:
        return "", False
    if seen is not None and seen.seat == moment.seat:
        return zone(at), False
    return ("", False) if moment.picked is None else (zone(moment.picked) + zone(at), True)


def _take(context: ViewContext, moment: Snapshot, at: Zone) -> tuple[str, bool]:
    """A free one: the first time it is written, the second time said."""
    if moment.state.taken[TERRITORY_OF[at]] is not None:
        return "", False
    text = notation.take(TERRITORY_OF[at])
    return text, context.typed == text


def _zone(context: ViewContext, _: Snapshot, at: Zone) -> tuple[str, bool]:
    return zone(at), context.typed == zone(at)


def _several(number: int) -> Callable[[ViewContext, Snapshot, Zone], tuple[str, bool]]:
    """Zones one after the other; one that is named already is taken back."""

    def point(context: ViewContext, _: Snapshot, at: Zone) -> tuple[str, bool]:
        named = zones_in(context.typed)
        named = [other for other in named if other != at] if at in named else [*named, at]
        return " ".join(map(zone, named)), len(named) == number

    return point


def _accuse(_: ViewContext, moment: Snapshot, at: Zone) -> tuple[str, bool]:
    seen = moment.pieces.get(at)
    return (f"{zone(at)} ", False) if seen is not None and seen.seat != moment.seat else ("", False)


_POINTED: Final[Mapping[Kind, Callable[[ViewContext, Snapshot, Zone], tuple[str, bool]]]] = {
    "move": _move,
    "take": _take,
    "place": _zone,
    "flag": _zone,
    "regroup": _several(3),
    "look": _several(2),
    "accuse": _accuse,
}
