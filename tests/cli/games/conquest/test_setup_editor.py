"""Placing an army in Conquest: drafts, templates, files, warnings, and what follows once it is laid."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from cli.games.conquest.setup_editor import TEMPLATES, Draft, SetUp
from cli.games.conquest.terminal import TERMINAL
from cli.games.interface import NotPossible, Unknown, ViewContext
from cli.text import language
from cli.text.layout import words
from p2p_stratego.conquest.rules.atlas import NAMES, TERRITORY_OF, ZONE_NAMED
from p2p_stratego.conquest.rules.choices import own_zones
from p2p_stratego.conquest.rules.pieces import ARMY, FLAG
from p2p_stratego.conquest.rules.state import SLOTS, State
from p2p_stratego.core.game import Choose
from p2p_stratego.core.self_play import allowed
from p2p_stratego.core.view import View
from tests.golden.sentences import Row, assert_answers
from tests.helpers.conquest.moments import asked, changed, context, players, views

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
    templates = EDITOR.templates(view)
    assert set(templates) == set(TEMPLATES)
    for draft in templates.values():
        assert Counter(draft.places.values()) == Counter(ARMY)
        assert set(draft.places) <= set(own_zones(view.state, view.seat))
        assert templates == EDITOR.templates(view)
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


def few(draft: Draft) -> Draft:
    """The draft without a piece."""
    return Draft(dict(list(draft.places.items())[:-1]))


def two_flags(draft: Draft) -> Draft:
    """The draft with a flag in place of another piece."""
    changed = next(zone for zone, face in draft.places.items() if face != FLAG)
    return Draft({**draft.places, changed: FLAG})


def crowded(view: View[State]) -> Draft:
    """An army on the first zones, so that half of the territories stay empty."""
    own = sorted(own_zones(view.state, view.seat), key=lambda zone: TERRITORY_OF[zone])
    return Draft(dict(zip(own[: len(ARMY)], ARMY, strict=True)))


def places() -> dict[str, ViewContext]:
    """The drafts of `conquest-setting-up.txt`, by name."""
    whole, garrison = begun(TWO), changed(TWO, garrison=True)
    return {
        "a whole army": of(TWO, whole),
        "an army without a piece": of(TWO, few(whole)),
        "two flags": of(TWO, two_flags(whole)),
        "six empty territories": of(TWO, crowded(TWO)),
        "six empty territories that must have a garrison": of(garrison, crowded(garrison)),
        "an order that is laid already": of(ZONES_OF_TWO, begun(ZONES_OF_TWO)),
    }


@pytest.mark.parametrize("code", ["en", "de"])
def test_a_draft_is_asked_about_warned_of_and_refused_in_words(code: str) -> None:
    drafts = places()
    own = own_zones(TWO.state, TWO.seat)
    theirs = next(zone for zone in range(72) if zone not in own)

    def answer(row: Row) -> Iterator[str]:
        here = drafts[row.place]
        if row.typed is None:
            question = EDITOR.question(here)
            assert question is not None
            yield from (question.text, question.how)
            yield words(TERMINAL.panels.tray(here, 80)).strip()
        elif row.typed == "ready":
            EDITOR.decide(here)
            yield "."
            yield from (f"? {warning}" for warning in EDITOR.warnings(here))
        else:
            typed = row.typed.format(own=NAMES[own[0]], theirs=NAMES[theirs])
            yield str(len(EDITOR.edit(here, typed, random.Random(1)).places))

    language.install(code)
    assert_answers({"en": "conquest-setting-up", "de": "conquest-setting-up-de"}[code], answer)


@pytest.mark.parametrize("settled", [True, False])
def test_a_wrong_army_is_refused_in_every_match(settled: bool) -> None:
    """Where decisions are taken back nobody opens it, so that two flags were laid in the lesson."""
    wrong = replace(of(TWO, two_flags(begun(TWO))), settled=settled)
    [warning] = EDITOR.warnings(wrong)
    with pytest.raises(NotPossible, match=r"Still to place: Cursed land\. Too many: Flag\."):
        EDITOR.decide(wrong)
    assert "Flag" in warning


def test_an_army_that_is_not_whole_cannot_be_laid() -> None:
    with pytest.raises(NotPossible):
        EDITOR.decide(of(TWO, few(begun(TWO))))
    garrison = changed(TWO, garrison=True)
    with pytest.raises(NotPossible):
        EDITOR.decide(of(garrison, crowded(garrison)))


@pytest.mark.parametrize("view", [ZONES_OF_TWO, ZONES_OF_THREE])
def test_the_zones_follow_from_the_draft_that_was_laid(view: View[State]) -> None:
    army = begun(changed(replace(view, known={}), phase="army"))
    faces = tuple(army.places[zone] for zone in sorted(army.places))
    known = {view.seat * SLOTS + k: face for k, face in enumerate(faces)}
    laid = replace(view, known=known)
    decided = EDITOR.follow(laid, army)
    assert isinstance(laid.decision, Choose)
    assert decided in laid.decision.options
    other = begun(changed(replace(view, known={}), phase="army"), seed=9)
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


@pytest.mark.parametrize("view", [TWO, FOUR])
def test_a_file_gives_the_draft_back(view: View[State]) -> None:
    draft = begun(view)
    assert EDITOR.read(view, EDITOR.write(draft)) == [draft]
    assert begun(view, EDITOR.write(draft), seed=77) == draft
    own = NAMES[own_zones(view.state, view.seat)[0]]
    with pytest.raises(Unknown):
        EDITOR.read(view, f"{own} flag\nnonsense\n")
    theirs = NAMES[next(z for z in range(72) if z not in own_zones(view.state, view.seat))]
    with pytest.raises(NotPossible):
        EDITOR.read(view, f"{theirs} flag\n")


def test_ready_is_offered_first_only_for_a_whole_army() -> None:
    draft = begun(TWO)
    assert EDITOR.choices(of(TWO, draft))[0].word == "ready"
    assert "ready" not in [choice.word for choice in EDITOR.choices(of(TWO, few(draft)))]


def test_once_laid_nothing_is_asked() -> None:
    waiting = replace(TWO, decision=None)
    assert EDITOR.question(of(waiting, begun(TWO))) is None
    assert context(waiting).draft is not None
    assert TERMINAL.setup_editor is not None
