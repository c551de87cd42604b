"""Names typed as they are shown, in every language, mean the same things as the English ones."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

import pytest

from cli.games.conquest import names as conquest
from cli.games.interface import Misunderstood, page_about, terminal
from cli.games.spies.names import tokens
from cli.games.spies_and_lies import soldiers
from cli.games.stratego import names as stratego
from cli.games.typed_names import as_typed, begins, folded, in_english, shown
from cli.table.words import commands
from cli.text import language
from p2p_stratego.conquest.rules import pieces as conquest_pieces
from p2p_stratego.core.language import _, _c
from p2p_stratego.registry import ENTRIES
from p2p_stratego.spies_and_lies.rules.components import SOLDIERS
from p2p_stratego.stratego.rules import pieces as stratego_pieces
from tests.helpers.games.facts import facts

LANGUAGES = ("de", "nl")
COMMANDS = {
    word
    for entry in (
        *(*commands.TABLE, *commands.INTERRUPTS, *commands.COUNTED),
        *(commands.PRIVATE, *commands.SETTING_UP),
    )
    for word in entry.words
}
ANSWERS = {
    *("ready", "clear", "yes", "no", "none", "token", "points", "ten", "five", "stay", "stop", "agent"),
    *("captured", "counterspy", "random", "mirror", "done", "accept", "decline", "free", "genuine"),
    *("survives", "seize", "search", "reach"),
}


@pytest.fixture(params=LANGUAGES)
def spoken(request: pytest.FixtureRequest) -> Iterator[str]:
    language.install(request.param)
    yield request.param
    language.install("en")


def plain(text: str) -> str:
    return "".join(
        character for character in unicodedata.normalize("NFKD", text) if not unicodedata.combining(character)
    )


def spelled(name: str) -> set[str]:
    """A name as different people type it."""
    umlauts = name.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")
    return {name, name.upper(), name.lower(), plain(name), umlauts, unicodedata.normalize("NFD", name)}


NAMED = [game for game in ENTRIES if facts(game).things is not None]


@pytest.mark.parametrize("game", NAMED)
def test_no_shown_name_is_read_as_another_thing(game: str, spoken: str) -> None:
    things, names = facts(game).things, terminal(game).names()
    assert things is not None
    shown = [(word, name) for word, spellings in names.items() for name in spellings]
    assert len(shown) > 9, spoken
    for word, name in shown:
        alike = {other for other, thing in shown if folded(thing) == folded(name)}
        for typed in spelled(name):
            read = in_english(typed, names).lower()
            assert things(read) <= alike, (word, typed, read)


@pytest.mark.parametrize("game", list(ENTRIES))
def test_english_is_read_as_english(game: str, spoken: str) -> None:
    names = terminal(game).names()
    for word in {*names, *ANSWERS, *COMMANDS, *facts(game).verbs}:
        assert in_english(word, names).lower() == word, spoken
        assert in_english(f"a1 {word} b2", names).lower() == f"a1 {word} b2", spoken


@pytest.mark.parametrize("game", list(ENTRIES))
def test_no_shown_name_or_answer_is_a_command(game: str, spoken: str) -> None:
    names = terminal(game).names()
    shown = {name for spellings in names.values() for name in spellings}
    shown |= {
        translation
        for answer in ANSWERS
        for translation in (_(answer), _c("typed", answer))
        if translation != answer
    }
    assert [word for spelling in shown for word in spelled(spelling) if commands.read(word)] == [], spoken


@pytest.mark.parametrize("game", list(ENTRIES))
def test_a_whole_name_means_its_thing_alone(game: str, spoken: str) -> None:
    names = terminal(game).names()
    for word, spellings in names.items():
        for name in spellings:
            others = {other for other, shown in names.items() if other != word and name in shown}
            for typed in spelled(name):
                read = in_english(f"b2 {typed}", names).removeprefix("b2 ").lower()
                stands = unicodedata.normalize("NFC", typed).lower()
                assert read in ({stands} if others else {word, stands}), (spoken, typed, read)


@pytest.mark.parametrize("game", list(ENTRIES))
def test_a_beginning_means_one_of_the_things_that_begin_so(game: str, spoken: str) -> None:
    names = terminal(game).names()
    for name in {name for spellings in names.values() for name in spellings}:
        for end in range(1, len(name) + 1):
            read = in_english(name[:end], names)
            fitting = begins((*names.get(read.strip(), ()), shown(read, {})), name[:end])  # or an answer
            assert read == name[:end] or fitting, (spoken, name[:end], read)


def test_every_piece_and_soldier_is_called_by_its_shown_name(spoken: str) -> None:
    for face_called, faces, game in (
        (stratego.face_called, stratego_pieces.FACE_NAMED, "stratego"),
        (conquest.face_called, conquest_pieces.FACE_NAMED, "conquest"),
    ):
        names = terminal(game).names()
        for word, face in faces.items():
            for typed in spelled(names[word][0]):
                assert face_called(in_english(typed, names)) == [face], (spoken, typed)
    names = terminal("spies-and-lies").names()
    for rank, soldier in SOLDIERS.items():
        for typed in spelled(names[soldier.name.lower()][0]):
            assert soldiers.named(in_english(typed, names).lower()) == rank, (spoken, typed)


@pytest.mark.parametrize(
    ("code", "game", "typed", "read"),
    [
        ("de", "stratego", "a1 Fahne, b1=Aufklärer", "a1 flag, b1=scout"),
        ("de", "stratego", "a1 aufklaerer, b1 AUFKLARER", "a1 scout, b1 scout"),
        ("de", "stratego", "bereit", "ready"),
        ("de", "stratego", "a4a5", "a4a5"),
        ("de", "spies-and-lies", "Leutnant bombe 9 General", "lieutenant bomb 9 General"),
        ("de", "spies-and-lies", "Leut", "lieutenant"),
        ("de", "spies-and-lies", "lieutenant", "lieutenant"),
        ("de", "conquest", "geheime information", "secret"),
        ("de", "conquest", "c4 koenigin", "c4 queen"),
        ("de", "conquest", "c4 kö", "c4 kö"),
        ("nl", "spies-and-lies", "Verkenner sergeant kapitein generaal", "scout sergeant captain general"),
        ("nl", "stratego", "a1 vlag, b1 maarsch", "a1 flag, b1 marshal"),
        ("nl", "conquest", "nieuwe spion", "new-spy"),
        ("nl", "spies-and-lies", "fiche", "token"),
        ("de", "spies", "dec", "dec"),
        ("de", "spies", "Deckung", "cover"),
        ("en", "stratego", "a1 Fahne", "a1 Fahne"),
    ],
)
def test_a_line_is_read_in_the_language_that_is_spoken(code: str, game: str, typed: str, read: str) -> None:
    language.install(code)
    try:
        assert in_english(typed, terminal(game).names()) == read
    finally:
        language.install("en")


@pytest.mark.parametrize(("code", "typed"), [("de", "Ja"), ("nl", "ja"), ("en", "yes")])
def test_a_refusal_quotes_what_is_typed(code: str, typed: str) -> None:
    names = terminal("spies-and-lies").names()
    language.install(code)
    try:
        with pytest.raises(Misunderstood) as refused:
            soldiers.named(in_english(typed, names).lower())
        reply = as_typed(str(refused.value), typed, names)
    finally:
        language.install("en")
    assert reply[1:].startswith(typed)
    assert reply[1 + len(typed) :] == str(refused.value)[4:]


def test_chits_seas_and_sums_are_typed_as_they_are_shown(spoken: str) -> None:
    names = terminal("spies").names()
    for word, spellings in names.items():
        for name in spellings:
            assert tokens(in_english(f"ge1 {name}", names)) in (tokens(f"ge1 {word}"), tokens(f"ge1 {name}"))
    pound = {"de": "pfund", "nl": "pond"}[spoken]
    assert in_english(f"3 {pound}", names) == "3 pounds"


def test_a_page_of_the_manual_is_found_by_the_shown_name(spoken: str) -> None:
    name = {"de": "Bombe", "nl": "Verkenner"}[spoken]
    word = {"de": "bomb", "nl": "scout"}[spoken]
    here = terminal("stratego")
    assert page_about(here, name, 80) == here.manual.page(word, 80)
    with pytest.raises(Misunderstood):
        page_about(here, "unfug", 80)


@pytest.mark.parametrize("game", ENTRIES)
@pytest.mark.parametrize("code", LANGUAGES)
def test_accents_are_read_though_the_screen_shows_none(game: str, code: str) -> None:
    here = terminal(game)
    language.install(code)
    try:
        every = [(english, name) for english, shown in here.names().items() for name in shown]
        language.install(code, ascii_only=True)
        for english, name in every:
            for typed in {name, name.lower(), plain(name), name.translate(UMLAUTS)}:
                assert in_english(typed, here.names()).lower() == in_whole(code, typed, game), english
    finally:
        language.install("en")


UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})


def in_whole(code: str, typed: str, game: str) -> str:
    """What is read with all letters on the screen."""
    language.install(code)
    read = in_english(typed, terminal(game).names()).lower()
    language.install(code, ascii_only=True)
    return read
