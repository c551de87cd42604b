"""Cities of SPIES! as players call them: on the map in few cells, and when they type.

Games read English names (`atlas.NAMES`); what is shown is in the language that is spoken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, TypeAlias

from cli.games.typed_names import folded, spellings
from cli.games.typed_names import shown as shown_answer
from p2p_stratego.core.language import _c, mark_c, translating
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.rules.atlas import NAMES, POWERS, SEA_NAMES, City
from p2p_stratego.spies.rules.counters import CHIT_NAMES

Called: TypeAlias = tuple[tuple[str, ...], ...]
"""By thing, all that it is called, the English name first."""
SHORT: Final = (
    mark_c("a city in 8 letters", "Berlin"),
    mark_c("a city in 8 letters", "Hamburg"),
    mark_c("a city in 8 letters", "Konigsbg"),
    mark_c("a city in 8 letters", "Cologne"),
    mark_c("a city in 8 letters", "Munich"),
    mark_c("a city in 8 letters", "Leipzig"),
    mark_c("a city in 8 letters", "Breslau"),
    mark_c("a city in 8 letters", "Stuttgrt"),
    mark_c("a city in 8 letters", "Rome"),
    mark_c("a city in 8 letters", "Milan"),
    mark_c("a city in 8 letters", "Venice"),
    mark_c("a city in 8 letters", "Naples"),
    mark_c("a city in 8 letters", "Palermo"),
    mark_c("a city in 8 letters", "Tripoli"),
    mark_c("a city in 8 letters", "Rhodes"),
    mark_c("a city in 8 letters", "Moscow"),
    mark_c("a city in 8 letters", "Leningrd"),
    mark_c("a city in 8 letters", "Minsk"),
    mark_c("a city in 8 letters", "Kiev"),
    mark_c("a city in 8 letters", "Odessa"),
    mark_c("a city in 8 letters", "Kharkov"),
    mark_c("a city in 8 letters", "Stalngrd"),
    mark_c("a city in 8 letters", "Paris"),
    mark_c("a city in 8 letters", "Lille"),
    mark_c("a city in 8 letters", "Lyons"),
    mark_c("a city in 8 letters", "Marseill"),
    mark_c("a city in 8 letters", "Bordeaux"),
    mark_c("a city in 8 letters", "Strasbrg"),
    mark_c("a city in 8 letters", "Algiers"),
    mark_c("a city in 8 letters", "Beirut"),
    mark_c("a city in 8 letters", "London"),
    mark_c("a city in 8 letters", "Birmingh"),
    mark_c("a city in 8 letters", "Liverpol"),
    mark_c("a city in 8 letters", "Edinbrgh"),
    mark_c("a city in 8 letters", "Gibraltr"),
    mark_c("a city in 8 letters", "Malta"),
    mark_c("a city in 8 letters", "Alexandr"),
    mark_c("a city in 8 letters", "Haifa"),
    mark_c("a city in 8 letters", "Warsaw"),
    mark_c("a city in 8 letters", "Prague"),
    mark_c("a city in 8 letters", "Vienna"),
    mark_c("a city in 8 letters", "Madrid"),
    mark_c("a city in 8 letters", "Stockhlm"),
    mark_c("a city in 8 letters", "Bucharst"),
    mark_c("a city in 8 letters", "Brussels"),
    mark_c("a city in 8 letters", "Athens"),
    mark_c("a city in 8 letters", "Geneva"),
    mark_c("a city in 8 letters", "Istanbul"),
    mark_c("a city in 8 letters", "Tangiers"),
    mark_c("a city in 8 letters", "Lisbon"),
    mark_c("a city in 8 letters", "Barcelna"),
    mark_c("a city in 8 letters", "Amstrdam"),
    mark_c("a city in 8 letters", "Copenhgn"),
    mark_c("a city in 8 letters", "Oslo"),
    mark_c("a city in 8 letters", "Helsinki"),
    mark_c("a city in 8 letters", "Riga"),
    mark_c("a city in 8 letters", "Danzig"),
    mark_c("a city in 8 letters", "Budapest"),
    mark_c("a city in 8 letters", "Belgrade"),
    mark_c("a city in 8 letters", "Sofia"),
    mark_c("a city in 8 letters", "Tirana"),
)
"""By city, its name in at most 8 cells."""
CODES: Final = (
    mark_c("a city in 3 letters", "ber"),
    mark_c("a city in 3 letters", "ham"),
    mark_c("a city in 3 letters", "kon"),
    mark_c("a city in 3 letters", "col"),
    mark_c("a city in 3 letters", "mun"),
    mark_c("a city in 3 letters", "lei"),
    mark_c("a city in 3 letters", "bre"),
    mark_c("a city in 3 letters", "stu"),
    mark_c("a city in 3 letters", "rom"),
    mark_c("a city in 3 letters", "mil"),
    mark_c("a city in 3 letters", "ven"),
    mark_c("a city in 3 letters", "nap"),
    mark_c("a city in 3 letters", "pal"),
    mark_c("a city in 3 letters", "tri"),
    mark_c("a city in 3 letters", "rho"),
    mark_c("a city in 3 letters", "mos"),
    mark_c("a city in 3 letters", "len"),
    mark_c("a city in 3 letters", "min"),
    mark_c("a city in 3 letters", "kie"),
    mark_c("a city in 3 letters", "ode"),
    mark_c("a city in 3 letters", "kha"),
    mark_c("a city in 3 letters", "sta"),
    mark_c("a city in 3 letters", "par"),
    mark_c("a city in 3 letters", "lil"),
    mark_c("a city in 3 letters", "lyo"),
    mark_c("a city in 3 letters", "mar"),
    mark_c("a city in 3 letters", "bor"),
    mark_c("a city in 3 letters", "str"),
    mark_c("a city in 3 letters", "alg"),
    mark_c("a city in 3 letters", "bei"),
    mark_c("a city in 3 letters", "lon"),
    mark_c("a city in 3 letters", "bir"),
    mark_c("a city in 3 letters", "liv"),
    mark_c("a city in 3 letters", "edi"),
    mark_c("a city in 3 letters", "gib"),
    mark_c("a city in 3 letters", "mal"),
    mark_c("a city in 3 letters", "ale"),
    mark_c("a city in 3 letters", "hai"),
    mark_c("a city in 3 letters", "war"),
    mark_c("a city in 3 letters", "pra"),
    mark_c("a city in 3 letters", "vie"),
    mark_c("a city in 3 letters", "mad"),
    mark_c("a city in 3 letters", "sto"),
    mark_c("a city in 3 letters", "buc"),
    mark_c("a city in 3 letters", "bru"),
    mark_c("a city in 3 letters", "ath"),
    mark_c("a city in 3 letters", "gen"),
    mark_c("a city in 3 letters", "ist"),
    mark_c("a city in 3 letters", "tan"),
    mark_c("a city in 3 letters", "lis"),
    mark_c("a city in 3 letters", "bar"),
    mark_c("a city in 3 letters", "ams"),
    mark_c("a city in 3 letters", "cop"),
    mark_c("a city in 3 letters", "osl"),
    mark_c("a city in 3 letters", "hel"),
    mark_c("a city in 3 letters", "rig"),
    mark_c("a city in 3 letters", "dan"),
    mark_c("a city in 3 letters", "bud"),
    mark_c("a city in 3 letters", "bel"),
    mark_c("a city in 3 letters", "sof"),
    mark_c("a city in 3 letters", "tir"),
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


def cities_called(said: str) -> list[str]:
    """The English names of the cities that are called so; failing that, of those whose names begin so."""
    return exactly(said) or starting(said, NAMES)


def exactly(said: str) -> list[str]:
    """The English names of the cities that are called so in full."""
    wanted = folded(said)
    return [name for name, each in _spelt(called()).items() if wanted in each]


def starting(said: str, options: Iterable[str]) -> list[str]:
    """The English words or lines that begin with what is said, their first word by any of its names."""
    wanted = folded(said)
    meant = {
        name for name, each in _spelt(_things()).items() if any(word.startswith(wanted) for word in each)
    }
    return [each for each in options if each.startswith(said) or (said and each.partition(" ")[0] in meant)]


@lru_cache(maxsize=8)
def _spelt(names: Called) -> dict[str, frozenset[str]]:
    """By the English name, every spelling of all that a thing is called."""
    return {each[0]: frozenset(spelling for name in each for spelling in _spellings(name)) for each in names}


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
