"""A match between its players, in words: connection, the awaited message, the end.

Pure readings of a replica; the table and both front ends show them.  Nothing here changes anything.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from cli.games.interface import GameTerminal, Players
from cli.shell.explain import sentence
from cli.table.words import afterwards, reaching
from cli.table.words.company import (
    COMING,
    MANY,
    MISSING,
    Fellow,
    FellowWay,
    Silence,
    absence,
    clock_face,
    many,
    offer_sentence,
    returned,
    silence,
    silence_sentences,
)
from cli.table.words.company import offer as offer_of
from cli.text.layout import series
from cli.text.names import shown
from cli.text.sanitize import escape
from cli.text.theme import Tone
from p2p_stratego.core.game import Ask, Seat, Shuffle, Together
from p2p_stratego.core.language import _, _c, mark, n_
from protocol.record.asks.base import Obligation
from protocol.record.asks.together import ShownChoice
from protocol.record.referee import Referee
from protocol.record.statements import Kind
from protocol.rendezvous.via import Via
from protocol.replication import presence as presence_of
from protocol.replication.presence import SeatLink
from protocol.replication.rematch import next_seat
from protocol.replication.replica import Replica, Status


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
            doing=() if way.seat in bots or replica.by_post else reaching.doing(way, now),
        )
        for way in replica.links
    )


def _way(replica: Replica, way: SeatLink) -> FellowWay:
    return "post" if replica.by_post and way.way in MISSING else _WAYS[way.way]


def via_of(way: SeatLink) -> str:
    """The way of a link of our own, unless it is the usual one."""
    return "" if way.via in (None, Via.DIRECT) else _c("a way", way.via.value)


def deciding(referee: Referee) -> set[Seat]:
    """The seats that decide at the same time and whose entries are still to come; empty for other Asks.

    The entries come in the order of the seats, but each player decides when it likes.
    """
    owed = referee.owed
    if owed is None or owed.message is ShownChoice:
        return set()
    parts = owed.ask.asks if isinstance(owed.ask, Together) else ()
    return {part.seat for part in parts if part.seat >= owed.seat and part.seat not in referee.table.gone}


_WAYS: Final[Mapping[presence_of.Way, FellowWay]] = {
    presence_of.Way.DIRECT: "direct",
    presence_of.Way.THROUGH: "through",
    presence_of.Way.AWAY: "away",
    presence_of.Way.NEVER: "never",
}


def departed(replica: Replica) -> frozenset[Seat]:
    """The seats that have left for good."""
    return frozenset(replica.session.referee.table.gone)


def has_left(replica: Replica) -> bool:
    """Whether our player has resigned, or was taken out, while the others play on."""
    if not many(replica) or replica.session.outcome is not None:
        return False
    statements = replica.session.referee.statements[replica.seat]
    return replica.seat in departed(replica) or any(statement.kind is Kind.RESIGN for statement in statements)


def bots(replica: Replica, players: Players) -> tuple[str, ...]:
    """The bots that play in this program, by name, but for those that have left."""
    return tuple(players.names[seat] for seat in sorted(replica.route.bots.keys() - departed(replica)))


def alone_with_bots(replica: Replica) -> bool:
    """Whether all other players that are still in the match are bots of this program."""
    gone = departed(replica)
    return all(way.seat in replica.route.bots for way in replica.links if way.seat not in gone)


def bots_here(replica: Replica, players: Players) -> tuple[str, ...]:
    """The bots that play in this program at a table with other people, by name; none once it is over."""
    levels = replica.route.bots
    people = any(way.seat not in levels and way.seat not in departed(replica) for way in replica.links)
    return bots(replica, players) if people and replica.session.outcome is None else ()


LEFT: Final = mark("You have left this game; the others play on.")


def alert(replica: Replica, players: Players, now: float) -> tuple[Tone, str] | None:
    """The notices besides the question, the most urgent first.  `now`: by the replica's clock."""
    session = replica.session
    other = shown(replica.opponent.name)
    if replica.status is Status.STALE:
        return "bad", _(OLD_COPY)
    if (offer := session.draw_offer) is not None:
        return "warn", _offered_draw(replica, players, offer.seat)
    if session.outcome is not None:
        if session.over:
            return afterwards.return_match(replica, players)
        who = _("Everybody else says that you do not answer")
        if not session.referee.silent:
            winners = series([players.names[seat] for seat in sorted(session.outcome.winners)])
            who = (
                _("{winners} claims the game", winners=winners)
                if len(session.outcome.winners) == 1
                else _("{winners} claim the game", winners=winners)
            )
        return "warn", _("{who}: answer now, and it goes on.", who=who)
    if many(replica):
        return _alert_of_many(replica, players, now)
    if not replica.route.bots and (absent := _absence(replica, other)):
        return absent
    if session.referee.standing_offer(session.seat) is not None:
        return "dim", _("Your offer of a draw stands until {other}'s next decision.", other=other)
    return None


def can_go_on(replica: Replica) -> bool:
    """Whether the game can go on without one more player."""
    return len(replica.match.players) - len(departed(replica)) >= MANY


def _offered_draw(replica: Replica, players: Players, seat: Seat) -> str:
    """A sentence on an offer of a draw, and on the effect of accepting it."""
    offer = offer_of(replica.session.referee, departed(replica)) if many(replica) else None
    if offer is not None and offer.by == seat:
        return offer_sentence(offer, players, acceptable=True)
    return _("{name} offers a draw: accept takes it, your next move declines.", name=players.names[seat])


