"""A generator is taken as far as the answers so far, and no further."""

from __future__ import annotations

import pytest

from p2p_stratego.core.game import Ask, Choose, Commit, Mix, Together, Turn
from p2p_stratego.core.rulebook import follows
from p2p_stratego.core.view import AnsweredAsk

FIRST, SECOND, THIRD = (Choose(seat, ("yes", "no")) for seat in (0, 1, 2))
BOTH = Together((SECOND, THIRD))
MIX = Mix(0, (1, 2), (3, 4), "changed")
ARMY = Commit(0, (5, 6), (0, 1))


def asks(said: list[object]) -> Turn[str]:
    """Puts FIRST, then BOTH after a yes or MIX after a no; notes each answer."""
    said.append((yield FIRST))
    said.append((yield BOTH if said[-1] == "yes" else MIX))
    return "over"


@pytest.mark.parametrize(
    ("since", "decision", "noted"),
    [
        ((), None, []),
        ((), FIRST, []),
        (((FIRST, "yes"),), None, ["yes"]),
        (((FIRST, "yes"),), BOTH, ["yes"]),
        (((FIRST, "yes"),), THIRD, ["yes"]),
        (((FIRST, "no"),), MIX, ["no"]),
        (((FIRST, "no"),), Commit(0, MIX.new, (0, 1)), ["no"]),
        (((FIRST, "yes"), (BOTH, ("no", "no"))), None, ["yes", ("no", "no")]),
    ],
)
def test_what_a_turn_puts_is_followed(
    since: tuple[AnsweredAsk, ...], decision: Ask | None, noted: list[object]
) -> None:
    said: list[object] = []
    assert follows(asks(said), since, decision)
    assert said == noted


@pytest.mark.parametrize(
    ("since", "decision"),
    [
        ((), SECOND),
        (((SECOND, "yes"),), None),
        (((FIRST, "no"),), BOTH),
        (((FIRST, "no"),), THIRD),
        (((FIRST, "no"),), ARMY),
        (((FIRST, "no"),), Commit(1, MIX.new, (0, 1))),
        (((FIRST, "yes"), (MIX, None)), None),
        (((FIRST, "yes"), (BOTH, ("no", "no"))), FIRST),
        (((FIRST, "yes"), (BOTH, ("no", "no")), (FIRST, "yes")), None),
    ],
)
def test_what_a_turn_does_not_put_is_told(since: tuple[AnsweredAsk, ...], decision: Ask | None) -> None:
    assert not follows(asks([]), since, decision)
