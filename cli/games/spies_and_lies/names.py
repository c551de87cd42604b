"""Short words of Spies & Lies for cards, questions, players and sides; the narration tells its events.

With two players a side has its player's name, else it is Red or Blue.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cli.games.interface import Players
from cli.games.typed_names import begins
from cli.text.layout import longest, series, told_apart
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import _, _c, accented, mark, mark_c, mark_each_c, once_a_language
from p2p_stratego.spies_and_lies.formats.narration import side_names
from p2p_stratego.spies_and_lies.rules.components import (
    RANKS,
    SOLDIERS,
    IntelRange,
    Mission,
    Rank,
    Side,
    title,
)
from p2p_stratego.spies_and_lies.rules.seating import Seating
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


def side_name(players: Players, side: Side) -> str:
    """A side in a sentence."""
    return side_names(players.names)[side]


def mission_of(players: Players, seating: Seating, side: Side, mission: Mission) -> str:
    """A mission of a side with its owner: "your mission 3" or "Anna's mission 3"."""
    return players.has(seating.player(side, mission), _("mission {mission}", mission=mission))


def missions(numbers: Iterable[Mission]) -> str:
    """Several missions in a sentence: "1 to 4", "3 and 4"."""
    listed = [*map(str, numbers)]
    return (
        _("{listed} to {listed_listed}", listed=listed[0], listed_listed=listed[-1])
        if len(listed) > 2
        else series(listed)
    )


def named(players: Players, seats: Iterable[Seat]) -> str:
    """Several players in a sentence."""
    return series([players.names[seat] for seat in seats])


def roster(players: Players, seating: Seating, side: Side, room: int | None = None) -> str:
    """The players of a side, with their missions if they share it: "Anna (you) 1-2, Cleo 3-4".

    To fit into `room` cells our player's own name goes first, and then the names are shortened.
    """
    whole = _roster(players, seating, side, _LONGEST)
    if room is None:
        return whole
    named = [_roster(players, seating, side, cells) for cells in (_LONGEST, 16, 12)]
    brief = [_roster(players, seating, side, cells, brief=True) for cells in (_LONGEST, 16, 12, 9, 7, 6, 5)]
    return longest([*named, *brief], room)


_LONGEST: Final = 100
"""Cells that no name needs."""


def _roster(players: Players, seating: Seating, side: Side, cells: int, *, brief: bool = False) -> str:
    """`brief`: our player is "you", without a name."""
    names = []
    short = told_apart(players.names, cells)
    for seat in seating.mates(side):
        own = seating.missions(seat)
        span = f" {own[0]}–{own[-1]}" if seating.is_team(side) else ""
        you = _(" (you)") if seat == players.me else _(" (gone)") if seat in seating.gone else ""
        name = _("you") if brief and seat == players.me else f"{short[seat]}{you}"
        names.append(f"{name}{span}")
    return ", ".join(names)
