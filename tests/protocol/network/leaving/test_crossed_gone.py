"""A Gone and the late entry of its owner cross: on every live link both sides come to one copy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol import limits
from protocol.channel.channel import Sync, receipt_frame
from protocol.errors import Violation
from protocol.post import carrying, form
from protocol.record import receipts
from protocol.record.position import Position
from protocol.record.statements import Kind
from protocol.replication.holdings import Counts, Have
from protocol.seat import replies
from protocol.seat.faces import Faces
from protocol.storage.ledger import PostLedger
from protocol.wire.encoding import ENTRY
from tests.helpers.games.players import honest
from tests.helpers.links.gossiping import LOST, Gossiping, graphs

OWNER, ACCUSER, DECIDER = 1, 0, 2
CALLER = 4
"""Decisions of seat 0 before the one which it opens itself, with an entry of its own behind it."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Gossiping]:
    made = Gossiping(tmp_path, 3, graphs(3)["mesh"], options={"rounds": 2}).mend_all()
    made.until_owing(OWNER)
    yield made
    made.close()


def crossed(table: Gossiping) -> int:
    """The accuser holds the late entry back, and the decider, which has not heard of it, takes its owner out;
    return the place.
    """
    number = table.seats[OWNER].session.referee.count
    table.seats[ACCUSER].session.claim_away(600)
    table.seats[ACCUSER].exchange.flush()
    while table.links[ACCUSER, DECIDER]:
        table.deliver((ACCUSER, DECIDER))
    assert table.decide(table.seats[OWNER])
    while any(frame.kind == ENTRY for frame in table.links[OWNER, ACCUSER]):
        table.deliver((OWNER, ACCUSER))
    assert table.seats[ACCUSER].session.referee.count == number, "it is held back"
    table.links[ACCUSER, DECIDER].clear()
    table.seats[DECIDER].session.claim_away(600)
    table.seats[DECIDER].exchange.flush()
    for way in ((OWNER, DECIDER), (DECIDER, OWNER)):
        table.links[way].clear()
    return number


def test_row_98_a_gone_reaches_who_has_another_record_there_on_a_link_that_lives(table: Gossiping) -> None:
    """Its HAVE says as many entries as ours, and they are not the same."""
    number = crossed(table)
    while table.links[DECIDER, ACCUSER]:
        table.deliver((DECIDER, ACCUSER))
    table.cut((ACCUSER, DECIDER))
    table.cut((OWNER, DECIDER))
    table.clock.now += 0.3
    table.seats[OWNER].tick()
    table.settle()
    assert not table.hung_up
    for seat in (OWNER, ACCUSER):
        assert table.seats[seat].session.referee.table.gone == {OWNER: number}
    assert table.seats[OWNER].session.referee.head == table.seats[ACCUSER].session.referee.head


def test_row_98_a_have_alone_does_not_say_that_the_other_side_has_our_gone(table: Gossiping) -> None:
    number = crossed(table)
    while table.links[DECIDER, ACCUSER]:
        table.deliver((DECIDER, ACCUSER))
    seat = table.seats[ACCUSER]
    gone = seat.session.referee.entries[number]
    assert gone.seat == DECIDER
    line = seat.exchange.gossip.lines[OWNER]
    line.has = Counts(gone.number, [*line.has.statements])
    referee = seat.session.referee
    have = Have(Counts(referee.count, [len(of_seat) for of_seat in referee.statements]), 0, (3, 0, 3), (0, 2))
    seat.exchange.gossip.have(OWNER, have, table.clock.now)
    assert not line.has.has(gone)


def test_row_98_a_true_receipt_for_the_other_chain_ends_no_honest_link(table: Gossiping) -> None:
    """A third seat carries a receipt over as many entries, of which one is another."""
    crossed(table)
    accuser, decider = table.seats[ACCUSER].session, table.seats[DECIDER]
    match, count = accuser.genesis, decider.session.referee.count
    true = receipts.sign(table.owners[OWNER].identity, match, OWNER, count, bytes(32))
    decider.received([receipt_frame(match.id, OWNER, count, true)], ACCUSER)
    assert decider.exchange.gossip.receipts[OWNER].signature != true
    assert decider.exchange.gossip.lines[ACCUSER].vain >= 16, "so nobody floods a link with them"
    table.settle()
    assert not table.hung_up
    assert accuser.referee.head == decider.session.referee.head


