"""Placing an army in Conquest: drafts, templates, files, warnings, and what follows once it is laid."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from cli.games.conquest.setup_editor import TEMPLATES, Draft, SetUp
from cli.games.conquest.terminal import TERMINAL
from cli.games.interface import Ambiguous, NotPossible, Unknown, ViewContext
from cli.text import language
from cli.text.layout import words
from p2p_stratego.conquest.rules.atlas import NAMES, TERRITORY_OF, ZONE_NAMED
from p2p_stratego.conquest.rules.choices import own_zones
from p2p_stratego.conquest.rules.pieces import ARMY, FLAG
from p2p_stratego.conquest.rules.state import SLOTS, State
from p2p_stratego.core.game import Choose
from p2p_stratego.core.language import install
from p2p_stratego.core.self_play import allowed
from p2p_stratego.core.view import View
from tests.helpers.conquest.moments import asked, context, players, views

EDITOR = SetUp()
TWO, THREE, FOUR = (asked(views(seats), "army") for seats in (2, 3, 4))
ZONES_OF_TWO, ZONES_OF_THREE = (asked(views(seats), "zones") for seats in (2, 3))


def of(view: View[State], draft: Draft) -> ViewContext:
    return ViewContext(view, players(view.state.seats, view.seat), draft=draft)


def begun(view: View[State], kept: str | None = None, seed: int = 1) -> Draft:
    draft = EDITOR.begin(view, kept, random.Random(seed))
    assert draft is not None
    return draft


@pytest.mark.parametrize("view", [TWO, THREE, FOUR])
@pytest.mark.parametrize("seed", range(6))
def test_a_draft_begins_as_a_sensible_whole_army_on_own_zones(view: View[State], seed: int) -> None:
    draft = begun(view, seed=seed)
    assert Counter(draft.places.values()) == Counter(ARMY)
    own = own_zones(view.state, view.seat)
    assert set(draft.places) <= set(own)
    held = {TERRITORY_OF[zone] for zone in draft.places}
    assert held == {TERRITORY_OF[zone] for zone in own}  # no territory is given away
    decided = EDITOR.decide(of(view, draft))
    assert view.decision is not None
    assert allowed(view.decision, decided)
    assert EDITOR.warnings(of(view, draft)) == []


@pytest.mark.parametrize("view", [TWO, THREE, FOUR])
def test_templates_fit_the_territories_of_the_match(view: View[State]) -> None:
    found = EDITOR.templates(view)
    assert set(found) == set(TEMPLATES)
    for draft in found.values():
        assert Counter(draft.places.values()) == Counter(ARMY)
        assert set(draft.places) <= set(own_zones(view.state, view.seat))
        assert found == EDITOR.templates(view)
    assert EDITOR.made_for("guarded")
    assert not EDITOR.made_for("mine")


def test_while_territories_are_taken_there_is_no_draft() -> None:
    view = views(2)[0]
    assert EDITOR.is_time(view)
    assert EDITOR.begin(view, None, random.Random(1)) is None
    assert EDITOR.question(ViewContext(view, players(2, view.seat))) is None


def test_pieces_are_put_taken_away_and_exchanged() -> None:
    own = [NAMES[zone] for zone in own_zones(TWO.state, TWO.seat)]
    chance = random.Random(1)

    def edit(draft: Draft, typed: str) -> Draft:
        return EDITOR.edit(of(TWO, draft), typed, chance)

    draft = edit(Draft({}), f"{own[0]} flag, {own[1]} K, {own[2]} 9")
    assert {NAMES[zone]: face for zone, face in draft.places.items()} == {own[0]: 11, own[1]: 10, own[2]: 9}
    draft = edit(draft, f"{own[0]} {own[1]}")
    assert draft.places[ZONE_NAMED[own[0]]] == 10
    draft = edit(draft, f"{own[0]} {own[5]}")
    assert draft.places[ZONE_NAMED[own[5]]] == 10
    assert ZONE_NAMED[own[0]] not in draft.places
    assert edit(draft, f"{own[5]} -").places.keys() == {ZONE_NAMED[own[1]], ZONE_NAMED[own[2]]}
    assert edit(draft, "clear").places == {}
    assert len(edit(draft, "random").places) == SLOTS


@pytest.mark.parametrize(
    ("typed", "error", "told"),
    [
        ("{own} {own}", NotPossible, "is one zone"),
        ("{own}", NotPossible, "What about"),
        ("{theirs} flag", NotPossible, "is not yours to fill"),
        ("{own} bishop", Unknown, "is no piece"),
        ("{own} s", Ambiguous, "could be"),
        ("m9 flag", Unknown, "There is no zone m9"),
        ("hello", Unknown, "changes nothing"),
    ],
)
def test_what_cannot_be_says_why(typed: str, error: type[Exception], told: str) -> None:
    own = own_zones(TWO.state, TWO.seat)
    theirs = next(zone for zone in range(72) if zone not in own)
    with pytest.raises(error, match=told):
        EDITOR.edit(
            of(TWO, begun(TWO)), typed.format(own=NAMES[own[0]], theirs=NAMES[theirs]), random.Random(1)
        )


def test_an_army_that_is_not_whole_cannot_be_laid_and_a_wrong_one_is_warned_of() -> None:
    draft = begun(TWO)
    few = dict(draft.places)
    few.popitem()
    with pytest.raises(NotPossible, match="Still to place"):
        EDITOR.decide(of(TWO, Draft(few)))
    two_flags = dict(draft.places)
    changed = next(zone for zone, face in two_flags.items() if face != FLAG)
    two_flags[changed] = FLAG
    warned = EDITOR.warnings(of(TWO, Draft(two_flags)))
    assert "Flag too many" in warned[0]
    assert "record proves" in warned[1]
    language.install("de")
    try:
        assert "zu viel: Fahne; es fehlt: " in EDITOR.warnings(of(TWO, Draft(two_flags)))[0]
        tray = words(TERMINAL.panels.tray(of(TWO, Draft(two_flags)), 80))
        assert "· Zu viele: Fahne" in tray
    finally:
        install(None)


def test_with_garrison_every_territory_must_get_a_piece() -> None:
    view = replace(TWO, state=TWO.state._replace(garrison=True))
    own = own_zones(view.state, view.seat)
    crowded = dict(zip(own, ARMY, strict=False))
    with pytest.raises(NotPossible, match="must get a piece"):
        EDITOR.decide(of(view, Draft(crowded)))


@pytest.mark.parametrize("view", [ZONES_OF_TWO, ZONES_OF_THREE])
def test_the_zones_follow_from_the_draft_that_was_laid(view: View[State]) -> None:
    state = view.state
    army = begun(replace(view, state=state._replace(phase="army"), known={}))
    faces = tuple(army.places[zone] for zone in sorted(army.places))
    known = {view.seat * SLOTS + k: face for k, face in enumerate(faces)}
    laid = replace(view, known=known)
    decided = EDITOR.follow(laid, army)
    assert isinstance(laid.decision, Choose)
    assert decided in laid.decision.options
    other = begun(replace(view, state=state._replace(phase="army"), known={}), seed=9)
    if other != army:
        assert EDITOR.follow(laid, other) is None


@pytest.mark.parametrize("view", [ZONES_OF_TWO, ZONES_OF_THREE])
def test_a_draft_that_was_lost_is_settled_anew_with_the_laid_order(view: View[State]) -> None:
    draft = begun(view)
    assert draft.settled
    laid = tuple(view.known[view.seat * SLOTS + k] for k in range(SLOTS))
    assert tuple(draft.places[zone] for zone in sorted(draft.places)) == laid
    again = EDITOR.edit(of(view, draft), "random", random.Random(3))
    assert tuple(again.places[zone] for zone in sorted(again.places)) == laid
    empty = next(zone for zone in own_zones(view.state, view.seat) if zone not in draft.places)
    moved = EDITOR.edit(of(view, draft), f"{NAMES[min(draft.places)]} {NAMES[empty]}", random.Random(3))
    assert tuple(moved.places[zone] for zone in sorted(moved.places)) == laid
    assert view.decision is not None
    assert allowed(view.decision, EDITOR.decide(of(view, moved)))
    question = EDITOR.question(of(view, draft))
    assert question is not None
    assert "Choose them again" in question.text


@pytest.mark.parametrize("view", [TWO, FOUR])
def test_a_file_gives_the_draft_back(view: View[State]) -> None:
    draft = begun(view)
    assert EDITOR.read(view, EDITOR.write(draft)) == [draft]
    assert begun(view, EDITOR.write(draft), seed=77) == draft
    own = NAMES[own_zones(view.state, view.seat)[0]]
    with pytest.raises(Unknown, match="Line 2"):
        EDITOR.read(view, f"{own} flag\nnonsense\n")
    theirs = NAMES[next(z for z in range(72) if z not in own_zones(view.state, view.seat))]
    with pytest.raises(NotPossible, match="in no territory of yours"):
        EDITOR.read(view, f"{theirs} flag\n")


def test_ready_is_offered_first_only_for_a_whole_army() -> None:
    draft = begun(TWO)
    assert EDITOR.choices(of(TWO, draft))[0].word == "ready"
    few = dict(draft.places)
    few.popitem()
    assert "ready" not in [choice.word for choice in EDITOR.choices(of(TWO, Draft(few)))]


def test_once_laid_nothing_is_asked() -> None:
    waiting = replace(TWO, decision=None)
    assert EDITOR.question(of(waiting, begun(TWO))) is None
    assert context(waiting).draft is not None
    assert TERMINAL.setup_editor is not None


@pytest.mark.parametrize("typed", ["{own} {own}", "{own}", "m9 flag", "hello"])
def test_a_refusal_in_another_language_has_no_english_word_for_a_place(typed: str) -> None:
    own = NAMES[own_zones(TWO.state, TWO.seat)[0]]
    language.install("de")
    try:
        with pytest.raises((NotPossible, Unknown)) as refused:
            EDITOR.edit(of(TWO, begun(TWO)), typed.format(own=own), random.Random(1))
    finally:
        install(None)
    assert "Feld" in str(refused.value)
    assert "zone" not in str(refused.value).lower()


def test_the_question_says_what_an_empty_territory_costs() -> None:
    own = sorted(own_zones(TWO.state, TWO.seat), key=lambda zone: TERRITORY_OF[zone])
    six_of_twelve = Draft(dict(zip(own[: len(ARMY)], ARMY, strict=True)))
    question = EDITOR.question(of(TWO, six_of_twelve))
    assert question is not None
    assert "6 territories stay empty: they are nobody's" in question.text
    each = EDITOR.question(of(TWO, begun(TWO)))
    assert each is not None
    assert "empty" not in each.text
