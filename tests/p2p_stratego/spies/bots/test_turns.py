"""What the agent does in a turn: ways, raids, searches, and when it stops."""

from __future__ import annotations

from random import Random

import pytest

from p2p_stratego.core.game import Choose, Face
from p2p_stratego.core.view import View
from p2p_stratego.spies.bots.agent import Agent
from p2p_stratego.spies.rules.act import put
from p2p_stratego.spies.rules.atlas import CITY_NAMED
from p2p_stratego.spies.rules.counters import DISCOVERY, DROP, ESCAPE, PAPERS, SANCTION
from p2p_stratego.spies.rules.notation import END, NO_ANSWER
from p2p_stratego.spies.rules.state import SPY_CODED, SPY_STAGE, Event, State
from tests.helpers.spies.openings import carrying, changed, decision_of, holding, opening, standing

HOME = {"ge2": "berlin", "ge3": "berlin", "ge4": "berlin", "ge5": "berlin"}
"""Where germany's other spies stand: out of the way."""


def raid(**places: str) -> View[State]:
    """It is 1937; germany's spies stand so, the strongest first, with a Discovery and Papers in hand."""
    view = holding(standing(opening(), **{"ge1": "berlin", **HOME, **places}), 0, DISCOVERY, PAPERS)
    known = {**view.known, view.state.spies[0].slot: 0}
    year = {"year": 1937, "stage": SPY_STAGE, "finished": tuple(range(1, 5))}
    return changed(View(0, view.state, known, view.decision), **year)


def guarded_nowhere(view: View[State]) -> View[State]:
    """No police stand anywhere abroad."""
    police = view.state.police
    return changed(view, police=(police[0], *((),) * 4))


def test_a_secret_in_the_capital_is_cashed_at_once() -> None:
    view = carrying(raid(ge1="berlin"), "ge1", "warsaw", 5)
    assert decision_of(view) == "cash ge1"


def test_a_secret_goes_home_by_the_shortest_way() -> None:
    assert decision_of(carrying(raid(ge1="breslau"), "ge1", "warsaw", 5)) == "move ge1 berlin"
    assert decision_of(carrying(raid(ge1="edinburgh"), "ge1", "madrid", 5)) == "sail ge1 north"
    assert decision_of(carrying(raid(ge1="moscow"), "ge1", "warsaw", 5)) == "move ge1 berlin"  # by air


def test_a_spy_beside_a_neutral_secret_discovers_it() -> None:
    view = raid(ge1="prague")
    (slot, _) = view.state.hands[0]
    assert decision_of(view) == f"discovery {slot} ge1 prague"


def test_a_spy_goes_where_a_secret_lies() -> None:
    assert decision_of(raid(ge1="leipzig")) == "move ge1 prague"


def test_a_spy_does_not_stay_where_police_will_find_it() -> None:
    view = guarded_nowhere(holding(raid(ge1="paris"), 0))
    assert str(decision_of(view)).startswith("move ge1 ")


def test_a_known_counterspy_is_left_alone() -> None:
    view = raid(ge1="prague")
    secret = view.state.named(CITY_NAMED["prague"])
    assert secret is not None
    slot = view.state.secrets[secret].slot
    known: dict[int, Face] = {**view.known, slot: 16}
    assert "discovery" not in str(decision_of(View(view.seat, view.state, known, view.decision)))


def test_police_come_to_a_spy_at_home_and_search_it() -> None:
    view = changed(standing(opening(), ru1="cologne", **HOME), stage=0)
    assert decision_of(view) == "police"
    view = changed(
        view,
        stage=1,
        police=put(
            view.state.police,
            0,
            tuple(unit._replace(city=CITY_NAMED["cologne"]) for unit in view.state.police[0][:2]),
        ),
    )
    assert decision_of(view) == "search cologne"


def test_a_captured_spy_escapes_when_it_can() -> None:
    view = holding(raid(), 0, ESCAPE)
    spies = view.state.spies
    gone = spies[0]._replace(where="captured", captor=4, year=1937, city=-1, face=0)
    assert str(decision_of(changed(view, spies=put(spies, 0, gone)))).startswith("escape 60000 ge1 ")


def test_a_spy_that_can_go_no_further_hides_its_secret_from_the_police() -> None:
    view = carrying(holding(raid(ge1="paris"), 0, DROP), "ge1", "madrid", 5)
    view = changed(view, finished=tuple(range(5)))
    assert decision_of(view) == "drop 60000 ge1"


def test_the_cousin_kills_a_thief() -> None:
    view = holding(raid(ge1="warsaw"), 0, SANCTION)
    slot = view.state.spies[0].slot
    view = View(view.seat, view.state, {**view.known, slot: 4}, view.decision)
    view = carrying(standing(view, br1="warsaw"), "br1", "prague", 5)
    assert decision_of(view) == "sanction 60000 ge1 br1"


def test_nothing_to_do_ends_the_turn() -> None:
    view = holding(raid(), 0)
    view = changed(view, finished=tuple(range(5)), ap=0)
    assert decision_of(view) == END


@pytest.mark.parametrize(("police", "answer"), [(1, NO_ANSWER), (6, "papers 60000")])
def test_papers_are_for_spies_that_would_be_caught(police: int, answer: str) -> None:
    """Germany's strongest spy is searched in paris, by police that it has seen."""
    view = holding(standing(opening(), ge1="paris"), 0, PAPERS)
    state = view.state._replace(
        power=3, report=(Event("searches", 3, spy=SPY_CODED["ge1"], city=CITY_NAMED["paris"]),)
    )
    unit = state.police[3][0]._replace(city=CITY_NAMED["paris"], face=police)
    state = state._replace(police=put(state.police, 3, (unit,)))
    known = {**view.known, state.spies[0].slot: 0}
    options = [NO_ANSWER, "papers 60000"]
    assert Agent(Random(1)).decide(View(0, state, known, Choose(0, options))) == answer
