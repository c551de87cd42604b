"""The table of a schedule: real seats with homes on the disk, and the ways of forging seats to them.

The forging seats have no program; what they sign is the business of forger.py.  All that leaves a real seat
is noted here, so that a second signature for one place is noticed, and an AWAY that no person wanted.
"""

from __future__ import annotations

import hashlib
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any
from unittest.mock import patch

from protocol.channel.channel import Sync
from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.errors import Forged, Malformed, Refusal, Stale
from protocol.failures import Failure, NotNow
from protocol.limits import CLAIM_WHEN_AWAY
from protocol.post import carrying, form
from protocol.post.form import Postmark, Stamp
from protocol.record import statements
from protocol.record.referee import Referee
from protocol.record.statements import Kind, Statement
from protocol.replication.replica import Replica
from protocol.seat.effects import Duty, Output
from protocol.storage.ledger import PostLedger
from protocol.storage.match_store import Store
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, STATEMENT, Deframer, Frame
from tests.campaigns.explore.plan import Plan
from tests.helpers.links.gossiping import LOST, Gossiping
from tests.helpers.seats.crash import Died, Place, place

MOST_DELIVERIES = 20_000
"""Frames until a table counts as one that never comes to rest."""
SOON = 5.0
"""Seconds until a timer runs out for which a table at rest still waits."""
LATER = 200.0
"""Seconds after which a seat without a connection may be called away, and a person has lost patience."""
IN_TIME = "has not sent in time"


class Broken(Exception):
    """A schedule broke the invariant with this name."""

    def __init__(self, invariant: str, text: str) -> None:
        super().__init__(f"{invariant}: {text}")
        self.invariant, self.text = invariant, text


class Moment(Enum):
    """When a process dies of what it has just signed."""

    SIGNED = "before anything is written"
    DECIDED = "once the decision is written"
    TORN = "in the middle of the record"
    SYNCED = "once all is synced, before it is sent"


@dataclass
class Bag:
    """Posts under way: anybody may carry them, in any order and any number of times."""

    posts: list[tuple[int, bytes]] = field(default_factory=list)
    """Reader and post."""
    stamps: dict[tuple[int, int], list[Stamp]] = field(default_factory=dict)
    """By writer and reader: those of all that were written, oldest first."""


