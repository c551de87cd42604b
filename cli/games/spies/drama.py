"""The visible events of a step of SPIES!: voyages with dice, searches, discoveries, sanctions, secrets home.

At the end of a year, the standing of each power, its gains and its losses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cli.games.drama import Capture, CardTurn, Closing, DiceRoll, DramaEvent, Figure, Finale
from cli.games.interface import Players
from cli.games.spies import records
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import _, mark, n_
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.formats.narration import tell
from p2p_stratego.spies.rules.atlas import Power
from p2p_stratego.spies.rules.points import at_home
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


def closing(steps: Sequence[tuple[State, State]], players: Players) -> Closing | None:
    """The standing of each power after a year, with what it gained and what it lost in it."""
    before, after = steps[-1]
    played = before.phase in ("tile", "turn")
    if not played or (after.year == before.year and after.ended is None):
        return None
    deeds = [event for was, now in steps if now.report is not was.report for event in now.report]
    gains = tuple(
        (seat, _standing(after, power, players.subject(seat)), _balance(steps[0][0], after, power, deeds))
        for power, seat in enumerate(before.runs)
        if seat is not None
    )
    return Closing(_("{year} is over", year=before.year), gains)


def _standing(state: State, power: Power, runner: str) -> str:
    """The points of a power that all know, and whose it is."""
    sums = records.points(state, {}, power)
    closed = n_("{count} closed secret", "{count} closed secrets", sums.closed)
    return n_(
        "{power} ({who}), {count} point{closed}",
        "{power} ({who}), {count} points{closed}",
        sums.points,
        power=words.power(power),
        who=runner,
        closed=_(" and {counted}", counted=closed) if sums.closed else "",
    )


def _balance(before: State, after: State, power: Power, deeds: Sequence[Event]) -> str:
    """The gains and the losses of a power in a year, which began with the first state."""
    gained, lost = _gained(power, deeds), _lost(before, after, power, deeds)
    if not lost:
        return gained or _("nothing gained, nothing lost")
    return _("{gained}; lost: {lost}", gained=gained or _("nothing gained"), lost=lost)


def _gained(power: Power, deeds: Sequence[Event]) -> str:
    """The deeds of a power that bring points, money or chits."""
    own = [event for event in deeds if event.power == power]
    count = {kind: sum(event.kind == kind for event in own) for kind in ("cashes", "captured", "killed")}
    pounds = sum(sum(event.numbers[:1]) for event in own if event.kind == "gains")
    parts = [n_("{count} secret home", "{count} secrets home", count["cashes"])] * bool(count["cashes"])
    parts += [n_("{count} spy caught", "{count} spies caught", count["captured"])] * bool(count["captured"])
    parts += [n_("{count} spy killed", "{count} spies killed", count["killed"])] * bool(count["killed"])
    parts += [_("{pounds} for its spies", pounds=words.pounds(pounds))] * bool(pounds)
    return " · ".join(parts)


def _lost(before: State, after: State, power: Power, deeds: Sequence[Event]) -> str:
    """The spies of a power that were caught or killed, and its secrets that others have taken from home."""
    spies = sum(
        event.kind in ("captured", "killed") and after.spies[event.spy].power == power for event in deeds
    )
    secrets = sum(
        was.owner == power and at_home(was) and not at_home(now) and now.by != power
        for was, now in zip(before.secrets, after.secrets, strict=True)
    )
    parts = [n_("{count} spy", "{count} spies", spies)] * bool(spies)
    parts += [n_("{count} secret from home", "{count} secrets from home", secrets)] * bool(secrets)
    return " · ".join(parts)
