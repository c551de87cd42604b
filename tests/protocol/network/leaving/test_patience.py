"""Who keeps a match waiting, and from when on that may be put on record."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.reports import describe
from p2p_stratego.registry import GAMES
from protocol.audit.verdict import Verdict, audit
from protocol.failures import LinkLost, Loss, NotNow, Why
from protocol.limits import CLAIM_WHEN_AWAY, CLAIM_WHEN_CONNECTED
from protocol.record.pace import Pace
from protocol.record.referee import Referee
from protocol.record.statements import Kind
from protocol.replication.presence import AbsenceTimer, Presence
from protocol.replication.replica import Status
from tests.helpers.cheats.bout import Bout
from tests.helpers.cheats.tables import ALL_GAMES, CLAIMING
from tests.helpers.links.gossiping import Gossiping, graphs
from tests.helpers.links.wire import Wire


def test_nobody_is_waited_for_before_all_agreed_then_whoever_owes() -> None:
    bout = Bout(1, **CLAIMING["two"])
    referee = bout.liar.referee
    assert Referee(bout.begun).waited_for == ()
    bout.run(lambda b: b.liar.owes is not None and b.liar.referee.count > 12)
    assert referee.waited_for == (bout.liar.seat,)


def test_when_play_is_over_whoever_does_not_reveal_is_waited_for_and_named() -> None:
    bout = Bout(1, **CLAIMING["two"])
    bout.run(lambda b: b.liar.owes is not None and b.liar.referee.count > 12)
    bout.tell(bout.liar.statement(Kind.RESIGN))
    [honest] = bout.honest
    assert honest.session.referee.waited_for == (bout.liar.seat,)
    report = audit(honest.transcript, games=ALL_GAMES)
    assert describe.audited(report)["unsettled"] == [describe.seat_name(report.genesis, bout.liar.seat)]
    assert describe.audited(report)["owed"] is None
    liar = describe.seat_and_player(report.genesis, bout.liar.seat)
    assert f"{liar} owes the opening of what it has kept closed." in describe.verdict(report)


def test_patience_is_shorter_without_a_connection_and_whoever_is_back_has_time_to_answer() -> None:
    patience = AbsenceTimer(0.0)
    assert patience.left(100.0) == CLAIM_WHEN_AWAY - 100
    patience.back(100.0)
    assert patience.left(100.0) == CLAIM_WHEN_CONNECTED - 100
    patience.renew(500.0)
    assert patience.left(600.0) == CLAIM_WHEN_CONNECTED - 100
    assert patience.waited(600.0) == 100.0
    patience.gone(600.0)
    assert patience.left(600.0) == CLAIM_WHEN_AWAY, "what was before the obligation does not count"
    assert patience.left(10_000.0) == 0.0


@pytest.mark.parametrize("pace", [Pace.HOUR, Pace.DAY, Pace.WEEK])
def test_at_a_slow_pace_a_player_has_the_time_agreed_on_connected_or_not(pace: Pace) -> None:
    assert pace.seconds is not None
    patience = AbsenceTimer(0.0, pace)
    patience.renew(50.0)
    assert patience.left(60.0) == pace.seconds - 10
    patience.back(70.0)
    assert patience.left(pace.seconds) == 50.0
    patience.gone(pace.seconds)
    assert patience.left(pace.seconds + 50.0) == 0.0


def test_coming_back_for_moments_only_does_not_put_a_claim_off() -> None:
    patience = AbsenceTimer(0.0)
    patience.renew(50.0)
    for now in range(50, 200, 50):
        patience.back(now)
        patience.gone(now + 1.0)
    assert patience.left(201.0) == CLAIM_WHEN_AWAY - (49 + 49 + 50)
    patience.back(201.0)
    assert patience.left(50.0 + CLAIM_WHEN_CONNECTED) == 0.0


# Claims


@pytest.mark.parametrize(("connected", "patience"), [(False, CLAIM_WHEN_AWAY), (True, CLAIM_WHEN_CONNECTED)])
def test_a_claim_is_possible_when_the_other_side_has_kept_us_waiting_long_enough(
    wire: Wire, connected: bool, patience: float
) -> None:
    clock = wire.clocks[0]
    clock.now = 1000.0
    wire.play_until_owed(1)
    ada, ben = wire.sides
    if not connected:
        ada.unlinked(LinkLost(Loss.BROKEN))
    assert ben.claimable_in is None, "it is Ben's own turn"
    clock.now = 1000.0 + patience - 1
    assert ada.claimable_in == pytest.approx(1.0)
    with pytest.raises(NotNow, match=f"{Why.STILL_TIME.value}: 1$"):
        ada.claim_away()
    clock.now = 1000.0 + patience + 5
    ada.claim_away()
    claim = ada.session.referee.statements[0][-1]
    assert (claim.kind, claim.content[:2]) == (Kind.AWAY, (1, int(patience) + 5))
    assert ada.claimed
    assert not ada.finished, "it can still be answered"
    assert ada.claimable_in is None
    assert ada.status is (Status.CONNECTED if connected else Status.AWAY)
    assert audit(Path(ada.store.path).read_bytes(), GAMES).verdict is Verdict.UNRESPONSIVE
    wire.close()


def test_an_opponent_that_owes_and_flaps_the_link_can_be_claimed_against(wire: Wire) -> None:
    wire.play_until_owed(1)
    ada, clock = wire.sides[0], wire.clocks[0]
    for _ in range(4):
        for side in wire.sides:
            side.unlinked(LinkLost(Loss.BROKEN))
        with pytest.raises(NotNow, match=Why.STILL_TIME.value):
            ada.claim_away()
        clock.now += CLAIM_WHEN_AWAY / 4
        wire.link()
        wire.settle()
        assert ada.claimable_in == CLAIM_WHEN_CONNECTED - clock.now
        clock.now += 1.0
    ada.unlinked(LinkLost(Loss.BROKEN))
    assert ada.claimable_in == 0.0
    ada.claim_away()
    assert ada.session.referee.statements[0][-1].content[:2] == (1, int(CLAIM_WHEN_AWAY) + 4)
    wire.close()


@pytest.mark.parametrize("restarted", [False, True])
def test_whoever_was_claimed_away_can_answer_and_the_match_goes_on(wire: Wire, *, restarted: bool) -> None:
    wire.play_until_owed(1)
    ada, ben = wire.sides
    for side in wire.sides:
        side.unlinked(LinkLost(Loss.BROKEN))
    clock = wire.clocks[0]
    clock.now += CLAIM_WHEN_AWAY
    ada.claim_away()
    count = ada.session.referee.count
    if restarted:
        wire.restart(0)
        ada = wire.sides[0]
    assert ada.claimed
    assert ada.session.decision is None
    wire.link()
    wire.settle()
    assert ben.session.outcome is not None, "Ben has heard of the claim"
    assert not ben.claimed
    assert not ben.session.over
    wire.play(count + 1)
    wire.settle()
    assert all(side.session.outcome is None for side in wire.sides)
    ada.resign()
    wire.settle()
    for side in wire.sides:
        assert side.finished
        assert audit(Path(side.store.path).read_bytes(), GAMES).verdict is Verdict.COMPLETE
    wire.close()


def test_whoever_gives_up_while_it_is_cut_off_cannot_accuse_the_winner_of_hiding(tmp_path: Path) -> None:
    wire = Wire(tmp_path, game=GAMES["stratego"])
    wire.play(20)
    wire.settle()
    ada = wire.sides[0]
    for side in wire.sides:
        side.unlinked(LinkLost(Loss.BROKEN))
    clock = wire.clocks[0]
    ada.resign()
    assert ada.session.over
    assert ada.session.outcome is None
    assert ada.waited_for == (1,), "Ben has not opened what it made claims about"
    clock.now += CLAIM_WHEN_AWAY
    assert ada.claimable_in is None
    with pytest.raises(NotNow, match=Why.NOT_ACKNOWLEDGED.value):
        ada.claim_away()
    assert audit(Path(ada.store.path).read_bytes(), GAMES).verdict is Verdict.INCOMPLETE
    wire.link()
    wire.settle()
    for side in wire.sides:
        assert side.finished
        assert side.session.outcome is not None
        assert side.session.outcome.reason != "unresponsive"
    wire.close()


def test_on_our_own_turn_nobody_can_be_claimed_away(wire: Wire) -> None:
    wire.play_until_owed(0)
    assert wire.sides[0].claimable_in is None
    with pytest.raises(NotNow):
        wire.sides[0].claim_away()
    wire.close()


@pytest.mark.parametrize("away", [False, True], ids=["connected", "away"])
def test_the_decider_gets_its_own_time_once_all_others_have_said_that_a_seat_is_silent(
    tmp_path: Path, *, away: bool
) -> None:
    """It is the last one whose word counts, so nobody may call it silent for the time that others took."""
    table = Gossiping(tmp_path, 4, graphs(4)["mesh"]).mend_all()
    table.until_owing(0)
    table.kill(0)
    table.settle()
    accusers, decider = table.seats[1:3], 3
    table.clock.now += CLAIM_WHEN_AWAY
    assert [accuser.claimable_in for accuser in accusers] == [0.0, 0.0]
    accusers[0].claim_away()
    table.settle()
    assert accusers[0].claimable_in is None, "one of the others has not said so yet"
    accusers[1].claim_away()
    table.settle()
    if away:
        table.cut((1, decider))
        table.cut((2, decider))
        table.settle()
    patience = CLAIM_WHEN_AWAY if away else CLAIM_WHEN_CONNECTED
    for accuser in accusers:
        assert accuser.session.claimable == decider
        assert accuser.claimable_in == pytest.approx(patience, abs=10.0)
        with pytest.raises(NotNow, match=Why.STILL_TIME.value):
            accuser.claim_away()
    table.clock.now += patience
    for accuser in accusers:
        accuser.claim_away()
        table.settle()
    for accuser in accusers:
        outcome = accuser.session.outcome
        assert outcome is not None
        assert (outcome.reason, outcome.winners) == ("unresponsive", frozenset())
        assert accuser.session.referee.silent == {0, decider}
    table.close()


def test_a_wait_of_an_earlier_process_makes_nobody_wait_for_longer_than_it_has() -> None:
    """The one came to owe a day ago, the other one now, after the same entry."""
    day = 86_400.0
    before = Presence([1, 2], 0.0, Pace.DAY)
    before.owe(5, [1], 0.0)
    before.owe(5, [1, 2], day)
    waiting = before.waiting(day)
    assert waiting == (5, (1, 2), 0.0)
    after = Presence([1, 2], 0.0, Pace.DAY)
    after.owe(5, [1, 2], 0.0)
    after.waited_before(*waiting, 0.0)
    assert after.left(2, 0.0) == day
