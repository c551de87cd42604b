"""The equilibrium of half a day: nobody gains against it, and the bot that plays it keeps every rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest

from p2p_stratego.core.game import Choose, Commit, Face, Slot
from p2p_stratego.core.values import replace
from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.bots import solving
from p2p_stratego.spies_and_lies.bots.adaptive import Adaptive
from p2p_stratego.spies_and_lies.bots.agent import Agent
from p2p_stratego.spies_and_lies.bots.equilibrium import Equilibrium, morning, named
from p2p_stratego.spies_and_lies.bots.half_day import Open, tree
from p2p_stratego.spies_and_lies.bots.recruit import Recruit
from p2p_stratego.spies_and_lies.bots.solving import Moment, Solution, morning_of, solved
from p2p_stratego.spies_and_lies.rules.asks import commit_ask
from p2p_stratego.spies_and_lies.rules.components import BLUE, RED
from p2p_stratego.spies_and_lies.rules.notation import GUESSES
from p2p_stratego.spies_and_lies.rules.seating import Seating
from p2p_stratego.spies_and_lies.rules.state import Shown, State, place, slot
from tests.helpers.machine.examples import every, runs
from tests.helpers.spies_and_lies.bots import Crook, Make, assert_honest, game
from tests.helpers.spies_and_lies.rounds import DAWN, MORNINGS

# The solver, judged by a tree walk of its own


def best_owner(solution: Solution, chances: Mapping[Any, float]) -> float:
    """The value of the line, marks and tokens that fare best against the guesser, all else as it is."""

    def fares(entry: int, column: int, left: int) -> float:
        if column == 4:
            return 0.0
        cell = solution.tree.columns[column].cell_of[entry]

        def now(laid: bool) -> float:
            moment = Moment(column, left, laid)
            miss, gain = (worth[cell] for worth in solution.worth[moment])
            return -(miss + solution.named[moment][cell] * gain) + fares(entry, column + 1, left - laid)

        return max(now(laid) for laid in ((False, True) if left else (False,)))

    by_line: dict[int, dict[Any, list[float]]] = {}
    for entry, row in enumerate(solution.tree.rows):
        by_line.setdefault(row.laid, {}).setdefault(row.intel, []).append(fares(entry, 0, solution.tokens))
    return max(
        sum(chances[intel] * max(values) for intel, values in by_intel.items())
        for by_intel in by_line.values()
    )


def best_guesser(solution: Solution, chances: Mapping[Any, float]) -> float:
    """The owner's value where the guesser remembers everything and names what serves it best."""
    total = 0.0
    seen: dict[Any, dict[int, float]] = {}

    def walk(entry: int, column: int, story: tuple[bool, ...], share: float) -> None:
        nonlocal total
        if column == 4 or not share:
            return
        row, left = solution.tree.rows[entry], solution.tokens - sum(story)
        lay = solution.lays[column, left][entry] if left else 0.0
        for laid, part in ((False, share * (1 - lay)), (True, share * lay)):
            if part:
                worth = solution.worth[Moment(column, left, laid)]
                cell = solution.tree.columns[column].cell_of[entry]
                total -= part * worth.miss[cell]
                known = (row.intel, row.marks, row.line[:column], (*story, laid))
                gains = seen.setdefault(known, {})
                gains[row.line[column]] = gains.get(row.line[column], 0.0) + part * worth.gain[cell]
                walk(entry, column + 1, (*story, laid), part)

    for entry, row in enumerate(solution.tree.rows):
        walk(entry, 0, (), solution.came(entry) * chances[row.intel])
    return total - sum(max(gains.values()) for gains in seen.values())


@pytest.mark.parametrize("name", list(MORNINGS))
def test_nobody_gains_half_a_point_of_the_chance_to_win_in_half_a_day(name: str) -> None:
    state = MORNINGS[name]
    for owner in (RED, BLUE):
        solution = solved(state, owner)
        deck = [(1, 4), (1, 4), (4, 7), (4, 7), (7, 10), (7, 10)]
        for card in state.intel:
            deck.remove(card)
        chances = {card: deck.count(card) / len(deck) for card in deck}
        best, worst = best_owner(solution, chances), best_guesser(solution, chances)
        assert best - worst == pytest.approx(solution.gap, abs=1e-9)
        assert worst <= solution.value <= best
        assert solution.gap <= 0.005
        assert solution.rounds <= solving.MOST_ROUNDS[solution.tokens]


