"""The analysis of SPIES!: what holds for every game, with two to five seats."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from p2p_stratego.core.analysis import Judgement, MadeDecision
from p2p_stratego.core.game import Choose, Face, Outcome, Slot
from p2p_stratego.spies.bots import analysis, prospects
from p2p_stratego.spies.bots.agent import Agent
from p2p_stratego.spies.bots.characters import EVEN
from p2p_stratego.spies.bots.prospects import ATTEMPTED, KNOWING, MEASURES
from p2p_stratego.spies.bots.turn import Turn
from p2p_stratego.spies.bots.turn_worths import TurnWorths
from p2p_stratego.spies.formats.choices import in_words
from p2p_stratego.spies.rules.observation import true_options
from p2p_stratego.spies.rules.state import State
from p2p_stratego.spies.rules.underway import now
from tests.helpers.games.judged import never, played

SEATS = (2, 5)
STEPS = 34


@cache
def game(seats: int, level: str = "agent") -> tuple[list[MadeDecision], list[Any]]:
    """The set-up and the first turns of a game."""
    return played("spies", seats, seats=seats, level=level, steps=STEPS)


@cache
def judged(seats: int, level: str = "agent") -> list[Judgement]:
    """All its decisions."""
    return list(analysis.judge(game(seats, level)[0], never))


class _Lowest:
    """Draws the lowest lot."""

    def random(self) -> float:
        return 0.0


@pytest.mark.parametrize("seats", SEATS)
def test_what_the_agent_chooses_costs_nothing_and_is_named_as_its_choice(seats: int) -> None:
    known = [judgement for judgement in judged(seats) if judgement.lost is not None]
    assert {"journey", "chit", "tile"} <= {judgement.kind for judgement in known}
    assert {judgement.lost for judgement in known} == {0.0}
    assert all(judgement.best == judgement.chosen for judgement in known)


def test_choices_by_chance_cost_something_and_what_the_agent_would_have_done_is_its_own_choice() -> None:
    costly = [judgement for judgement in judged(2, "recruit") if (judgement.lost or 0.0) > 0]
    assert {"journey", "tile"} <= {judgement.kind for judgement in costly}
    for judgement in costly:
        assert 0 < (judgement.lost or 0.0) < 1
        assert judgement.best != judgement.chosen
        if judgement.kind == "journey":
            view = judgement.made.view
            agents = Agent(_Lowest()).decide(view)
            assert judgement.best == in_words(view.known, str(agents))


def test_the_order_of_two_plans_costs_nothing() -> None:
    """A spy may go before another one, as long as the points are enough for both."""
    free = 0
    for view in [judgement.made.view for judgement in judged(5) if judgement.kind == "journey"][:6]:
        true = true_options(view)
        worths = TurnWorths(Turn(now(view), view), true, EVEN.a_search)
        plans = {move: worths.worth(move) or 0.0 for move in true}
        best = max(plans.values())
        assert best > 0
        free += len({move.split(" ")[1] for move, worth in plans.items() if worth > best - 1e-9}) > 1
    assert free


@pytest.mark.parametrize("seats", SEATS)
def test_chances_sum_to_one_and_begin_with_the_first_turn(seats: int) -> None:
    states = game(seats)[1]
    for state, look in zip(states, analysis.outlooks(states, seats, {}), strict=True):
        assert sum(look.seen) == pytest.approx(1.0)
        assert look.begun == (state.phase in ("tile", "turn"))
        assert look.begun or len(set(look.seen)) == 1
        assert look.own is None


def test_the_chance_is_exact_at_the_end_and_a_seat_that_has_left_has_none() -> None:
    state: State = game(5)[1][-1]
    ended = state._replace(ended=Outcome(frozenset({1, 3}), "draw"))
    assert prospects.chance(ended) == (0, 0.5, 0, 0.5, 0)
    left = prospects.chance(state._replace(gone=(2,)))
    assert left[2] == 0
    assert sum(left) == pytest.approx(1.0)


def test_a_seat_that_knows_its_secrets_has_a_chance_of_its_own_and_the_others_have_none() -> None:
    made, states = game(2)
    own: dict[Slot, Face] = {}
    for decision in made:
        own.update(decision.view.known if decision.seat == 0 else {})
    looks = list(analysis.outlooks(states, 2, own))
    begun = [look.own for look in looks if look.begun]
    assert begun
    for chances in begun:
        assert chances is not None
        assert chances[0] is not None
        assert chances[1] is None
    seen = [look.seen for look in looks if look.begun]
    assert [chances[0] for chances in begun if chances] != [chances[0] for chances in seen]


def test_searches_and_chits_have_odds_of_what_their_player_knew() -> None:
    tried = [
        judgement
        for judgement in (*judged(2), *judged(5), *judged(2, "recruit"))
        if judgement.odds is not None
    ]
    assert {"search", "chit"} <= {judgement.kind for judgement in tried}
    for judgement in tried:
        assert 0 <= (judgement.odds or 0.0) <= 1
        assert judgement.came is not None
        assert judgement.luck is not None
        assert (judgement.luck > 0) == judgement.came or judgement.luck == 0
        assert not (judgement.odds == 0 and judgement.came)


def test_what_nobody_opened_leaves_a_choice_unjudged_and_an_attempt_with_its_odds() -> None:
    made = next(
        judgement.made for judgement in judged(2) if judgement.kind == "chit" and judgement.odds is not None
    )
    blind = replace(made, view=replace(made.view, known={}))
    (judgement,) = analysis.judge([blind], never)
    assert (judgement.unknown, judgement.lost) == (True, None)
    assert judgement.odds is not None


def test_without_time_a_choice_has_its_odds_and_is_not_weighed() -> None:
    made = next(
        judgement.made for judgement in judged(2) if judgement.kind == "chit" and judgement.odds is not None
    )
    (judgement,) = analysis.judge([made], lambda: lambda: True)
    assert (judgement.hasty, judgement.lost) == (True, None)
    assert judgement.odds is not None


def test_a_choice_that_breaks_a_rule_is_not_weighed() -> None:
    for judgement in judged(2):
        view = judgement.made.view
        if judgement.kind != "tile":
            continue
        assert isinstance(view.asked, Choose)
        lies = [move for move in view.asked.options if move not in true_options(view)]
        if lies:
            (lying,) = analysis.judge([replace(judgement.made, answer=lies[0])], never)
            assert lying.lost is None
            return
    raise AssertionError("every tile fitted the year")


def test_each_choice_that_is_judged_has_words() -> None:
    assert all(
        judgement.chosen for seats in SEATS for judgement in judged(seats) if judgement.lost is not None
    )
    recruits = [judgement for judgement in judged(2, "recruit") if judgement.lost is not None]
    assert all(judgement.chosen and judgement.best for judgement in recruits)


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("move ge1 prague", "ge1 to Prague"),
        ("sail ge1 baltic", "ge1 to the baltic sea"),
        ("discovery 4096 ge1 prague", "ge1 looks for the secret of Prague"),
        ("sanction 4096 ge1 fr2", "ge1 kills fr2"),
        ("escape 4096 geneva", "Escape to Geneva"),
        ("escape 4096 ge1 geneva", "Escape to Geneva"),
        ("papers 4096", "Papers"),
        ("intercept 4096 police", "Intercept"),
        ("give ge1", "ge1 gives its secret to the police"),
        ("give prague police", "the secret of Prague"),
        ("want prague ge1", "the secret of Prague"),
        ("hand 4096", "a chit handed over"),
        ("tile 64", "a tile"),
        ("search berlin", "a search in Berlin"),
        ("propose 3 014 0 2", ""),
        ("propose france", "a proposal to France"),
        ("lay 21001011", ""),
        ("captured", ""),
        ("end", "done"),
    ],
)
def test_each_choice_has_its_words_or_none(move: str, words: str) -> None:
    assert in_words({}, move) == words


def test_a_laying_of_police_is_told_with_the_strengths_that_are_known() -> None:
    laying = next(judgement for judgement in judged(2) if str(judgement.made.answer).startswith("lay "))
    assert laying.chosen.count("+") + laying.chosen.count(", ") >= 4
    assert "?" not in laying.chosen
    blind = replace(laying.made, view=replace(laying.made.view, known={}))
    (judgement,) = analysis.judge([blind], never)
    assert judgement.chosen.count("?") >= 5


def test_the_summary_counts_what_came_right_and_what_was_expected() -> None:
    own = [judgement for judgement in judged(2) if judgement.made.seat == 0]
    chits = [judgement for judgement in own if judgement.kind == "chit" and judgement.came is not None]
    summary = analysis.summary("Anna", own)
    right = sum(bool(chit.came) for chit in chits)
    assert any(
        f"{len(chits)} Discover" in sentence and f"{right} came right" in sentence for sentence in summary
    )
    assert analysis.summary("Anna", []) == ["Anna searched nobody, and played no Discovery."]


def test_a_step_without_an_event_shows_no_reason() -> None:
    reasons = {analysis.reason(*pair, ("Ann", "Ben"), {}) for pair in pairwise(game(2)[1])}
    assert reasons == {"", None}


def test_weights_are_there_for_each_measure_and_table_and_a_point_is_never_a_loss() -> None:
    weights = prospects.fitted()
    for seats in (2, 3, 4, 5):
        for knowing in KNOWING:
            assert len(weights.by[knowing, seats]) == len(MEASURES)
        state: State = game(2)[1][-1]
        for year in range(1933, 1940):
            assert prospects.gain(state._replace(seats=seats, year=year), 10.0) > 0
    assert all(0 < weights.answered[kind] < 0.1 for kind in ATTEMPTED)


def test_a_point_more_on_the_record_is_a_better_chance() -> None:
    state: State = game(2)[1][-1]
    rows = dict(enumerate(prospects.measures(state, {})))
    before = prospects.chances(rows, prospects.fitted().by["seen", 2], 2)
    rows[0] = [rows[0][0] + 1.0, *rows[0][1:]]
    assert prospects.chances(rows, prospects.fitted().by["seen", 2], 2)[0] > before[0]
