"""Questions in the middle of a step say what they are about, to the asked player and to all others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import pytest

from cli.games.interface import Players
from cli.games.spies import knowledge, panels, questions, times
from cli.games.spies.chain import answering, chain, sea_rolled
from cli.games.spies.snapshot import snapshot
from cli.text import language
from cli.text.layout import words as text
from p2p_stratego.core.game import Choose, Roll
from p2p_stratego.core.view import View
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.rules.counters import HAND
from p2p_stratego.spies.rules.map_data import DIE
from p2p_stratego.spies.rules.state import SPY_CODED, State, spy_code
from p2p_stratego.spies.rules.underway import now
from tests.helpers.spies.moments import PEOPLE, asked, context, moments, of_kind, options

SEEDS = (1, 2)


@lru_cache
def answers() -> tuple[View[State], ...]:
    """Every question for a chit in some games with many random answers."""
    return tuple(asked_for("answer"))


def asked_for(what: str) -> Iterator[View[State]]:
    """The views of both games that are asked for this."""
    for seed in SEEDS:
        yield from of_kind(moments(4, seed=seed, wild=0.9), what)


def put(view: View[State]) -> str:
    """The question as it is asked."""
    question = questions.question(view, Players(PEOPLE[: view.state.seats], view.seat))
    assert question is not None
    return question.text


def others(view: View[State]) -> Iterator[str]:
    """The line for each player who waits."""
    assert view.decision is not None
    for seat in set(range(view.state.seats)) - {view.seat}:
        players = Players(PEOPLE[: view.state.seats], seat)
        yield questions.waiting(View(seat, view.state, {}, None, view.since), players, view.decision)


def test_every_question_for_a_chit_says_what_began_it_and_what_was_played_since() -> None:
    kinds, longest = set(), 0
    for view in answers():
        report = now(view).report
        begun = next(e for e in reversed(report) if e.kind not in ("plays", "draws"))
        played = [e for e in report[report.index(begun) + 1 :] if e.kind == "plays"]
        kinds.add(begun.kind)
        longest = max(longest, len(played))
        for sentence in (put(view), *others(view)):
            assert spy_code(begun.spy) in sentence
            for event in played:
                assert f"{words.power(event.power)} plays {words.chit(event.face)}" in sentence
            if begun.kind == "searches":
                assert f"{words.power(begun.power)} searches" in sentence
                assert f"in {words.city(begun.city)}." in sentence
    assert {"searches", "discovers"} <= kinds
    assert longest > 0


def test_an_escape_says_where_it_goes() -> None:
    fled = [view for view in answers() if any(str(answer).startswith("escape ") for _, answer in view.since)]
    assert fled
    for view in fled:
        escape = next(str(answer) for _, answer in view.since if str(answer).startswith("escape "))
        assert f" to {escape.split(' ')[-1].capitalize()}." in put(view)


def test_those_who_wait_read_whole_sentences_and_no_name_of_a_closed_spy() -> None:
    for view in answers():
        for sentence in others(view):
            assert "?." not in sentence
            assert ".." not in sentence
            assert "is asked for " in sentence
            for code, name in re.findall(r"\b([a-z]{2}[1-5]) ([A-Z][a-z]+ \(\d\))", sentence):
                assert now(view).spies[SPY_CODED[code]].face is not None, name


def test_a_time_that_is_up_says_what_it_was_about() -> None:
    for view in answers()[:20]:
        limit = times.limit(view)
        assert limit is not None
        assert limit.sentence.endswith(f". {chain(view)}")
    arrival = asked(moments(4, seed=1, wild=0.9), "arrival")
    seconds = times.limit(arrival)
    assert seconds is not None
    assert " comes to " in seconds.sentence


def test_chits_that_go_back_are_counted() -> None:
    full = list(asked_for("return"))
    assert full
    for view in full:
        held = max(map(len, now(view).hands))
        drawn = next(event for event in reversed(now(view).report) if event.kind == "draws")
        assert f"{words.power(drawn.power)} has drawn {drawn.numbers[0]} and now has {held} chits" in put(
            view
        )
        assert f"{held - HAND} must go back" in put(view)
        assert all(f"of {held} chits, {held - HAND}." in sentence for sentence in others(view))


def test_a_spy_at_sea_is_told_the_roll_and_what_each_landing_takes() -> None:
    for view in asked_for("stay"):
        state, rolled = now(view), DIE[next(s for a, s in reversed(view.since) if isinstance(a, Roll))]
        assert sea_rolled(view)[1] == rolled
        assert f"rolled {rolled}; {state.ap} point" in put(view)
        assert f"{state.spaces(state.mover)} space" in put(view)
        assert all(f"it rolled {rolled}." in sentence for sentence in others(view))
        shown = {choice.word: choice.shown for choice in questions.choices(context(view))}
        costs = [
            int(option.rpartition("(")[2][:-1]) for option in shown.values() if option.startswith("land")
        ]
        assert costs == sorted(costs)
        assert all(1 <= cost <= min(state.ap, state.spaces(state.mover), rolled - 1) for cost in costs)
        assert set(shown) == set(options(view))
        how = questions.question(view, Players(PEOPLE[:4], view.seat))
        assert how is not None
        assert ("again:" in how.how) == ("again" in options(view))
        assert len(f" Type {how.at_table}.") <= 77, "one row of the smallest screen"
        assert f"stay: in {words.city(state.spies[state.mover].city)}" in how.how


def test_the_first_spy_to_be_searched_is_not_called_the_next() -> None:
    for view in of_kind(moments(4, wild=0.9), "whom"):
        assert isinstance(view.decision, Choose)
        assert ("next" in put(view)) == ("end" in view.decision.options)


def test_who_runs_two_powers_sees_the_chits_of_the_one_that_is_asked() -> None:
    two = [
        view
        for view in answers()
        if len({power for power in range(5) if now(view).runs[power] == view.seat}) > 1
    ]
    other = 0
    for view in two:
        power = answering(view)
        assert power is not None
        assert put(view).endswith(f"Does {words.power(power)} answer?")
        tray = text(panels.tray(context(view), 120))
        assert tray.startswith(f" {words.power(power)} ")
        assert f"£{now(view).money[power]} " in tray
        other += power != min(country for country in range(5) if now(view).runs[country] == view.seat)
    assert other


@pytest.mark.parametrize(("code", "phrase"), [("en", "closed chits"), ("de", "verdeckte Marken")])
def test_the_closed_chits_of_others_are_counted_in_the_language_that_is_spoken(
    code: str, phrase: str
) -> None:
    """An English s stood behind the German noun."""
    view = asked(moments(4, wild=0.9), "turn")
    other = next(power for power in knowledge.ALL_POWERS if view.state.runs[power] not in (None, view.seat))
    language.install(code)
    try:
        counted = knowledge.chits(snapshot(context(view)), other)
    finally:
        language.install(language.ENGLISH)
    assert counted == [f"{len(view.state.hands[other])} {phrase}"]
