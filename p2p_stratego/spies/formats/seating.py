"""The countries of each seat, as a player chooses one (2.1 of the rule text)."""

from __future__ import annotations

from p2p_stratego.core.game import Options
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.rules.allocation import SEATS, check
from p2p_stratego.spies.rules.atlas import POWERS


def countries(seats: int, options: Options) -> tuple[dict[str, str], ...]:
    """By seat: its powers for good, by their names in commands.

    `options`: complete.  Raises OptionError for options that so many players cannot have.
    """
    check(seats, options)
    return tuple(
        {POWERS[power]: words.power(power) for power in own}
        for own in SEATS[seats, str(options["allocation"])]
    )
