"""Records and the manifest of SPIES!: the points add up as the rules count them, and nothing is doubled."""

from __future__ import annotations

import re

import pytest

from cli.games.interface import Players, ViewContext
from cli.games.spies import manifest, panels, records
from cli.games.spies.map import board
from cli.games.spies.records import Sum
from cli.games.spies.snapshot import snapshot
from cli.text.layout import words
from p2p_stratego.spies.rules.atlas import POWERS
from p2p_stratego.spies.rules.counters import ALL_SECRETS, KINDS, LAST_YEAR
from p2p_stratego.spies.rules.points import power_points
from p2p_stratego.spies.rules.tiles import TILES
from p2p_stratego.spies.rules.underway import now
from tests.helpers.spies.moments import context
from tests.helpers.spies.observed import Observed, observed
from tests.helpers.spies.scene import golden

LATE: Observed = list(observed(3))[-1]


def test_at_the_end_the_rows_add_up_to_the_points_of_the_rules() -> None:
    moment = snapshot(context(golden()[-1]))
    for power, points in enumerate(moment.state.points):
        assert sum(row.points or 0 for row in records.score_rows(moment, power)) == points
        assert records.points(moment, power) == Sum(points, 0, 0, 0)
        assert records.short(moment, power) == str(points)


def test_with_all_cards_open_the_rows_are_what_the_rules_would_count() -> None:
    view = LATE.view(0)
    opened = LATE.opened(now(view), year=LAST_YEAR)
    moment = snapshot(ViewContext(opened.view(0), Players(("A", "B", "C"), 0)))
    for power in range(len(POWERS)):
        found = records.points(moment, power)
        assert found.closed == found.home_closed == 0
        assert found.points + found.home == power_points(moment.state, power)


@pytest.mark.parametrize("seat", range(3))
def test_a_seat_adds_up_what_it_knows_and_counts_the_rest(seat: int) -> None:
    moment = snapshot(context(LATE.view(seat)))
    for power in range(len(POWERS)):
        found, rows = records.points(moment, power), list(records.score_rows(moment, power))
        assert len(rows) - sum(row.points is None for row in rows) >= 0
        assert found.closed + found.home_closed == sum(row.points is None for row in rows)
        if moment.runs(power):
            assert found.home_closed == 0
    told = records.pages(context(LATE.view(seat)))
    assert sum("run by" in line for line in told) == len(POWERS)
    assert sum("counts 1933 ×" in line for line in told) == len(POWERS)


@pytest.mark.parametrize("seat", range(3))
def test_the_manifest_has_every_kind_of_chit_every_secret_and_every_tile(seat: int) -> None:
    of = context(LATE.view(seat))
    told = manifest.manifest(of)
    for kind in KINDS:
        assert sum(line.startswith(f"{kind.name.capitalize()}: {kind.copies};") for line in told) == 1
    numbers = [int(found[1]) for line in told if (found := re.match(r"[sc]\d, .*?: (\d+)", line))]
    assert sum(numbers) == len(ALL_SECRETS)
    tiles = [int(found[1]) for line in told if (found := re.match(r"(\d+) [A-Z]", line))]
    assert sorted(tiles) == sorted(TILES)
    state = now(of.view)
    assert sum("played by" in line for line in told) == len(state.played)
    own = sum(len(state.tiles[power]) for power in range(len(POWERS)) if state.runs[power] == seat)
    assert sum(": yours, " in line for line in told) == own


def test_who_only_watches_sees_the_same_public_things() -> None:
    of = ViewContext(LATE.knowing(({}, {}, {})).view(0), Players(("A", "B", "C"), None))
    lines = [words(line) for line in board.draw(of, *board.LEAST)]
    lines += [words(line) for panel in panels.panels(of, 40) for line in panel.lines]
    assert not any("None" in line or "(you)" in line for line in lines)
    assert not any(row.points is not None for row in records.score_rows(snapshot(of), 0) if row.home)
