"""The territories of Conquest have names in every language, which are shown, and read as they are typed."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from cli.games.conquest.names import LETTERS as PIECE_LETTERS
from cli.games.conquest.names import territory, with_city
from cli.games.conquest.snapshot import place_called
from cli.games.conquest.terminal import TERMINAL
from cli.games.interface import Ambiguous, Misunderstood, Unknown, page_about
from cli.games.typed_names import as_typed, folded, in_english
from cli.text import language
from cli.text.layout import ascii_text
from cli.text.layout import words as text_of
from cli.text.sanitize import cells
from p2p_stratego.conquest.formats import narration, words
from p2p_stratego.conquest.formats.words import land
from p2p_stratego.conquest.rules.atlas import LETTERS, TERRITORIES
from p2p_stratego.conquest.rules.pieces import FACES, PIECES
from p2p_stratego.conquest.rules.state import Event
from p2p_stratego.core.language import install
from tests.helpers.conquest.moments import NAMES as PEOPLE
from tests.helpers.conquest.moments import asked, context, views

PLACES = range(len(TERRITORIES))
ENGLISH = [ground.name for ground in TERRITORIES]
PRINTED = {
    *("North Hold", "Rocky Wild", "Lookout Ledge", "Keyfort", "Ravenfall", "Castleburg", "Mammoth Bay"),
}
"""What the Dutch rule text calls its seven cities."""
FOUR = views(4, 3, 40)


@pytest.fixture(params=sorted(language.NAMES), autouse=True)
def spoken(request: pytest.FixtureRequest) -> Iterator[str]:
    language.install(request.param)
    yield request.param
    install(None)


def read(typed: str) -> int | None:
    """The territory that a typed line names, read as at the table."""
    return place_called(in_english(typed, TERMINAL.names()))


def test_every_territory_is_taken_by_its_name_as_it_is_shown_and_in_english() -> None:
    for place in PLACES:
        shown = land(place)
        umlauts = shown.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")
        for name in (shown, shown.upper(), folded(shown), umlauts, ENGLISH[place], ENGLISH[place].lower()):
            assert read(name) == read(f"take {name}") == place, name
        assert read(LETTERS[place]) == read(LETTERS[place].lower()) == place


def test_a_territory_is_taken_as_it_is_offered_with_the_star_of_its_city_in_ascii_too() -> None:
    choices, view = TERMINAL.questions.choices, asked(FOUR, "take")
    offered = choices(context(view))
    assert any("★" in choice.shown for choice in offered)
    for choice in offered:
        for shown in (choice.shown, choice.shown.replace(" ", ""), ascii_text(choice.shown)):
            assert read(shown) == read(shown.lower()) == read(f"take {shown}") == read(choice.word), shown
            assert choice in choices(context(view, typed=shown))


def test_two_letters_of_a_shown_name_and_more_are_enough() -> None:
    for place in PLACES:
        for end in range(2, len(land(place))):
            assert read(land(place)[:end].rstrip()) == place, land(place)[:end]


def test_no_two_names_are_alike_and_none_is_longer_than_the_longest_in_english(spoken: str) -> None:
    names = [land(place) for place in PLACES]
    assert len({folded(name) for name in names}) == len(names)
    assert max(map(cells, names)) <= max(map(cells, ENGLISH))
    assert (names == ENGLISH) == (spoken == "en")
    printed = {name for name, shown in zip(ENGLISH, names, strict=True) if name == shown}
    assert spoken != "nl" or printed == PRINTED


def test_what_a_person_reads_has_the_names_in_the_language_of_the_moment(spoken: str) -> None:
    drafting = context(FOUR[0])
    playing = context(asked(FOUR, "move", 60))
    whole = "\n".join(TERMINAL.description.board(playing))
    left = "\n".join(TERMINAL.description.asked(drafting))
    took = [narration.tell(Event("took", 0, ground.zones), PEOPLE) for ground in TERRITORIES]
    for place, ground in enumerate(TERRITORIES):
        assert land(place) in whole
        assert territory(place) in left
        assert land(place) in took[place]
        own = land(place) != ground.name
        assert not own or not any(ground.name in text for text in (whole, left, took[place]))
    assert ("(city)" in whole) == (spoken == "en")


def test_a_territory_at_the_cursor_is_told_by_its_shown_name() -> None:
    for place, name in enumerate(map(land, PLACES)):
        of = context(FOUR[0], typed=in_english(f"take {name}", TERMINAL.names()))
        assert name in text_of(TERMINAL.panels.explain(of)), TERRITORIES[place]


def test_a_page_of_the_manual_is_found_by_the_shown_name_and_the_english_one() -> None:
    for place in PLACES:
        page = page_about(TERMINAL, land(place), 80)
        assert page == page_about(TERMINAL, ENGLISH[place], 80)
        assert land(place) in " ".join(map(text_of, page.lines)) + page.title


def test_a_page_is_found_by_a_territory_as_the_game_writes_it_and_by_its_letter_on_the_map() -> None:
    for place in PLACES:
        page, letter = page_about(TERMINAL, land(place), 80), LETTERS[place]
        lettered = f"{land(place)} ({letter})"
        for shown in (words.territory(place), territory(place), with_city(place), lettered):
            assert page == page_about(TERMINAL, shown, 80) == page_about(TERMINAL, shown.upper(), 80), shown
        if letter in PIECE_LETTERS:
            with pytest.raises(Ambiguous) as refused:
                page_about(TERMINAL, letter, 80)
            assert words.territory(place) in str(refused.value)
            assert words.piece(PIECE_LETTERS.index(letter)) in str(refused.value)
        else:
            assert page == page_about(TERMINAL, letter.lower(), 80)


def test_pages_of_pieces_name_pieces_in_the_language_that_is_spoken(spoken: str) -> None:
    english = re.compile(rf"\b({'|'.join(piece.name for piece in PIECES)})\b")
    for face in FACES:
        text = " ".join(map(text_of, page_about(TERMINAL, words.piece(face), 80).lines))
        assert spoken == "en" or not english.search(text), text


def test_a_page_that_is_not_there_is_quoted_as_it_was_typed() -> None:
    with pytest.raises(Unknown) as refused:
        page_about(TERMINAL, f"{land(1)} now", 80)
    assert f"{land(1)} now".lower() in str(refused.value).lower()


def test_a_refusal_quotes_a_name_of_two_english_words_as_it_was_typed() -> None:
    names = TERMINAL.names()
    typed = f"take {land(1)} now"
    with pytest.raises(Misunderstood) as refused:
        TERMINAL.questions.read(FOUR[0], in_english(typed, names))
    assert typed.lower() in as_typed(str(refused.value), typed, names).lower()


def test_a_name_is_completed_to_the_answer_that_it_means() -> None:
    for place in PLACES:
        for typed in (land(place)[:4], f"take {land(place)}", f"take {LETTERS[place].lower()}"):
            of = context(FOUR[0], typed=in_english(typed, TERMINAL.names()))
            assert [choice.word for choice in TERMINAL.questions.choices(of)] == [f"take {LETTERS[place]}"], (
                typed
            )
