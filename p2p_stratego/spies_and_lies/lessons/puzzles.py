"""Puzzles of Spies & Lies: what lies under a mission, counted over every honest line that fits.

A line is honest if it keeps the order and its marks; one with the Sergeant, which may be marked or not, shows
the marks that are seen only half of the time (`bots.beliefs.chances`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from p2p_stratego.core.game import Ask, Choose
from p2p_stratego.core.language import _, n_, number
from p2p_stratego.core.puzzle import Position, Solution
from p2p_stratego.core.sampling import percent
from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.bots.beliefs import Evidence, chances, possible
from p2p_stratego.spies_and_lies.bots.evaluation import win_chance
from p2p_stratego.spies_and_lies.bots.lookahead import stakes
from p2p_stratego.spies_and_lies.formats.narration import card
from p2p_stratego.spies_and_lies.rules.components import MISSIONS, RANKS, SIDES, SOLDIERS, Rank
from p2p_stratego.spies_and_lies.rules.mission import mission
from p2p_stratego.spies_and_lies.rules.notation import GUESSES, LAY, guess
from p2p_stratego.spies_and_lies.rules.seating import ALL_THERE
from p2p_stratego.spies_and_lies.rules.state import CardLine, Shown, State, slot

SURE: Final = "sure"
"""One soldier alone fits."""
LIKELIEST: Final = "likeliest"
DEAREST: Final = "dearest"
"""The guess that is worth most, though another soldier is as likely or likelier."""
_THEMES: Final = (SURE, LIKELIEST, DEAREST)
_AHEAD: Final = 0.15
"""So much likelier than the next one is the likeliest soldier."""
_DEARER: Final = 1.5
"""So many times as much as the next guess does the dearest one bring."""
_LEAST: Final = 0.01
"""Chance to win that the dearest guess brings at least."""
_ALIKE: Final = 1e-9
_PLAIN: Final = ("wall", "day", "turn", "starter", "agent", "spare", "first_starter")
_PAIRS: Final = ("points", "tokens", "blast", "caught", "double", "moved")
_SETS: Final = ("marks", "active")


def read(position: Position) -> View[State]:
    """The view of the side that is to guess."""
    fields: dict[str, Any] = {name: position[name] for name in _PLAIN}
    fields |= {name: tuple(position[name]) for name in _PAIRS}
    fields |= {name: tuple(frozenset(missions) for missions in position[name]) for name in _SETS}
    state = State(
        seating=ALL_THERE[len(SIDES)],
        phase="mission",
        intel=tuple((low, high) for low, high in position["intel"]),
        exhausted=(tuple(position["exhausted"][0]), tuple(position["exhausted"][1])),
        cards=(_line(position["cards"][0]), _line(position["cards"][1])),
        **fields,
    )
    seat = state.guesser
    known = {slot(state.day, seat, at): rank for at, rank in zip(MISSIONS, position["own"], strict=True)}
    since, turn = list[tuple[Ask, Any]](), mission(state)
    ask = next(turn)
    while isinstance(ask, Choose) and LAY in ask.options:
        since.append((ask, position["token"]))
        ask = turn.send(position["token"])
    if not isinstance(ask, Choose):
        raise TypeError("nobody guesses in this position")
    return View(seat, state, known, ask, tuple(since))


def _line(cards: Sequence[Any]) -> CardLine:
    first, second, third, fourth = (None if card is None else Shown(*card) for card in cards)
    return first, second, third, fourth


def write(view: View[State]) -> Position:
    """The position, today's cards and the own line; the cards of earlier days are left out."""
    state = view.state
    position: dict[str, Any] = {name: getattr(state, name) for name in _PLAIN}
    position |= {name: list(getattr(state, name)) for name in _PAIRS}
    position |= {name: [sorted(missions) for missions in getattr(state, name)] for name in _SETS}
    return position | {
        "intel": [list(span) for span in state.intel],
        "exhausted": [list(ranks) for ranks in state.exhausted],
        "cards": [[card and list(card) for card in line] for line in state.cards],
        "own": [view.known[slot(state.day, view.seat, at)] for at in MISSIONS],
        "token": next((answer for _ask, answer in view.since), None),
    }


