"""Two copies of one match: the older one is found out and signs nothing more (row 31)."""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from p2p_stratego.core.game import Choose
from p2p_stratego.registry import GAMES
from protocol.audit.verdict import audit
from protocol.channel.channel import SYNC, Sync
from protocol.errors import Equivocation, Malformed, Misplaced, Stale
from protocol.failures import Code, LinkLost, Loss, NotNow, Why
from protocol.limits import CLAIM_WHEN_CONNECTED, COMPLETE_WITHIN, PROGRESS_WITHIN
from protocol.network.link import closing_code
from protocol.record.position import Position, StatementHead
from protocol.record.statements import Kind, body
from protocol.replication.replica import Replica, Status
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, STATEMENT, Deframer, Frame
from tests.helpers.links.peers import HANGING, bare, last_word, owner
from tests.helpers.links.wire import Clock, Wire, assert_one_signature_a_place, statement
from tests.helpers.seats.pair import any_decision


def met(wire: Wire, *sides: Replica) -> list[Exception]:
    """The faults that two replicas find in each other, put on one connection."""
    wire.sides = list(sides)
    wire.link()
    raised: list[Exception] = []
    for _ in range(4):
        try:
            wire.step()
        except (Stale, Equivocation) as error:
            raised.append(error)
    return raised


# One save on two machines


def test_row_31_a_copy_of_a_save_that_is_older_than_what_was_signed_since_signs_nothing(
    tmp_path: Path,
) -> None:
    wire = Wire(tmp_path)
    wire.play(12)
    shutil.copytree(tmp_path / "ada", tmp_path / "clone")
    before = wire.sides[0].session.referee.count
    wire.play(20)
    sent = len(wire.sent)
    assert any(entry.seat == 0 for entry in wire.sides[1].session.referee.entries[before:])
    wire.sides[0].store.close()
    wire.owners[0] = owner(tmp_path / "clone", "Ada")
    wire.restart(0)
    wire.link()
    with pytest.raises(Stale) as caught:
        wire.play(30)
    stale = wire.sides[0]
    stale.unlinked(caught.value)
    assert stale.status is Status.STALE
    assert set(wire.sent_payloads()[sent:]) <= set(wire.sent_payloads()[:sent])
    assert_one_signature_a_place(wire)
    wire.close()


def test_row_31_two_copies_that_both_went_on_are_proven_to_their_opponent_and_end_their_own(
    tmp_path: Path,
) -> None:
    """Ada plays on from one save in two places; whoever meets both has two signatures for one place."""
    first = Wire(tmp_path / "first")
    while not isinstance(choice := first.sides[0].session.decision, Choose) or any(first.queues):
        first.step()
    first.close()
    shutil.copytree(tmp_path / "first", tmp_path / "second")
    rooms = [Wire(tmp_path / name) for name in ("first", "second")]
    for room, move in zip(rooms, choice.options, strict=False):
        room.settle()
        room.sides[0].decide(move)
        room.play(room.sides[0].session.referee.count + 6)
        room.settle()
    assert rooms[0].sides[0].session.position().head != rooms[1].sides[0].session.position().head
    ben, clone = rooms[0].sides[1], rooms[1].sides[0]
    meeting = rooms[0]
    raised = met(meeting, clone, ben)
    proof = next(error for error in raised if isinstance(error, Equivocation))
    assert proof.seat == 0
    assert ben.session.fault is proof
    assert ben.session.outcome is not None
    assert ben.session.outcome.winners == {1}
    assert any(isinstance(error, Stale) for error in raised), "the clone must stop too"
    evidence = owner(tmp_path / "first" / "ben", "Ben")
    ben.close()
    again = Replica(evidence, evidence.home.open(meeting.match), lambda: 0.0)
    assert isinstance(again.session.fault, Equivocation), "the proof is on the disk"
    again.close()
    clone.close()


