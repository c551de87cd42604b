"""SPEC 10.4, the table by which an END is judged: each row of the page against the referee."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import Final

import pytest

from p2p_stratego.core.game import Outcome
from protocol.errors import Equivocation, Refusal, Violation
from protocol.record import statements
from protocol.record.referee import Referee
from protocol.record.statements import Kind, parse_record
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, STATEMENT, Frame
from tests.helpers.seats.crossing import running, table
from tests.helpers.seats.pair import Table
from tests.helpers.seats.spec_match import SPEC

Judged = Callable[[], Refusal | None]


def verdicts() -> dict[int, str]:
    """The last column of the table, by row."""
    page = SPEC.with_name("spec").joinpath("end.md").read_text(encoding="utf-8")
    section = page.partition("### 10.4 ")[2].partition("### 10.5 ")[0]
    rows = re.findall(r"^\| (\d+) \|(?:[^|]*\|){2} ([^|]*) \|$", section, re.MULTILINE)
    return {int(number): verdict for number, verdict in rows}


def played(seats: int) -> Table:
    """A whole match with claims, which its seats reveal at the end."""
    return table(3, seats, claims=True).run(random.Random(3))


def without(match: Table, *kinds: Kind) -> list[Frame]:
    """A copy of the match from which these statements are missing."""
    log = match.seats[0].log
    return [f for f in log if f.kind == ENTRY or statements.parse(f.payload).kind not in kinds]


def admitted(match: Table, frames: Sequence[Frame]) -> Referee:
    referee = Referee(match.begun, history=False)
    for frame in frames:
        referee.admit(parse_record(frame))
    return referee


def says(match: Table, referee: Referee, seat: int, kind: Kind, content: tuple[object, ...] = ()) -> Frame:
    own = (len(referee.statements[seat]), referee.statement_heads[seat][-1])
    body = statements.body(seat, own, (referee.count, referee.head), kind, content)
    identity = match.seats[seat].identity
    return Frame(STATEMENT, body + identity.sign(labels.SIGN_STATEMENT, match.begun.id + body))


def ends(match: Table, frames: Sequence[Frame], outcome: Outcome | None, seat: int = 0) -> Refusal | None:
    """How a copy takes an END of `seat` with this outcome: the refusal, or None."""
    assert outcome is not None
    referee = admitted(match, frames)
    try:
        referee.admit(parse_record(says(match, referee, seat, Kind.END, statements.end_content(outcome))))
    except Refusal as refusal:
        return refusal
    return None


def outcome_of(match: Table, frames: Sequence[Frame]) -> Outcome | None:
    return admitted(match, frames).outcome


def unrevealed_among_more() -> Refusal | None:
    match = played(3)
    return ends(match, without(match, Kind.END), Outcome(frozenset((1,)), "unrevealed"))


def named_rightly() -> Refusal | None:
    match = played(3)
    frames = without(match, Kind.END)
    return ends(match, frames, outcome_of(match, frames))


def named_otherwise() -> Refusal | None:
    match = played(3)
    return ends(match, without(match, Kind.END), Outcome(frozenset((0, 1, 2)), "agreed-draw"))


def claims_open() -> Refusal | None:
    match = played(2)
    frames = without(match, Kind.END, Kind.REVEAL)
    assert admitted(match, frames).unsettled
    return ends(match, frames, outcome_of(match, without(match, Kind.END)))


def resigned(*seats: int) -> tuple[Table, list[Frame]]:
    match = running(2)
    frames = list(match.seats[0].log)
    referee = admitted(match, frames)
    return match, [*frames, *(says(match, referee, seat, Kind.RESIGN) for seat in seats)]


def by_the_resignation() -> Refusal | None:
    match, frames = resigned(1)
    return ends(match, frames, outcome_of(match, frames))


def by_another_resignation() -> Refusal | None:
    match, frames = resigned(0, 1)
    outcome = outcome_of(match, frames)
    assert outcome is not None
    other = Outcome(frozenset((0, 1)) - outcome.winners, outcome.reason)
    assert other.winners
    return ends(match, frames, other)


def under_way() -> Refusal | None:
    match, frames = resigned()
    return ends(match, frames, Outcome(frozenset((0,)), "resigned"))


ROWS: Final[dict[int, Judged]] = {
    4: unrevealed_among_more,
    5: named_rightly,
    6: named_otherwise,
    7: claims_open,
    8: by_the_resignation,
    9: by_another_resignation,
    10: under_way,
}


def test_every_row_of_the_table_is_tried() -> None:
    assert [*verdicts()] == [*ROWS]


@pytest.mark.parametrize("row", ROWS)
def test_the_referee_takes_an_end_as_the_table_says(row: int) -> None:
    refusal, verdict = ROWS[row](), verdicts()[row]
    if verdict == "admitted":
        assert refusal is None
    elif verdict == "refused":
        assert refusal is not None
        assert not isinstance(refusal, Violation | Equivocation)
    else:
        assert isinstance(refusal, Violation)
        assert (f"`{refusal.rule}`", refusal.seat) == (verdict, 0)
