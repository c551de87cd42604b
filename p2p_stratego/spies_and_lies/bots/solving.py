"""The equilibrium of half a day: odds of lines, marks, tokens and guesses against which nobody can gain.

Regret matching plus with predictions (Farina, Kroer and Sandholm, "Faster Game Solving via Predictive
Blackwell Approachability", AAAI 2021): owner and guesser take turns to learn from each other's present odds,
and the answer is the average of all odds, later ones counting more.  Two things keep it short in pure Python.
First the tokens are left out, which makes a small game; its odds are where the whole game begins.  And the
odds of a token climb along their gain (projected gradient) instead of following regrets: there are
thousands, and most stay at 0.

Payoffs are chances to win as of the morning: a hit or a miss counts as `lookahead.stakes` says, and they add
up.  The guesser knows how many tokens the owner holds, but forgets on which mission the owner laid one; the
gap lets a best responder know that, too.
"""

from __future__ import annotations

import dataclasses
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress, repeat
from operator import add, mul, neg, sub, truediv
from typing import Final, NamedTuple, TypeAlias

from p2p_stratego.core.values import replace
from p2p_stratego.spies_and_lies.bots.deployment import NOTHING
from p2p_stratego.spies_and_lies.bots.evaluation import win_chance
from p2p_stratego.spies_and_lies.bots.half_day import ByEntry, Cell, Cells, Column, Entry, Tree, tree
from p2p_stratego.spies_and_lies.bots.lookahead import Stake, stakes
from p2p_stratego.spies_and_lies.rules.chance import deck_left
from p2p_stratego.spies_and_lies.rules.components import (
    MISSIONS,
    RANKS,
    TOKENS_HELD_AT_MOST,
    IntelRange,
    Rank,
    Side,
)
from p2p_stratego.spies_and_lies.rules.notation import KEEP, LAY
from p2p_stratego.spies_and_lies.rules.phases import dawn
from p2p_stratego.spies_and_lies.rules.state import NO_MARKS, State

Floats: TypeAlias = list[float]


class Moment(NamedTuple):
    """A question to the guesser, of any entry."""

    column: int
    """The mission's place, 0 to 3."""
    left: int
    """Tokens that the owner held when the mission began, 0 to 2."""
    laid: bool
    """Whether it has laid one on this card."""


Holding: TypeAlias = tuple[int, int]
"""A question to the owner: the mission's place, and the tokens that it holds, 1 or 2."""

WARM: Final = 40
"""Rounds before the first look at the gap; where there are tokens, they are left out in as many before."""
ROUNDS: Final = 10
"""Rounds between two looks at the gap."""
MOST_ROUNDS: Final = (250, 260, 220)
"""By the tokens that the owner holds, 0 to 2: the rounds of learning, those without tokens among them."""
GAP: Final = 0.005
"""The solver stops here: the chance to win that both best responders gain together."""
RECENT: Final = 3
"""The power of the round's number with which its odds count in the average."""
LEAST: Final = 1e-12
"""A regret that stands for none, so that the odds of a guess without regrets are even."""
CLIMB: Final = 0.7
"""How far the odds of a token move in the first round, for a gain as large as an average right guess's."""
CALMING: Final = 0.25
"""The power of the round's number, and of the tokens' square, by which they move less."""