def _alert_of_many(replica: Replica, players: Players, now: float) -> tuple[Tone, str] | None:
    """The most urgent notice at a table of three or more: who is silent, who is away, our offer."""
    referee, own = replica.session.referee, replica.seat
    if all(referee.has_left(seat) != (seat == own) for seat in range(len(players.names))):
        return "good", _("All others have left: decide what is asked now, and you win.")
    silent = silence(replica.session.referee, departed(replica))
    if silent is not None:
        return "warn", f"{silence_sentences(silent, players)}{_decides_late(replica, players, silent)}"
    if not replica.session.live and replica.status is Status.CONNECTED:
        return "warn", _behind(replica, _("The table"))
    alone = replica.status is not Status.CONNECTED  # else the trouble is of one link that others make good
    trouble = f"{_reason(replica)} " if alone and replica.trouble is not None else ""
    others = fellows(replica, players, now)
    absent = absence(others, _claiming(replica, _("leave (all is saved)")), trouble)
    if absent is not None and absent[0] == "warn":
        return absent
    if replica.claimable_in == 0:
        slow = series([players.names[seat] for seat in replica.waited_for])
        return "warn", _(
            "{slow} has done nothing for a long time: wait, leave (all is saved) or claim.", slow=slow
        )
    offered = offer_of(replica.session.referee, departed(replica))
    return absent if offered is None else ("dim", offer_sentence(offered, players, acceptable=False))


def _decides_late(replica: Replica, players: Players, silent: Silence) -> str:
    """A sentence on when the player can say that the decider does not answer either, or ""."""
    left = replica.claimable_in
    if left is None or silent.missing or replica.session.claimable != silent.decider:
        return ""
    name = players.names[silent.decider]
    when = _("in {clock_face} you can", clock_face=clock_face(left)) if left else _("you can now")
    return _(" If {name} does not answer either, {when} say so (claim).", name=name, when=when)


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


def standing_silence(replica: Replica) -> Silence | None:
    """The silence that stands, at a table of three or more; None if nobody claims one."""
    running = many(replica) and replica.session.outcome is None
    return silence(replica.session.referee, departed(replica)) if running else None


def _claiming(replica: Replica, leave: str) -> str:
    """The choices besides waiting: to leave, and perhaps to claim."""
    left = replica.claimable_in
    if left is None:
        return _("or {leave}", leave=leave)
    return _("{leave}, or claim", leave=leave) + (
        _(" in {clock_face}", clock_face=clock_face(left)) if left else ""
    )


def _reason(replica: Replica) -> str:
    """Why there is no connection, as a short sentence."""
    if replica.trouble is None:
        return ""
    return escape(sentence(replica.trouble)).partition(". ")[0].rstrip(".") + "."


def _absence(replica: Replica, other: str) -> tuple[Tone, str] | None:
    """A sentence on the other side that is away, or does not make its move; None if it is there."""
    if replica.status in (Status.AWAY, Status.CONNECTING):
        return "warn", away(replica, other)
    if replica.status is Status.CONNECTED and not replica.session.live:
        return "warn", _behind(replica, other)
    if replica.claimable_in == 0:
        return "warn", _(
            "{other} has not moved for a long time: wait, leave (all is saved) or claim.", other=other
        )
    return None


def _behind(replica: Replica, other: str) -> str:
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


def waiting(replica: Replica, terminal: GameTerminal, players: Players) -> str:
    """The awaited decision, while our player has none."""
    session = replica.session
    owed = session.referee.owed
    if owed is not None and isinstance(owed.ask, Shuffle):
        return shuffling(session.referee, owed, players)
    if session.referee.table.state is None or owed is None:
        both = _("all") if many(replica) else _("both sides")
        return _("The game is being set up: {both} draw chance together.", both=both)
    if session.kept is not None and replica.status is not Status.CONNECTED:
        there = _("anybody") if many(replica) else players.names[next_seat(replica.match, replica.seat)]
        decided = terminal.questions.spoken(session.view, session.kept)
        return _(
            "You have decided: {decided}. It goes out as soon as {there} is here.",
            decided=decided,
            there=there,
        )
    if owed.message is ShownChoice:
        everybody = _("All") if many(replica) else _("Both")
        return _(
            "{everybody} have decided; {name}'s decision is shown next.",
            everybody=everybody,
            name=players.names[owed.seat],
        )
    ask: Ask = owed.ask
    if isinstance(ask, Together):
        late = deciding(session.referee)
        late = late - {replica.seat} or late  # our player has decided, else nobody waits here
        ask = Together(tuple(part for part in ask.asks if part.seat in late))  # type: ignore[arg-type]
    return terminal.questions.waiting(session.view, players, ask)


def shuffling(referee: Referee, owed: Obligation, players: Players) -> str:
    """How far a shuffle by all seats is: they shuffle one after the other, and prove it."""
    table = referee.table
    seats = [seat for seat in table.cards.keys if seat not in table.gone]
    done = seats.index(owed.seat) if owed.seat in seats else 0
    bar = "■" * (_BAR * done // len(seats))
    who = _("You shuffle") if owed.seat == players.me else _("{name} shuffles", name=players.names[owed.seat])
    return _(
        "{bar} {done} of {count} have shuffled the cards, proofs checked. {who} them now.",
        bar=f"{bar:□<{_BAR}}",
        who=who,
        done=done,
        count=len(seats),
    )


_BAR: Final = 10
"""Cells that show how much of a shuffle is done."""


def watched(number: int) -> str:
    """That so many spectators watch, as a sentence."""
    if not number:
        return _("Nobody watches any more.")
    return n_("{count} spectator watches now.", "{count} spectators watch now.", number)
