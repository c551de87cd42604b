"""Names of players as they are shown: a name must never pass for a fingerprint or for a line of ours.

A name proves nothing (threat 24), and an opponent chooses it freely within the rules of the protocol.  Our
own player's name is held to more than those rules here.  A name of somebody else that breaks them is shown in
quotation marks, without what could deceive.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from cli.text.sanitize import NAME_CELLS, escape, skeleton
from p2p_stratego.core.characters import CHARACTERS
from p2p_stratego.core.language import _

ROUND_WORD: Final = 5
"""Letters of the word that a round of a tournament puts behind each player's name."""
ROUND_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base32: no lookalikes
_APOSTROPHES: Final = "'’‘"
_FRAMES: Final = frozenset('<>|`"')
"""Signs that frame a part of a line, beside brackets and quotation marks of every script."""
_ENDS: Final = frozenset(".!?:;…‼⁇⁈⁉؟؛۔।॥。！？．：；｡")
"""Signs that end a sentence, or a name in front of a chat message."""
_SHORT: Final = 3
"""Letters of an initial or title in front of its full stop: "J.", "Dr.", "Mrs."."""
_GROUPS: Final = re.compile(r"(?<!\w)\w{4}(?:[-_.:/~=]\w{4}){2,}(?!\w)")
"""Groups of four, as a fingerprint has them, or three of its four."""
_BOT: Final = re.compile(
    rf"(?P<bot>{'|'.join(known.bot for known in CHARACTERS.values())})(?P<number>(?: \d+)?)"
)
"""The name of a bot of this program in records: "Recruit bot 2"."""
_VERBS: Final = """
accepts agrees broke cheated cheats claims connected connects declines disconnected draws equivocated gone
leaves left lose loses lost moves offers reconnected resigned resigns signed signs verified waits win wins won
writes wrote
"""
_OURS: Final = frozenset(map(skeleton, _VERBS.split()))
"""Verbs with which lines of this program say what a player did."""


def flaw(name: str) -> str | None:
    """Why our own player cannot be called `name`, as a clause, or None.

    The rules of the protocol (`protocol.record.genesis.check_name`) come before these.
    """
    if any(map(_frames, name)):
        return _("a name holds no brackets and no quotation marks")
    if _GROUPS.search(_plain(name)):
        return _("a name holds nothing that looks like a fingerprint")
    if any(map(_ends, name.split())):
        return _("a name holds nothing that ends a sentence")
    words = name.split()
    if len(words) > 1 and any(skeleton(word) in _OURS for word in words):
        return _("a name is no line of this program")
    return None


def shown(name: str, limit: int = NAME_CELLS, *, ascii_only: bool = False) -> str:
    """`name`, of anybody, in at most `limit` cells: escaped, and harmless in a sentence of ours.

    A name with a flaw loses its brackets, the dashes of a fingerprint and the ends of its sentences, and
    stands in quotation marks.  A bot's name, which records keep in English, is told in the player's language.
    """
    if flaw(name) is None:
        if (named := _BOT.fullmatch(name)) is not None:
            name = _(named["bot"]) + named["number"]
        return escape(name, limit, ascii_only=ascii_only)
    plain = "".join(" " if _frames(character) else character for character in name)
    plain = _GROUPS.sub(lambda match: re.sub(r"\W|_", "", match[0]), _plain(plain))
    kept = " ".join(word.rstrip("".join(_ENDS)) if _ends(word) else word for word in plain.split())
    before, after = '""' if ascii_only else "“”"
    return before + escape(kept, limit - 2, ascii_only=ascii_only) + after


def person(name: str, fingerprint: str, *, ascii_only: bool = False) -> str:
    """A player, identified: a name proves nothing, a fingerprint does."""
    return f"{shown(name, ascii_only=ascii_only)} [{fingerprint}]"


def worn(name: str, of_round: str) -> str:
    """The name under which a player sits down in a round."""
    return f"{name} {of_round}" if of_round else name


def unworn(name: str) -> str:
    """The name by which a player is known for longer than a round.

    A word of letters alone stays, which could be a surname: three words in twenty.
    """
    own, _blank, last = name.rpartition(" ")
    of_round = len(last) == ROUND_WORD and set(last) <= set(ROUND_LETTERS)
    of_round = of_round and not last.isalpha() and not last.isdigit()
    return own.rstrip() if of_round and own.strip() else name


def _plain(name: str) -> str:
    """`name` with every dash, and every sign that looks like one, as a hyphen."""
    return "".join("-" if _is_dash(character) else character for character in name)


def _is_dash(character: str) -> bool:
    return unicodedata.category(character) == "Pd" or character in "−⁃·‧•˗"


def _frames(character: str) -> bool:
    if character in _APOSTROPHES:
        return False
    return character in _FRAMES or unicodedata.category(character) in ("Ps", "Pe", "Pi", "Pf")


def _ends(word: str) -> bool:
    """Whether `word` ends a sentence, and not an initial or a title."""
    letters = word[:-1]
    if word[-1] == "." and letters.isalpha() and len(letters) <= _SHORT and letters[0].isupper():
        return False
    return word[-1] in _ENDS


def bot_name(level: str) -> str:
    """The name of the bots of a level."""
    known = CHARACTERS.get(level)
    return level if known is None else _(known.name)