def test_row_111_a_back_that_comes_before_what_it_releases_is_taken_with_it(table: Gossiping) -> None:
    """The owner's entry is lost on its own link, and the decider passes it on behind its BACK."""
    number = table.seats[OWNER].session.referee.count
    table.seats[ACCUSER].session.claim_away(600)
    table.seats[ACCUSER].exchange.flush()
    while table.links[ACCUSER, DECIDER]:
        table.deliver((ACCUSER, DECIDER))
    assert table.decide(table.seats[OWNER])
    table.cut((OWNER, ACCUSER))
    while table.links[OWNER, DECIDER]:
        table.deliver((OWNER, DECIDER))
    queue = table.links[DECIDER, ACCUSER]
    ordered = sorted(queue, key=lambda frame: frame.kind == ENTRY)
    assert [frame.kind for frame in ordered].count(ENTRY) <= 1
    queue.clear()
    queue.extend(ordered)
    table.settle()
    assert table.seats[ACCUSER].session.referee.count > number
    assert table.equal()
    assert not table.hung_up


def told_both(table: Gossiping) -> None:
    """The decider gives one copy its Gone, and the other one an entry behind the record that was there."""
    number = table.seats[OWNER].session.referee.count
    table.seats[ACCUSER].session.claim_away(600)
    table.seats[ACCUSER].exchange.flush()
    while table.links[ACCUSER, DECIDER]:
        table.deliver((ACCUSER, DECIDER))
    table.cut((OWNER, DECIDER))
    table.cut((ACCUSER, DECIDER))
    liar, held = table.seats[DECIDER], table.seats[OWNER].session.referee
    assert table.decide(table.seats[OWNER])
    table.settle()
    assert held.owed is not None
    assert held.owed.seat == DECIDER
    if (decision := liar.session.decision) is not None:
        liar.store.secrets.decided[held.table.serial] = honest(liar.session, decision, table.rng)
    secrets = liar.store.secrets
    message = replies.reply(secrets, held, held.owed, Faces(liar.session.referee, DECIDER, secrets).own)
    assert message is not None
    behind = table.signer(DECIDER).entry(held, message)
    liar.session.claim_away(600)
    gone = liar.session.referee.entries[number]
    assert gone.seat == DECIDER
    for seat, frame in ((ACCUSER, gone.frame), (OWNER, behind)):
        end = table.seats[seat]
        end.linked(lambda _: None, DECIDER)
        end.received([Sync(end.match.id, end.session.position()).frame, frame], DECIDER)


def blamed(table: Gossiping) -> bool:
    """Whether both copies hold a proof against the decider."""
    faults = [table.seats[seat].session.fault for seat in (OWNER, ACCUSER)]
    return all(fault is not None and fault.seat == DECIDER for fault in faults)


@pytest.mark.parametrize("way", ["link", "new link"])
def test_row_99_the_proof_of_a_gone_behind_which_its_author_went_on_shares_nothing_behind_its_place(
    table: Gossiping, way: str
) -> None:
    """Over a new link the copy with the Gone sees that the other is longer, not that it is another one."""
    told_both(table)
    if way == "new link":
        table.cut((ACCUSER, OWNER))
        table.mend((ACCUSER, OWNER))
        table.deliver((OWNER, ACCUSER))
        table.deliver((ACCUSER, OWNER), 2)  # a SYNC and a HAVE, at one time
    for seat in (ACCUSER, OWNER):
        table.seats[seat].unlinked(LOST, DECIDER)
    table.settle()
    assert blamed(table)