class World(Gossiping):
    """The table; every step of a schedule acts on it."""

    def __init__(self, folder: Path, plan: Plan, notes: list[str] | None = None) -> None:
        """`notes`: takes a line for each thing that happens."""
        super().__init__(
            folder,
            plan.seats,
            plan.edges,
            seed=plan.seed,
            options=plan.options,
            game=plan.game,
            control=plan.control,
            proofs=plan.at.proofs,
            escrow=plan.escrow,
            takebacks=plan.at.takebacks,
        )
        self.plan, self.notes = plan, notes
        self.match = self.seats[0].match
        self.done: Counter[str] = Counter()
        self.steps = 0
        """How many the schedule has begun."""
        self.secrets = {seat: self.seats[seat].store.secrets for seat in plan.forging}
        self.joined: set[tuple[int, int]] = set()
        """The links between an honest seat and one that forges."""
        self.published: dict[Place, bytes] = {}
        """The payload of each record of an honest seat that has left it."""
        self.shown_statements: list[Statement] = []
        """The statements among them: one that died with its process was never said."""
        self.wanted: set[tuple[int, int]] = set()
        """Seat and count of the AWAYs that its person has wanted."""
        self.agreed: dict[tuple[int, int], set[int]] = {}
        """By seat and count at which its person has offered or accepted a draw: who had gone home, as that
        person could see when it said so last.
        """
        self.shown: dict[tuple[int, int], float] = {}
        """By seat and count: since when its copy has shown that place."""
        self.bag = Bag()
        for seat in plan.forging:
            self.seats[seat].close()
            self.dead.add(seat)
        for seat in plan.honest if plan.at.post else ():
            store = self.seats[seat].store
            store.keep_ledger(PostLedger(here=store.mark))

    # Who is there

    @property
    def living(self) -> list[int]:
        """The honest seats whose process runs."""
        return [seat for seat in self.plan.honest if seat not in self.dead]

    @property
    def killed(self) -> list[int]:
        """The honest seats whose process is gone."""
        return [seat for seat in self.plan.honest if seat in self.dead]

    @property
    def decided(self) -> bool:
        """Whether every honest copy holds a proof of a fault, so that nothing is added to any."""
        return not self.killed and all(self.seats[seat].session.fault for seat in self.plan.honest)

    def referee(self, seat: int) -> Referee:
        """The record in the copy of an honest seat."""
        return self.seats[seat].session.referee

    def note(self, *words: object) -> None:
        """Something happens."""
        if self.notes is not None:
            self.notes.append(" ".join(map(str, words)))

    # Processes

    @contextmanager
    def process(self, seat: int) -> Iterator[None]:
        """What the process of `seat` does; it may die of it, and must not fail in any other way."""
        try:
            yield
        except Died:
            self.done["died of a signature"] += 1
            self.note("seat", seat, "dies")
            self.kill(seat)
        except (NotNow, Refusal, Failure, Broken):
            raise
        except Exception as error:
            at = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(at.filename).name}, {at.name}"
            raise Broken(
                "an honest program fails", f"seat {seat}: {type(error).__name__} in {where}"
            ) from error
        else:
            if seat not in self.dead:
                self.shown.setdefault((seat, self.referee(seat).count), self.clock.now)

    def person(self, seat: int, action: Callable[[], None]) -> None:
        """The player of `seat` wants something, which may not be possible now."""
        with suppress(NotNow), self.process(seat):
            self.seats[seat].perform(action)

    def offers(self, seat: int) -> None:
        """The player of `seat` offers a draw."""
        self._agrees(seat)
        self.person(seat, self.seats[seat].session.offer_draw)

    def accepts(self, seat: int) -> None:
        """The player of `seat` accepts a draw, if it can."""
        session = self.seats[seat].session
        if session.draw_offer is not None:
            self._agrees(seat)
            self.person(seat, session.accept_draw)

    def _agrees(self, seat: int) -> None:
        referee = self.referee(seat)
        self.agreed[seat, referee.count] = referee.endings.resigned_until(referee.count)

    def kill(self, seat: int) -> None:
        super().kill(seat)
        self.joined = {(honest, forging) for honest, forging in self.joined if honest != seat}

    def restart(self, seat: int) -> Replica:
        """A new process opens the files of a dead seat; every honest match reopens."""
        try:
            with self.process(seat):
                super().restart(seat)
                if self.plan.at.post:
                    carrying.recall(self.seats[seat])
        except (Refusal, Failure) as error:
            raise Broken("an honest match does not reopen", f"seat {seat}: {error!r}") from error
        return self.seats[seat]

    def doom(self, seat: int, moment: Moment) -> None:
        """Let the process of `seat` die of the next thing that it signs."""
        store = self.seats[seat].store
        write = store.execute

        def execute(outputs: Iterable[Output], *, durable: bool = False) -> bytes:
            batch = [*outputs]
            signed = next((at for at, output in enumerate(batch) if output.duty is Duty.SEND), None)
            if signed is None:
                return write(batch, durable=durable)
            if moment is Moment.SYNCED:
                write(batch, durable=True)
            elif moment is Moment.DECIDED:
                write([output for output in batch if output.duty is Duty.SECRET])
            elif moment is Moment.TORN:
                write(batch[:signed] + [output for output in batch[signed:] if output.duty is Duty.SECRET])
                _tear(store, batch[signed].data)
            raise Died

        patch.object(store, "execute", execute).start()  # for good: the store dies with its process

    def tick(self) -> None:
        """The timers of all that live run out, as far as their time has come."""
        for seat in self.living:
            with self.process(seat):
                self.seats[seat].tick()

    # What leaves a seat

    def send(self, end: int, other: int, data: bytes) -> None:
        super().send(end, other, data)
        self.sent.clear()
        self._leaves(data)

    def _leaves(self, data: bytes) -> None:
        for frame in Deframer().feed(data):
            self.publish(frame)

    def publish(self, frame: Frame) -> None:
        """A record goes out: of each honest seat only one for each place."""
        if frame.kind not in (ENTRY, STATEMENT) or (at := place(frame))[1] in self.plan.forging:
            return
        known = self.published.setdefault(at, frame.payload)
        if known is frame.payload and frame.kind == STATEMENT:
            self.shown_statements.append(statements.parse(frame.payload))
            self._weigh(self.shown_statements[-1])
        elif known[:-SIGNATURE_BYTES] != frame.payload[:-SIGNATURE_BYTES]:
            label = labels.SIGN_ENTRY if frame.kind == ENTRY else labels.SIGN_STATEMENT
            if self.match.signed(at[1], label, frame.payload) and self.match.signed(at[1], label, known):
                raise Broken("no seat signs twice for one place", f"seat {at[1]}, place {at[2]}")

    def _weigh(self, statement: Statement) -> None:
        """An AWAY that no person wanted needs the patience of a person."""
        if statement.kind is not Kind.AWAY or (statement.seat, statement.count) in self.wanted:
            return
        waited = self.clock.now - self.shown.get((statement.seat, statement.count), self.clock.now)
        if waited < CLAIM_WHEN_AWAY / 2:
            raise Broken(
                "no program calls a seat away before its own patience is over",
                f"seat {statement.seat} calls {statement.content[0]} away over {statement.count} "
                f"after {waited:.1f} s",
            )

    # The ways to forging seats

    def join(self, honest: int, forging: int, like: int | None = None) -> None:
        """A link is made; the forging seat shows a copy like that of `honest`, or of another honest seat."""
        if (honest, forging) in self.joined or honest in self.dead or self.plan.at.post:
            return
        self.joined.add((honest, forging))
        with self.process(honest):
            self.seats[honest].linked(self._leaves, forging)
        if honest not in self.dead:
            self.hear(honest, forging, [self._sync(honest, like)])

    def _sync(self, honest: int, like: int | None = None) -> Frame:
        session = self.seats[honest].session
        shown = self.seats[honest if like is None else like].session
        return Sync(self.match.id, shown.position(), *session.copy.newest(honest)).frame

    def part(self, honest: int, forging: int) -> None:
        """A link is gone."""
        if (honest, forging) in self.joined:
            self.joined.discard((honest, forging))
            with self.process(honest):
                self.seats[honest].unlinked(LOST, forging)

    def give(self, forging: int, honest: int, frames: list[Frame], *, seen: int = 0) -> None:
        """A forging seat gives these to an honest one, over their link or in a post.

        `seen`: of how many posts it keeps back that it has seen them; -1: it forges a stamp for a later one.
        """
        if honest in self.dead or not frames:
            return
        self.note("seat", forging, "gives seat", honest, *map(named, frames))
        if self.plan.at.post:
            self._take(honest, self._post(forging, honest, frames, seen), forging)
        else:
            self.hear(honest, forging, frames)

    def hear(self, honest: int, forging: int, frames: list[Frame]) -> None:
        """Frames come over a link, which may end by it."""
        for frame in frames:
            if (honest, forging) not in self.joined:
                return
            try:
                with self.process(honest):
                    self.seats[honest].received([frame], forging)
            except (Refusal, Failure) as error:
                self.note("seat", honest, "hangs up on", forging, repr(error))
                self.done[f"hung up: {type(error).__name__}"] += 1
                if isinstance(error, Stale):
                    raise Broken("no honest copy is frozen", f"seat {honest}, by seat {forging}") from error
                self.joined.discard((honest, forging))
                with self.process(honest):
                    self.seats[honest].unlinked(error, forging)

    # Posts

    def write(self, writer: int, reader: int, *, whole: bool = False) -> None:
        """An honest seat writes a post."""
        with self.process(writer):
            written = carrying.write(
                self.seats[writer], self.owners[writer], reader, self.clock.now, whole=whole
            )
            post = form.read(written.data)
            if post.mark is not None:
                self.bag.stamps.setdefault((writer, reader), []).append(post.mark.stamp)
            for frame in post.frames:
                self.publish(frame)
            if reader in self.plan.honest:
                self.bag.posts.append((reader, written.data))

    def carry(self, reader: int, data: bytes) -> None:
        """A post comes to an honest reader."""
        mark = form.read(data).mark
        if reader not in self.dead and mark is not None:
            self._take(reader, data, mark.writer)

    def _take(self, reader: int, data: bytes, writer: int) -> None:
        with self.process(reader):
            try:
                taken = carrying.take(self.seats[reader], form.read(data))
            except Forged as error:
                if writer in self.plan.honest:
                    raise Broken("no honest link ends but for a lie", f"seat {reader}: {error!r}") from error
                self.done["refused a forged stamp"] += 1
                return
            if isinstance(taken.trouble, Stale):
                raise Broken("no honest copy is frozen", f"seat {reader}, by a post of {writer}")
            if taken.trouble is not None and writer in self.plan.honest:
                raise Broken(
                    "no honest link ends but for a lie",
                    f"seat {reader} refuses a post of {writer}: {taken.trouble!r}",
                )

    def _post(self, forging: int, honest: int, frames: Iterable[Frame], seen: int) -> bytes:
        own = self.bag.stamps.setdefault((forging, honest), [])
        identity = self.owners[forging].identity
        own.append(form.stamp(identity, self.match.id, forging, honest, len(own) + 1))
        theirs = [form.NO_STAMP, *self.bag.stamps.get((honest, forging), [])]
        shown = theirs[max(0, len(theirs) - 1 - seen)] if seen >= 0 else theirs[-1]
        if seen < 0:  # it has no key of the reader's, so it signs with its own
            shown = form.stamp(identity, self.match.id, honest, forging, theirs[-1].serial + 1)
        mark = Postmark(self.match.id, forging, honest, own[-1], shown)
        carried = [frame for frame in frames if frame.kind in form.CARRIED]
        return form.sealed_post(identity, [mark.frame, self._sync(honest), *carried])

    # Rest

    def rest(self) -> None:
        """All that is under way arrives, in any order that links allow; timers that are due soon run out."""
        for _ in range(MOST_DELIVERIES):
            if busy := [edge for edge, queue in self.links.items() if queue]:
                self.deliver(self.rng.choice(busy))
                continue
            due = min((self.seats[seat].exchange.due for seat in self.living), default=float("inf"))
            if due > self.clock.now + SOON:
                return
            self.clock.now = max(self.clock.now, due) + 0.01
            self.tick()
        raise Broken("a table comes to rest", f"not within {MOST_DELIVERIES} frames")

    def exchange_all(self) -> None:
        """All honest seats have what the others have: over the links of the plan, or by posts."""
        if not self.plan.at.post:
            for edge in self.edges:
                self.mend(edge)
            self.rest()
            return
        for writer in self.living:
            for reader in self.plan.honest:
                if writer != reader and writer not in self.dead:
                    self.clock.now += 1.0
                    self.write(writer, reader)
                    if writer not in self.dead:
                        self.carry(*self.bag.posts[-1])

    def come_to_rest(self, decisions: int, rounds: int = 60) -> None:
        """The forging seats are silent: all honest ones run, are linked, decide, and claim, until nothing
        changes any more.
        """
        for seat in self.killed:
            self.restart(seat)
        for _ in range(rounds):
            before = self.state()
            self.exchange_all()
            for seat in self.plan.honest:
                while decisions and seat not in self.dead and self.decide(self.seats[seat]):
                    decisions -= 1
                    self.exchange_all()
            for seat in self.plan.honest:
                if seat not in self.dead:
                    self.claim_if_due(seat)
            self.exchange_all()
            killed = self.killed  # a process was doomed and has died only now: it has links again after this
            for seat in killed:
                self.restart(seat)
            self.clock.now += LATER
            self.tick()
            self.guard()
            if before == self.state() and not killed:
                return
        raise Broken("a table comes to rest", f"not within {rounds} rounds")

    def claim_if_due(self, seat: int) -> None:
        """Its person has waited long enough, and calls the silent seat away."""
        session = self.seats[seat].session
        if session.claimable is not None and not session.behind:
            self.claims(seat)

    def claims(self, seat: int) -> None:
        """The person of `seat` calls the seat that it waits for away."""
        session = self.seats[seat].session
        self.wanted.add((seat, session.referee.count))
        self.note("seat", seat, "calls", session.claimable, "away over", session.referee.count)
        self.person(seat, lambda: session.claim_away(60))

    def state(self) -> list[Any]:
        """All that settles."""
        positions: list[Any] = []
        for seat in self.plan.honest:
            session = self.seats[seat].session
            positions.append((session.position(), len(session.referee.record), session.fault is None))
        return positions

    def guard(self) -> None:
        """What must hold at any moment."""
        for seat in self.living:
            session = self.seats[seat].session
            if session.fault is not None and session.fault.seat in self.plan.honest:
                raise Broken("no honest seat is blamed", f"by seat {seat}: {session.fault!r}")
            if self.seats[seat].store.secrets.stale:
                raise Broken("no honest copy is frozen", f"seat {seat}")
        ended, self.hung_up = self.hung_up, []
        for seat, other, why in ended:
            if IN_TIME not in str(why):
                raise Broken(
                    "no honest link ends but for a lie", f"seat {seat} ends its link to {other}: {why!r}"
                )

    @property
    def digest(self) -> str:
        """Stands for all that the honest seats have signed."""
        return hashlib.sha256(b"".join(self.published.values())).hexdigest()[:16]

    def copy(self, seat: int) -> bytes:
        """The file of an honest seat."""
        with self.process(seat):
            self.seats[seat].store.sync()
        return Path(self.seats[seat].store.path).read_bytes()


def _tear(store: Store, record: bytes) -> None:
    """Half of a record reaches the file."""
    with Path(store.path).open("ab") as file:
        file.write(record[: len(record) // 2])


def named(frame: Frame) -> str:
    """A frame as a note names it."""
    if frame.kind not in (ENTRY, STATEMENT):
        return f"<{frame.kind}>"
    try:
        if frame.kind == ENTRY:
            return f"<entry {place(frame)[2]} of {place(frame)[1]}>"
        statement = statements.parse(frame.payload)
    except Malformed:
        return "<junk>"
    where = f"#{statement.index} of {statement.seat} over {statement.count}"
    return f"<{statement.kind.name} {[*statement.content]!r:.40} {where}>"
