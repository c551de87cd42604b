"""The events beside the steps of a match: statements, and players who are taken out.

The record alone tells them, so they read the same for all, and again after a resumption.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from cli.reports import history
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import _
from protocol.record.asks.base import Table
from protocol.record.asks.proofs.keys import can_spare
from protocol.record.asks.takeback import is_takeback
from protocol.record.entries import Entry, Folded
from protocol.record.genesis import Genesis
from protocol.record.referee import Referee
from protocol.record.statements import Kind, Statement


@dataclass(frozen=True, slots=True)
class Departure:
    """`seat` was taken out by the word of all others, after `count` entries."""

    seat: Seat
    count: int


@dataclass(frozen=True, slots=True)
class Takeback:
    """`seat` took a decision back, in the place of entry `count`."""

    seat: Seat
    count: int


Aside: TypeAlias = Statement | Departure | Takeback


class Asides:
    """Reads the asides of one match as it grows."""

    def __init__(self, genesis: Genesis) -> None:
        self._offers, self._escrow = history.Offers(genesis), _Escrow(genesis)
        self._gone: set[Seat] = set()
        self._read = 0

    def read(self, referee: Referee) -> list[Aside]:
        """The new asides, in the order of the counts of entries behind which they stand."""
        fresh, self._read = referee.record[self._read :], len(referee.record)
        gone = [
            Departure(seat, number)
            for seat, number in referee.table.gone.items()
            if seat not in self._gone and not isinstance(referee.entries[number], Folded)
        ]
        self._gone.update(departure.seat for departure in gone)
        entries = (record for record in fresh if isinstance(record, Entry))
        back = [Takeback(entry.seat, entry.number) for entry in entries if is_takeback(entry)]
        asides: list[Aside] = [*history.statements(fresh), *gone, *back]
        return sorted(asides, key=lambda aside: aside.count)

    def hear(self, event: history.Step | Aside, referee: Referee) -> list[str]:
        """The sentences that follow from a step or an aside, and are told behind it."""
        sentences = []
        if isinstance(event, Statement | Departure):
            sentences += self._escrow.hear(event, referee.table)
        if isinstance(event, Statement | history.Step):
            sentences += self._offers.hear(event, referee.decided_at)
        return sentences


def speak(aside: Aside, genesis: Genesis) -> str:
    """A statement, or that a player is out, as a sentence."""
    if isinstance(aside, Statement):
        return history.speak(aside, genesis)
    name = history.names(genesis)[aside.seat]
    if isinstance(aside, Takeback):
        return _("{name} takes a decision back, and the game goes on from before it.", name=name)
    return _("{name} is out of the game: all others have said that {name} does not answer.", name=name)


class _Escrow:
    """Tells for how many who vanish an escrow still serves, whenever that number falls."""

    def __init__(self, genesis: Genesis) -> None:
        self._present = set(range(len(genesis.players)))

    def hear(self, aside: Statement | Departure, table: Table) -> list[str]:
        """A sentence if the number falls with it."""
        leaves = isinstance(aside, Departure) or aside.kind is Kind.RESIGN
        if not leaves or aside.seat not in self._present:
            return []
        before = can_spare(table, self._present)
        self._present.discard(aside.seat)
        left = can_spare(table, self._present)
        return [f"{serves(left)}."] if left < before and len(self._present) > 1 else []


def serves(number: int) -> str:
    """For how many who vanish an escrow serves, as a sentence without its full stop."""
    if not number:
        return _("The escrow serves no more: if another player vanishes, the game ends there")
    more = (
        _("one more player who vanishes")
        if number == 1
        else _("{number} more players who vanish", number=number)
    )
    return _("The escrow serves for {more}", more=more)
