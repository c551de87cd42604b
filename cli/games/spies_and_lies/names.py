"""Short words of Spies & Lies for cards and questions; the game's narration tells its events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cli.games.typed_names import begins
from cli.text.layout import longest, series
from p2p_stratego.core.language import _, _c, accented, mark, mark_c, mark_each_c, once_a_language
from p2p_stratego.spies_and_lies.rules.soldiers import RANKS, SOLDIERS, IntelRange, Rank, title
from p2p_stratego.spies_and_lies.rules.state import Result

RESULTS: Final[dict[Result, str]] = {
    "counted": mark("counted"),
    "incorrect-order": mark("wrong order"),
    "incorrect-intel": mark("false intel"),
    "identified": mark("identified"),
    "retreated": mark("retreated"),
    "activated": mark("activated"),
    "impossible": mark("impossible"),
    "opened": mark("shown"),
}
"""Each result as it stands in a sentence or a list."""
_ON_CARD: Final[dict[Result, str]] = {
    "counted": mark_c("on a narrow card", "counted"),
    "incorrect-order": mark_c("on a narrow card", "wrong order"),
    "incorrect-intel": mark_c("on a narrow card", "false intel"),
    "identified": mark_c("on a narrow card", "identified"),
    "retreated": mark_c("on a narrow card", "retreated"),
    "activated": mark_c("on a narrow card", "activated"),
    "impossible": mark_c("on a narrow card", "impossible"),
    "opened": mark_c("on a narrow card", "shown"),
}
"""The same in at most 11 cells."""


def result_on_card(result: Result, columns: int) -> str:
    """A result in at most `columns` (at least 11) cells: a shorter word where a card is narrow."""
    return longest((f" {_(RESULTS[result])}", _c("on a narrow card", _ON_CARD[result])), columns)


_SHORT: Final = mark_each_c("soldier", "Spy, Sct, Min, Sgt, Lt, Cpt, Bmb, Col, Gen, Mar")
SHORT: Final[dict[Rank, str]] = dict(zip(RANKS, _SHORT, strict=True))
"""Each soldier's name in at most three cells, as on narrow cards."""


def short(rank: Rank) -> str:
    """The same as it is shown; a longer word is cut."""
    return _c("soldier", SHORT[rank])[:3]


@accented()
@once_a_language
def names() -> dict[str, tuple[str, ...]]:
    """Each soldier's names as they are shown, by every word that is read as a soldier."""
    by_word: dict[str, tuple[str, ...]] = {name.lower(): () for name in SHORT.values()}
    return {**by_word, **{SOLDIERS[rank].name.lower(): (title(rank), short(rank)) for rank in RANKS}}


def called(word: str, rank: Rank) -> bool:
    """Whether `word`, in lower case, is a soldier's English name as it is printed anywhere."""
    return word in (SOLDIERS[rank].name.lower(), SHORT[rank].lower())


def name_begins(word: str, rank: Rank) -> bool:
    """Whether a soldier's name begins with `word`, in English or as it is shown."""
    return begins((SOLDIERS[rank].name, title(rank)), word)


def soldier(rank: Rank) -> str:
    """A soldier as it stands on its card: "7 Bomb"."""
    return f"{rank} {title(rank)}"


def soldiers(ranks: Iterable[Rank]) -> str:
    """Several of them, in a sentence."""
    return series([soldier(rank) for rank in ranks])


def span(intel: IntelRange) -> str:
    """An intel card: "4–7"."""
    return f"{intel[0]}–{intel[1]}"


def capital(text: str) -> str:
    """`text` as the beginning of a sentence."""
    return text[:1].upper() + text[1:]
