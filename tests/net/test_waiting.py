"""Who keeps a match waiting, and from when on that may be put on record."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli import describe
from protocol.audit import audit
from protocol.failures import LinkLost
from protocol.limits import CLAIM_WHEN_AWAY, CLAIM_WHEN_CONNECTED
from protocol.referee import Referee
from protocol.session import NotNow
from protocol.statements import Kind
from protocol.waiting import Patience
from tests.cheats.bout import Bout
from tests.cheats.test_claims import TABLES
from tests.cheats.test_lies import ALL_GAMES
from tests.net.test_replica import Clock
from tests.net.wire import Wire


def test_nobody_is_waited_for_before_all_agreed_then_whoever_owes() -> None:
    bout = Bout(1, **TABLES["two"])
    referee = bout.liar.referee
    assert Referee(bout.begun).waited_for == ()
    bout.run(lambda b: b.liar.owes is not None and b.liar.referee.count > 12)
    assert referee.waited_for == (bout.liar.seat,)


def test_when_play_is_over_whoever_does_not_reveal_is_waited_for_and_named() -> None:
    bout = Bout(1, **TABLES["two"])
    bout.run(lambda b: b.liar.owes is not None and b.liar.referee.count > 12)
    bout.tell(bout.liar.statement(Kind.RESIGN))
    [honest] = bout.honest
    assert honest.session.referee.waited_for == (bout.liar.seat,)
    report = audit(honest.transcript, games=ALL_GAMES)
    assert describe.audited(report)["unsettled"] == [describe.seat_name(report.genesis, bout.liar.seat)]
    assert describe.audited(report)["owed"] is None
    liar = describe.who(report.genesis, bout.liar.seat)
    assert f"{liar} owes the REVEAL of what it made claims about." in describe.verdict(report)


def test_patience_is_shorter_without_a_connection_and_whoever_is_back_has_time_to_answer() -> None:
    patience = Patience(0.0)
    assert patience.left(100.0) == CLAIM_WHEN_AWAY - 100
    patience.back(100.0)
    assert patience.left(100.0) == CLAIM_WHEN_CONNECTED - 100
    patience.renew(500.0)
    assert patience.left(600.0) == CLAIM_WHEN_CONNECTED - 100
    assert patience.waited(600.0) == 100.0
    patience.gone(600.0)
    assert patience.left(600.0) == CLAIM_WHEN_AWAY, "what was before the obligation does not count"
    assert patience.left(10_000.0) == 0.0


def test_coming_back_for_moments_only_does_not_put_a_claim_off() -> None:
    patience = Patience(0.0)
    patience.renew(50.0)
    for now in range(50, 200, 50):
        patience.back(now)
        patience.gone(now + 1.0)
    assert patience.left(201.0) == CLAIM_WHEN_AWAY - (49 + 49 + 50)
    patience.back(201.0)
    assert patience.left(50.0 + CLAIM_WHEN_CONNECTED) == 0.0


def test_an_opponent_that_owes_and_flaps_the_link_can_be_claimed_against(tmp_path: Path) -> None:
    wire = Wire(tmp_path)
    wire.play(6)
    while (owed := wire.sides[0].session.referee.owed) is None or owed.seat != 1 or any(wire.queues):
        wire.step()
    ada, clock = wire.sides[0], Clock()
    ada._clock = clock
    ada._known = (-1, ())
    ada._changed()
    for _ in range(4):
        for side in wire.sides:
            side.unlinked(LinkLost("a pulled cable"))
        with pytest.raises(NotNow, match="to come back"):
            ada.claim_away()
        clock.now += CLAIM_WHEN_AWAY / 4
        wire.link()
        wire.settle()
        assert ada.claimable_in == CLAIM_WHEN_CONNECTED - clock.now
        clock.now += 1.0
    ada.unlinked(LinkLost("a pulled cable"))
    assert ada.claimable_in == 0.0
    ada.claim_away()
    assert ada.session.referee.statements[0][-1].content == (1, int(CLAIM_WHEN_AWAY) + 4)
    wire.close()