@pytest.mark.parametrize("more", [0, 1])
def test_row_31_two_histories_of_what_a_seat_said_are_proven_when_they_meet(
    tmp_path: Path, more: int
) -> None:
    """Ada says different things in two places; her opponent's copy has as many of her words, or one more."""
    first = Wire(tmp_path / "first")
    first.play_until_owed(0)
    first.settle()
    first.close()
    shutil.copytree(tmp_path / "first", tmp_path / "second")
    rooms = [Wire(tmp_path / name) for name in ("first", "second")]
    for room, text in zip(rooms, ("I have the flag", "I have none"), strict=True):
        room.settle()
        room.sides[0].say(text)
        room.settle()
    for _ in range(more):
        rooms[0].sides[0].say("one more word")
        rooms[0].settle()
    ben, clone, meeting = rooms[0].sides[1], rooms[1].sides[0], rooms[0]
    assert ben.session.position().head == clone.session.position().head
    raised = met(meeting, clone, ben)
    assert any(isinstance(error, Stale) for error in raised), "the clone stops"
    if not more:  # at equal numbers both notice, and each sends what it has
        proof = ben.session.fault
        assert isinstance(proof, Equivocation)
        assert (proof.seat, proof.what, proof.number) == (0, "statement", 1)
    for side in (ben, clone):
        side.close()


# What the other side shows of it


def test_row_31_being_shown_our_own_newer_word_makes_this_copy_stale(wire: Wire) -> None:
    ada = wire.sides[0]
    record = Path(ada.store.path).read_bytes()
    with pytest.raises(Stale) as caught:
        ada.received([statement(wire, 0, Kind.CHAT, "said by the other copy")])
    ada.unlinked(caught.value)
    assert ada.status is Status.STALE
    assert closing_code(caught.value) == Code.STALE
    assert Path(ada.store.path).read_bytes() == record
    with pytest.raises(NotNow):
        ada.say("hello?")
    wire.close()


def test_row_31_heads_that_differ_are_known_before_anything_is_signed(wire: Wire) -> None:
    """Ben's program claims another chain of the same length, and shows none of it."""
    ada, ben = wire.sides
    ada.unlinked(LinkLost(Loss.BROKEN))
    sent: list[bytes] = []
    ada.linked(sent.append)
    ours = ben.session.position()
    ada.received([Sync(ada.match.id, Position(ours.count, b"h" * 32, ours.statements)).frame])
    assert isinstance(ada.trouble, Misplaced)
    assert not ada.session.live
    given = [frame for data in sent for frame in Deframer().feed(data)]
    assert given[0].kind == SYNC
    payloads = {frame.payload for frame in given if frame.kind in (ENTRY, STATEMENT)}
    assert payloads == wire.records(0), "whoever sees both has the proof"
    with pytest.raises(NotNow):
        ada.say("hello?")
    wire.close()


def test_a_copy_that_claims_to_hold_more_and_does_not_give_it_gets_no_entry_signed(wire: Wire) -> None:
    wire.play_until_owed(0)
    ada = wire.sides[0]
    count = ada.session.referee.count
    wire.restart(0)
    ada = wire.sides[0]
    ada.linked(lambda _: None)
    for wish in (ada.resign, ada.offer_draw, ada.accept_draw):
        with pytest.raises(NotNow, match=Why.NOT_COMPARED.value):
            wish()
    ada.received([Sync(ada.match.id, Position(2**18, b"h" * 32, ada.session.position().statements)).frame])
    assert ada.status is Status.CONNECTED
    assert not ada.session.live
    decision = ada.session.decision
    assert decision is not None
    ada.decide(any_decision(ada.session, decision, wire.rng))
    assert ada.session.referee.count == count
    wire.close()


