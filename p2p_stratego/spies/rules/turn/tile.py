"""The first step of a turn: a tile is played with its awards, or discarded, or none fits."""

from __future__ import annotations

from p2p_stratego.core.game import Claim, Face, Move, Open, Slot, Turn
from p2p_stratego.spies.rules.act import FALSE_DISCARD, FALSE_NONE, WRONG_YEAR, Act, chosen, put
from p2p_stratego.spies.rules.atlas import POWERS, RUSSIA, Power
from p2p_stratego.spies.rules.cup import draw
from p2p_stratego.spies.rules.notation import NO_TILE, words
from p2p_stratego.spies.rules.state import TILE_STAGE, PlayedTile, State
from p2p_stratego.spies.rules.tiles import ANNEXED, CRISIS, PACT, TILES, Award, TileId, fitting

CRISIS_YEAR = 1938


def options(state: State, power: Power) -> list[Move]:
    """To play or to discard each tile, and to have none."""
    moves = [words(word, slot) for word in ("tile", "discard") for slot in state.tiles[power]]
    return [*moves, NO_TILE]


def tile(act: Act) -> Turn[None]:
    """The tile step.  Raises Stopped."""
    state, power = act.state, act.state.power
    act.set(phase="turn", stage=TILE_STAGE)
    answer = yield from chosen(act, power, options(state, power))
    if answer is None:
        return
    if answer == NO_TILE:
        none = frozenset(TILES) - fitting(state.year)
        if state.tiles[power]:
            yield Claim(state.seat(power), FALSE_NONE, state.tiles[power], none)
        act.tell("no tile", power)
        return
    word, slot = answer.split()
    if word == "discard":
        yield Claim(state.seat(power), FALSE_DISCARD, (int(slot),), fitting(state.year))
        _less(act, power, int(slot))
        act.tell("discards", power)
        return
    face: Face = yield Open(int(slot))
    if face not in fitting(state.year):
        raise act.breached(power, WRONG_YEAR)
    _less(act, power, int(slot))
    act.points(power, 1)
    act.set(played=(*act.state.played, PlayedTile(face, power, state.year)))
    act.tell("plays tile", power, face=face)
    _effect(act, power, face)
    for award in TILES[face].awards:
        yield from _award(act, award)


def _less(act: Act, power: Power, slot: Slot) -> None:
    left = tuple(held for held in act.state.tiles[power] if held != slot)
    act.set(tiles=put(act.state.tiles, power, left))


def _effect(act: Act, power: Power, face: TileId) -> None:
    """The effect of a tile before its awards."""
    if face in ANNEXED:
        city, owner = ANNEXED[face]
        act.set(territory=put(act.state.territory, city, owner))
    elif face == CRISIS and act.state.year == CRISIS_YEAR:
        act.set(crisis=True)
    elif face == PACT and power == RUSSIA and act.state.allocation == "bid":
        act.set(pact=True)


def _award(act: Act, award: Award) -> Turn[None]:
    """The gain of each power with a spy in a city, unless the city is its own."""
    for power in range(len(POWERS)):
        if act.state.territory[award.city] == power:
            continue
        if not any(piece.city == award.city for _, piece in act.state.own(power)):
            continue
        if award.pounds:
            act.gain(power, award.pounds)
            act.tell("gains", power, city=award.city, numbers=(award.pounds,))
        else:
            yield from draw(act, power, award.chits, award.city)
