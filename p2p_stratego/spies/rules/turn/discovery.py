"""Discovery: a spy takes control of a secret, or meets a counterspy."""

from __future__ import annotations

from collections.abc import Iterator

from p2p_stratego.core.game import Claim, Face, Open, Turn
from p2p_stratego.spies.rules.act import FALSE_FIND, FALSE_SURVIVAL, Act, chosen, open_spy, show_secret
from p2p_stratego.spies.rules.atlas import HAVENS, Power
from p2p_stratego.spies.rules.counters import (
    COUNTERSPIES,
    COUSIN,
    COVER,
    DISCOVERY,
    DOUBLE_CROSS,
    GENUINE,
    SPY_FACES,
    STRENGTHS,
    value,
)
from p2p_stratego.spies.rules.notation import CAPTURED, IS_COUNTERSPY, IS_GENUINE, SURVIVES
from p2p_stratego.spies.rules.state import DROP, NOTHING, Secret, SecretId, SpyId, State
from p2p_stratego.spies.rules.turn.answers import asked, play
from p2p_stratego.spies.rules.turn.search import captured


def targets(state: State, spy: SpyId) -> Iterator[SecretId]:
    """The secrets that a spy may discover."""
    power, city = state.spies[spy].power, state.spies[spy].city
    if city in HAVENS or state.carried(spy) is not None:
        return
    land = state.territory[city]
    for secret in state.secrets_in(city):
        lying = state.secrets[secret]
        own_at_home = lying.owner == power and lying.by is None and land == power
        friend_at_home = (
            lying.owner not in (None, power) and land == lying.owner and state.same_seat(lying.owner, power)
        )
        if (
            lying.on != DROP
            and lying.by != power
            and not own_at_home
            and not friend_at_home
            and not from_friend(state, power, lying)
        ):
            yield secret


def from_friend(state: State, power: Power, lying: Secret) -> bool:
    """Whether another power of the same seat controls a secret, or was the last to take a foreign one.

    No secret goes from one power of a seat to another.  For a russia that changes hands, its seat at that
    time counts: otherwise it would fetch secrets for its player.
    """
    if lying.taken is None or lying.taken[0] == power:
        return False
    if lying.by is not None and state.same_seat(lying.by, power):
        return True
    taker, seat = lying.taken
    return lying.owner != taker and seat == state.runs[power]


def discovery(act: Act, slot: int, spy: SpyId, secret: SecretId) -> Turn[None]:
    """A Discovery with all that follows.  Raises Stopped."""
    power, lying = act.state.spies[spy].power, act.state.secrets[secret]
    yield from play(act, power, DISCOVERY, slot)
    act.tell("discovers", power, spy=spy, secret=secret)
    keeper = lying.owner if lying.by is None else lying.by
    if keeper is not None and keeper != power:
        answer = yield from asked(act, keeper, power, (COVER, DOUBLE_CROSS))
        if answer is not None and answer.stands:
            act.tell("discovery fails", power, spy=spy, secret=secret)
            return
    copy = yield from show_secret(act, secret, power)
    find = yield from chosen(act, power, (IS_GENUINE, IS_COUNTERSPY))
    if find is None:
        return
    face = act.state.secrets[secret].face
    if find == IS_COUNTERSPY:
        if face is None and copy is not None:
            face = yield Open(copy)
        if face not in COUNTERSPIES:
            raise act.breached(power, FALSE_FIND)
        yield from _counterspy(act, spy, secret, face)
        return
    if copy is not None:
        yield Claim(act.state.seat(power), FALSE_FIND, (copy,), GENUINE)
    elif face not in GENUINE:
        raise act.breached(power, FALSE_FIND)
    act.control(secret, power, spy)
    act.tell("controls", power, spy=spy, secret=secret)


def _counterspy(act: Act, spy: SpyId, secret: SecretId, face: Face) -> Turn[None]:
    """A counterspy leaves the game; the player says whether it captures the spy."""
    lying, power = act.state.secrets[secret], act.state.spies[spy].power
    act.secret(secret, where="removed", by=None, on=NOTHING, face=face)
    act.tell("counterspy", power, secret=secret, face=face, numbers=(value(face),))
    if lying.by is None and lying.owner is not None:
        return
    answer = yield from chosen(act, power, (SURVIVES, CAPTURED))
    if answer is None:
        return
    strong = frozenset(
        candidate for candidate in SPY_FACES if candidate == COUSIN or STRENGTHS[candidate] >= value(face)
    )
    if answer == SURVIVES:
        piece = act.state.spies[spy]
        if piece.face is None:
            yield Claim(act.state.seat(power), FALSE_SURVIVAL, (piece.slot,), strong)
        elif piece.face not in strong:
            raise act.breached(power, FALSE_SURVIVAL)
        act.tell("survives", power, spy=spy)
        return
    if (yield from open_spy(act, spy)) in strong:
        raise act.breached(power, FALSE_SURVIVAL)
    yield from captured(act, spy, lying.by)
