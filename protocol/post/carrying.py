"""Posts of a match: `write` makes a post for another seat, `take` takes a post of another seat.

A post is a link that somebody carries: for each side it is a link on which the other side's SYNC and all that
follows it come at once, and on which our own frames go into the next post.  So every frame passes the checks
of a link, and no act of a carrier is anybody's fault.  Only time differs, as a post may be of any age.  So a
post shows that no other copy of ours has gone on only while our folder stands where it stood, or if the post
answers a post that we wrote since (ledger.py).  A copy doubts itself because of the place of its folder,
damage on its disk, or a stamp of its own key: never on the word of somebody else (threat 103).
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
class PostReport:
    """The result of taking a post.

    `records`: the number of new records; `older`: we had taken a later post before; `trouble`: the refusal or
    the proven fault; `unsure`: our copy signs nothing before a post of it is answered.
    """

    writer: Seat
    serial: int
    records: int
    older: bool
    trouble: Refusal | StorageFailure | None
    unsure: bool


@dataclass(frozen=True, slots=True)
class WrittenPost:
    """A post to `reader`; `records`: their number in it; `unsure`: as in PostReport."""

    reader: Seat
    serial: int
    records: int
    data: bytes
    unsure: bool


def goes_by_post(store: Store) -> bool:
    """Whether the seats of this match have posts alone: nobody can be called, and some posts were written.

    Raises Damaged.
    """
    route = store.route
    return store.ledger.used and route.own is None and not route.others


def is_sure(store: Store, ledger: PostLedger) -> bool:
    """Whether the folder stands where this copy was last compared, so no other copy can have gone on."""
    return ledger.here == store.mark and not ledger.doubted and not store.secrets.lost


def recall(replica: Replica) -> bool:
    """Go on as after the last posts: sign every debt of our seat.  Returns whether this copy may sign."""
    ledger = replica.store.ledger
    replica.by_post = True
    if not is_sure(replica.store, ledger):
        return False
    for seat in _others(replica):
        _pass(replica, seat, [_shown(replica, ledger, seat)], lambda _: None, fresh=True)
    _stand(replica)
    return replica.session.proven  # False in a copy that is known to be old


def vouch(replica: Replica) -> bool:
    """End this copy's doubt, as our person says that no other copy of ours has gone on: it signs again.

    Returns whether it may sign; a copy that is known to be old never may.  Raises StorageFailure.
    """
    store = replica.store
    store.settle()
    store.keep_ledger(replace(store.ledger, here=store.mark, doubted=0))
    return recall(replica)


def take(replica: Replica, post: Post) -> PostReport:
    """Take a post of this match.

    Raises Malformed for a post for another seat or match, and Forged for a post with a wrong signature of its
    writer or a false stamp of ours: then nothing has changed.  StorageFailure if the ledger cannot be kept.
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
    # Our own key made the stamp `seen` (checked above): the writer took a post that this copy does not know.
    forgotten = seen > known.sent
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
        if trouble is None:  # else its SYNC may be of no copy of this match at all
            ledger = ledger.updated(mark.writer, sync=post.sync.payload)
    store.keep_ledger(ledger)
    records = _others_records(replica) - before
    return PostReport(mark.writer, serial, records, serial < known.taken, trouble, not sure)


def write(replica: Replica, owner: Owner, reader: Seat, now: float, *, whole: bool = False) -> WrittenPost:
    """A post to `reader` with all records that it has not shown to have, or with the `whole` match.

    Our seat signs its debts before.  The records and the fact of this post are on the disk before it returns.
    `now`: seconds since 1970; serials follow the clock, so a restored copy repeats no serial.  Raises
    StorageFailure.
    """
    store = replica.store
    sure = recall(replica)
    ledger, match = store.ledger, replica.match
    outgoing: list[Frame] = []
    if whole or not sure:
        shown = _blank(replica) if whole else _shown(replica, ledger, reader)
    else:
        shown = _shown(replica, ledger, reader)
    _pass(replica, reader, [shown], lambda data: outgoing.extend(Deframer().feed(data)), fresh=sure)
    store.sync()
    serial = max(ledger.last + 1, int(now))
    known = ledger.of(reader)
    stamp = form.stamp(owner.identity, match.id, replica.seat, reader, serial)
    mark = Postmark(match.id, replica.seat, reader, stamp, Stamp(known.taken, known.stamp))
    frames = [mark.frame]
    if whole or not replica.session.referee.statements[reader]:
        frames.append(Frame(GENESIS, match.body))  # `reader` may not have the match yet
    frames += [frame for frame in outgoing if frame.kind in form.CARRIED]
    position = replica.session.position()
    at = position.count, position.statements[replica.seat].count
    ledger = ledger.updated(reader, sent=serial, extent=at)
    if not sure and not ledger.doubted:
        ledger = replace(ledger, doubted=serial)
    store.keep_ledger(ledger)
    data = form.sealed_post(owner.identity, frames)
    records = sum(frame.kind in (ENTRY, STATEMENT) for frame in frames)
    return WrittenPost(reader, serial, records, data, not sure)


