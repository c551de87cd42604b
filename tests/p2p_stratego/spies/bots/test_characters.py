"""The opponents of SPIES!: the habit told of each shows in its play."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from p2p_stratego.core.game import Choose
from p2p_stratego.core.self_play import allowed, play
from p2p_stratego.core.view import View
from p2p_stratego.registry import make_bot
from p2p_stratego.spies.bots.recruit import Recruit
from p2p_stratego.spies.rules.act import put
from p2p_stratego.spies.rules.atlas import CITY_NAMED
from p2p_stratego.spies.rules.counters import PAPERS, SANCTION
from p2p_stratego.spies.rules.game import GAME
from p2p_stratego.spies.rules.notation import ACCEPT, DECLINE, END
from p2p_stratego.spies.rules.state import SPY_STAGE, State
from tests.helpers.spies.openings import changed, holding, opening, standing

HOME = {"ge2": "berlin", "ge3": "berlin", "ge4": "berlin", "ge5": "berlin"}


def says(level: str, view: View[State], seed: int = 1) -> str:
    return str(make_bot("spies", level, Random(seed)).decide(view))


def guest() -> View[State]:
    """A spy of russia stands in cologne among german police."""
    view = changed(standing(opening(), ru1="cologne", **HOME), stage=1)
    units = tuple(unit._replace(city=CITY_NAMED["cologne"]) for unit in view.state.police[0][:2])
    return changed(view, police=put(view.state.police, 0, units))


@pytest.mark.parametrize(
    ("level", "searches"),
    [("agent", True), ("gambler", True), ("quartermaster", True), ("diplomat", False), ("cadet", False)],
)
def test_the_diplomat_and_the_cadet_search_nobody(level: str, *, searches: bool) -> None:
    assert (says(level, guest()) == "search cologne") is searches


def raid(city: str) -> View[State]:
    """It is 1937, and one spy of germany is abroad, with a Sanction and Papers in its hand."""
    view = holding(standing(opening(), ge1=city, **HOME), 0, SANCTION, PAPERS)
    known = {**view.known, view.state.spies[0].slot: 0}
    return changed(
        View(0, view.state, known, view.decision),
        year=1937,
        stage=SPY_STAGE,
        finished=tuple(range(1, 5)),
    )


def test_the_cadet_likes_a_plan_by_its_looks() -> None:
    view = raid("leipzig")
    assert len({says("agent", view, seed) for seed in range(6)}) == 1
    assert len({says("cadet", view, seed) for seed in range(6)}) > 1


def accepts(level: str, pounds: int) -> bool:
    """Whether france buys a chit of germany, unseen, for so much."""
    money = (5, 5, 5, 90, 5)
    view = changed(
        opening(),
        stage=SPY_STAGE,
        finished=tuple(range(5)),
        talks=(3,),
        partner=3,
        proposals=1,
        money=money,
        least=money,
    )
    part = f"propose 0 0 {pounds} 0"
    since = ((Choose(0, (part,)), part),)
    asked = View(3, view.state, view.known, Choose(3, (ACCEPT, DECLINE)), since)
    return str(make_bot("spies", level, Random(1)).decide(asked)) == ACCEPT


def test_the_diplomat_pays_more_for_what_it_has_not_seen() -> None:
    dearest = {
        level: max((pounds for pounds in range(1, 15) if accepts(level, pounds)), default=0)
        for level in ("agent", "diplomat")
    }
    assert dearest["agent"] < dearest["diplomat"]


@pytest.mark.parametrize("city", ["hamburg", "vienna"])
def test_the_gambler_spends_the_chits_that_others_keep(city: str) -> None:
    assert says("gambler", raid(city)).startswith("sanction ")
    assert not says("agent", raid(city)).startswith("sanction ")


@pytest.mark.parametrize("city", ["vienna", "warsaw"])
def test_the_quartermaster_stays_where_others_go_on(city: str) -> None:
    assert says("quartermaster", raid(city)) == END
    assert says("agent", raid(city)) != END


class Enough(Exception):
    """As many decisions were looked at as wanted."""


class Watched:
    """A recruit; now and then a spymaster is asked in its place, twice."""

    def __init__(self, seed: str, left: list[int]) -> None:
        self._recruit, self._chance, self._left = Recruit(Random(seed)), Random(seed), left

    def decide(self, view: View[State]) -> Any:
        if self._chance.random() > 0.05:
            return self._recruit.decide(view)
        if not self._left:
            raise Enough
        seed = self._left.pop()
        decided, again = (make_bot("spies", "spymaster", Random(seed)).decide(view) for _ in range(2))
        assert decided == again
        assert allowed(view.asked, decided)
        return decided


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_spymasters_keep_every_rule_and_their_chance_alone_varies_them(seats: int) -> None:
    left = [*range(16)]
    with pytest.raises(Enough):
        play(GAME, [Watched(f"{seat}", left) for seat in range(seats)], {}, Random(seats))
    assert not left
