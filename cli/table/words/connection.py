"""Connections at a table, in words: how each player is reached, who is away, who is back.

Pure readings of a replica.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from cli.games.interface import Players
from cli.shell.explain import sentence
from cli.table.words import call_attempts
from cli.table.words.other_players import (
    COMING,
    MISSING,
    Fellow,
    FellowWay,
    clock_face,
    deciding,
    departed,
    linked,
    many,
    returned,
    summary,
    with_doing,
)
from cli.text.names import shown
from cli.text.sanitize import escape
from cli.text.theme import Tone
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import _, _c, mark, n_
from protocol.rendezvous.via import Via
from protocol.replication import presence as presence_of
from protocol.replication.presence import SeatLink, Way
from protocol.replication.rematch import next_seat
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
    others = fellows(replica, players, now)
    if others and state not in (Status.OVER, Status.STALE):
        return summary(others)
    if state is Status.CONNECTED:
        if replica.route.bots:
            return "good", "bot"
        return "good", linked(rtt, next(map(via_of, replica.links)))
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
        return () if replica.route.bots else call_attempts.doing(next(iter(replica.links)), now)
    missing = [fellow for fellow in fellows(replica, players, now) if fellow.missing]
    return missing[0].doing if len(missing) == 1 else ()


def seat_link(replica: Replica, players: Players, link: SeatLink, now: float) -> str:
    """How a seat is reached, with the attempts at a way there, in words."""
    if link.way is Way.DIRECT:
        place = linked(link.rtt, via_of(link))
    elif link.way is Way.THROUGH and link.through is not None:
        place = _("via {name}", name=players.names[link.through])
    elif link.seat in departed(replica):
        return _("gone")
    elif replica.by_post:
        return _("by post")
    else:
        place = f"{_('away') if link.way is Way.AWAY else _('not here')} {clock_face(now - link.since)}"
    attempts = call_attempts.doing(link, now)
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


def away(replica: Replica, other: str) -> str:
    """A sentence on the other side that is away: why, and what can be done; of a match by post, `by_post`."""
    left = replica.claimable_in
    if replica.by_post:
        return by_post(replica, other)
    leave = _("or leave (all is saved)")
    if left is not None:
        leave = _("leave (all is saved) or claim") + (
            _(" in {clock_face}", clock_face=clock_face(left)) if left else _(" the game")
        )
    gone = _("away") if replica.status is Status.AWAY else _("not connected yet")
    why = _short(replica)
    kept = _("Your moves are kept, and go out") if replica.session.decision else _("The game goes on")
    return _(
        "{other} is {gone}: wait, {leave}. {why}{kept} when the connection is back.",
        other=other,
        gone=gone,
        leave=leave,
        why=why,
        kept=kept,
    )


def by_post(replica: Replica, other: str) -> str:
    """A sentence on a match by post: nobody is called, and what can be done."""
    claim = _(" You can claim the game.") if replica.claimable_in == 0 else ""
    return _(
        "{short}{other} gets what you do here by post: leave, and write it.{claim}",
        short=_short(replica),
        other=other,
        claim=claim,
    )


def _short(replica: Replica) -> str:
    """Why there is no connection, as a short sentence with a space behind it; "" if nothing is known."""
    if replica.trouble is None:
        return ""
    return escape(sentence(replica.trouble)).partition(". ")[0].rstrip(".") + ". "


OLD_COPY: Final = mark("This copy is an old one: go on where the game was played last.")


def fellows(replica: Replica, players: Players, now: float) -> tuple[Fellow, ...]:
    """The other players of a table of three or more, else none.  `now`: by the replica's clock."""
    if not many(replica):
        return ()
    match, bots, referee = replica.match, replica.route.bots, replica.session.referee
    waited = (not replica.session.over and deciding(referee)) or set(replica.waited_for)
    allies = next(side for side in match.sides if replica.seat in side)
    return tuple(
        Fellow(
            seat=way.seat,
            name=players.names[way.seat],
            colour=_(match.seat_names[way.seat]),
            way="gone" if referee.has_left(way.seat) else "bot" if way.seat in bots else _way(replica, way),
            through="" if way.through is None else players.names[way.through],
            seconds=now - way.since,
            rtt=way.rtt,
            via=via_of(way),
            owes=way.seat in waited,
            side=min(next(side for side in match.sides if way.seat in side)),
            ally=way.seat in allies,
            coming=not replica.by_post and now < replica.begun + COMING and way.way in MISSING,
            doing=() if way.seat in bots or replica.by_post else call_attempts.doing(way, now),
        )
        for way in replica.links
    )


def _way(replica: Replica, way: SeatLink) -> FellowWay:
    return "post" if replica.by_post and way.way in MISSING else _WAYS[way.way]


