"""Cities of SPIES! as players call them: on the map in few cells, and in typed text.

Games read English names (`atlas.NAMES`); screens show names in the player's language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final, TypeAlias

from cli.games.typed_names import folded, spellings
from cli.games.typed_names import shown as shown_answer
from p2p_stratego.core.language import _c, mark_c, mark_each_c, once_a_language, translating
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.rules.atlas import NAMES, POWERS, SEA_NAMES, City
from p2p_stratego.spies.rules.counters import CHIT_NAMES

Called: TypeAlias = tuple[tuple[str, ...], ...]
"""By thing, all that it is called, the English name first."""
SHORT: Final = mark_each_c(
    "a city in 8 letters",
    "Berlin, Hamburg, Konigsbg, Cologne, Munich, Leipzig, Breslau, Stuttgrt, Rome, Milan, Venice, "
    "Naples, Palermo, Tripoli, Rhodes, Moscow, Leningrd, Minsk, Kiev, Odessa, Kharkov, Stalngrd, Paris, "
    "Lille, Lyons, Marseill, Bordeaux, Strasbrg, Algiers, Beirut, London, Birmingh, Liverpol, Edinbrgh, "
    "Gibraltr, Malta, Alexandr, Haifa, Warsaw, Prague, Vienna, Madrid, Stockhlm, Bucharst, Brussels, "
    "Athens, Geneva, Istanbul, Tangiers, Lisbon, Barcelna, Amstrdam, Copenhgn, Oslo, Helsinki, Riga, "
    "Danzig, Budapest, Belgrade, Sofia, Tirana",
)
"""By city, its name in at most 8 cells."""
CODES: Final = mark_each_c(
    "a city in 3 letters",
    "ber, ham, kon, col, mun, lei, bre, stu, rom, mil, ven, nap, pal, tri, rho, mos, len, min, kie, "
    "ode, kha, sta, par, lil, lyo, mar, bor, str, alg, bei, lon, bir, liv, edi, gib, mal, ale, hai, "
    "war, pra, vie, mad, sto, buc, bru, ath, gen, ist, tan, lis, bar, ams, cop, osl, hel, rig, dan, "
    "bud, bel, sof, tir",
)
"""By city, 3 letters that tell it from all others, without accents."""
_JOINING: Final = (mark_c("typed", "for"), mark_c("typed", "on"), mark_c("typed", "cousin"))
"""Words between the parts of a line, and the one spy that is no name."""
_PARTS: Final = re.compile(r"\b[a-z][a-z-]*\b")


def short(at: City) -> str:
    """A city in at most 8 cells: "Konigsbg"."""
    return _c("a city in 8 letters", SHORT[at])


def code(at: City) -> str:
    """A city in 3 letters: "kon"."""
    return _c("a city in 3 letters", CODES[at])


@once_a_language
def called() -> Called:
    """All that each city is called now."""
    return tuple(
        (name, SHORT[city], words.city(city), short(city), code(city)) for city, name in enumerate(NAMES)
    )


def _things() -> Called:
    """The same of all things in a line that players do not call by their English names alone."""
    seas = ((name, words.sea(sea)) for sea, name in enumerate(SEA_NAMES))
    chits = ((name, words.chit(chit)) for chit, name in enumerate(CHIT_NAMES))
    powers = ((name, words.power(power)) for power, name in enumerate(POWERS))
    return (*called(), *seas, *chits, *powers)


def cities_called(typed: str) -> list[str]:
    """The English names of the cities that are called so; failing that, of those whose names begin so."""
    return exactly(typed) or starting(typed, NAMES)


def exactly(typed: str) -> list[str]:
    """The English names of the cities that are called so in full."""
    wanted = folded(typed)
    return [name for name, spellings in _cities().items() if wanted in spellings]


def starting(typed: str, options: Iterable[str]) -> list[str]:
    """The English words or lines that begin with the typed text, their first word by any of its names."""
    meant = _beginning()(folded(typed))
    return [
        option
        for option in options
        if option.startswith(typed) or (typed and option.partition(" ")[0] in meant)
    ]


@once_a_language
def _beginning() -> Callable[[str], frozenset[str]]:
    """The function from folded text to the English of all things of which a name begins with it."""
    things = _things_spelt()

    @lru_cache(maxsize=256)  # each line that is typed or offered asks for its words
    def meant(text: str) -> frozenset[str]:
        return frozenset(
            name for name, spellings in things.items() if any(word.startswith(text) for word in spellings)
        )

    return meant


@once_a_language
def _cities() -> dict[str, frozenset[str]]:
    return _spelt(called())


@once_a_language
def _things_spelt() -> dict[str, frozenset[str]]:
    return _spelt(_things())


def _spelt(names: Called) -> dict[str, frozenset[str]]:
    """By the English name, every spelling of all that a thing is called."""
    return {
        city_names[0]: frozenset(spelling for name in city_names for spelling in _spellings(name))
        for city_names in names
    }


def joining() -> dict[str, tuple[str, ...]]:
    """The words that join the parts of a line, by their English."""
    return {word: (_c("typed", word),) for word in _JOINING}


def _spellings(name: str) -> set[str]:
    return {folded(name), *(" ".join(parts) for parts in spellings(name))}


def as_spoken(line: str) -> str:
    """An English line that can be typed, its cities, seas, chits and powers as the player calls them.

    The words that join them are in the player's language, too; verbs stay English.
    """
    if not translating():
        return line
    return _PARTS.sub(lambda part: _shown(part[0]), line)


def _shown(word: str) -> str:
    """A word as the player calls its thing, in lower case; a verb as it is."""
    if word in _JOINING:
        return _c("typed", word)
    for named, shown in (
        (NAMES, words.city),
        (SEA_NAMES, words.sea),
        (CHIT_NAMES, words.chit),
        (POWERS, words.power),
    ):
        if word in named:
            return shown(named.index(word)).lower()
    return shown_answer(word, {})
