"""Beside and below the map: the powers at a glance, a city, a spy's ways, the hand, records, the notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from cli.games.interface import Panel, ViewContext
from cli.games.spies import knowledge, laying, proposals, records
from cli.games.spies.chain import answering, deciding
from cli.games.spies.cities import cities_called
from cli.games.spies.manual import effect
from cli.games.spies.names import tokens
from cli.games.spies.snapshot import Snapshot, snapshot
from cli.text.layout import EMPTY, Line, both_ends, fit, longest, styled, told_apart, whole, width, wrapped
from cli.text.sanitize import cells, crop
from p2p_stratego.core.language import _, n_
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.rules.atlas import CITY_NAMED, City, Power
from p2p_stratego.spies.rules.counters import ACTION_POINTS, CHIT_NAMES
from p2p_stratego.spies.rules.observation import spy_face
from p2p_stratego.spies.rules.points import multiple
from p2p_stratego.spies.rules.tiles import TILES

_ROOM = (100, 12, 10, 9, 8, 7, 6)
"""Cells of a player's name, as many as a panel has room for."""
_LEAST = 5
"""Cells of a power's letter and name where there is hardly any room."""
_HEADED = 3
"""Cells of a panel's heading beside its title."""
_WIDE = 34
"""Columns from which on the figures of a power tell its points, too."""


def panels(context: ViewContext, columns: int, board: tuple[int, int] | None = None) -> list[Panel]:
    """The panels beside the map, the most useful first; no size of the `board` makes one superfluous."""
    del board
    moment = snapshot(context)
    powers = list(_powers(context, moment, columns))
    panels_shown = [Panel("powers", _("Powers"), powers, len(powers))]
    if moment.focus is not None:
        lines = _sentences(_looked_at(context, moment, moment.focus), columns)
        panels_shown.insert(0, Panel("city", _headed(moment, moment.focus, columns), lines, 3))
    if offer := proposals.pending(context.view):
        panels_shown.insert(0, Panel("offer", _("The offer"), _sentences(offer, columns), 3))
    own = _acting(context, moment)
    if own is not None and moment.state.phase not in ("secrets", "over"):
        lines = _hand(moment, own, columns)
        needed = deciding(context.view) == own  # the question is about this hand: it stands there in full
        hand = Panel(
            "hand", _("In hand: {power}", power=words.power(own)), lines, len(lines) if needed else 3
        )
        panels_shown.insert(bool(offer) if needed else len(panels_shown), hand)
    if moment.state.phase in ("tile", "turn", "over"):
        panels_shown.append(Panel("records", _("Records"), _records(moment, columns), 3))
    if context.notes and moment.state.phase in ("tile", "turn"):
        panels_shown.append(Panel("notes", _("Notes: closed spies"), _sentences(noted(moment), columns), 3))
    return panels_shown


def _acting(context: ViewContext, moment: Snapshot) -> Power | None:
    """The power of the player's decision: the power asked for a chit or a trade, else the power to move."""
    asked = answering(context.view)
    asked = deciding(context.view) if asked is None else asked
    return knowledge.acting(moment) if asked is None else asked


def _headed(moment: Snapshot, city: City, columns: int) -> str:
    """A city as a heading, with the key that takes it away where it is pointed at."""
    name = words.city(city)
    if moment.cursor is None:
        return name
    return longest((_("{name} (Esc closes)", name=name), f"{name} (Esc)", name), columns - _HEADED)


def _looked_at(context: ViewContext, moment: Snapshot, city: City) -> Iterator[str]:
    """A city; if the player's picked spy stands there, its voyages too."""
    yield from knowledge.city_texts(moment, context.players, city)
    if moment.picked is not None and moment.state.spies[moment.picked].city == city:
        yield from knowledge.voyages(city)


def _records(moment: Snapshot, columns: int) -> list[Line]:
    """The score of each power, under its years, with the multiples; secrets at home in one sum."""
    lines: list[Line] = []
    for power in knowledge.ALL_POWERS:
        now = multiple(power, moment.state.year)
        head = _(
            "{power}, now ×{now}: {score}.",
            power=words.power(power),
            now=now,
            score=records.score_text(moment.state, moment.known, power),
        )
        lines += wrapped((("", " "), *styled(head, *moment.worn(power))), columns, 2)
        rows = [row for row in records.score_rows(moment.state, moment.known, power) if not row.home]
        for year, kept in groupby(rows, key=lambda row: row.year):
            parts = [f"{row.name} ({'?' if row.points is None else row.points})" for row in kept]
            text = f"{year} ×{multiple(power, year)}: {'; '.join(parts)}"
            lines += wrapped((("", "  "), *styled(text, "dim")), columns, 3)
    return lines


def _sentences(sentences: Iterable[str], columns: int) -> list[Line]:
    return [line for text in sentences for line in wrapped((("", " "), *styled(text)), columns, 2)]


