"""Spies & Lies in plain English: one line a step, for histories, plain mode and replays.

Only public things are told; `names` is as in p2p_stratego/core/narration.py.  With two players each side has
its player's name.  With more, the sides are Red and Blue, and only single acts are told by players' names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from p2p_stratego.core import narration
from p2p_stratego.core.game import Options, Outcome
from p2p_stratego.spies_and_lies.rules.asks import markers
from p2p_stratego.spies_and_lies.rules.checks import EXHAUSTED, TWICE
from p2p_stratego.spies_and_lies.rules.seating import SECOND, Seating, winner
from p2p_stratego.spies_and_lies.rules.soldiers import (
    DAYS,
    IDENTIFICATION_WITH_SCOUT,
    INFILTRATION,
    MISSIONS,
    SCOUT,
    SIDE_NAMES,
    SIDES,
    SOLDIERS,
    Rank,
)
from p2p_stratego.spies_and_lies.rules.state import (
    COUNTS_AS_IDENTIFIED,
    Effect,
    EffectKind,
    Report,
    Result,
    State,
)

_RESULTS: Final[Mapping[Result, str]] = {
    "counted": "{O}'s mission {mission} counts as identified, for {own} was caught out of order: the {card}.",
    "incorrect-order": "{guessed}It is the {card}, out of order, and counts as identified.",
    "incorrect-intel": "{guessed}It is the {card}, {marked}, and counts as identified.",
    "identified": "{guessed}It is.",
    "retreated": "{guessed}It is the {card}, which retreats{before}.",
    "activated": "{guessed}It is the {card}, which goes into action.",
    "impossible": "{guessed}It is the {card}, which cannot be there.",
}
_CLOSED: Final = (
    "{guessed}{O}'s mission {mission} stays face down, for {O} is gone, and counts as identified."
)
_GUESSED: Final = "{G} guesses the {guess} at {O}'s mission {mission}{token}. "

_BREACHES: Final[Mapping[str, str]] = {
    EXHAUSTED: "laid a soldier that was exhausted that day",
    TWICE: "laid a soldier twice on one day",
}

_EFFECTS: Final[Mapping[EffectKind, str]] = {
    "blasted": "{S}'s Bomb blasts it.",
    "undone": "The agent goes back {steps}: what {S} moved it today is undone.",
    "zeroed": "{S}'s marker falls from {n} to 0 for the broken order.",
    "points": "{S} scores {n} {why}.",
    "infiltrated": "{S}'s marker reaches 10 and goes on from {n}.",
    "agent": "{S} pushes the agent {steps} {why}.",
    "wall": "It stands on {E}'s wall and has to wait there for another turn.",
    "flag": "{S} takes {E}'s flag {why}!",
    "token": "{S} wins a deception token {why}.",
    "in force": "{S}'s {soldier} stays in force today.",
    "blast": "{S}'s next guess today will meet a blast.",
    "copied": "{S}'s Captain uses the exhausted {soldier}.",
    "in vain": "The {soldier} retreats{before} without effect.",
    "lost": "{S} loses {n} to {E}'s Marshal.",
    "double": "Two soldiers of {S} will be exhausted tomorrow for the blast.",
}
"""`{n}` is the effect's amount, `{steps}` the same as "1 step" or "2 steps", `{soldier}` as a rank;
`{why}` tells the cause, and `{before}` the soldier in force that makes another one retreat."""

_REASONS: Final[Mapping[str, str]] = {
    "flag": "{W} wins: the flag is taken, and every card of that day was in order.",
    "critical-flaw": "{W} wins: {L} took the flag with a line that was out of order or falsely marked.",
    "territory": "{W} wins: after the last day the agent stands on {L}'s ground.",
    "points": "{W} wins: the agent stands in the middle, and {W} has more points.",
    "draw": "A draw: the agent stands in the middle, and the points are equal.",
}
_SHORT_REASONS: Final[Mapping[str, str]] = {
    "flag": "the flag was taken",
    "critical-flaw": "the flag was taken with a false line",
    "territory": "by the agent's place",
    "points": "by points",
    "draw": "the agent in the middle, points equal",
}


def card(rank: Rank) -> str:
    """A soldier as it is told everywhere: "Miner (3)"."""
    return f"{SOLDIERS[rank].name} ({rank})"


def side_names(names: Sequence[str]) -> Sequence[str]:
    """The name of each side: its player's with two players, else "Red" and "Blue"."""
    return names if len(names) == len(SIDES) else [name.capitalize() for name in SIDE_NAMES]


