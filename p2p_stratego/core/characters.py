"""The bots as opponents: a name, how strong it is, and its temper, for each level.

The words are English: they are translated where they are shown.
How a level plays one game stands in that game's entry (`GameEntry.about_bots`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from p2p_stratego.core.language import mark


@dataclass(frozen=True, slots=True)
class Character:
    """One level of bot, the same in every game."""

    name: str
    """The name in menus."""
    bot: str
    """The name at a table, as records have it; where it is shown, in the player's language."""
    strength: str
    """A word: "strong", "fair" or "easy"."""
    temper: str
    """A few words: "patient and suspicious"."""

    @property
    def short(self) -> str:
        """The name without its article, in English: "Mathematician"."""
        return self.name.removeprefix("The ")


CHARACTERS: Final[Mapping[str, Character]] = MappingProxyType(
    {
        "equilibrium": Character(
            mark("The Mathematician"),
            mark("Mathematician bot"),
            mark("strong"),
            mark("cool, and nothing about it can be read"),
        ),
        "adaptive": Character(
            mark("The Chameleon"),
            mark("Chameleon bot"),
            mark("strong"),
            mark("learns who you are, and uses it"),
        ),
        "marshal": Character(
            mark("The Marshal"), mark("Marshal bot"), mark("strong"), mark("has seen a thousand battles")
        ),
        "strategist": Character(
            mark("The Strategist"), mark("Strategist bot"), mark("strong"), mark("sees the whole map at once")
        ),
        "spymaster": Character(
            mark("The Spymaster"),
            mark("Spymaster bot"),
            mark("strong"),
            mark("knows where you would hide it"),
        ),
        "agent": Character(
            mark("The Agent"),
            mark("Agent bot"),
            mark("strong"),
            mark("patient and suspicious, forgets nothing"),
        ),
        "quartermaster": Character(
            mark("The Quartermaster"),
            mark("Quartermaster bot"),
            mark("strong"),
            mark("careful, gives nothing away"),
        ),
        "diplomat": Character(
            mark("The Diplomat"), mark("Diplomat bot"), mark("strong"), mark("polite and trusting")
        ),
        "gambler": Character(
            mark("The Gambler"), mark("Gambler bot"), mark("fair"), mark("bold, in love with great gains")
        ),
        "cadet": Character(mark("The Cadet"), mark("Cadet bot"), mark("easy"), mark("eager and forgetful")),
        "recruit": Character(
            mark("The Recruit"), mark("Recruit bot"), mark("easy"), mark("cheerful and rash, trusts to luck")
        ),
    }
)
"""By level."""


NAMED: Final[Mapping[str, str]] = MappingProxyType(
    {known.short.lower(): level for level, known in CHARACTERS.items()}
)
"""The level by the word that a player types for its character: "mathematician"."""


def level_of(word: str) -> str:
    """The level that a word names, as such or by its character; any other word, in small letters."""
    typed = word.strip().lower()
    return NAMED.get(typed.removeprefix("the "), typed)


def short_name(level: str) -> str:
    """The character of a level without its article, in English; for a level without one, its own name."""
    known = CHARACTERS.get(level)
    return level.capitalize() if known is None else known.short
