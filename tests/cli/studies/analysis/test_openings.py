"""How matches begin, of each game: lines of choices that a reader can follow."""

from __future__ import annotations

import random
from typing import Any

import pytest

from cli.studies.analysis.analysing import decisions
from p2p_stratego.core import self_play
from p2p_stratego.core.analysis import MadeDecision
from p2p_stratego.core.opening import DEPTH, Opening
from p2p_stratego.core.view import View
from p2p_stratego.registry import ENTRIES, GAMES, make_bot
from p2p_stratego.spies.rules.atlas import POWERS
from protocol.audit.verdict import replay
from tests.helpers.machine.modules import VECTORS

RECORDS = {
    "complete-points": {"lines": 2, "guesses": 2},
    "complete-four": {"lines": 2, "guesses": 4},
    "complete-proofs-spies-and-lies-of-2": {"lines": 2, "guesses": 2},
    "complete-stratego": {"setups": 2, "moves": 1},
    "complete-proofs-stratego-of-2": {"moves": 1},
    "complete-conquest": {"land": 1, "setups": 2, "turns": 2},
    "complete-conquest-of-four": {"land": 1, "setups": 4, "turns": 4},
    "incomplete-nothing": {},
}


def lines(data: bytes) -> tuple[str, list[Opening]]:
    """The name of the game of a record, and its lines."""
    record = replay(data, GAMES)
    genesis = record.report.genesis
    openings = ENTRIES[genesis.game.name].openings
    assert openings is not None
    return genesis.game.name, [*openings.load().of(decisions(record.referee, {}), len(genesis.players))]


def check(game: str, opened: list[Opening], seats: int) -> dict[str, int]:
    """Hold what every line must hold, and count them by kind."""
    openings = ENTRIES[game].openings
    assert openings is not None
    known = {kind.name for kind in openings.load().kinds}
    for line in opened:
        assert line.kind in known
        assert 0 < len(line.choices) <= DEPTH
        for seat, word in line.choices:
            assert seat in range(seats)
            assert word.isascii()
            assert len(word) <= 64
            assert openings.load().shown(word)
    return {kind: [line.kind for line in opened].count(kind) for kind in {line.kind for line in opened}}


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_has_its_lines(name: str) -> None:
    data = (VECTORS / "transcripts" / f"{name}.p2ps").read_bytes()
    game, opened = lines(data)
    assert check(game, opened, len(replay(data, GAMES).report.genesis.players)) == RECORDS[name]


def test_the_first_year_of_spies_is_told_by_country() -> None:
    """Played by the rules alone: a record of so many steps takes a second."""
    made: list[MadeDecision] = []
    rules = GAMES["spies"]

    class Noting:
        """A bot that notes what it decides."""

        def __init__(self, seat: int) -> None:
            self.bot = make_bot("spies", "recruit", random.Random(seat))

        def decide(self, view: View[Any]) -> Any:
            answer = self.bot.decide(view)
            made.append(MadeDecision(len(made), 1, view, answer, None))
            return answer

    table = self_play.Table([Noting(0), Noting(1)], random.Random(1), readable=rules.needs_proofs)
    state = table.through(rules.setup(2, rules.options({})), None)
    while state.phase != "turn":
        state = table.through(rules.turn(state), state)
    openings = ENTRIES["spies"].openings
    assert openings is not None
    opened = [*openings.load().of(iter(made), 2)]
    assert check("spies", opened, 2) == {"spies": 5}
    assert [line.choices[0].word for line in opened] == [*POWERS]


def test_each_side_sees_its_own_half_of_stratego_as_red_does() -> None:
    _game, opened = lines((VECTORS / "transcripts/complete-stratego.p2ps").read_bytes())
    flags = [line.choices[0].word for line in opened if line.kind == "setups"]
    assert all(word.startswith("flag ") and int(word[6:]) <= 4 for word in flags)


@pytest.mark.parametrize("game", ENTRIES)
@pytest.mark.parametrize(
    "word", ["", "x", "flag", "flag z9", "at 9 1", "play x", "take 3", "<b>", "guess 11"]
)
def test_a_word_that_is_no_choice_is_refused(game: str, word: str) -> None:
    openings = ENTRIES[game].openings
    assert openings is not None
    with pytest.raises((ValueError, KeyError, IndexError)):
        openings.load().shown(word)
