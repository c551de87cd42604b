"""Diplomacy and bids of the agent: both gain, nothing is given away, and talks come to an end."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_stratego.core.game import Choose, Move
from p2p_stratego.core.view import View
from p2p_stratego.spies.bots.agent import Agent
from p2p_stratego.spies.bots.bids import limit, worth_of_russia
from p2p_stratego.spies.bots.deals import PATIENCE
from p2p_stratego.spies.bots.turn import Turn
from p2p_stratego.spies.rules.act import put
from p2p_stratego.spies.rules.bids import bid_options, pay_options
from p2p_stratego.spies.rules.counters import COVER, DISCOVERY, DROP, INTERCEPT, PAPERS
from p2p_stratego.spies.rules.notation import ACCEPT, DECLINE, END
from p2p_stratego.spies.rules.state import SPY_STAGE, State
from p2p_stratego.spies.rules.turn.trade import MOST_PROPOSALS, Proposals
from tests.helpers.machine.examples import examples
from tests.helpers.spies.openings import carrying, changed, decision_of, holding, opening, standing

FULL = (PAPERS, PAPERS, PAPERS, PAPERS, COVER, COVER, COVER, INTERCEPT, INTERCEPT, DROP)


def idle(view: View[State], **changes: Any) -> View[State]:
    """Nothing is left to do but to talk."""
    return changed(view, **{"stage": SPY_STAGE, "finished": tuple(range(5)), "ap": 2, **changes})


def poor_with_full_hand() -> View[State]:
    """Germany has ten chits and no money; france has money and few chits."""
    view = holding(opening(), 0, *FULL)
    hands = put(view.state.hands, 3, view.state.hands[3][:2])
    return idle(view, hands=hands, money=(0, 0, 0, 60, 0), least=(0, 0, 0, 60, 0))


def answered(view: View[State], seat: int, *parts: Move) -> Move:
    """What an agent on another seat says to a proposal with these parts; it knows its own chits."""
    state = view.state
    own = {
        slot: PAPERS for power, hand in enumerate(state.hands) if state.runs[power] == seat for slot in hand
    }
    since = tuple((Choose(0, (part,)), part) for part in parts)
    ask = Choose(seat, (ACCEPT, DECLINE))
    return str(Agent(Random(1)).decide(View(seat, state, {**view.known, **own}, ask, since)))


def test_who_is_poor_sells_a_chit_that_it_does_not_need() -> None:
    view = poor_with_full_hand()
    assert decision_of(view) == "diplomacy france"
    talking = changed(view, talks=(3,), ap=1)
    assert decision_of(talking) == "propose france"
    state = talking.state._replace(partner=3, proposals=1)
    proposals = Proposals(state, 0, 3)
    proposed = str(Agent(Random(1)).decide(View(0, state, view.known, Choose(0, proposals))))
    assert proposed in proposals
    _, offered, chits, wanted, number = proposed.split()
    assert (offered, number, len(chits)) == ("0", "0", 1)
    assert int(wanted) > 0
    assert FULL[int(chits)] in (PAPERS, COVER, DROP, INTERCEPT)


@pytest.mark.parametrize("before", range(PATIENCE, MOST_PROPOSALS))
def test_talks_come_to_an_end(before: int) -> None:
    assert decision_of(changed(poor_with_full_hand(), talks=(3,), proposals=before)) == END


def test_nobody_gives_for_nothing() -> None:
    view = idle(opening(), talks=(3,), partner=3, proposals=1)
    for demand in (
        "propose 0 - 5 0",
        "propose 0 - 20 0",
        "propose 0 - 0 1",
        "propose 1 - 0 3",
        "propose 0 0 20 0",
    ):
        assert answered(view, 3, demand) == DECLINE


@given(st.integers(1, 20), st.integers(1, 20))
@examples(10, 100)
def test_more_for_the_same_is_never_refused_where_less_is_accepted(less: int, more: int) -> None:
    view = idle(opening(), talks=(3,), partner=3, proposals=1)
    low, high = sorted((less, more))
    answers = [answered(view, 3, f"propose {pounds} - 0 1") for pounds in (low, high)]
    assert answers in ([DECLINE, DECLINE], [DECLINE, ACCEPT], [ACCEPT, ACCEPT])


def test_a_fair_price_for_a_chit_is_accepted() -> None:
    view = idle(opening(), talks=(3,), partner=3, proposals=1, money=(90, 5, 5, 5, 5), least=(90, 5, 5, 5, 5))
    assert answered(view, 3, "propose 8 - 0 1") == ACCEPT


def test_no_secret_is_sold_cheap() -> None:
    """Germany wants what france's spy carries; france could cash it for twenty pounds, and points."""
    view = carrying(standing(opening(), ge1="prague", fr1="prague"), "fr1", "madrid", 5)
    rich = (95, 20, 20, 20, 20)
    view = changed(view, talks=(3,), partner=3, proposals=1, year=1936, money=rich, least=rich)
    assert answered(view, 3, "propose 5 - 0 0", "want madrid ge1") == DECLINE


@pytest.mark.parametrize("purse", ["open", "secret"])
def test_bids_stay_within_the_purse_and_grow_with_what_russia_has(purse: str) -> None:
    view = opening(seats=2, allocation="bid", purse=purse)
    state = view.state
    if purse == "open":
        poor = Turn(state._replace(money=(5,) * 5, least=(5,) * 5), view).worths
        assert limit(poor) == 0
    rich = Turn(state._replace(money=(90,) * 5, least=(90,) * 5), view).worths
    bare = Turn(state._replace(money=(90,) * 5, least=(90,) * 5, hands=put(state.hands, 2, ())), view).worths
    assert 0 < limit(bare) <= limit(rich) < 180
    assert worth_of_russia(bare) < worth_of_russia(rich)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 40), st.integers(0, 2**16))
@examples(16, 160)
def test_each_bid_and_each_payment_is_one_that_the_rules_offer(
    first: int, other: int, least: int, seed: int
) -> None:
    view = opening(seats=2, allocation="bid")
    purses = (first, other, 20, 20, 20)
    state = view.state._replace(money=purses, least=purses)
    for options in (bid_options(state, 0, min(least, first + other)), pay_options(state, (0, 1), first)):
        decided = Agent(Random(seed)).decide(View(0, state, view.known, Choose(0, options)))
        assert decided in options


def test_what_is_bid_first_leaves_both_powers_their_reserve() -> None:
    view = opening(seats=2, allocation="bid")
    purses = (30, 12, 20, 20, 20)
    state = view.state._replace(money=purses, least=purses)
    for seed in range(20):
        bid = Agent(Random(seed)).decide(View(0, state, view.known, Choose(0, bid_options(state, 0, 0))))
        assert int(str(bid).split()[1]) <= 42 - 2 * 8


def test_an_offer_is_never_of_a_discovery_alone() -> None:
    """The worst of the hand goes first."""
    view = holding(poor_with_full_hand(), 0, *(DISCOVERY, *FULL[1:]))
    view = changed(view, talks=(3,), partner=3, proposals=1)
    proposed = str(
        Agent(Random(1)).decide(View(0, view.state, view.known, Choose(0, Proposals(view.state, 0, 3))))
    )
    assert "0" not in proposed.split()[2]