class Worth(NamedTuple):
    """By cell of a mission: what the guesser gets, in chance to win."""

    miss: Sequence[float]
    gain: Sequence[float]
    """By naming the card's rank, beyond a miss; above 0."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The odds of one half day at which neither the owner nor the guesser gains more than `gap`."""

    tree: Tree
    tokens: int
    """Tokens that the owner can lay, 0 to 2."""
    lines: Sequence[float]
    """How often the owner lays each line of the tree; sum 1."""
    marks: Sequence[float]
    """By entry: how often the owner, with this line and card, sets these marks."""
    lays: Mapping[Holding, Sequence[float]]
    """By entry: how often the owner lays a token now."""
    named: Mapping[Moment, Sequence[float]]
    """By cell: how often the guesser names its rank; sum 1 over what the guesser knows."""
    worth: Mapping[Moment, Worth]
    value: float
    """What the half day brings its owner, in chance to win beyond the morning's, if both play these odds.

    Midway between what a best owner and a best guesser make of it; 0.0 for a style, of which it is not known.
    """
    gap: float
    """The chance to win that a best owner and a best guesser gain together, each against these odds."""
    rounds: int
    """Rounds of learning."""

    def moment(self, column: int, left: int, *, laid: bool) -> Moment | None:
        """The moment nearest to a real one; None where the tree has no token to be laid.

        A Spy can win a token in the day, which the tree does not know of.
        """
        left = max(min(left, self.tokens), self.tokens - column)
        return None if laid and not left else Moment(column, left, laid)

    def came(self, entry: Entry) -> float:
        """How often the owner comes to this entry, given its intel card."""
        return self.lines[self.tree.rows[entry].laid] * self.marks[entry]


Payoffs: TypeAlias = Mapping[tuple[int, bool], Mapping[Rank, Stake]]
"""By mission's place and whether a token is laid: what each rank is worth to the guesser."""
_Key: TypeAlias = tuple[tuple[tuple[int, bool], tuple[tuple[Rank, Stake], ...]], ...]


@lru_cache(maxsize=8)
def solved(morning: State, owner: Side) -> Solution:
    """The half day of `owner`; `morning`: a state as `phases.dawn` leaves it."""
    tokens = min(morning.tokens[owner], TOKENS_HELD_AT_MOST)
    key = tuple((when, tuple(stakes.items())) for when, stakes in payoffs_of(morning, owner).items())
    solve = solution_of if morning.day == 1 else solution_of.__wrapped__  # later ones hardly come again
    return solve(morning.exhausted[owner], deck_left(morning.intel), tokens, key)


@lru_cache(maxsize=160)
def solution_of(
    exhausted: tuple[Rank, ...], deck: tuple[IntelRange, ...], tokens: int, key: _Key
) -> Solution:
    """By value: a series meets some 130 half days of day 1 again and again; each takes 250 kilobytes."""
    payoffs = {when: dict(by_rank) for when, by_rank in key}
    return Game(tree(exhausted, _kinds(deck)), deck, payoffs).solution(tokens)


def _kinds(deck: tuple[IntelRange, ...]) -> tuple[IntelRange, ...]:
    return tuple(dict.fromkeys(deck))


def morning_of(state: State) -> State:
    """The state of a morning as `solved` takes it: without the report of the night before."""
    return dawn(state)


def game_of(morning: State, owner: Side) -> Game:
    """The half day of `owner` without a solution."""
    deck = deck_left(morning.intel)
    return Game(tree(morning.exhausted[owner], _kinds(deck)), deck, payoffs_of(morning, owner))


@lru_cache(maxsize=8)
def payoffs_of(morning: State, owner: Side) -> Payoffs:
    """What each rank is worth to the guesser, beyond its chance to win before the guess."""
    ranks = tuple(rank for rank in RANKS if rank not in morning.exhausted[owner])
    payoffs = {}
    for column, mission in enumerate(MISSIONS):
        supposed = replace(
            morning,
            phase="mission",
            turn=2 * (mission - 1) + (morning.starter == owner),
            intel=(*morning.intel, NOTHING),
            marks=NO_MARKS,
        )
        before = win_chance(supposed, 1 - owner)
        for move in (KEEP, LAY) if morning.tokens[owner] else ("",):
            prospect = stakes(supposed, (move,) if move else (), ranks, win_chance)
            payoffs[column, move == LAY] = {
                rank: Stake(stake.hit - before, stake.miss - before, stake.gain)
                for rank, stake in prospect.items()
            }
    return payoffs