def test_a_few_rounds_leave_a_gap(hasty: None) -> None:
    assert solved(MORNINGS["a token on the second"], RED).gap > 0.02


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("exhausted", [(), (1,), (4,), (3, 8)])
def test_the_odds_of_a_solution_are_odds(exhausted: tuple[int, ...]) -> None:
    solution = solved(morning_of(replace(DAWN, exhausted=(exhausted, (1,)), tokens=(2, 0))), RED)
    assert solution.tree is tree(exhausted, ((1, 4), (4, 7), (7, 10)))
    assert sum(solution.lines) == pytest.approx(1)
    assert all(0 <= share <= 1 for shares in solution.lays.values() for share in shares)
    for moment, shares in solution.named.items():
        for cells in solution.tree.cells[moment.column].values():
            assert sum(shares[cell] for cell in cells) == pytest.approx(1)
            assert all(shares[cell] >= 0 for cell in cells)
    for _, _, first, other in solution.tree.pairs:
        assert solution.marks[first] + solution.marks[other] == pytest.approx(1)


def test_a_cell_is_what_a_guesser_knows_and_a_rank_that_may_come() -> None:
    shape = tree((1,), ((1, 4), (4, 7), (7, 10)))
    for at, column in enumerate(shape.columns):
        known: dict[Open, set[int]] = {}
        for entry, row in enumerate(shape.rows):
            assert column.ranks[column.cell_of[entry]] == row.line[at]
            known.setdefault((row.intel, row.marks, row.line[:at]), set()).add(column.cell_of[entry])
        assert {seen: set(cells) for seen, cells in shape.cells[at].items()} == known
        values = [float(cell * cell) for cell in range(len(column.ranks))]
        totals = column.totals(values)
        for cells in shape.cells[at].values():
            if len(cells) > 1:
                assert {totals[cell] for cell in cells} == {sum(values[cell] for cell in cells)}


# The bot


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("make", [Equilibrium, Adaptive])
def test_it_keeps_every_rule(make: Make) -> None:
    for seed in range(runs(2, 8)):
        played, states = game((make, make), seed, wall=2 + 3 * seed % 7)
        assert_honest(played, states, (0, 1))
        assert played.outcome.reason in ("flag", "territory", "points", "draw")


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("make", [Equilibrium, Adaptive])
def test_it_keeps_its_head_against_a_crook(make: Make) -> None:
    for seed in range(runs(2, 8)):
        makes: list[Make] = [make, Crook] if seed % 2 else [Crook, make]
        played, states = game(makes, seed)
        assert_honest(played, states, (makes.index(make),))


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("mates", [(Equilibrium,), (Adaptive,), (Adaptive, Equilibrium, Agent, Recruit)])
@pytest.mark.parametrize(("seats", "leaves"), every([(3, 0.0), (3, 0.02), (4, 0.0), (4, 0.02)], 3))
def test_mates_keep_every_rule_together(seats: int, mates: Sequence[Make], leaves: float) -> None:
    for seed in range(runs(1, 4)):
        makes = [mates[(seat + seed) % len(mates)] for seat in range(seats)]
        played, states = game(makes, seed, wall=2 + seed % 7, leaves=leaves)
        assert played.outcome.reason in ("flag", "territory", "points", "draw", "deserted")
        for state in states:
            if state.report is not None and state.report.soldier is not None:
                assert state.report.result in ("identified", "retreated", "activated")


class Looked(dict[Slot, Face]):
    """The faces that a seat knows, and the slots whose face was asked for."""

    def __init__(self, faces: Mapping[Slot, Face]) -> None:
        super().__init__(faces)
        self.asked: set[Slot] = set()

    def __getitem__(self, name: Slot) -> Face:
        self.asked.add(name)
        return super().__getitem__(name)

    def get(self, name: Slot, default: Any = None) -> Any:
        self.asked.add(name)
        return super().get(name, default)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(
    ("make", "seats"),
    every([(Equilibrium, 2), (Equilibrium, 4), (Adaptive, 4), (Adaptive, 2)], 2),
)
def test_it_asks_for_no_face_but_those_of_its_own_side(make: Make, seats: int) -> None:
    class Watched:
        def __init__(self, chance: Random) -> None:
            self.bot = make(chance)

        def decide(self, view: View[State]) -> Any:
            known = Looked(view.known)
            decided = self.bot.decide(
                View(view.seat, view.state, known, view.decision, view.since, view.past)
            )
            assert all(place(name)[1] == view.state.seating.side(view.seat) for name in known.asked)
            return decided

    for seed in range(runs(1, 4)):
        game([Watched] * seats, seed)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(
    ("make", "seats"),
    every([(Equilibrium, 2), (Equilibrium, 4), (Adaptive, 4), (Adaptive, 2)], 2),
)
def test_what_others_have_laid_changes_nothing(make: Make, seats: int) -> None:
    """The same view with every face that is not the seat's own, or open, taken away."""

    class Blind:
        def __init__(self, chance: Random) -> None:
            self.chance = chance

        def decide(self, view: View[State]) -> Any:
            state, side = view.state, view.state.seating.side(view.seat)
            own = {
                name: face
                for name, face in view.known.items()
                if place(name)[1] == side and place(name)[0] == state.day
            }
            seed = self.chance.random()
            decided = [
                make(Random(seed)).decide(View(view.seat, state, known, view.decision, view.since, view.past))
                for known in (view.known, own)
            ]
            assert decided[0] == decided[1]
            return decided[0]

    game([Blind] * seats, 1)


