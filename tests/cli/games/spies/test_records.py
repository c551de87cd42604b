"""Records and the manifest of SPIES!: the points add up as the rules count them, and nothing is doubled."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from cli.games.interface import Players, ViewContext
from cli.games.spies import drama, manifest, panels, records
from cli.games.spies.map import board
from cli.games.spies.records import Sum
from cli.games.spies.snapshot import snapshot
from cli.text.layout import words
from p2p_stratego.spies.rules.atlas import POWERS
from p2p_stratego.spies.rules.counters import ALL_SECRETS, KINDS, LAST_YEAR
from p2p_stratego.spies.rules.points import power_points
from p2p_stratego.spies.rules.state import State
from p2p_stratego.spies.rules.tiles import TILES
from p2p_stratego.spies.rules.underway import now
from tests.helpers.spies.moments import context
from tests.helpers.spies.observed import Observed, observed
from tests.helpers.spies.scene import golden

POWER_NAMES = ("Germany", "Italy", "Russia", "France", "Britain")
LATE: Observed = list(observed(3))[-1]


def test_at_the_end_the_rows_add_up_to_the_points_of_the_rules() -> None:
    moment = snapshot(context(golden()[-1]))
    for power, points in enumerate(moment.state.points):
        assert sum(row.points or 0 for row in records.score_rows(moment.state, moment.known, power)) == points
        assert records.points(moment.state, moment.known, power) == Sum(points, 0, 0, 0)
        assert records.short(moment.state, moment.known, power) == str(points)


def test_with_all_cards_open_the_rows_are_what_the_rules_would_count() -> None:
    view = LATE.view(0)
    opened = LATE.opened(now(view), year=LAST_YEAR)
    moment = snapshot(ViewContext(opened.view(0), Players(("A", "B", "C"), 0)))
    for power in range(len(POWERS)):
        points = records.points(moment.state, moment.known, power)
        assert points.closed == points.home_closed == 0
        assert points.points + points.home == power_points(moment.state, power)


def test_a_year_ends_with_the_standing_of_each_power_and_with_what_it_lost() -> None:
    players, steps = Players(("A", "B", "C"), 0), list[tuple[State, State]]()
    lost = gained = 0
    for before, after in pairwise(dict.fromkeys(view.state for view in golden())):
        steps.append((before, after))
        closing = drama.closing(steps, players)
        if closing is None:
            continue
        run = [(power, seat) for power, seat in enumerate(before.runs) if seat is not None]
        assert [seat for seat, _who, _why in closing.gains] == [seat for _power, seat in run]
        for (power, seat), (_seat, who, why) in zip(run, closing.gains, strict=True):
            taken = [
                spy
                for was, now in steps
                for spy, (there, then) in enumerate(zip(was.spies, now.spies, strict=True))
                if there.power == power and there.where == "map" and then.where not in ("map", "reserve")
            ]
            assert (f"{len(taken)} spies" in why or "1 spy" in why.partition("lost: ")[2]) == bool(taken)
            assert who.startswith(f"{POWER_NAMES[power]} ({players.subject(seat)}), ")
            assert who.split("), ")[1].split(" ")[0] == str(records.points(after, {}, power).points)
            lost, gained = lost + len(taken), gained + (not why.startswith("nothing"))
        steps.clear()
    assert lost
    assert gained


@pytest.mark.parametrize("seat", range(3))
def test_a_seat_adds_up_what_it_knows_and_counts_the_rest(seat: int) -> None:
    moment = snapshot(context(LATE.view(seat)))
    for power in range(len(POWERS)):
        points, rows = (
            records.points(moment.state, moment.known, power),
            list(records.score_rows(moment.state, moment.known, power)),
        )
        assert len(rows) - sum(row.points is None for row in rows) >= 0
        assert points.closed + points.home_closed == sum(row.points is None for row in rows)
        if moment.runs(power):
            assert points.home_closed == 0
    lines = records.pages(context(LATE.view(seat)))
    assert sum("run by" in line for line in lines) == len(POWERS)
    assert sum("counts 1933 ×" in line for line in lines) == len(POWERS)


@pytest.mark.parametrize("seat", range(3))
def test_the_manifest_has_every_kind_of_chit_every_secret_and_every_tile(seat: int) -> None:
    of = context(LATE.view(seat))
    lines = manifest.manifest(of)
    for kind in KINDS:
        assert sum(line.startswith(f"{kind.name.capitalize()}: {kind.copies};") for line in lines) == 1
    numbers = [int(hit[1]) for line in lines if (hit := re.match(r"[sc]\d, .*?: (\d+)", line))]
    assert sum(numbers) == len(ALL_SECRETS)
    tiles = [int(hit[1]) for line in lines if (hit := re.match(r"(\d+) [A-Z]", line))]
    assert sorted(tiles) == sorted(TILES)
    state = now(of.view)
    assert sum("played by" in line for line in lines) == len(state.played)
    own = sum(len(state.tiles[power]) for power in range(len(POWERS)) if state.runs[power] == seat)
    assert sum(": yours, " in line for line in lines) == own


def test_who_only_watches_sees_the_same_public_things() -> None:
    of = ViewContext(LATE.knowing(({}, {}, {})).view(0), Players(("A", "B", "C"), None))
    lines = [words(line) for line in board.draw(of, *board.LEAST)]
    lines += [words(line) for panel in panels.panels(of, 40) for line in panel.lines]
    assert not any("None" in line or "(you)" in line for line in lines)
    assert not any(
        row.points is not None for row in records.score_rows(now(of.view), of.view.known, 0) if row.home
    )
