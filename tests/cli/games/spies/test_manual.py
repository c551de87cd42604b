"""The manual of SPIES!: every chit, tile, city and power, from the tables of the rules."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cli.games.interface import Ambiguous, Unknown, page_about
from cli.games.spies import manifest, manual
from cli.games.spies.terminal import TERMINAL
from cli.text import language
from cli.text.layout import width
from cli.text.layout import words as text_of
from p2p_stratego.registry import GAMES
from p2p_stratego.spies.formats import narration, words
from p2p_stratego.spies.rules.allocation import EVEN
from p2p_stratego.spies.rules.atlas import NAMES, POWERS, SIGNED, TERRITORY
from p2p_stratego.spies.rules.counters import CHIT_NAMES
from p2p_stratego.spies.rules.state import Event
from p2p_stratego.spies.rules.tiles import TILES
from tests.golden.sentences import Row, assert_answers
from tests.helpers.spies.moments import PEOPLE, context
from tests.helpers.spies.scene import golden


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_the_summary_fits_and_names_every_chit(columns: int) -> None:
    lines = manual.summary(columns)
    assert max(map(len, lines)) <= columns
    text = "\n".join(lines).lower()
    assert [name for name in CHIT_NAMES if name not in text] == []


@pytest.mark.parametrize("topic", [*CHIT_NAMES, *NAMES, *POWERS, *map(str, TILES)])
def test_everything_has_its_page(topic: str) -> None:
    title, facts = manual.about(topic)
    assert title.lower().startswith(topic)
    assert facts
    page = manual.page(topic, 60)
    assert all(width(line) <= 60 for line in page.lines)


def test_two_players_are_told_who_runs_russia_and_when() -> None:
    options = GAMES["spies"].options({})
    by_seats = [narration.options(options, seats) for seats in (2, 3, 4, 5)]
    assert [any("odd years" in line for line in of) for of in by_seats] == [True, False, False, False]


def test_the_rules_in_short_and_their_pages_are_told_in_words() -> None:
    def answer(row: Row) -> Iterator[str]:
        if row.place == "options":
            if row.typed is not None:
                yield from narration.options(GAMES["spies"].options({}), int(row.typed))
        elif row.typed is None:
            yield from filter(None, manual.summary(100))
        else:
            page = manual.page(row.typed, 200)
            yield f"─ {page.title} ─"
            yield from filter(None, map(text_of, page.lines))

    assert_answers("spies-rules", answer)


def test_a_sea_has_its_ports() -> None:
    title, facts = manual.about("baltic")
    assert title == "the baltic sea"
    assert "Danzig" in facts[0]
    assert "Rome" not in facts[0]


def test_a_beginning_is_enough_and_nonsense_is_told() -> None:
    assert manual.about("mosc") == manual.about("Moscow")
    with pytest.raises(Ambiguous, match="Berlin, Breslau"):
        manual.about("b")
    for nothing in ("", "horse", "51", "0", "\x1b[2J", "1234", "²"):
        with pytest.raises(Unknown) as no:
            manual.about(nothing)
        assert "\x1b" not in str(no.value)


def test_a_city_tells_whether_it_has_a_police_sign() -> None:
    signed = {city for cities in SIGNED for city in cities}
    for city, name in enumerate(NAMES):
        assert any("A police sign" in fact for fact in manual.about(name)[1]) == (city in signed)


@pytest.mark.parametrize("power", range(len(POWERS)))
def test_a_power_tells_its_cities_with_a_police_sign_and_without(power: int) -> None:
    text = " ".join(manual.about(POWERS[power])[1])
    signed, _, others = text.partition("with a police sign: ")[2].partition("other cities: ")
    for city, name in enumerate(NAMES):
        assert (name.capitalize() in signed) == (city in SIGNED[power])
        assert (name.capitalize() in others) == (TERRITORY[city] == power and city not in SIGNED[power])


@pytest.mark.parametrize("tile", [1, 5, 7, 14, 16])
def test_a_tile_with_a_star_tells_what_it_does(tile: int) -> None:
    """Nobody was told before such a tile lay on the table; of 5 and 16 not even then."""
    _, facts = manual.about(str(tile))
    assert any(words.effect(tile) in fact for fact in facts)
    assert words.effect(tile) in " ".join(" ".join(manual.summary(80)).split())
    assert words.effect(tile) in " ".join(manifest.manifest(context(golden()[0])))
    sentence = narration.tell(golden()[0].state, Event("plays tile", 0, face=tile), PEOPLE)
    assert sentence.endswith(words.effect(tile))


def test_no_other_tile_has_an_effect() -> None:
    assert [tile for tile in TILES if words.effect(tile)] == [1, 5, 7, 14, 16]


@pytest.mark.parametrize("spoken", ["en", "de", "nl"])
def test_the_cousin_has_a_page_in_every_language(spoken: str) -> None:
    language.install(spoken)
    try:
        page = page_about(TERMINAL, {"nl": "neef"}.get(spoken, "cousin"), 80)
        text = " ".join("".join(part for _, part in line) for line in page.lines)
    finally:
        language.install("en")
    assert "3" in text
    assert {"en": "counterspy", "de": "Gegenspion", "nl": "contraspion"}[spoken] in text


@pytest.mark.parametrize(
    ("spoken", "rulings"),
    [
        (
            "en",
            (
                "one that nobody guards does nothing",
                "--handicap none",
                "No secret goes from one to the other",
            ),
        ),
        ("de", ("den niemand bewacht, tut nichts", "--handicap none", "Kein Geheimnis geht von einer zur")),
        ("nl", ("die niemand bewaakt, doet niets", "--handicap none", "Geen geheim gaat van de een naar")),
    ],
)
def test_rulings_that_may_surprise_stand_in_the_manual(spoken: str, rulings: tuple[str, ...]) -> None:
    language.install(spoken)
    try:
        text = " ".join(" ".join(manual.summary(80)).split())
    finally:
        language.install("en")
    assert [ruling for ruling in rulings if ruling not in text] == []
    assert all(str(points) in text for points in EVEN.values())


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("bidding", "Two powers of one player"),
        ("winning", "What counts"),
        ("two powers", "Two powers of one player"),
    ],
)
def test_a_word_about_the_game_opens_its_part_of_the_rules(typed: str, title: str) -> None:
    assert manual.page(typed, 80).title == title


def test_the_parts_of_the_rules_are_listed_and_each_opens_by_its_heading() -> None:
    with pytest.raises(Unknown, match="More: `parts`"):
        manual.page("horse", 80)
    parts = [text_of(line).removeprefix("- ") for line in manual.page("parts", 80).lines]
    assert parts[:2] == ["What it is about", "A turn"]
    own = [part for part in parts if part != "Chits"]
    assert [manual.page(part, 80).title for part in own] == own
