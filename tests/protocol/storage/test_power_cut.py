"""What a power cut leaves of what was not synced, and how a match goes on from it: row 35."""

from __future__ import annotations

import random
import shutil
import stat
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.channel.channel import Sync
from protocol.errors import Malformed, Stale
from protocol.failures import Damaged, LinkLost, Loss, NotNow, Why
from protocol.record.position import Position
from protocol.record.statements import Kind
from protocol.replication.holdings import Counts, Have
from protocol.replication.replica import Status
from protocol.storage.match_store import SECRETS, TRANSCRIPT
from protocol.wire import transcript
from protocol.wire.encoding import RECORDED, STATEMENT, Frame, holds_frame, read_frame
from tests.helpers.links.gossiping import Gossiping, graphs
from tests.helpers.links.wire import Wire, assert_one_signature_a_place, statement
from tests.helpers.machine.disk import beginnings, filled, open_match
from tests.helpers.machine.examples import every, examples
from tests.helpers.machine.homes import kill

TAILS = st.one_of(
    st.integers(1, 5000).map(bytes), st.binary(min_size=1, max_size=5000), st.just(b"\x02\x03@A" * 500)
)
"""Zeros, garbage, and bytes that look like the beginning of a record."""


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a match with records in both files."""
    return filled(tmp_path_factory.mktemp("match"))


def restored(folder: Path, name: str, data: bytes) -> bytes:
    """Put `data` in the place of file `name`, and take away what was set aside before; what it held."""
    for kept in folder.glob("*.damaged-*"):
        kept.unlink()
    before = (folder / name).read_bytes()
    (folder / name).write_bytes(data)
    return before


@pytest.mark.parametrize("name", [TRANSCRIPT, SECRETS])
@given(data=st.data(), tail=TAILS)
@examples(40, 400)
def test_row_35_any_tail_behind_any_cut_is_set_aside_and_the_whole_records_stay(
    match: Path, name: str, data: st.DataObject, tail: bytes
) -> None:
    good = (match / name).read_bytes()
    starts = [*beginnings(good), len(good)]
    cut = data.draw(st.integers(starts[0], len(good)))
    spoilt = good[:cut] + tail
    restored(match, name, spoilt)
    whole = max(start for start in starts if start <= cut)
    store = open_match(match)
    try:
        assert (match / name).read_bytes() == good[:whole]
        for kept in store.set_aside:
            path = Path(kept.place)
            assert (kept.offset, kept.size) == (whole, len(spoilt) - whole)
            assert path.read_bytes() == spoilt[whole:]
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
        torn = read_frame(spoilt, whole) if not store.set_aside else None
        assert torn is None, "what is not kept was an incomplete record"
        if name == TRANSCRIPT:
            assert store.recorded == transcript.read(good[:whole]).frames
    finally:
        store.close()
        restored(match, name, good)
    open_match(match).close()


@pytest.mark.parametrize("name", [TRANSCRIPT, SECRETS])
@given(data=st.data(), tail=TAILS)
@examples(25, 200)
def test_row_35_damage_with_a_whole_record_behind_it_stays_a_stop(
    match: Path, name: str, data: st.DataObject, tail: bytes
) -> None:
    good = (match / name).read_bytes()
    starts = beginnings(good)
    behind = data.draw(st.sampled_from(starts))
    before = data.draw(st.sampled_from([start for start in starts if start <= behind]))
    spoilt = good[:before] + bytes(5) + tail + good[behind:]
    restored(match, name, spoilt)
    with pytest.raises(Damaged) as stop:
        open_match(match)
    assert stop.value.offset == before
    assert restored(match, name, good) == spoilt, "nothing was changed"


def test_row_35_a_second_power_cut_at_the_same_place_loses_nothing_of_the_first(match: Path) -> None:
    good = (match / TRANSCRIPT).read_bytes()
    for tail in (bytes(100), b"g" * 60, bytes(100)):
        (match / TRANSCRIPT).write_bytes(good + tail)
        open_match(match).close()
    kept = {path.name: path.read_bytes() for path in match.glob("*.damaged-*")}
    restored(match, TRANSCRIPT, good)
    name = f"{TRANSCRIPT}.damaged-{len(good)}"
    assert kept == {name: bytes(100), f"{name}-2": b"g" * 60}


def spoil(folder: Path, name: str, records: int, tail: bytes | None = None) -> None:
    """Zeros, or `tail`, in the place of the last records of a file."""
    data = (folder / name).read_bytes()
    starts = beginnings(data)
    start = starts[-min(records, len(starts))]
    (folder / name).write_bytes(data[:start] + (bytes(len(data) - start) if tail is None else tail))


def cut_power(wire: Wire, side: int, records: int) -> None:
    """The process of `side` ends, and the end of its log is lost; a new process opens what is left."""
    kill(wire.sides[side].store)
    spoil(Path(wire.sides[side].store.path).parent, TRANSCRIPT, records)
    wire.restart(side)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("records", [1, 2, 3, 5])
def test_row_35_own_records_that_the_disk_lost_come_back_before_anything_is_signed(
    tmp_path: Path, side: int, records: int
) -> None:
    for entries in every(range(2, 30, 4), 2, side + records):
        path = tmp_path / str(entries)
        path.mkdir()
        wire = Wire(path, seed=entries)
        wire.play(entries)
        wire.settle()
        sent = len(wire.sent)
        cut_power(wire, side, records)
        cut_power(wire, side, 1)  # once more, before there was a connection
        assert len(wire.sent) == sent
        wire.link()
        wire.play()
        assert [replica.status for replica in wire.sides] == [Status.CONNECTED] * 2
        assert all(replica.finished for replica in wire.sides)
        assert_one_signature_a_place(wire)
        assert wire.records(0) == wire.records(1) >= set(wire.sent_payloads())
        wire.close()
        shutil.rmtree(path)


def test_row_35_after_the_comparison_an_own_record_from_elsewhere_freezes_the_copy_again(
    tmp_path: Path,
) -> None:
    wire = Wire(tmp_path)
    wire.play(8)
    wire.settle()
    cut_power(wire, 0, 1)
    wire.link()
    wire.settle()
    mended = wire.sides[0]
    assert mended.session.live
    with pytest.raises(Stale):
        mended.received([statement_elsewhere(wire)])
    wire.close()


def test_row_35_own_records_longer_than_what_was_lost_were_signed_elsewhere(tmp_path: Path) -> None:
    wire = Wire(tmp_path)
    wire.play(12)
    wire.settle()
    kill(wire.sides[0].store)
    folder = Path(wire.sides[0].store.path).parent
    spoil(folder, TRANSCRIPT, 8, bytes(20))
    wire.restart(0)
    wire.link()
    with pytest.raises(Stale):
        wire.play()
    assert wire.sides[0].store.secrets.stale
    wire.close()


@pytest.mark.parametrize("records", [2, 3, 4])
def test_row_35_lost_records_that_are_shown_and_kept_back_are_not_signed_again(
    tmp_path: Path, records: int
) -> None:
    wire = Wire(tmp_path)
    wire.play(9)
    wire.settle()
    cut_power(wire, 0, records)
    mended, other = wire.sides
    mended.linked(lambda _: None)
    before = mended.session.position()
    shown = other.session.copy.newest(0)
    assert mended.session.copy.lacks(0, shown)
    with pytest.raises(Malformed):
        mended.received([Sync(mended.match.id, before, *shown).frame])
    assert not mended.session.proven
    assert mended.session.position() == before, "nothing was signed"
    with pytest.raises(NotNow):
        mended.say("hello")
    mended.unlinked(LinkLost(Loss.BROKEN))
    wire.link()  # an honest copy gives them back, and the match goes on
    wire.play()
    assert all(replica.finished for replica in wire.sides)
    assert_one_signature_a_place(wire)
    wire.close()


def test_row_35_no_have_makes_a_mended_copy_sign_a_lost_statement_again(tmp_path: Path) -> None:
    """Seat 1 announces more than there is, shows what the disk of seat 0 lost, and then takes it back."""
    table = Gossiping(tmp_path, 3, graphs(3)["mesh"]).mend_all().settle()
    table.seats[0].say("lost soon")
    table.settle()
    shown = table.seats[1].session.copy.newest(0)
    table.kill(0)
    spoil(Path(table.seats[0].store.path).parent, TRANSCRIPT, 1)
    mended = table.restart(0)
    before = mended.session.position()
    more = Position(before.count + 5, bytes(32), table.seats[1].session.position().statements)
    mended.linked(lambda _: None, 1)
    mended.received([Sync(mended.match.id, more, *shown).frame], 1)
    mended.received([Have(Counts(before.count, [1, 1, 1]), 0, (1, 0, 1)).frame], 1)
    with pytest.raises(NotNow):
        mended.say("said again")
    assert mended.session.behind
    assert not mended.session.proven
    table.close()


def test_row_35_nothing_is_claimed_before_the_lost_records_are_back(tmp_path: Path) -> None:
    wire = Wire(tmp_path)
    wire.play(8)
    wire.settle()
    wire.play_until_owed(1)
    cut_power(wire, 0, 1)
    session = wire.sides[0].session
    before = session.position()
    wishes: list[Callable[[], None]] = [partial(session.claim_away, 999), session.resign, session.offer_draw]
    for wish in wishes:
        with pytest.raises(NotNow) as refused:
            wish()
        assert refused.value.why in (Why.NOT_COMPARED, Why.OWN_TURN)
    assert session.position() == before
    wire.close()


def test_row_35_a_lost_decision_that_the_record_depends_on_stays_a_stop(tmp_path: Path) -> None:
    """A deployment that was committed to must be opened; one that is decided anew would be another one."""
    wire = Wire(tmp_path)
    wire.play(4)
    wire.settle()
    folder = Path(wire.sides[0].store.path).parent
    decisions = len(beginnings((folder / SECRETS).read_bytes()))
    kill(wire.sides[0].store)
    spoil(folder, SECRETS, decisions)
    for _ in range(2):
        with pytest.raises(Damaged) as stop:
            wire.restart(0)
        assert stop.value.place.endswith(SECRETS)
    wire.close()


def test_row_35_a_lost_decision_that_nothing_depends_on_is_asked_for_again(tmp_path: Path) -> None:
    wire = Wire(tmp_path)
    wire.settle()
    wire.restart(0)  # until heads are compared nothing is signed, so the decision is only kept
    decision = wire.sides[0].session.decision
    assert decision is not None
    wire.sides[0].decide(tuple(sorted(decision.faces))[: len(decision.slots)])  # type: ignore[union-attr]  # a match begins with a deployment
    kill(wire.sides[0].store)
    spoil(Path(wire.sides[0].store.path).parent, SECRETS, 1)
    wire.restart(0)
    assert wire.sides[0].session.decision == decision
    wire.link()
    wire.play()
    assert all(replica.finished for replica in wire.sides)
    assert_one_signature_a_place(wire)
    wire.close()


def statement_elsewhere(wire: Wire) -> Frame:
    """What another copy of the first player's match said in its name."""
    frame = statement(wire, 0, Kind.CHAT, "from my other machine")
    assert frame.kind == STATEMENT
    return frame


def test_garbage_hardly_ever_holds_a_record() -> None:
    assert not holds_frame(random.Random(1).randbytes(200_000), 0, RECORDED)
    assert holds_frame(random.Random(1).randbytes(2000) + bytes(Frame(2, b"it")) + b"..", 3, RECORDED)
