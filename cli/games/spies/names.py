"""Reading and writing the short words of SPIES!: cities, pieces, chits and tiles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from cli.games.spies.cities import called, exactly, joining, starting
from cli.games.typed_names import begins, in_english
from p2p_stratego.core.game import Face, Move, Slot
from p2p_stratego.core.language import _, accented, mark, n_, once_a_language
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.rules.atlas import POWERS, SEA_NAMES
from p2p_stratego.spies.rules.counters import CHIT_NAMES, spy_names
from p2p_stratego.spies.rules.notation import END, HIDDEN, NO_ANSWER, NO_TILE
from p2p_stratego.spies.rules.state import SPY_CODED, State, secret_name
from p2p_stratego.spies.rules.tiles import TILES

_TOKEN: Final = re.compile(r"(?:[^\W\d_]|[0-9?-])+")
_PRICE: Final = re.compile(r"\s+(?:[£L]\d+(?:/\d+)?|\(\d+\))\s*$")
_SLOT_FIRST: Final = ("return", "hand")
_LEFT_OUT: Final = ("move", "land", "hand", "return", "bid", "pay")
"""Verbs that may be left out: the question, or the piece that follows, tells them."""
CLEAR: Final = 3
"""Letters of a verb that are enough by themselves, where it leaves one answer; of an answer, though others
begin so.
"""
AS_THEY_STAND: Final = mark("as they stand")
TWO_BY_TWO: Final = mark("two by two")
ONE_A_CITY: Final = mark("one a city")
"""Whole layings of police."""
DECLINE_ALL: Final = "decline all"
"""The words that decline an offer, and all that follow in its turn."""
DONE: Final = "done"
"""The word that ends a turn, or a search."""


@accented()
@once_a_language
def names() -> dict[str, tuple[str, ...]]:
    """The names of things and amounts as they are shown, by every word that is read as one."""
    by_word: dict[str, tuple[str, ...]] = dict.fromkeys((*_ENGLISH, *SPY_CODED), ())
    by_word |= {name: (words.chit(chit),) for chit, name in enumerate(CHIT_NAMES)}
    by_word |= {name: (words.sea(sea),) for sea, name in enumerate(SEA_NAMES)}
    by_word |= {name: (words.power(power),) for power, name in enumerate(POWERS)}
    by_word |= {name: tuple(shown) for name, _english, *shown in called()}
    by_word |= {name: (_(name),) for name in (AS_THEY_STAND, TWO_BY_TWO, ONE_A_CITY)}
    by_word |= joining()
    pounds = (n_("{count} pound", "{count} pounds", count) for count in (1, 2))
    chits = (n_("{count} chit", "{count} chits", count) for count in (1, 2))
    return {**by_word, "pounds": tuple(map(_counted, pounds)), "chits": tuple(map(_counted, chits))}


def _counted(text: str) -> str:
    """The thing that is counted: "pounds" of "2 pounds"."""
    return text.lstrip("0123456789 ")


_ENGLISH: Final = (
    *("move", "land", "hand", "return", "bid", "pay", "play", "discard", "search", "cash", "take", "sail"),
    *("escape", "seize", "for", "want", "give", "pound", "pounds", "chit", "chits", "on", "none", "done"),
    *(name for power in range(len(POWERS)) for name in spy_names(power)),
)
"""Other typed words; no translated name may be read for one of them."""


def tokens(typed: str) -> list[str]:
    """The words of a line, in lower case; commas, colons and pound signs part them."""
    return _TOKEN.findall(typed.lower())


def word_for(state: State, known: Mapping[Slot, Face], option: Move) -> str:
    """An option as a player types it: tiles and chits by name, secrets by their city, no slots."""
    word, *parts = option.split(" ")
    if option in _PLAIN:
        return _PLAIN[option]
    if word in ("tile", "discard"):
        return f"{'play' if word == 'tile' else word} {known.get(int(parts[0]), HIDDEN)}"
    if word in CHIT_NAMES:
        return " ".join((word, *parts[1:]))
    if word in _SLOT_FIRST:
        kind = known.get(int(parts[0]))
        return f"{word} {HIDDEN if kind is None else CHIT_NAMES[kind]}"
    if word == "at":
        return parts[0]
    if word == "stand":
        return " ".join(secret_name(state, int(part)) for part in parts) or "none"
    return option


_PLAIN: Final = {END: DONE, NO_ANSWER: "no", NO_TILE: "none"}


def unpriced(typed: str) -> str:
    """A line without the price or the points that stand behind an offered answer."""
    return _PRICE.sub("", typed)


def by_number(phrase: Sequence[str], lines: Iterable[str]) -> list[str]:
    """The tokens, with the title of a tile in these lines, or a beginning of each word, as its number.

    The title may stand behind the number, as it is offered: "play 2 fire in the house".
    """
    of_tiles = [line.split(" ") for line in lines if line.startswith(("play ", "discard "))]
    rest = [word for word in phrase if not word.isdigit()]
    verb = [verb for verb, _number in of_tiles if rest and verb.startswith(rest[0])][:1]
    rest = rest[len(verb) :]
    number = [word for word in phrase if word.isdigit()] or sorted(
        {number for _verb, number in of_tiles if number.isdigit() and _titled(rest, int(number))}
    )
    return [*verb, *number] if rest and len(number) == 1 and _titled(rest, int(number[0])) else list(phrase)


def _titled(phrase: Sequence[str], tile: int) -> bool:
    """Whether these words begin words of a tile's title, in order, in English or as it is shown."""
    if tile not in TILES:
        return False
    shown = words.title(tile)
    return any(
        _names([{part for part in title if begins([part], word)} for word in phrase], title)
        for title in (tokens(TILES[tile].name), tokens(shown), tokens(in_english(shown, names())))
    )


