"""The opponent that gets to know you: the equilibrium, and the best answer to whom it recognises.

Each report of a match is evidence: of the rank that the other side named, or of the soldier and the token
that it had laid.  The log odds of each known style against the equilibrium follow from all reports of the
match, and from an Acquaintance of earlier matches, which is a value: the bot itself remembers nothing.

A player can pretend a style for a while, and then answer the answer.  So nobody is answered at more risk than
what the answers have won (Ganzfried and Sandholm, "Safe Opponent Exploitation", ACM TEAC 3, 2015), and a
little: an account holds what each turn brought beyond what the equilibrium would have got from it.  Besides,
the log odds are capped, each report counts only so much, old ones are forgotten, and a part of every decision
stays with the equilibrium.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice, pairwise
from math import exp, log
from types import MappingProxyType
from typing import Final, NamedTuple, TypeVar

from p2p_stratego.core.game import Move
from p2p_stratego.core.view import Chance, PastMatches, View
from p2p_stratego.spies_and_lies.bots.agent import named_by_a_good_guesser
from p2p_stratego.spies_and_lies.bots.answering import (
    TokenStory,
    answering,
    comings,
    likely,
    line_answers,
    mark_answer,
    rank_answer,
    token_answer,
)
from p2p_stratego.spies_and_lies.bots.equilibrium import Equilibrium, morning, named
from p2p_stratego.spies_and_lies.bots.evaluation import win_chance
from p2p_stratego.spies_and_lies.bots.lookahead import stakes
from p2p_stratego.spies_and_lies.bots.solving import Moment, Solution, game_of, morning_of, solved
from p2p_stratego.spies_and_lies.bots.styles import STYLES
from p2p_stratego.spies_and_lies.rules.components import RANKS, Rank, Side
from p2p_stratego.spies_and_lies.rules.notation import KEEP, LAY
from p2p_stratego.spies_and_lies.rules.observation import own_line
from p2p_stratego.spies_and_lies.rules.state import Report, State

UNKNOWN: Final = -3.0
"""The log odds of each style before anything is known."""
CAP: Final = 4.0
"""The most that the log odds can be, and the least, negative."""
FORGOTTEN: Final = 0.98
"""What is left of the log odds' distance from UNKNOWN when a report is added to them."""
DOUBT: Final = 0.1
"""The part of each style's odds, and of the equilibrium's, that is as likely as anything: bounds a report."""
LEAST_EQUILIBRIUM: Final = 0.02
"""The part of every decision that stays with the equilibrium."""
CREDIT: Final = 0.1
"""The chance to win that answers may lose before they have won any."""
MOST_BANKED: Final = 0.5
"""The most that the account holds, and that a long deceit can so prepare to take back."""
RISKS: Final = (0.1, 0.15, 0.4)
"""By day: the chance to win that an answer to a known style can lose in it, to somebody who expects it."""

EQUILIBRIUM: Final = ""
"""Stands beside the names of the styles."""

T = TypeVar("T")


def _strange() -> Mapping[str, float]:
    return MappingProxyType(dict.fromkeys(STYLES, UNKNOWN))


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """What is known about the players of a side."""

    log_odds: Mapping[str, float] = field(default_factory=_strange)
    """By style: against the equilibrium, −CAP to CAP."""
    account: float = 0.0
    """The chance to win that we won from them beyond the equilibrium's, at most MOST_BANKED."""

    def shares(self, day: int) -> Mapping[str, float]:
        """By style: how much of a decision is the answer to it; the rest is the equilibrium's."""
        odds = {style: exp(value) for style, value in self.log_odds.items()}
        covered = max(0.0, min(1.0, (self.account + CREDIT) / RISKS[day - 1]))
        answered = (1 - LEAST_EQUILIBRIUM) * covered / (1 + sum(odds.values()))
        return {style: answered * share for style, share in odds.items()}

    def parts(self, day: int) -> Mapping[str, float]:
        """The shares, and that of EQUILIBRIUM; sum 1."""
        shares = self.shares(day)
        return {EQUILIBRIUM: 1 - sum(shares.values()), **shares}


STRANGER: Final = Acquaintance()
LAST: Final = 3
"""Matches that count, besides the one that is played: before long there is little left of what they told."""


def remembered(matches: Sequence[tuple[Sequence[State], Side]]) -> Acquaintance:
    """What is known after these matches, oldest first: the states of each, all from the first one on, and the
    side of the same players in it.

    After more than LAST matches there is no credit, only what the answers in these have won: else somebody
    could lose a debt by waiting, and borrow anew.
    """
    known = STRANGER if len(matches) <= LAST else Acquaintance(account=-CREDIT)
    for states, side in matches[-LAST:]:
        known = acquainted(known, states, side)
    return known


