"""The statistics of a match of Spies & Lies for its players: guesses, tokens, marks, and lines.

*Chance*: the result of a guesser who takes any rank that the public facts leave; *the likeliest*: the result
of a guesser who always names the rank with the best odds, as in the analysis of the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from p2p_stratego.core.game import Face, Slot
from p2p_stratego.core.language import mark
from p2p_stratego.core.tally import Favourite, Rate, Tally, Tallying, counters
from p2p_stratego.spies_and_lies.bots.agent import believed
from p2p_stratego.spies_and_lies.bots.beliefs import Evidence, open_ranks
from p2p_stratego.spies_and_lies.rules.checks import is_false_mark
from p2p_stratego.spies_and_lies.rules.components import (
    DAYS,
    MISSIONS,
    SERGEANT,
    SIDES,
    SOLDIERS,
    in_range,
)
from p2p_stratego.spies_and_lies.rules.seating import Seating
from p2p_stratego.spies_and_lies.rules.state import Report, State, slot

_NAMES: Final = (
    *("guesses", "identified", "by_chance", "likeliest"),
    *("turned", "activated"),
    *("tokens", "tokens_paid"),
    *("false_marks", "false_marks_uncaught"),
    *("sergeants", "sergeants_unnamed"),
)
_PAID: Final = ("retreated", "activated")
_BETWEEN: Final = "-"


def tally(states: Sequence[State], faces: Mapping[Slot, Face], seats: int) -> Tally:
    """See `core.tally.Tallying.of`."""
    seating = states[0].seating if states else Seating(seats)
    counts = counters(seats, _NAMES)
    for before, after in pairwise(states):
        if after.report is not None and after.report.soldier is not None:
            _guess(counts, before, after.report)
            _card(counts, before, after.report)
    lines = [tuple(_lines(faces, side)) for side in SIDES]
    liked = tuple({"lines": lines[seating.side(seat)]} for seat in range(seats))
    first = states[0].first_starter if states else None
    began = frozenset(seat for seat in range(seats) if seating.side(seat) == first)
    return Tally(began, tuple(counts), liked)


def _guess(counts: list[dict[str, float]], before: State, report: Report) -> None:
    """Of the guesser: a rank named before the card was turned."""
    if report.guess is None:
        return
    mine = counts[report.guessing]
    mine["guesses"] += 1
    mine["identified"] += report.guess == report.soldier
    mine["by_chance"] += 1 / len(open_ranks(Evidence.of(before, report.owner), report.mission))
    mine["likeliest"] += max(believed(before).values())


def _card(counts: list[dict[str, float]], before: State, report: Report) -> None:
    """For the card's owner: the fate of the soldier, the token, the mark."""
    mine, soldier = counts[report.owning], report.soldier
    if soldier is None:
        return
    mine["turned"] += 1
    mine["activated"] += report.result == "activated"
    mine["tokens"] += report.token
    mine["tokens_paid"] += report.token and report.result in _PAID
    intel = before.intel[-1]
    if is_false_mark(soldier, marked=report.marked, intel=intel):
        mine["false_marks"] += 1
        mine["false_marks_uncaught"] += report.result != "incorrect-intel"
    if soldier == SERGEANT and report.marked != in_range(soldier, intel) and report.guess is not None:
        mine["sergeants"] += 1
        mine["sergeants_unnamed"] += report.guess != soldier


def _lines(faces: Mapping[Slot, Face], side: int) -> Iterator[str]:
    """The lines of a side of which every card was opened in the end: "2-5-7-10"."""
    for day in range(1, DAYS + 1):
        line = [faces.get(slot(day, side, mission)) for mission in MISSIONS]
        if None not in line:
            yield _BETWEEN.join(map(str, line))


def line_shown(text: str) -> str:
    """A line in words of the game: its ranks, mission 1 first.  Raises ValueError or KeyError."""
    ranks = [int(rank) for rank in text.split(_BETWEEN)]
    if len(ranks) != len(MISSIONS):
        raise ValueError("not four soldiers")
    return " ".join(str(SOLDIERS[rank].rank) for rank in ranks)


TALLYING: Final = Tallying(
    2,
    tally,
    (
        Rate(
            mark("soldiers named rightly, of guesses"),
            "identified",
            "guesses",
            (
                (mark("by chance"), "by_chance"),
                (mark("by always naming the likeliest soldier"), "likeliest"),
            ),
        ),
        Rate(mark("own soldiers activated, of those turned up"), "activated", "turned"),
        Rate(mark("deception tokens that paid"), "tokens_paid", "tokens"),
        Rate(mark("Sergeants with a misleading mark that nobody named"), "sergeants_unnamed", "sergeants"),
        Rate(
            mark("false marks that nobody punished, of those turned up"),
            "false_marks_uncaught",
            "false_marks",
        ),
    ),
    (Favourite(mark("favourite deployments, missions 1 to 4"), "lines", line_shown),),
)
