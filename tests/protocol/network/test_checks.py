"""What takes long to check is checked beside the event loop (row 112)."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from protocol.channel.channel import Sync
from protocol.crypto.proofs import verification
from protocol.crypto.proofs.shuffle import ShuffleProof
from protocol.crypto.workers import Pool
from protocol.errors import Malformed, Violation
from protocol.network.checks import Checks
from protocol.record import judgement
from protocol.record.evidence import Evidence
from protocol.record.genesis import Genesis
from protocol.record.judgement import judge
from protocol.record.statements import parse_record
from protocol.replication.onlooker import HOST, Onlooker
from protocol.replication.proofs import Trial
from protocol.seat.jobs import HEAVY
from protocol.wire.encoding import ENTRY, Frame
from tests.helpers.games.cups import GAMES as CUPS
from tests.helpers.games.toy import GAMES
from tests.helpers.links.gossiping import Gossiping
from tests.helpers.links.lost_faults import CULPRIT, Dead, call, no_message, useless
from tests.helpers.machine import homes
from tests.helpers.machine.homes import KeptHome

(CARDS,) = CUPS.values()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Gossiping]:
    """Three seats; the culprit owes entry 1, and has called seat 0, which has long work done elsewhere."""
    made = Gossiping(tmp_path, 3, [(0, 2)], options={"rounds": 1}).mend_all()
    agreed = [record.frame for record in made.seats[CULPRIT].session.referee.record]
    for seat in (0, 2):
        call(made, seat)
        made.seats[seat].received(agreed, CULPRIT)
    made.settle()
    made.seats[0].exchange.elsewhere = True
    yield made
    homes.TEST.close()


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each PROOF that was judged, whether that was in the thread of the event loop."""
    judged: list[bool] = []

    def noted(genesis: Genesis, records: Sequence[Frame], known: int = 0) -> object:
        judged.append(threading.current_thread() is threading.main_thread())
        return judge(genesis, records, known)

    monkeypatch.setattr(judgement, "judge", noted)
    return judged


def proof(table: Gossiping, shared: int) -> Frame:
    """A PROOF that the culprit sent what is no message."""
    referee = table.seats[0].session.referee
    frame = Evidence(shared, referee.heads[shared], tuple(no_message(Dead(table)))).frame
    assert frame is not None
    return frame


async def test_row_112_a_useless_proof_is_judged_beside_the_loop_and_ends_its_link(
    table: Gossiping, threads: list[bool]
) -> None:
    with Pool(1) as pool:
        checks = Checks(pool)
        later = checks.take(table.seats[0], [useless(table)], CULPRIT)
        assert later is not None
        with pytest.raises(Malformed):
            await later()
        table.seats[0].unlinked(Malformed(""), CULPRIT)
        call(table, 0)
        assert checks.take(table.seats[0], [useless(table)], CULPRIT) is None
    assert threads == [False]
    assert table.seats[0].session.fault is None


async def test_row_112_a_proof_is_judged_beside_the_loop_once_and_proves_its_fault(
    table: Gossiping, threads: list[bool]
) -> None:
    with Pool(1) as pool:
        later = Checks(pool).take(table.seats[0], [proof(table, 1)], CULPRIT)
        assert later is not None
        with pytest.raises(Violation):
            await later()
    assert threads == [False]
    assert table.seats[0].session.fault is not None
    table.settle()
    assert table.seats[2].session.fault is not None


async def test_row_112_a_proof_that_waits_for_a_record_is_judged_beside_the_loop_too(
    table: Gossiping, threads: list[bool]
) -> None:
    """It shares an entry that its sender gives only behind it."""
    share = Dead(table).share
    ahead = table.seats[2].session
    ahead.receive(parse_record(share))
    early = Evidence(2, ahead.referee.heads[2], (share,)).frame
    assert early is not None
    with Pool(1) as pool:
        checks = Checks(pool)
        assert checks.take(table.seats[0], [early], CULPRIT) is None
        later = checks.take(table.seats[0], [share], CULPRIT)
        assert later is not None
        with pytest.raises(Malformed):
            await later()
    assert threads == [False]