def test_row_119_by_post_a_proof_shares_what_its_reader_has_shown_to_have(table: Gossiping) -> None:
    """The culprit breaks a rule behind its own entry, which is not in the copy with the Gone.

    Each post is written and taken by a process of its own, which remembers no record that it refused.
    """
    told_both(table)
    owner = table.seats[OWNER]
    table.cut((ACCUSER, OWNER))
    lie = table.signer(DECIDER).statement(
        owner.session.referee, Kind.BACK, (owner.session.referee.count - 1,)
    )
    with pytest.raises(Violation, match="statement"):
        owner.received([lie], DECIDER)
    for seat in (OWNER, ACCUSER):
        store = table.seats[seat].store
        store.keep_ledger(PostLedger(here=store.mark))
    for writer, reader in ((ACCUSER, OWNER), (OWNER, ACCUSER), (ACCUSER, OWNER), (OWNER, ACCUSER)):
        for seat in (writer, reader):
            table.kill(seat)
            table.restart(seat)
        table.clock.now += 1
        post = carrying.write(table.seats[writer], table.owners[writer], reader, table.clock.now)
        carrying.take(table.seats[reader], form.read(post.data))
    assert blamed(table)


def test_row_98_a_gone_goes_out_before_what_stands_on_it(table: Gossiping) -> None:
    """A copy that has other records there would pass over what comes before the Gone."""
    number = crossed(table)
    while table.links[DECIDER, ACCUSER]:
        table.deliver((DECIDER, ACCUSER))
    accuser = table.seats[ACCUSER]
    gone = accuser.session.referee.entries[number]
    assert gone.seat == DECIDER
    assert DECIDER not in (accuser.exchange.gossip.lines[OWNER].wants or ())
    assert table.decide(accuser)
    sent = [frame.payload for frame in table.links[ACCUSER, OWNER] if frame.kind == ENTRY]
    own = accuser.session.referee.newest_entry(ACCUSER)
    assert own is not None
    assert own.number > number
    assert sent == [gone.payload, own.payload]


def test_row_118_who_starts_again_is_compared_with_a_copy_on_another_chain_too(table: Gossiping) -> None:
    """All its links but one to the seat that was taken out are gone: it signed nothing any more."""
    number = crossed(table)
    while table.links[DECIDER, ACCUSER]:
        table.deliver((DECIDER, ACCUSER))
    for edge in ((OWNER, ACCUSER), (OWNER, DECIDER), (ACCUSER, DECIDER)):
        table.cut(edge)
    table.kill(DECIDER)
    table.kill(ACCUSER)
    accuser = table.restart(ACCUSER)
    before = accuser.session.referee.count
    assert accuser.session.referee.table.gone == {OWNER: number}
    assert table.seats[OWNER].session.referee.count == number + 1
    assert table.decide(accuser)
    assert accuser.session.referee.count == before
    table.mend((ACCUSER, OWNER))
    table.settle()
    assert accuser.session.proven
    assert accuser.session.referee.count > before
    assert table.seats[OWNER].session.referee.head == accuser.session.referee.head


def answered_late(table: Gossiping) -> int:
    """The decider's process is gone; the owner answers who has called it away, over a new link; return the
    place.
    """
    number = table.seats[OWNER].session.referee.count
    table.kill(DECIDER)
    table.cut((ACCUSER, OWNER))
    table.seats[ACCUSER].session.claim_away(600)
    table.seats[ACCUSER].exchange.flush()
    assert table.decide(table.seats[OWNER])
    table.mend((ACCUSER, OWNER))
    table.settle()
    assert [table.seats[seat].session.referee.count for seat in (ACCUSER, OWNER)] == [number, number + 1]
    return number


def wait(table: Gossiping, seconds: float) -> None:
    """Time goes by; what `Link.feed` does then ends no link."""
    for _ in range(int(seconds / limits.PROGRESS_WITHIN) + 1):
        table.clock.now += limits.PROGRESS_WITHIN
        for end, other in list(table.links):
            table.seats[end].received([], other)
    table.settle()
    assert not table.hung_up


