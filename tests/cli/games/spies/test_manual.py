"""The manual of SPIES!: every chit, tile, city and power, from the tables of the rules."""

from __future__ import annotations

import pytest

from cli.games.interface import Ambiguous, Unknown
from cli.games.spies import manual
from cli.text.layout import width
from p2p_stratego.spies.rules.atlas import NAMES, POWERS, SIGNED, TERRITORY
from p2p_stratego.spies.rules.counters import CHIT_NAMES
from p2p_stratego.spies.rules.tiles import TILES


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
    told = " ".join(manual.about(POWERS[power])[1])
    signed, _, others = told.partition("with a police sign: ")[2].partition("other cities: ")
    for city, name in enumerate(NAMES):
        assert (name.capitalize() in signed) == (city in SIGNED[power])
        assert (name.capitalize() in others) == (TERRITORY[city] == power and city not in SIGNED[power])
