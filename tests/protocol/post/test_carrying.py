"""A match by post: the same record as over a link, whatever the carrier does, and nothing signed twice."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from p2p_stratego.spies_and_lies.rules.game import GAME
from protocol.audit.verdict import Verdict, audit
from protocol.channel.channel import Sync, read_sync
from protocol.errors import Forged, Malformed, Stale
from protocol.failures import NotNow
from protocol.post import carrying, form
from protocol.post.form import Postmark, Stamp
from protocol.record.entries import parse_entry
from protocol.record.pace import Pace
from protocol.record.position import StatementHead
from protocol.replication.replica import Status
from protocol.wire.encoding import ENTRY
from tests.helpers.games.toy import TOY
from tests.helpers.links.by_post import Correspondence, carried, kept, restored, rewritten


@pytest.fixture(name="two")
def _two(tmp_path: Path) -> Correspondence:
    return Correspondence(tmp_path, TOY, rounds=1)


def posts_by(two: Correspondence, seat: int) -> list[bytes]:
    return two.sent[1 - seat]


def test_a_whole_match_by_post_from_its_offer_to_the_audit(two: Correspondence) -> None:
    two.play()
    for seat in (0, 1):
        report = audit(two.transcript(seat), {TOY.name: TOY})
        assert report.verdict is Verdict.COMPLETE
    assert two.entries(0) == two.entries(1)


def test_three_seats_by_post_and_each_gets_what_it_lacks_whoever_wrote_it(tmp_path: Path) -> None:
    three = Correspondence(tmp_path, TOY, 3, rounds=1)
    three.play()
    assert three.entries(0) == three.entries(1) == three.entries(2)
    assert audit(three.transcript(2), {TOY.name: TOY}).verdict is Verdict.COMPLETE


def test_row_87_a_post_that_comes_again_or_late_or_in_another_order_changes_nothing(tmp_path: Path) -> None:
    first = Correspondence(tmp_path / "first", TOY, rounds=2)
    for _ in range(2):
        first.decide(0)
        first.write(0, 1)  # lost
    first.take(1, first.sent[1][-1])
    first.turn(1, 0)
    first.decide(0)
    first.write(0, 1)
    ours = first.sent[1][-3:]
    whole = first.write(0, 1, whole=True).data
    before = first.entries(1)
    copy = kept(first, 1, tmp_path / "kept")
    ends = set()
    for order in permutations(ours):
        restored(first, 1, copy)
        for data in (*order, *order):
            assert first.take(1, data).trouble is None
        ends.add(first.transcript(1))
        assert not first.take(1, whole).records, "the later ones hold all"
    assert len(ends) == 1
    assert len(first.entries(1)) > len(before)


def test_two_posts_written_one_after_the_other_hold_the_same_records(two: Correspondence) -> None:
    two.decide(0)
    post, other = two.write(0, 1), two.write(0, 1)
    assert other.serial == post.serial + 1
    assert form.read(post.data).carried[1:] == form.read(other.data).carried[1:]
    assert two.take(1, other.data).records
    late = two.take(1, post.data)
    assert (late.records, late.older) == (0, True)


def test_the_writer_of_a_post_has_it_on_its_disk_first(two: Correspondence) -> None:
    """A killed process: what a post shows is in the folder, and its serial is not used again."""
    two.decide(0)
    with two.opened(0) as replica:
        post = carrying.write(replica, two.owners[0], 1, two.now + 1)
        written = form.read(post.data)
        on_disk = {frame.payload for frame in two.entries(0)}
        assert {frame.payload for frame in written.carried if frame.kind == ENTRY} <= on_disk
        assert replica.store.ledger.of(1).sent == post.serial
    assert two.write(0, 1).serial > post.serial


# Old copies


def signed_by(posts: list[bytes], seat: int) -> dict[int, set[bytes]]:
    """By number, the bodies of the entries of `seat` that these posts hold."""
    by_seat: dict[int, set[bytes]] = {}
    for data in posts:
        for frame in form.read(data).carried:
            if frame.kind == ENTRY and (entry := parse_entry(frame.payload)).seat == seat:
                by_seat.setdefault(entry.number, set()).add(entry.body)
    return by_seat


def test_row_87_a_restored_copy_signs_nothing_before_a_post_of_it_is_answered(
    two: Correspondence, tmp_path: Path
) -> None:
    for _ in range(2):
        two.turn(0, 1)
        two.turn(1, 0)
    copy = kept(two, 0, tmp_path / "kept")
    last = two.sent[0][-1]
    two.decide(0)
    two.write(0, 1)  # never arrives: nobody but this folder knows what was signed
    count = len(two.entries(0))
    restored(two, 0, copy)
    two.rng.seed(99)
    again = two.take(0, last)
    assert again.unsure
    two.decide(0)
    unsure = two.write(0, 1)
    assert unsure.unsure
    assert len(two.entries(0)) < count
    assert all(len(bodies) == 1 for bodies in signed_by(two.sent[1], 0).values())
    assert two.take(1, unsure.data).trouble is None
    answer = two.write(1, 0)
    assert not two.take(0, answer.data).unsure
    assert not two.write(0, 1).unsure


def test_row_87_a_copy_older_than_what_a_post_shows_freezes(two: Correspondence, tmp_path: Path) -> None:
    two.turn(0, 1)
    two.turn(1, 0)
    copy = kept(two, 0, tmp_path / "kept")
    two.turn(0, 1)
    two.decide(1)
    answer = two.write(1, 0)
    restored(two, 0, copy)
    assert isinstance(two.take(0, answer.data).trouble, Stale)
    with two.opened(0) as replica:
        assert replica.status is Status.STALE


def test_row_87_a_post_that_has_seen_a_serial_unknown_here_shows_an_older_copy(two: Correspondence) -> None:
    """As after the rollback of a whole disk, which changes no inode."""
    two.turn(0, 1)
    two.turn(1, 0)
    with two.opened(0) as replica:
        ledger = replica.store.ledger
        replica.store.keep_ledger(ledger.updated(1, sent=ledger.of(1).sent - 1))
    two.decide(1)
    taken = two.take(0, two.write(1, 0).data)
    assert taken.unsure
    two.take(1, two.write(0, 1).data)
    assert not two.take(0, two.write(1, 0).data).unsure


def test_a_copy_in_another_place_is_unsure_and_the_first_one_is_not(
    two: Correspondence, tmp_path: Path
) -> None:
    two.turn(0, 1)
    kept(two, 0, tmp_path / "kept")
    with two.opened(0) as replica:
        assert carrying.is_sure(replica.store, replica.store.ledger)
    restored(two, 0, tmp_path / "kept")
    with two.opened(0) as replica:
        assert not carrying.is_sure(replica.store, replica.store.ledger)
        assert not carrying.recall(replica)


# Waiting


def owing(two: Correspondence, seat: int) -> bool:
    """Whether `seat` knows that it owes a decision."""
    with two.opened(seat) as replica:
        owed = replica.session.referee.owed
        return owed is not None and owed.seat == seat and replica.session.decision is not None


def test_who_does_not_answer_for_as_long_as_was_agreed_can_be_claimed_against(two: Correspondence) -> None:
    """The wait goes on while nobody's program runs; an answer, however late, undoes the claim."""
    other = next(seat for seat in (0, 1, 0, 1, 0, 1) if two.turn(seat, 1 - seat) and owing(two, 1 - seat))
    late = 1 - other
    assert two.take(other, two.write(late, other).data).trouble is None, "its receipt"
    with two.opened(other) as replica:
        assert replica.waited_for == (late,)
        left = replica.claimable_in
    day = Pace.DAY.seconds
    assert day is not None
    assert left is not None
    assert day - 100 < left <= day
    two.now += left - 10
    with two.opened(other) as replica:
        carrying.recall(replica)
        assert replica.claimable_in == pytest.approx(10, abs=2)
        with pytest.raises(NotNow):
            replica.claim_away()
    two.now += 20
    with two.opened(other) as replica:
        carrying.recall(replica)
        replica.claim_away()
        assert replica.claimed
    assert two.take(late, two.write(other, late).data).trouble is None
    assert audit(two.transcript(late), {TOY.name: TOY}).verdict is Verdict.UNRESPONSIVE
    two.turn(late, other)
    assert audit(two.transcript(other), {TOY.name: TOY}).verdict is not Verdict.UNRESPONSIVE


