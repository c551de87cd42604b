"""TakeBack: the entry by which a seat takes a decision of its own back, in the place of the one that it owes.

Only a genesis that says so allows it.  Nothing is deleted: the chain goes on, and the rules go on from before
the Ask that the decision answered (SPEC 7.10).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import Final, NoReturn

from p2p_stratego.core.game import Face, Seat, Slot
from p2p_stratego.core.values import frozen
from protocol.errors import Malformed
from protocol.limits import MAX_TAKEBACKS, TAKEN_BACK_WITHIN
from protocol.record.asks.base import BrokenRule, MessageKind, Moment, Obligation, Secrets, Table
from protocol.record.entries import Entry
from protocol.wire.messages import Message, Shape

_TAG: Final = 25


class Lasting(Enum):
    """Why no decision of a seat that owes a decision can be taken back."""

    NONE = auto()
    """No decision of the seat stands."""
    MOST = auto()
    """As many decisions were taken back as one match allows."""
    LEFT = auto()
    """A seat has gone since the last one."""
    FAR = auto()
    """The last one is not among the last decisions of all seats."""


@frozen
class TakeBack(Message):
    """`number`: that of the entry with the decision that its signer takes back."""

    number: int


def is_takeback(entry: Entry) -> bool:
    """Whether an admitted entry takes a decision back."""
    message = entry.message
    return type(message) is list and message[:1] == [_TAG]


def note(table: Table, number: int, moment: Moment) -> None:
    """Take note of the decision in entry `number`, which answered the Ask put at `moment`."""
    table.takeable[number] = moment
    if len(table.takeable) > TAKEN_BACK_WITHIN:
        del table.takeable[next(iter(table.takeable))]


def take_back(table: Table, entries: Sequence[Entry], seat: Seat, number: int) -> Moment:
    """The moment to go back to as `seat` takes back the decision in entry `number`, and with it all behind.

    Raises BrokenRule (SPEC 7.10).
    """
    moment = table.takeable.get(number)
    if moment is None or entries[number].seat != seat or table.taken_back >= MAX_TAKEBACKS:
        raise BrokenRule("false-takeback")
    for decision in [at for at, of in table.takeable.items() if at >= number or of is moment]:
        del table.takeable[decision]
    return moment


def _number(value: object) -> int:
    if type(value) is int:
        return value
    raise Malformed("A TakeBack names no entry.")


def _never(_: Secrets, __: Table, ___: Obligation, ____: Mapping[Slot, Face]) -> NoReturn:
    raise RuntimeError("no rules ask for a TakeBack")


KIND: Final = MessageKind(
    Shape(_TAG, TakeBack, (_number,)), _never, "word that it takes a decision back", ("number",)
)
