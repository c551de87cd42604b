"""What can happen at a table, step by step.

Each step has a number, and draws all its chances from seed and number alone.  So a schedule without some of
its steps is one too, and the seed with the numbers of those that are left says all of it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Final

from protocol.record.statements import Kind
from protocol.wire.encoding import Frame
from tests.campaigns.explore.forger import Forger, Hand
from tests.campaigns.explore.world import Moment, World

WAITS: Final = (0.3, 2.0, 10.0, 200.0)
"""Seconds that may pass at once."""


class Table:
    """A world, and those who forge in it."""

    def __init__(self, world: World, after: Callable[[World], None]) -> None:
        """`after`: called after each step."""
        self.world, self._after = world, after
        self.forger = Forger(world)

    def play(self, numbers: Iterable[int]) -> None:
        """Take these steps, in order.  Raises Broken."""
        for number in numbers:
            if self.world.decided:
                return
            rng = random.Random(f"explore {self.world.plan.seed} step {number}")
            self.world.rng = rng
            self.world.steps += 1
            self.world.note(f"-- step {number}")
            self.step(rng)
            self.world.guard()
            self._after(self.world)

    def step(self, rng: random.Random) -> None:
        """Anything happens."""
        weighed = _WEIGHED + _TAKEBACKS * self.world.plan.at.takebacks
        rng.choices([act for act, _ in weighed], [weight for _, weight in weighed])[0](self, rng)

    def tell_all(self, rng: random.Random) -> None:
        """The forging seats tell all honest ones all that they ever signed."""
        world = self.world
        for _ in range(2):
            for hand in self.forger.hands.values():
                for frame in hand.pool:
                    for copy in world.living:
                        world.join(copy, hand.seat)
                        world.give(hand.seat, copy, [frame])
        self.part_all()

    def part_all(self) -> None:
        """The forging seats are gone."""
        for copy, seat in sorted(self.world.joined):
            self.world.part(copy, seat)

    # The ways between honest seats

    def deliver(self, rng: random.Random) -> None:
        """Frames of a link arrive, or somebody carries a post."""
        world = self.world
        if world.plan.at.post:
            if world.bag.posts:
                world.carry(*rng.choice(world.bag.posts[-12:] if rng.random() < 0.7 else world.bag.posts))
        elif busy := [edge for edge, queue in world.links.items() if queue]:
            world.deliver(rng.choice(busy), rng.choice((1, 1, 2, 5)))

    def cut(self, rng: random.Random) -> None:
        """A link is lost with all that is under way."""
        if self.world.edges:
            self.world.cut(rng.choice(self.world.edges))

    def mend(self, rng: random.Random) -> None:
        """A link is made, or a post written."""
        world = self.world
        if world.edges:
            world.mend(rng.choice(world.edges))
        elif world.plan.at.post and world.living:
            writer = rng.choice(world.living)
            reader = rng.choice([seat for seat in range(world.plan.seats) if seat != writer])
            world.clock.now += 1.0
            world.write(writer, reader, whole=rng.random() < 0.1)

    def wait(self, rng: random.Random) -> None:
        """Time passes."""
        self.world.clock.now += rng.choice(WAITS)
        self.world.tick()

    def restart(self, rng: random.Random) -> None:
        """A dead process comes back."""
        if self.world.killed:
            seat = rng.choice(self.world.killed)
            self.world.note("seat", seat, "starts again")
            self.world.restart(seat)

    # Honest players

    def _somebody(self, rng: random.Random, chance: float) -> int | None:
        living = self.world.living
        return rng.choice(living) if living and rng.random() < chance else None

    def decide(self, rng: random.Random) -> None:
        """A player decides."""
        if (seat := self._somebody(rng, 1.0)) is not None:
            self.world.decide(self.world.seats[seat])

    def claim(self, rng: random.Random) -> None:
        """A player without patience calls a seat away."""
        seat = self._somebody(rng, self.world.plan.impatient)
        if seat is not None and self.world.seats[seat].session.claimable is not None:
            self.world.claims(seat)

    def resign(self, rng: random.Random) -> None:
        """A player resigns."""
        if (seat := self._somebody(rng, self.world.plan.resigns)) is not None:
            self.world.note("seat", seat, "resigns")
            self.world.person(seat, self.world.seats[seat].session.resign)

    def offer(self, rng: random.Random) -> None:
        """A player offers a draw."""
        if (seat := self._somebody(rng, self.world.plan.draws)) is not None:
            self.world.note("seat", seat, "offers a draw")
            self.world.offers(seat)

    def accept(self, rng: random.Random) -> None:
        """A player accepts a draw."""
        if (seat := self._somebody(rng, self.world.plan.draws)) is not None:
            self.world.note("seat", seat, "accepts a draw")
            self.world.accepts(seat)

    def take_back(self, rng: random.Random) -> None:
        """A player takes its last decision back."""
        if (seat := self._somebody(rng, 1.0)) is not None:
            self.world.note("seat", seat, "takes a decision back")
            self.world.person(seat, self.world.seats[seat].session.take_back)

    def chat(self, rng: random.Random) -> None:
        """A player says something."""
        if (seat := self._somebody(rng, 1.0)) is not None:
            session = self.world.seats[seat].session
            self.world.person(seat, lambda: session.say("hi"))

    def kill(self, rng: random.Random) -> None:
        """A process dies."""
        if self.world.plan.dies and (seat := self._somebody(rng, 1.0)) is not None:
            self.world.note("seat", seat, "is killed")
            self.world.kill(seat)

    def doom(self, rng: random.Random) -> None:
        """A process is to die of what it signs next."""
        if self.world.plan.dies and (seat := self._somebody(rng, 1.0)) is not None:
            moment = rng.choice([*Moment])
            self.world.note("seat", seat, "is to die of its next signature,", moment.value)
            self.world.doom(seat, moment)

    # Forging seats

    def _two(self, rng: random.Random) -> tuple[Hand, int] | None:
        """A forging seat, and an honest one that runs."""
        hand, copy = rng.choice([*self.forger.hands.values()]), rng.choice(self.world.plan.honest)
        return None if copy in self.world.dead else (hand, copy)

    def _give(self, rng: random.Random, hand: Hand, copy: int, frames: list[Frame]) -> None:
        seen = rng.choice((0, 0, 0, 1, 5, -1)) if self.world.plan.at.post else 0
        self.world.give(hand.seat, copy, frames, seen=seen)

    def forge_entry(self, rng: random.Random) -> None:
        """A forging seat plays."""
        if two := self._two(rng):
            self._give(rng, *two, _some(self.forger.reply(*two, rng)))

    def forge_takeback(self, rng: random.Random) -> None:
        """A forging seat takes a decision back."""
        if two := self._two(rng):
            self._give(rng, *two, _some(self.forger.takes_back(*two)))

    def forge_gone(self, rng: random.Random) -> None:
        """A forging decider takes a seat out, for one honest copy."""
        if (two := self._two(rng)) and (frame := self.forger.gone(*two, rng)):
            self.world.done["Gone forged"] += 1
            self._give(rng, *two, [frame])

    def speak(self, rng: random.Random) -> None:
        """A forging seat signs a statement, and may tell it."""
        if (two := self._two(rng)) and self.forger.says(*two, rng) and rng.random() < 0.6:
            self._log(rng, *two, 99)

    def tell_log(self, rng: random.Random) -> None:
        """It tells some more of what it said."""
        if two := self._two(rng):
            self._log(rng, *two, rng.randrange(4))

    def _log(self, rng: random.Random, hand: Hand, copy: int, more: int) -> None:
        known = len(self.world.referee(copy).statements[hand.seat])
        self._give(rng, hand, copy, hand.log[known : known + more])

    def tell_old(self, rng: random.Random) -> None:
        """It tells anything that it has ever signed."""
        if (two := self._two(rng)) and two[0].pool:
            self._give(rng, *two, [rng.choice(two[0].pool)])

    def forge_receipt(self, rng: random.Random) -> None:
        """It acknowledges what an honest copy has, to that one or to another."""
        if two := self._two(rng):
            like = rng.choice(self.world.plan.honest)
            self._give(rng, *two, [two[0].receipt(self.world.referee(like))])

    def forge_have(self, rng: random.Random) -> None:
        """It lies of what it has."""
        if (two := self._two(rng)) and not self.world.plan.at.post:
            self._give(rng, *two, [self.forger.have(two[1], rng)])

    def join(self, rng: random.Random) -> None:
        """It links itself to an honest seat."""
        if two := self._two(rng):
            like = rng.choice(self.world.plan.honest) if rng.random() < 0.15 else None
            self.world.join(two[1], two[0].seat, like)

    def part(self, rng: random.Random) -> None:
        """It ends such a link."""
        if two := self._two(rng):
            self.world.part(two[1], two[0].seat)

    # Attacks that chance finds too seldom

    def gang_up(self, rng: random.Random) -> None:
        """All forging seats call the owner of a recent place away, and whoever decides takes it out."""
        if not (two := self._two(rng)):
            return
        copy, referee = two[1], self.world.referee(two[1])
        number = self.forger.recent(referee, rng)
        place = self.forger.place(referee, number)
        if place is None or (self.world.plan.careful and self.forger.proves_both_ways(referee, number)):
            return
        loud = rng.random() < 0.5  # else their AWAYs stand in the Gone alone
        for hand in self.forger.hands.values():
            if loud and hand.seat in place.accusers and hand.count <= number:
                hand.statement(referee, Kind.AWAY, (place.owner, 5, b""), number)
                self._log(rng, hand, copy, 99)
        decider = self.forger.hands.get(place.decider)
        if decider is not None and (frame := self.forger.gone(decider, copy, rng, number)):
            self.world.done["Gone forged"] += 1
            for other in self.world.living if rng.random() < 0.3 else [copy]:
                self._give(rng, decider, other, [frame])

    def cross(self, rng: random.Random) -> None:
        """A late answer of an honest seat crosses the Gone of a forging decider, given to one copy alone."""
        if not (two := self._two(rng)):
            return
        world, copy, referee = self.world, two[1], self.world.referee(two[1])
        number, place = referee.count, self.forger.place(referee, referee.count)
        if place is None or place.owner not in world.living or place.decider not in self.forger.hands:
            return
        for seat in sorted(place.accusers):
            if seat in world.living and world.seats[seat].session.claimable == place.owner:
                world.claims(seat)
            elif (hand := self.forger.hands.get(seat)) is not None and hand.count <= number:
                hand.statement(referee, Kind.AWAY, (place.owner, 5, b""), number)
                for other in world.living:
                    self._log(rng, hand, other, 99)
        if place.owner in world.living:
            world.decide(world.seats[place.owner])
        for _ in range(rng.randrange(10)):
            self.deliver(rng)
        decider = self.forger.hands[place.decider]
        if copy in world.living and (frame := self.forger.gone(decider, copy, rng, number)):
            world.done["Gone forged"] += 1
            self._give(rng, decider, copy, [frame])

    def agree(self, rng: random.Random) -> None:
        """All forging seats sign the end that an honest copy has, and tell it to all."""
        if not (two := self._two(rng)):
            return
        referee = self.world.referee(two[1])
        for hand in self.forger.hands.values():
            for kind, says in ((Kind.REVEAL, self.forger.reveals), (Kind.END, self.forger.ends)):
                content = says(hand, two[1], referee.count, rng)
                if content is not None:
                    hand.statement(referee, kind, content, referee.count)
            for copy in self.world.living:
                self._log(rng, hand, copy, 99)

    def make_peace(self, rng: random.Random) -> None:
        """An honest player offers a draw, and all others accept it, the one that owes an entry last."""
        if (seat := self._somebody(rng, self.world.plan.draws)) is None:
            return
        world, session = self.world, self.world.seats[seat].session
        world.offers(seat)
        owed, index = session.referee.owed, len(session.referee.statements[seat]) - 1
        last = None if owed is None else owed.seat
        for other in sorted(range(world.plan.seats), key=lambda seat: seat == last):
            world.exchange_all()
            if other in world.living:
                world.accepts(other)
            elif other in self.forger.hands:
                hand, referee = self.forger.hands[other], session.referee
                hand.statement(referee, Kind.ACCEPT_DRAW, (seat, index), referee.count)
                for copy in world.living:
                    self._log(rng, hand, copy, 99)

    def play_on(self, rng: random.Random) -> None:
        """The forging seats play for a while as honest ones do, towards all."""
        for _ in range(rng.randrange(1, 12)):
            copies = self.world.living
            for hand in self.forger.hands.values():
                for copy in copies:
                    if frame := self.forger.reply(hand, copy, rng):
                        for other in copies:
                            self.world.join(other, hand.seat)
                            self.world.give(hand.seat, other, [frame])
            self.world.rest()
            for seat in self.world.living:
                self.world.decide(self.world.seats[seat])
            self.world.rest()


Act = Callable[[Table, random.Random], None]
_WEIGHED: Final[tuple[tuple[Act, float], ...]] = (
    # the ways between honest seats
    (Table.deliver, 30),
    (Table.cut, 1),
    (Table.mend, 3),
    (Table.wait, 0.8),
    (Table.restart, 0.8),
    # honest players
    (Table.decide, 18),
    (Table.claim, 6),
    (Table.resign, 0.6),
    (Table.offer, 1.2),
    (Table.accept, 1.8),
    (Table.chat, 0.6),
    (Table.kill, 0.2),
    (Table.doom, 0.2),
    # forging seats
    (Table.forge_entry, 8),
    (Table.forge_gone, 4),
    (Table.speak, 5),
    (Table.tell_log, 5),
    (Table.tell_old, 4),
    (Table.join, 3),
    (Table.part, 0.5),
    (Table.forge_receipt, 1.3),
    (Table.forge_have, 1.3),
    (Table.gang_up, 0.7),
    (Table.cross, 0.5),
    (Table.agree, 0.7),
    (Table.make_peace, 0.5),
    (Table.play_on, 0.5),
)
_TAKEBACKS: Final[tuple[tuple[Act, float], ...]] = ((Table.take_back, 1.5), (Table.forge_takeback, 1.5))
"""Where decisions can be taken back."""


def _some(frame: Frame | None) -> list[Frame]:
    return [] if frame is None else [frame]
