"""Within a game a thing has one name in each language, in every sentence that names it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import pytest

from p2p_stratego.conquest.formats import words as conquest
from p2p_stratego.conquest.rules.pieces import FACES
from p2p_stratego.spies.formats import words as spies
from p2p_stratego.spies.rules.counters import ALL_CHITS
from p2p_stratego.spies_and_lies.rules.components import SOLDIERS
from p2p_stratego.stratego.formats import narration as stratego
from p2p_stratego.stratego.rules.armies import ARMIES
from tests.words.generate import LANGUAGES, forms, merged


class Name(NamedTuple):
    """What one thing is called in English: the words for it alone, and of several."""

    context: str | None
    words: tuple[str, ...]


PIECES: Final = sorted({face for army in ARMIES.values() for face in army.faces})
FLAG: Final = Name(None, ("flag", "flags"))
NAMES: Final[dict[str, Sequence[Name]]] = {
    "spies_and_lies": [
        *(Name("soldier", (soldier.name,)) for soldier in SOLDIERS.values()),
        FLAG,
        Name(None, ("token", "tokens")),
        Name(None, ("agent",)),
    ],
    "stratego": [
        Name(
            None,
            (
                stratego.named(face),
                stratego.called(face),
                stratego.pieces(face, 2).partition(" ")[2].partition(" (")[0],
                stratego.called(face, 2).partition(" ")[2],
            ),
        )
        for face in PIECES
    ],
    "conquest": [*(Name(None, (conquest.named(face),)) for face in FACES), FLAG],
    "spies": [
        *(Name(None, (spies.chit(chit),)) for chit in sorted(set(ALL_CHITS))),
        Name(None, ("chit", "chits")),
        Name(None, ("tile", "tiles")),
    ],
}
"""By the folder of a game: its pieces and counters, named as its own sentences name them."""
_QUOTED: Final = re.compile(r"\".*?\"|“.*?”|`.*?`|\{[^}]*\}")
"""What is typed, and what is put in: no words of the sentence."""


def stem(word: str) -> str:
    """A translated name without case, accents, and of several words the last, the noun."""
    letters = unicodedata.normalize("NFD", word.rsplit(maxsplit=1)[-1].casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def folded(text: str) -> str:
    return " ".join(map(stem, text.split()))


def sentences(game: str, language: str) -> Iterator[tuple[str, str]]:
    """Each sentence of a game in English and as it is translated, of plurals the last form."""
    for message in merged(language):
        if message.id and any(f"/{game}/" in path for path, _line in message.locations):
            many = message.id if isinstance(message.id, str) else message.id[-1]
            yield many, forms(message)[-1]


def names(word: str, sentence: str) -> bool:
    """Whether a sentence has `word` as its own, and not as the verb of the same letters."""
    text = _QUOTED.sub(" ", sentence)
    return re.search(rf"(?<!to )(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", NAMES)
def test_a_thing_has_one_name_in_all_sentences_of_a_game(game: str, language: str) -> None:
    """In German a flag was Fahne and Flagge, and a token Marker and Marke."""
    catalogue, count = merged(language), 0
    translated = list(sentences(game, language))
    for name in NAMES[game]:
        entries = [catalogue.get(word, name.context) for word in name.words]
        stems = {stem(form) for entry in entries if entry for form in forms(entry)}
        assert stems, name
        for english, translation in translated:
            if any(names(word, english) for word in name.words):
                count += 1
                assert any(part in folded(translation) for part in stems), (name.words, english, translation)
    assert count > len(NAMES[game])


def test_a_name_is_found_as_a_word_of_its_own() -> None:
    assert names("flag", "Your flag, and theirs.")
    assert not names("flag", 'Type "flag".')
    assert not names("flag", "{flag} falls.")
    assert not names("scout", "When to scout")
