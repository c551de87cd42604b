"""Each sentence of the coach in played games is true, by the rules and by what is seen.

Sly players are at these tables too: they lay in any order and mark as they like, so that nothing fits.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, Final

from cli.games.interface import terminal
from p2p_stratego.core.game import Ask, Choose, Commit, Face, Move, Open
from p2p_stratego.core.rulebook import drive
from p2p_stratego.core.self_play import allowed, play
from p2p_stratego.core.view import Bot, View
from p2p_stratego.registry import make_bot
from p2p_stratego.spies_and_lies.bots.beliefs import Evidence, open_ranks, possible
from p2p_stratego.spies_and_lies.formats.narration import card
from p2p_stratego.spies_and_lies.lessons.advice import advise
from p2p_stratego.spies_and_lies.rules.checks import is_out_of_order, out_of_order
from p2p_stratego.spies_and_lies.rules.components import DAYS, FORWARD, RANKS, SERGEANT, SOLDIERS, Rank, Side
from p2p_stratego.spies_and_lies.rules.game import GAME
from p2p_stratego.spies_and_lies.rules.mission import Ledger, mission
from p2p_stratego.spies_and_lies.rules.notation import CAPTAIN_POINTS, KEEP, LAY, MARSHAL_TEN, guess
from p2p_stratego.spies_and_lies.rules.observation import (
    asked_missions,
    honest_marks,
    laid_line,
    own_line,
    todays_intel,
)
from p2p_stratego.spies_and_lies.rules.state import COUNTS_AS_IDENTIFIED, State

NAMED: Final = {card(rank): rank for rank in RANKS}


class Sly:
    """Lays its soldiers in any order, marks anyhow, and chooses freely."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        decision = view.asked
        if isinstance(decision, Choose):
            return self._chance.choice(sorted(decision.options))
        gone = (*laid_line(view), *view.state.exhausted[side_of(view)])
        return tuple(self._chance.sample([rank for rank in RANKS if rank not in gone], len(decision.slots)))


def side_of(view: View[State]) -> Side:
    return view.state.seating.side(view.seat)


def steps(before: State, after: int, side: Side) -> int:
    """How far the agent went for `side`."""
    return (after - before.agent) * FORWARD[side]


def turn(view: View[State], token: Move, named: Rank, rank: Rank, use: Move = "") -> State:
    """The coming turn, played by the rules, from its beginning."""

    def reply(ask: Ask) -> Any:
        if isinstance(ask, Open):
            used.append(rank if not used else next(free for free in RANKS if free not in used))
            return used[-1]
        assert isinstance(ask, Choose)
        wished = (token, guess(named), use, CAPTAIN_POINTS, MARSHAL_TEN)
        return next(option for option in wished if option in ask.options)

    used: list[Rank] = []
    return drive(mission(view.state), reply)


def asked_token(view: View[State]) -> Move:
    """The token of this turn, once it is decided."""
    return next((str(answer) for _ask, answer in view.since if answer in (LAY, KEEP)), KEEP)


def others(rank: Rank) -> Iterator[Rank]:
    return (other for other in RANKS if other != rank)


def fits(view: View[State], owner: Side) -> set[Rank]:
    return set(open_ranks(Evidence.of(view.state, owner), view.state.mission))


# What each sentence says, and whether that is so


def typed(view: View[State], hit: re.Match[str]) -> bool:
    line = terminal(GAME.name).questions.read(view, hit["line"])
    assert isinstance(view.decision, Commit)
    assert isinstance(line, tuple)
    laid = list(laid_line(view))
    for number, rank in zip(asked_missions(view.decision), line, strict=True):
        assert laid[number - 1] is None
        laid[number - 1] = rank
    whole = possible(Evidence(view.state.exhausted[side_of(view)], tuple(laid)))
    return allowed(view.decision, line) and not out_of_order(laid) and whole != 0


def alone(view: View[State], hit: re.Match[str]) -> bool:
    side, rank = side_of(view), NAMED[hit["soldier"]]
    laid = [other for other in laid_line(view) if other is not None]
    there = rank not in (*view.state.exhausted[side], *laid) and not is_out_of_order(rank, laid)
    ledger = Ledger(view.state)
    ledger.gain(side, int(hit["points"]) - 1)
    short = ledger.agent == view.state.agent
    ledger.gain(side, 1)
    enough = Ledger(view.state)
    enough.use(side, SOLDIERS[rank])
    return (
        there
        and short
        and steps(view.state, enough.agent, side)
        == int(hit["steps"])
        == steps(view.state, ledger.agent, side)
    )


