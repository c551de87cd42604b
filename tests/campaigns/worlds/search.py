"""The search: all worlds of one arena, breadth first, each once.

A world is the copies of its honest seats: what liars have signed, others know from these.  An event changes
one copy, and what one copy does to another is a record or a SYNC, so deliveries to different seats commute:
worlds that differ in the order of such events are one (Mazurkiewicz 1977), and what follows for a copy is
computed once for all worlds that hold it.  A delivery that changes nothing is none.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from p2p_stratego.core.game import Seat
from protocol.record import statements
from protocol.record.statements import Kind, Statement
from protocol.wire.encoding import STATEMENT, Frame
from tests.campaigns.worlds.copies import Act, Copy, Event, Fallen, Node, named, node
from tests.campaigns.worlds.forging import alphabet
from tests.campaigns.worlds.plan import Arena, beginning
from tests.campaigns.worlds.properties import Properties

World = tuple[Node, ...]
FOREVER: Final = float("inf")


@dataclass
class Found:
    """What a search found.

    `worlds`: distinct ones, of which `visited` were looked at; `copies`: distinct copies of single seats;
    `events`: that lead from world to world; `depth`: of the farthest; `whole`: whether all worlds within the
    bounds were visited; `quiet`: worlds in which nothing is under way, and how often the match stood how
    there, `ends`; `fell`: the property that fell, and `way`: the events that lead there.
    """

    arena: Arena
    worlds: int = 0
    visited: int = 0
    copies: int = 0
    events: int = 0
    depth: int = 0
    whole: bool = False
    quiet: int = 0
    seconds: float = 0.0
    ends: dict[str, int] = field(default_factory=dict)
    fell: Fallen | None = None
    way: tuple[str, ...] = ()


class Search:
    """All worlds of an arena."""

    def __init__(self, arena: Arena) -> None:
        self.arena, self._begun = arena, beginning(arena)
        self._nodes: dict[tuple[object, ...], Node] = {}
        self._after: dict[tuple[int, Event], Node] = {}
        self._letters: dict[tuple[int, frozenset[Frame]], frozenset[Frame]] = {}
        self.properties = Properties(arena)

    # Copies

    def _made(self, seat: Seat, path: tuple[Event, ...]) -> Copy:
        copy = Copy(self.arena, self._begun, seat)
        for event in path:
            copy.happen(event)
        return copy

    def first(self) -> World:
        """The world in which the search begins."""
        return tuple(self._kept(self._made(seat, ()), ()) for seat in self.arena.honest)

    def _kept(self, copy: Copy, path: tuple[Event, ...]) -> Node:
        name = (copy.seat, *copy.key)
        known = self._nodes.get(name)
        if known is not None:
            self.properties.alike(known, copy)
            return known
        made = self._nodes[name] = node(copy, len(self._nodes), path)
        self.properties.of_copy(made)
        return made

    def after(self, before: Node, event: Event) -> Node:
        """The copy behind an event.  Raises Fallen."""
        name = before.number, event
        known = self._after.get(name)
        if known is None:
            copy = self._made(before.seat, before.path)
            copy.happen(event)
            known = self._after[name] = self._kept(copy, (*before.path, event))
            if known is not before:
                self.properties.of_event(before, event, known)
        return known

    def _alphabet(self, at: Node, heard: frozenset[Frame]) -> frozenset[Frame]:
        name = at.number, heard
        if name not in self._letters:
            copy = self._made(at.seat, at.path)
            messages = [
                statements.parse(frame.payload) for frame in sorted(heard, key=lambda frame: frame.payload)
            ]
            self._letters[name] = alphabet(copy, messages)
        return self._letters[name]

    # Worlds

    def pool(self, world: World) -> frozenset[Frame]:
        """All records that anybody has signed and may have shown to anybody."""
        return frozenset[Frame]().union(*(copy.spread for copy in world))

    def events(self, world: World) -> Iterator[tuple[int, Event]]:
        """What can happen in a world: the place of a copy in it, and the event."""
        bounds, pool = self.arena.bounds, self.pool(world)
        forged, crashed = sum(at_seat.forged for at_seat in world), sum(at_seat.crashes for at_seat in world)
        for at, copy in enumerate(world):
            if copy.fault is not None:
                continue
            for act in copy.possible:
                yield at, Event(act)
            if copy.voiced is not None and self._is_silent(world, copy.voiced):
                yield at, Event(Act.VOICE)
            for frame in sorted(pool - copy.taken - copy.published, key=lambda record: record.payload):
                if copy.follows_on(frame):
                    yield at, Event(Act.HEAR, frame)
            if crashed < bounds.crashes:
                yield at, Event(Act.CRASH, None, 0)
                if copy.unsynced:
                    yield at, Event(Act.CRASH, None, 1)
            if not copy.proven:
                yield from self._compared(world, at)
            if forged < bounds.forged:
                for frame in sorted(
                    self._alphabet(copy, _heard(pool)) - pool, key=lambda record: record.payload
                ):
                    yield at, Event(Act.HEAR, frame, forged=True)

    def _compared(self, world: World, at: int) -> Iterator[tuple[int, Event]]:
        """A copy that has started again is compared with another seat's; a liar shows it its own."""
        for other in world:
            if other.seat != world[at].seat:
                yield at, Event(Act.SYNC, other.syncs[world[at].seat], other.seat)
        for liar in sorted(self.arena.liars):
            yield at, Event(Act.SYNC, world[at].syncs[world[at].seat], liar)

    def _is_silent(self, world: World, seat: Seat) -> bool:
        """Whether a seat can have been silent for long: a liar, or one whose process is just back."""
        there = {copy.seat: copy for copy in world}
        return seat not in there or not there[seat].proven

    def run(self, budget: float = FOREVER, most: int = 10**9) -> Found:
        """Search for so many CPU seconds, and so many worlds."""
        result, began = Found(self.arena), time.process_time()
        before: dict[World, tuple[World, int, Event] | None] = {}
        world: World = ()
        last: tuple[int, Event] | None = None
        try:
            world = self.first()
            before[world] = None
            self.properties.of_world(world, self.pool(world), quiet=False)
            waiting = deque([(world, 0)])
            while waiting and len(before) < most:
                if result.visited % 64 == 0 and time.process_time() - began > budget:
                    break
                result.visited += 1
                world, depth = waiting.popleft()
                result.depth, last = depth, None
                more = False
                for at, event in self.events(world):
                    last = at, event
                    copy = self.after(world[at], event)
                    if copy is world[at]:
                        continue
                    result.events += 1
                    more = more or (event.act is Act.HEAR and not event.forged)
                    following = (*world[:at], copy, *world[at + 1 :])
                    if following not in before:
                        before[following] = world, at, event
                        waiting.append((following, depth + 1))
                last = None
                quiet = not more and all(copy.proven for copy in world)
                result.quiet += quiet
                state = self.properties.of_world(world, self.pool(world), quiet=quiet)
                if quiet:
                    result.ends[state] = result.ends.get(state, 0) + 1
            result.whole = not waiting
        except Fallen as fallen:
            result.fell, result.way = fallen, (*_way(before, world), *([_told(world, *last)] if last else []))
        result.worlds, result.copies = len(before), len(self._nodes)
        result.seconds = time.process_time() - began
        return result


def _heard(pool: frozenset[Frame]) -> frozenset[Frame]:
    """The AWAYs and BACKs in a pool, which liars put into entries of their own."""
    return frozenset(
        frame for frame in pool if frame.kind == STATEMENT and _kind(frame) in (Kind.AWAY, Kind.BACK)
    )


def _kind(frame: Frame) -> Kind:
    statement: Statement = statements.parse(frame.payload)
    return statement.kind


def _way(before: dict[World, tuple[World, int, Event] | None], world: World) -> Iterator[str]:
    steps, at = list[str](), world
    while (step := before.get(at)) is not None:
        steps.append(_told(step[0], step[1], step[2]))
        at = step[0]
    yield from reversed(steps)


def _told(world: World, at: int, event: Event) -> str:
    """An event for people."""
    what = "" if event.frame is None or event.act is Act.SYNC else f" {named(event.frame)}"
    forged = ", forged" if event.forged else ""
    beside = f" with seat {event.other}" if event.act is Act.SYNC else ""
    return f"seat {world[at].seat} {event.act.value}{beside}{what}{forged}"


Run = Callable[[float], Found]
