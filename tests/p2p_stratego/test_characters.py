"""The opponents: each game has the whole cast, and each habit that is told of one shows in its play."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from p2p_stratego.conquest.rules import notation
from p2p_stratego.conquest.rules.choices import Moves
from p2p_stratego.core.characters import CHARACTERS
from p2p_stratego.core.game import Choose, Commit, Options
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import View
from p2p_stratego.registry import ENTRIES, GAMES, OWN, adviser, make_bot
from p2p_stratego.spies_and_lies.rules.components import SERGEANT
from p2p_stratego.spies_and_lies.rules.notation import GUESSES, KEEP, LAY
from p2p_stratego.stratego.bots.setup_generator import BESIDE, dealt
from p2p_stratego.stratego.rules.armies import ARMIES
from p2p_stratego.stratego.rules.board import SIDE
from p2p_stratego.stratego.rules.cells import OPEN, OWNER
from p2p_stratego.stratego.rules.notation import STEPS
from p2p_stratego.stratego.rules.pieces import BOMB, FLAG
from tests.helpers.in_javascript.spies import LESSON
from tests.helpers.spies_and_lies.rounds import rounds

SHORT: dict[str, Options] = {"spies": LESSON}
"""The options of games of two in which seconds are enough; the whole cast plays the usual ones."""
Made = list[tuple[View[Any], Any]]
"""What a bot decided, each with its view."""


def decisions(game: str, level: str, games: int, options: Options | None = None) -> Made:
    """All that `level` decides in games against the agent."""
    made: Made = []

    class Watched:
        def __init__(self, bot: Any) -> None:
            self._bot = bot

        def decide(self, view: View[Any]) -> Any:
            made.append((view, self._bot.decide(view)))
            return made[-1][1]

    for number in range(games):
        own, other = make_bot(game, level, random.Random(number)), make_bot(game, "agent", random.Random(-1))
        play(GAMES[game], [Watched(own), other], options or {}, random.Random(number))
    return made


@pytest.mark.parametrize("game", sorted(OWN))
def test_the_cast_of_every_game_is_known_by_name_and_has_a_habit(game: str) -> None:
    entry = ENTRIES[game]
    assert next(iter(entry.bots)) == "agent"
    assert {"agent", "cadet", "diplomat", "gambler", "quartermaster", "recruit"} <= {*entry.bots}
    assert {*entry.bots} <= {*CHARACTERS}
    assert len({*entry.about_bots.values()}) == len(entry.bots)


@pytest.mark.parametrize("game", sorted(OWN))
def test_characters_play_by_the_rules_at_every_table_and_repeat_themselves(game: str) -> None:
    few, *more = GAMES[game].seat_counts
    with rounds(1, 1, 2):
        assert _played(game, few, SHORT.get(game, {})) == _played(game, few, SHORT.get(game, {}))
        for many in more[-1:]:
            _played(game, many, {})


def _played(game: str, seats: int, options: Options) -> Any:
    """The last state of a game at a table of characters."""
    cast = [level for level in ENTRIES[game].bots if level != "agent"][:seats]
    bots = [make_bot(game, level, random.Random(level), think=1) for level in cast]
    return play(GAMES[game], bots, options, random.Random(seats)).state


@pytest.mark.parametrize("game", sorted(OWN))
def test_an_adviser_plays_a_whole_game(game: str) -> None:
    bots = [adviser(game, random.Random(1)), make_bot(game, "cadet", random.Random(2))]
    assert play(GAMES[game], bots, SHORT.get(game, {}), random.Random(3)).outcome is not None


def test_habits_of_spies_and_lies() -> None:
    levels = ("agent", "gambler", "diplomat", "quartermaster", "cadet")
    all_made = {level: decisions("spies-and-lies", level, 4) for level in levels}
    named, lays, height = dict[str, Counter[int]](), dict[str, float](), dict[str, float]()
    resting = Counter[str]()
    for level, made in all_made.items():
        tokens = [decided == LAY for _view, decided in made if decided in (KEEP, LAY)]
        lays[level] = sum(tokens) / len(tokens)
        lines = [sum(decided) for view, decided in made if isinstance(view.decision, Commit)]
        height[level] = sum(lines) / len(lines)
        guesses = [(view, GUESSES[decided]) for view, decided in made if decided in GUESSES]
        named[level] = Counter(rank for _view, rank in guesses)
        resting[level] = sum(rank in view.state.exhausted[1] for view, rank in guesses)
    assert height["quartermaster"] < height["agent"] < height["gambler"]
    assert lays["quartermaster"] < lays["agent"] < lays["gambler"]
    assert named["agent"][SERGEANT] > 3 * named["diplomat"][SERGEANT]
    assert resting["agent"] == 0 < resting["cadet"]


def attacks(
    game: str, level: str, is_attack: Callable[[View[Any], Any], bool | None], **options: str
) -> float:
    """The share of attacks among the moves of a character; `is_attack`: None for what is no move."""
    attacks = [is_attack(view, decided) for view, decided in decisions(game, level, 2, options)]
    moves = [attack for attack in attacks if attack is not None]
    return sum(moves) / len(moves)


def test_habits_of_stratego() -> None:
    def on_closed(view: View[Any], decided: Any) -> bool | None:
        if decided not in STEPS:
            return None
        cell = view.state.board[STEPS[decided][1]]
        return bool(OWNER[cell] == 1 - view.seat and cell < OPEN)

    bold, careful = (attacks("stratego", level, on_closed) for level in ("gambler", "quartermaster"))
    assert careful < 0.8 * bold


def test_flags_of_stratego_stand_where_the_habits_say() -> None:
    lots, army = random.Random(1), ARMIES["quickplay"]
    cornered, forward, bare = (
        [dealt(army, lots, hiding) for _ in range(20)] for hiding in ("corner", "front", "bare")
    )
    assert sum(setup.index(FLAG) in (0, SIDE - 1) for setup in cornered) > 10
    assert sum(setup.index(FLAG) >= SIDE for setup in forward) > 10
    assert sum(setup[beside] == BOMB for setup in bare for beside in BESIDE[setup.index(FLAG)]) < 5


def test_habits_of_conquest() -> None:
    def attack(view: View[Any], decided: Any) -> bool | None:
        if not isinstance(view.decision.options if isinstance(view.decision, Choose) else None, Moves):
            return None
        step = notation.zones(decided)
        return step is not None and view.state.board[step[1]] is not None

    assert attacks("conquest", "diplomat", attack) < attacks("conquest", "gambler", attack)