def acquainted(before: Acquaintance, states: Sequence[State], side: Side) -> Acquaintance:
    """What is known about `side` after these states of a match, all from its first one on."""
    known, day, at_dawn = before, 0, before.parts(1)
    for turn in turns(states, side):
        parts = known.parts(turn.day)
        if turn.day != day:
            day, at_dawn = turn.day, parts
        log_odds = dict(known.log_odds)
        for style, tells in turn.evidence.items():
            kept = UNKNOWN + FORGOTTEN * (log_odds[style] - UNKNOWN)
            log_odds[style] = max(-CAP, min(CAP, kept + tells))
        account = accounted(known.account, turn.brought(at_dawn if turn.laid else parts))
        known = Acquaintance(MappingProxyType(log_odds), account)
    return known


def accounted(account: float, brought: float) -> float:
    """The account after a turn: gains are forgotten, debts are not.

    So it never holds more than all turns together have brought, and answers never lose more than they have
    won and CREDIT, however long a series lasts.
    """
    return min((FORGOTTEN * account if account > 0 else account) + brought, MOST_BANKED)


class Turn(NamedTuple):
    """What a turn of a match tells of a side."""

    day: int
    laid: bool
    """Whether we laid the card; else we guessed."""
    evidence: Mapping[str, float]
    """By style: the log of how much likelier than the equilibrium it makes this turn's choice of the side."""
    ways: Mapping[str, tuple[float, float]]
    """By style that we answer, and EQUILIBRIUM: how often we come here, and that times what it brings us."""

    def brought(self, parts: Mapping[str, float]) -> float:
        """What the turn brought us beyond the equilibrium, in chance to win, if we chose by these parts.

        An average over our lots: luck would cover no risk.
        """
        came = sum(parts[way] * frequency for way, (frequency, _) in self.ways.items())
        return sum(parts[way] * gain for way, (_, gain) in self.ways.items()) / came if came else 0.0


def turns(states: Sequence[State], side: Side) -> Iterator[Turn]:
    """What the turns of a match tell of `side`, in order; `states`: from the first one on."""
    dawn: State | None = None
    stories: list[TokenStory] = []
    for earlier, later in pairwise(states):
        if dawn is None or dawn.day != earlier.day:
            dawn, stories = morning_of(earlier), []
        report = later.report
        if report is None or report.guess is None or report.soldier is None:
            continue  # nobody chose anything in this turn
        if earlier.tokens[report.owner]:
            stories.append(TokenStory(earlier.mission - 1, earlier.tokens[report.owner], report.token))
        yield turn_of(dawn, earlier, report, tuple(stories), side)


@lru_cache(maxsize=512)
def turn_of(dawn: State, state: State, report: Report, stories: tuple[TokenStory, ...], side: Side) -> Turn:
    """What the turn that `report` ends tells of `side`; `stories`: of the owner's tokens, this turn's too."""
    answers = (LAY if report.token else KEEP,) if state.tokens[report.owner] else ()
    guess, soldier = report.guess or 0, report.soldier or 0
    odds = named(solved(dawn, report.owner), state, answers) or named_by_a_good_guesser(state, answers)
    total = sum(odds.values())
    usual = {rank: share / total for rank, share in odds.items()}
    guesses = report.guesser == side
    same = _doubtful(usual.get(guess, 0.0) if guesses else _laid(dawn, state, report))
    evidence = {}
    for name, style in STYLES.items():
        if guesses:
            chance = style.names(state, answers).get(guess, 0.0)
        else:
            chance = likely(style.half_day(dawn, side), state).get(soldier, 0.0)
            if state.tokens[side]:
                lays = style.lays(state, soldier)
                chance *= lays if report.token else 1 - lays
        evidence[name] = log(_doubtful(chance) / same)
    ways = {}
    if guesses:
        cards = {EQUILIBRIUM: comings(solved(dawn, report.owner), state, stories)}
        for name, style in STYLES.items():
            cards[name] = comings(answering(dawn, report.owner, style.half_day), state)
        now = stakes(state, answers, {rank for shares in cards.values() for rank in shares}, win_chance)
        for name, shares in cards.items():
            brought = sum(
                share * now[rank].gain * (usual.get(rank, 0.0) - (rank == guess))
                for rank, share in shares.items()
            )
            ways[name] = (sum(shares.values()), brought)
    else:
        gain = stakes(state, answers, (soldier,), win_chance)[soldier].gain
        ways[EQUILIBRIUM] = (1.0, 0.0)
        for name in STYLES:
            best = style_guess(name, dawn, state, answers)
            hit = usual.get(soldier, 0.0) if best is None else float(best == soldier)
            ways[name] = (1.0, gain * (hit - usual.get(soldier, 0.0)))
    return Turn(dawn.day, guesses, evidence, ways)


def style_guess(name: str, dawn: State, state: State, answers: tuple[Move, ...]) -> Rank | None:
    """The best guess at a card of a player of this style; None if the style lays no such line."""
    style, owner = STYLES[name], 1 - state.guesser
    odds = dict(likely(style.half_day(dawn, owner), state))
    if state.tokens[owner]:
        for rank in odds:
            lays = style.lays(state, rank)
            odds[rank] *= _doubtful(lays if answers[-1:] == (LAY,) else 1 - lays)
    return rank_answer(odds, state, answers) if odds else None