@pytest.mark.usefixtures("hasty")
def test_every_position_has_an_answer_without_a_past() -> None:
    """A hint, or a match that was resumed by a front end without a history, has the present state alone."""
    asked = 0

    class Forgetful(Equilibrium):
        def decide(self, view: View[State]) -> Any:
            nonlocal asked
            asked += 1
            return super().decide(View(view.seat, view.state, view.known, view.decision, view.since))

    games = runs(1, 4)
    for seed in range(games):
        played, states = game((Forgetful, Recruit), seed)
        assert_honest(played, states, (0,))
    assert asked > 20 * games


def test_a_day_is_read_from_its_morning() -> None:
    later = replace(DAWN, phase="mission", turn=3, points=(5, 5), agent=1, intel=((1, 4), (4, 7)))
    view = View(0, later, {}, None, (), (DAWN, replace(DAWN, phase="intel"), later))
    assert morning(view) == morning_of(DAWN)
    assert morning(View(0, later, {})).points == (5, 5)


@pytest.mark.usefixtures("hasty")
def test_a_guess_leans_away_from_a_soldier_that_has_become_worth_less() -> None:
    marks = (frozenset[int](), frozenset({2}))
    state = replace(DAWN, phase="mission", turn=6, intel=((1, 4), (4, 7)), marks=marks, tokens=(0, 0))
    two, six, eight = (Shown(rank, "identified") for rank in (2, 6, 8))
    state = replace(state, cards=(state.cards[RED], (two, six, eight, None)))
    solution = solved(morning_of(DAWN), BLUE)
    plain = named(solution, state, ())
    spied = replace(state, active=(frozenset({1}), frozenset()))  # a Marshal would retreat
    assert set(plain) == {4, 9, 10}
    assert named(solution, spied, ())[10] / sum(named(solution, spied, ()).values()) < plain[10] / sum(
        plain.values()
    )


@pytest.mark.usefixtures("hasty")
def test_a_line_that_no_solution_knows_is_named_as_the_agent_would() -> None:
    state = replace(DAWN, phase="mission", turn=4, intel=((1, 4), (4, 7)), tokens=(0, 0))
    cards = (Shown(9, "counted"), Shown(3, "counted"), None, None)
    state = replace(state, cards=(state.cards[RED], cards))
    view = View(0, state, {}, Choose(0, tuple(GUESSES)))
    assert Equilibrium(Random(1)).decide(view) == Agent(Random(1)).decide(view)


@pytest.mark.usefixtures("hasty")
def test_mates_lay_the_lines_of_one_player() -> None:
    """The first draws a whole line, the second one that begins with the first one's half."""
    team = replace(DAWN, seating=Seating(4))
    state = replace(team, phase="look")
    lines = set()
    for seed in range(40):
        first = Equilibrium(Random(f"{seed}/a")).decide(View(0, team, {}, commit_ask(1, RED, (1, 2), 0)))
        known = {slot(1, RED, mission): int(str(rank)) for mission, rank in enumerate(first, 1)}
        ask = commit_ask(1, RED, (3, 4), 2)
        assert isinstance(ask, Commit)
        second = Equilibrium(Random(f"{seed}/b")).decide(View(2, state, known, ask, (), (team, state)))
        i, two, three, four = (int(str(rank)) for rank in (*first, *second))
        lines.add((i, two, three, four))
    solution = solved(morning_of(team), RED)
    laid = {
        solution.tree.rows[entry].line
        for entry, row in enumerate(solution.tree.rows)
        if solution.lines[row.laid]
    }
    assert lines <= laid
    assert len(lines) > 10
