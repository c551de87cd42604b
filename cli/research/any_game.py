"""Games of installed packages: an option is its place in the list, the board in sentences is hashed.

Feature hashing: Weinberger et al. 2009, arXiv:0902.2206.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import Any, Final

from cli.research import text
from cli.research.asking import Asking, Word, face_words, laying_for, listed
from cli.research.tables import Field, GameTable, NotEncoded
from p2p_stratego.core.game import Choose, Commit, Move
from p2p_stratego.core.self_play import Decided
from p2p_stratego.core.view import View
from p2p_stratego.registry import GAMES

MOST_OPTIONS: Final = 1_024
MOST_LAID: Final = 40
"""Words of an answer: the slots of a Commit."""
BUCKETS: Final = 1_024
_FACES: Final = range(128)
_WORD: Final = re.compile(r"\w+")


def _option(number: int) -> Word:
    return f"option {number}"


def _options(view: View[Any]) -> list[Move]:
    """The options of a Choose, in the order of their texts.  Raises NotEncoded if there are too many."""
    offered = view.asked.options if isinstance(view.asked, Choose) else ()
    options = sorted(islice(offered, MOST_OPTIONS + 1))
    if len(options) > MOST_OPTIONS:
        raise NotEncoded(f"a decision of this game has more than {MOST_OPTIONS} options: it needs a table")
    return options


def _ask(view: View[Any]) -> Asking:
    decision = view.asked
    if isinstance(decision, Commit):
        return (yield from laying_for(decision))
    return (yield from listed(((_option(number),), move) for number, move in enumerate(_options(view))))


def _spell(view: View[Any], decided: Decided) -> Sequence[Word]:
    if isinstance(decided, str):
        return (_option(_options(view).index(decided)),)
    return face_words(decided)


def hashed(sentences: str) -> list[int]:
    """By bucket: how many words, and pairs of words that stand side by side, fall into it."""
    words = _WORD.findall(sentences.lower())
    counts = [0] * BUCKETS
    for feature in (*words, *map(" ".join, pairwise(words))):
        counts[zlib.crc32(feature.encode()) % BUCKETS] += 1
    return counts


def table(game: str, seats: int) -> GameTable:
    """The table of any game at a table of `seats`.  Raises KeyError if there is no such game."""
    rules = GAMES[game]

    def sentences(view: View[Any]) -> Iterator[int]:
        yield from hashed(text.board(rules, seats, view, ()))

    return GameTable(
        words=(*face_words(_FACES), *map(_option, range(MOST_OPTIONS))),
        longest=MOST_LAID,
        fields=(
            Field("seat", 1, lambda view: (view.seat,)),
            Field("the board in sentences, hashed", BUCKETS, sentences),
        ),
        moment=lambda view: view,
        ask=_ask,
        spell=_spell,
    )