class Game:
    """The half day of one morning."""

    def __init__(self, shape: Tree, deck: Sequence[IntelRange], payoffs: Payoffs) -> None:
        """`deck`: the intel cards of which one will be turned up."""
        self.tree = shape
        self.odds = {kind: deck.count(kind) / len(deck) for kind in deck}
        self.payoffs = payoffs
        self.odds_of = [self.odds[row.intel] for row in shape.rows]
        """By entry: the odds of its intel card."""
        gains = [
            stake.gain for (_, laid), by_rank in payoffs.items() if not laid for stake in by_rank.values()
        ]
        self.scale = sum(gains) / len(gains)
        """The gain of an average right guess."""

    def solution(self, tokens: int) -> Solution:
        """Learn until the gap is closed, or the rounds are up."""
        learner = Learner(self, 0)
        if tokens:
            learner.learn(WARM)
            learner = Learner(self, tokens, learner)
        learner.learn(WARM)
        while True:
            average = learner.average()
            best, worst = self.best_responses(average)
            if best - worst <= GAP or learner.rounds + ROUNDS > MOST_ROUNDS[tokens]:
                return dataclasses.replace(packed(average), value=(best + worst) / 2, gap=best - worst)
            learner.learn(ROUNDS)

    def worth(self, moment: Moment) -> Worth:
        payoff, ranks = self.payoffs[moment.column, moment.laid], self.tree.columns[moment.column].ranks
        return Worth([payoff[rank].miss for rank in ranks], [payoff[rank].gain for rank in ranks])

    def best_responses(self, solution: Solution) -> tuple[float, float]:
        """The owner's value of `solution` with a best owner, and with a best guesser that forgets nothing."""
        return max(self.line_values(solution)), self._best_guesser(solution)

    def entry_values(self, solution: Solution) -> list[Floats]:
        """By token held, 0 to all, and by entry: what a best owner of tokens makes of it."""
        entries, tokens = range(len(self.tree.rows)), solution.tokens
        worth = [[0.0] * len(entries)] * (tokens + 1)
        for at, column in reversed(list(enumerate(self.tree.columns))):
            ways: dict[tuple[int, bool], Floats] = {}
            for left in holdings(at, tokens):
                for laid in (False, True)[: 1 + (left > 0)]:
                    moment = Moment(at, left, laid)
                    costs = costs_of(solution.worth[moment], solution.named[moment])
                    later = worth[left - laid]
                    ways[left, laid] = [
                        value - costs[cell] for value, cell in zip(later, column.cell_of, strict=True)
                    ]
            for left in holdings(at, tokens):
                kept, laid_now = ways[left, False], ways.get((left, True))
                worth[left] = kept if laid_now is None else list(map(max, kept, laid_now))
        return worth

    def line_values(self, solution: Solution) -> Floats:
        """By line of the tree: what a best owner of marks and tokens makes of it."""
        values, lines = self.entry_values(solution)[solution.tokens], [0.0] * len(self.tree.lines)
        for line, intel, entry in self.tree.alone:
            lines[line] += self.odds[intel] * values[entry]
        for line, intel, first, other in self.tree.pairs:
            lines[line] += self.odds[intel] * max(values[first], values[other])
        return lines

    def _best_guesser(self, solution: Solution) -> float:
        shape, value = self.tree, 0.0
        reach = [
            solution.lines[row.laid] * share * odds
            for row, share, odds in zip(shape.rows, solution.marks, self.odds_of, strict=True)
        ]
        stories = [(solution.tokens, reach)]
        """By the missions with a token: the tokens left, and how often each entry comes so far."""
        for at, column in enumerate(shape.columns):
            later = []
            for left, here in stories:
                lays = solution.lays[at, left] if left else None
                laid = list(map(mul, here, lays)) if lays else []
                for token, part in ((True, laid), (False, list(map(sub, here, laid)) if lays else here)):
                    if part:
                        later.append((left - token, part))
                        value -= _best_guess(
                            column, shape.cells[at], solution.worth[Moment(at, left, token)], part
                        )
            stories = later
        return value


