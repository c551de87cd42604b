"""Spies & Lies in plain English: one line a step, for histories, plain mode and replays.

Only public things are told; `names` is as in p2p_stratego/core/narration.py.  With two players each side has
its player's name.  With more, the sides are Red and Blue, and only single acts are told by players' names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from p2p_stratego.core import narration
from p2p_stratego.core.game import Options, Outcome
from p2p_stratego.core.language import _, mark, n_
from p2p_stratego.spies_and_lies.rules.asks import markers
from p2p_stratego.spies_and_lies.rules.checks import EXHAUSTED, TWICE
from p2p_stratego.spies_and_lies.rules.components import (
    DAYS,
    IDENTIFICATION_WITH_SCOUT,
    INFILTRATION,
    MISSIONS,
    SCOUT,
    SIDES,
    SOLDIERS,
    Rank,
    title,
)
from p2p_stratego.spies_and_lies.rules.seating import SECOND, Seating, winner
from p2p_stratego.spies_and_lies.rules.state import (
    COUNTS_AS_IDENTIFIED,
    Effect,
    EffectKind,
    Report,
    Result,
    State,
)

_RESULTS: Final[Mapping[Result, str]] = {
    "counted": mark(
        "{O}'s mission {mission} counts as identified, for {own} was caught out of order: the {card}."
    ),
    "incorrect-order": mark("It is the {card}, out of order, and counts as identified."),
    "incorrect-intel": mark("It is the {card}, {marked}, and counts as identified."),
    "identified": mark("It is."),
    "retreated": mark("It is the {card}, which retreats."),
    "activated": mark("It is the {card}, which goes into action."),
    "impossible": mark("It is the {card}, which cannot be there."),
}
_CLOSED: Final = mark("{O}'s mission {mission} stays face down, for {O} is gone, and counts as identified.")
_GUESSED: Final = mark("{G} guesses the {guess} at {O}'s mission {mission}.")
_GUESSED_WITH_TOKEN: Final = mark(
    "{G} guesses the {guess} at {O}'s mission {mission}, a deception token on it."
)
_RETREATED_BEFORE: Final = mark("It is the {card}, which retreats before {enemy}'s {stronger}.")
_IN_VAIN_BEFORE: Final = mark("The {soldier} retreats before {E}'s {stronger} without effect.")

_BREACHES: Final[Mapping[str, str]] = {
    EXHAUSTED: mark("laid a soldier that was exhausted that day"),
    TWICE: mark("laid a soldier twice on one day"),
}

_EFFECTS: Final[Mapping[EffectKind, str]] = {
    "blasted": mark("{S}'s Bomb blasts it."),
    "undone": mark("The agent goes back {steps}: what {S} moved it today is undone."),
    "zeroed": mark("{S}'s marker falls from {n} to 0 for the broken order."),
    "infiltrated": mark("{S}'s marker reaches 10 and goes on from {n}."),
    "agent": mark("{S} pushes the agent {steps} {why}."),
    "wall": mark("It stands on {E}'s wall and has to wait there for another turn."),
    "flag": mark("{S} takes {E}'s flag {why}!"),
    "token": mark("{S} wins a deception token {why}."),
    "in force": mark("{S}'s {soldier} stays in force today."),
    "blast": mark("{S}'s next guess today will meet a blast."),
    "copied": mark("{S}'s Captain uses the exhausted {soldier}."),
    "in vain": mark("The {soldier} retreats without effect."),
    "lost": mark("{S} loses {n} to {E}'s Marshal."),
    "double": mark("After the blast, two soldiers of {S} must rest tomorrow."),
}
"""`{n}` is the effect's amount, `{steps}` the same as "1 step" or "2 steps", `{soldier}` as a rank;
`{why}` tells the cause."""

_SIDES: Final = (mark("Red"), mark("Blue"))
_REASONS: Final[Mapping[str, str]] = {
    "flag": mark("{W} wins: the flag is taken, and every card of that day was in order."),
    "critical-flaw": mark(
        "{W} wins: {L} took the flag with a card out of order, or a closed one falsely marked or never shown."
    ),
    "territory": mark("{W} wins: after the last day the agent stands on {L}'s ground."),
    "points": mark("{W} wins: the agent stands in the middle, and {W} has more points."),
    "draw": mark("A draw: the agent stands in the middle, and the points are equal."),
}
_SHORT_REASONS: Final[Mapping[str, str]] = {
    "flag": mark("the flag was taken"),
    "critical-flaw": mark("the flag was taken with a false line"),
    "territory": mark("by the agent's place"),
    "points": mark("by points"),
    "draw": mark("the agent in the middle, points equal"),
}
_ENDS: Final = narration.Ends(_REASONS, _SHORT_REASONS, _BREACHES)
reason, breach = _ENDS.reason, _ENDS.breach


def card(rank: Rank) -> str:
    """A soldier as all sentences name it: "Miner (3)"."""
    return f"{title(rank)} ({rank})"


def side_names(names: Sequence[str]) -> Sequence[str]:
    """The name of each side: its player's with two players, else "Red" and "Blue"."""
    return names if len(names) == len(SIDES) else [_(name) for name in _SIDES]


