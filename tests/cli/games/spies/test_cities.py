"""Cities of SPIES! in every language: they fit the maps, differ, and are typed as they are shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from cli.games.interface import Ambiguous, ViewContext
from cli.games.spies import questions
from cli.games.spies.cities import as_spoken, cities_called, code, exactly, short, starting
from cli.games.spies.manual import about
from cli.games.spies.map import board
from cli.games.spies.map.board import ROOMY, TIGHT, WIDE, Chart
from cli.games.spies.map.pointer import MapPointer
from cli.games.spies.names import going_on, names, tokens
from cli.games.typed_names import in_english
from cli.table.words import commands
from cli.text import language
from cli.text.layout import place_of
from cli.text.layout import words as written
from cli.text.sanitize import cells
from p2p_stratego.core.game import Choose
from p2p_stratego.core.view import View
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.rules.atlas import CITY_NAMED, NAMES
from p2p_stratego.spies.rules.state import State
from tests.helpers.spies.moments import asked, context, moments, options

ALL = range(len(NAMES))
CHARTS = (WIDE, ROOMY, TIGHT)


@pytest.fixture(params=list(product(language.NAMES, (False, True))), ids=str)
def spoken(request: pytest.FixtureRequest) -> Iterator[str]:
    code, plain = request.param
    language.install(code, ascii_only=plain)
    yield code
    language.install("en")


@pytest.fixture
def german() -> Iterator[None]:
    language.install("de")
    yield
    language.install("en")


def read(typed: str) -> list[str]:
    """The cities that a typed word means, as the table hands it to the game."""
    (word,) = tokens(in_english(typed, names()))
    return cities_called(word)


def test_short_names_fit_and_codes_have_three_letters_and_all_differ(spoken: str) -> None:
    assert all(cells(short(city)) <= 8 for city in ALL), spoken
    assert all(len(code(city)) == 3 and code(city).isascii() for city in ALL), spoken
    for shown in (words.city, short, code):
        assert len({shown(city) for city in ALL}) == len(NAMES), (spoken, shown)


def test_every_name_short_name_and_code_is_read_as_its_city(spoken: str) -> None:
    for city, name in enumerate(NAMES):
        for shown in (words.city(city), short(city), code(city), name, name[:6]):
            for typed in (shown, shown.lower(), shown.upper()):
                assert read(typed) == [name], (spoken, typed)
                assert commands.read(typed) is None


def test_no_code_is_the_english_code_of_another_city(spoken: str) -> None:
    english = {name[:3]: city for city, name in enumerate(NAMES)}
    assert all(english.get(code(city), city) == city for city in ALL), spoken


@pytest.mark.parametrize("chart", CHARTS, ids=["wide", "roomy", "tight"])
def test_a_label_fits_its_cell_and_each_city_is_drawn_with_its_own(chart: Chart, spoken: str) -> None:
    view = asked(moments(3), "turn")
    drawn = dict.fromkeys(NAMES, "")
    for line in board.draw(context(view), chart.columns, chart.rows):
        for style, part in line:
            if (place := place_of(style)) is not None:
                drawn[place] += part
    for city, name in enumerate(NAMES):
        label = chart.label(city)
        assert cells(label) < chart.wide
        assert label[: chart.wide - 2].lower() in drawn[name].lower(), (spoken, label)


@pytest.mark.parametrize(
    ("code_", "typed", "meant"),
    [
        ("de", "Königsberg", "konigsberg"),
        ("de", "koenigsb", "konigsberg"),
        ("de", "strassburg", "strasbourg"),
        ("de", "Mail", "milan"),
        ("de", "mai", "milan"),
        ("de", "warsaw", "warsaw"),
        ("nl", "Praag", "prague"),
        ("nl", "venetie", "venice"),
        ("nl", "bkr", "bucharest"),
        ("en", "leningrd", "leningrad"),
    ],
)
def test_names_are_read_with_and_without_accents(code_: str, typed: str, meant: str) -> None:
    language.install(code_)
    try:
        assert read(typed) == [meant]
    finally:
        language.install("en")


@pytest.mark.parametrize(
    ("code_", "typed", "could"),
    [
        ("de", "ma", {"madrid", "malta", "marseilles", "milan"}),
        ("de", "kö", {"cologne", "copenhagen", "konigsberg"}),
        ("nl", "ri", {"riga", "lille"}),
        ("nl", "boe", {"budapest", "bucharest"}),
    ],
)
def test_a_beginning_that_several_share_means_them_all(code_: str, typed: str, could: set[str]) -> None:
    language.install(code_)
    try:
        assert set(read(typed)) == could
        with pytest.raises(Ambiguous, match=words.city(CITY_NAMED[min(could)])):
            about(typed)
    finally:
        language.install("en")


def test_labels_follow_a_change_of_the_language() -> None:
    vienna = CITY_NAMED["vienna"]
    labels = []
    for tongue in ("de", "en", "nl"):
        language.install(tongue)
        labels.append([chart.label(vienna) for chart in CHARTS])
    language.install("en")
    assert labels == [["Wien", "Wien", "wie"], ["Vienna", "Vienna", "vie"], ["Wenen", "Wenen", "wen"]]
    assert exactly("wien") == []


def turn() -> View[State]:
    """A spy can go to a city with another name in German."""
    return asked(moments(3), "turn", lambda view: "cologne" in " ".join(options(view)))


def context_of(of: ViewContext, typed: str) -> ViewContext:
    """The context of a typed line, as the table makes it."""
    return replace(of, typed=in_english(typed, names()))


@pytest.mark.usefixtures("german")
def test_offered_lines_speak_the_language_and_are_read() -> None:
    view = turn()
    of = context(view)
    choices = questions.choices(of)
    assert any("köln" in choice.shown for choice in choices)
    assert not any("cologne" in choice.word or "cologne" in choice.shown for choice in choices)
    for choice in choices:
        assert isinstance(view.decision, Choose)
        decided = questions.read(view, in_english(choice.word, names()))
        assert decided in view.decision.options, choice
        assert choice.word in [other.word for other in questions.choices(context_of(of, choice.word))]
    begun = next(choice.word for choice in choices if choice.word.endswith("köln"))[:-2]
    assert [choice.word for choice in questions.choices(context_of(of, begun))] == [f"{begun}ln"]
    assert as_spoken("move ge1 cologne") == "move ge1 köln"


@pytest.mark.usefixtures("german")
def test_a_beginning_of_several_seas_or_chits_is_completed() -> None:
    assert starting("ost", ["baltic", "north", "east"]) == ["baltic", "east"]  # Ostsee, östliches Mittelmeer
    assert starting("ab", ["drop ge1", "intercept ge1", "move ge1 rome"]) == ["drop ge1", "intercept ge1"]
    assert as_spoken("diplomacy britain") == "diplomacy großbritannien"
    assert in_english("diplomacy Grossbritannien", names()) == "diplomacy britain"
    assert about("deutschland")[0] == "Deutschland"
    assert going_on(["sail", "ge1", "ost"], ["sail ge1 baltic", "sail ge1 north"]) == ["sail ge1 baltic"]


@pytest.mark.usefixtures("german")
def test_what_is_pointed_at_is_written_as_it_is_called() -> None:
    view = turn()
    line = next(word for word in options(view) if word.startswith("move") and word.endswith("cologne"))
    spy = line.split(" ")[1]
    assert MapPointer().point(context(view, typed=spy), "cologne") == (as_spoken(line), True)


@pytest.mark.usefixtures("german")
def test_the_german_map_has_german_names() -> None:
    text = "\n".join(written(line) for line in board.draw(context(turn()), ROOMY.columns, ROOMY.rows))
    for name in ("Köln", "Warschau", "Kopenhgn", "Königsb", "Mailand", "▲Rom", "Straßbg", "○Genf", "Wien"):
        assert name in text
    assert "Cologne" not in text


@pytest.mark.parametrize(
    ("code_", "plain", "wide"),
    [
        ("de", False, "Straßburg Königsberg"),
        ("de", True, "Strassburg Koenigsberg"),
        ("nl", False, "Straatsburg Koningsb"),
    ],
)
def test_the_widest_map_shortens_only_what_has_no_room(code_: str, plain: bool, wide: str) -> None:
    language.install(code_, ascii_only=plain)
    try:
        assert " ".join(WIDE.label(CITY_NAMED[name]) for name in ("strasbourg", "konigsberg")) == wide
    finally:
        language.install("en")


@pytest.mark.parametrize("code_", ["de", "nl"])
def test_every_offered_line_is_read_as_its_english(code_: str) -> None:
    views = [view for view, _ in moments(3)[::12] if view.decision is not None]
    assert {"turn", "police", "secret", "place"} <= {questions.kind(view) for view in views}
    for view in views:
        english = [choice.word for choice in questions.choices(context(view))]
        language.install(code_)
        try:
            spoken = [choice.word for choice in questions.choices(context(view))]
            assert [in_english(word, names()) for word in spoken] == english, questions.kind(view)
        finally:
            language.install("en")
