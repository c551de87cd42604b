"""A proposal of a scenario: what each of two powers gives, and the answer to it."""

from __future__ import annotations

from typing import Any, NamedTuple

from p2p_stratego.core.game import Ask, Choose, Commit, Move
from p2p_stratego.core.scenario import Reader
from p2p_stratego.spies.formats.scenario_answers import PIECES, Answers
from p2p_stratego.spies.formats.scenario_start import MOST_POUNDS, chits
from p2p_stratego.spies.formats.scenario_table import Cheat, Table
from p2p_stratego.spies.rules.atlas import NAMES, POWERS, Power
from p2p_stratego.spies.rules.counters import Chit
from p2p_stratego.spies.rules.faults import OVERDRAWN
from p2p_stratego.spies.rules.game import step_of
from p2p_stratego.spies.rules.notation import ACCEPT, READY, words
from p2p_stratego.spies.rules.purse import MOST, digits
from p2p_stratego.spies.rules.turn.actions import PROPOSE
from p2p_stratego.spies.rules.turn.trade import Terms


class Part(NamedTuple):
    """What one of the two gives."""

    money: int
    chits: tuple[Chit, ...]
    secrets: tuple[tuple[str, str], ...]
    """The secret, and the piece that takes it."""

    @property
    def empty(self) -> bool:
        """Whether it gives nothing."""
        return not (self.money or self.chits or self.secrets)


def _part(reader: Reader, value: object, what: str) -> Part:
    written = reader.record(value, what, (), ("money", "chits", "secrets"))
    secrets = reader.record(written.get("secrets", {}), f"the secrets of {what}", (), NAMES)
    return Part(
        reader.whole(written.get("money", 0), f"the money of {what}", 0, MOST_POUNDS),
        chits(reader, written.get("chits", []), f"the chits of {what}"),
        tuple(
            (name, reader.word(piece, f"the piece that takes {name}", PIECES))
            for name, piece in secrets.items()
        ),
    )


class Trade:
    """One proposal."""

    def __init__(self, table: Table, behind: Answers) -> None:
        self.table = table
        self.behind = behind
        self.power: Power = table.state.power
        self.other: Power = 0
        self.parts: tuple[Part, Part]
        self.said: list[Move] = []

    def carry_out(self, action: dict[str, object]) -> None:
        """The whole step.  Raises Cheat and ScenarioError."""
        table, reader = self.table, self.table.reader
        reader.record(action, "the action", ("trade",), ("offer", "want"))
        self.other = POWERS.index(reader.word(action["trade"], '"trade"', POWERS))
        if self.other not in table.state.talks:
            raise reader.error(f"no talks with {POWERS[self.other]} are open")
        offer, want = (_part(reader, action.get(key, {}), f'"{key}"') for key in ("offer", "want"))
        if offer.empty and want.empty:
            raise reader.error("the proposal names nothing")
        self.parts = (offer, want)
        self.said = [
            words(PROPOSE, POWERS[self.other]),
            self._terms(offer, want).move,
            *(words("give", *pair) for pair in offer.secrets),
            *(words("want", *pair) for pair in want.secrets),
        ]
        table.through(step_of(table.state), self._decide)
        if self.said:
            raise reader.error("the rules do not offer all of this trade")
        event = table.events[-1]
        numbers = (offer.money, *event.numbers[1:3], want.money, *event.numbers[4:])
        table.events[-1] = event._replace(numbers=numbers)

    def _terms(self, offer: Part, want: Part) -> Terms:
        state, reader = self.table.state, self.table.reader
        hand = state.hands[self.power]
        if len(offer.chits) > len(hand):
            raise reader.error(f"{POWERS[self.power]} has fewer chits than it offers")
        if state.secret and max(offer.money, want.money) > MOST:
            raise reader.error(f"a trade is of {MOST} pounds at most")
        free = list(range(len(hand)))
        for chit in offer.chits:
            held = [place for place in free if self.table.faces[hand[place]] == chit]
            free.remove((held or free)[0])
        places = tuple(place for place in range(len(hand)) if place not in free)
        pounds = [None if state.secret and part.money else part.money for part in (offer, want)]
        return Terms(pounds[0], places, pounds[1], len(want.chits))

    def _decide(self, ask: Ask) -> Any:
        state = self.table.state
        if isinstance(ask, Commit) and state.settling is None:
            part = self.parts[0] if state.amounts[0] == ask.slots else self.parts[1]
            self.table.faces.update(zip(ask.slots, digits(part.money), strict=True))
            return None
        if not isinstance(ask, Choose):
            return self.behind.said(ask)
        if ACCEPT in ask.options:
            if self.said:
                raise self.table.reader.error(f"the rules do not offer this trade: {self.said[0]!a}")
            answer = self.behind.said(ask)
            if answer == ACCEPT:
                self._check()
            return answer
        first = next(iter(ask.options))
        if first.startswith("hand "):
            return words("hand", self._back.pop(0))
        said = self.said.pop(0) if self.said else READY
        if said not in ask.options:
            raise self.table.reader.error(f"the rules do not offer this trade: {said!a}")
        return said

    def _check(self) -> None:
        """Each must have what it gives, the proposer before the other."""
        for power, part in zip((self.power, self.other), self.parts, strict=True):
            if self.table.money(power) < part.money:
                raise Cheat(power, OVERDRAWN)
            found = self.behind.slots(power, part.chits)
            if power == self.other:
                self._back = found
