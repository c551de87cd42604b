"""The options of a rulebook; and a generator is taken as far as the answers so far, and no further."""

from __future__ import annotations

import pytest

from p2p_stratego.core.entry import GameEntry, Whole, Words
from p2p_stratego.core.game import (
    Ask,
    Choose,
    Commit,
    Mix,
    OptionError,
    OptionValue,
    Together,
    Turn,
)
from p2p_stratego.core.rulebook import Rulebook, follows
from p2p_stratego.core.view import AnsweredAsk
from p2p_stratego.registry import ENTRIES

FIRST, SECOND, THIRD = (Choose(seat, ("yes", "no")) for seat in (0, 1, 2))
BOTH = Together((SECOND, THIRD))
MIX = Mix(0, (1, 2), (3, 4), "changed")
ARMY = Commit(0, (5, 6), (0, 1))


def asks(answers: list[object]) -> Turn[str]:
    """Puts FIRST, then BOTH after a yes or MIX after a no; notes each answer."""
    answers.append((yield FIRST))
    answers.append((yield BOTH if answers[-1] == "yes" else MIX))
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
    answers: list[object] = []
    assert follows(asks(answers), since, decision)
    assert answers == noted


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


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
def test_the_entry_offers_the_options_of_the_rules_and_no_others(entry: GameEntry) -> None:
    rules = entry.rules.load()
    assert isinstance(rules, Rulebook)
    assert rules.fields == entry.options
    for field in entry.options:
        assert field.values.allowed(field.name, field.values.usual) == field.values.usual


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
def test_every_game_refuses_an_option_in_the_same_words(entry: GameEntry) -> None:
    rules = entry.rules.load()
    assert isinstance(rules, Rulebook)
    with pytest.raises(OptionError, match=f"^{entry.title} has no option 'luck'; its options are "):
        rules.options({"luck": 1})
    for name, values in ((field.name, field.values) for field in rules.fields):
        refused: tuple[OptionValue, ...] = ("perhaps", -1)
        words = f"^{name} must be " if isinstance(values, Words) else None
        if isinstance(values, Whole):
            refused = (values.least - 1, values.most + 1, True, str(values.usual))
            words = f"^{name} must be a whole number from {values.least} to {values.most}, not "
        for value in refused:
            with pytest.raises(OptionError, match=words):
                rules.options({name: value})
