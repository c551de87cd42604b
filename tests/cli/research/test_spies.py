"""SPIES!: what is asked for word by word is what the rules offer, no more and no less."""

from __future__ import annotations

import pytest

from cli.research import spies
from cli.research.match import Match
from p2p_stratego.core.game import Choose
from p2p_stratego.core.view import View
from p2p_stratego.spies.rules.atlas import FRANCE, GERMANY, RUSSIA
from p2p_stratego.spies.rules.police import Layings, layings
from p2p_stratego.spies.rules.state import State
from p2p_stratego.spies.rules.turn.trade import Proposals
from tests.helpers.games.spelling import ways


def begun(**options: str) -> State:
    state = Match("spies", seats=4, options=options).view(0).state
    assert isinstance(state, State)
    return state


def asked(state: State, options: Layings | Proposals) -> dict[str, tuple[str, ...]]:
    """Every answer that can be spelt, with its words."""
    view = View(0, state, {}, Choose(0, options))
    return {move: words for words, move in ways(lambda: spies.ask(view))}


@pytest.mark.parametrize("power", [GERMANY, RUSSIA])
@pytest.mark.parametrize("units", [0, 1, 2, 3])
def test_police_are_spread_in_every_way(power: int, units: int) -> None:
    state = begun()
    options = Layings(power, units, layings(state, power).unsigned)
    assert {*asked(state, options)} == {*options}


@pytest.mark.parametrize("other", [RUSSIA, FRANCE])
@pytest.mark.parametrize(
    ("pounds", "theirs", "own_chits", "their_chits"),
    [
        *(
            (*purses, *hands)
            for purses in ((0, 0), (2, 0), (1, 1))
            for hands in ((0, 0), (2, 0), (0, 2), (3, 2))
        ),
        (0, 0, 7, 10),
        (0, 1, 1, 10),
    ],
)
@pytest.mark.parametrize("allocation", ["standard", "bid"])
def test_every_proposal_can_be_made(
    allocation: str, pounds: int, theirs: int, own_chits: int, their_chits: int, other: int
) -> None:
    chits = {GERMANY: range(own_chits), other: range(20, 20 + their_chits)}
    state = begun(allocation=allocation)._replace(
        money=tuple(theirs if power == other else pounds for power in range(5)),
        hands=tuple(tuple(chits.get(power, ())) for power in range(5)),
    )
    options = Proposals(state, GERMANY, other)
    if not options:
        return  # nobody is asked for one then
    assert {*asked(state, options)} == {*options}
