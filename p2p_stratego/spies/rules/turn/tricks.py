"""Drop with its Intercept, Escape in one's own turn, Recruit."""

from __future__ import annotations

from collections.abc import Iterator

from p2p_stratego.core.game import Turn
from p2p_stratego.spies.rules.act import Act, show_secret
from p2p_stratego.spies.rules.atlas import CITY_NAMED, HAVENS, POWERS, City, Power
from p2p_stratego.spies.rules.counters import DOUBLE_CROSS, DROP, ESCAPE, INTERCEPT, RECRUIT, SPIES
from p2p_stratego.spies.rules.state import DROP as IN_DROP
from p2p_stratego.spies.rules.state import POLICE, SPY_CODED, On, SecretId, SpyId, State, spy_code
from p2p_stratego.spies.rules.turn.answers import Answer, asked, play
from p2p_stratego.spies.rules.turn.search import escaped

BY_POLICE = "police"


def can_drop(state: State, spy: SpyId) -> bool:
    """Whether a spy controls a foreign secret that it may hide."""
    piece, secret = state.spies[spy], state.carried(spy)
    return secret is not None and piece.city not in HAVENS and state.secrets[secret].owner != piece.power


def free_pieces(state: State, power: Power, secret: SecretId) -> list[str]:
    """The pieces of a power in a secret's city that could control it: spies by code, "police"."""
    lying = state.secrets[secret]
    pieces = [
        spy_code(spy)
        for spy, piece in state.own(power)
        if piece.city == lying.city and state.carried(spy) is None
    ]
    if may_guard(state, power, secret) and state.idle_police(power, lying.city) > 0:
        pieces.append(BY_POLICE)
    return pieces


def may_guard(state: State, power: Power, secret: SecretId) -> bool:
    """Whether police of a power may be given a secret where it is: its own original only where it began."""
    lying = state.secrets[secret]
    return lying.owner != power or lying.city == lying.origin


def piece_on(piece: str) -> On:
    """The piece on a secret, by its name."""
    return POLICE if piece == BY_POLICE else SPY_CODED[piece]


def drop(act: Act, slot: int, spy: SpyId) -> Turn[None]:
    """A secret is hidden, or intercepted.  Raises Stopped."""
    power, secret = act.state.spies[spy].power, act.state.carried(spy)
    yield from play(act, power, DROP, slot)
    if secret is None:
        raise RuntimeError("a spy without a secret was offered a Drop")
    act.tell("drops", power, spy=spy, secret=secret)
    answer: Answer | None = None
    other = power
    for step in range(1, len(POWERS)):
        other = (power + step) % len(POWERS)
        if act.state.same_seat(other, power):
            continue
        pieces = free_pieces(act.state, other, secret)
        if pieces:
            answer = yield from asked(act, other, power, (INTERCEPT,), pieces)
        if answer is not None:
            break
    if answer is not None and answer.stands:
        act.control(secret, other, piece_on(answer.parts[0]))
        act.tell("intercepts", other, secret=secret)
        yield from show_secret(act, secret, other)
        return
    act.control(secret, power, IN_DROP)
    act.tell("drop stands", power, secret=secret)


def prisoners(state: State, power: Power) -> Iterator[SpyId]:
    """The captured spies of a power."""
    for spy in range(power * SPIES, (power + 1) * SPIES):
        if state.spies[spy].where in ("captured", "box"):
            yield spy


def escape(act: Act, slot: int, spy: SpyId, haven: str) -> Turn[None]:
    """A captured spy tries to get away.  Raises Stopped."""
    power, captor = act.state.spies[spy].power, act.state.spies[spy].captor
    yield from play(act, power, ESCAPE, slot)
    act.tell("tries to escape", power, spy=spy)
    if captor is not None:
        answer = yield from asked(act, captor, power, (DOUBLE_CROSS,))
        if answer is not None and answer.stands:
            act.tell("escape fails", power, spy=spy)
            return
    escaped(act, spy, haven)


def fallen(state: State, power: Power) -> Iterator[SpyId]:
    """The killed spies of a power that can be replaced."""
    for spy in range(power * SPIES, (power + 1) * SPIES):
        if state.spies[spy].where == "killed":
            yield spy


def homes(state: State, power: Power) -> Iterator[City]:
    """The cities of a power's territory."""
    return (city for city, owner in enumerate(state.territory) if owner == power)


def recruit(act: Act, slot: int, spy: SpyId, city: str) -> Turn[None]:
    """A killed spy comes back.  Raises Stopped."""
    power = act.state.spies[spy].power
    yield from play(act, power, RECRUIT, slot)
    act.spy(spy, where="map", city=CITY_NAMED[city], year=0)
    act.tell("recruited", power, spy=spy, city=CITY_NAMED[city])