@pytest.mark.parametrize("end", ["back", "gone"])
def test_row_116_what_a_seat_holds_back_has_come_so_the_link_stays(table: Gossiping, end: str) -> None:
    """Before, it was cut every 20 s, and the answer was not waited for any more."""
    number = answered_late(table)
    wait(table, 2 * limits.COMPLETE_WITHIN)
    assert (ACCUSER, OWNER) in table.links
    if end == "gone":
        table.restart(DECIDER)
        table.mend((ACCUSER, DECIDER))
        table.deliver((DECIDER, ACCUSER))
        queue = table.links[ACCUSER, DECIDER]
        statements = [frame for frame in queue if frame.kind != ENTRY]  # the answer comes too late
        queue.clear()
        queue.extend(statements)
        while queue:
            table.deliver((ACCUSER, DECIDER))
        table.seats[DECIDER].session.claim_away(600)
        table.seats[DECIDER].exchange.flush()
        assert table.seats[DECIDER].session.referee.table.gone == {OWNER: number}
    else:
        table.heal()
    table.settle()
    wait(table, 2 * limits.COMPLETE_WITHIN)
    assert not table.seats[ACCUSER].session.behind
    assert table.equal()
    assert table.seats[ACCUSER].session.referee.count > number


def test_row_116_nobody_waits_for_what_a_gone_has_replaced(table: Gossiping) -> None:
    """The owner announces the answer that it could not send before it was taken out."""
    number = table.seats[OWNER].session.referee.count
    for other in (ACCUSER, DECIDER):
        table.cut((OWNER, other))
    assert table.decide(table.seats[OWNER])
    for seat in (ACCUSER, DECIDER):
        table.seats[seat].session.claim_away(600)
        table.seats[seat].exchange.flush()
        table.settle()
    assert table.seats[DECIDER].session.referee.table.gone == {OWNER: number}
    table.mend((OWNER, DECIDER))
    table.settle()
    assert table.equal()
    wait(table, 2 * limits.COMPLETE_WITHIN)
    assert not table.seats[DECIDER].session.behind


@pytest.mark.parametrize("first", ["late", "gone"])
def test_row_116_nobody_waits_for_a_longer_chain_that_a_gone_has_replaced(tmp_path: Path, first: str) -> None:
    """The owner announces two entries of its own; it learns of its Gone over this link, or over another one
    before it has compared itself here, and so never sends them.
    """
    owner, accuser, decider = 0, 1, 2
    table = Gossiping(tmp_path, 3, graphs(3)["mesh"], options={"rounds": 2}).mend_all()
    for _ in range(CALLER):
        table.until_owing(owner)
        assert table.decide(table.seats[owner])
    number = table.until_owing(owner).session.referee.count
    for other in (accuser, decider):
        table.cut((owner, other))
    assert table.decide(table.seats[owner])
    assert table.seats[owner].session.referee.count == number + 2
    for seat, other in ((accuser, decider), (decider, accuser)):
        table.seats[seat].session.claim_away(600)
        table.seats[seat].exchange.flush()
        while table.links[seat, other]:
            table.deliver((seat, other))
    table.cut((accuser, decider))  # so that no chain is longer than the dead one
    assert table.seats[decider].session.referee.table.gone == {owner: number}
    assert table.seats[decider].session.referee.count == number + 1
    table.mend((owner, decider))
    if first == "gone":
        while table.links[owner, decider]:
            table.deliver((owner, decider))
        table.mend((owner, accuser))
        for way in ((accuser, owner), (owner, accuser)):  # the two SYNCs
            table.deliver(way)
        while not table.seats[owner].session.referee.table.gone:
            table.deliver((accuser, owner))
        table.cut((owner, accuser))
        assert table.seats[owner].session.referee.count == number + 1
    table.settle()
    wait(table, 2 * limits.COMPLETE_WITHIN)
    assert not table.seats[decider].session.behind
    assert table.equal((owner, decider))
    table.close()


def test_row_116_who_takes_an_announcement_back_is_not_waited_for_again(tmp_path: Path) -> None:
    """Or it would hold its neighbour for ever, always with a new link."""
    table = Gossiping(tmp_path, 3, graphs(3)["mesh"])
    replica, waited = table.seats[0], []
    place = replica.session.position()
    more = Position(place.count + 5, bytes(32), place.statements)
    for _ in range(3):
        replica.linked(lambda _: None, 1)
        replica.received([Sync(replica.match.id, more, b"", b"").frame], 1)
        waited.append(replica.session.behind)
        replica.received([Have(Counts(place.count, [0, 0, 0]), 0, (1, 0, 1)).frame], 1)
        assert not replica.session.behind
        replica.unlinked(LOST, 1)
    assert waited == [True, False, False]
    table.close()