def _best_guess(column: Column, sets: Cells, worth: Worth, reach: Sequence[float]) -> float:
    """What a guesser gets that names the best rank wherever it guesses."""
    come = [0.0] * len(column.ranks)
    for cell, share in zip(column.cell_of, reach, strict=True):
        come[cell] += share
    missed = sum(share * miss for share, miss in zip(come, worth.miss, strict=True))
    gains: Floats = list(map(mul, come, worth.gain))
    return missed + sum(max(gains[cell] for cell in some) for some in sets.values())


def packed(solution: Solution) -> Solution:
    """The same odds in a fifth of the memory."""
    return dataclasses.replace(
        solution,
        lines=array("d", solution.lines),
        marks=array("d", solution.marks),
        lays={holding: array("d", shares) for holding, shares in solution.lays.items()},
        named={moment: array("d", shares) for moment, shares in solution.named.items()},
        worth={
            moment: Worth(array("d", worth.miss), array("d", worth.gain))
            for moment, worth in solution.worth.items()
        },
    )


def holdings(column: int, tokens: int) -> range:
    """The tokens that an owner may still have at a mission that began the day with `tokens`."""
    return range(max(0, tokens - column), tokens + 1)


def costs_of(worth: Worth, named: Sequence[float]) -> Floats:
    """By cell: what the guesser gets that names as `named` says."""
    return list(map(add, worth.miss, map(mul, named, worth.gain)))


class Naming:
    """The guesser's learning at one Moment, by cell."""

    def __init__(self, column: Column, worth: Worth, like: Naming | None) -> None:
        """`like`: the guesser of a game without tokens, to begin as it has ended."""
        self._column = column
        self._worth = Worth(worth.miss[: column.choices], worth.gain[: column.choices])
        self.named: Floats
        if like is None:
            self.named = [1.0] * len(column.ranks)
            for block in column.blocks:
                self.named[block.start : block.end] = [1 / block.size] * (block.sets * block.size)
        else:
            self.named = [*like.named]
        self._regrets: Floats = [0.0] * column.choices if like is None else like._regrets
        self._sums: Floats = [0.0] * column.choices
        self._idle = 0.0
        """The weight of the rounds in which the moment did not come."""
        self.costs = costs_of(worth, self.named)

    def learn(self, cells: Iterable[Cell], shares: Sequence[float], weight: float) -> None:
        """`shares`: how often each of these cells comes; `weight`: of this round in the average."""
        if not any(shares):
            self._idle += weight
            return
        self._rest()
        column, choices = self._column, self._column.choices
        come = [0.0] * len(column.ranks)
        for cell, share in zip(cells, shares, strict=True):
            come[cell] += share
        named = self.named[:choices]
        got = list(map(mul, come, self._worth.gain))
        mean = column.totals(list(map(mul, got, named)))
        more = list(map(sub, got, mean))
        self._regrets = _positive(map(add, self._regrets, more))
        # If the next round brings what this one brought.
        hopes = [hope if hope > LEAST else LEAST for hope in map(add, self._regrets, more)]
        named = list(map(truediv, hopes, column.totals(hopes)))
        self._count(named, weight)
        self.named[:choices] = named
        self.costs[:choices] = costs_of(self._worth, named)

    def _rest(self) -> None:
        """Count the rounds without learning, in which the odds stayed as they were."""
        if self._idle:
            self._count(self.named[: self._column.choices], self._idle)
            self._idle = 0.0

    def _count(self, named: Floats, weight: float) -> None:
        self._sums = list(map(add, self._sums, map(mul, named, repeat(weight))))

    def average(self) -> Floats:
        """How often the guesser named each cell's rank, over all rounds."""
        self._rest()
        choices = self._column.choices
        totals = self._column.totals(self._sums)
        shares = [done / total for done, total in zip(self._sums, totals, strict=True)]
        return shares + self.named[choices:]