def tell_turn(report: Report, names: Sequence[str]) -> str:
    """One mission turn with all that followed from it, and the cause of every point and step."""
    sides = side_names(names)
    blasted = any(effect.kind == "blasted" for effect in report.effects)
    stronger = None if blasted or report.soldier is None else SOLDIERS[report.soldier].yields_to
    about = {
        "G": names[report.guessing],
        "O": names[report.owning],
        "own": sides[report.owner],
        "enemy": sides[report.guesser],
        "mission": report.mission,
        "card": card(report.soldier) if report.soldier else "",
        "guess": card(report.guess) if report.guess else "",
        "marked": _("falsely marked") if report.marked else _("falsely left unmarked"),
        "stronger": card(stronger) if stronger else "",
    }
    sentences = []
    if report.guess and not (report.soldier and report.result == "counted"):
        sentences.append(_(_GUESSED_WITH_TOKEN if report.token else _GUESSED, **about))
    if not report.soldier:
        sentences.append(_(_CLOSED, **about))
    elif report.result == "retreated" and stronger:
        sentences.append(_(_RETREATED_BEFORE, **about))
    else:
        sentences.append(_(_RESULTS[report.result], **about))
    effects = zip(report.effects, _causes(report), strict=True)
    return " ".join((*sentences, *(_effect(effect, cause, sides) for effect, cause in effects)))


def _causes(report: Report) -> Iterator[str]:
    """The cause of each effect; only points, steps, tokens and the flag have one in the sentences."""
    identified = report.result in COUNTS_AS_IDENTIFIED
    soldier, infiltrated = report.soldier, False
    for number, effect in enumerate(report.effects):
        if effect.kind == "copied":
            soldier = effect.amount
        with_soldier = _("with the {card}", card=card(soldier)) if soldier else ""
        if effect.kind != "points":
            yield (
                _("for reaching {infiltration} on day {day}", infiltration=INFILTRATION, day=report.day)
                if infiltrated
                else with_soldier
            )
        elif identified:
            yield _identification(report, effect)
        elif number == report.paid_for_token:
            yield _("for the deception token")
        else:
            yield with_soldier
        infiltrated = effect.kind == "infiltrated"


def _identification(report: Report, effect: Effect) -> str:
    """Why an identification pays."""
    scouted = effect.amount == IDENTIFICATION_WITH_SCOUT
    if report.result == "identified" and scouted:
        return _("for identifying it, doubled by the {scout} in force", scout=card(SCOUT))
    if report.result == "identified":
        return _("for identifying it")
    if scouted:
        return _("for it, doubled by the {scout} in force", scout=card(SCOUT))
    return _("for it")