def _doubtful(chance: float) -> float:
    return (1 - DOUBT) * chance + DOUBT / len(RANKS)


def _laid(dawn: State, state: State, report: Report) -> float:
    """How often the equilibrium has laid what was turned up, with a token or without."""
    solution = solved(dawn, report.owner)
    chance = likely(solution, state).get(report.soldier or 0, 0.0)
    moment = solution.moment(state.mission - 1, state.tokens[report.owner], laid=True)
    if not state.tokens[report.owner] or moment is None:
        return chance
    lays = _lays(solution, state, report, moment)
    return chance * (lays if report.token else 1 - lays)


def _lays(solution: Solution, state: State, report: Report, moment: Moment) -> float:
    """How often the equilibrium lays a token on this soldier here."""
    line = [None if card is None else card.rank for card in state.cards[report.owner]]
    line[moment.column] = report.soldier
    shares = solution.lays[moment.column, moment.left]
    entries = solution.tree.fitting(state.intel[-1], line, state.marks[report.owner])
    fitting = [(solution.came(entry), shares[entry]) for entry in entries]
    total = sum(came for came, _ in fitting)
    return sum(came * share for came, share in fitting) / total if total else 0.0


class Adaptive(Equilibrium):
    """Implements `view.Bot[State]`."""

    def __init__(self, chance: Chance, acquaintance: Acquaintance = STRANGER) -> None:
        """`acquaintance`: with the other side, from earlier matches, until `meet` tells of them."""
        super().__init__(chance)
        self._acquaintance = acquaintance
        self._past: PastMatches[State] | None = None

    def meet(self, past: PastMatches[State]) -> None:
        """The match begins; `past`: of this bot with the same players on the other side."""
        self._past = past

    def _met(self) -> Acquaintance:
        if self._past is not None:
            newest = [
                (match.states, 1 - match.states[0].seating.side(match.seat))
                for match in islice(self._past(), LAST + 1)
            ]
            self._acquaintance, self._past = remembered(newest[::-1]), None
        return self._acquaintance

    def _shares(self, view: View[State]) -> Iterator[tuple[str, float]]:
        """The styles that the other side may have, and the part of a decision that answers each."""
        enemy = 1 - view.state.seating.side(view.seat)
        states = (*view.past, view.state)
        yield from acquainted(self._met(), states, enemy).shares(view.state.day).items()

    def _line_odds(self, view: View[State]) -> Mapping[int, float]:
        side, dawn = view.state.seating.side(view.seat), morning(view)
        game = game_of(dawn, side)
        answers = {
            style: line_answers(game, STYLES[style].half_day(dawn, side)) for style, _ in self._shares(view)
        }
        return self._blended(view, super()._line_odds(view), answers)

    def _mark_odds(self, view: View[State]) -> Mapping[Move, float]:
        usual = super()._mark_odds(view)
        if len(usual) <= 1:
            return usual
        side, dawn = view.state.seating.side(view.seat), morning(view)
        game, answers = game_of(dawn, side), {}
        for style, _ in self._shares(view):
            move = mark_answer(game, STYLES[style].half_day(dawn, side), view)
            answers[style] = usual if move is None else {move: 1.0}
        return self._blended(view, usual, answers)

    def _token_odds(self, view: View[State]) -> Mapping[Move, float]:
        usual = super()._token_odds(view)
        rank = own_line(view)[view.state.mission - 1]
        if not usual or rank is None:
            return usual
        answers = {
            style: {token_answer(view.state, rank, STYLES[style].names): 1.0}
            for style, _ in self._shares(view)
        }
        return self._blended(view, usual, answers)

    def _rank_odds(self, view: View[State]) -> Mapping[Rank, float]:
        usual = super()._rank_odds(view)
        if not usual:
            return usual
        line = tuple(answer for _, answer in view.since)
        answers: dict[str, Mapping[Rank, float]] = {}
        for style, _ in self._shares(view):
            best = style_guess(style, morning(view), view.state, line)
            answers[style] = usual if best is None else {best: 1.0}
        return self._blended(view, usual, answers)

    def _blended(
        self, view: View[State], usual: Mapping[T, float], answers: Mapping[str, Mapping[T, float]]
    ) -> Mapping[T, float]:
        """The odds of the equilibrium and of the answers, each as likely as its share."""
        parts = [(share, answers[style]) for style, share in self._shares(view)]
        parts.append((1 - sum(share for share, _ in parts), usual))
        blended: dict[T, float] = {}
        for share, odds in parts:
            total = sum(odds.values())
            for choice, weight in odds.items():
                blended[choice] = blended.get(choice, 0.0) + share * weight / total
        return blended
