"""What must hold at a table of many when a match is over, whatever happened to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from p2p_stratego.core.game import Seat
from protocol.audit.comparison import compare
from protocol.audit.verdict import Report, Verdict, audit
from tests.campaigns.chaos.checks import Witness, copy, left, records, twice
from tests.campaigns.tables.player import GAMES


def promises(homes: dict[Seat, Path], witness: Witness, gone: frozenset[Seat]) -> Iterator[str]:
    """Every promise that the match broke; `homes`: of all seats; `gone`: those that did not come back."""
    for home in homes.values():
        yield from left(home)
    copies = {seat: copy(home) for seat, home in homes.items()}
    held = {seat: records(data) for seat, data in copies.items()}
    yield from twice([*held.values()], witness)
    reports = {seat: audit(data, GAMES, every_signature=True) for seat, data in copies.items()}
    for seat, report in reports.items():
        if report.fault is not None:
            yield f"the copy of seat {seat} blames {report.fault}"
        if seat not in gone:
            yield from _told(seat, report, gone)
    stayed = [seat for seat in copies if seat not in gone]
    first = held[stayed[0]]
    for seat in stayed:
        lacking = sorted(where for where in witness.sent if where[1] not in gone and where not in held[seat])
        if lacking:
            yield f"seat {seat} lacks {lacking}, which were sent"
        if held[seat] != first:
            different = sorted(held[seat].items() ^ first.items())
            yield f"seats {stayed[0]} and {seat} hold different records: {different}"
    if not compare([copies[seat] for seat in stayed], GAMES).agree:
        yield "the copies of those who stayed do not agree"
    if (fault := compare(copies.values(), GAMES).fault) is not None:
        yield f"all copies together blame {fault}"


def _told(seat: Seat, report: Report, gone: frozenset[Seat]) -> Iterator[str]:
    """The end, or, once play is over, what only those still owe who are gone."""
    if report.verdict is Verdict.COMPLETE:
        return
    owed = report.verdict is Verdict.INCOMPLETE and report.owed is None and gone.issuperset(report.waited_for)
    if not (gone and owed):
        why = report.problem or report.fault or f"waits for {report.waited_for}"
        yield f"the copy of seat {seat} is {report.verdict.value}: {why}"