def _effect(effect: Effect, cause: str, sides: Sequence[str]) -> str:
    if effect.kind == "points":
        return n_(
            "{side} scores {count} {why}.",
            "{side} scores {count} {why}.",
            effect.amount,
            side=sides[effect.side],
            why=cause,
        )
    enemy = sides[1 - effect.side]
    soldier = effect.amount if effect.amount in SOLDIERS else None
    stronger = SOLDIERS[soldier].yields_to if soldier else None
    sentence = _IN_VAIN_BEFORE if effect.kind == "in vain" and stronger else _EFFECTS[effect.kind]
    return _(
        sentence,
        S=sides[effect.side],
        E=enemy,
        n=effect.amount,
        steps=n_("{count} step", "{count} steps", effect.amount),
        soldier=card(soldier) if soldier else "",
        stronger=card(stronger) if stronger else "",
        why=cause,
    )


def tell_intel(state: State, names: Sequence[str]) -> str:
    """Today's intel card and what everybody marked; after the intel phase."""
    low, high = state.intel[-1]
    marked = "; ".join(
        _(
            "{player} marks {missions}",
            player=names[seat],
            missions=missions(sorted(state.marks[state.seating.side(seat)] & own)),
        )
        for seat, own in markers(state.seating, state.closed)
    )
    return _(
        "Day {day}: the intel is {low} to {high}. {marked}.", day=state.day, low=low, high=high, marked=marked
    )


def missions(marked: Sequence[int]) -> str:
    """Some of the four missions: "missions 2 and 3"."""
    if not marked:
        return _("nothing")
    if len(marked) == len(MISSIONS):
        return _("every mission")
    if len(marked) == 1:
        return _("mission {mission}", mission=marked[0])
    return _("missions {missions}", missions=narration.listed([str(mission) for mission in marked]))


def tell_exhausted(state: State, names: Sequence[str]) -> str:
    """Who cannot be deployed today; at the beginning of a day."""
    sides = side_names(names)
    tired = "; ".join(
        _(
            "{side}'s {soldiers}",
            side=sides[side],
            soldiers=narration.listed([*map(card, state.exhausted[side])]) or _("nobody"),
        )
        for side in SIDES
    )
    return _(
        "Day {day} of {days}, {side} guesses first. Exhausted: {soldiers}.",
        day=state.day,
        days=DAYS,
        side=sides[state.starter],
        soldiers=tired,
    )


def tell_gone(before: State, after: State, names: Sequence[str]) -> str:
    """Who is gone, who acts for it now, and which of its cards stay closed."""
    seating = after.seating
    sentences = []
    for seat in sorted(seating.gone - before.seating.gone):
        side, mate = seating.side(seat), seating.mate(seat)
        if mate is None:
            sentences.append(_("{player} is gone.", player=names[seat]))
        else:
            sentences.append(
                _("{player} is gone; {mate} plays on for both.", player=names[seat], mate=names[mate])
            )
        closed = sorted(after.closed[side] - before.closed[side])
        if closed:
            sentences.append(
                _("{player}'s {missions} will stay face down.", player=names[seat], missions=missions(closed))
            )
    return " ".join(sentences)


def ending(outcome: Outcome, names: Sequence[str]) -> str:
    """How the game ended; a reason from outside the rules stays as it is."""
    broke = breach(outcome.breach.rule) if outcome.breach else ""
    if len(names) > len(SIDES) and outcome.winners:
        outcome, names = _by_side(outcome, names)
    return narration.ending(outcome, names, _REASONS, broke)


def _by_side(outcome: Outcome, names: Sequence[str]) -> tuple[Outcome, list[str]]:
    """The outcome with sides for seats, and a name for each side.

    A winning side has its players' names behind its own; a cheat has its player's name.
    """
    seating, labels, won = Seating(len(names)), [*side_names(names)], winner(outcome)
    if won is not None:
        labels[won] += f" ({narration.listed([names[seat] for seat in seating.mates(won)])})"
    if outcome.breach is not None:
        labels[seating.side(outcome.breach.seat)] = names[outcome.breach.seat]
    return Outcome(frozenset() if won is None else frozenset({won}), outcome.reason), labels


