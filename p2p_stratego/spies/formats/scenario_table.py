"""The table of a scenario: every hidden face, the cup, the dice; a Cheat as soon as something is untrue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from p2p_stratego.core.driver import drive
from p2p_stratego.core.game import (
    Ask,
    Back,
    Choose,
    Claim,
    ClaimOneOf,
    Commit,
    Draw,
    Face,
    Lay,
    Mix,
    NewDeck,
    Open,
    Roll,
    Show,
    Slot,
    Together,
    Turn,
)
from p2p_stratego.core.rulebook import played
from p2p_stratego.core.scenario import Reader
from p2p_stratego.spies.rules.act import Act
from p2p_stratego.spies.rules.atlas import POWERS, Power
from p2p_stratego.spies.rules.bidding import powers_of
from p2p_stratego.spies.rules.counters import CHIT_NAMES
from p2p_stratego.spies.rules.faults import (
    FALSE_COMPARISON,
    FALSE_COUSIN,
    FALSE_FIND,
    FALSE_SURVIVAL,
    OVERDRAWN,
)
from p2p_stratego.spies.rules.map_data import DIE
from p2p_stratego.spies.rules.purse import money
from p2p_stratego.spies.rules.state import CUP, Event, State


class Cheat(Exception):
    """Somebody said or did what is not so."""

    def __init__(self, power: Power, rule: str) -> None:
        super().__init__(f"{POWERS[power]}: {rule}")
        self.power = power
        self.rule = rule


class Table:
    """Answers every Ask that is no decision."""

    def __init__(self) -> None:
        self.reader = Reader()
        self.act: Act
        self.faces: dict[Slot, Face] = {}
        self.cup: Counter[Face] = Counter()
        self.dealt: dict[Slot, Face] = {}
        """What chance gave before the first turn."""
        self.draws: Iterator[Face] = iter(())
        self.dice: Iterator[int] = iter(())
        self.events: list[Event] = []

    @property
    def state(self) -> State:
        """As it is now, in the middle of a step too."""
        return self.act.state

    def through(self, steps: Callable[[Act], Turn[None]], decide: Callable[[Ask], Any]) -> None:
        """One step of the game.  Raises Cheat and ScenarioError."""
        self.act = Act(self.state._replace(report=()))
        self.run(played(self.act, steps), decide)
        self.events += self.state.report
        ended = self.state.ended
        if ended is not None and ended.breach is not None:
            raise Cheat(self.state.power, ended.breach.rule)

    def begin(self, setup: Turn[State]) -> None:
        """Deal the cards."""
        self.act = Act(self.run(setup, lambda ask: ask))

    def run(self, turn: Turn[State], decide: Callable[[Ask], Any]) -> State:
        """A generator of the rules to its end."""

        def reply(ask: Ask) -> Any:
            known = self.settled(ask)
            return decide(ask) if known is NotImplemented else known

        return drive(turn, reply)

    def money(self, power: Power) -> int:
        """All that a power has."""
        return money(self.state, power, self.faces)

    def last(self, kind: str) -> Event:
        """The last event of a kind in this step."""
        return next(event for event in reversed(self.state.report) if event.kind == kind)

    def settled(self, ask: Ask) -> Any:
        """The answer to an Ask that nobody decides; NotImplemented for others.  Raises Cheat."""
        faces = self.faces
        if isinstance(ask, Choose | Commit | Together) or (isinstance(ask, Mix) and ask.chosen):
            return NotImplemented
        if isinstance(ask, Open):
            return faces[ask.slot]
        if isinstance(ask, Roll):
            return self._rolled()
        if isinstance(ask, Claim | ClaimOneOf):
            self._check(ask)
        elif isinstance(ask, Draw):
            for _, slots in ask.hands:
                self._lay(ask.deck, slots)
        elif isinstance(ask, Lay):
            self._lay(ask.deck, ask.slots)
        elif isinstance(ask, Show):
            faces.update((copy, faces[slot]) for slot, copy in zip(ask.slots, ask.copies, strict=True))
        elif isinstance(ask, Back):
            self.cup.update(faces[slot] for slot in ask.slots)
        elif isinstance(ask, NewDeck) and ask.deck == CUP:
            self.cup.update(ask.faces)
        elif isinstance(ask, Mix):
            faces.update((new, faces[old]) for old, new in zip(ask.old, ask.new, strict=True))
        return None

    def _check(self, claim: Claim | ClaimOneOf) -> None:
        shown = tuple(self.faces[slot] for slot in claim.slots)
        if not (claim.faces >= set(shown) if isinstance(claim, Claim) else shown in claim.tuples):
            raise Cheat(self._blamed(claim), claim.rule)

    def _lay(self, deck: int, slots: tuple[Slot, ...]) -> None:
        for slot in slots:
            if slot in self.dealt:
                self.faces[slot] = self.dealt[slot]
            else:
                self.faces[slot] = self._drawn()
            if deck == CUP:
                self.cup[self.faces[slot]] -= 1

    def _drawn(self) -> Face:
        face = next(self.draws, None)
        if face is None:
            raise self.reader.error('"draws" is too short: another chit leaves the cup')
        if not self.cup[face]:
            raise self.reader.error(f'"draws": the cup has no {CHIT_NAMES[face]} left')
        return face

    def _rolled(self) -> int:
        value = next(self.dice, None)
        if value is None:
            raise self.reader.error('"dice" is too short: another die is rolled')
        return DIE.index(value)

    def _blamed(self, claim: Claim | ClaimOneOf) -> Power:
        """The power whose claim is false."""
        state = self.state
        if state.phase == "bid":
            return powers_of(state, claim.seat)[0]
        if claim.rule == FALSE_COMPARISON:
            return self.last("searches").power
        if claim.rule in (FALSE_FIND, FALSE_SURVIVAL):
            return self.last("discovers").power
        if claim.rule == FALSE_COUSIN:
            return next(spy.power for spy in state.spies if spy.slot == claim.slots[0])
        if claim.rule == OVERDRAWN and state.settling is not None:
            return state.settling.power
        return state.power
