"""Every translation says its sentence: the same fields, nothing that a terminal obeys, whole."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

import pytest

from p2p_stratego.core.language import mark_each
from protocol.audit.verdict import Verdict
from protocol.errors import RULES
from protocol.record.asks.registry import KINDS
from tests.words.finding import Sentence, fields, findings, read
from tests.words.generate import LANGUAGES, forms, merged


def pairs(language: str) -> Iterator[tuple[str, str]]:
    """Each translated form, and the English one whose fields it may use."""
    for message in merged(language):
        if not message.id:
            continue
        many = message.id if isinstance(message.id, str) else message.id[-1]
        yield from ((many, form) for form in forms(message) if form)


@pytest.mark.parametrize("language", LANGUAGES)
def test_row_93_a_translation_fills_the_fields_of_its_sentence_and_no_other(language: str) -> None:
    wrong = [
        (english, translation)
        for english, translation in pairs(language)
        if not fields(translation) <= fields(english)
    ]
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_row_93_a_translation_loses_no_field_but_a_number_of_its_singular(language: str) -> None:
    lost = [
        (english, translation)
        for english, translation in pairs(language)
        if not fields(english) - {"count"} <= fields(translation)
    ]
    assert lost == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_row_93_a_translation_is_formatted_as_its_sentence_is(language: str) -> None:
    for english, translation in pairs(language):
        if fields(english):
            filled = dict.fromkeys(fields(english), 2)
            assert translation.format(**filled)
            assert english.format(**filled)


@pytest.mark.parametrize("language", LANGUAGES)
def test_row_93_a_translation_holds_no_character_that_a_terminal_obeys_or_hides(language: str) -> None:
    hidden = {
        translation
        for _, translation in pairs(language)
        for character in translation
        if character != "\n" and unicodedata.category(character)[0] in "CZ" and character != " "
    }
    assert hidden == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_begins_and_ends_as_its_sentence_does(language: str) -> None:
    """White space joins it to what stands beside it, and lines to lines."""

    def frame(text: str) -> tuple[str, str]:
        return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]

    assert [
        translation for english, translation in pairs(language) if frame(english) != frame(translation)
    ] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_that_counts_has_every_plural_or_none(language: str) -> None:
    for message in merged(language):
        if message.pluralizable and any(forms(message)):
            assert len(forms(message)) == merged(language).num_plurals
            assert all(forms(message))


def test_no_sentence_stands_alone_and_with_a_plural() -> None:
    counted = {sentence.singular for sentence in findings()[0] if sentence.many is not None}
    alone = {
        sentence.singular for sentence in findings()[0] if sentence.many is None and sentence.context is None
    }
    assert alone & counted == set()


@pytest.mark.parametrize(
    "source",
    [
        "_(f'{name} wins')",
        "_('{name} ' + 'wins')",
        "_('{name} wins', nam=1)",
        "n_('one', '{count} of {name}', 2)",
        "n_('one', 2)",
        "_('one', 'two')",
        "_c('one')",
        "_c(context, 'one')",
        "_c('sense', f'one {name}')",
        "_c('sense', 'one {name}', nam=1)",
        "mark_each(f'one, {name}')",
        "mark_each('one', 'two')",
        "mark_each_c(context, 'one, two')",
        "mark_each_c('one, two')",
        "def f(_):\n    return _('one')",
        "def f():\n    _, a = 1, 2\n    return _('one')",
    ],
)
def test_a_call_that_no_catalogue_can_serve_is_a_mistake(source: str) -> None:
    assert [reading for reading in read(source, "a.py") if not isinstance(reading, Sentence)]


def test_every_sentence_of_a_call_is_found() -> None:
    calls = (
        "_('a ' 'b')",
        "_('c' if x else 'd')",
        "n_('{count} e', '{count} f', 3)",
        "mark('g {h}')",
        "_(w, h=1)",
    )
    assert [reading[:2] for reading in read("\n".join(calls), "a.py")] == [
        ("a b", None),
        ("c", None),
        ("d", None),
        ("{count} e", "{count} f"),
        ("g {h}", None),
    ]


def test_a_sentence_in_a_context_is_found_with_it() -> None:
    calls = ("_c('of a key', 'play')", "mark_c('of a result', 'won' if x else 'lost')", "_c('of a key', w)")
    assert [
        (sentence.context, sentence.singular)
        for sentence in read("\n".join(calls), "a.py")
        if isinstance(sentence, Sentence)
    ] == [
        ("of a key", "play"),
        ("of a result", "won"),
        ("of a result", "lost"),
    ]


def test_each_sentence_of_a_table_is_found_as_if_it_stood_alone() -> None:
    tables = 'mark_each("""a b, c\n d""")\nmark_each_c("of a key", "play, stop")'
    found_there = [sentence for sentence in read(tables, "a.py") if isinstance(sentence, Sentence)]
    assert [(sentence.context, sentence.singular) for sentence in found_there] == [
        (None, "a b"),
        (None, "c d"),
        ("of a key", "play"),
        ("of a key", "stop"),
    ]
    assert mark_each("a b, c\n d") == ("a b", "c d")


BOX = {
    "Flag": ("Fahne", "Vlag"),
    "Spy": ("Spion", "Spion"),
    "Scout": ("Aufklärer", "Verkenner"),
    "Miner": ("Mineur", "Mineur"),
    "Sergeant": ("Unteroffizier", "Sergeant"),
    "Lieutenant": ("Leutnant", "Luitenant"),
    "Captain": ("Hauptmann", "Kapitein"),
    "Major": ("Major", "Majoor"),
    "Colonel": ("Oberst", "Kolonel"),
    "General": ("General", "Generaal"),
    "Marshal": ("Feldmarschall", "Maarschalk"),
    "Bomb": ("Bombe", "Bom"),
}


@pytest.mark.parametrize("piece", BOX)
def test_a_piece_is_called_as_on_its_box(piece: str) -> None:
    assert tuple(merged(language)[piece].string for language in ("de", "nl")) == BOX[piece]


def test_the_words_of_the_protocol_are_there_for_translators() -> None:
    sentences = {sentence.singular for sentence in findings()[0]}
    assert sentences >= {kind.words for kind in KINDS.values()}
    assert sentences >= set(RULES.values())
    assert sentences >= {verdict.value for verdict in Verdict}
