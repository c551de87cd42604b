"""One honest seat in a world: the real session and the real exchange over a disk in memory.

A copy is made anew from the beginning and the events of its path, as a program of 20 entries is back in a
third of a millisecond.  Copies with the same content are one, whatever the order in which it came to them.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, cast

from p2p_stratego.core.game import Outcome, Seat
from protocol.audit.verdict import Replayed, replay
from protocol.channel.channel import Sync
from protocol.errors import Equivocation, Refusal, Stale, Violation
from protocol.failures import Failure, NotNow
from protocol.lobby.friends import Friendships
from protocol.record.asks.base import Decided
from protocol.record.entries import Folded, parse_entry
from protocol.record.referee import Referee
from protocol.record.statements import Kind, end_content
from protocol.record.statements import parse as parse_statement
from protocol.replication.exchange import Exchange
from protocol.seat import accusations
from protocol.seat.effects import Duty, Output
from protocol.seat.session import Session
from protocol.storage.home import Owner
from protocol.storage.match_store import Store
from protocol.storage.route import Route
from protocol.wire import transcript
from protocol.wire.encoding import ENTRY, STATEMENT, Frame, read_frame
from tests.campaigns.worlds.plan import GAMES, Arena, Beginning, decision


class Fallen(Exception):
    """A world in which a property does not hold; `number`: that of the property in spec/properties.md."""

    def __init__(self, number: int, text: str) -> None:
        super().__init__(f"property {number}: {text}")
        self.number, self.text = number, text


class Act(Enum):
    """What can happen to one copy."""

    HEAR = "hears"
    DECIDE = "decides"
    AWAY = "calls away"
    VOICE = "calls away by itself"
    RESIGN = "resigns"
    OFFER = "offers a draw"
    ACCEPT = "accepts a draw"
    CHAT = "talks"
    CRASH = "dies, and starts again"
    SYNC = "is compared"


PERSONAL: Final = (Act.AWAY, Act.RESIGN, Act.OFFER, Act.ACCEPT, Act.CHAT)


class Event(NamedTuple):
    """`frame`: that of HEAR and SYNC; `other`: the seat that a SYNC is of; for a CRASH 1 if what was not
    synced is lost; `forged`: whether a liar has signed the record for this copy.
    """

    act: Act
    frame: Frame | None = None
    other: int = 0
    forged: bool = False


class Disk:
    """A store in memory: what a crash leaves is what was synced."""

    def __init__(self, recorded: Iterable[Frame]) -> None:
        self.frames = [*recorded]
        self.synced = len(self.frames)
        self.route, self.receipt = Route(), b""
        self.signed: list[Frame] = []
        """The records of ours that may have left."""

    def execute(self, outputs: Iterable[Output], *, durable: bool = False) -> bytes:
        """As Store.execute."""
        for output in outputs:
            if output.duty is Duty.SECRET:
                self.synced = len(self.frames)
                continue
            frame = read_frame(output.data, 0)
            if frame is None:
                raise RuntimeError("a session has put out no whole frame")
            self.frames.append(frame)
            durable = durable or output.duty is Duty.SEND
            if output.duty is Duty.SEND:
                self.signed.append(frame)
        self.synced = len(self.frames) if durable else self.synced
        return b""

    def sync(self) -> None:
        """As Store.sync."""
        self.synced = len(self.frames)

    def set_route(self, route: Route) -> None:
        """As Store.set_route."""
        self.route = route


_FRIENDS: Final = cast("Friendships", SimpleNamespace(keep=lambda: None, frame_for=lambda _: None))


class Copy:
    """The program of one honest seat."""

    def __init__(self, arena: Arena, begun: Beginning, seat: Seat) -> None:
        self.arena, self.begun, self.seat = arena, begun, seat
        self.disk = Disk(begun.recorded)
        self.others = [other for other in range(arena.seats) if other != seat]
        self.acts: list[Act] = []
        self.taken: set[Frame] = set()
        """The records that have reached it."""
        self.forged = self.crashes = 0
        self.kept: dict[int, Decided] = {}
        """Decisions in the secrets file beside those of the beginning."""
        self._start()
        for other in self.others:
            shown = self.session.copy.newest(seat)
            self.exchange.take(Sync(begun.genesis.id, self.session.position(), *shown).frame, other)
        self.exchange.flush()

    def _start(self) -> None:
        """A process begins."""
        genesis, identity = self.begun.genesis, self.begun.identities[self.seat]
        secrets = self.begun.secrets(self.seat)
        secrets.decided.update(self.kept)
        self.secrets = secrets
        self.session = Session(genesis, self.seat, identity, secrets, self.disk.frames)
        owner = cast("Owner", SimpleNamespace(trace=lambda *_, **__: None, identity=identity))
        self.exchange = Exchange(owner, cast("Store", self.disk), self.session, lambda: 1000.0, _FRIENDS)
        self.session.agree()
        for other in self.others:
            self.exchange.opened(other, lambda _: None)
        self.exchange.flush()

    # What happens

    def happen(self, event: Event) -> None:
        """Let an event happen.  Raises Fallen if an honest program fails, or refuses an honest record."""
        try:
            self._happen(event)
        except (Refusal, Failure, NotNow, Fallen):
            raise
        except Exception as error:
            at = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(at.filename).name}, {at.name}"
            raise Fallen(1, f"the program of seat {self.seat} fails: {error!r} in {where}") from error
        if self.secrets.stale:
            raise Fallen(1, f"the copy of seat {self.seat} freezes")

    def _happen(self, event: Event) -> None:
        act, session = event.act, self.session
        if act is Act.HEAR:
            self._hear(event)
        elif act is Act.SYNC:
            self._compare(event)
        elif act is Act.CRASH:
            self.crashes += 1
            if event.other:
                del self.disk.frames[self.disk.synced :]
            self.taken &= {*self.disk.frames}  # what had come too early is gone with the process
            self.kept = dict(self.secrets.decided)
            self._start()
        else:
            if act in PERSONAL:
                self.acts.append(act)
            actions: dict[Act, Callable[[], None]] = {
                Act.DECIDE: self._decide,
                Act.AWAY: lambda: session.claim_away(60),
                Act.VOICE: lambda: session.claim_away(60),
                Act.RESIGN: session.resign,
                Act.OFFER: session.offer_draw,
                Act.ACCEPT: session.accept_draw,
                Act.CHAT: lambda: session.say("hi"),
            }
            with suppress(NotNow):
                actions[act]()
            self.exchange.flush()

    def _decide(self) -> None:
        asked = self.session.decision
        if asked is not None:
            self.session.decide(decision(self.session, asked))

    def _hear(self, event: Event) -> None:
        """A record comes over the link to a seat that is not its author: what carriers do is no fault."""
        frame = event.frame
        if frame is None:
            raise ValueError("nothing to hear")
        author = author_of(frame)
        ways = [end for end in self.others if end != author and self.exchange.gossip.lines[end].compared]
        if not ways:
            ways = [end for end in self.others if self.exchange.gossip.lines[end].compared]
        if not ways:
            return  # a process that has just begun is not compared yet
        self.taken.add(frame)
        self.forged += event.forged
        try:
            self.exchange.take(frame, ways[0])
        except Stale as stale:
            raise Fallen(1, f"the copy of seat {self.seat} freezes") from stale
        except (Violation, Equivocation):
            pass  # kept in session.fault
        except Refusal as refusal:
            if author in self.arena.honest:
                raise Fallen(
                    1, f"seat {self.seat} refuses what seat {author} signed: {refusal!r}"
                ) from refusal
        self.exchange.flush()

    def _compare(self, event: Event) -> None:
        if event.frame is None:
            raise ValueError("nothing to compare")
        try:
            self.exchange.take(event.frame, event.other)
        except Stale as stale:
            raise Fallen(1, f"the copy of seat {self.seat} freezes") from stale
        self.exchange.flush()

    # What it is

    @property
    def referee(self) -> Referee:
        """The record."""
        return self.session.referee

    def sync(self, to: Seat) -> Frame:
        """Its SYNC on a link to another seat."""
        session = self.session
        return Sync(self.begun.genesis.id, session.position(), *session.copy.newest(to)).frame

    @property
    def possible(self) -> list[Act]:
        """What its person, and its process, may do now, within the bounds."""
        session, bounds, kinds, acts = self.session, self.arena.bounds, self.arena.kinds, list[Act]()
        referee = session.referee
        if session.fault is not None:
            return acts
        grown = referee.count - len([f for f in self.begun.recorded if f.kind == ENTRY])
        owed = referee.owed
        owes = owed is not None and owed.seat == self.seat
        if owes and session.decision is not None and grown < bounds.entries:
            acts.append(Act.DECIDE)
        if self.seat not in self.arena.mute and len(self.acts) < bounds.acts:
            if session.claimable is not None and Kind.AWAY in kinds:
                acts.append(Act.AWAY)
            if Kind.RESIGN in kinds and Act.RESIGN not in self.acts and not session.over:
                acts.append(Act.RESIGN)
            if Kind.OFFER_DRAW in kinds and Act.OFFER not in self.acts and not session.over:
                acts.append(Act.OFFER)
            if Kind.ACCEPT_DRAW in kinds and session.draw_offer is not None:
                acts.append(Act.ACCEPT)
            if Kind.CHAT in kinds and Act.CHAT not in self.acts:
                acts.append(Act.CHAT)
        return acts

    @property
    def voiced(self) -> Seat | None:
        """The seat that the program may call away though its person has resigned: another has, too."""
        session = self.session
        accused = session.claimable if session.left and session.proven else None
        if accused is None or not accusations.others_call(session.referee, accused, self.seat):
            return None
        return accused

    @property
    def file(self) -> bytes:
        """Its transcript."""
        return transcript.write(self.begun.genesis.body, self.disk.frames)

    def judged(self) -> Replayed:
        """The audit of its transcript."""
        return replay(self.file, games=GAMES)

    @property
    def published(self) -> frozenset[Frame]:
        """What it may have sent."""
        proof = self.session.copy.proof() if self.session.fault is not None else None
        return frozenset([*self.disk.signed, *([proof] if proof is not None else [])])

    @property
    def key(self) -> tuple[Any, ...]:
        """Equal for copies with the same content."""
        session, gossip, referee = self.session, self.exchange.gossip, self.session.referee
        ahead = session.ahead.reached
        early = frozenset(payload for line in gossip.lines.values() for payload in line.early)
        fault = session.fault
        return (
            frozenset(record.payload for record in referee.record),
            referee.head,
            None if ahead is referee else frozenset(record.payload for record in ahead.record),
            early,
            frozenset(record.payload for record in gossip.held),
            None if fault is None else (type(fault).__name__, fault.seat, str(fault)),
            tuple(sorted(referee.forgotten)),
            session.proven,
            session.behind,
            tuple(sorted(self.secrets.decided)),
            frozenset(frame.payload for frame in self.disk.frames[self.disk.synced :])
            if self.arena.bounds.crashes
            else None,
            frozenset(frame.payload for frame in self.disk.signed),
            tuple(sorted(act.value for act in self.acts)),
            self.forged,
            self.crashes,
        )

    @property
    def shown(self) -> tuple[Any, ...]:
        """All that a record says of its match: the same for the same records."""
        referee = self.session.referee
        owed, outcome = referee.owed, self.session.outcome
        return (
            None if outcome is None else (tuple(sorted(outcome.winners)), outcome.reason),
            None if owed is None else (owed.seat, owed.message.__name__),
            tuple(sorted(referee.table.gone.items())),
            referee.waited_for,
            referee.unsettled,
            referee.contested,
            tuple(sorted(referee.silent)),
            tuple(sorted(referee.absences.open)),
            referee.resigned,
            referee.table.serial,
        )


@dataclass(eq=False)
class Node:
    """A copy as it stands: what the search needs of it."""

    number: int
    seat: Seat
    path: tuple[Event, ...]
    key: tuple[Any, ...]
    shown: tuple[Any, ...]
    records: frozenset[bytes]
    payloads: tuple[bytes, ...]
    heads: tuple[bytes, ...]
    owing: tuple[Seat | None, ...]
    signers: frozenset[tuple[Seat, int]]
    """Seat and number of each entry that is no fold, and seat and count of each statement less one."""
    fault: Violation | Equivocation | None
    outcome: Outcome | None
    sealed: bool
    """Whether each seat that is there has signed the end, and not only the author of the last entry."""
    complete: bool
    holding: bool
    decider: Seat | None
    proven: bool
    published: frozenset[Frame]
    taken: frozenset[Frame]
    spread: frozenset[Frame]
    """What others can have from it: what it has published, and what liars have given to it."""
    possible: tuple[Act, ...]
    voiced: Seat | None
    gone: tuple[tuple[Seat, int], ...]
    acts: tuple[Act, ...]
    forged: int
    crashes: int
    syncs: tuple[Frame, ...]
    judged: Replayed
    unsynced: bool
    reached: tuple[int, tuple[int, ...]]
    """The entries and, by seat, the statements that it has, with what it holds back."""

    def follows_on(self, frame: Frame) -> bool:
        """Whether a record can be judged here, so that no other has to come first."""
        if frame.kind == ENTRY:
            return parse_entry(frame.payload).number <= self.reached[0]
        if frame.kind != STATEMENT:
            return True
        statement = parse_statement(frame.payload)
        return statement.count <= self.reached[0] and statement.index <= self.reached[1][statement.seat]

    def follows(self, other: Node) -> bool:
        """Whether its chain goes on behind that of another copy."""
        return self.heads[: len(other.heads)] == other.heads


def node(copy: Copy, number: int, path: tuple[Event, ...]) -> Node:
    """What `copy` is now."""
    session, referee = copy.session, copy.referee
    ahead = session.ahead.reached
    holding = ahead is not referee
    place = referee.absences.place(referee.count) if holding and referee.owed is not None else None
    signers = {(entry.seat, entry.number) for entry in referee.entries if not isinstance(entry, Folded)}
    signers |= {(statement.seat, statement.count - 1) for known in referee.statements for statement in known}
    outcome = session.outcome
    return Node(
        number,
        copy.seat,
        path,
        copy.key,
        copy.shown,
        frozenset(record.payload for record in referee.record),
        tuple(record.payload for record in referee.record),
        tuple(referee.heads),
        tuple(referee.owing),
        frozenset(signers),
        session.fault,
        outcome,
        is_sealed(referee, outcome),
        outcome is not None and outcome.reason != "unresponsive" and not referee.unsettled,
        holding,
        None if place is None else place.decider,
        session.proven,
        copy.published,
        frozenset(copy.taken),
        copy.published | {frame for frame in copy.taken if author_of(frame) in copy.arena.liars},
        tuple(copy.possible),
        copy.voiced,
        tuple(sorted(referee.table.gone.items())),
        tuple(copy.acts),
        copy.forged,
        copy.crashes,
        tuple(copy.sync(other) for other in range(copy.arena.seats)) if copy.arena.bounds.crashes else (),
        copy.judged(),
        copy.disk.synced < len(copy.disk.frames),
        (ahead.count, tuple(map(len, ahead.statements))),
    )


def is_sealed(referee: Referee, outcome: Outcome | None) -> bool:
    """Whether every seat that is not gone has signed this END over all entries, and not only the author of
    the last one.
    """
    if outcome is None:
        return False
    end = Kind.END, referee.count, end_content(outcome)
    there = referee.absences.present(referee.count)
    last = next((entry.seat for entry in reversed(referee.entries) if entry.frame_kind == ENTRY), None)
    return there != {last} and all(
        any(
            (statement.kind, statement.count, statement.content) == end
            for statement in referee.statements[seat]
        )
        for seat in there
    )


@cache
def author_of(frame: Frame) -> Seat:
    """Who has signed a record; −1 of a PROOF, which has no author."""
    if frame.kind == ENTRY:
        return parse_entry(frame.payload).seat
    return parse_statement(frame.payload).seat if frame.kind == STATEMENT else -1


def named(frame: Frame) -> str:
    """A frame for people."""
    if frame.kind == ENTRY:
        entry = parse_entry(frame.payload)
        kind: Any = entry.message[0] if isinstance(entry.message, list) and entry.message else "?"
        return f"entry {entry.number} of {entry.seat}, kind {kind!r}" + (
            ", with a release" if entry.release else ""
        )
    if frame.kind == STATEMENT:
        statement = parse_statement(frame.payload)
        place = f"#{statement.index} of {statement.seat} over {statement.count}"
        return f"{statement.kind.name} {[*statement.content]!r:.30} {place}"
    return f"a frame of kind {frame.kind}"
