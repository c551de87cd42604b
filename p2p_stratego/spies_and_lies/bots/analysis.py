"""A game of Spies & Lies looked back on: the odds of each guess, the worth of each line, mark, token and use.

It asks the agent's own beliefs and evaluation (see `core.analysis` for the measures).  Everything is exact or
weighed in full, so it takes no chance and needs no time limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import exp, log2
from typing import Final, TypeVar

from p2p_stratego.core.analysis import Enough, Judgement, Likelihood, MadeDecision, Outlook
from p2p_stratego.core.game import Choose, Commit, Face, Move, Seat, Slot
from p2p_stratego.core.language import _, mark, n_, number
from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.bots.agent import believed, named_by_a_good_guesser
from p2p_stratego.spies_and_lies.bots.beliefs import (
    DEPLOYMENTS,
    FREE_MARK,
    WITH_FREE,
    Evidence,
    members,
    possible,
)
from p2p_stratego.spies_and_lies.bots.characters import EVEN
from p2p_stratego.spies_and_lies.bots.deployment import fares, line_stakes, payoffs
from p2p_stratego.spies_and_lies.bots.evaluation import chance_of_lead, lead, win_chance
from p2p_stratego.spies_and_lies.bots.lookahead import rehearse, stakes
from p2p_stratego.spies_and_lies.formats import narration
from p2p_stratego.spies_and_lies.formats.narration import card, missions
from p2p_stratego.spies_and_lies.rules.chance import deck_left
from p2p_stratego.spies_and_lies.rules.checks import falsely_marked
from p2p_stratego.spies_and_lies.rules.components import MISSIONS, Rank, Side
from p2p_stratego.spies_and_lies.rules.notation import (
    CAPTAIN_POINTS,
    COPIES,
    GUESSES,
    KEEP,
    LAY,
    MARKS,
    MARSHAL_FIVE,
    MARSHAL_TEN,
    guess,
)
from p2p_stratego.spies_and_lies.rules.observation import (
    asked_missions,
    honest_marks,
    laid_line,
    own_line,
    own_missions,
    todays_intel,
)
from p2p_stratego.spies_and_lies.rules.state import COUNTS_AS_IDENTIFIED, State, slot

_KINDS: Final[Mapping[str, str]] = {
    "line": mark("line"),
    "marks": mark("marks"),
    "lie": mark("lie"),
    "token": mark("token"),
    "guess": mark("guess"),
    "use": mark("use of a soldier"),
}
"""The decisions of this game; a lie is a line, or marks, that the rules punish on discovery."""
_SHOWN: Final = 3
"""How many of the likeliest soldiers or lines are told."""
_DRAWN: Final = 0.95
"""The agent draws lines and marks by lot, lest it be read.  The best ones, which together are so much of its
draws, cost nothing: of these it cannot say which is better.
"""
_Choice = TypeVar("_Choice")
_SAID: Final[Mapping[Move, str]] = {
    KEEP: mark("no token"),
    LAY: mark("a token"),
    CAPTAIN_POINTS: mark("the Captain scores"),
    MARSHAL_TEN: mark("the Marshal scores 10"),
    MARSHAL_FIVE: mark("the Marshal scores 5, the enemy loses 5"),
}


def judge(played: Iterable[MadeDecision], enough: Callable[[], Enough]) -> Iterator[Judgement]:
    """A judgement of each decision, in order."""
    for made in played:
        enough()
        yield _judged(made)


def _judged(made: MadeDecision) -> Judgement:
    view: View[State] = made.view
    decision, state = view.asked, view.state
    if isinstance(decision, Commit):
        return _line(made, decision)
    move = str(made.answer)
    if state.phase == "intel":
        return _marks(made, move)
    if LAY in decision.options:
        return _token(made, move)
    if move in GUESSES:
        return _guess(made, GUESSES[move])
    return _use(made, decision, move)


# Guesses


def _guess(made: MadeDecision, named: Rank) -> Judgement:
    """The odds of the named soldier, the worth of naming it, and the luck of the card."""
    state: State = made.view.state
    answers = tuple(answer for _ask, answer in made.view.since)
    likely = believed(state)
    stake = stakes(state, answers, likely, win_chance)
    nothing = sum(odds * stake[rank].miss for rank, odds in likely.items())

    def worth(rank: Rank) -> float:
        """The chance to win that naming `rank` leads to."""
        odds = likely.get(rank, 0.0)
        return nothing + odds * (stake[rank].hit - stake[rank].miss) if odds else nothing

    best = max(likely, key=worth)
    judgement = Judgement(
        made,
        "guess",
        card(named),
        card(best),
        lost=max(worth(best) - worth(named), 0.0),
        odds=likely.get(named, 0.0),
        best_odds=likely[best],
        knew=tuple(Likelihood(card(rank), odds) for rank, odds in _likeliest(likely)),
    )
    report = made.after.report if made.after is not None else None
    if report is None or report.soldier is None:
        return judgement
    came = rehearse(state, (*answers, guess(named), report.soldier), state.guesser, win_chance)
    owner = 1 - state.guesser
    return replace(
        judgement,
        came=report.soldier == named,
        luck=came - worth(named),
        given=0.0,
        gained=_entropy(Evidence.of(state, owner)) - _entropy(Evidence.of(made.after, owner)),
    )


def _likeliest(odds: Mapping[Rank, float]) -> list[tuple[Rank, float]]:
    return sorted(odds.items(), key=lambda item: (-item[1], item[0]))[:_SHOWN]


# Lines and marks


def _line(made: MadeDecision, decision: Commit) -> Judgement:
    """A laid line, against all that keep the order; of two mates' lines, the second half with the first."""
    view: View[State] = made.view
    state, side = view.state, view.state.seating.side(view.seat)
    judgement = Judgement(made, "line", "", given=0.0, gained=0.0)
    if made.answer is None:
        return replace(judgement, unknown=True)
    asked = asked_missions(decision)
    laid = laid_line(view)
    own = dict(zip(asked, map(int, made.answer), strict=True))
    line = tuple(own.get(mission, laid[mission - 1]) for mission in MISSIONS)
    judgement = replace(judgement, chosen=_ranks(line))
    lines = possible(Evidence(state.exhausted[side], laid))
    pay = payoffs(line_stakes(state, side), state.exhausted[side], deck_left(state.intel))
    pay = {index: worth for index, worth in pay.items() if lines >> index & 1}
    chosen = next((index for index in pay if DEPLOYMENTS[index] == line), None)
    if None in line or not pay:
        return judgement  # the first of two mates: how its half fares is the second one's doing too
    if chosen is None:
        return replace(judgement, kind="lie")
    best, lost = _beside_lots(pay, chosen, EVEN.boldness)
    return replace(judgement, best=_ranks(DEPLOYMENTS[best]), lost=_in_chance(state, side, lost))