def test_a_proof_that_is_judged_when_the_fault_is_known_adds_nothing(table: Gossiping) -> None:
    replica = table.seats[0]
    replica.received([proof(table, 1)], CULPRIT)
    trial = replica.work()
    assert isinstance(trial, Trial)
    with pytest.raises(Violation):
        replica.received(no_message(Dead(table)), CULPRIT)
    size = len(replica.session.referee.record)
    replica.judged(trial, trial.run(), CULPRIT)
    assert len(replica.session.referee.record) == size


def spectating(table: Gossiping, path: Path) -> Onlooker:
    """A spectator of the match, to whom the host has said nothing but that it has the same."""
    match = table.seats[0].match
    onlooker = Onlooker(KeptHome(path).watch(match), {match.game.name: match.game}, table.clock)
    onlooker.elsewhere = True
    onlooker.linked(lambda _: None)
    homes.TEST.callback(onlooker.close)
    onlooker.received([Sync(match.id, onlooker.copy.position()).frame])
    return onlooker


def records(table: Gossiping) -> list[Frame]:
    return [record.frame for record in table.seats[0].session.referee.record if hasattr(record, "frame")]


async def test_row_112_a_spectator_judges_proofs_beside_the_loop_and_useless_ones_once(
    table: Gossiping, threads: list[bool], tmp_path: Path
) -> None:
    onlooker = spectating(table, tmp_path / "watching")
    onlooker.received(records(table))
    with Pool(1) as pool:
        checks = Checks(pool)
        later = checks.take(onlooker, [useless(table)], HOST)
        assert later is not None
        with pytest.raises(Malformed):
            await later()
        assert checks.take(onlooker, [useless(table)], HOST) is None
    assert threads == [False]


async def test_a_spectator_is_shown_a_fault_by_a_proof_and_keeps_it(table: Gossiping, tmp_path: Path) -> None:
    onlooker = spectating(table, tmp_path / "watching")
    onlooker.received(records(table))
    with Pool(1) as pool:
        later = Checks(pool).take(onlooker, [proof(table, 1)], HOST)
        assert later is not None
        await later()
    assert onlooker.copy.fault is not None
    onlooker.close()
    again = Onlooker(KeptHome(tmp_path / "watching").watch(onlooker.match), GAMES, table.clock)
    assert again.copy.fault is not None
    again.close()


async def test_row_112_a_spectator_s_own_process_checks_no_shuffle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Gossiping(tmp_path, 2, [(0, 1)], game=CARDS, proofs=True).mend_all()
    while not any(len(frame.payload) >= HEAVY for frame in records(table)):
        assert table.step()
    onlooker = spectating(table, tmp_path / "watching")
    verification.forget()
    monkeypatch.setattr(ShuffleProof, "verify", pytest.fail)
    with Pool(1) as pool:
        later = Checks(pool).take(onlooker, records(table), HOST)
        assert later is not None
        await later()
    assert onlooker.copy.position() == table.seats[0].session.position()
    table.close()


async def test_row_112_a_shuffle_that_comes_before_its_time_is_checked_in_a_process_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Entry 1 comes to a spectator behind all others."""
    table = Gossiping(tmp_path, 2, [(0, 1)], game=CARDS, proofs=True).mend_all()
    while not any(len(frame.payload) >= HEAVY for frame in records(table)):
        assert table.step()
    known = records(table)
    second = [frame for frame in known if frame.kind == ENTRY][1]
    onlooker = spectating(table, tmp_path / "watching")
    verification.forget()
    monkeypatch.setattr(ShuffleProof, "verify", pytest.fail)
    with Pool(1) as pool:
        checks = Checks(pool)
        for frame in (*(record for record in known if record is not second), second):
            later = checks.take(onlooker, [frame], HOST)
            if later is not None:
                await later()
    assert onlooker.copy.position() == table.seats[0].session.position()
    table.close()