class Learner:
    """Owner and guesser of one half day, who learn from each other round by round."""

    def __init__(self, game: Game, tokens: int, before: Learner | None = None) -> None:
        """`before`: a Learner without tokens, whose regrets and odds this one begins with."""
        shape = game.tree
        self._game, self._tree, self._tokens = game, shape, tokens
        self._alone = [(line, game.odds[intel], entry) for line, intel, entry in shape.alone]
        self._pairs = [(line, game.odds[intel], first, other) for line, intel, first, other in shape.pairs]
        entries, lines = len(shape.rows), len(shape.lines)
        self.rounds: int = 0 if before is None else before.rounds
        self._weighing = 0
        """Rounds that count in the average: of this Learner alone."""
        self._lines: Floats = [1 / lines] * lines if before is None else before._lines
        self._line_regrets: Floats = [0.0] * lines if before is None else before._line_regrets
        self._line_sums: Floats = [0.0] * lines
        self._marks: Floats = [1.0] * entries if before is None else before._marks
        self._mark_regrets: Floats = [0.0] * entries if before is None else before._mark_regrets
        self._mark_sums: Floats = [0.0] * entries
        if before is None:
            for _, _, first, other in shape.pairs:
                self._marks[first] = self._marks[other] = 0.5
        holding = [(column, left) for column in range(len(MISSIONS)) for left in holdings(column, tokens)]
        self._lays: dict[Holding, Floats] = {key: [0.0] * entries for key in holding if key[1]}
        self._lay_sums: dict[Holding, Floats] = {key: [0.0] * entries for key in self._lays}
        self._guesser: dict[Moment, Naming] = {}
        for column, left in holding:
            like = None if before is None else before._guesser[Moment(column, 0, laid=False)]
            for laid in (False, True)[: 1 + (left > 0)]:
                moment = Moment(column, left, laid)
                self._guesser[moment] = Naming(shape.columns[column], game.worth(moment), like)

    def learn(self, rounds: int) -> None:
        """Go through so many rounds."""
        for _ in range(rounds):
            self._round()

    def _round(self) -> None:
        """The owner learns from the guesser's odds, then the guesser from the owner's new ones."""
        self.rounds += 1
        self._weighing += 1
        weight = float(self._weighing**RECENT)
        self._lay_better(self._value_of_entries())
        came = list(map(mul, self._tree.laid(self._lines), self._marks))
        self._mark_sums = list(map(add, self._mark_sums, map(mul, came, repeat(weight))))
        self._guess_better(list(map(mul, came, self._game.odds_of)), weight)
        self._line_sums = list(map(add, self._line_sums, map(mul, self._lines, repeat(weight))))

    def _value_of_entries(self) -> Floats:
        """The owner's value of each entry against the guesser's present odds; the odds of tokens climb."""
        columns, calm = self._tree.columns, max(self._tokens, 1) ** 2 * self._weighing
        climb = CLIMB / self._game.scale / calm**CALMING
        values: dict[int, Floats] = {}
        for column in reversed(range(len(columns))):
            cells, now = columns[column].by_entry, dict[int, Floats]()
            for left in holdings(column, self._tokens):
                kept = self._paid(Moment(column, left, laid=False), cells, values.get(left))
                if not left:
                    now[left] = kept
                    continue
                laid = self._paid(Moment(column, left, laid=True), cells, values.get(left - 1))
                lays, more = self._lays[column, left], list(map(sub, laid, kept))
                now[left] = list(map(add, kept, map(mul, lays, more)))
                self._lays[column, left] = [
                    0.0 if moved <= 0 else moved if moved < 1 else 1.0
                    for moved in map(add, lays, map(mul, more, repeat(climb)))
                ]
            values = now
        return values[self._tokens]

    def _paid(self, moment: Moment, cells: ByEntry, later: Floats | None) -> Floats:
        costs = cells(self._guesser[moment].costs)
        return list(map(sub, later, costs)) if later is not None else list(map(neg, costs))

    def _lay_better(self, values: Floats) -> None:
        """Regret matching plus over the marks of each line, and over the lines."""
        worth = [0.0] * len(self._lines)
        marks, regrets = self._marks, self._mark_regrets
        for line, odds, entry in self._alone:
            worth[line] += odds * values[entry]
        for line, odds, first, other in self._pairs:
            of_first, of_other = values[first], values[other]
            mean = of_first * marks[first] + of_other * marks[other]
            worth[line] += odds * mean
            regret, second = regrets[first] + of_first - mean, regrets[other] + of_other - mean
            regrets[first] = regret = regret if regret > 0.0 else 0.0  # `max` takes three times as long
            regrets[other] = second = second if second > 0.0 else 0.0
            if total := regret + second:
                marks[first], marks[other] = regret / total, second / total
        mean = sum(map(mul, self._lines, worth))
        more = map(sub, worth, repeat(mean))
        self._line_regrets = _positive(map(add, self._line_regrets, more))
        if total := sum(self._line_regrets):
            self._lines = [regret / total for regret in self._line_regrets]

    def _guess_better(self, came: Floats, weight: float) -> None:
        """`came`: by entry, how often it comes; only those that come at all are gone through."""
        held = {self._tokens: list(filter(None, came))}
        for at, column in enumerate(self._tree.columns):
            cells, later = list(compress(column.cell_of, came)), dict[int, Floats]()
            for left, here in held.items():
                kept = here
                if left:
                    laid = list(map(mul, here, compress(self._lays[at, left], came)))
                    kept = list(map(sub, here, laid))
                    self._guesser[Moment(at, left, laid=True)].learn(cells, laid, weight)
                    _count_in(later, left - 1, laid)
                    sums = self._lay_sums[at, left]
                    for entry, share in zip(compress(range(len(came)), came), laid, strict=True):
                        if share:
                            sums[entry] += weight * share
                self._guesser[Moment(at, left, laid=False)].learn(cells, kept, weight)
                _count_in(later, left, kept)
            held = later

    def _lay_shares(self) -> dict[Holding, Floats]:
        """How often each entry that came with these tokens laid one, over all rounds."""
        shares = {}
        held = {self._tokens: list(map(mul, self._mark_sums, self._game.odds_of))}
        for column in range(len(MISSIONS)):
            later: dict[int, Floats] = {}
            for left, here in held.items():
                kept = here
                if left:
                    laid = self._lay_sums[column, left]
                    shares[column, left] = [
                        min(part / whole, 1.0) if part and whole > 0 else 0.0
                        for part, whole in zip(laid, here, strict=True)
                    ]
                    kept = list(map(sub, here, laid))
                    _count_in(later, left - 1, laid)
                _count_in(later, left, kept)
            held = later
        return shares

    def average(self) -> Solution:
        """The odds over all rounds so far; value and gap are not measured."""
        total, marks = sum(self._line_sums), [1.0] * len(self._marks)
        for _, _, first, other in self._tree.pairs:
            both = self._mark_sums[first] + self._mark_sums[other]
            marks[first] = self._mark_sums[first] / both if both else 0.5
            marks[other] = 1 - marks[first]
        return Solution(
            self._tree,
            self._tokens,
            [done / total for done in self._line_sums],
            marks,
            self._lay_shares(),
            {moment: naming.average() for moment, naming in self._guesser.items()},
            {moment: self._game.worth(moment) for moment in self._guesser},
            0.0,
            0.0,
            self.rounds,
        )


def _positive(values: Iterable[float]) -> Floats:
    return [value if value > 0.0 else 0.0 for value in values]


def _count_in(held: dict[int, Floats], left: int, shares: Floats) -> None:
    """These entries hold so many tokens, too."""
    held[left] = list(map(add, held[left], shares)) if left in held else shares