def tell_turn(report: Report, names: Sequence[str]) -> str:
    """One mission turn with all that followed from it, and the cause of every point and step."""
    sides = side_names(names)
    blasted = any(effect.kind == "blasted" for effect in report.effects)
    before = "" if blasted or report.soldier is None else _before(report.soldier, sides[report.guesser])
    about = {
        "G": names[report.guessing],
        "O": names[report.owning],
        "own": sides[report.owner],
        "mission": report.mission,
        "card": card(report.soldier) if report.soldier else "",
        "guess": card(report.guess) if report.guess else "",
        "token": ", a deception token on it" if report.token else "",
        "marked": "falsely marked" if report.marked else "falsely left unmarked",
        "before": before,
    }
    template = _RESULTS[report.result] if report.soldier else _CLOSED
    told = template.format(guessed=_GUESSED.format(**about) if report.guess else "", **about)
    effects = zip(report.effects, _causes(report), strict=True)
    return " ".join((told, *(_effect(effect, cause, sides) for effect, cause in effects)))


def _causes(report: Report) -> Iterator[str]:
    """For each effect, why it came about; only points, steps, tokens and the flag are told with it."""
    last = max((i for i, effect in enumerate(report.effects) if effect.kind == "points"), default=-1)
    identified = report.result in COUNTS_AS_IDENTIFIED
    soldier, infiltrated = report.soldier, False
    for number, effect in enumerate(report.effects):
        if effect.kind == "copied":
            soldier = effect.amount
        with_soldier = f"with the {card(soldier)}" if soldier else ""
        if effect.kind != "points":
            yield f"for reaching {INFILTRATION} on day {report.day}" if infiltrated else with_soldier
        elif identified:
            scouted = effect.amount == IDENTIFICATION_WITH_SCOUT
            doubled = f", doubled by the {card(SCOUT)} in force" if scouted else ""
            yield ("for identifying it" if report.result == "identified" else "for it") + doubled
        elif report.token and number == last:
            yield "for the deception token"
        else:
            yield with_soldier
        infiltrated = effect.kind == "infiltrated"


def _before(soldier: Rank, owner: str) -> str:
    """The soldier of `owner` in force that makes `soldier` retreat, if there is one."""
    stronger = SOLDIERS[soldier].yields_to
    return f" before {owner}'s {card(stronger)}" if stronger else ""


def _effect(effect: Effect, cause: str, sides: Sequence[str]) -> str:
    enemy = sides[1 - effect.side]
    soldier = effect.amount if effect.amount in SOLDIERS else None
    steps = f"{effect.amount} step{'s' if effect.amount != 1 else ''}"
    return _EFFECTS[effect.kind].format(
        S=sides[effect.side],
        E=enemy,
        n=effect.amount,
        steps=steps,
        soldier=card(soldier) if soldier else "",
        before=_before(soldier, enemy) if soldier else "",
        why=cause,
    )


def tell_intel(state: State, names: Sequence[str]) -> str:
    """Today's intel card and what everybody marked; after the intel phase."""
    low, high = state.intel[-1]
    marked = "; ".join(
        f"{names[seat]} marks {_missions(sorted(state.marks[state.seating.side(seat)] & missions))}"
        for seat, missions in markers(state.seating, state.closed)
    )
    return f"Day {state.day}: the intel is {low} to {high}. {marked}."


def _missions(marked: Sequence[int]) -> str:
    if not marked:
        return "nothing"
    if len(marked) == len(MISSIONS):
        return "every mission"
    told = ", ".join(map(str, marked[:-1]))
    return f"missions {told} and {marked[-1]}" if told else f"mission {marked[-1]}"


def tell_exhausted(state: State, names: Sequence[str]) -> str:
    """Who cannot be deployed today; at the beginning of a day."""
    sides = side_names(names)
    tired = "; ".join(
        f"{sides[side]}'s {' and '.join(map(card, state.exhausted[side])) or 'nobody'}" for side in SIDES
    )
    return f"Day {state.day} of {DAYS}, {sides[state.starter]} guesses first. Exhausted: {tired}."


