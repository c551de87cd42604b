"""All counters of SPIES!: chits, secrets and tiles, with the places that the player knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from cli.games.interface import ViewContext
from cli.games.spies.knowledge import ALL_POWERS, own_powers, prices
from cli.games.spies.snapshot import Snapshot, snapshot
from cli.text.layout import series
from p2p_stratego.core.language import _, _c, n_
from p2p_stratego.core.narration import joined
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
    yield _(
        "{total} chits: {cup} in the cup, {others} in the hands of others, all else yours.",
        total=total,
        cup=state.cup,
        others=others,
    )
    own: Counter[int] = Counter()
    for power in own_powers(moment):
        own.update(face for face in hand(state, power, moment.known) if face is not None)
    for kind in range(len(CHIT_NAMES)):
        yield _(
            "{chit}: {copies}; you have {own}. {prices}.",
            chit=words.chit(kind),
            copies=KINDS[kind].copies,
            own=own[kind],
            prices=prices(kind),
        )


def _secrets(moment: Snapshot) -> Iterator[str]:
    """By face: how many there are, and which of them the player knows."""
    known: dict[int, list[str]] = {}
    for secret, lying in enumerate(moment.state.secrets):
        face = secret_face(moment.state, secret, moment.known)
        if face is not None and lying.origin >= 0:
            gone = {"cashed": _(" (cashed)"), "removed": _(" (out)")}.get(lying.where, "")
            known.setdefault(face, []).append(f"{words.city(lying.origin)}{gone}")
    yield _("{count} secrets, each called by the city where it began.", count=len(ALL_SECRETS))
    for face, number in sorted(Counter(ALL_SECRETS).items()):
        places = _(": you know of {known}", known=series(known[face])) if face in known else ""
        yield _(
            "{secret_name}, {content}: {number}{places}.",
            secret_name=SECRET_NAME[face],
            content=words.content(face),
            number=number,
            places=places,
        )


def _tiles(moment: Snapshot) -> Iterator[str]:
    state = moment.state
    played = {play.tile: play for play in state.played}
    own = {
        moment.known[slot]: power
        for power in own_powers(moment)
        for slot in state.tiles[power]
        if slot in moment.known
    }
    left = [f"{words.power(power)} {len(state.tiles[power])}" for power in ALL_POWERS]
    yield _(
        "{counted}; in hand: {left}.",
        counted=n_("{count} tile", "{count} tiles", len(TILES)),
        left=series(left),
    )
    for tile in sorted(TILES):
        of = next((power for power in ALL_POWERS if tile in coloured(power)), None)
        colour = _c("a tile of no power", "random") if of is None else words.power(of)
        if tile in played:
            where = _(
                "played by {power} in {year}", power=words.power(played[tile].power), year=played[tile].year
            )
        elif tile in own:
            where = _("yours, {power}'s", power=words.power(own[tile]))
        else:
            where = _("not seen")
        sentence = f"{words.tile(tile)}, {words.years(tile)}, {colour}: {where}."
        yield joined(sentence, words.effect(tile))
