"""What the other side may say to a running match, and what our player may do when (rows 30 and 31)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from p2p_stratego import GAMES
from protocol import labels
from protocol.audit import Verdict, audit
from protocol.channel import REMATCH, SYNC, sync_frame
from protocol.encoding import ENTRY, GENESIS, STATEMENT, Deframer, Frame, encode
from protocol.errors import Equivocation, Forged, Malformed, Misplaced, Refusal, Stale, Violation
from protocol.failures import Code, LinkLost, NotOurs, Refused
from protocol.limits import CLAIM_WHEN_AWAY, CLAIM_WHEN_CONNECTED
from protocol.messages import Choice
from protocol.messages import wire as message_value
from protocol.outputs import Position
from protocol.peer import Link, Peer, local_links
from protocol.replica import Replica, Status, closing_code
from protocol.session import NotNow
from protocol.statements import Kind, body
from tests.net.table import meet_locally, owner, running, two_stores, until
from tests.net.wire import Wire


@pytest.fixture
def wire(tmp_path: Path) -> Wire:
    """A match under way, nothing in flight, Ben to say something or to decide."""
    made = Wire(tmp_path)
    made.play(6)
    made.settle()
    return made


def statement(wire: Wire, side: int, kind: Kind, *content: object) -> Frame:
    """A statement of `side`, signed by its key, that its own session knows nothing of."""
    session = wire.sides[side].session
    referee = session.referee
    over = (referee.count, referee.head)
    signed = body(side, len(referee.statements[side]), over, kind, content)
    key = wire.owners[side].identity
    return Frame(STATEMENT, signed + key.sign(labels.SIGN_STATEMENT, session.genesis.id + signed))


def entry(wire: Wire, side: int, move: str) -> Frame:
    """A choice of `side` at the head, whoever's turn it is."""
    referee = wire.sides[side].session.referee
    signed = encode((referee.count, side, referee.head, message_value(Choice(move))))
    return Frame(
        ENTRY, signed + wire.owners[side].identity.sign(labels.SIGN_ENTRY, referee.genesis.id + signed)
    )


RUBBISH: dict[str, Callable[[Wire], Frame]] = {
    "noise in an entry": lambda _: Frame(ENTRY, b"noise"),
    "noise in a statement": lambda _: Frame(STATEMENT, b"noise" * 30),
    "a genesis": lambda w: Frame(GENESIS, w.sides[0].match.body),
    "a kind nobody knows": lambda _: Frame(99, b""),
    "a frame of the introduction": lambda _: Frame(17, b""),
    "a second comparison": lambda w: sync_frame(w.sides[0].match.id, w.sides[1].session.position()),
    "a rematch in the middle": lambda w: Frame(REMATCH, encode([w.sides[0].match.id, b"n" * 32, b"a" * 32])),
    "somebody else's signature": lambda w: Frame(ENTRY, entry(w, 1, "x").payload[:-64] + bytes(64)),
    "an entry of the future": lambda w: Frame(ENTRY, future(w)),
}


def future(wire: Wire) -> bytes:
    signed = encode((1000, 1, b"h" * 32, message_value(Choice("x"))))
    return signed + wire.owners[1].identity.sign(labels.SIGN_ENTRY, wire.sides[1].match.id + signed)


@pytest.mark.parametrize("what", RUBBISH)
def test_rubbish_blames_nobody_harms_nothing_and_the_match_goes_on_over_the_next_link(
    wire: Wire, what: str
) -> None:
    ada = wire.sides[0]
    position, record = ada.session.position(), Path(ada.store.path).read_bytes()
    with pytest.raises(Refusal) as caught:
        ada.received([RUBBISH[what](wire)])
    assert not isinstance(caught.value, Violation | Equivocation | Stale)
    assert closing_code(caught.value) == Code.PROTOCOL
    assert ada.session.position() == position
    assert ada.session.fault is None
    assert Path(ada.store.path).read_bytes() == record
    for replica in wire.sides:
        replica.unlinked(caught.value)
    assert ada.status is Status.AWAY
    assert ada.trouble is caught.value
    wire.link()
    wire.play()
    assert all(replica.finished for replica in wire.sides)
    wire.close()