def test_after_a_resignation_each_writes_what_it_owes_and_no_more(two: Correspondence) -> None:
    """A decision that was made before, and never will be signed, is not waited for."""
    two.turn(0, 1)
    two.turn(1, 0)
    two.decide(1)  # for an entry behind one of seat 0
    two.decide(0)
    with two.opened(0) as replica:
        carrying.recall(replica)
        replica.resign()
    assert two.take(1, two.write(0, 1).data).trouble is None
    with two.opened(1) as replica:
        assert replica.session.kept is not None, "else this test shows nothing"
    written = 0
    for seat in (1, 0) * 3:
        with two.opened(seat) as replica:
            late = carrying.readers_due(replica)
        if late:
            assert two.take(1 - seat, two.write(seat, 1 - seat).data).records, "nobody mails an empty post"
            written += 1
    assert written == 2
    for seat in (0, 1):
        with two.opened(seat) as replica:
            assert replica.finished
            assert not carrying.readers_due(replica)


# Hostile posts


def test_row_87_a_post_of_another_match_or_seat_or_hand_is_refused(
    two: Correspondence, tmp_path: Path
) -> None:
    two.turn(0, 1)
    frames = carried(two, 0)
    before = two.transcript(1)
    bad: list[tuple[type[Exception], bytes]] = [
        (Malformed, rewritten(two, 0, frames, match=bytes(32))),
        (Malformed, rewritten(two, 0, frames, writer=1, reader=0)),
        (Malformed, rewritten(two, 0, frames, writer=7)),
        (Forged, rewritten(two, 1, frames, writer=0, reader=1)),
        (Malformed, two.sent[0][-1]),
    ]
    other = Correspondence(tmp_path / "other", TOY, rounds=2)
    bad.append((Malformed, other.write(0, 1).data))
    for error, data in bad:
        with pytest.raises(error):
            two.take(1, data)
    assert two.transcript(1) == before