def readers_due(replica: Replica) -> tuple[Seat, ...]:
    """The seats to which our newest records, or an unsigned decision of ours, still have to be written."""
    session, ledger = replica.session, replica.store.ledger
    own = session.referee.newest_entry(replica.seat)
    entries = 0 if own is None else own.number + 1
    if session.kept is not None and not session.over:  # else nobody will sign that decision
        entries = session.referee.count + 1
    at = entries, session.position().statements[replica.seat].count
    return readers_behind(ledger, _others(replica), at)


def readers_behind(ledger: PostLedger, others: Iterable[Seat], at: tuple[int, int]) -> tuple[Seat, ...]:
    """Those of `others` whose last post holds fewer entries or statements of ours than `at`."""
    extents = {seat: ledger.of(seat).extent for seat in others}
    return tuple(seat for seat, extent in extents.items() if extent[0] < at[0] or extent[1] < at[1])


def signed_extent(records: Iterable[Frame], seat: Seat) -> tuple[int, int]:
    """The number of entries up to the newest of `seat`, and of statements of `seat`, in records of a match.

    Raises Malformed.
    """
    entry_count = statement_count = 0
    for frame in records:
        if frame.kind == ENTRY:
            entry = parse_entry(frame.payload)
            entry_count = entry.number + 1 if entry.seat == seat else entry_count
        elif frame.kind == STATEMENT:
            statement_count += statements.parse(frame.payload).seat == seat
    return entry_count, statement_count


def _others_records(replica: Replica) -> int:
    """The number of records of other seats in our copy."""
    return sum(record.seat != replica.seat for record in replica.session.referee.record)


def _others(replica: Replica) -> list[Seat]:
    """The seats of other people."""
    bots = replica.route.bots
    return [s for s in range(len(replica.match.players)) if s != replica.seat and s not in bots]


def _pass(
    replica: Replica, seat: Seat, frames: list[Frame], send: Callable[[bytes], None], *, fresh: bool
) -> Refusal | StorageFailure | None:
    """Take `frames` over a link to `seat` that is gone then; return the refusal of a frame, or None.

    `send`: takes our own frames.  Raises StorageFailure.
    """
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
    """Let this copy sign: its folder stands where it stood, so this copy is the newest.

    The heads of a SYNC are not signed, so they cannot stop it (threat 103).  A copy that is known to be old
    stays frozen.
    """
    session = replica.session
    if session.proven or replica.status is Status.STALE:
        return
    session.go_live()
    session.pause()
    replica.exchange.flush()


def _shown(replica: Replica, ledger: PostLedger, seat: Seat) -> Frame:
    """The SYNC that `seat` would send, as far as we know: from its last post, and from its records."""
    session = replica.session
    referee = session.referee
    newest = referee.newest_entry(seat)
    signed = referee.statements[seat]
    count = max([0 if newest is None else newest.number + 1, *(statement.count for statement in signed)])
    heads = [
        StatementHead(len(signed), referee.statement_heads[seat][-1])
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
        recorded if recorded.count > announced.count else announced
        for announced, recorded in zip(theirs.statements, known.statements, strict=True)
    ]
    return replace(sync, position=replace(theirs, statements=tuple(later))).frame


def _blank(replica: Replica) -> Frame:
    """The SYNC of a copy that has nothing."""
    referee = replica.session.referee
    nothing = tuple(StatementHead(0, heads[0]) for heads in referee.statement_heads)
    return Sync(replica.match.id, Position(0, referee.heads[0], nothing)).frame