def test_a_liar_that_announces_more_again_and_again_stops_neither_draws_nor_claims(wire: Wire) -> None:
    """Four hours of announcements that never come, over one connection after another."""
    wire.play_until_owed(1)
    ada, clock = wire.sides[0], wire.clocks[0]
    sent: list[bytes] = []
    refused = tried = 0
    for attempt in range(4 * 3600 // 30):
        ada.unlinked(LinkLost(Loss.BROKEN))
        ada.linked(sent.append)
        ours = ada.session.position()
        lie = replace(ours, count=ours.count + 1, head=attempt.to_bytes(32, "big"))
        with suppress(Malformed):
            ada.received([Sync(ada.match.id, lie).frame])
        if attempt == 1:
            assert ada.session.behind
            ada.offer_draw()
        clock.now += 30.0
        if clock.now > CLAIM_WHEN_CONNECTED and ada.session.outcome is None:
            tried += 1
            try:
                ada.claim_away()
            except NotNow:
                refused += 1
    assert (tried, refused) == (1, 0)
    assert ada.claimed
    wire.close()


def test_an_announcement_that_failed_once_is_not_waited_for_again(wire: Wire) -> None:
    """The liar gets its seconds once; a copy that was not kept waiting answers at once."""
    wire.play_until_owed(0)
    ada, clock = wire.sides[0], wire.clocks[0]
    ours = ada.session.position()
    for number in range(3):
        ada.unlinked(LinkLost(Loss.BROKEN))
        ada.linked(lambda _: None)
        lie = replace(ours, count=ours.count + 1, head=bytes([number]) * 32)
        ada.received([Sync(ada.match.id, lie).frame])
        assert ada.session.live == (number > 0)
        if number == 0:
            clock.now += PROGRESS_WITHIN
            with pytest.raises(Malformed, match="not sent in time"):
                ada.received([])
    decision = ada.session.decision
    assert decision is not None
    ada.decide(any_decision(ada.session, decision, wire.rng))
    assert ada.session.referee.count > ours.count
    wire.close()


def test_row_31_an_old_copy_is_found_out_by_its_own_newer_signature_though_nothing_else_comes(
    tmp_path: Path,
) -> None:
    """The other side's SYNC shows the newest record of our key; nobody else could have made one."""
    wire = Wire(tmp_path)
    wire.play_until_owed(0)
    shutil.copytree(tmp_path / "ada", tmp_path / "clone")
    count = wire.sides[0].session.referee.count
    wire.play(count + 2)
    ben = wire.sides[1].session
    clone = owner(tmp_path / "clone", "Ada")
    old = Replica(clone, clone.home.open(wire.match), Clock())
    old.linked(lambda _: None)
    with pytest.raises(Stale):
        old.received([Sync(old.match.id, ben.position(), *ben.copy.newest(0)).frame])
    forged = Sync(ben.genesis.id, ben.position(), *ben.copy.newest(1)).frame
    fresh = wire.sides[0]
    fresh.unlinked(LinkLost(Loss.BROKEN))
    fresh.linked(lambda _: None)
    with pytest.raises(Malformed, match="our key did not sign"):
        fresh.received([forged])
    assert fresh.status is not Status.STALE
    old.close()
    wire.close()


@pytest.mark.parametrize("again", [False, True], ids=["and is silent", "and comes again and again"])
@pytest.mark.parametrize("head", [b"h" * 32, None], ids=["of more", "of another chain"])
def test_row_55_who_announces_what_never_comes_is_hung_up_on_and_silences_nobody(
    tmp_path: Path, head: bytes | None, *, again: bool
) -> None:
    """Otherwise it could say that we do not answer, and our own record would not show that we did."""
    wire = Wire(tmp_path)
    wire.play_until_owed(0)
    ada = wire.sides[0]
    clock = wire.clocks[0]
    for side in wire.sides:
        side.unlinked(LinkLost(Loss.BROKEN))
    sent: list[bytes] = []
    ada.linked(sent.append)
    ours = ada.session.position()
    lie = replace(ours, count=ours.count + 1, head=head) if head else replace(ours, head=b"x" * 32)
    ada.received([Sync(ada.match.id, lie).frame])
    decision = ada.session.decision
    assert decision is not None
    ada.decide(any_decision(ada.session, decision, wire.rng))
    assert ada.session.referee.count == ours.count, "nothing is signed that could contradict it"
    clock.now += PROGRESS_WITHIN - 1
    ada.received([])
    if again:  # it comes back before it is given up, as often as it likes
        until = clock.now + COMPLETE_WITHIN - PROGRESS_WITHIN
        while clock.now < until:
            ada.unlinked(LinkLost(Loss.BROKEN))
            ada.linked(sent.append)
            ada.received([Sync(ada.match.id, lie).frame])
            assert ada.session.referee.count == ours.count
            clock.now += min(PROGRESS_WITHIN - 1, until - clock.now)
            ada.received([])
    clock.now += 1
    with pytest.raises(Malformed, match="not sent in time") as caught:
        ada.received([])
    ada.unlinked(caught.value)
    assert ada.session.referee.count > ours.count, "it is on record that we answered"
    recorded = audit(Path(ada.store.path).read_bytes(), GAMES)
    assert recorded.checks.entries == ada.session.referee.count
    wire.close()


def test_a_link_on_which_nothing_is_compared_is_given_up(tmp_path: Path) -> None:
    wire = Wire(tmp_path)
    ada, clock = wire.sides[0], wire.clocks[0]
    ada.unlinked(LinkLost(Loss.BROKEN))
    ada.linked(lambda _: None)
    clock.now += PROGRESS_WITHIN
    with pytest.raises(Malformed, match="not sent in time"):
        ada.received([])
    wire.close()


def test_row_31_an_old_copy_stays_one_after_a_restart(tmp_path: Path) -> None:
    """What showed that it is old may never be shown to it again."""
    wire = Wire(tmp_path)
    wire.play_until_owed(0)
    shutil.copytree(tmp_path / "ada", tmp_path / "clone")
    count = wire.sides[0].session.referee.count
    wire.play(count + 2)
    newer = [entry.frame for entry in wire.sides[0].session.referee.entries[count:] if entry.seat == 0]
    clone = owner(tmp_path / "clone", "Ada")
    old = Replica(clone, clone.home.open(wire.match), Clock())
    old.linked(lambda _: None)
    old.received([Sync(old.match.id, wire.sides[1].session.position()).frame])
    with pytest.raises(Stale) as caught:
        old.received(newer[:1])
    old.unlinked(caught.value)
    old.close()
    again = Replica(clone, clone.home.open(wire.match), Clock())
    assert again.status is Status.STALE
    again.linked(lambda _: None)
    with pytest.raises(Stale):
        again.received([Sync(again.match.id, again.session.position()).frame])
    if (decision := again.session.decision) is not None:
        again.decide(any_decision(again.session, decision, wire.rng))
    assert again.session.referee.count == count
    assert all(frame.payload in {f.payload for f in wire.sent} for frame in again.store.recorded)
    again.close()
    wire.close()


async def test_a_copy_found_stale_stops_and_tells_the_other_side(tmp_path: Path) -> None:
    with trio.fail_after(HANGING):
        async with trio.open_nursery() as nursery:
            ada, link = await bare(nursery, tmp_path)
            match = ada.replica.match.id
            announced = StatementHead(2, b"a" * 32), StatementHead(1, b"b" * 32)
            link.send(bytes(Sync(match, Position(0, match, announced)).frame))
            agreed = ada.replica.session.referee.statement_heads[0][1]
            for name, seat, place in [
                ("ben", 1, ((0, match), Kind.AGREE, ())),
                ("ada", 0, ((1, agreed), Kind.CHAT, ("hello",))),
            ]:
                after, kind, content = place
                signed = body(seat, after, (0, match), kind, content)
                key = owner(tmp_path / name, name).identity
                link.send(bytes(Frame(STATEMENT, signed + key.sign(labels.SIGN_STATEMENT, match + signed))))
            await ada.run()
            assert ada.replica.status is Status.STALE
            assert isinstance(ada.replica.trouble, Stale)
            assert await last_word(link) == Code.STALE
            nursery.cancel_scope.cancel()
