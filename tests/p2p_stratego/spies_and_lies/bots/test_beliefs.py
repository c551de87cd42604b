"""Beliefs against a slow enumeration that shares nothing with them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_stratego.spies_and_lies.bots.beliefs import (
    DEPLOYMENTS,
    Evidence,
    chances,
    hand,
    members,
    possible,
)
from p2p_stratego.spies_and_lies.rules.state import place
from tests.helpers.machine.examples import examples
from tests.helpers.spies_and_lies.crook import crooked, honest

RANGES = ((1, 4), (4, 7), (7, 10))
SERGEANT = 4
EVERY_LINE = list(permutations(range(1, 11), 4))


def keeps_order(line: Sequence[int]) -> bool:
    others = [rank for rank in line if rank != SERGEANT]
    return others == sorted(others)


def marks_true(line: Sequence[int], intel: tuple[int, int], marks: frozenset[int]) -> bool:
    return all(
        (mission in marks) == (intel[0] <= rank <= intel[1]) or rank == SERGEANT
        for mission, rank in enumerate(line, 1)
    )


def enumerated(evidence: Evidence) -> list[dict[int, float]]:
    """Each mission's chances; all empty if no honest line fits."""
    sums: list[dict[int, float]] = [{} for _ in range(4)]
    total = 0.0
    for line in EVERY_LINE:
        if not keeps_order(line) or set(line) & set(evidence.exhausted):
            continue
        if any(shown not in (None, rank) for shown, rank in zip(evidence.shown, line, strict=True)):
            continue
        weight = 1.0
        if evidence.intel is not None:
            if not marks_true(line, evidence.intel, evidence.marks):
                continue
            if SERGEANT in line:
                weight = 0.5  # its owner marks it or not, as it likes
        total += weight
        for of_card, rank in zip(sums, line, strict=True):
            of_card[rank] = of_card.get(rank, 0.0) + weight
    return [{rank: of_card[rank] / total for rank in sorted(of_card)} for of_card in sums]


exhausted_soldiers = st.lists(st.integers(1, 10), min_size=1, max_size=2, unique=True).map(
    lambda ranks: tuple(sorted(ranks))
)
mark_sets = st.frozensets(st.integers(1, 4))


@st.composite
def honest_evidence(draw: st.DrawFn) -> tuple[tuple[int, ...], Evidence]:
    """A line that was really laid, and what can be seen of it at some moment."""
    exhausted = draw(exhausted_soldiers)
    lines = [line for line in DEPLOYMENTS if not set(line) & set(exhausted)]
    line = draw(st.sampled_from(lines))
    opened = draw(st.integers(0, 4))
    shown = tuple(rank if mission < opened else None for mission, rank in enumerate(line))
    if not draw(st.booleans()):
        return line, Evidence(exhausted, shown)
    intel = draw(st.sampled_from(RANGES))
    marks = {mission for mission, rank in enumerate(line, 1) if intel[0] <= rank <= intel[1]}
    if SERGEANT in line and draw(st.booleans()):
        marks ^= {line.index(SERGEANT) + 1}
    return line, Evidence(exhausted, shown, intel, frozenset(marks))


def test_the_table_of_lines_is_every_line_that_keeps_the_order() -> None:
    assert list(DEPLOYMENTS) == [line for line in EVERY_LINE if keeps_order(line)]
    assert len(DEPLOYMENTS) == 462


@examples(60, 600)
@given(honest_evidence())
def test_beliefs_are_what_counting_every_line_gives(case: tuple[tuple[int, ...], Evidence]) -> None:
    line, evidence = case
    odds, counted = chances(evidence), enumerated(evidence)
    for mission in range(4):
        assert list(odds[mission]) == list(counted[mission])
        assert odds[mission] == pytest.approx(counted[mission])
        assert odds[mission][line[mission]] > 0
    fitting = [DEPLOYMENTS[i] for i in members(possible(evidence))]
    assert line in fitting


@examples(40, 400)
@given(
    exhausted_soldiers, st.permutations(range(1, 11)), st.integers(0, 4), st.sampled_from(RANGES), mark_sets
)
def test_beliefs_about_a_crook_never_rule_out_what_it_holds(
    exhausted: tuple[int, ...],
    order: list[int],
    opened: int,
    intel: tuple[int, int],
    marks: frozenset[int],
) -> None:
    line = [rank for rank in order if rank not in exhausted][:4]
    shown = tuple(rank if mission < opened else None for mission, rank in enumerate(line))
    evidence = Evidence(exhausted, shown, intel, marks)
    odds = chances(evidence)
    honest_ones = enumerated(evidence)
    for mission in range(4):
        assert sum(odds[mission].values()) == pytest.approx(1)
        assert not set(odds[mission]) & set(exhausted)
        if possible(evidence):
            assert odds[mission] == pytest.approx(honest_ones[mission])
        else:
            assert odds[mission][line[mission]] > 0
            assert honest_ones[mission] == {}


def test_a_crook_is_expected_to_break_as_few_rules_as_it_must() -> None:
    # The General under mission 1, unmarked although asked for: one false mark is certain.
    evidence = Evidence((1,), (9, None, None, None), (7, 10), frozenset({2}))
    assert not possible(evidence)
    second, third, fourth = chances(evidence)[1:]
    # Marked and after a General: the Marshal, or the Sergeant who may say anything.
    assert second[10] + second[4] > 0.9
    assert set(second) == {2, 3, 4, 5, 6, 7, 8, 10}
    assert all(sum(of_card.values()) == pytest.approx(1) for of_card in (third, fourth))


def test_a_line_shown_out_of_order_leaves_everything_else_in_the_hand() -> None:
    odds = chances(Evidence((1,), (9, 2, None, None)))
    assert odds[0] == {9: 1}
    assert odds[1] == {2: 1}
    assert set(odds[2]) == set(odds[3]) == {3, 4, 5, 6, 7, 8, 10}


def test_a_hand_is_every_line_without_the_exhausted() -> None:
    lines = [DEPLOYMENTS[i] for i in members(hand((4, 10)))]
    assert lines == [line for line in DEPLOYMENTS if 4 not in line and 10 not in line]
    assert len(lines) == 70


def test_marks_mean_nothing_before_there_is_an_intel_card() -> None:
    assert chances(Evidence((3,))) == chances(Evidence((3,), marks=frozenset({1, 2, 3, 4})))


@pytest.mark.parametrize("player", [honest, crooked])
def test_in_whole_games_beliefs_never_rule_out_the_truth(player: type) -> None:
    seen = 0
    for seed in range(25):
        crook = player(Random(seed))
        for state in crook.play(4, "random"):
            if state.phase not in ("intel", "mission"):
                continue
            for seat in (0, 1):
                truth = [crook.faces[slot] for slot in crook.faces if place(slot)[:2] == (state.day, seat)]
                if len(set(truth)) < 4 or set(truth) & set(state.exhausted[seat]):
                    continue  # cheating, which ends the game as soon as it is seen
                evidence = Evidence.of(state, seat)
                fits = possible(evidence)
                for mission, rank in enumerate(truth):
                    assert chances(evidence)[mission].get(rank, 0) > 0 or (player is crooked and fits)
                seen += 1
    assert seen > 500
