"""The coach in ordinary games of Spies & Lies: what matters now, in a sentence each, with its reason.

It reads one seat's view and nothing else, and decides nothing.  On guesses and tokens it gives facts only:
the hint recommends, by a bot that counts further than a sentence can, and both stand on one screen.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from p2p_stratego.core.game import Commit, Face, Move
from p2p_stratego.core.language import _, n_
from p2p_stratego.core.lesson import Remark
from p2p_stratego.core.sampling import percent
from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.bots.agent import believed
from p2p_stratego.spies_and_lies.bots.beliefs import Evidence, possible
from p2p_stratego.spies_and_lies.bots.evaluation import win_chance
from p2p_stratego.spies_and_lies.bots.lookahead import stakes
from p2p_stratego.spies_and_lies.formats.narration import card
from p2p_stratego.spies_and_lies.rules.checks import is_false_mark, is_out_of_order
from p2p_stratego.spies_and_lies.rules.components import (
    CAPTAIN,
    DAYS,
    DECEPTION,
    FORWARD,
    INFILTRATION,
    MISSIONS,
    RANKS,
    SOLDIERS,
    Rank,
    Side,
)
from p2p_stratego.spies_and_lies.rules.notation import CAPTAIN_POINTS, GUESSES, LAY, MARSHAL_TEN
from p2p_stratego.spies_and_lies.rules.observation import (
    asked_missions,
    honest_marks,
    laid_line,
    own_line,
    todays_intel,
)
from p2p_stratego.spies_and_lies.rules.state import State

_ALIKE: Final = 0.005
"""Shares that differ by less show the same number."""


def advise(view: View[State]) -> Iterator[Remark]:
    """The remarks for the seat of `view`, the weightiest first; none while it has no decision to make."""
    state, decision = view.state, view.decision
    if decision is None or state.ended is not None:
        return
    side = state.seating.side(view.seat)
    if isinstance(decision, Commit):
        free = _fitting(view, side)
        left = len(MISSIONS) + 1 - asked_missions(decision)[0]  # those of a second mate follow
        if state.day == 1 and len(free) >= left:
            yield Remark(_first(free, left, len(decision.slots)))
        else:
            yield from _line(state, side, free)
    elif state.phase == "intel":
        yield from _marks(view)
    elif LAY in decision.options:
        yield from map(Remark, filter(None, [_token(view, side)]))
    elif state.guesser == side:
        yield Remark(_guess(state))
        yield from _race(state, side, _active(state))
    elif CAPTAIN_POINTS in decision.options or MARSHAL_TEN in decision.options:
        yield Remark(_points(state, side))


def why(view: View[State], decided: Move | Sequence[Face]) -> str:
    """A sentence on a line that somebody proposes to lay, or on a guess of another soldier than the
    likeliest; "" for other answers.
    """
    if isinstance(view.decision, Commit):
        return _("Mixed ranks are hard to guess.")
    rank = GUESSES.get(decided) if isinstance(decided, str) else None
    return "" if rank is None else _why_guess(view, rank)


def _why_guess(view: View[State], rank: Rank) -> str:
    """Why a rank is named that is not the likeliest: what a wrong guess would cost."""
    state, answers = view.state, tuple(answer for _ask, answer in view.since)
    likely = believed(state)
    stake = stakes(state, answers, {*likely, rank}, win_chance)
    likeliest = max(likely, key=lambda other: (likely[other], stake[other].gain))
    rarer = likely[likeliest] - likely.get(rank, 0.0) >= _ALIKE
    if not rarer or stake[rank].gain <= stake[likeliest].gain:
        return ""
    return _(
        "The {likeliest} is likelier, but missing the {soldier} would cost you more.",
        likeliest=card(likeliest),
        soldier=card(rank),
    )


def _first(free: Sequence[Rank], left: int, count: int) -> str:
    """The words to type for the first line of a game: `count` of the `left` soldiers that it still needs."""
    spread = [free[at * (len(free) - 1) // (left - 1)] for at in range(count)]
    return _("Type {ranks}, for example: mixed ranks are hard to guess.", ranks=" ".join(map(str, spread)))


def _line(state: State, side: Side, free: Sequence[Rank]) -> Iterator[Remark]:
    """The aim of a line today, with the soldiers `free` for it."""
    missing, way = INFILTRATION - state.points[side], _way(state, side)
    if way <= 0:
        yield Remark(
            _(
                "The agent stands at the wall: any step takes the flag, if your line is in order and no "
                "closed card is falsely marked."
            )
        )
    enough = [rank for rank in free if SOLDIERS[rank].points >= missing]
    if enough and way > 0:
        yield Remark(
            n_(
                "{points} more, and the agent goes {count} step: the {soldier} alone would do it.",
                "{points} more, and the agent goes {count} steps: the {soldier} alone would do it.",
                min(state.day, way),
                points=n_("{count} point", "{count} points", missing),
                soldier=card(enough[0]),
            )
        )
    yield from _race(state, side, [rank for rank in RANKS if rank not in state.exhausted[1 - side]])
    if state.day == DAYS:
        yield Remark(
            _("The last day: 10 points move the agent 3 steps, and nobody rests tomorrow."), rule="last day"
        )
    yield Remark(
        _("Mix high and low: a line of only high ranks leaves the enemy few to choose from when it guesses."),
        rule="mix",
    )


def _race(state: State, side: Side, theirs: Collection[Rank]) -> Iterator[Remark]:
    """Whether the enemy's marker, or its next step, is about to win it something.

    `theirs`: the soldiers of the enemy that can be met next.
    """
    missing, way = INFILTRATION - state.points[1 - side], _way(state, 1 - side)
    if way <= 0 and not state.closed[1 - side]:
        yield Remark(_("The agent stands at your wall: a step of an enemy in order takes your flag."))
    elif way > 0 and missing <= min(
        SOLDIERS[CAPTAIN].points, max((SOLDIERS[rank].points for rank in theirs), default=0)
    ):
        yield Remark(
            n_(
                "They are {missing} short: one soldier that you miss can move the agent {count} step.",
                "They are {missing} short: one soldier that you miss can move the agent {count} steps.",
                min(state.day, way),
                missing=n_("{count} point", "{count} points", missing),
            )
        )


def _active(state: State) -> list[Rank]:
    """The soldiers that the card to be guessed can be, and that do something if they are missed."""
    owner = 1 - state.guesser
    if state.blast[state.guesser]:
        return []
    return [
        rank
        for rank in believed(state)
        if not _punished(state, owner, rank) and SOLDIERS[rank].yields_to not in state.active[state.guesser]
    ]


def _punished(state: State, owner: Side, rank: Rank) -> bool:
    """Whether `rank` counts as named at the card to be guessed, whatever is named."""
    shown = [card.rank for card in state.cards[owner] if card is not None]
    marked = state.mission in state.marks[owner]
    return is_out_of_order(rank, shown) or is_false_mark(rank, marked=marked, intel=state.intel[-1])


def _way(state: State, side: Side) -> int:
    """The steps from the agent to the wall that `side` pushes it to."""
    return state.wall - state.agent * FORWARD[side]


def _fitting(view: View[State], side: Side) -> list[Rank]:
    """The soldiers that a seat can lay now, in order behind those that it knows its side to have laid."""
    laid = [rank for rank in laid_line(view) if rank is not None]
    return [
        rank
        for rank in RANKS
        if rank not in (*view.state.exhausted[side], *laid) and not is_out_of_order(rank, laid)
    ]


def _marks(view: View[State]) -> Iterator[Remark]:
    intel, honest = todays_intel(view), honest_marks(view)
    if intel is None:
        return
    if len(honest) > 1:
        yield Remark(
            _(
                "Your Sergeant may be marked or not: marked, it looks like a soldier of {low} to {high}; all "
                "other marks must be true.",
                low=intel[0],
                high=intel[1],
            ),
            rule="sergeant",
        )
    else:
        yield Remark(
            _("Mark truly: a soldier with a false mark counts as named when its card opens."), rule="marks"
        )


def _token(view: View[State], side: Side) -> str:
    state = view.state
    rank = own_line(view)[state.mission - 1]
    if rank is None:
        return ""
    likely = believed(state)
    share = likely.get(rank, 0.0)
    fields = {"soldier": card(rank), "many": len(likely), "share": percent(share), "points": DECEPTION}
    if _punished(state, side, rank):
        return _("This soldier counts as named whatever they guess: a token on it scores nothing.")
    if state.blast[1 - side]:
        return _(
            "The blast makes this soldier retreat if it is not named; a token scores {points} even so.",
            **fields,
        )
    if len(likely) == 1 and share:
        return _("By what the enemy sees, only the {soldier} fits here.", **fields)
    if not share:
        return _(
            "The enemy cannot expect your {soldier} here: a token scores {points} if the guess is wrong.",
            **fields,
        )
    return _(
        "For the enemy {many} soldiers fit here, your {soldier} at {share}: a token scores {points} if it is "
        "not named.",
        **fields,
    )


def _guess(state: State) -> str:
    likely = believed(state)  # as the hint's bot sees it, which knows how often lines are laid
    highest = max(likely.values())
    best = [card(rank) for rank, share in likely.items() if highest - share < _ALIKE]
    if not possible(Evidence.of(state, 1 - state.guesser)):
        return _(
            "No line that keeps the rules fits any more; the likeliest soldiers here ({share}): {soldiers}.",
            share=percent(highest),
            soldiers=", ".join(best),
        )
    if len(likely) == 1:
        return _("Only the {soldier} fits the order and the marks.", soldier=best[0])
    if len(best) == len(likely):
        return _(
            "{many} soldiers fit, all of them equally well: think which one would hurt you most.",
            many=len(best),
        )
    return _(
        "{many} soldiers fit; the likeliest ({share}): {soldiers}.",
        many=len(likely),
        share=percent(highest),
        soldiers=", ".join(best),
    )


def _points(state: State, side: Side) -> str:
    """For who chooses between points and something else."""
    missing = INFILTRATION - state.points[side]
    if missing <= SOLDIERS[CAPTAIN].points:
        short = n_("{count} point", "{count} points", missing)
        way = _way(state, side)
        if way <= 0 and state.closed[side]:
            return _(
                "The agent stands at the wall, and a card of your side stays closed: a step now loses the "
                "game."
            )
        if way <= 0:
            return _(
                "You are {missing} short, and the agent stands at the wall: the points take the flag, if "
                "your line is in order.",
                missing=short,
            )
        return n_(
            "You are {missing} short: take the points, and the agent goes {count} step.",
            "You are {missing} short: take the points, and the agent goes {count} steps.",
            min(state.day, way),
            missing=short,
        )
    return _(
        "Your marker stands at {points} of 10, the enemy's at {theirs}; what is over 10 is lost.",
        points=state.points[side],
        theirs=state.points[1 - side],
    )
