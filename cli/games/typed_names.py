"""Names of a game as they are typed in the language that is spoken, turned into the English that games read.

Everything a player types is read here first, once, on its way to the game; each game then reads English
words.  English wins: a word that is one, or the beginning of one, stands as it is, unless such a
beginning is the whole name of a thing as it is shown.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from p2p_stratego.core.language import _, _c, accented, mark_each, mark_each_c, once_a_language, translating

Names: TypeAlias = Mapping[str, tuple[str, ...]]
"""By the English word that a game reads, the names under which a thing is shown now; none: English alone."""
Vocabulary: TypeAlias = Callable[[], Names]
"""The names of one game, in the language that is spoken when it is called."""

_PLAIN: Final = mark_each("""
    ready, clear, yes, no, none, token, points, ten, five, stay, stop, agent, captured, counterspy
""")
"""Answers that are shown in the player's language, in every game."""
_TYPED: Final = mark_each_c(
    "typed", "random, mirror, done, accept, decline, all, free, genuine, survives, seize, search, reach"
)
"""Answers that are shown in English, for they could mean something else in a sentence."""
_TO: Final = "to"
"""The signs that may stand between two places, in every game."""
_WORD: Final = re.compile(r"[^\W_]+")
_QUOTED: Final = re.compile(r"[“„‘][^“”„‘’]*[“”’]")
_BETWEEN: Final = " -'’"
"""The signs between the words of one name."""
_LEAST: Final = 2
"""Letters of a beginning: a single one is a square, a zone or a territory."""
_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def folded(text: str) -> str:
    """`text` in lower case, without accents."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def spellings(shown: str) -> set[tuple[str, ...]]:
    """The words of a name, as people with and without an umlaut on their keyboard type them."""
    lower = unicodedata.normalize("NFC", shown).casefold()
    return {tuple(_WORD.findall(folded(text))) for text in (lower, lower.translate(_UMLAUTS))} - {()}


def begins(called: Iterable[str], typed: str) -> bool:
    """Whether a name that a thing is called by begins with what is typed, with or without its umlauts.

    For the readers of games, to offer and tell apart things whose names begin alike.
    """
    wanted = folded(typed)
    return any(
        name.casefold().startswith(typed.casefold())
        or any(" ".join(words).startswith(wanted) for words in spellings(name))
        for name in called
    )


def in_english(typed: str, names: Names) -> str:
    """The line with each shown name, or unambiguous beginning of one, as the English word of its thing.

    All else stands as it is typed.
    """
    if not typed or not translating():
        return typed
    typed = unicodedata.normalize("NFC", typed)
    parts: list[str] = []
    end = 0
    for start, stop, english in _named(typed, names):
        parts += typed[end:start], english
        end = stop
    return "".join((*parts, typed[end:]))


def shown(word: str, names: Names) -> str:
    """An English word that a game reads as the player is shown it: a thing by its name."""
    if not translating():
        return word
    if word in _PLAIN:
        return _(word)
    if word in _TYPED:
        return _c("typed", word)
    return next(iter(names.get(word, ())), word).lower()


def as_typed(message: str, typed: str, names: Names) -> str:
    """A refusal of the line: an English word that it quotes is quoted as the player typed it."""
    if not translating():
        return message
    typed = unicodedata.normalize("NFC", typed)
    by_word = {english.lower(): typed[start:stop] for start, stop, english in _named(typed, names)}
    if not by_word:
        return message
    longest = sorted(by_word, key=len, reverse=True)  # else a word would hide a longer one that it begins
    words = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest))})(?![\w-])", re.IGNORECASE)

    def quoted(part: re.Match[str]) -> str:
        return words.sub(lambda word: by_word.get(word[0].lower(), word[0]), part[0])

    return _QUOTED.sub(quoted, message)


def _named(typed: str, names: Names) -> Iterator[tuple[int, int, str]]:
    """Where each shown name begins and ends in a line, and its English word."""
    lexicon = _lexicon(tuple(names.items()), _answers())
    words = list(_WORD.finditer(typed))
    at = 0
    while at < len(words):
        english, count = lexicon.longest(_joined(typed, words[at:]))
        start, stop = words[at].start(), words[at + count - 1].end()
        goes_on = typed[stop:] == "-"  # more of the name is to come
        if english and english != words[at][0].lower() and not goes_on:
            yield start, stop, english
        at += count


def _joined(typed: str, words: Sequence[re.Match[str]]) -> list[str]:
    """The words from the first one on that could be one name."""
    words_joined: list[str] = []
    for number, word in enumerate(words):
        if number and typed[words[number - 1].end() : word.start()].strip(_BETWEEN):
            break
        words_joined.append(folded(word[0]))
    return words_joined


def _by_parts(names: Iterable[tuple[str, tuple[str, ...]]]) -> dict[tuple[str, ...], set[str]]:
    """By the words of a name, the English of all that is called so."""
    by_parts: dict[tuple[str, ...], set[str]] = {}
    for word, parts in names:
        by_parts.setdefault(parts, set()).add(word)
    return by_parts


class _Lexicon:
    """The names of a game in the language that is spoken now."""

    def __init__(
        self, names: Sequence[tuple[str, tuple[str, ...]]], answers: Sequence[tuple[str, str]]
    ) -> None:
        self._english = {folded(part) for word, _spoken in names for part in (word, *_WORD.findall(word))}
        self._kept = {*self._english, *(folded(word) for word, _name in answers), _TO}
        """Words that stand as they are typed, though the names of things begin so."""
        self._names = [
            (word, parts) for word, spoken in names for name in spoken for parts in spellings(name)
        ]
        self._whole = _by_parts(self._names)
        self._answers = _by_parts([(word, parts) for word, name in answers for parts in spellings(name)])
        self._most = max(map(len, (*self._whole, *self._answers)), default=1)

    def longest(self, phrase: Sequence[str]) -> tuple[str, int]:
        """The English of the longest name that these words begin with, "" for none, and its words."""
        for count in range(min(self._most, len(phrase)), 0, -1):
            if count == 1 and phrase[0] in self._kept:
                return phrase[0], 1
            meant = self._called(tuple(phrase[:count]))
            if len(meant) == 1:
                return next(iter(meant)), count
            if meant:
                break
        return "", 1

    def _called(self, phrase: tuple[str, ...]) -> set[str]:
        """The English of the typed names: whole names, else names that begin so."""
        whole = self._whole.get(phrase) or self._answers.get(phrase) or set()
        if whole or (len(phrase) == 1 and any(word.startswith(phrase[0]) for word in self._kept)):
            return whole
        *before, last = phrase
        if len("".join(phrase)) < _LEAST:
            return set()
        return {
            word
            for word, parts in self._names
            if len(parts) >= len(phrase)
            and list(parts[: len(before)]) == before
            and parts[len(before)].startswith(last)
        }


@lru_cache(maxsize=8)
def _lexicon(
    names: tuple[tuple[str, tuple[str, ...]], ...], answers: tuple[tuple[str, str], ...]
) -> _Lexicon:
    return _Lexicon(names, answers)


@accented()
@once_a_language
def _answers() -> tuple[tuple[str, str], ...]:
    """Each answer that is no name of a thing, and how it is typed in the language that is spoken."""
    return (*((word, _(word)) for word in _PLAIN), *((word, _c("typed", word)) for word in _TYPED))
