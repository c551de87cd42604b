"""Games of installed packages: an option is its place in the list, the board in sentences is hashed.

Feature hashing: Weinberger et al. 2009, arXiv:0902.2206.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import Any, Final, cast

from cli.play.engines.question import LISTED, question
from cli.research import text
from cli.research.asking import Asking, Word, face_words, laying_for, listed
from cli.research.tables import Field, GameTable, NotEncoded
from p2p_stratego.core.game import Choose, Commit, Game, Move
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


def _options(rules: Game[Any], view: View[Any], decision: Choose) -> dict[Word, Move]:
    """The options that break no rule by what the seat knows; each has its number among those that all see.

    So the number, which other seats hear, tells them nothing of what the seat hides.
    Raises NotEncoded if there are too many.
    """
    public = sorted(islice(decision.options, LISTED + 1))
    if len(public) > LISTED:
        raise NotEncoded(f"a decision of this game has more than {LISTED} options: it needs a table")
    true = {*question(rules, view).options}
    return {_option(number): move for number, move in enumerate(public) if move in true}


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
            if len(decision.slots) > MOST_LAID or not {*decision.faces} <= {*_FACES}:
                raise NotEncoded("a Commit of this game is too large: it needs a table")
            return (yield from laying_for(decision))
        options = _options(rules, view, decision)
        return (yield from listed(((word,), move) for word, move in options.items()))

    def spell(view: View[Any], decided: Decided) -> Sequence[Word]:
        if isinstance(decided, str):
            options = _options(rules, view, cast("Choose", view.asked))
            return tuple(word for word, move in options.items() if move == decided)
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