def via_of(way: SeatLink) -> str:
    """The way of a link of our own, unless it is the usual one."""
    return "" if way.via in (None, Via.DIRECT) else _c("a way", way.via.value)


_WAYS: Final[Mapping[presence_of.Way, FellowWay]] = {
    presence_of.Way.DIRECT: "direct",
    presence_of.Way.THROUGH: "through",
    presence_of.Way.AWAY: "away",
    presence_of.Way.NEVER: "never",
}


def settles(replica: Replica, now: float) -> float:
    """When a player that is coming counts as away, by the replica's clock; infinity if none is."""
    end = replica.begun + COMING
    coming = any(link.way in MISSING for link in replica.links)
    return end if coming and now < end else math.inf


def missed(replica: Replica, players: Players, now: float) -> frozenset[Seat]:
    """The missing players for whom a match of three or more waits."""
    others = fellows(replica, players, now)
    over = replica.session.outcome is not None
    return frozenset() if over else frozenset(other.seat for other in others if other.missing and other.owes)


def claiming(replica: Replica, leave: str) -> str:
    """The choices besides waiting: to leave, and perhaps to claim."""
    left = replica.claimable_in
    if left is None:
        return _("or {leave}", leave=leave)
    return _("{leave}, or claim", leave=leave) + (
        _(" in {clock_face}", clock_face=clock_face(left)) if left else ""
    )


def reason(replica: Replica) -> str:
    """Why there is no connection, as a short sentence."""
    if replica.trouble is None:
        return ""
    return escape(sentence(replica.trouble)).partition(". ")[0].rstrip(".") + "."


def absence_of_two(replica: Replica, other: str) -> tuple[Tone, str] | None:
    """A sentence on the other side that is away, or does not make its move; None if it is there."""
    if replica.status in (Status.AWAY, Status.CONNECTING):
        return "warn", away(replica, other)
    if replica.status is Status.CONNECTED and not replica.session.live:
        return "warn", behind(replica, other)
    if replica.claimable_in == 0:
        return "warn", _(
            "{other} has not moved for a long time: wait, leave (all is saved) or claim.", other=other
        )
    return None


def behind(replica: Replica, other: str) -> str:
    if replica.trouble is not None:
        return escape(sentence(replica.trouble))
    return _(
        "{other} knows more of this game than this copy. Nothing goes out from here until the rest arrives.",
        other=other,
    )


def presence(
    replica: Replica, players: Players, before: Mapping[Seat, bool], now: float
) -> tuple[Mapping[Seat, bool], list[str]]:
    """By seat, whether each other player is there, and a sentence for each change.

    `before`: the value of the last call; at the beginning of a match, when nothing is known, it is empty.
    """
    if replica.session.outcome is not None and replica.session.over:
        return before, []
    if not many(replica):
        if replica.route.bots:
            return before, []
        other = next_seat(replica.match, replica.seat)
        there, sentence_ = _presence_of_two(replica, before.get(other), now)
        return {} if there is None else {other: there}, [sentence_] * bool(sentence_)
    known, lines = dict(before), []
    for fellow in fellows(replica, players, now):
        there = not fellow.missing and fellow.way != "gone"
        if fellow.coming or fellow.way in ("never", "gone", "bot", "post") or known.get(fellow.seat) == there:
            continue
        if fellow.seat in known:
            lines.append(returned(fellow) if there else _changed(fellow))
        elif there:
            lines.append(_changed(fellow))
        else:
            continue  # nothing was told of it yet, so it will not be back
        known[fellow.seat] = there
    return known, lines


def _changed(fellow: Fellow) -> str:
    """A sentence on a player who is there for the first time, or away now."""
    if fellow.missing:
        if fellow.owes:
            return _("{fellow} is away.", fellow=fellow.name)  # an alert tells the rest
        return _("{fellow} is away. The others go on until it is {fellow}'s turn.", fellow=fellow.name)
    return (
        _("{fellow} is connected through {through}.", fellow=fellow.name, through=fellow.through)
        if fellow.through
        else _("{fellow} is connected.", fellow=fellow.name)
    )


def _presence_of_two(replica: Replica, before: bool | None, now: float) -> tuple[bool | None, str]:
    other = shown(replica.opponent.name)
    resumed = replica.session.referee.count > 0 and now >= replica.begun + COMING
    if replica.status is Status.CONNECTED:
        return True, "" if before else (
            _("{other} is connected.", other=other) if before is None else _("{other} is back.", other=other)
        )
    if replica.status is Status.AWAY or (replica.status is Status.CONNECTING and resumed):
        return False, "" if before is False else away(replica, other)
    return before, ""


def watched(number: int) -> str:
    """That so many spectators watch, as a sentence."""
    if not number:
        return _("Nobody watches any more.")
    return n_("{count} spectator watches now.", "{count} spectators watch now.", number)
