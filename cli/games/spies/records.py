"""The score of each power of SPIES! so far: its record by year with multiples, and its known points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from cli.games.interface import ViewContext
from p2p_stratego.core.game import Face, Slot
from p2p_stratego.core.language import _, n_
from p2p_stratego.core.narration import listed
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.rules.atlas import POWERS, Power
from p2p_stratego.spies.rules.counters import A_TILE, FIRST_YEAR, LAST_YEAR, MARKER
from p2p_stratego.spies.rules.observation import secret_face
from p2p_stratego.spies.rules.points import at_home, captive, multiple, worth
from p2p_stratego.spies.rules.state import State
from p2p_stratego.spies.rules.tiles import is_coloured
from p2p_stratego.spies.rules.underway import now

Known: TypeAlias = Mapping[Slot, Face]
"""The cards that a player knows; none for what all know."""


class ScoreRow(NamedTuple):
    """A line of the score sheet of a power."""

    year: int
    """The year under which it lies; of a secret at home, the last one."""
    name: str
    points: int | None
    """None: the player does not know its value."""
    home: bool = False
    """Whether the line is an original secret at its first city: it counts only if it still lies there at the
    end."""


def final(state: State) -> Sequence[int]:
    """By seat, the score at the end; empty while nothing is counted."""
    return state.scores


def score_rows(state: State, known: Known, power: Power) -> Iterator[ScoreRow]:
    """Everything that counts for a power now, by year; secrets at home last."""
    all_rows = [*_cashed(state, known, power), *_spies(state, power), *_tiles(state, power)]
    yield from sorted(all_rows, key=lambda row: row.year)
    yield from _homes(state, known, power)


def _cashed(state: State, known: Known, power: Power) -> Iterator[ScoreRow]:
    for secret, lying in enumerate(state.secrets):
        if lying.where == "cashed" and lying.by == power:
            face = secret_face(state, secret, known)
            points = None if face is None else worth(face, multiple(power, lying.lost))
            content = _("closed") if face is None else words.content(face)
            yield ScoreRow(lying.lost, f"{words.secret(lying.origin)}, {content}", points)


def _spies(state: State, power: Power) -> Iterator[ScoreRow]:
    for number, spy in enumerate(state.spies):
        if spy.where == "captured" and spy.captor == power and spy.face is not None:
            sentence = _("{spy} captured", spy=words.spy(number, spy.face))
            yield ScoreRow(spy.year, sentence, captive(state, spy, spy.face))
    for marker in state.markers:
        if marker.power == power:
            sentence = _("{spy} killed", spy=words.spy(marker.victim, state.spies[marker.victim].face))
            yield ScoreRow(marker.year, sentence, MARKER * multiple(power, marker.year))


def _tiles(state: State, power: Power) -> Iterator[ScoreRow]:
    for play in state.played:
        if play.power == power:
            points = A_TILE if is_coloured(play.tile) else 0
            yield ScoreRow(play.year, _("tile {tile}", tile=words.tile(play.tile)), points)


def _homes(state: State, known: Known, power: Power) -> Iterator[ScoreRow]:
    """Its own secrets where they began, as they would count at the end."""
    last = last_year(state)
    times = multiple(power, last)
    for secret, lying in enumerate(state.secrets):
        if lying.owner == power and at_home(lying):
            face = secret_face(state, secret, known)
            points = None if face is None else worth(face, times)
            content = _("closed") if face is None else words.content(face)
            yield ScoreRow(last, f"{words.secret(lying.origin)}, {content}", points, home=True)


def last_year(state: State) -> int:
    """The year whose multiples count at the end, as far as can be told."""
    return state.year if state.crisis or state.phase == "over" else LAST_YEAR


class Sum(NamedTuple):
    """The points of a power, as far as the player knows."""

    points: int
    """On record: nothing takes them away."""
    closed: int
    """Things on record whose value is unknown."""
    home: int
    """The points that the secrets at home would add at the end."""
    home_closed: int


def points(state: State, known: Known, power: Power) -> Sum:
    """Add up."""
    if state.points:
        return Sum(state.points[power], 0, 0, 0)
    all_rows = list(score_rows(state, known, power))
    record, home = ([row.points for row in all_rows if row.home == at] for at in (False, True))
    return Sum(
        sum(value or 0 for value in record),
        record.count(None),
        sum(value or 0 for value in home),
        home.count(None),
    )


def short(state: State, known: Known, power: Power) -> str:
    """The points on record in a few cells: "12", "12+" if closed things come to them."""
    sums = points(state, known, power)
    return f"{sums.points}{'+' * bool(sums.closed)}"


def score_text(state: State, known: Known, power: Power) -> str:
    """The points of a power in a sentence."""
    sums = points(state, known, power)
    if state.points:
        return _("{counted} at the end", counted=n_("{count} point", "{count} points", sums.points))
    closed = (
        _(" and {counted}", counted=n_("{count} closed secret", "{count} closed secrets", sums.closed))
        if sums.closed
        else ""
    )
    home = [n_("{count} point", "{count} points", sums.home)] * bool(sums.home)
    home += [n_("{count} closed secret", "{count} closed secrets", sums.home_closed)] * bool(sums.home_closed)
    behind = _("; at home so far: {home}", home=listed(home)) if home else ""
    return _(
        "{counted}{closed} on record{behind}",
        counted=n_("{count} point", "{count} points", sums.points),
        closed=closed,
        behind=behind,
    )


def pages(context: ViewContext) -> list[str]:
    """All powers: points, multiples by year, and every thing on record under its year."""
    state, known = now(context.view), context.view.known
    lines = []
    for power in range(len(POWERS)):
        seat = state.runs[power]
        runner = _("nobody") if seat is None else context.players.subject(seat)
        lines.append(
            _(
                "{power} (run by {who}): {score}.",
                power=words.power(power),
                who=runner,
                score=score_text(state, known, power),
            )
        )
        years = range(FIRST_YEAR, LAST_YEAR + 1)
        times = ", ".join(f"{year} ×{multiple(power, year)}" for year in years)
        lines.append(_("A value counts {times}.", times=times))
        for row in score_rows(state, known, power):
            when = _("at home") if row.home else str(row.year)
            worth = "?" if row.points is None else str(row.points)
            lines.append(f"{when}: {row.name}: {worth}.")
        lines.append("")
    return lines[:-1]