def test_what_came_before_rubbish_in_one_go_is_kept(wire: Wire) -> None:
    ada, ben = wire.sides
    chat = statement(wire, 1, Kind.CHAT, "last words")
    with pytest.raises(Malformed):
        ada.received([chat, Frame(99, b"")])
    assert ada.session.referee.statements[1][-1].content == ("last words",)
    assert chat.payload in Path(ada.store.path).read_bytes()
    wire.close()
    assert ben.closed


@pytest.mark.parametrize(
    "frame",
    [
        Frame(STATEMENT, b"anything"),
        sync_frame(b"m" * 32, Position(0, b"m" * 32, (0, 0))),
        Frame(SYNC, b"noise"),
        Frame(REMATCH, b"noise"),
    ],
)
def test_nothing_is_taken_before_the_copies_were_compared(tmp_path: Path, frame: Frame) -> None:
    wire = Wire(tmp_path)
    with pytest.raises(Malformed):
        wire.sides[0].received([frame])
    wire.close()


@pytest.mark.parametrize("counts", [(), (0,), (0, 0, 0)])
def test_a_comparison_of_another_number_of_seats_is_refused(tmp_path: Path, counts: tuple[int, ...]) -> None:
    wire = Wire(tmp_path)
    ada = wire.sides[0]
    with pytest.raises(Malformed):
        ada.received([sync_frame(ada.match.id, Position(0, ada.match.id, counts))])
    wire.close()


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
    ada.unlinked(LinkLost("a pulled cable"))
    sent: list[bytes] = []
    ada.linked(sent.append)
    ours = ben.session.position()
    ada.received([sync_frame(ada.match.id, Position(ours.count, b"h" * 32, ours.statements))])
    assert isinstance(ada.trouble, Misplaced)
    assert not ada.session.live
    given = [frame for data in sent for frame in Deframer().feed(data)]
    assert given[0].kind == SYNC
    assert {frame.payload for frame in given[1:]} == wire.records(0), "whoever sees both has the proof"
    with pytest.raises(NotNow):
        ada.say("hello?")
    wire.close()


def test_a_copy_that_claims_to_hold_more_and_does_not_give_it_gets_nothing_signed(tmp_path: Path) -> None:
    wire = Wire(tmp_path)
    ada = wire.sides[0]
    ada.received([sync_frame(ada.match.id, Position(2**18, b"h" * 32, (1, 1)))])
    assert ada.status is Status.CONNECTED
    assert not ada.session.live
    for wish in (ada.resign, ada.offer_draw, ada.accept_draw):
        with pytest.raises(NotNow, match="compared"):
            wish()
    wire.close()


def test_a_proven_fault_ends_the_match_and_stands_in_the_record(wire: Wire) -> None:
    ada = wire.sides[0]
    with pytest.raises(Violation) as caught:
        ada.received([statement(wire, 1, Kind.AGREE)])
    assert caught.value.seat == 1
    ada.unlinked(caught.value)
    assert ada.finished
    assert ada.status is Status.OVER
    with pytest.raises(NotNow):
        ada.offer_rematch()
    report = audit(Path(ada.store.path).read_bytes())
    assert report.verdict is Verdict.CHEATED
    wire.close()


def test_two_versions_of_a_statement_are_equivocation(wire: Wire) -> None:
    ada = wire.sides[0]
    one, other = (statement(wire, 1, Kind.CHAT, text) for text in ("yes", "no"))
    ada.received([one])
    with pytest.raises(Equivocation):
        ada.received([other])
    assert audit(Path(ada.store.path).read_bytes()).verdict is Verdict.EQUIVOCATED
    wire.close()


# Our player


def test_nothing_is_said_while_nobody_hears_it(wire: Wire) -> None:
    ada = wire.sides[0]
    ada.unlinked(LinkLost("a pulled cable"))
    with pytest.raises(NotNow):
        ada.say("hello?")
    with pytest.raises(NotNow, match="both are still connected"):
        ada.offer_rematch()
    wire.close()


def test_who_was_connected_before_may_resign_without_a_connection_and_it_arrives_later(wire: Wire) -> None:
    ada, ben = wire.sides
    for replica in wire.sides:
        replica.unlinked(LinkLost("a pulled cable"))
    ada.resign()
    assert not ben.session.outcome
    wire.link()
    wire.settle()
    assert ben.session.outcome is not None
    assert ben.session.outcome.winners == {1}
    assert all(replica.finished for replica in wire.sides)
    wire.close()