def race(view: View[State], hit: re.Match[str]) -> bool:
    side, state, count = side_of(view), view.state, int(hit["steps"])
    if 10 - state.points[1 - side] != int(hit["points"]):
        return False
    if isinstance(view.decision, Commit):
        ledger = Ledger(state)
        ledger.gain(1 - side, int(hit["points"]))
        return steps(state, ledger.agent, 1 - side) == count
    ends = [turn(view, asked_token(view), next(others(rank)), rank).agent for rank in fits(view, 1 - side)]
    return count in [steps(state, end, 1 - side) for end in ends]


def at_wall(whose: Callable[[Side], Side]) -> Callable[[View[State], re.Match[str]], bool]:
    """Whether a step of that side takes a flag."""

    def flag(view: View[State], _hit: re.Match[str]) -> bool:
        ledger, side = Ledger(view.state), whose(side_of(view))
        ledger.push(side, 1)
        return ledger.flag == side and not view.state.closed[side]

    return flag


def sergeant(view: View[State], hit: re.Match[str]) -> bool:
    intel = (int(hit["low"]), int(hit["high"]))
    return SERGEANT in own_line(view) and intel == todays_intel(view) and len(honest_marks(view)) > 1


def scores(view: View[State], rank: Rank) -> set[int]:
    """What a token on the coming card can score at wrong guesses; empty for nothing."""
    reports = [turn(view, LAY, other, rank).report for other in others(rank)]
    return {
        report.effects[report.paid_for_token].amount
        for report in reports
        if report is not None and report.paid_for_token is not None
    }


def own_card(view: View[State]) -> Rank:
    rank = own_line(view)[view.state.mission - 1]
    assert rank is not None
    return rank


def token(view: View[State], hit: re.Match[str]) -> bool:
    rank = own_card(view)
    if scores(view, rank) != {int(hit["points"])}:
        return False
    fields = hit.groupdict()
    fitting = fits(view, side_of(view))
    if "many" in fields:
        return len(fitting) == int(fields["many"]) and rank in fitting and NAMED[fields["soldier"]] == rank
    return rank not in fitting and NAMED[fields["soldier"]] == rank


def blast(view: View[State], hit: re.Match[str]) -> bool:
    rank = own_card(view)
    ends = [turn(view, LAY, other, rank).report for other in others(rank)]
    return {None if end is None else end.result for end in ends} == {"retreated"} and scores(view, rank) == {
        int(hit["points"])
    }


def counts(view: View[State], _hit: re.Match[str]) -> bool:
    rank = own_card(view)
    reports = [turn(view, LAY, named, rank).report for named in RANKS]
    return (
        all(report is not None and report.result in COUNTS_AS_IDENTIFIED for report in reports)
        and scores(view, rank) == set()
    )


def only(view: View[State], hit: re.Match[str]) -> bool:
    return fits(view, 1 - view.state.guesser) == {NAMED[hit["soldier"]]} and honest(view)


def honest(view: View[State]) -> bool:
    """Whether a line that keeps the rules fits."""
    return possible(Evidence.of(view.state, 1 - view.state.guesser)) != 0


def guesses(view: View[State], hit: re.Match[str]) -> bool:
    fitting, fields = fits(view, 1 - side_of(view)), hit.groupdict()
    named = {NAMED[name] for name in fields.get("soldiers", "").split(", ") if name}
    many = int(fields["many"]) if "many" in fields else len(fitting)
    return named <= fitting and many == len(fitting) and honest(view) == ("many" in fields)


def points(view: View[State], hit: re.Match[str]) -> bool:
    side, state, fields = side_of(view), view.state, hit.groupdict()
    copied = next((str(answer) for _ask, answer in view.since if str(answer).startswith("captain ")), "")
    rank = 10 if MARSHAL_TEN in view.asked.options and not copied else 6  # type: ignore[union-attr]
    use = copied or (CAPTAIN_POINTS if rank == 6 else MARSHAL_TEN)
    after = turn(view, KEEP, next(others(rank)), rank, use)
    if 10 - state.points[side] != int(fields["missing"]):
        return False
    went = steps(state, after.agent, side)
    return went == int(fields["steps"]) if "steps" in fields else went == 1 and after.ended is not None


def standing(view: View[State], hit: re.Match[str]) -> bool:
    side = side_of(view)
    return view.state.points[side] == int(hit["own"]) and view.state.points[1 - side] == int(hit["theirs"])


