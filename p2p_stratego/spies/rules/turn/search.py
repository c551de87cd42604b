"""Searches by police, captures, and spies killed."""

from __future__ import annotations

from itertools import product

from p2p_stratego.core.game import ClaimOneOf, Face, Show, Slot, Turn
from p2p_stratego.spies.rules.act import FALSE_COMPARISON, Act, chosen, open_spy, show_spy
from p2p_stratego.spies.rules.atlas import CITY_NAMED, Power
from p2p_stratego.spies.rules.counters import COUSIN, ESCAPE, MEANS, PAPERS, REWARD, SPY_FACES, STRENGTHS
from p2p_stratego.spies.rules.cup import draw
from p2p_stratego.spies.rules.notation import CAPTURED, FREE
from p2p_stratego.spies.rules.state import Marker, SpyId
from p2p_stratego.spies.rules.turn.answers import asked


def search(act: Act, power: Power, spy: SpyId) -> Turn[None]:
    """The police of `power` search one spy in its city.  Raises Stopped."""
    piece = act.state.spies[spy]
    act.tell("searches", power, spy=spy, city=piece.city)
    answer = yield from asked(act, piece.power, power, (PAPERS, ESCAPE))
    if answer is not None and answer.stands:
        if answer.kind == ESCAPE:
            escaped(act, spy, answer.parts[0])
        return
    if (yield from _stronger(act, power, spy)):
        yield from captured(act, spy, power)
    else:
        act.tell("too strong", power, spy=spy)


def escaped(act: Act, spy: SpyId, haven: str) -> None:
    """A spy gets away to a haven."""
    act.to_haven(spy, CITY_NAMED[haven])
    act.tell("escapes", spy=spy, city=CITY_NAMED[haven])


def _stronger(act: Act, power: Power, spy: SpyId) -> Turn[bool]:
    """Both sides see what the other has; then the searcher says, and proves, whether its police win."""
    piece = act.state.spies[spy]
    units = act.state.police_in(power, piece.city)
    copy = yield from show_spy(act, spy, power)
    seat, other = act.state.seat(power), act.state.seat(piece.power)
    if other not in act.state.gone:
        yield Show(tuple(unit.slot for unit in units), other, act.copies(len(units)))
    answer = yield from chosen(act, power, (CAPTURED, FREE))
    if answer is None:
        return False
    known = act.state.spies[spy].face
    faces = SPY_FACES if known is None else (known,)
    tuples = tuple(
        (*strengths, *((face,) if known is None else ()))
        for strengths in product(sorted(set(MEANS[power].police)), repeat=len(units))
        for face in faces
        if (sum(strengths) > STRENGTHS[face]) == (answer == CAPTURED)
    )
    if not tuples:
        raise act.breached(power, FALSE_COMPARISON)
    slots: tuple[Slot, ...] = (*(unit.slot for unit in units), *((copy,) if copy is not None else ()))
    yield ClaimOneOf(seat, FALSE_COMPARISON, slots, tuples)
    return answer == CAPTURED


def captured(act: Act, spy: SpyId, captor: Power | None) -> Turn[None]:
    """A spy is opened and goes on the captor's record, with a reward; without a captor it goes into the box.

    For a spy of a russia that changes hands there is no reward: otherwise its player could lay the spy before
    its own police in one year, and capture it in the next.
    """
    face = yield from open_spy(act, spy)
    act.off_map(spy, "box" if captor is None else "captured", captor)
    act.tell("captured", -1 if captor is None else captor, spy=spy, face=face)
    if captor is not None and not act.state.borrowed(act.state.spies[spy].power):
        act.gain(captor, REWARD)
        yield from draw(act, captor, 1, why="capture")


def killed(act: Act, spy: SpyId, killer: Power) -> Turn[None]:
    """A spy is opened and out, a cousin for good; the killer gets a marker where a captor has a reward."""
    face: Face = yield from open_spy(act, spy)
    act.off_map(spy, "lost" if face == COUSIN else "killed")
    if not act.state.borrowed(act.state.spies[spy].power):
        act.set(markers=(*act.state.markers, Marker(killer, act.state.year, spy)))
    act.tell("killed", killer, spy=spy, face=face)
