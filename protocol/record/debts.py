"""The debts of all seats at this moment of a match: several seats that decide at the same time all owe."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from p2p_stratego.core.game import Seat, Together
from protocol.record.asks.proofs.shuffled import Shuffled
from protocol.record.asks.registry import is_decision
from protocol.record.standing import Standing

DebtName: TypeAlias = tuple[str, int]
"""The identity of a debt of a seat: "entry" and its place in the chain, or "together" and its serial."""


class DebtKind(Enum):
    """The kind of a debt: a person's decision, a step that a program takes alone, or a shuffle."""

    DECISION = "decision"
    PROGRAM = "program"
    SHUFFLE = "shuffle"


@dataclass(frozen=True, slots=True)
class Debt:
    """An entry that a seat owes; `next`: whether the chain waits for that entry now."""

    name: DebtName
    duty: DebtKind
    next: bool


def debts(referee: Standing) -> dict[Seat, Debt]:
    """By seat: its debt.  Of several seats that decide at the same time, each has a debt."""
    owed, gone = referee.owed, referee.table.gone
    if owed is None or not referee.agreed or referee.provisional is not None:
        return {}
    if not is_decision(owed):
        duty = DebtKind.SHUFFLE if owed.message is Shuffled else DebtKind.PROGRAM
        return {owed.seat: Debt(("entry", referee.count), duty, next=True)}
    if not isinstance(owed.ask, Together):
        return {owed.seat: Debt(("entry", referee.count), DebtKind.DECISION, next=True)}
    name = "together", referee.table.serial
    seats = [part.seat for part in owed.ask.asks if part.seat >= owed.seat and part.seat not in gone]
    return {seat: Debt(name, DebtKind.DECISION, next=seat == owed.seat) for seat in seats}
