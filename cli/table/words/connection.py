"""How a table is connected, and the attempts at a way, in words: pure readings of a replica."""

from __future__ import annotations

from collections.abc import Mapping

from cli.games.interface import Players
from cli.table.words import reaching, status
from cli.table.words.company import clock_face, linked, many, summary, with_doing
from cli.text.theme import Tone
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import _
from protocol.replication.presence import SeatLink, Way
from protocol.replication.replica import Replica, Status


def link(replica: Replica, players: Players, rtt: float | None, now: float) -> tuple[Tone, str]:
    """How the other side, or the table, is connected, and how many watch.

    `rtt`: seconds to the other side and back.
    """
    tone, text = _link(replica, players, rtt, now)
    return tone, _(
        "{text} · {watchers} watching", text=text, watchers=replica.watchers
    ) if replica.watchers else text


def _link(replica: Replica, players: Players, rtt: float | None, now: float) -> tuple[Tone, str]:
    state = replica.status
    others = status.fellows(replica, players, now)
    if others and state not in (Status.OVER, Status.STALE):
        return summary(others)
    if state is Status.CONNECTED:
        if replica.route.bots:
            return "good", "bot"
        return "good", linked(rtt, next(map(status.via_of, replica.links)))
    if state is Status.OVER:
        return "dim", _("not connected")
    if state is Status.STALE:
        return "bad", _("old copy")
    if replica.by_post:
        return "dim", _("by post")
    word = _("away") if state is Status.AWAY else _("connecting")
    return "warn", f"{word} {clock_face(now - replica.since)}"


def doing(replica: Replica, players: Players, now: float) -> tuple[str, ...]:
    """The attempts at a way to the other side, or to the only player missing at a table of many, or at a
    better way: the longest form first.
    """
    if replica.status in (Status.OVER, Status.STALE) or replica.by_post:
        return ()
    if not many(replica):
        return () if replica.route.bots else reaching.doing(next(iter(replica.links)), now)
    missing = [fellow for fellow in status.fellows(replica, players, now) if fellow.missing]
    return missing[0].doing if len(missing) == 1 else ()


def seat_link(replica: Replica, players: Players, link: SeatLink, now: float) -> str:
    """How a seat is reached, with the attempts at a way there, in words."""
    if link.way is Way.DIRECT:
        place = linked(link.rtt, status.via_of(link))
    elif link.way is Way.THROUGH and link.through is not None:
        place = _("via {name}", name=players.names[link.through])
    elif link.seat in status.departed(replica):
        return _("gone")
    elif replica.by_post:
        return _("by post")
    else:
        place = f"{_('away') if link.way is Way.AWAY else _('not here')} {clock_face(now - link.since)}"
    attempts = reaching.doing(link, now)
    return with_doing(place, attempts[0]) if attempts else place


def moved(
    replica: Replica, players: Players, known: Mapping[Seat, bool]
) -> tuple[Mapping[Seat, bool], list[str]]:
    """By seat that is linked, whether through a relay, and a sentence for each link that has moved since it
    was `known` so.
    """
    now = {
        link.seat: link.via.relayed
        for link in replica.links
        if link.way is Way.DIRECT and link.via is not None
    }
    sentences = [
        (
            _("The link to {name} goes through a relay now.", name=players.names[seat])
            if relayed
            else _("The link to {name} goes straight now.", name=players.names[seat])
        )
        for seat, relayed in now.items()
        if known.get(seat, relayed) != relayed
    ]
    return {**known, **now}, sentences
