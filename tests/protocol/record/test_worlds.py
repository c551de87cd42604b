"""Every world of a few small tables, and that the search would find what it is there to find."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from protocol.record.silence import rules
from protocol.record.silence.absences import Absences
from protocol.seat.follower import Follower
from protocol.seat.session import Session
from tests.campaigns.silence_model import MODEL, WEAKER, weaker
from tests.campaigns.worlds.campaign import few, summary
from tests.campaigns.worlds.plan import SILENCE, Arena, Bounds
from tests.campaigns.worlds.search import Search

pytestmark = pytest.mark.model
LEAVING_PAGE = Path(MODEL).with_name("leaving.md")
DECIDER_LIES = Arena("the decider lies", 12, frozenset({2}), kinds=SILENCE, bounds=Bounds(2, 1, 1))
MOST = 1000
"""Worlds within which each planted fault shows."""


@pytest.mark.parametrize("arena", [*islice(few(), 2)], ids=lambda arena: str(arena.name))
def test_no_property_falls_in_any_world(arena: Arena) -> None:
    search = Search(arena).run()
    assert search.fell is None, (search.fell, search.way)
    assert search.whole
    assert search.quiet > 30
    assert "all" in summary(search)


@pytest.mark.parametrize(
    ("number", "forged", "owner", "name", "fault"),
    [
        (1, 1, rules, "may_remove", lambda place, seat, _: seat == place.decider),
        (2, 2, Absences, "check_superseding", lambda *_: None),
        (5, 1, Follower, "_stop", lambda *_: None),
        (7, 1, Session, "_say_back", lambda _: None),
    ],
    ids=["a Gone without AWAYs", "a Gone undoes what stands", "a fault is not kept", "nobody says BACK"],
)
def test_the_search_finds_a_planted_fault(
    number: int,
    forged: int,
    owner: object,
    name: str,
    fault: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`number`: of the property that falls; the events that lead there are told."""
    monkeypatch.setattr(owner, name, fault)
    search = Search(replace(DECIDER_LIES, bounds=Bounds(2, forged, 1))).run(most=MOST)
    assert search.fell is not None
    assert search.fell.number == number
    assert search.way


def test_the_model_of_silence_names_each_rule_that_it_has_and_those_that_it_leaves_out() -> None:
    """Spin itself runs by `make model`; the words are compared here."""
    page = LEAVING_PAGE.read_text(encoding="utf-8")
    heading = page.partition("### 10.10 ")[2].partition("### 10.11 ")[0]
    rules = {f"10.10.{number}" for number in re.findall(r"^(\d+)\. ", heading, re.MULTILINE)}
    named = set(re.findall(r"10\.10\.\d+", MODEL.read_text(encoding="utf-8")))
    assert rules - named == {f"10.10.{number}" for number in (13, 14, 15)}  # within "10.10.12 to 10.10.16"
    assert named <= rules
    culprits = {f"10.12.{number}" for number in range(1, 5)}
    assert culprits <= set(re.findall(r"10\.12\.\d+", MODEL.read_text(encoding="utf-8")))


@pytest.mark.parametrize("rule", WEAKER)
def test_each_rule_that_is_weakened_stands_once_in_the_model(rule: str) -> None:
    assert weaker(rule) != MODEL.read_text(encoding="utf-8")
