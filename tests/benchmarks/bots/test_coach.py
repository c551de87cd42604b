"""What the coach says: new things, few general rules, and what it leaves out."""

from __future__ import annotations

import pytest

from benchmarks.bots import coach
from p2p_stratego.core.lesson import Memory, Remark


@pytest.mark.parametrize("game", ["spies-and-lies", "conquest"])
def test_the_coach_hardly_repeats_itself_and_tells_few_rules(game: str) -> None:
    games = [coach.coached(game, f"1/{number}") for number in range(2)]
    repeats, rules = coach.shares(games)
    assert repeats <= coach.REPEATS
    assert rules <= coach.RULES
    assert any(remark is not None and not remark.rule for remark in games[0])


def test_the_shares_are_those_of_all_sentences() -> None:
    first, second, rule = Remark("one."), Remark("two."), Remark("three.", "three")
    assert coach.shares([[first, None, first, second], [second, rule, second, first]]) == (1 / 7, 1 / 7)
    assert coach.shares([[None]]) == (0, 0)


def test_a_coach_is_silent_rather_than_says_the_same_again() -> None:
    memory, texts = Memory(), []
    for remarks in (["a", "b"], ["a", "b"], ["a", "b"], ["c", "a"]):
        remark = memory.pick(map(Remark, remarks))
        memory = memory.after(remark)
        texts.append(remark and remark.text)
    assert texts == ["a", "b", None, "c"]


def test_a_rule_is_told_once_and_later_rules_wait_for_other_remarks() -> None:
    memory = Memory()
    rules = [Remark(f"{number}.", f"rule {number}") for number in range(5)]
    remarks = []
    for moment in range(30):
        remark = memory.pick(rules if moment < 10 else [*rules, Remark(f"at {moment}.")])
        memory = memory.after(remark)
        remarks.append("" if remark is None else remark.rule and "rule")
    assert remarks[:4] == ["rule"] * 3 + [""]
    assert remarks.count("rule") == len(rules)
    assert memory.pick([Remark("0. in other words", "rule 0")]) is None