def _powers(context: ViewContext, moment: Snapshot, columns: int) -> Iterator[Line]:
    """Every power: who runs it, its pounds and chits; whose turn it is."""
    decides = deciding(context.view)
    state, figures = moment.state, [_figures(moment, power, columns) for power in knowledge.ALL_POWERS]
    called = [f"{knowledge.letter(power)} {words.power(power)}" for power in knowledge.ALL_POWERS]
    rooms = [columns - width(figure) - cells("▶ ") for figure in figures]
    for most, edge in ((_ROOM[0], 1), *((most, 0) for most in _ROOM)):  # with a blank at the edge, or without
        run_by = _run_by(context, moment, most)
        rows = zip(called, run_by, rooms, strict=True)
        if all(cells(name) + cells(runner) <= room - edge for name, runner, room in rows):
            break
    for power, name, runner, room, figure in zip(
        knowledge.ALL_POWERS, called, run_by, rooms, figures, strict=True
    ):
        worn, turn = moment.worn(power), power == (state.power if decides is None else decides)
        turn = turn and state.phase != "over"
        left = (
            *styled("▶" if turn else " ", "strong"),
            *fit(styled(name, *worn, "strong"), min(cells(name), max(room - cells(runner), _LEAST))),
            *styled(f" {runner}", *(("dim",) if state.idle(power) else worn)),
        )
        yield both_ends(left, (*figure, ("", " " * edge)), columns)


def _figures(moment: Snapshot, power: Power, columns: int) -> Line:
    text = _("{purse} {count}c", purse=knowledge.purse(moment, power), count=len(moment.state.hands[power]))
    points = f" {records.short(moment.state, moment.known, power):>3}p" * (columns >= _WIDE)
    return styled(f" {text}{points}", "dim")


def _run_by(context: ViewContext, moment: Snapshot, most: int) -> list[str]:
    """By power, the player who runs it, each in at most so many cells, but still distinct."""
    names = context.players.names
    short, brief = told_apart(names, most), most < _ROOM[0]
    names_shown = []
    for seat in moment.state.runs:
        if seat is None:
            names_shown.append(crop(_("nobody"), _ROOM[-1]) if brief else _("nobody"))
        elif seat == context.players.me:
            names_shown.append(_("you") if brief else names[seat] + _(" (you)"))
        else:
            names_shown.append(short[seat])
    return names_shown


def _hand(moment: Snapshot, power: Power, columns: int) -> list[Line]:
    fit_, later = knowledge.tiles(moment, power)
    chits = ", ".join(map(whole, knowledge.chits(moment, power, priced=True)))
    sentences = [_("Chits, £/points: {chits}.", chits=chits or _("none"))]
    sentences += [_("This year: {tile_told}", tile_told=knowledge.tile_text(face)) for face in fit_]
    if later:
        sentences.append(_("Other tiles: {short}.", short=", ".join(_short(face) for face in later)))
    return _sentences(sentences, columns)


def _short(face: int) -> str:
    span = TILES[face].years
    return whole(f"{face} ({span[0] % 100}-{span[-1] % 100})")


def noted(moment: Snapshot) -> Iterator[str]:
    """The possible faces of the others' closed spies, like ones together."""
    for power in knowledge.ALL_POWERS:
        if moment.runs(power):
            continue
        closed = [
            spy for spy, _ in moment.state.own(power) if spy_face(moment.state, spy, moment.known) is None
        ]
        if closed:
            codes = ", ".join(words.spy(spy, None) for spy in closed)
            yield f"{codes}: {knowledge.can_be(moment, closed[0])}."


def tray(context: ViewContext, columns: int) -> Line:
    """The year, the points and spaces left, and the chits of the power that the player acts for."""
    moment = snapshot(context)
    state, own = moment.state, _acting(context, moment)
    if own is None:
        return EMPTY
    left = styled(f" {words.power(own)} ", *moment.worn(own), "strong")
    if own == state.power and state.phase == "turn":
        left += styled(_("{ap} of {action_points} points ", ap=state.ap, action_points=ACTION_POINTS), "dim")
    if moment.picked is not None and moment.picked in dict(state.own(state.power)):
        left += styled(
            n_(
                "{spy}: {count} space ",
                "{spy}: {count} spaces ",
                state.spaces(moment.picked),
                spy=words.spy(moment.picked, None),
            ),
            "dim",
        )
    left += styled(f"{knowledge.purse(moment, own)}  ", "strong")
    return fit((*left, *styled(_chits(moment, own, columns - width(left)), "strong")), columns)


def _chits(moment: Snapshot, power: Power, room: int) -> str:
    """The chits in a hand, as many as stand whole in so many cells; behind them the key that tells all."""
    names = knowledge.chits(moment, power)
    fewer = [", ".join([*names[:count], "… F9"]) for count in range(len(names) - 1, -1, -1)]
    return longest((", ".join(names), *fewer), room) if names else _("no chits")


def explain(context: ViewContext) -> Line:
    """One line about the pointed or typed thing: a chit, a tile, a city."""
    moment = snapshot(context)
    if explanation := laying.explained(context) or proposals.explained(context):
        return styled(explanation, "dim")
    for word in reversed(tokens(context.typed)):
        kinds = [kind for kind, name in enumerate(CHIT_NAMES) if name == word]
        if kinds:
            text = f" {knowledge.prices(kinds[0])}. {effect(kinds[0])}"
            return styled(words.chit(kinds[0]) + ":", "strong") + styled(text, "dim")
        if word.isdigit() and int(word[:3]) in TILES and tokens(context.typed)[0] in ("play", "discard"):
            return styled(knowledge.tile_text(int(word)), "dim")
        cities = cities_called(word) if len(word) > 2 else []
        if len(cities) == 1:
            city = CITY_NAMED[cities[0]]
            return styled(" ".join(knowledge.city_texts(moment, context.players, city)), "dim")
    if moment.picked is not None and moment.state.spies[moment.picked].where == "map":
        return styled(" ".join(knowledge.piece_texts(moment, moment.picked)), "dim")
    if moment.cursor is not None:
        return styled(" ".join(knowledge.city_texts(moment, context.players, moment.cursor)), "dim")
    return EMPTY
