"""Posts of a match: what a seat writes for another one, and what it takes from one.

A post is a link that somebody carries: for each side it is a link on which the other side's SYNC and all that
follows it come at once, and on which our own words go into the next post.  So everything that comes passes
the checks of a link, and nothing that a carrier can do is anybody's fault.  What differs is time: a post may
be of any age, so it shows that no other copy of ours has gone on only while our folder stands where it stood,
or if it answers a post that we wrote since (ledger.py).  What makes a copy doubt itself is the place of its
folder, damage on its disk, or a stamp that its own key made: never the word of somebody else (threat 103).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from p2p_stratego.core.game import Seat
from protocol.channel.channel import Sync, read_sync
from protocol.errors import Malformed, Refusal
from protocol.failures import LinkLost, Loss, StorageFailure
from protocol.post import form
from protocol.post.form import Post, Postmark, Stamp
from protocol.record import statements
from protocol.record.entries import parse_entry
from protocol.record.position import Position, StatementHead
from protocol.replication.replica import Replica, Status
from protocol.storage.home import Owner
from protocol.storage.ledger import PostLedger
from protocol.storage.match_store import Store
from protocol.wire.encoding import ENTRY, GENESIS, STATEMENT, Deframer, Frame


@dataclass(frozen=True, slots=True)
class Taken:
    """What a post brought.  `records`: how many were new here; `older`: we had taken a later one before;
    `trouble`: what was refused, or proven; `unsure`: our copy signs nothing before a post of it is answered.
    """

    writer: Seat
    serial: int
    records: int
    older: bool
    trouble: Refusal | StorageFailure | None
    unsure: bool


@dataclass(frozen=True, slots=True)
class Written:
    """A post to `reader`; `records`: how many are in it; `unsure`: as in Taken."""

    reader: Seat
    serial: int
    records: int
    data: bytes
    unsure: bool


def goes_by_post(store: Store) -> bool:
    """Whether posts are all that the seats of this match have: nobody can be called, and some were written.

    Raises Damaged.
    """
    route = store.route
    return store.ledger.used and route.own is None and not route.others


def is_sure(store: Store, ledger: PostLedger) -> bool:
    """Whether no other copy of ours can have gone on since this one was compared: it stands where it did."""
    return ledger.here == store.mark and not ledger.doubted and not store.secrets.lost


def recall(replica: Replica) -> bool:
    """Go on as after the last posts: sign what our seat owes and can.  Returns whether this copy may sign."""
    ledger = replica.store.ledger
    replica.by_post = True
    if not is_sure(replica.store, ledger):
        return False
    for seat in _others(replica):
        _pass(replica, seat, [_shown(replica, ledger, seat)], lambda _: None, fresh=True)
    _stand(replica)
    return replica.session.proven  # not in a copy that is known to be old


def vouch(replica: Replica) -> bool:
    """Our person says that no other copy of ours has gone on: this copy is in doubt no more, and signs again.

    Returns whether it may sign; one that is known to be old never may.  Raises StorageFailure.
    """
    store = replica.store
    store.settle()
    store.keep_ledger(replace(store.ledger, here=store.mark, doubted=0))
    return recall(replica)


def take(replica: Replica, post: Post) -> Taken:
    """Take a post of this match.

    Raises Malformed if it is for another seat or match, Forged if it is not its writer's, or shows a stamp of
    ours that our key did not make: then nothing has changed.  StorageFailure if the ledger cannot be kept.
    """
    mark, match = post.mark, replica.match
    if mark is None or mark.match != match.id:
        raise Malformed("The post is of another match.")
    if mark.writer >= len(match.players) or mark.reader != replica.seat:
        raise Malformed("The post is for another seat.")
    writer, own = match.players[mark.writer].key, match.players[mark.reader].key
    post.check(writer)
    mark.check(writer, own)
    store, ledger = replica.store, replica.store.ledger
    known, serial, seen = ledger.of(mark.writer), mark.stamp.serial, mark.seen.serial
    forgotten = seen > known.sent  # it has taken a post of ours that this copy does not know of
    placed = is_sure(store, ledger) and not forgotten
    answered = bool(ledger.doubted) and seen >= ledger.doubted and not forgotten
    before = _others_records(replica)
    trouble = _pass(replica, mark.writer, post.carried, lambda _: None, fresh=placed or answered)
    if placed:
        _stand(replica)
    sure = (placed or answered) and replica.session.proven
    if forgotten:
        ledger = replace(ledger, here=None, doubted=0).updated(mark.writer, sent=seen)
    if sure:
        store.settle()
        ledger = replace(ledger, here=store.mark, doubted=0)
    if serial > known.taken:
        ledger = ledger.updated(mark.writer, taken=serial, stamp=mark.stamp.signature)
        if trouble is None:  # else nobody knows whether it speaks of a copy of this match at all
            ledger = ledger.updated(mark.writer, sync=post.sync.payload)
    store.keep_ledger(ledger)
    records = _others_records(replica) - before
    return Taken(mark.writer, serial, records, serial < known.taken, trouble, not sure)


def write(replica: Replica, owner: Owner, reader: Seat, now: float, *, whole: bool = False) -> Written:
    """A post to `reader` with all that it has not shown to have, or the `whole` match.

    What our seat owes is signed before, everything is synced, and that this post was written is on the disk
    before it is returned.  `now`: seconds since 1970; serials follow them, so that a copy that was restored
    writes none a second time.  Raises StorageFailure.
    """
    store = replica.store
    sure = recall(replica)
    ledger, match = store.ledger, replica.match
    told: list[Frame] = []
    if whole or not sure:
        shown = _blank(replica) if whole else _shown(replica, ledger, reader)
    else:
        shown = _shown(replica, ledger, reader)
    _pass(replica, reader, [shown], lambda data: told.extend(Deframer().feed(data)), fresh=sure)
    store.sync()
    serial = max(ledger.last + 1, int(now))
    known = ledger.of(reader)
    stamp = form.stamp(owner.identity, match.id, replica.seat, reader, serial)
    mark = Postmark(match.id, replica.seat, reader, stamp, Stamp(known.taken, known.stamp))
    frames = [mark.frame]
    if whole or not replica.session.referee.statements[reader]:
        frames.append(Frame(GENESIS, match.body))  # it may not have the match yet
    frames += [frame for frame in told if frame.kind in form.CARRIED]
    position = replica.session.position()
    at = position.count, position.statements[replica.seat].count
    ledger = ledger.updated(reader, sent=serial, extent=at)
    if not sure and not ledger.doubted:
        ledger = replace(ledger, doubted=serial)
    store.keep_ledger(ledger)
    data = form.sealed(owner.identity, frames)
    records = sum(frame.kind in (ENTRY, STATEMENT) for frame in frames)
    return Written(reader, serial, records, data, not sure)


def unsent(replica: Replica) -> tuple[Seat, ...]:
    """The seats to which our newest records, or a decision that is not signed yet, were not written."""
    session, ledger = replica.session, replica.store.ledger
    own = session.referee.newest_entry(replica.seat)
    entries = 0 if own is None else own.number + 1
    if session.kept is not None and not session.over:  # else nobody will sign it any more
        entries = session.referee.count + 1
    at = entries, session.position().statements[replica.seat].count
    return untold(ledger, _others(replica), at)


def untold(ledger: PostLedger, others: Iterable[Seat], at: tuple[int, int]) -> tuple[Seat, ...]:
    """Which of `others` were not written to since our numbers of entries and statements are `at`."""
    told = {seat: ledger.of(seat).extent for seat in others}
    return tuple(seat for seat, (entries, said) in told.items() if entries < at[0] or said < at[1])


def signed(records: Iterable[Frame], seat: Seat) -> tuple[int, int]:
    """How long these records of a match are with the newest entry of `seat`, and how many statements it made.

    Raises Malformed.
    """
    entries = said = 0
    for frame in records:
        if frame.kind == ENTRY:
            entry = parse_entry(frame.payload)
            entries = entry.number + 1 if entry.seat == seat else entries
        elif frame.kind == STATEMENT:
            said += statements.parse(frame.payload).seat == seat
    return entries, said


def _others_records(replica: Replica) -> int:
    """How many records of other seats our copy has."""
    return sum(one.seat != replica.seat for one in replica.session.referee.record)


def _others(replica: Replica) -> list[Seat]:
    """The seats of other people."""
    bots = replica.route.bots
    return [s for s in range(len(replica.match.players)) if s != replica.seat and s not in bots]


def _pass(
    replica: Replica, seat: Seat, frames: list[Frame], send: Callable[[bytes], None], *, fresh: bool
) -> Refusal | StorageFailure | None:
    """A link to `seat` on which these frames come, and which is gone then; what was refused of them."""
    trouble: Refusal | StorageFailure | None = None
    replica.linked(send, seat, fresh=fresh)
    try:
        replica.received(frames, seat)
    except (Refusal, StorageFailure) as error:
        trouble = error
    replica.unlinked(LinkLost(Loss.CLOSED_HERE) if trouble is None else trouble, seat)
    if isinstance(trouble, StorageFailure):
        raise trouble
    replica.exchange.abandon(seat)
    replica.by_post, replica.exchange.trouble = True, trouble
    return trouble


def _stand(replica: Replica) -> None:
    """Our folder stands where it stood, so this copy is the newest: sign, whatever a SYNC says of its heads,
    which nobody has signed (threat 103).  One that is known to be old stays frozen.
    """
    session = replica.session
    if session.proven or replica.status is Status.STALE:
        return
    session.go_live()
    session.pause()
    replica.exchange.flush()


def _shown(replica: Replica, ledger: PostLedger, seat: Seat) -> Frame:
    """The SYNC that `seat` would send, as far as we know: that of its last post, or what its records show."""
    session = replica.session
    referee = session.referee
    own = referee.newest_entry(seat)
    said = referee.statements[seat]
    count = max([0 if own is None else own.number + 1, *(one.count for one in said)])
    heads = [
        StatementHead(len(said), referee.statement_heads[seat][-1])
        if s == seat
        else StatementHead(0, heads[0])
        for s, heads in enumerate(referee.statement_heads)
    ]
    known = Position(count, referee.heads[count], tuple(heads))
    payload = ledger.of(seat).sync
    if not payload:
        return Sync(replica.match.id, known).frame
    sync = read_sync(payload)
    theirs = sync.position
    if theirs.count < known.count:
        theirs = replace(theirs, count=known.count, head=known.head)
    later = [
        two if two.count > one.count else one
        for one, two in zip(theirs.statements, known.statements, strict=True)
    ]
    return replace(sync, position=replace(theirs, statements=tuple(later))).frame


def _blank(replica: Replica) -> Frame:
    """The SYNC of a copy that has nothing."""
    referee = replica.session.referee
    nothing = tuple(StatementHead(0, heads[0]) for heads in referee.statement_heads)
    return Sync(replica.match.id, Position(0, referee.heads[0], nothing)).frame