def test_a_draw_is_offered_accepted_and_ends_the_match(wire: Wire) -> None:
    ada, ben = wire.sides
    ada.offer_draw()
    wire.settle()
    assert ben.session.draw_offer is not None
    ben.accept_draw()
    wire.settle()
    for replica in wire.sides:
        assert replica.session.outcome is not None
        assert replica.session.outcome.winners == frozenset()
        assert replica.finished
        replica.unlinked(LinkLost("both went home"))
        assert replica.status is Status.OVER
    wire.close()


class Clock:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(("connected", "patience"), [(False, CLAIM_WHEN_AWAY), (True, CLAIM_WHEN_CONNECTED)])
def test_a_claim_is_possible_when_the_other_side_has_kept_us_waiting_long_enough(
    wire: Wire, connected: bool, patience: float
) -> None:
    while (owed := wire.sides[0].session.referee.owed) is None or owed.seat != 1 or any(wire.queues):
        wire.step()
    ada, ben = wire.sides
    clock = Clock()
    clock.now = 1000.0
    ada._clock = clock
    ada._known = (-1, ())
    if connected:
        ada._changed()
    else:
        ada.unlinked(LinkLost("a pulled cable"))
    assert ben.claimable_in is None, "it is Ben's own turn"
    clock.now = 1000.0 + patience - 1
    assert ada.claimable_in == pytest.approx(1.0)
    with pytest.raises(NotNow, match="1 seconds"):
        ada.claim_away()
    clock.now = 1000.0 + patience + 5
    ada.claim_away()
    claim = ada.session.referee.statements[0][-1]
    assert (claim.kind, claim.content) == (Kind.AWAY, (1, int(patience) + 5))
    assert ada.claimed
    assert not ada.finished, "it can still be answered"
    assert ada.claimable_in is None
    assert ada.status is (Status.CONNECTED if connected else Status.AWAY)
    assert audit(Path(ada.store.path).read_bytes()).verdict is Verdict.UNRESPONSIVE
    wire.close()


@pytest.mark.parametrize("restarted", [False, True])
def test_whoever_was_claimed_away_can_answer_and_the_match_goes_on(wire: Wire, *, restarted: bool) -> None:
    while (owed := wire.sides[0].session.referee.owed) is None or owed.seat != 1 or any(wire.queues):
        wire.step()
    ada, ben = wire.sides
    for side in wire.sides:
        side.unlinked(LinkLost("a pulled cable"))
    clock = Clock()
    ada._clock = clock
    ada._changed()
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
        assert audit(Path(side.store.path).read_bytes()).verdict is Verdict.COMPLETE
    wire.close()


def test_a_reveal_that_is_owed_can_be_claimed_and_given_after_all(tmp_path: Path) -> None:
    wire = Wire(tmp_path, game=GAMES["stratego"])
    wire.play(20)
    wire.settle()
    ada = wire.sides[0]
    for side in wire.sides:
        side.unlinked(LinkLost("a pulled cable"))
    clock = Clock()
    ada._clock = clock
    ada.resign()
    assert ada.session.over
    assert ada.session.outcome is None
    assert ada.waited_for == (1,), "Ben has not opened what it made claims about"
    with pytest.raises(NotNow, match="to come back"):
        ada.claim_away()
    clock.now += CLAIM_WHEN_AWAY
    ada.claim_away()
    assert ada.claimed
    assert audit(Path(ada.store.path).read_bytes()).verdict is Verdict.UNRESPONSIVE
    wire.link()
    wire.settle()
    for side in wire.sides:
        assert side.finished
        assert side.session.outcome is not None
        assert side.session.outcome.reason != "unresponsive"
    wire.close()


def test_on_our_own_turn_nobody_can_be_claimed_away(wire: Wire) -> None:
    while (owed := wire.sides[0].session.referee.owed) is None or owed.seat != 0 or any(wire.queues):
        wire.step()
    assert wire.sides[0].claimable_in is None
    with pytest.raises(NotNow):
        wire.sides[0].claim_away()
    wire.close()