def _ranks(line: Sequence[Rank | None]) -> str:
    return " ".join("?" if rank is None else str(rank) for rank in line)


def _beside_lots(worth: Mapping[_Choice, float], chosen: _Choice, boldness: float) -> tuple[_Choice, float]:
    """The best choice, and by how many steps `chosen` is worse than the least good one of _DRAWN.

    `worth`: in steps; `boldness`: steps by which a choice may be worse and still be drawn 1/e times as often.
    """
    ranked = sorted(worth, key=worth.__getitem__, reverse=True)
    best = ranked[0]
    weights = [exp((worth[choice] - worth[best]) / boldness) for choice in ranked]
    left, least = _DRAWN * sum(weights), best
    for choice, weight in zip(ranked, weights, strict=True):
        least, left = choice, left - weight
        if left <= 0:
            break
    return best, max(worth[least] - worth[chosen], 0.0)


def _in_chance(state: State, side: Side, steps: float) -> float:
    """The chance to win that so many steps (≥ 0) less cost."""
    ahead = lead(state, side)
    return chance_of_lead(state, ahead) - chance_of_lead(state, ahead - steps)


def _marks(made: MadeDecision, move: Move) -> Judgement:
    """The judgement of marks: the bits that they give away and, with a Sergeant, whether they mislead."""
    view: View[State] = made.view
    state, side = view.state, view.state.seating.side(view.seat)
    exhausted = state.exhausted[side]
    others = frozenset(MISSIONS) - frozenset(own_missions(state, view.seat))

    def evidence(option: Move) -> Evidence:
        return Evidence(exhausted, intel=todays_intel(view), marks=MARKS[option], unjudged=others)

    shown = _entropy(Evidence(exhausted)) - _entropy(evidence(move))
    judgement = Judgement(made, "marks", _marked(move), given=shown, gained=0.0)
    line = own_line(view)
    if any(line[mission - 1] is None for mission in own_missions(state, view.seat)):
        return replace(judgement, unknown=True)
    options = honest_marks(view)
    if move not in options:
        return replace(judgement, kind="lie")
    if len(options) == 1:
        return replace(judgement, best=_marked(move), lost=0.0)
    if not possible(Evidence(exhausted, line)):
        return judgement  # a line out of order: nobody can tell how its marks fare
    stake = line_stakes(state, side)
    worth = {option: fares(stake, line, possible(evidence(option))) for option in options}
    best, lost = _beside_lots(worth, move, EVEN.slyness)
    return replace(judgement, best=_marked(best), lost=_in_chance(state, side, lost))


def _marked(move: Move) -> str:
    return missions(sorted(MARKS[move]))


# Tokens, and what a Captain or a Marshal does


def _token(made: MadeDecision, move: Move) -> Judgement:
    view: View[State] = made.view
    state = view.state
    judgement = Judgement(made, "token", _(_SAID[move]), given=0.0, gained=0.0)
    rank = view.known.get(slot(state.day, 1 - state.guesser, state.mission))
    if rank is None:
        return replace(judgement, unknown=True)
    named = named_by_a_good_guesser(state, (KEEP,)).get(rank, 0.0)
    worth = {}
    for option in (KEEP, LAY):
        stake = stakes(state, (option,), (rank,), win_chance)[rank]
        worth[option] = 1 - (named * stake.hit + (1 - named) * stake.miss)
    best = max(worth, key=worth.__getitem__)
    return replace(judgement, best=_(_SAID[best]), lost=worth[best] - worth[move])