def tell_gone(before: State, after: State, names: Sequence[str]) -> str:
    """Who is gone, who acts for it now, and which of its cards stay closed."""
    seating = after.seating
    told = []
    for seat in sorted(seating.gone - before.seating.gone):
        side, mate = seating.side(seat), seating.mate(seat)
        told.append(
            f"{names[seat]} is gone" + ("." if mate is None else f"; {names[mate]} plays on for both.")
        )
        closed = sorted(after.closed[side] - before.closed[side])
        if closed:
            told.append(f"{names[seat]}'s {_missions(closed)} will stay face down.")
    return " ".join(told)


def breach(rule: str) -> str:
    """The offence against this rule, as the end of a sentence that begins with the offender's name."""
    return _BREACHES.get(rule, f"broke a rule: {rule}")


def ending(outcome: Outcome, names: Sequence[str]) -> str:
    """How the game ended; a reason from outside the rules stays as it is."""
    broke = breach(outcome.breach.rule) if outcome.breach else ""
    if len(names) > len(SIDES) and outcome.winners:
        outcome, names = _by_side(outcome, names)
    return narration.ending(outcome, names, _REASONS, broke)


def _by_side(outcome: Outcome, names: Sequence[str]) -> tuple[Outcome, list[str]]:
    """The outcome with sides for seats, and a name for each side.

    The winners are told with their players; a cheat is told by its own name.
    """
    seating, told, won = Seating(len(names)), [*side_names(names)], winner(outcome)
    if won is not None:
        told[won] += f" ({' and '.join(names[seat] for seat in seating.mates(won))})"
    if outcome.breach is not None:
        told[seating.side(outcome.breach.seat)] = names[outcome.breach.seat]
    return Outcome(frozenset() if won is None else frozenset({won}), outcome.reason), told


def reason(reason: str) -> str:
    """A reason in a few words, for lists; `ending` says it in a sentence."""
    return _SHORT_REASONS.get(reason, reason)


def options(options: Options, seats: int) -> list[str]:
    """The agreed variant, a clause each; the same for every number of seats."""
    del seats
    starter = options["starter"]
    first = "chance decides who guesses first" if starter == "random" else f"{starter} guesses first"
    return [f"each wall stands {options['wall']} steps from the middle", first]


def step(before: State | None, after: State, names: Sequence[str]) -> tuple[str, ...]:
    """The events of the step from `before` (None: the set-up) to `after`, a line each."""
    if before is not None and before.seating != after.seating:
        return (tell_gone(before, after, names),)
    lines = []
    if before is None:
        low, high = after.intel[0]
        lines.append(f"The wall is {after.wall} steps away. The old intel is {low} to {high}.")
    if after.phase == "deploy":
        lines.append(tell_exhausted(after, names))
    elif after.phase == "look":
        lines.append(f"Day {after.day}: the first soldiers lie; {_second(after, names)} the others.")
    elif after.phase == "intel":
        lines.append(f"Day {after.day}: both sides have deployed.")
    elif after.report is not None:
        lines.append(tell_turn(after.report, names))
    else:
        lines.append(tell_intel(after, names))
    if after.ended is not None:
        lines.extend(_shown_at_the_end(after, names))
        lines.append(ending(after.ended, names))
    return tuple(lines)


def _second(state: State, names: Sequence[str]) -> str:
    """Who lays when the first soldiers lie: "Cleo lays", "Cleo and Dora lay"."""
    seating = state.seating
    laying = [names[seating.player(side, SECOND[0])] for side in SIDES if seating.is_team(side)]
    return " and ".join(laying) + (" lays" if len(laying) == 1 else " lay")


def _shown_at_the_end(state: State, names: Sequence[str]) -> list[str]:
    """The cards that the winner turned up after taking the flag."""
    return [
        f"{names[state.seating.player(side, number)]} shows mission {number}: the {card(shown.rank)}."
        for side in SIDES
        for number, shown in zip(MISSIONS, state.cards[side], strict=True)
        if shown is not None and shown.result == "opened"
    ]