def themes(view: View[State]) -> Sequence[str]:
    """The tasks of a guess against an honest line of two players."""
    state, decision = view.state, view.decision
    if not isinstance(decision, Choose) or guess(RANKS[0]) not in decision.options or state.seating.teams:
        return ()
    return _THEMES if possible(Evidence.of(state, 1 - state.guesser)) else ()


def solve(view: View[State], theme: str) -> Solution:
    """Every soldier weighed over every line.  Raises ValueError for another theme."""
    if theme not in _THEMES:
        raise ValueError(f"{theme!a} is no task of this game")
    state = view.state
    evidence = Evidence.of(state, 1 - state.guesser)
    odds = chances(evidence)[state.mission - 1]
    worth = _brought(view, odds) if theme == DEAREST else {rank: odds.get(rank, 0.0) for rank in RANKS}
    best, second = sorted(worth, key=worth.__getitem__, reverse=True)[:2]
    if theme == SURE:
        clear = odds[best] > 1 - _ALIKE
    elif theme == LIKELIEST:
        clear = worth[best] - worth[second] >= _AHEAD and odds[best] < 1 - _ALIKE
    else:
        rivals = [share for rank, share in odds.items() if rank != best]
        clear = worth[best] >= max(_LEAST, _DEARER * worth[second]) and max(rivals, default=0) >= odds[best]
    return Solution(
        theme,
        guess(best),
        guess(second),
        {guess(rank): value for rank, value in worth.items()},
        possible(evidence).bit_count(),
        clear,
        theme,
        {"odds": odds},
    )


def _brought(view: View[State], odds: Mapping[Rank, float]) -> dict[Rank, float]:
    """By rank: the chance to win that naming it brings, above that of naming a soldier that is not there."""
    answers = tuple(answer for _ask, answer in view.since)
    stake = stakes(view.state, answers, odds, win_chance)
    return {
        rank: odds[rank] * (stake[rank].hit - stake[rank].miss) if rank in odds else 0.0 for rank in RANKS
    }


def task(view: View[State], theme: str, names: Sequence[str]) -> str:
    """What is asked."""
    fields = {"player": names[1 - view.seat], "mission": view.state.mission}
    if theme == SURE:
        return _("One soldier alone can lie under {player}'s mission {mission}: which?", **fields)
    if theme == LIKELIEST:
        return _("Which soldier is the likeliest under {player}'s mission {mission}?", **fields)
    return _(
        "Which guess at {player}'s mission {mission} is worth most? The likeliest soldier is not always it.",
        **fields,
    )


def hint(view: View[State], solution: Solution) -> str:
    """The number of soldiers that fit, or what to think of."""
    del view
    if solution.theme == DEAREST:
        return _("Think of what each soldier that fits does if nobody names it.")
    if solution.theme == SURE:
        return _(
            "Cross out the exhausted and the open soldiers, then those that break the order, then those "
            "that the mark forbids."
        )
    fits = len(solution.facts["odds"])
    return n_("{count} soldier fits there.", "{count} soldiers fit there.", fits)


def why(view: View[State], solution: Solution, names: Sequence[str]) -> Iterator[str]:
    """How often the soldiers lie there in the lines that fit, and what a guess brings."""
    del view, names
    odds: Mapping[Rank, float] = solution.facts["odds"]
    best, second = GUESSES[solution.move], GUESSES[solution.second]
    yield n_(
        "{count} honest line fits all that is open, the marks and the order.",
        "{count} honest lines fit all that is open, the marks and the order.",
        solution.ways,
    )
    if solution.theme == SURE:
        yield _("The {soldier} lies there in each.", soldier=card(best))
        return
    yield _(
        "The {soldier} lies there with {share}, the {other} with {less}.",
        soldier=card(best),
        share=percent(odds[best]),
        other=card(second),
        less=percent(odds.get(second, 0.0)),
    )
    if solution.theme == DEAREST:
        yield _(
            "Unnamed, the {soldier} acts: {ability}.",
            soldier=card(best),
            ability=_(SOLDIERS[best].ability),
        )
        yield _(
            "Naming it brings {gain} points of 100 of the chance to win on average, the next best guess "
            "{less}.",
            gain=number(100 * solution.worths[solution.move], 1),
            less=number(100 * solution.worths[solution.second], 1),
        )