SAID: Final[dict[str, Callable[[View[State], re.Match[str]], bool]]] = {
    r"Type (?P<line>[\d ]+), for example: mixed ranks are hard to guess\.": typed,
    r"(?P<points>\d+) points? more, and the agent goes (?P<steps>\d) steps?: the (?P<soldier>.+) alone would "
    r"do it\.": alone,
    r"They are (?P<points>\d+) points? short: one soldier that you miss can move the agent (?P<steps>\d) "
    r"steps?\.": race,
    r"The agent stands at the wall: any step takes the flag, if your line is in order and .*": at_wall(
        lambda side: side
    ),
    r"The agent stands at your wall: a step of an enemy in order takes your flag\.": at_wall(
        lambda side: 1 - side
    ),
    r"The last day: 10 points move the agent 3 steps, and nobody rests tomorrow\.": lambda view, _hit: (
        view.state.day == DAYS
    ),
    r"Mix high and low: .*": lambda view, _hit: isinstance(view.decision, Commit),
    r"Your Sergeant may be marked or not: marked, it looks like a soldier of (?P<low>\d+) to (?P<high>\d+); "
    r".*": sergeant,
    r"Mark truly: .*": lambda view, _hit: len(honest_marks(view)) == 1,
    r"The blast makes this soldier retreat if it is not named; a token scores (?P<points>\d) .*": blast,
    r"This soldier counts as named whatever they guess: a token on it scores nothing\.": counts,
    r"By what the enemy sees, only the (?P<soldier>.+) fits here\.": only,
    r"The enemy cannot expect your (?P<soldier>.+) here: a token scores (?P<points>\d) .*": token,
    r"For the enemy (?P<many>\d+) soldiers fit here, your (?P<soldier>.+) at .*: a token scores "
    r"(?P<points>\d) .*": token,
    r"Only the (?P<soldier>.+) fits the order and the marks\.": only,
    r"(?P<many>\d+) soldiers fit, all of them .*": guesses,
    r"(?P<many>\d+) soldiers fit; the likeliest \(.*\): (?P<soldiers>.+)\.": guesses,
    r"No line that keeps the rules fits any more; the likeliest soldiers here \(.*\): "
    r"(?P<soldiers>.+)\.": guesses,
    r"You are (?P<missing>\d+) points? short: take the points, and the agent goes (?P<steps>\d) "
    r"steps?\.": points,
    r"You are (?P<missing>\d+) points? short, and the agent stands at the wall: the points take .*": points,
    r"Your marker stands at (?P<own>\d+) of 10, the enemy's at (?P<theirs>\d+); .*": standing,
}


class Judged:
    """A bot beside which the coach speaks, each sentence judged before the bot decides."""

    def __init__(self, bot: Bot[State], sentences: Counter[str]) -> None:
        self._bot, self._sentences = bot, sentences

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        for remark in advise(view):
            judged = [
                (pattern, check(view, hit))
                for pattern, check in SAID.items()
                if (hit := re.fullmatch(pattern, remark.text))
            ]
            assert [true for _pattern, true in judged] == [True], (remark.text, view)
            self._sentences.update(pattern for pattern, _true in judged)
        return self._bot.decide(view)


def tables() -> Iterator[tuple[Sequence[Callable[[Random], Bot[State]]], int]]:
    """Who plays, and the seeds."""

    def bot(level: str) -> Callable[[Random], Bot[State]]:
        return lambda chance: make_bot(GAME.name, level, chance)

    recruit, agent = bot("recruit"), bot("agent")
    yield (recruit, recruit), 9
    yield (agent, recruit), 1
    yield (recruit, Sly), 12
    yield (Sly, Sly), 6
    yield (recruit, Sly, recruit), 4
    yield (recruit, recruit, recruit, recruit), 4
    yield (Sly, recruit, Sly, Sly), 4


def test_each_sentence_of_the_coach_is_true_in_every_played_game() -> None:
    """It named a second mate's laid soldier to lay, points for a token that counts as named, and steps that
    the wall takes.
    """
    sentences: Counter[str] = Counter()
    for makers, seeds in tables():
        for seed in range(seeds):
            bots = [Judged(make(Random(seed * 10 + at)), sentences) for at, make in enumerate(makers)]
            play(GAME, bots, {"wall": 2 + seed % 3}, Random(seed))
    assert sentences.keys() == SAID.keys(), "no sentence goes unjudged"