def test_row_87_whoever_announces_more_than_a_post_brings_holds_nobody_up(two: Correspondence) -> None:
    two.turn(0, 1)
    sync = read_sync(carried(two, 0)[0].payload)
    ahead = Sync(sync.match, replace(sync.position, count=99, head=bytes(32)), sync.entry, sync.statement)
    taken = two.take(1, rewritten(two, 0, [ahead.frame]))
    assert not taken.unsure
    assert two.decide(1) >= 0
    assert two.write(1, 0).records >= 0
    two.turn(1, 0)
    assert two.turn(0, 1).trouble is None


def test_row_87_a_sync_of_another_table_is_refused_and_forgotten(two: Correspondence) -> None:
    two.turn(0, 1)
    sync = read_sync(carried(two, 0)[0].payload)
    many = replace(sync.position, statements=(*sync.position.statements, StatementHead(0, bytes(32))))
    few = replace(sync.position, statements=sync.position.statements[:1])
    for wrong in (many, few):
        taken = two.take(1, rewritten(two, 0, [replace(sync, position=wrong).frame]))
        assert isinstance(taken.trouble, Malformed)
        assert two.decide(1) >= 0
        assert two.write(1, 0).records >= 0
    two.turn(1, 0)
    assert two.turn(0, 1).trouble is None


def test_row_87_a_record_in_a_post_is_judged_as_over_a_link(two: Correspondence) -> None:
    """A forged or malformed record is refused, and what stood before it stays; nobody is blamed."""
    two.turn(0, 1)
    two.turn(1, 0)
    two.decide(0)
    data = two.write(0, 1).data
    sync, *records = form.read(data).carried
    spoilt = [
        replace(record, payload=record.payload[:-1] + bytes([record.payload[-1] ^ 1])) for record in records
    ]
    entries = [record for record in spoilt if record.kind == ENTRY]
    taken = two.take(1, rewritten(two, 0, [sync, *entries]))
    assert taken.trouble is None or isinstance(taken.trouble, Forged)
    with two.opened(1) as replica:
        assert replica.session.fault is None
    assert two.take(1, data).trouble is None
    assert two.entries(1)[: len(two.entries(0))] == two.entries(0)


def test_a_match_of_spies_and_lies_needs_less_than_a_kibibyte_a_post(tmp_path: Path) -> None:
    two = Correspondence(tmp_path, GAME, wall=2)
    posts = two.play(12)
    assert sum(len(data) for of_seat in two.sent for data in of_seat) < 1024 * (posts + 2)


def test_a_mark_is_read_as_it_was_written() -> None:
    for seen in (Stamp(4, bytes(64)), form.NO_STAMP):
        mark = Postmark(bytes(range(32)), 0, 1, Stamp(5, bytes(range(64))), seen)
        assert form.read_mark(mark.frame.payload) == mark
