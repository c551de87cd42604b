"""A step under way: the state so far, and the changes that steps are made of."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from p2p_stratego.core import rulebook
from p2p_stratego.core.game import Breach, Choose, Face, Give, Move, Open, Outcome, Show, Slot, Turn
from p2p_stratego.core.rulebook import Stopped
from p2p_stratego.core.sides import each_alone, without
from p2p_stratego.spies.rules.atlas import City, Power
from p2p_stratego.spies.rules.state import NOTHING, NOWHERE, Event, On, SecretId, SpyId, State

T = TypeVar("T")


def put(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """`values` with another value at one place."""
    return (*values[:at], value, *values[at + 1 :])


@dataclass(slots=True)
class Act(rulebook.Act[State]):
    """A step of the rules, with the changes that it makes to the state."""

    def set(self, **changes: Any) -> None:
        """Replace fields of the state."""
        self.state = self.state._replace(**changes)

    def tell(self, kind: str, power: Power = -1, **parts: Any) -> None:
        """Add an event to the report."""
        self.set(report=(*self.state.report, Event(kind, power, **parts)))

    def spy(self, spy: SpyId, **changes: Any) -> None:
        """Change a spy."""
        self.set(spies=put(self.state.spies, spy, self.state.spies[spy]._replace(**changes)))

    def secret(self, secret: SecretId, **changes: Any) -> None:
        """Change a secret."""
        self.set(secrets=put(self.state.secrets, secret, self.state.secrets[secret]._replace(**changes)))

    def points(self, power: Power, cost: int) -> None:
        """Action points, if it is the turn of `power`."""
        if power == self.state.power:
            self.set(ap=self.state.ap - cost)

    def gain(self, power: Power, pounds: int) -> None:
        """Pounds that everybody sees coming."""
        state = self.state
        self.set(
            money=put(state.money, power, state.money[power] + pounds),
            least=put(state.least, power, state.least[power] + pounds),
        )

    # Secrets

    def control(self, secret: SecretId, power: Power, on: On) -> None:
        """A power's spy, police or drop controls a secret from now on."""
        lying = self.state.secrets[secret]
        lost = 0 if lying.owner == power else lying.lost or self.state.year
        self.secret(secret, by=power, on=on, taken=(power, self.state.seat(power)), lost=lost)
        self._at_home(secret)

    def release(self, secret: SecretId) -> None:
        """Nobody controls a secret any more."""
        self.secret(secret, by=None, on=NOTHING)
        lying = self.state.secrets[secret]
        if lying.city == lying.origin:
            self.secret(secret, lost=0)
        self._at_home(secret)

    def _at_home(self, secret: SecretId) -> None:
        """Back where it began, and under no spy, a secret counts as never carried away."""
        lying = self.state.secrets[secret]
        if lying.city == lying.origin and lying.on < 0:
            self.secret(secret, away=False)

    def carry(self, secret: SecretId, city: City) -> None:
        """A secret goes with its spy."""
        lying = self.state.secrets[secret]
        self.secret(secret, city=city, away=lying.away or city != lying.origin)

    def drop_all(self, spy: SpyId) -> None:
        """A spy that is taken from the map leaves its secret uncontrolled."""
        secret = self.state.carried(spy)
        if secret is not None:
            self.release(secret)

    def to_haven(self, spy: SpyId, city: City) -> None:
        """A spy comes to a haven, from the map or from a prison."""
        self.drop_all(spy)
        self.spy(spy, where="map", city=city, captor=None, year=0)

    def off_map(self, spy: SpyId, where: str, captor: Power | None = None) -> None:
        """A spy is captured or killed."""
        self.drop_all(spy)
        self.spy(spy, where=where, city=NOWHERE, captor=captor, year=self.state.year)

    # Ends

    def over(self, outcome: Outcome) -> Stopped:
        """End the game; to be raised."""
        self.set(phase="over", ended=outcome, settling=None, partner=None, amounts=())
        return Stopped()

    def breached(self, power: Power, rule: str) -> Stopped:
        """End the game because the player of `power` broke a rule; to be raised."""
        seat = self.state.seat(power)
        winners = without(each_alone(self.state.seats), seat)
        self.set(power=power)
        return self.over(Outcome(winners, "cheated", Breach(seat, rule)))

    def copies(self, number: int) -> tuple[Slot, ...]:
        """New slots for cards that are shown."""
        first = self.state.next_copy
        self.set(next_copy=first + number)
        return tuple(range(first, first + number))


def chosen(act: Act, power: Power, options: Collection[Move]) -> Turn[Move | None]:
    """The answer of the player of `power`; None if it has left."""
    answer: Move | None = yield Choose(act.state.seat(power), options)
    return answer


def open_spy(act: Act, spy: SpyId) -> Turn[Face]:
    """The face of a spy, opened if it is closed."""
    piece = act.state.spies[spy]
    if piece.face is not None:
        return piece.face
    face: Face = yield Open(piece.slot)
    act.spy(spy, face=face)
    return face


def show_spy(act: Act, spy: SpyId, power: Power) -> Turn[Slot | None]:
    """The player of `power` sees a spy; the slot under which it reads it, None if all have seen it."""
    piece, seat = act.state.spies[spy], act.state.seat(power)
    if piece.face is not None:
        return None
    if act.state.seat(piece.power) == seat:
        return piece.slot
    for viewer, copy in piece.seen:
        if viewer == seat:
            return copy
    (copy,) = act.copies(1)
    yield Show((piece.slot,), seat, (copy,))
    if seat in act.state.gone:
        return None
    act.spy(spy, seen=(*act.state.spies[spy].seen, (seat, copy)))
    return copy


def show_secret(act: Act, secret: SecretId, power: Power) -> Turn[Slot | None]:
    """The player of `power` sees a secret; the slot under which it reads it, None if all have seen it."""
    lying, seat = act.state.secrets[secret], act.state.seat(power)
    if lying.face is not None:
        return None
    if lying.holder == seat:
        return lying.slot
    for viewer, copy in lying.seen:
        if viewer == seat:
            return copy
    if lying.holder is None:
        yield Give((lying.slot,), seat)
        act.secret(secret, holder=seat)
        return lying.slot
    (copy,) = act.copies(1)
    yield Show((lying.slot,), seat, (copy,))
    act.secret(secret, seen=(*act.state.secrets[secret].seen, (seat, copy)))
    return copy


WRONG_CHIT: Final = "wrong-chit"
"""Another chit is opened than was played."""
WRONG_YEAR: Final = "wrong-year"
WRONG_TILE: Final = "wrong-tile"
FALSE_DISCARD: Final = "false-discard"
FALSE_NONE: Final = "false-none"
WRONG_POLICE: Final = "wrong-police"
WRONG_SPIES: Final = "wrong-spies"
FALSE_COMPARISON: Final = "false-comparison"
FALSE_FIND: Final = "false-secret"
FALSE_SURVIVAL: Final = "false-survival"
FALSE_COUSIN: Final = "false-cousin"
OVERDRAWN: Final = "overdrawn"
