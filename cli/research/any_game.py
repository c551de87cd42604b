"""Games of installed packages: an option is its place in the list, the board in sentences is hashed.

Feature hashing: Weinberger et al. 2009, arXiv:0902.2206.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from cli.play.engines.question import LISTED, question
from cli.research import text
from cli.research.asking import Asking, Word, face_words, laying_for, listed
from cli.research.tables import Field, GameTable, NotEncoded
from p2p_stratego.core.game import Commit, Game, Move
from p2p_stratego.core.self_play import Decided
from p2p_stratego.core.view import View
from p2p_stratego.registry import GAMES

MOST_LAID: Final = 40
"""Words of an answer: the slots of a Commit."""
BUCKETS: Final = 1_024
_FACES: Final = range(128)
_WORD: Final = re.compile(r"\w+")


def _option(number: int) -> Word:
    return f"option {number}"


def _options(rules: Game[Any], view: View[Any]) -> list[Move]:
    """The options that break no rule by what the seat knows, in the order of their texts.

    Raises NotEncoded if there are too many.
    """
    asked = question(rules, view)
    if not asked.complete:
        raise NotEncoded(f"a decision of this game has more than {LISTED} options: it needs a table")
    return sorted(asked.options)


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

    def ask(view: View[Any]) -> Asking:
        decision = view.asked
        if isinstance(decision, Commit):
            return (yield from laying_for(decision))
        options = enumerate(_options(rules, view))
        return (yield from listed(((_option(number),), move) for number, move in options))

    def spell(view: View[Any], decided: Decided) -> Sequence[Word]:
        if isinstance(decided, str):
            return (_option(_options(rules, view).index(decided)),)
        return face_words(decided)

    def sentences(view: View[Any]) -> Iterator[int]:
        yield from hashed(text.board(rules, seats, view, ()))

    return GameTable(
        words=(*face_words(_FACES), *map(_option, range(LISTED))),
        longest=MOST_LAID,
        fields=(
            Field("seat", 1, lambda view: (view.seat,)),
            Field("the board in sentences, hashed", BUCKETS, sentences),
        ),
        moment=lambda view: view,
        ask=ask,
        spell=spell,
    )
