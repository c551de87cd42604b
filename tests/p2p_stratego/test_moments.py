"""The steps of each game that are worth jumping to: their sentences tell of a capture, a point, a day."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from p2p_stratego.core import self_play
from p2p_stratego.registry import ENTRIES, GAMES, make_bot
from tests.helpers.games.facts import facts

NAMES = ("Anna", "Boris", "Chen")


def played(game: str) -> Sequence[Any]:
    """All states of a game between bots that choose at random."""
    rules, seats = GAMES[game], GAMES[game].seat_counts[0]
    bots = [make_bot(game, "recruit", random.Random(seat)) for seat in range(seats)]
    table = self_play.Table(bots, random.Random(1), readable=rules.needs_proofs)
    states = [table.through(rules.setup(seats, rules.options(facts(game).kit.short)), None)]
    while rules.outcome(states[-1]) is None:
        states.append(table.through(rules.turn(states[-1]), states[-1]))
    return states


@pytest.mark.parametrize("game", [game for game in ENTRIES if facts(game).moments])
def test_a_moment_is_what_the_sentences_of_its_step_tell(game: str) -> None:
    entry = ENTRIES[game]
    assert entry.moment is not None
    signs = facts(game).moments
    states, words, moment = played(game), entry.narration.load(), entry.moment.load()
    assert moment(None, states[0]) == ""
    count: Counter[str] = Counter()
    for before, after in pairwise(states):
        label = moment(before, after)
        count[label] += 1
        text = " ".join(words.step(before, after, NAMES[: GAMES[game].seat_counts[0]]))
        assert signs.get(label, "") in text
    assert count[""] < len(states) - 1
    assert moment(states[-2], states[-1])
    assert set(signs) & set(count)
