"""Random games of Spies & Lies, honest and crooked, as scripts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from random import Random
from typing import Any
from unittest.mock import patch

from p2p_stratego.core.game import Choose, Commit, Face, Move, Options, Outcome, Slot
from p2p_stratego.spies_and_lies.formats import scenario
from p2p_stratego.spies_and_lies.options import STARTER, WALL
from p2p_stratego.spies_and_lies.rules.checks import falsely_marked
from p2p_stratego.spies_and_lies.rules.components import (
    INTEL_DECK,
    MISSIONS,
    RANKS,
    SERGEANT,
    SIDES,
    IntelRange,
)
from p2p_stratego.spies_and_lies.rules.game import GAME
from p2p_stratego.spies_and_lies.rules.notation import KEEP, LAY, MARKS, guess
from p2p_stratego.spies_and_lies.rules.seating import SECOND
from p2p_stratego.spies_and_lies.rules.state import Report, State, place, slot
from tests.helpers.in_javascript.script import Json, Overheard, Script, Tongue, camel, outcome_json
from tests.helpers.spies_and_lies.crook import crooked, honest


def _fields(value: Report | State) -> dict[str, Any]:
    return {camel(field.name): getattr(value, field.name) for field in fields(value)}


def _report(report: Report | None) -> Json:
    if report is None:
        return None
    return {**_fields(report), "effects": [effect._asdict() for effect in report.effects]}


def state_json(state: State) -> Json:
    """A state as `spies_and_lies_state.mjs` holds it."""
    shown = _fields(state)
    seating = state.seating
    return {
        **shown,
        "seating": {"seats": seating.seats, "gone": sorted(seating.gone)},
        "closed": [sorted(closed) for closed in state.closed],
        "marks": [sorted(marks) for marks in state.marks],
        "active": [sorted(ranks) for ranks in state.active],
        "cards": [[card and card._asdict() for card in line] for line in state.cards],
        "report": _report(state.report),
        "ended": outcome_json(state.ended),
    }


def observed(state: State, viewer: int | str, faces: Mapping[Slot, Face]) -> Json:
    """What may be drawn of a state."""
    playing = state.phase == "mission"
    report = state.report
    lines = []
    for side in SIDES:
        line = []
        for mission in MISSIONS:
            name, card = slot(state.day, side, mission), state.cards[side][mission - 1]
            awaited = state.phase == "look" and state.seating.is_team(side) and mission in SECOND
            laid = state.phase != "deploy" and not awaited
            hidden = (
                faces.get(name) if viewer in (state.seating.holder(side, mission), "all") and laid else None
            )
            line.append(
                {
                    "slot": name,
                    "laid": laid,
                    "rank": card.rank if card else hidden,
                    "open": card is not None,
                    "result": card.result if card else None,
                    "marked": mission in state.marks[side],
                    "out": report is not None and (report.owner, report.mission) == (side, mission),
                }
            )
        lines.append(line)
    return {
        **state_json(state),
        "game": GAME.name,
        "guesser": state.guesser if playing else None,
        "mission": state.mission if playing else None,
        "today": state.intel[state.day] if len(state.intel) > state.day else None,
        "intelLeft": len(INTEL_DECK) - len(state.intel),
        "cards": lines,
    }


def _nonsense(random: Random) -> Move:
    number = str(random.randint(0, 12))
    verb = random.choice(["guess ", "guess  ", "GUESS ", "mark ", "captain ", "marshal ", "token", "no ", ""])
    return verb + random.choice([number, "none", "token", "ten", "points", "1234", "21", "", " ", "five"])


TONGUE = Tongue(GAME, state_json, observed, _nonsense)


class RandomPlayer:
    """All seats: by temper honest or crooked, knowing or guessing; all lines of the table are met."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.impossible = random.choice([0, 0, 0, 0.05, 0.3])
        """How often a card is laid that cannot be there."""
        self.disorder = random.choice([0, 0.1, 0.5, 1])
        self.lies = random.choice([0, 0.1, 0.4, 1])
        self.knows = random.choice([0, 0.1, 0.5, 0.9])
        """How often a guess is right."""
        self.tokens = random.choice([0, 0.2, 0.7])
        """How often a token is laid."""
        self.laid: dict[Slot, Face] = {}

    def roll(self, sides: int) -> int:
        return self.random.randrange(sides)

    def lay(self, state: State, ask: Commit) -> tuple[Face, ...]:
        _, side, _ = place(ask.slots[0])
        own = {self.laid.get(slot(state.day, side, mission)) for mission in MISSIONS}
        rested = [rank for rank in RANKS if rank not in state.exhausted[side] and rank not in own]
        line = sorted(self.random.sample(rested, len(ask.slots)))
        if self.random.random() < self.disorder:
            self.random.shuffle(line)
        for at in range(len(line)):
            if self.random.random() < self.impossible:
                line[at] = self.random.choice(RANKS)
        self.laid.update(zip(ask.slots, line, strict=True))
        return tuple(line)

    def choose(self, state: State, ask: Choose, _faces: Mapping[Slot, Face]) -> Move:
        if "mark none" in ask.options and self.random.random() >= self.lies:
            return self._honest_mark(state, ask)
        if LAY in ask.options:
            return LAY if self.random.random() < self.tokens else KEEP
        if guess(SERGEANT) in ask.options and self.random.random() < self.knows:
            return guess(self.laid[slot(state.day, 1 - state.guesser, state.mission)])
        return self.random.choice(sorted(ask.options))

    def _honest_mark(self, state: State, ask: Choose) -> Move:
        side = state.seating.side(ask.seat)
        line = [self.laid.get(slot(state.day, side, mission)) for mission in MISSIONS]
        own = set().union(*(MARKS[move] for move in ask.options))
        known = [rank if mission in own else None for mission, rank in zip(MISSIONS, line, strict=True)]
        intel = self._any_intel(state)
        honest = [move for move in sorted(ask.options) if not falsely_marked(known, MARKS[move], intel)]
        return self.random.choice(honest)

    def _any_intel(self, state: State) -> IntelRange:
        """Often today's card, which the state does not tell yet."""
        left = [card for card in INTEL_DECK if state.intel.count(card) < INTEL_DECK.count(card)]
        return self.random.choice(left)


def wild_options(random: Random) -> Options:
    """Options of which some are offered, and some look like it."""
    walls: list[int | str] = [-1, 0, 1, 2, 4, 8, 9, "4", "", 1 << 60]
    starters: list[int | str] = [*STARTER.words, "Red", "", 0, 1, "green"]
    wanted = {"wall": random.choice(walls), "starter": random.choice(starters), "army": "duel"}
    names = random.sample(["wall", "starter", "wall", "starter", "army"], random.randint(0, 3))
    return {name: wanted[name] for name in names}


def random_options(random: Random) -> Options:
    """Any wall, any starter; a low wall is met more often."""
    wall = random.choice([WALL.least, random.randint(WALL.least, WALL.most)])
    return {"wall": wall, "starter": random.choice(STARTER.words)}


def random_scenario(random: Random) -> tuple[Script, Outcome | None]:
    """A game that the player of scenarios plays out of a scenario, an honest or a crooked one."""
    crook = random.choice([honest, crooked])(random)
    for _ in crook.play(random.randint(WALL.least, WALL.most), random.choice(STARTER.words)):
        pass
    overheard: Any = Overheard(TONGUE)
    with patch.object(scenario, "RULES", overheard):
        for _ in scenario.play(crook.scenario):
            pass
    script: tuple[Script, Outcome | None] = overheard.script()
    return script
