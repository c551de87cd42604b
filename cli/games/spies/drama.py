"""The visible events of a step of SPIES!: voyages with dice, searches, discoveries, sanctions, secrets home.

At the end of a year, the gains of each power in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cli.games.drama import Capture, CardTurn, Closing, DiceRoll, DramaEvent, Figure, Finale
from cli.games.interface import Players
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import _, mark, n_
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.formats.narration import tell
from p2p_stratego.spies.rules.atlas import POWERS, Power
from p2p_stratego.spies.rules.state import Event, State

_TAKEN: Final = {
    "cashes": mark("A secret is home"),
    "intercepts": mark("Intercepted"),
    "controls": mark("A secret is found"),
    "takes": mark("A secret is taken"),
    "plays tile": mark("A tile"),
    "recruited": mark("A spy is back"),
}
"""By kind of event, the title of what comes into other hands."""
_TURNED: Final = {
    "captured": mark("A spy is caught"),
    "killed": mark("A spy is killed"),
    "counterspy": mark("Counterspy"),
    "survives": mark("Counterspy"),
    "is the cousin": mark("Shown"),
    "discovery fails": mark("Discovery"),
    "sanction fails": mark("Sanction"),
    "escape fails": mark("Escape"),
    "escapes": mark("Escape"),
    "too strong": mark("A search"),
}
"""By kind of event, the title of what turns out."""
_FAILS: Final = ("discovery fails", "sanction fails", "escape fails", "captured", "killed")
FINALE: Final[Finale] = {
    "won": (
        "      ╭──╮",
        "  ╭───┴──┴───╮",
        "  │███ ★★ ███│",
        "  │███ ◆◆ ███│",
        "  ╰──────────╯",
    ),
    "lost": (
        "      ╭──╮",
        "  ╭───┴──┴───╮",
        "  │   ░  ░   │",
        "  │ ░    ░   │",
        "  ╰──────────╯",
    ),
    "drawn": (
        "      ╭──╮",
        "  ╭───┴──┴───╮",
        "  │███ ?? ███│",
        "  │███ ?? ███│",
        "  ╰──────────╯",
    ),
}
"""By result: the case comes home full, comes home empty, is still on its way."""


def events(before: State, after: State, players: Players) -> list[DramaEvent]:
    """The events of the step between two states."""
    if after.report is before.report:
        return []
    return [scene for event in after.report for scene in _of(after, event, players)]


def _of(state: State, event: Event, players: Players) -> Iterator[DramaEvent]:
    kind, sentence = event.kind, tell(state, event, players.names)
    if kind == "sails":
        yield DiceRoll(_("A voyage"), event.numbers, sentence)
    elif kind in _TAKEN:
        yield Capture(_(_TAKEN[kind]), _seat(state, max(event.power, 0)), "■", sentence)
    elif kind in _TURNED:
        power = event.spy // 5 if event.spy >= 0 else max(event.power, 0)
        face = state.spies[event.spy].face if event.spy >= 0 else None
        sign = "?" if face is None else str(face)
        name = words.spy(event.spy, face) if event.spy >= 0 else ""
        figure = Figure(_seat(state, power), sign, name, words.power(power))
        yield CardTurn(_(_TURNED[kind]), figure, sentence, kind not in _FAILS)


def _seat(state: State, power: Power) -> Seat:
    """The seat of a power, for its colour.

    A power without a seat has no visible event, so its 0 never shows.
    """
    return state.runs[power] or 0


def closing(steps: Sequence[tuple[State, State]], _players: Players) -> Closing | None:
    """The gains of the powers in a year, once it is over."""
    before, after = steps[-1]
    played = before.phase in ("tile", "turn")
    if not played or (after.year == before.year and after.ended is None):
        return None
    deeds = [event for was, now in steps if now.report is not was.report for event in now.report]
    gains = tuple(
        (_seat(before, power), words.power(power), _gained(power, deeds)) for power in range(len(POWERS))
    )
    return Closing(_("{year} is over", year=before.year), gains)


def _gained(power: Power, deeds: Sequence[Event]) -> str:
    """The deeds of a power that bring points, money or chits."""
    own = [event for event in deeds if event.power == power]
    count = {kind: sum(event.kind == kind for event in own) for kind in ("cashes", "captured", "killed")}
    pounds = sum(sum(event.numbers[:1]) for event in own if event.kind == "gains")
    parts = [n_("{count} secret home", "{count} secrets home", count["cashes"])] * bool(count["cashes"])
    parts += [n_("{count} spy caught", "{count} spies caught", count["captured"])] * bool(count["captured"])
    parts += [n_("{count} spy killed", "{count} spies killed", count["killed"])] * bool(count["killed"])
    parts += [_("{pounds} for its spies", pounds=words.pounds(pounds))] * bool(pounds)
    return " · ".join(parts) or _("nothing")
