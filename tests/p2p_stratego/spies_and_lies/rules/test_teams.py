"""Two sides of one or two players: who holds what, the steps of a day, whose turn it is, who wins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from p2p_stratego.core.game import Ask, Breach, Choose, Commit, Open, OpenTo, Outcome, Roll, Together
from p2p_stratego.core.rulebook import drive
from p2p_stratego.spies_and_lies.rules.checks import EXHAUSTED, TWICE
from p2p_stratego.spies_and_lies.rules.components import BLUE, LIEUTENANT, MISSIONS, RED
from p2p_stratego.spies_and_lies.rules.game import GAME
from p2p_stratego.spies_and_lies.rules.notation import MARKS
from p2p_stratego.spies_and_lies.rules.seating import SEAT_NAMES, Seating, winner
from p2p_stratego.spies_and_lies.rules.state import Shown, State, place, slot
from tests.helpers.spies_and_lies.table import BASE, line, replace

PLAIN = {
    "token": "no token",
    "guess": "guess 1",
    "captain": "captain points",
    "marshal": "marshal ten",
}
"""Answers to a Choose by the first word of its first option."""
SOLO = (1, 2, 3, 4)
A, B = (1, 2), (3, 4)
RED_WINS, BLUE_WINS = frozenset({0, 2}), frozenset({1, 3})


def table(seats: int, **changes: Any) -> State:
    """BASE at a table of so many."""
    return replace(BASE, seating=Seating(seats), **changes)


def morning(seats: int, **changes: Any) -> State:
    return table(seats, phase="deploy", intel=((1, 4),), **changes)


def asks_of(state: State, cards: dict[int, int] | None = None, **words: str) -> Iterator[Ask]:
    """The Asks of one step; a Choose is answered by its verb in `words`, a card is opened as in `cards`."""
    turn = GAME.turn(state)
    answer: Any = None
    while True:
        try:
            ask = turn.send(answer)
        except StopIteration:
            return
        yield ask
        answer = None
        if isinstance(ask, Together):
            answer = tuple("mark none" if isinstance(part, Choose) else None for part in ask.asks)
        elif isinstance(ask, Choose):
            answer = (PLAIN | words)[next(iter(ask.options)).split()[0]]
        elif isinstance(ask, Open):
            answer = (cards or {})[ask.slot]
        elif isinstance(ask, Roll):
            answer = 0


def laid(ask: Ask) -> list[tuple[int, int, int, tuple[int, ...]]]:
    """By commit: the seat; day, side and missions of its slots."""
    asked = []
    for part in ask.asks if isinstance(ask, Together) else (ask,):
        assert isinstance(part, Commit)
        days, sides, missions = zip(*map(place, part.slots), strict=True)
        asked.append((part.seat, days[0], sides[0], missions))
    return asked


# Who holds what


@pytest.mark.parametrize(
    ("seats", "holders", "sides"),
    [
        (2, {0: SOLO, 1: SOLO}, ({0}, {1})),
        (3, {0: A, 1: SOLO, 2: B}, ({0, 2}, {1})),
        (4, {0: A, 1: A, 2: B, 3: B}, ({0, 2}, {1, 3})),
    ],
)
def test_seats_share_the_missions_of_their_side(
    seats: int, holders: dict[int, tuple[int, ...]], sides: tuple[set[int], ...]
) -> None:
    seating = Seating(seats)
    assert {seat: seating.missions(seat) for seat in range(seats)} == holders
    assert GAME.sides(seats) == tuple(map(frozenset, sides))
    for side, members in enumerate(sides):
        assert all(seating.side(seat) == side for seat in members)
        assert set(seating.mates(side)) == members
        assert winner_of(seats, side) == side


def winner_of(seats: int, side: int) -> int | None:
    return winner(Outcome(GAME.sides(seats)[side], "flag"))


def test_seats_are_named_by_side_and_place() -> None:
    assert GAME.seat_counts == (2, 3, 4)
    assert [GAME.seat_names(seats) for seats in GAME.seat_counts] == [
        ("red", "blue"),
        ("red-a", "blue", "red-b"),
        ("red-a", "blue-a", "red-b", "blue-b"),
    ]
    assert all(len(names) == seats for seats, names in SEAT_NAMES.items())


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_same_colour_begins_the_return_match(seats: int) -> None:
    # Whoever had seat s has s + 1: with four the other team, with three somebody else alone.
    options = GAME.options({"starter": "random"})
    assert GAME.rematch(options, table(seats, first_starter=BLUE))["starter"] == "blue"
    if seats == 4:
        for side in GAME.sides(4):
            assert frozenset((seat + 1) % 4 for seat in side) in GAME.sides(4)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_chance_before_day_one_is_the_same_at_every_table(seats: int) -> None:
    rolls: list[Ask] = []

    def answer(ask: Ask) -> int:
        rolls.append(ask)
        return 777

    state = drive(GAME.setup(seats, GAME.options({})), answer)
    assert rolls == [Roll(2 * 6 * 10 * 10)]
    assert replace(state, seating=Seating(2)) == drive(GAME.setup(2, GAME.options({})), lambda _: 777)


# A day


@pytest.mark.parametrize("day", [1, 2, 3])
def test_of_four_the_first_mates_lay_then_the_second_look_and_lay(day: int) -> None:
    before = morning(4, day=day)
    [first] = asks_of(before)
    assert isinstance(first, Together)
    assert laid(first) == [(0, day, RED, A), (1, day, BLUE, A)]
    looking = drive(GAME.turn(before), lambda _: (None, None))
    assert looking == replace(before, phase="look")
    *looks, second = asks_of(looking)
    assert looks == [
        OpenTo(slot(day, side, mission), seat) for side, seat in ((RED, 2), (BLUE, 3)) for mission in A
    ]
    assert isinstance(second, Together)
    assert laid(second) == [(2, day, RED, B), (3, day, BLUE, B)]
    assert drive(GAME.turn(looking), lambda _: (None, None)) == replace(before, phase="intel")


def test_of_three_the_one_alone_lays_all_four_at_once() -> None:
    before = morning(3)
    [first] = asks_of(before)
    assert laid(first) == [(0, 1, RED, A), (1, 1, BLUE, SOLO)]
    *looks, second = asks_of(replace(before, phase="look"))
    assert looks == [OpenTo(slot(1, RED, mission), 2) for mission in A]
    assert isinstance(second, Commit)
    assert laid(second) == [(2, 1, RED, B)]


@pytest.mark.parametrize(
    ("seats", "counts"), [(2, {0: 16, 1: 16}), (3, {0: 4, 1: 16, 2: 4}), (4, dict.fromkeys(range(4), 4))]
)
def test_everybody_marks_its_own_missions_at_once(seats: int, counts: dict[int, int]) -> None:
    roll, ask = asks_of(replace(morning(seats, marks=BASE.marks), phase="intel"))
    assert roll == Roll(5)
    assert isinstance(ask, Together)
    assert {part.seat: len(part.options) for part in ask.asks if isinstance(part, Choose)} == counts
    for part in ask.asks:
        assert isinstance(part, Choose)
        own = set(Seating(seats).missions(part.seat))
        assert list(part.options) == [move for move, missions in MARKS.items() if missions <= own]


def test_the_marks_of_mates_are_put_together() -> None:
    answers = iter((0, ("mark 2", "mark none", "mark 34", "mark 4")))
    after = drive(GAME.turn(replace(morning(4), phase="intel")), lambda _: next(answers))
    assert after.marks == (frozenset({2, 3, 4}), frozenset({4}))


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("turn", range(8))
def test_a_mission_is_played_by_the_two_seats_that_hold_it(seats: int, turn: int) -> None:
    state = table(seats, turn=turn)
    seating = state.seating
    owner, number = 1 - state.guesser, state.mission
    name = slot(1, owner, number)
    asked = list(asks_of(state, {name: 9}))
    assert asked[0] == Choose(seating.holder(owner, number), ("token", "no token"))
    assert isinstance(asked[1], Choose)
    assert asked[1].seat == seating.holder(state.guesser, number)
    assert asked[2:] == [Open(name)]


def test_seats_of_four_face_the_enemy_with_the_same_missions() -> None:
    guessers = []
    for turn in range(8):
        state = table(4, turn=turn, tokens=(0, 0))
        name = slot(1, 1 - state.guesser, state.mission)
        [ask, _] = asks_of(state, {name: 9})
        assert isinstance(ask, Choose)
        guessers.append(ask.seat)
    assert guessers == [0, 1, 0, 1, 2, 3, 2, 3]


@pytest.mark.parametrize(
    ("card", "asked"), [(6, ("captain points", "captain 2")), (10, ("marshal ten", "marshal five"))]
)
def test_the_holder_of_the_card_chooses_how_it_is_used(card: int, asked: tuple[str, str]) -> None:
    # Red guesses blue's mission 3, which is blue-b's.
    state = table(4, turn=4, tokens=(0, 0), marks=(frozenset(), frozenset({3} if card == 6 else ())))
    *_, last = asks_of(state, {slot(1, BLUE, 3): card})
    assert last == Choose(3, asked)


# Order, blast and points are of the side


def guessed(state: State, rank: int, **words: str) -> State:
    def answer(ask: Any) -> Any:
        return rank if isinstance(ask, Open) else (PLAIN | words)[next(iter(ask.options)).split()[0]]

    return drive(GAME.turn(state), answer)


def test_the_second_mate_is_caught_by_what_the_first_has_laid() -> None:
    state = table(4, turn=4, cards=(BASE.cards[RED], line(5, 8)), points=(0, 3), marks=BASE.marks)
    after = guessed(state, 3)
    assert after.report is not None
    assert (after.report.result, after.report.guessing, after.report.owning) == ("incorrect-order", 2, 3)
    assert after.caught == (False, True)
    assert after.points == (2, 0)


def test_once_a_mate_is_caught_no_token_is_laid_and_no_guess_said_at_the_other_ones_missions() -> None:
    state = table(4, turn=4, cards=(BASE.cards[RED], line(8, 5)), caught=(False, True))
    assert list(asks_of(state, {slot(1, BLUE, 3): 9})) == [Open(slot(1, BLUE, 3))]
    assert guessed(state, 9).report.result == "counted"  # type: ignore[union-attr]


def test_a_blast_of_the_first_mate_meets_the_sides_next_guess_though_the_second_says_it() -> None:
    # Blue-a's Bomb, shown at blue's mission 2; blue's next turn as guesser is at red's mission 3.
    state = table(4, turn=5, blast=(False, True), starter=RED, tokens=(0, 0))
    assert (state.guesser, state.mission) == (BLUE, 3)
    after = guessed(state, 8)
    assert after.report is not None
    assert (after.report.result, after.report.guessing) == ("retreated", 3)
    assert after.blast == (False, False)


# Cheats that the rules can see


@pytest.mark.parametrize(
    ("mission", "cards", "rank", "breach"),
    [
        (1, (), 2, Breach(1, EXHAUSTED)),
        (2, (8,), 8, Breach(1, TWICE)),
        (3, (5, 8), 5, Breach(3, TWICE)),
        (4, (5, 8, 9), 2, Breach(3, EXHAUSTED)),
        (4, (5, 8, 9), 9, Breach(3, TWICE)),
    ],
)
def test_a_cheat_is_named_as_the_seat_that_it_is_and_loses_for_its_side(
    mission: int, cards: tuple[int, ...], rank: int, breach: Breach
) -> None:
    state = table(4, turn=2 * (mission - 1), cards=(BASE.cards[RED], line(*cards)))
    after = guessed(state, rank)
    assert after.ended is not None
    assert (after.ended.winners, after.ended.reason, after.ended.breach) == (RED_WINS, "cheated", breach)


@pytest.mark.parametrize("seats", [3, 4])
def test_a_cheat_among_the_winners_closed_cards_names_the_mate_that_laid_it(seats: int) -> None:
    state = table(seats, turn=1, agent=4, tokens=(0, 1), starter=RED)
    opened = {slot(1, RED, 2): 6, slot(1, RED, 3): 8, slot(1, RED, 4): 6}

    def answer(ask: Any) -> Any:
        if isinstance(ask, Open):
            return opened.get(ask.slot, LIEUTENANT)
        return "guess 1"

    marked = replace(state, marks=(frozenset({1, 2}), frozenset()))
    after = drive(GAME.turn(marked), answer)
    assert after.ended is not None
    assert (after.ended.reason, after.ended.breach) == ("cheated", Breach(2, TWICE))
    assert after.ended.winners == GAME.sides(seats)[BLUE]


# The end


def flag(seats: int, ranks: tuple[int, int, int, int]) -> State:
    """Red takes the flag at its mission 1 and shows the rest; intel 4 to 7, all marks true."""
    state = table(seats, turn=1, agent=4, tokens=(0, 0))
    marks = frozenset(m for m in MISSIONS if 4 <= ranks[m - 1] <= 7)

    def answer(ask: Any) -> Any:
        return ranks[place(ask.slot)[2] - 1] if isinstance(ask, Open) else "guess 1"

    return drive(GAME.turn(replace(state, marks=(marks, frozenset()))), answer)


@pytest.mark.parametrize("seats", [3, 4])
def test_both_mates_win_by_the_flag_and_all_four_cards_are_looked_at(seats: int) -> None:
    after = flag(seats, (LIEUTENANT, 6, 8, 9))
    assert after.ended is not None
    assert (after.ended.winners, after.ended.reason) == (RED_WINS, "flag")
    assert after.cards[RED][1:] == tuple(Shown(rank, "opened") for rank in (6, 8, 9))
    flawed = flag(seats, (LIEUTENANT, 6, 9, 8))
    assert flawed.ended is not None
    assert (flawed.ended.winners, flawed.ended.reason) == (GAME.sides(seats)[BLUE], "critical-flaw")


@pytest.mark.parametrize(
    ("agent", "points", "won", "reason"),
    [
        (2, (0, 9), RED_WINS, "territory"),
        (-1, (9, 0), BLUE_WINS, "territory"),
        (0, (5, 4), RED_WINS, "points"),
        (0, (3, 3), frozenset(), "draw"),
    ],
)
def test_after_day_three_both_seats_of_the_side_are_named(
    agent: int, points: tuple[int, int], won: frozenset[int], reason: str
) -> None:
    cards = (line(1, 3, 8, 9), line(5, 6, 8))
    state = table(4, day=3, turn=7, starter=BLUE, agent=agent, points=points, tokens=(0, 0), cards=cards)
    # Red's blast makes the last card retreat, so that nothing moves any more.
    state = replace(state, intel=((1, 4), (1, 4), (4, 7), (1, 4)), blast=(True, False))
    after = guessed(state, 9, guess="guess 1")
    assert after.report is not None
    assert after.report.result == "retreated"
    assert after.ended is not None
    assert (after.ended.winners, after.ended.reason) == (won, reason)
