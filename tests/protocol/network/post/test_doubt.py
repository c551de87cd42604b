"""A copy that goes by post doubts itself by its own place, its own disk and its own key, never by a word."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from protocol.channel.channel import read_sync
from protocol.errors import Forged, Stale
from protocol.post import carrying, form
from protocol.post.form import Postmark, Stamp
from protocol.record.entries import parse_entry
from protocol.record.position import StatementHead
from tests.helpers.games.toy import TOY
from tests.helpers.links.by_post import Correspondence, carried, kept, restored, rewritten


@pytest.fixture(name="two")
def _two(tmp_path: Path) -> Correspondence:
    two = Correspondence(tmp_path / "two", TOY, rounds=2)
    for _ in range(2):
        two.turn(0, 1)
        two.turn(1, 0)
    return two


def mark_of(data: bytes) -> Postmark:
    mark = form.read(data).mark
    assert mark is not None
    return mark


def stamps(two: Correspondence, writer: int) -> list[Stamp]:
    """Those of all posts that `writer` wrote to the other seat."""
    return [mark_of(data).stamp for data in two.sent[1 - writer]]


def sure(two: Correspondence, seat: int) -> bool:
    """Whether the copy of `seat` signs: by its ledger, and in its session."""
    with two.opened(seat) as replica:
        return carrying.recall(replica) and replica.session.proven


def own_entries(two: Correspondence, seat: int) -> int:
    """How many entries of its own the record of `seat` has."""
    return sum(parse_entry(frame.payload).seat == seat for frame in two.entries(seat))


def answering(two: Correspondence, seat: int, seen: Stamp) -> bytes:
    """A post of `seat` as it stands, with another stamp that it says it has seen."""
    two.write(seat, 1 - seat)
    return rewritten(two, seat, carried(two, seat), seen=seen)


def test_row_103_only_its_own_key_makes_a_copy_doubt_itself(two: Correspondence, tmp_path: Path) -> None:
    """Invented, made by the liar, of another match, reflected, spoilt: nothing of it is taken."""
    other = Correspondence(tmp_path / "other", TOY, rounds=3)
    other.now = two.now + 1000
    other.turn(0, 1)
    other.turn(1, 0)
    last = stamps(two, 1)[-1]
    liar, match = two.owners[0].identity, mark_of(two.sent[0][-1]).match
    later = last.serial + 1
    lies = [
        Stamp(later, bytes(64)),
        form.stamp(liar, match, 1, 0, later),
        form.stamp(liar, match, 0, 1, later),
        stamps(other, 1)[-1],
        Stamp(later, last.signature),
        Stamp(last.serial, last.signature[:-1] + bytes([last.signature[-1] ^ 1])),
        replace(stamps(two, 0)[-1], serial=later),
        stamps(two, 0)[-1],
        Stamp(2**47, bytes(64)),
    ]
    before = two.transcript(1)
    for lie in lies:
        with pytest.raises(Forged):
            two.take(1, answering(two, 0, lie))
        assert two.transcript(1) == before
        assert sure(two, 1)
    assert not two.write(1, 0).unsure


def test_row_103_a_stamp_on_a_post_to_one_seat_shows_another_nothing(tmp_path: Path) -> None:
    three = Correspondence(tmp_path, TOY, 3, rounds=1)
    three.turn(0, 1)
    three.turn(1, 0)
    for _ in range(3):
        three.take(2, three.write(1, 2).data)  # what 1 writes to 2 has higher serials than what it wrote to 0
    foreign = mark_of(three.sent[2][-1]).stamp
    mark = mark_of(three.write(0, 1).data)
    lie = replace(mark, seen=foreign)
    frames = form.read(three.sent[1][-1]).carried
    with pytest.raises(Forged):
        three.take(1, form.sealed_post(three.owners[0].identity, [lie.frame, *frames]))
    assert sure(three, 1)


def test_row_103_a_writer_whose_own_stamp_is_false_is_refused(two: Correspondence) -> None:
    """Else we would show it the false one, and it would refuse our post for that."""
    mark = mark_of(two.write(0, 1).data)
    spoilt = replace(mark, stamp=Stamp(mark.stamp.serial, bytes(64)))
    data = form.sealed_post(two.owners[0].identity, [spoilt.frame, *carried(two, 0)])
    with pytest.raises(Forged):
        two.take(1, data)
    with two.opened(1) as replica:
        assert replica.store.ledger.of(0).taken < mark.stamp.serial


def test_row_103_old_stamps_shown_again_in_any_order_change_nothing(two: Correspondence) -> None:
    old = stamps(two, 1)
    assert len(old) > 2
    for stamp in (*reversed(old), *old, form.NO_STAMP):
        assert not two.take(1, answering(two, 0, stamp)).unsure
        assert sure(two, 1)


def test_row_103_old_stamps_do_not_end_a_doubt_either(two: Correspondence, tmp_path: Path) -> None:
    old = stamps(two, 1)
    copy = kept(two, 1, tmp_path / "kept")
    restored(two, 1, copy)
    assert two.write(1, 0).unsure
    for stamp in (*old, form.NO_STAMP):
        assert two.take(1, answering(two, 0, stamp)).unsure
        assert not sure(two, 1)
    assert not two.take(1, answering(two, 0, stamps(two, 1)[-1])).unsure


def test_row_103_stamps_kept_back_start_no_doubt_after_a_restored_copy_has_written(
    two: Correspondence, tmp_path: Path
) -> None:
    """A liar shows the posts of the lost folder one by one: what the restored copy writes is beyond them."""
    copy = kept(two, 1, tmp_path / "kept")
    for _ in range(4):
        two.take(0, two.write(1, 0).data)
    lost = stamps(two, 1)[-4:]
    restored(two, 1, copy)
    assert two.take(1, answering(two, 0, lost[0])).unsure
    post = two.write(1, 0)
    for stamp in lost:
        two.take(1, answering(two, 0, stamp))
        with two.opened(1) as replica:
            assert replica.store.ledger.doubted == post.serial, "the doubt that there is, and no new one"
    two.take(0, post.data)
    assert not two.take(1, two.write(0, 1).data).unsure
    for stamp in lost:
        assert not two.take(1, answering(two, 0, stamp)).unsure


def test_row_103_an_honest_restore_shows_one_jump_and_ends_with_one_round(
    two: Correspondence, tmp_path: Path
) -> None:
    copy = kept(two, 1, tmp_path / "kept")
    for _ in range(2):
        two.take(0, two.write(1, 0).data)
    restored(two, 1, copy)
    jumps, doubts = [], []
    for _ in range(4):
        post = two.write(0, 1)
        with two.opened(1) as replica:
            jumps.append(mark_of(post.data).seen.serial > replica.store.ledger.of(0).sent)
        doubts.append(two.take(1, post.data).unsure)
        two.take(0, two.write(1, 0).data)
    assert (jumps, doubts) == ([True, False, False, False], [True, False, False, False])


def test_row_103_a_clock_that_went_back_with_the_copy_costs_one_round_more(
    two: Correspondence, tmp_path: Path
) -> None:
    """Its serials fall behind those of the lost folder, until one of these is shown."""
    copy = kept(two, 1, tmp_path / "kept")
    two.now += 1000
    two.take(0, two.write(1, 0).data)
    restored(two, 1, copy)
    two.now -= 1000
    rounds = 0
    while not sure(two, 1) and rounds < 5:
        two.take(0, two.write(1, 0).data)
        two.take(1, two.write(0, 1).data)
        rounds += 1
    assert rounds == 2
    assert not two.write(1, 0).unsure


def test_row_103_heads_that_nobody_signed_freeze_no_copy(two: Correspondence) -> None:
    """A liar names false heads in every SYNC: by the place of its folder the other plays on to the end."""
    before = own_entries(two, 1)
    for number in range(60):
        two.decide(0)
        two.write(0, 1)
        sync, *records = carried(two, 0)
        reading = read_sync(sync.payload)
        at, nothing = reading.position, bytes(32)
        heads = tuple(StatementHead(statement.count, nothing) for statement in at.statements)
        wrong = replace(at, head=nothing) if number % 2 else replace(at, statements=heads)
        lie = replace(reading, position=wrong).frame
        assert not two.take(1, rewritten(two, 0, [lie, *records], later=0)).unsure
        assert sure(two, 1)
        assert two.turn(1, 0).trouble is None
        if two.finished(1):
            break
    assert two.finished(1)
    assert own_entries(two, 1) > before


# The way out


def test_row_103_a_person_can_end_the_doubt_of_a_copy_that_nobody_answers(
    two: Correspondence, tmp_path: Path
) -> None:
    restored(two, 1, kept(two, 1, tmp_path / "kept"))
    before = own_entries(two, 1)
    for _ in range(3):
        two.turn(0, 1)
        two.decide(1)
        assert two.write(1, 0).unsure
    assert own_entries(two, 1) == before
    with two.opened(1) as replica:
        assert carrying.vouch(replica)
    post = two.write(1, 0)
    assert not post.unsure
    assert two.take(0, post.data).trouble is None
    two.play(60)
    assert two.finished(1)
    assert own_entries(two, 1) > before


def test_row_103_bytes_that_were_set_aside_are_settled_by_the_person_or_by_an_answer(
    two: Correspondence,
) -> None:
    log = two.owners[1].home.path / "games" / two.match / "transcript.p2ps"

    def damage() -> None:
        log.write_bytes(log.read_bytes() + bytes(40))
        with two.opened(1) as replica:
            assert replica.store.secrets.lost
        assert not sure(two, 1)

    damage()
    with two.opened(1) as replica:
        assert carrying.vouch(replica)
    assert sure(two, 1), "also in the next process"
    damage()
    assert two.take(0, two.write(1, 0).data).trouble is None
    assert not two.take(1, two.write(0, 1).data).unsure
    assert sure(two, 1), "also in the next process"


def test_row_103_a_copy_that_is_known_to_be_old_cannot_be_vouched_for(tmp_path: Path) -> None:
    two = Correspondence(tmp_path / "two", TOY, rounds=3)
    two.turn(0, 1)
    copy = kept(two, 1, tmp_path / "kept")
    with two.opened(1) as replica:
        assert carrying.recall(replica)
        replica.resign()
    two.turn(1, 0)
    answer = two.write(0, 1).data
    restored(two, 1, copy)
    assert isinstance(two.take(1, answer).trouble, Stale)
    with two.opened(1) as replica:
        assert not carrying.vouch(replica)
    assert not sure(two, 1)
