"""One line about the pointed or typed thing: a piece, a zone, a territory, an attack."""

from __future__ import annotations

from typing import Final

from cli.games.conquest.names import SIGNS, piece, territory, with_city, zone
from cli.games.conquest.notes import ASSUMED, MATTERS, mixed, named, possible
from cli.games.conquest.snapshot import CONTESTED, SeenPiece, Snapshot, is_setting_up
from cli.games.interface import ViewContext
from cli.text.layout import EMPTY, Line, series, styled
from p2p_stratego.conquest.bots.layouts import Chances, could_be
from p2p_stratego.conquest.rules.atlas import TERRITORIES, TERRITORY_OF, Zone
from p2p_stratego.conquest.rules.flags import keeper
from p2p_stratego.conquest.rules.pieces import FIGHTS, FLAG
from p2p_stratego.core.game import Face
from p2p_stratego.core.language import _, _c, mark
from p2p_stratego.core.sampling import percent


def explanation(context: ViewContext, moment: Snapshot) -> Line:
    """About the zone at the cursor, or the last one typed."""
    at = moment.named[-1] if moment.named else moment.cursor if moment.cursor is not None else moment.picked
    if at is None:
        return EMPTY
    if is_setting_up(moment.state):
        return _placing(moment, at)
    seen = moment.pieces.get(at)
    if moment.asked == "take" or seen is None:
        return _zone(context, moment, at)
    picked = None if moment.picked is None else moment.pieces[moment.picked].face
    if picked is not None and seen.seat != moment.seat:
        return _attack(context, moment, picked, seen, at)
    return _piece(context, moment, seen, at)


def _placing(moment: Snapshot, at: Zone) -> Line:
    """The piece at the cursor while a side is set up, and the keys that put another one there."""
    seen = moment.pieces.get(at)
    there = _("empty") if seen is None or seen.face is None else piece(seen.face)
    return styled(f"{zone(at)}, {with_city(TERRITORY_OF[at])}: {there}. ", "strong") + styled(_(_KEYS), "dim")


_KEYS: Final = mark("Keys: 1 to 9 ranks, 0 king, + flag, * cursed land, . empty")


def _zone(context: ViewContext, moment: Snapshot, at: Zone) -> Line:
    """A zone without a piece, or in the draft: its territory and whose that is."""
    place = TERRITORY_OF[at]
    owner = moment.owners[place]
    if owner is None:
        whose = _c("belonging", "nobody's")
    elif owner == CONTESTED:
        whose = _c("belonging", "contested")
    else:
        whose = context.players.owned(owner)
    zones = ", ".join(zone(place_zone) for place_zone in TERRITORIES[place].zones)
    start = styled(f"{zone(at)}: ", "strong")
    return start + styled(
        _("{territory}, zones {zones}, {whose}.", territory=territory(place), zones=zones, whose=whose), "dim"
    )


def _piece(context: ViewContext, moment: Snapshot, seen: SeenPiece, at: Zone) -> Line:
    """The owner of a piece, this seat's knowledge of it, and its possible faces."""
    start = styled(f"{zone(at)}, {with_city(TERRITORY_OF[at])}: ", "strong")
    if seen.face is not None:
        own = context.players.has(seen.seat, piece(seen.face))
        return start + styled(f"{own}, {knowledge(context, seen)}.", "dim")
    past = _("closed, has stepped") if seen.moved else _("closed, never stepped")
    owner = styled(f"{context.players.owned(seen.seat)}, {past}", "dim")
    if not context.notes or seen.piece is None:
        return start + owner
    with_it = next((zones for zones in mixed(moment, seen.seat) if at in zones), [])
    blended = (
        _(", mixed with {named}", named=named(other for other in with_it if other != at)) if with_it else ""
    )
    odds = could_be(moment.state, seen.seat, context.view.known, seen.piece)
    return (
        start
        + owner
        + styled(
            _(
                "{blended}{assumed}: {possible}",
                blended=blended,
                assumed=_assumed(odds),
                possible=possible(odds),
            ),
            "dim",
        )
    )


def knowledge(context: ViewContext, seen: SeenPiece) -> str:
    """Who knows a piece that this seat can read, as a clause."""
    if seen.shown:
        return _("known to all")
    if seen.seat != context.view.seat:
        return _("seen by you alone: keep it")
    lookers = [seat for seat in range(context.view.state.seats) if seen.piece and seen.piece.seen >> seat & 1]
    by = (
        _(", seen by {value}", value=series([context.players.names[seat] for seat in lookers]))
        if lookers
        else ""
    )
    return _("closed, has stepped{by}", by=by) if seen.moved else _("closed, never stepped{by}", by=by)


def _attack(context: ViewContext, moment: Snapshot, attacker: Face, seen: SeenPiece, at: Zone) -> Line:
    """The result of an attack, or how likely each is."""
    start = styled(f"{piece(attacker)} × {zone(at)} ({SIGNS[seen.seat]}): ", "strong")
    captor = keeper(moment.state, context.view.seat, seen.seat)
    flag = _CHANCES["flag"] if captor == context.view.seat else _FOR_ANOTHER
    if seen.face == FLAG and flag == _FOR_ANOTHER:
        return start + styled(f"{_(flag, player=context.players.names[captor])}!", "dim")
    if seen.face is not None:
        return start + styled(_(_RESULTS[FIGHTS[attacker][seen.face]], piece=piece(seen.face)), "dim")
    if not context.notes or seen.piece is None:
        return start + styled(_("it is closed."), "dim")
    odds = could_be(moment.state, seen.seat, context.view.known, seen.piece)
    sums = dict.fromkeys(_CHANCES, 0.0)
    for face in MATTERS:
        sums[FIGHTS[attacker][face]] += odds.get(face, 0.0)
    happens = {**_CHANCES, "flag": flag}
    text = ", ".join(
        f"{_(happens[result], player=context.players.names[captor])} {percent(share)}"
        for result, share in sums.items()
        if share
    )
    return start + styled(f"{text}{_assumed(odds)}.", "dim")


def _assumed(odds: Chances) -> str:
    """The assumption behind percentages; "" where they are certain."""
    return "" if max(odds.values(), default=1.0) >= 1.0 else f" ({_(ASSUMED)})"


_RESULTS: Final = {
    "won": mark("beats the {piece}."),
    "lost": mark("falls to the {piece}."),
    "both": mark("meets the {piece}: both fall."),
    "flag": mark("captures the {piece}!"),
}
_CHANCES: Final = {
    "won": mark("wins"),
    "lost": mark("falls"),
    "both": mark("both fall"),
    "flag": mark("captures the flag"),
}
_FOR_ANOTHER: Final = mark("captures the flag for {player}")
"""Of a player without a flag of its own: it goes to the captor of that."""