def _use(made: MadeDecision, decision: Choose, move: Move) -> Judgement:
    view: View[State] = made.view
    answers = tuple(answer for _ask, answer in view.since)
    side = view.state.seating.side(view.seat)
    worth = {
        option: rehearse(view.state, (*answers, option), side, win_chance) for option in decision.options
    }
    best = max(decision.options, key=worth.__getitem__)
    lost = worth[best] - worth[move]
    return Judgement(made, "use", _use_in_words(move), _use_in_words(best), lost=lost, given=0.0, gained=0.0)


def _use_in_words(move: Move) -> str:
    return card(COPIES[move]) if move in COPIES else _(_SAID[move])


# Measures


def _entropy(evidence: Evidence) -> float:
    """The bits that the evidence leaves open about a line; 0 if no honest line fits."""
    lines = possible(evidence)
    seen = FREE_MARK if evidence.intel is not None else 1.0
    weights = [seen if WITH_FREE >> line & 1 else 1.0 for line in members(lines)]
    total = sum(weights)
    return -sum(weight / total * log2(weight / total) for weight in weights)


def chance(state: State, seat: Seat) -> float:
    """How likely `seat` is to win, 0 to 1."""
    return win_chance(state, state.seating.side(seat))


def outlooks(states: Iterable[State], seats: int, _truth: Mapping[Slot, Face]) -> Iterator[Outlook]:
    """The outlook after each step: by what everybody can see."""
    for state in states:
        yield Outlook(tuple(chance(state, seat) for seat in range(seats)))


def reason(_before: State, _after: State, _names: Sequence[str], _truth: Mapping[Slot, Face]) -> str | None:
    """The sentences of each step give the reason: a card was named, and is turned or stays."""
    return ""


def step_results(before: State, after: State, names: Sequence[str]) -> Sequence[str]:
    """The sentences of a step."""
    return narration.step(before, after, names)


def bits(state: State, seat: Seat) -> float:
    """How much is open about the line of today of `seat`'s side; 0 while there is none."""
    if state.phase not in ("intel", "mission"):
        return 0.0
    return _entropy(Evidence.of(state, state.seating.side(seat)))


def kinds(kind: str) -> str:
    """A kind of decision in the reader's language."""
    return _(_KINDS[kind])


def summary(name: str, judged: Sequence[Judgement]) -> list[str]:
    """The cards named rightly, and the number to be expected; lies, discovered and not."""
    guesses = [judgement for judgement in judged if judgement.kind == "guess" and judgement.came is not None]
    sentences = []
    if guesses:
        sentences.append(
            _(
                "{player} named {hits} of {count} cards rightly; {expected} were to be expected of these"
                " guesses, and {likeliest} of always naming the likeliest soldier.",
                player=name,
                hits=sum(bool(judgement.came) for judgement in guesses),
                count=len(guesses),
                expected=number(sum(judgement.odds or 0.0 for judgement in guesses), 1),
                likeliest=number(sum(judgement.knew[0].odds for judgement in guesses), 1),
            )
        )
    caught = sum(_caught(judgement) for judgement in guesses)
    if caught:
        sentences.append(
            n_(
                "{count} other card was out of order or falsely marked: it counted as identified, too.",
                "{count} other cards were out of order or falsely marked: they counted as identified, too.",
                caught,
            )
        )
    lines = sum(
        judgement.kind == "lie" and isinstance(judgement.made.view.asked, Commit) for judgement in judged
    )
    if lines:
        sentences.append(
            n_(
                "{player} laid {count} line that breaks the order.",
                "{player} laid {count} lines that break the order.",
                lines,
                player=name,
            )
        )
    false = sum(_false_marks(judgement.made) for judgement in judged if judgement.kind in ("marks", "lie"))
    if false:
        sentences.append(
            n_(
                "{player} set {count} false mark; a mark that is missing counts as one.",
                "{player} set {count} false marks; a mark that is missing counts as one.",
                false,
                player=name,
            )
        )
    return sentences


def _caught(judgement: Judgement) -> bool:
    """Whether a card that was not named rightly counts as identified."""
    report = judgement.made.after and judgement.made.after.report
    return not judgement.came and report is not None and report.result in COUNTS_AS_IDENTIFIED


def _false_marks(made: MadeDecision) -> int:
    """The number of marks on the player's own cards, as far as they are known, that the rules punish."""
    view: View[State] = made.view
    intel = todays_intel(view)
    if isinstance(view.asked, Commit) or intel is None:
        return 0
    own = own_missions(view.state, view.seat)
    line = tuple(rank if at in own else None for at, rank in enumerate(own_line(view), start=1))
    return len(falsely_marked(line, MARKS[str(made.answer)], intel))
