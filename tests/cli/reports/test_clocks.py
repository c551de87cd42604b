"""A clock in words and for machines, and what an audit says of one that ran out."""

from __future__ import annotations

import pytest

from cli.reports import clocks, describe, history
from p2p_stratego.registry import GAMES
from protocol.audit.verdict import Report, audit, replay
from protocol.record.time_control import TimeControl
from tests.golden.dialogues import assert_told
from tests.helpers.machine.modules import VECTORS

_DATA = VECTORS / "transcripts"


def audited(name: str) -> Report:
    return audit((_DATA / f"{name}.p2ps").read_bytes(), GAMES)


@pytest.mark.parametrize(
    ("clock", "text", "plain"),
    [
        (
            TimeControl(900, 10),
            "15 minutes for each player, and 10 seconds more for each decision",
            {"initial": 900, "increment": 10},
        ),
        (TimeControl(3661, 0), "1 hour 1 minute 1 second for each player", {"initial": 3661, "increment": 0}),
        (
            TimeControl(90),
            "1 minute 30 seconds for each decision, ten times as long for the first",
            {"each": 90},
        ),
        (None, "", None),
    ],
)
def test_a_clock_is_told_in_words_and_as_data(
    clock: TimeControl | None, text: str, plain: dict[str, int] | None
) -> None:
    assert clocks.as_json(clock) == plain
    assert clock is None or clocks.clause(clock) == text


def test_an_audit_names_the_seat_whose_clock_ran_out_and_says_what_that_is_worth() -> None:
    report = audited("unresponsive-time-fischer")
    (seat,) = report.out_of_time
    plain = describe.audited(report)
    assert plain["clock"] == {"initial": 900, "increment": 10}
    assert plain["out_of_time"] == [describe.seat_name(report.genesis, seat)]
    assert (plain["verdict"], plain["reason"]) == ("unresponsive", "unresponsive")
    loser, winner = (describe.seat_and_player(report.genesis, number) for number in (seat, 1 - seat))
    assert_told("audit", "a clock ran out", describe.verdict(report), LOSER=loser, WINNER=winner)
    assert ("clock", clocks.clause(TimeControl(900, 10))) in list(describe.heading(report.genesis))


def test_who_answered_is_not_called_late() -> None:
    report = audited("incomplete-time-each-answered")
    assert report.out_of_time == ()
    assert "clock" not in describe.verdict(report)


def test_the_history_tells_who_said_that_a_clock_ran_out() -> None:
    record = replay((_DATA / "unresponsive-time-each.p2ps").read_bytes(), GAMES)
    sentences = [
        history.speak(statement, record.report.genesis)
        for known in record.referee.statements
        for statement in known
    ]
    names = history.names(record.report.genesis)
    (seat,) = record.report.out_of_time
    late = {"CALLER": names[1 - seat], "LATE": names[seat]}
    assert_told("export", "who said that a clock ran out", "\n".join(sentences), "clock", **late)
