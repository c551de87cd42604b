"""Police of SPIES! in one line: every offered line is a laying, and wrong ones are refused in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from cli.games.interface import Misunderstood, NotPossible, PlannedAnswers, Unknown
from cli.games.spies import description, laying, questions
from cli.games.spies.map.pointer import MapPointer
from cli.games.spies.names import AS_THEY_STAND, ONE_A_CITY, TWO_BY_TWO, names
from cli.games.spies.snapshot import snapshot
from cli.games.spies.terminal import TERMINAL
from cli.games.typed_names import in_english
from cli.text import language
from p2p_stratego.core.game import Commit
from p2p_stratego.core.language import _
from p2p_stratego.core.view import View
from p2p_stratego.spies.rules.atlas import CITY_NAMED, NAMES, POWERS, SIGNED
from p2p_stratego.spies.rules.state import State
from p2p_stratego.spies.rules.underway import now
from tests.golden.sentences import Row, assert_answers, decided
from tests.golden.sentences import asked as questions_of
from tests.helpers.spies.moments import asked, carried_out, context, moments


@cache
def opening() -> View[State]:
    return asked(moments(3), "police")


@cache
def later() -> View[State]:
    return asked(moments(3), "police", lambda view: view.state.phase == "turn")


def planned(view: View[State], typed: str) -> PlannedAnswers:
    read = questions.read(view, typed)
    assert isinstance(read, PlannedAnswers)
    return read


def test_whole_layings_are_offered_and_carried_out() -> None:
    for view in (opening(), later()):
        choices = questions.choices(context(view))
        signed = [NAMES[city] for city in SIGNED[now(view).power]]
        shown = [choice.shown for choice in choices]
        assert shown[-2 - len(signed) :] == ["two by two", "one a city", *signed]
        for choice in choices[: -len(signed)]:
            plan = planned(view, choice.word)
            assert carried_out(view, plan) == [plan.first, *plan.then]
            assert not plan.line
            assert planned(view, choice.shown) == replace(plan, line=choice.word)  # to be seen before
    assert questions.choices(context(later()))[0].shown == "as they stand"


def test_the_name_of_a_whole_laying_is_completed_and_tells_what_it_stands_for() -> None:
    for view in (opening(), later()):
        for choice in questions.choices(context(view))[:2]:
            first = choice.shown.split()[0]
            for typed in (choice.shown, first, f"{first} "):
                assert choice in questions.choices(context(view, typed=typed))
                assert planned(view, typed).line == choice.word
                explanation = laying.explained(context(view, typed=typed))
                assert explanation.lower() == f"{choice.shown}: {choice.word}."


@pytest.mark.parametrize("code", ["de", "nl"])
def test_a_whole_laying_is_named_in_english_or_as_it_is_shown(code: str) -> None:
    plans = {name: planned(later(), name) for name in (AS_THEY_STAND, TWO_BY_TWO, ONE_A_CITY)}
    language.install(code)
    try:
        for name, plan in plans.items():
            for typed in (name, _(name), _(name).upper()):
                reading = planned(later(), in_english(typed, names()))
                assert (reading.first, reading.then) == (plan.first, plan.then), typed
    finally:
        language.install("en")


@pytest.mark.parametrize("power", range(len(SIGNED)))
def test_every_power_can_lay_by_each_line_that_it_is_offered(power: int) -> None:
    """Britain has more police than cities with a sign."""
    view = asked(moments(3), "police", lambda view: now(view).power == power)
    choices = questions.choices(context(view))
    assert "two by two" in [choice.shown for choice in choices]
    for choice in choices[: -len(SIGNED[power])]:
        assert carried_out(view, planned(view, choice.word))


def strengths(view: View[State]) -> list[int]:
    assert isinstance(view.decision, Commit)
    return sorted(view.decision.faces, reverse=True)


def test_a_line_grows_by_completion_until_it_is_a_laying() -> None:
    for view in (opening(), later()):
        typed = ""
        for _unused in range(40):
            words = [choice.word for choice in questions.choices(context(view, typed=typed)) if typed] or [
                f"{NAMES[SIGNED[now(view).power][0]]}"
            ]
            typed = f"{words[0]} "
            if laying.ON in typed.split() and not typed.strip().endswith(laying.ON):
                break
        assert planned(view, typed)


def test_cities_that_are_clicked_get_the_strongest_unit_that_is_left() -> None:
    pointer, typed = MapPointer(), ""
    power = now(opening()).power
    order = [NAMES[city] for city in SIGNED[power]]
    for number, strength in enumerate(strengths(opening())):
        typed, whole = pointer.point(context(opening(), typed=typed), order[number // 2])
        assert not whole
        assert typed.endswith(str(strength))
        assert questions.choices(context(opening(), typed=f"{typed} "))
    assert pointer.point(context(opening(), typed=typed), order[-1]) == (typed, False)
    offered = questions.choices(context(opening(), typed=typed))
    guarded = [choice.shown[3:] for choice in offered if choice.shown.startswith("on ")][1:]  # behind none
    line = typed
    for number, name in enumerate(guarded):
        line, whole = pointer.point(context(opening(), typed=line), name)
        assert (line, whole) == (f"{typed} on {' '.join(guarded[: number + 1])}", False)
        assert pointer.point(context(opening(), typed=line, cursor=name), name) == (
            line,
            False,
        )  # Enter sends
        assert carried_out(opening(), planned(opening(), line))
    assert guarded
    plan = planned(opening(), typed)
    assert carried_out(opening(), plan) == [plan.first, *plan.then]
    offered = questions.choices(context(opening(), typed=typed))
    assert [choice.word for choice in offered if choice.shown == "on none"] == [f"{typed} on none"]
    assert all(carried_out(opening(), planned(opening(), choice.word)) for choice in offered)
    at = order[(len(strengths(opening())) - 1) // 2]
    assert pointer.point(context(opening(), typed=typed, cursor=at), at) == (
        typed,
        False,
    )  # Enter says it then


def test_behind_a_strength_come_those_that_are_left_and_other_cities() -> None:
    first, second, *_ = (NAMES[city] for city in SIGNED[now(opening()).power])
    for typed in (f"{first} 4", f"{first} 4 "):
        choices = questions.choices(context(opening(), typed=typed))
        assert [choice.shown for choice in choices][:4] == ["3", "2", "1", second]
        assert choices[0].word == f"{first} 4 3"


def test_what_standing_on_a_secret_means_is_told_where_it_is_asked() -> None:
    view = opening()
    typed = next(choice.word for choice in questions.choices(context(view)) if " on " in choice.word)
    means = "It is free: under police a counterspy catches weaker spies. none: no secret."
    assert laying.explained(context(view, typed=f"{typed.partition(' on ')[0]} on ")) == means
    assert len(means) < 79  # a row of a small screen, one cell in
    assert means in laying.facts(view)


def test_what_is_typed_behind_clicks_goes_on_from_them() -> None:
    city = NAMES[SIGNED[now(opening()).power][0]]
    clicked = context(opening(), typed=f"{city} 4")
    for more in ("o", "on", "on none", "on ber", "1", "1 on", "ham"):
        assert MapPointer().goes_on(clicked, more)
    for more in ("leave", "help", "/hello"):
        assert not MapPointer().goes_on(clicked, more)


def test_the_form_is_told_at_every_moment() -> None:
    city = NAMES[SIGNED[now(opening()).power][0]]
    for cursor in ("", city):
        explanation = laying.explained(context(opening(), cursor=cursor))
        assert explanation == f"Type {laying.form(opening())}."
        assert "on none" in laying.explained(context(opening(), typed=f"{city} 4", cursor=cursor))
    for typed in ("xyz", "lisbon 4", f"{city} 4", f"{city} 9", city, "4"):
        with pytest.raises(Misunderstood, match=re.escape(laying.form(opening()))):
            questions.read(opening(), typed)


@pytest.mark.parametrize("power", range(len(SIGNED)))
def test_the_form_is_an_example_of_the_power_that_lays(power: int) -> None:
    view = asked(moments(3), "police", lambda view: now(view).power == power)
    form = laying.form(view)
    assert len(f"Type {form}.") < 77  # in the one row that it always has
    example = form.partition("“")[2].partition("”")[0]
    cities = [CITY_NAMED[word] for word in example.split(" on ")[0].split(" ") if not word.isdigit()]
    assert set(cities) <= set(SIGNED[power])
    with pytest.raises(NotPossible):
        questions.read(view, example)


def test_of_cities_without_a_sign_one_takes_one_unit() -> None:
    view = asked(moments(3), "police", lambda view: now(view).power == 1)
    for typed in ("tripoli 3 rhodes 3", "tripoli 3 3"):
        explanation = laying.explained(context(view, typed=typed))
        with pytest.raises(NotPossible) as refused:
            questions.read(view, f"{typed} rome 2 2 milan 1")
        assert explanation in str(refused.value)
    line = "tripoli 3 rome 2 2 milan 3 1"
    assert planned(view, line)


def test_the_map_shows_the_cities_with_a_police_sign() -> None:
    assert snapshot(context(opening())).goals == frozenset(SIGNED[now(opening()).power])


def test_a_laying_is_explained_while_it_is_typed_and_refused_in_words() -> None:
    def answer(row: Row) -> Iterator[str]:
        view = asked(moments(3), "police", lambda view: POWERS[now(view).power] == row.place)
        if row.typed is None:
            yield from questions_of(TERMINAL, view, context(view).players)
            yield from laying.facts(view)
        elif row.typed.endswith("…"):
            yield laying.explained(context(view, typed=row.typed[:-1]))
        else:
            yield from decided(TERMINAL, view, row.typed)

    assert_answers("spies-police", answer)


def test_what_is_no_laying_is_refused() -> None:
    city, other = (NAMES[at] for at in SIGNED[now(opening()).power][:2])
    units = " ".join(map(str, strengths(opening())))
    for typed, kind in (
        ("", NotPossible),
        ("4", Unknown),
        (f"{city} 9", NotPossible),
        (f"{city} {units}", NotPossible),
        ("atlantis 3", Unknown),
        (f"{city} {units} on {other}", NotPossible),
    ):
        with pytest.raises(kind):
            questions.read(opening(), typed)
    choices = questions.choices(context(opening()))
    whole = next(choice.word for choice in choices if choice.shown == "two by two").split(" on ")[0]
    with pytest.raises(Misunderstood):
        questions.read(opening(), f"{whole} on haifa lisbon")
    assert len(planned(opening(), whole).then) == 1  # without "on" that is asked by itself


def test_lines_tell_what_a_laying_can_name() -> None:
    text = " ".join(description.asked(context(opening())))
    for city in SIGNED[now(opening()).power]:
        assert NAMES[city] in text
    assert all(choice in text for choice in ("two by two", "one a city"))
    assert laying.facts(asked(moments(3), "turn")) == []