def matching(typed: Sequence[str], words: Iterable[str]) -> list[str]:
    """The words that the typed tokens mean: each token is the beginning of one; exact ones alone if any.

    A verb may be left out where a piece, a chit or a port follows it: "ge1 leipzig", "papers".
    """
    lines = [word.split(" ") for word in words]
    meant = _meant(typed, lines)
    lines_meant = [parts for parts in lines if _fits(meant, parts)]
    exact = [parts for parts in lines_meant if list(typed) in (parts, parts[1:])]
    return [" ".join(parts) for parts in exact or lines_meant]


def _meant(typed: Sequence[str], lines: Iterable[Sequence[str]], *, ended: bool = False) -> list[set[str]]:
    """By token, the parts of these lines that it begins; `ended`: the last one is whole."""
    parts = {part for line in lines for part in line}
    readings = [set(starting(word, parts)) for word in typed]
    if ended and typed:
        readings[-1] = {typed[-1], *exactly(typed[-1])} & parts
    return readings


def _fits(meant: Sequence[set[str]], parts: Sequence[str]) -> bool:
    if len(meant) == len(parts):
        return all(part in reading for reading, part in zip(meant, parts, strict=True))
    return parts[0] in _LEFT_OUT and len(meant) == len(parts) - 1 and _fits(meant, parts[1:])


def going_on(typed: Sequence[str], words: Sequence[str], *, ended: bool = False) -> list[str]:
    """The lines that begin with these tokens; failing that, the lines that the tokens name.

    Each token is the beginning of a part; `ended`: the last one is whole.  A verb may be left out before a
    piece ("ge1" stands for all actions of this spy), and where `matching` allows it.
    """
    lines = [word.split(" ") for word in words]
    meant = _meant(typed, lines, ended=ended)
    lines_meant = [parts for parts in lines if _begins(typed, meant, parts)]
    lines_meant = lines_meant or [parts for parts in lines if typed and _names(meant, parts)]
    return [" ".join(parts) for parts in lines_meant]


def begun(typed: Sequence[str], words: Iterable[str]) -> list[str]:
    """The words that begin with these tokens, each the beginning of a part."""
    lines = [word.split(" ") for word in words]
    meant = _meant(typed, lines)
    return [" ".join(parts) for parts in lines if _starts(meant, parts)]


def only_one(typed: Sequence[str], words: Iterable[str]) -> list[str]:
    """The one answer that begins with a verb in full or in part, and perhaps a piece; none if more do."""
    lines_begun = begun(typed, words)
    enough = len(typed) > 1 or (typed and len(typed[0]) >= CLEAR)
    return lines_begun if len(lines_begun) == 1 and enough else []


def in_any_order(typed: Sequence[str], words: Sequence[str], *, ended: bool = False) -> list[str]:
    """The lines that all these tokens name, in any order; the last token is perhaps only begun."""
    names = {part for word in words for part in word.split(" ")}
    lines_left = list(words)
    for at, spoken in enumerate(typed):
        open_ = at == len(typed) - 1 and not ended
        meant = {spoken} if spoken in names and not open_ else set(starting(spoken, names))
        if not open_ and len(meant) != 1:
            return []
        lines_left = [word for word in lines_left if meant & set(word.split(" "))]
    return lines_left


def _begins(typed: Sequence[str], meant: Sequence[set[str]], parts: Sequence[str]) -> bool:
    left_out = len(parts) > 1 and (parts[0] in _LEFT_OUT or (typed and parts[1] == typed[0] in SPY_CODED))
    return _starts(meant, parts) or (bool(left_out) and _starts(meant, parts[1:]))


def _starts(meant: Sequence[set[str]], parts: Sequence[str]) -> bool:
    if len(meant) > len(parts):
        return False
    return all(part in reading for reading, part in zip(meant, parts, strict=False))


def _names(meant: Sequence[set[str]], parts: Sequence[str]) -> bool:
    """Whether the tokens stand among the parts, in order, others between them perhaps."""
    left = iter(parts)
    return all(any(part in reading for part in left) for reading in meant)
