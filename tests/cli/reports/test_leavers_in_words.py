"""What an audit says of seats that left, fell silent, or never showed what they had claimed."""

from __future__ import annotations

import pytest

from cli.reports import describe
from p2p_stratego.registry import GAMES
from protocol.audit.verdict import Report, Verdict, audit
from tests.golden.dialogues import assert_told
from tests.helpers.cheats.bout import judge
from tests.helpers.machine.modules import VECTORS
from tests.helpers.seats.leavers import left

_DATA = VECTORS / "transcripts"


def audited(name: str) -> Report:
    return audit((_DATA / f"{name}.p2ps").read_bytes(), GAMES)


def named(report: Report, seat: int) -> str:
    return describe.seat_name(report.genesis, seat)


def test_who_never_showed_its_claims_is_named() -> None:
    report = audited("complete-three-unrevealed")
    (seat,) = report.unsettled
    who = describe.seat_and_player(report.genesis, seat)
    assert_told("audit", "claims were never shown", describe.verdict(report), UNSETTLED=who)
    plain = describe.audited(report)
    assert (plain["reason"], plain["unsettled"], plain["winners"]) == (
        "unrevealed",
        [named(report, seat)],
        [],
    )


def test_the_two_without_whom_a_match_cannot_go_on_are_named() -> None:
    report = audited("unresponsive-four")
    assert len(report.silent) == 2
    assert describe.audited(report)["silent"] == [named(report, seat) for seat in report.silent]
    for seat in report.silent:
        assert describe.seat_and_player(report.genesis, seat) in describe.verdict(report)


@pytest.mark.parametrize("name", ["complete-four-gone", "complete-four-back", "incomplete-gone-supersedes"])
def test_a_match_that_goes_on_names_nobody(name: str) -> None:
    plain = describe.audited(audited(name))
    assert (plain["silent"], plain["never_settled"], plain["unsettled"]) == ([], [], [])


def test_claims_of_who_is_gone_stay_open_and_are_told() -> None:
    """The toy game with claims; the leaver is dead from some event of its middle on."""
    for seed in range(1, 40, 2):
        match = left(seed, 3, "dead", 60)
        report = judge(match.living[0].transcript)
        if report.verdict is Verdict.COMPLETE and report.never_settled:
            break
    else:
        raise AssertionError("no such match")
    assert report.never_settled == (match.leaver,)
    assert describe.audited(report)["never_settled"] == [named(report, match.leaver)]
