"""The opponent that cannot be read: it plays the equilibrium of each half day.

At dawn it solves its own half, in which it lays, and at the first guess the other side's, in which it names
(`solving`).  It draws from those odds; a guess leans toward soldiers that have become worth more since dawn.
Where no solution speaks (a line that keeps no order, a card that stays closed), it decides as the Agent.

Of two mates each knows its own soldiers; the odds of its decision are the average over all lines that go on
from them.  So the first draws a whole line and lays its half, the second draws among the lines with that
half, and together they lay as one player would.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from p2p_stratego.core.game import Commit, Face, Move
from p2p_stratego.core.sampling import weighted
from p2p_stratego.core.view import Chance, View
from p2p_stratego.spies_and_lies.bots.agent import Agent
from p2p_stratego.spies_and_lies.bots.evaluation import win_chance
from p2p_stratego.spies_and_lies.bots.half_day import Entry
from p2p_stratego.spies_and_lies.bots.laying import lay
from p2p_stratego.spies_and_lies.bots.lookahead import stakes
from p2p_stratego.spies_and_lies.bots.solving import Solution, morning_of, solved
from p2p_stratego.spies_and_lies.rules.components import Rank
from p2p_stratego.spies_and_lies.rules.notation import KEEP, LAY, MARKS, guess
from p2p_stratego.spies_and_lies.rules.observation import (
    honest_marks,
    own_line,
    own_missions,
    todays_intel,
)
from p2p_stratego.spies_and_lies.rules.state import State

LEAN: Final = 6.0
"""The power of a soldier's gain now, against that of the morning, by which a guess leans toward it.

Against the lines of the equilibrium itself, the best guesses of both sides in a game gain 147 points of the
chance to win; with power 0 they gain 127, with 2 135, with 4 138, with 8 141 (8 games).
"""
LEAST: Final = 1e-9
"""The weight of a line that is never laid: a mate may have begun one."""


def morning(view: View[State]) -> State:
    """The state in which this day began; without a past, today's state without the values of the day."""
    day = view.state.day
    return morning_of(next((state for state in view.past if state.day == day), view.state))


class Equilibrium:
    """Implements `view.Bot[State]`."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self._agent = Agent(chance)

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        """A line, marks, a token or none, a guess, or the use of a Captain or a Marshal."""
        decision, state = view.asked, view.state
        side = state.seating.side(view.seat)
        if isinstance(decision, Commit):
            return lay(view, decision, self._line_odds(view), self._chance)
        odds: Mapping[Move, float] = {}
        if state.phase == "intel":
            odds = self._mark_odds(view)
        elif LAY in decision.options:
            odds = self._token_odds(view)
        elif side == state.guesser:
            odds = {guess(rank): share for rank, share in self._rank_odds(view).items()}
        return weighted(odds, self._chance) if odds else self._agent.decide(view)

    def _line_odds(self, view: View[State]) -> Mapping[int, float]:
        """By index into DEPLOYMENTS, every line that can be laid; never 0."""
        return laid_by(solved(morning(view), view.state.seating.side(view.seat)))

    def _mark_odds(self, view: View[State]) -> Mapping[Move, float]:
        """As the other odds: empty where this bot does not know better than the Agent."""
        return mark_odds(solved(morning(view), view.state.seating.side(view.seat)), view)

    def _token_odds(self, view: View[State]) -> Mapping[Move, float]:
        return token_odds(solved(morning(view), view.state.seating.side(view.seat)), view)

    def _rank_odds(self, view: View[State]) -> Mapping[Rank, float]:
        answers = tuple(answer for _, answer in view.since)
        return named(solved(morning(view), 1 - view.state.guesser), view.state, answers)


def laid_by(solution: Solution) -> Mapping[int, float]:
    """How often an owner lays each of its lines, by index into DEPLOYMENTS; never 0."""
    return {line: max(share, LEAST) for line, share in zip(solution.tree.lines, solution.lines, strict=True)}


def mark_odds(solution: Solution, view: View[State]) -> Mapping[Move, float]:
    """How often an owner that knows this view sets which marks; empty if the solution has no such line."""
    options, intel = honest_marks(view), todays_intel(view)
    own = frozenset(own_missions(view.state, view.seat))
    if len(options) == 1:
        return {options[0]: 1.0}
    if intel is None:
        return {}
    odds = dict.fromkeys(options, 0.0)
    by_marks = {MARKS[option]: option for option in options}
    rows = solution.tree.rows
    fitting = solution.tree.fitting(intel, own_line(view))
    for entry, share in came(solution, fitting):
        option = by_marks.get(rows[entry].marks & own)
        if option is not None:
            odds[option] += share
    return odds if any(odds.values()) else {}


def token_odds(solution: Solution, view: View[State]) -> Mapping[Move, float]:
    """How often an owner that knows this view lays a token; empty if the solution has no such line."""
    state, side = view.state, view.state.seating.side(view.seat)
    moment = solution.moment(state.mission - 1, state.tokens[side], laid=True)
    if moment is None:
        return {}
    mine = own_line(view)
    shown = tuple(None if card is None else card.rank for card in state.cards[side])
    known = [rank or other for rank, other in zip(mine, shown, strict=True)]
    lays = solution.lays[moment.column, moment.left]
    fitting = list(came(solution, solution.tree.fitting(state.intel[-1], known, state.marks[side])))
    total = sum(share for _, share in fitting)
    if not total:
        return {}
    share = sum(share * lays[entry] for entry, share in fitting) / total
    return {LAY: share, KEEP: 1 - share}


def came(solution: Solution, entries: Iterable[Entry]) -> Iterable[tuple[Entry, float]]:
    """Each of these entries, and how often an owner comes to it; all alike if it comes to none of them."""
    frequencies = [(entry, solution.came(entry)) for entry in entries]
    return (
        frequencies if any(share for _, share in frequencies) else [(entry, 1.0) for entry, _ in frequencies]
    )


def named(solution: Solution, state: State, answers: tuple[Move, ...]) -> Mapping[Rank, float]:
    """How often the guesser of the coming turn names each rank; empty if the solution has no such line.

    `answers`: of the turn so far.
    """
    owner, column = 1 - state.guesser, state.mission - 1
    shown = [card.rank for card in state.cards[owner][:column] if card is not None]
    known = (state.intel[-1], state.marks[owner], tuple(shown))
    cells = solution.tree.cells[column].get(known, ())
    laid = answers[-1:] == (LAY,)
    moment = solution.moment(column, state.tokens[owner], laid=laid)
    if moment is None:
        moment = solution.moment(column, 0, laid=False)
    if not cells or moment is None:
        return {}
    ranks = solution.tree.columns[column].ranks
    shares, gains = solution.named[moment], solution.worth[moment].gain
    now = stakes(state, answers, [ranks[cell] for cell in cells], win_chance)
    odds = {ranks[cell]: shares[cell] * (now[ranks[cell]].gain / gains[cell]) ** LEAN for cell in cells}
    return odds if any(odds.values()) else {}