def options(options: Options, seats: int) -> list[str]:
    """The agreed variant, a clause each; the same for every number of seats."""
    del seats
    starter = options["starter"]
    first = _("chance decides who guesses first")
    if starter != "random":
        first = _("{colour} guesses first", colour=_(str(starter)))
    return [_("each wall stands {steps} steps from the middle", steps=options["wall"]), first]


def standing(state: State, names: Sequence[str]) -> str:
    """Points, tokens and the agent's place behind a mission turn, for checking by hand; "" behind others."""
    if state.report is None:
        return ""
    sides = side_names(names)
    held = [
        _(
            "{player} {points}, {tokens}",
            player=sides[side],
            points=n_("{count} point", "{count} points", state.points[side]),
            tokens=n_("{count} token", "{count} tokens", state.tokens[side]),
        )
        for side in SIDES
    ]
    where = _("the agent in the middle")
    if state.agent:
        where = n_(
            "the agent {count} step toward {player}'s flag",
            "the agent {count} steps toward {player}'s flag",
            abs(state.agent),
            player=sides[state.agent > 0],
        )
    return "; ".join((*held, where)) + "."


def step(before: State | None, after: State, names: Sequence[str]) -> tuple[str, ...]:
    """The events of the step from `before` (None: the set-up) to `after`, a line each."""
    if before is not None and before.seating != after.seating:
        return (tell_gone(before, after, names),)
    lines = []
    if before is None:
        low, high = after.intel[0]
        lines.append(
            _(
                "The wall is {wall} steps away. The old intel is {low} to {high}.",
                wall=after.wall,
                low=low,
                high=high,
            )
        )
    if after.phase == "deploy":
        lines.append(tell_exhausted(after, names))
    elif after.phase == "look":
        lines.append(_second(after, names))
    elif after.phase == "intel":
        lines.append(_("Day {day}: both sides have deployed.", day=after.day))
    elif after.report is not None:
        lines.append(tell_turn(after.report, names))
    else:
        lines.append(tell_intel(after, names))
    if after.ended is not None:
        lines.extend(_shown_at_the_end(after, names))
        lines.append(ending(after.ended, names))
    return tuple(lines)


def _second(state: State, names: Sequence[str]) -> str:
    """Who lays when the first soldiers lie."""
    seating = state.seating
    laying = [names[seating.player(side, SECOND[0])] for side in SIDES if seating.is_team(side)]
    if len(laying) == 1:
        return _(
            "Day {day}: the first soldiers lie; {player} lays the others.", day=state.day, player=laying[0]
        )
    return _(
        "Day {day}: the first soldiers lie; {players} lay the others.",
        day=state.day,
        players=narration.listed(laying),
    )


def _shown_at_the_end(state: State, names: Sequence[str]) -> list[str]:
    """The cards that the winner turned up after taking the flag."""
    return [
        _(
            "{player} shows mission {number}: the {card}.",
            player=names[state.seating.player(side, number)],
            number=number,
            card=card(shown.rank),
        )
        for side in SIDES
        for number, shown in zip(MISSIONS, state.cards[side], strict=True)
        if shown is not None and shown.result == "opened"
    ]


_LABELS: Final[tuple[tuple[EffectKind, str], ...]] = (
    ("flag", mark("flag")),
    ("infiltrated", mark("infiltration")),
    ("undone", mark("blast")),
    ("agent", mark("agent")),
    ("points", mark("points")),
)
"""The most telling first."""


def moment(before: State | None, after: State) -> str:
    """The event of the step from `before` (None: the set-up) to `after`; "" for nothing of note."""
    if before is None:
        return ""
    report = after.report if after.report is not before.report else None
    kinds = {effect.kind for effect in report.effects} if report else set()
    if "flag" not in kinds and after.ended is not None:
        return _("the end")
    if after.day > before.day:
        return _("day {day}", day=after.day)
    heading = next((label for kind, label in _LABELS if kind in kinds), "")
    if report is not None and report.result == "identified" and heading in ("", "points"):
        return _("identified")
    return _(heading)
