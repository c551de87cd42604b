"""All counters of SPIES!: chits, secrets and tiles, with the place of those that the player knows of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from cli.games.interface import ViewContext
from cli.games.spies.knowledge import ALL_POWERS, own_powers, prices
from cli.games.spies.snapshot import Snapshot, snapshot
from cli.text.layout import counted, series
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.rules.counters import ALL_SECRETS, CHIT_NAMES, KINDS, SECRET_NAME
from p2p_stratego.spies.rules.observation import hand, secret_face
from p2p_stratego.spies.rules.tiles import TILES, coloured


def manifest(context: ViewContext) -> list[str]:
    """A line for each kind of chit, each value of secrets, and each tile."""
    moment = snapshot(context)
    return [*_chits(moment), "", *_secrets(moment), "", *_tiles(moment)]


def _chits(moment: Snapshot) -> Iterator[str]:
    state = moment.state
    others = sum(len(state.hands[power]) for power in ALL_POWERS if not moment.runs(power))
    total = sum(kind.copies for kind in KINDS)
    yield f"{total} chits: {state.cup} in the cup, {others} in the hands of others, all else yours."
    own: Counter[int] = Counter()
    for power in own_powers(moment):
        own.update(face for face in hand(state, power, moment.known) if face is not None)
    for kind in range(len(CHIT_NAMES)):
        yield f"{words.chit(kind)}: {KINDS[kind].copies}; you have {own[kind]}. {prices(kind)}."


def _secrets(moment: Snapshot) -> Iterator[str]:
    """By face: how many there are, and which of them the player knows."""
    known: dict[int, list[str]] = {}
    for secret, lying in enumerate(moment.state.secrets):
        face = secret_face(moment.state, secret, moment.known)
        if face is not None and lying.origin >= 0:
            gone = {"cashed": " (cashed)", "removed": " (out)"}.get(lying.where, "")
            known.setdefault(face, []).append(f"{words.city(lying.origin)}{gone}")
    yield f"{len(ALL_SECRETS)} secrets, each called by the city where it began."
    for face, number in sorted(Counter(ALL_SECRETS).items()):
        places = f": you know of {series(known[face])}" if face in known else ""
        yield f"{SECRET_NAME[face]}, {words.content(face)}: {number}{places}."


def _tiles(moment: Snapshot) -> Iterator[str]:
    state = moment.state
    played = {each.tile: each for each in state.played}
    own = {
        moment.known[slot]: power
        for power in own_powers(moment)
        for slot in state.tiles[power]
        if slot in moment.known
    }
    left = [f"{words.power(power)} {len(state.tiles[power])}" for power in ALL_POWERS]
    yield f"{counted(len(TILES), 'tile')}; in hand: {series(left)}."
    for tile in sorted(TILES):
        colour = next((words.power(power) for power in ALL_POWERS if tile in coloured(power)), "random")
        if tile in played:
            where = f"played by {words.power(played[tile].power)} in {played[tile].year}"
        elif tile in own:
            where = f"yours, {words.power(own[tile])}'s"
        else:
            where = "not seen"
        yield f"{words.tile(tile)}, {words.years(tile)}, {colour}: {where}."