@pytest.mark.parametrize(
    "value", [[], [b"m" * 32, b"n" * 32, b"a" * 32], "short", "twice", "mirror"], ids=str
)
def test_a_rematch_that_cannot_be_is_refused_and_the_old_record_stays(wire: Wire, value: object) -> None:
    ada = wire.sides[0]
    ada.resign()
    wire.settle()
    assert ada.finished
    match = ada.match.id
    good = Frame(REMATCH, encode([match, b"n" * 32, b"a" * 32]))
    frames = {"short": [Frame(REMATCH, encode([match, b"n" * 31, b"a" * 32]))], "twice": [good, good]}
    if value == "mirror":
        ada.offer_rematch()
        own = ada._rematch._own
        assert own is not None
        frames["mirror"] = [Frame(REMATCH, encode([match, own.nonce, b"a" * 32]))]
    said = frames[value] if isinstance(value, str) else [Frame(REMATCH, encode(value))]
    with pytest.raises(Malformed):
        ada.received(said)
    assert ada.match.id == match
    assert ada.finished
    wire.close()


def test_a_match_of_another_key_is_not_opened(tmp_path: Path) -> None:
    store, other = two_stores(tmp_path)
    with pytest.raises(NotOurs, match=r"identity\.key"):
        Replica(owner(tmp_path / "cleo", "Cleo"), store, lambda: 0.0)
    store.close()
    other.close()


# Over links


async def bare(nursery: trio.Nursery, tmp_path: Path) -> tuple[Peer, Link]:
    """Ada's peer, and a bare link in Ben's place."""
    store, other = two_stores(tmp_path)
    other.close()
    ada = Peer(nursery, owner(tmp_path / "ada", "Ada"), store)
    link, theirs = local_links(nursery)
    ada.take(link)
    return ada, theirs


async def last_word(link: Link) -> int:
    """The code with which the other side ends `link`."""
    try:
        while True:
            await link.receive()
    except Refused as refused:
        return refused.code


async def test_a_peer_that_speaks_rubbish_loses_its_link_and_nothing_else(tmp_path: Path) -> None:
    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            ada, link = await bare(nursery, tmp_path)
            async with running(ada):
                link.send(bytes(Frame(STATEMENT, b"noise")))
                await until(ada, lambda: isinstance(ada.trouble, Malformed))
                assert await last_word(link) == Code.PROTOCOL
                link, again = local_links(nursery)
                ada.take(link)
                again.send(bytes(sync_frame(ada.match.id, Position(0, ada.match.id, (0, 0)))))
                await until(ada, lambda: ada.status is Status.CONNECTED)
            nursery.cancel_scope.cancel()


async def test_a_copy_found_stale_stops_and_tells_the_other_side(tmp_path: Path) -> None:
    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            ada, link = await bare(nursery, tmp_path)
            match = ada.match.id
            link.send(bytes(sync_frame(match, Position(0, match, (2, 1)))))
            for name, seat, place in [
                ("ben", 1, (0, Kind.AGREE, ())),
                ("ada", 0, (1, Kind.CHAT, ("hello",))),
            ]:
                index, kind, content = place
                signed = body(seat, index, (0, match), kind, content)
                key = owner(tmp_path / name, name).identity
                link.send(bytes(Frame(STATEMENT, signed + key.sign(labels.SIGN_STATEMENT, match + signed))))
            await ada.run()
            assert ada.status is Status.STALE
            assert isinstance(ada.trouble, Stale)
            assert await last_word(link) == Code.STALE
            nursery.cancel_scope.cancel()


async def test_a_finished_match_ends_when_the_other_side_goes(tmp_path: Path) -> None:
    ada, ben = owner(tmp_path / "ada", "Ada"), owner(tmp_path / "ben", "Ben")
    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            one, other = meet_locally(nursery, ada, ben)
            async with running(other), trio.open_nursery() as inner:
                inner.start_soon(one.run)
                await until(one, lambda: one.session.live)
                await until(other, lambda: other.session.live)
                one.resign()
                await until(one, lambda: one.finished)
                await until(other, lambda: other.finished)
                other.leave()
            assert one.status is Status.OVER
            assert one.closed
            nursery.cancel_scope.cancel()


def test_a_forgery_is_not_mistaken_for_its_victims_word(wire: Wire) -> None:
    ada = wire.sides[0]
    forged = Frame(ENTRY, entry(wire, 1, "x").payload[:-64] + bytes(64))
    with pytest.raises(Forged):
        ada.received([forged])
    wire.close()
