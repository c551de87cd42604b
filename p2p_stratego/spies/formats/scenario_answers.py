"""The answers to an action of a scenario: who says what behind it, and what is true where nobody says."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from p2p_stratego.core.game import Ask, Choose, Commit, Move, Slot
from p2p_stratego.core.scenario import Reader
from p2p_stratego.spies.formats.scenario_start import chits
from p2p_stratego.spies.formats.scenario_table import Cheat, Table
from p2p_stratego.spies.rules.atlas import HAVENS, NAMES, POWERS, Power
from p2p_stratego.spies.rules.counters import (
    CHIT_NAMES,
    COUSIN,
    DOUBLE_CROSS,
    ESCAPE,
    GENUINE,
    HAND,
    INTERCEPT,
    KINDS,
    PAPERS,
    STRENGTHS,
    Chit,
    value,
)
from p2p_stratego.spies.rules.faults import OVERDRAWN, WRONG_CHIT
from p2p_stratego.spies.rules.notation import (
    ACCEPT,
    CAPTURED,
    DECLINE,
    FREE,
    IS_COUNTERSPY,
    IS_COUSIN,
    IS_GENUINE,
    NO_ANSWER,
    NO_COUSIN,
    SEARCH,
    SEIZE,
    SURVIVES,
    chit,
    words,
)
from p2p_stratego.spies.rules.purse import laid
from p2p_stratego.spies.rules.state import SPY_CODED, spy_code
from p2p_stratego.spies.rules.turn.tricks import BY_POLICE

PIECES = (*SPY_CODED, BY_POLICE)


class Answers:
    """The entries behind one action, consumed in order; `action` is the action as written."""

    def __init__(self, table: Table, action: Mapping[str, object], entries: list[object]) -> None:
        self.table = table
        self.action = action
        self.entries = entries
        """Those of this action, all with "by"."""
        self.says: str | None = None
        """What the searcher of an arrival says of the outcome."""
        self.returned: list[Slot] = []
        self.cousins = 0

    @property
    def reader(self) -> Reader:
        return self.table.reader

    def said(self, ask: Ask) -> Any:
        """The answer to an Ask.  Raises Cheat and ScenarioError."""
        state = self.table.state
        if isinstance(ask, Commit):
            if state.settling is not None:
                self.table.faces.update(zip(ask.slots, laid(state.settling, self.table.faces), strict=True))
            return None
        if not isinstance(ask, Choose):
            raise TypeError(f"a scenario cannot answer {ask!r}")
        return self._choice(ask.options)

    def _choice(self, options: Collection[Move]) -> Move:
        if CAPTURED in options and FREE in options:
            return self._compared()
        if IS_GENUINE in options:
            face = self.table.faces[self.table.state.secrets[self.table.last("discovers").secret].slot]
            true = IS_GENUINE if face in GENUINE else IS_COUNTERSPY
            return self._lie("says", (IS_GENUINE, IS_COUNTERSPY), true)
        if SURVIVES in options:
            return self._survives()
        if IS_COUSIN in options:
            return self._cousin()
        if SEIZE in options:
            return SEIZE if self._flag("seize", self.action.get("seize", False)) else NO_ANSWER
        if ACCEPT in options:
            return self._accepts()
        if SEARCH in options:
            return self._arrival()
        if NO_ANSWER in options:
            return self._chit(options)
        return self._returns(options)

    # Entries

    def next(self, power: Power, key: str) -> dict[str, Any] | None:
        """The next entry, if it is of `power` and has this key; it is not consumed."""
        if not self.entries:
            return None
        entry = self.entries[0]
        if not isinstance(entry, dict):
            raise self.reader.error("an answer must be an object")
        by = self.reader.word(entry["by"], '"by"', POWERS)
        return entry if by == POWERS[power] and key in entry else None

    def take(self, required: Collection[str], optional: Collection[str] = ()) -> dict[str, object]:
        """Consume the next entry."""
        return self.reader.record(self.entries.pop(0), "an answer", ("by", *required), optional)

    def finished(self) -> None:
        """Raises ScenarioError if an entry is left."""
        if self.entries or self.returned:
            raise self.reader.error("an answer stands where nobody is asked for it, or it is not possible")

    # What is true, unless somebody lies

    def _flag(self, key: str, value: object) -> bool:
        return self.reader.flag(value, f'"{key}"')

    def _lie(self, key: str, values: tuple[str, ...], true: str) -> str:
        return self.reader.word(self.action.get(key, true), f'"{key}"', values)

    def _compared(self) -> Move:
        table, event = self.table, self.table.last("searches")
        units = table.state.police_in(event.power, event.city)
        strength = sum(table.faces[unit.slot] for unit in units)
        spy = STRENGTHS[table.faces[table.state.spies[event.spy].slot]]
        true = CAPTURED if strength > spy else FREE
        if "search" in self.action:
            says = self.reader.record(
                self.action.get("says", {}), '"says"', (), [str(spy) for spy in _listed(self.action)]
            )
            return self.reader.word(says.get(spy_code(event.spy), true), '"says"', (CAPTURED, FREE))
        return self.says or true

    def _survives(self) -> Move:
        table = self.table
        face = table.faces[table.state.spies[table.last("discovers").spy].slot]
        strong = face == COUSIN or STRENGTHS[face] >= value(table.last("counterspy").face)
        return SURVIVES if self._flag("survives", self.action.get("survives", strong)) else CAPTURED

    def _cousin(self) -> Move:
        """The victim's power is asked first, the assassin's second."""
        event, table = self.table.last("sanctions"), self.table
        spy = event.spy if self.cousins else event.other
        true = table.faces[table.state.spies[spy].slot] == COUSIN
        if self.cousins:
            said = self._flag("cousin", self.action.get("cousin", true))
        else:
            entry = self.next(table.state.spies[spy].power, "cousin")
            said = true if entry is None else self._flag("cousin", self.take(("cousin",))["cousin"])
        self.cousins += 1
        return IS_COUSIN if said else NO_COUSIN

    # Answers

    def _accepts(self) -> Move:
        other = self.table.state.partner
        entry = None if other is None else self.next(other, "accept")
        if entry is None:
            return DECLINE
        return ACCEPT if self._flag("accept", self.take(("accept",))["accept"]) else DECLINE

    def _arrival(self) -> Move:
        power = self.table.state.police_of(self.table.last("moves").city)
        if power is None or self.next(power, "search") is None:
            return NO_ANSWER
        written = self.take(("search",), ("says",))
        if not self._flag("search", written["search"]):
            return NO_ANSWER
        if "says" in written:
            self.says = self.reader.word(written["says"], '"says"', (CAPTURED, FREE))
        return SEARCH

    def _chit(self, options: Collection[Move]) -> Move:
        """A chit in answer, or none."""
        power = self._asked(options)
        entry = self.next(power, "chit")
        if entry is None:
            return NO_ANSWER
        kind = CHIT_NAMES.index(self.reader.word(entry["chit"], '"chit"', CHIT_NAMES))
        if kind != DOUBLE_CROSS and _kinds(options) == {CHIT_NAMES[DOUBLE_CROSS]}:
            return NO_ANSWER  # it answers something that comes later: a search of another spy
        keys = {ESCAPE: ("haven",), INTERCEPT: ("with",)}.get(kind, ())
        if kind in (PAPERS, ESCAPE) and self.table.state.report[-1].kind == "searches":
            keys = (*keys, "spy")
            searched = self.reader.word(entry.get("spy"), '"spy"', tuple(SPY_CODED))
            if searched != spy_code(self.table.last("searches").spy):
                return NO_ANSWER
        written = self.take(("chit", *keys))
        parts = []
        if "haven" in keys:
            havens = tuple(NAMES[haven] for haven in HAVENS)
            parts.append(self.reader.word(written["haven"], '"haven"', havens))
        if "with" in keys:
            parts.append(self.reader.word(written["with"], '"with"', PIECES))
        return self.play(power, kind, options, *parts)

    def _asked(self, options: Collection[Move]) -> Power:
        slot = next(int(said.split()[1]) for said in options if said != NO_ANSWER)
        return next(power for power, hand in enumerate(self.table.state.hands) if slot in hand)

    def play(self, power: Power, kind: Chit, options: Collection[Move], *parts: str) -> Move:
        """To play a chit: one of this kind, or any if the hand has none, which is a cheat that will show.

        Raises ScenarioError if the rules do not offer it, Cheat if it cannot be paid.
        """
        hand = self.table.state.hands[power]
        held = [slot for slot in hand if self.table.faces[slot] == kind]
        said = chit(kind, (held or hand or (0,))[0], *parts)
        if said not in options:
            raise self.reader.error(
                f"{POWERS[power]} may not play {' '.join((CHIT_NAMES[kind], *parts))} now"
            )
        if self.table.money(power) < KINDS[kind].pounds:
            raise Cheat(power, OVERDRAWN)
        return said

    def _returns(self, options: Collection[Move]) -> Move:
        """The surplus, all of it in one entry."""
        slot = next(int(said.split()[1]) for said in options)
        state = self.table.state
        power = next(power for power, hand in enumerate(state.hands) if slot in hand)
        if not self.returned:
            surplus = len(state.hands[power]) - HAND
            if self.next(power, "return") is None:
                raise self.reader.error(f'"return" of {POWERS[power]} is missing: {surplus} chits over ten')
            names = chits(self.reader, self.take(("return",))["return"], '"return"')
            if len(names) != surplus:
                raise self.reader.error(f'"return" of {POWERS[power]} must be {surplus} chits')
            self.returned = self.slots(power, names)
        return words("return", self.returned.pop(0))

    def slots(self, power: Power, kinds: Collection[Chit]) -> list[Slot]:
        """The slots of these chits in a hand.  Raises Cheat if they are not there."""
        hand = list(self.table.state.hands[power])
        found = []
        for kind in kinds:
            held = next((slot for slot in hand if self.table.faces[slot] == kind), None)
            if held is None:
                raise Cheat(power, WRONG_CHIT)
            hand.remove(held)
            found.append(held)
        return found


def _kinds(options: Collection[Move]) -> set[str]:
    """The chits that may be played."""
    return {said.split(" ")[0] for said in options if said != NO_ANSWER}


def _listed(action: Mapping[str, object]) -> list[object]:
    spies = action.get("spies")
    return spies if isinstance(spies, list) else []
