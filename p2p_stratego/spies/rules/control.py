"""Secrets in hand: taken, given to police, left, cashed."""

from __future__ import annotations

from collections.abc import Iterator

from p2p_stratego.core.game import Turn
from p2p_stratego.spies.rules.act import Act
from p2p_stratego.spies.rules.atlas import CAPITALS
from p2p_stratego.spies.rules.counters import CASH
from p2p_stratego.spies.rules.cup import draw
from p2p_stratego.spies.rules.state import NOTHING, POLICE, SecretId, SpyId, State
from p2p_stratego.spies.rules.tricks import may_guard

MOST_HANDLED = 100
"""Secrets change hands within a power so often in a turn at most: it costs nothing, and a turn must end."""


def takeable(state: State, spy: SpyId) -> Iterator[SecretId]:
    """The secrets that a spy may take without a Discovery."""
    power, city = state.spies[spy].power, state.spies[spy].city
    if state.handled >= MOST_HANDLED or state.carried(spy) is not None:
        return
    for secret in state.secrets_in(city):
        lying = state.secrets[secret]
        if lying.by == power or (
            lying.by is None and lying.owner == power and state.territory[city] == power
        ):
            yield secret


def can_leave(state: State, spy: SpyId) -> bool:
    """Whether a spy may leave its secret uncontrolled."""
    secret = state.carried(spy)
    return (
        secret is not None
        and state.handled < MOST_HANDLED
        and may_guard(state, state.spies[spy].power, secret)
    )


def can_give(state: State, spy: SpyId) -> bool:
    """Whether a spy may give its secret to police."""
    piece = state.spies[spy]
    return can_leave(state, spy) and state.idle_police(piece.power, piece.city) > 0


def can_cash(state: State, spy: SpyId) -> bool:
    """Whether a spy brought a foreign secret home."""
    piece, secret = state.spies[spy], state.carried(spy)
    return (
        secret is not None
        and piece.city == CAPITALS[piece.power]
        and state.secrets[secret].owner != piece.power
    )


def take(act: Act, spy: SpyId, secret: SecretId) -> None:
    """A spy takes a secret of its own side."""
    _handled(act)
    act.control(secret, act.state.spies[spy].power, spy)
    act.tell("takes", act.state.spies[spy].power, spy=spy, secret=secret)


def give(act: Act, spy: SpyId) -> None:
    """A spy gives its secret to police."""
    secret = held(act.state, spy)
    _handled(act)
    act.control(secret, act.state.spies[spy].power, POLICE)
    act.tell("gives", act.state.spies[spy].power, spy=spy, secret=secret)


def leave(act: Act, spy: SpyId) -> None:
    """A spy leaves its secret uncontrolled."""
    secret = held(act.state, spy)
    _handled(act)
    act.release(secret)
    act.tell("leaves", act.state.spies[spy].power, spy=spy, secret=secret)


def cash(act: Act, spy: SpyId) -> Turn[None]:
    """A foreign secret goes on the record.  Raises Stopped."""
    secret, power = held(act.state, spy), act.state.spies[spy].power
    act.secret(secret, where="cashed", by=power, on=NOTHING)
    act.tell("cashes", power, spy=spy, secret=secret)
    act.gain(power, CASH)
    yield from draw(act, power, 1, why="secret")


def held(state: State, spy: SpyId) -> SecretId:
    """The secret of a spy that has one."""
    secret = state.carried(spy)
    if secret is None:
        raise RuntimeError(f"spy {spy} has no secret")
    return secret


def _handled(act: Act) -> None:
    act.set(handled=act.state.handled + 1)
