"""Who runs which powers: the allocations of seats, and their handicaps."""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.game import OptionError, Options, Seat
from p2p_stratego.core.language import _
from p2p_stratego.core.narration import either
from p2p_stratego.spies.options import LESSON
from p2p_stratego.spies.rules.atlas import BRITAIN, FRANCE, GERMANY, ITALY, RUSSIA, Power

SEAT_COUNTS: Final = (2, 3, 4, 5)

SEATS: Final[dict[tuple[int, str], tuple[tuple[Power, ...], ...]]] = {
    (5, "standard"): ((GERMANY,), (ITALY,), (RUSSIA,), (FRANCE,), (BRITAIN,)),
    (4, "standard"): ((GERMANY, ITALY), (RUSSIA,), (FRANCE,), (BRITAIN,)),
    (4, "alternate"): ((GERMANY,), (ITALY,), (RUSSIA, FRANCE), (BRITAIN,)),
    (4, "bid"): ((GERMANY,), (ITALY,), (FRANCE,), (BRITAIN,)),
    (3, "standard"): ((GERMANY, ITALY), (RUSSIA,), (FRANCE, BRITAIN)),
    (3, "alternate"): ((GERMANY, ITALY), (RUSSIA, FRANCE), (BRITAIN,)),
    (2, "standard"): ((GERMANY, ITALY), (FRANCE, BRITAIN)),
    (2, "bid"): ((GERMANY, ITALY), (FRANCE, BRITAIN)),
    (2, LESSON): ((GERMANY,), (FRANCE,)),
}
"""By players and allocation: the powers of each seat; where russia alone is missing, it changes hands."""
OFFERED: Final = tuple(table for table in SEATS if table[1] != LESSON)
"""Players and allocation of whole games: the decks are shuffled."""
EVEN: Final[dict[tuple[int, str], int]] = {
    (4, "standard"): 17,
    (4, "alternate"): 19,
    (3, "standard"): 17,
    (3, "alternate"): 18,
}
"""The points that `even` takes from the better power of a pair."""


def check(seats: int, options: Options) -> None:
    """Raises OptionError if so many players cannot play by these options, complete as they are."""
    if seats not in SEAT_COUNTS:
        raise OptionError(_("SPIES! is a game for two to five players, not for {seats}", seats=seats))
    allocation = str(options["allocation"])
    if (seats, allocation) not in SEATS:
        offered = [words for players, words in OFFERED if players == seats]
        raise OptionError(
            _("the allocation for {seats} players must be {offered}", seats=seats, offered=either(offered))
        )
    if options["alliances"] == "yes" and (seats, allocation) == (3, "alternate"):
        raise OptionError(_("alliances cannot be played by three players with the allocation alternate"))


def seat_of(seats: int, allocation: str) -> tuple[Seat | None, ...]:
    """By power: who runs it in 1933; None for russia before it was bid for."""
    powers = SEATS[seats, allocation]
    by_power: list[Seat | None] = [None] * 5
    for seat, own in enumerate(powers):
        for power in own:
            by_power[power] = seat
    if (seats, allocation) == (2, "standard"):
        by_power[RUSSIA] = 0
    return tuple(by_power)
