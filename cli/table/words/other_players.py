"""The other players at a table: who they are, how each is reached, and who says that one does not answer.

Plain values and their words; `company` reads them from a replica.  Nothing here changes anything.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from cli.games.interface import Players
from cli.text.layout import series
from cli.text.theme import Tone
from p2p_stratego.core.game import Seat, Together
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.narration import capital, joined
from protocol.record.asks.proofs.keys import can_be_spared
from protocol.record.asks.together import ShownChoice
from protocol.record.referee import Referee
from protocol.record.silence.rules import ChainPlace
from protocol.record.statements import Kind, Statement
from protocol.replication import presence
from protocol.replication.replica import Replica
from protocol.seat.session import standing_offers, willing

FellowWay: TypeAlias = Literal["direct", "through", "away", "never", "post", "bot", "gone"]
"""Over a link of our own; over another player's; by none any more; by none yet; by post; in this program;
left.
"""
COMING: Final = 15.0
"""Seconds from its beginning in which a program makes links, and others take their place: nobody is away."""
BETTER: Final = "↑"
"""That a better way is being tried, where there is no room for words."""
MANY: Final = 3
"""Players from which on a table has a list of them."""


@dataclass(frozen=True, slots=True)
class Fellow:
    """Another player, and how its seat is reached."""

    seat: Seat
    name: str
    """Escaped."""
    colour: str
    """What the game calls the seat."""
    way: FellowWay
    through: str = ""
    """The name of the player over whom it is reached, if `way` is "through"."""
    seconds: float = 0.0
    """Since when `way` is as it is."""
    rtt: float | None = None
    """Seconds there and back, of a direct link."""
    via: str = ""
    """By which way such a link goes, if that is another than straight across the Internet."""
    owes: bool = False
    """Whether the match waits for it."""
    side: Seat = 0
    """The lowest seat of its side, whose colour the whole side wears."""
    ally: bool = False
    """Whether it wins and loses with our player."""
    coming: bool = False
    """Whether no link leads to it yet, and one may just be being made."""
    doing: tuple[str, ...] = ()
    """The attempts at a way to it, or at a better one, in a few words: the longest first."""

    @property
    def missing(self) -> bool:
        """Whether no way leads to the player now, beyond the time for a first link."""
        return self.way in ("away", "never") and not self.coming


def clock_face(seconds: float) -> str:
    """A span of time as a clock shows it: "2:05"."""
    whole = max(int(seconds), 0)
    return f"{whole // 60}:{whole % 60:02}"


def span(rtt: float) -> str:
    """A round trip in words."""
    return _("{rtt:.0f} ms", rtt=max(rtt * 1000, 1))


def linked(rtt: float | None, via: str = "") -> str:
    """By which way somebody is linked, and its round trip."""
    way = via or _("direct")
    return way if rtt is None else f"{way} {span(rtt)}"


def place_of(fellow: Fellow) -> tuple[Tone, str]:
    """How a player is reached, in a few words."""
    match fellow.way:
        case "direct":
            return "good", linked(fellow.rtt, fellow.via)
        case "through":
            return "good", _("via {through}", through=fellow.through)
        case "bot":
            return "good", "bot"
        case "gone" | "post":
            return "dim", _("gone") if fellow.way == "gone" else _("by post")
        case _ if fellow.coming:
            return "dim", _("connecting")
        case "away":
            return "warn", _("away {clock_face}", clock_face=clock_face(fellow.seconds))
        case _:
            return "warn", _("not here {clock_face}", clock_face=clock_face(fellow.seconds))


def places_of(fellow: Fellow) -> tuple[Tone, tuple[str, ...]]:
    """How a player is reached, with the attempts at a way there: the longest form first."""
    tone, place = place_of(fellow)
    short: tuple[str, ...] = ()
    if fellow.way == "direct":
        short = (fellow.via,) if fellow.via or fellow.rtt is None else (span(fellow.rtt),)
    return tone, (*(with_doing(place, attempt) for attempt in fellow.doing), place, *filter(None, short))


def with_doing(place: str, doing: str) -> str:
    """How a player is reached, with the attempt at a way, or at a better one."""
    return f"{place} {doing}" if doing == BETTER else f"{place}, {doing}"


def summary(fellows: Sequence[Fellow]) -> tuple[Tone, str]:
    """How a table of many stands, in a few words for the title."""
    there = [fellow for fellow in fellows if fellow.way != "gone"]
    missing = [fellow for fellow in there if fellow.missing]
    if any(fellow.way == "post" for fellow in there) and not missing:
        return "dim", _("by post")
    if not missing and any(fellow.coming for fellow in there):
        return "dim", _("connecting")
    if not missing:
        return "good", _("all are here") if there else _("all others have left")
    if len(missing) == 1:
        return "warn", f"{missing[0].name} {place_of(missing[0])[1]}"
    return "warn", _("{count} of {count2} away", count=len(missing), count2=len(there))


def absence(fellows: Sequence[Fellow], claim: str, trouble: str = "") -> tuple[Tone, str] | None:
    """A sentence on the players that are away, and the consequence; None if all are here.

    `claim`: how a claim is possible, as `status` words it; `trouble`: why there is no connection.
    """
    missing = [fellow for fellow in fellows if fellow.missing]
    if not missing:
        return None
    names = series([fellow.name for fellow in missing])
    owing = [fellow for fellow in missing if fellow.owes]
    if not owing:
        away = _AWAY[len(missing) > 1]
        return "dim", joined(_(away, players=names), trouble.strip(), _("The game goes on meanwhile."))
    waited = series([fellow.name for fellow in owing])
    waits = _(_WAITS[len(owing) > 1], players=waited, claim=claim)
    return "warn", joined(waits, trouble.strip())


_AWAY: Final = (mark("{players} is away."), mark("{players} are away."))
_WAITS: Final = (
    mark("The game waits for {players}, who is away: wait, {claim}."),
    mark("The game waits for {players}, who are away: wait, {claim}."),
)
"""Of one player, and of several."""


def returned(fellow: Fellow) -> str:
    """That a player is there, as a sentence; how it is reached can change at once, and the list shows it."""
    return _("{fellow} is back.", fellow=fellow.name)


@dataclass(frozen=True, slots=True)
class Silence:
    """That some say of a player that it does not answer, at the present place of the chain."""

    accused: Seat
    claimants: tuple[Seat, ...]
    """Who has said so, ascending."""
    missing: tuple[Seat, ...]
    """Whose word is missing before the decider can take the accused out."""
    decider: Seat
    ends: bool = False
    """Whether the match ends if the accused is taken out: its key goes with it."""
    resigned: bool = False
    """Whether the decider has resigned: its program decides, if it still runs."""


@dataclass(frozen=True, slots=True)
class DrawOffer:
    """A draw that is offered among three or more."""

    by: Seat
    accepted: tuple[Seat, ...]
    """Who has accepted it."""
    missing: tuple[Seat, ...]
    """Who has not yet, without the author."""
    home: tuple[Seat, ...] = ()
    """Who has resigned, and is not asked any more."""


def offer(referee: Referee, offered: Statement | None = None) -> DrawOffer | None:
    """An offer of a draw: `offered`, else the first that stands; None if there is none."""
    offered = offered or next(iter(standing_offers(referee)), None)
    if offered is None:
        return None
    there = referee.absences.present(referee.count)
    accepted = willing(referee, offered) & there
    home = {seat for seat in there if referee.has_left(seat)}
    missing = there - accepted - home - {offered.seat}
    return DrawOffer(offered.seat, *(tuple(sorted(seats)) for seats in (accepted, missing, home)))


_CLOSED_WITHOUT: Final = (
    mark("{players} has resigned. All others accept your draw: accept takes it; your next move declines."),
    mark("{players} have resigned. All others accept your draw: accept takes it; your next move declines."),
)
"""Of one player, and of several."""


def offer_sentence(offer: DrawOffer, players: Players, *, acceptable: bool) -> str:
    """An offer as a sentence: who has accepted, whose word is missing, and our player's possibilities."""
    accepted = series([players.subject(seat) for seat in offer.accepted])
    alone = len(offer.accepted) == 1 and offer.accepted != (players.me,)
    so_far = ""
    if accepted:
        so_far = (
            _("{players} has accepted.", players=capital(accepted))
            if alone
            else _("{players} have accepted.", players=capital(accepted))
        )
        so_far = f" {so_far}"
    missing = [seat for seat in offer.missing if seat != players.me]
    others = series([players.names[seat] for seat in missing])
    still = series([players.names[seat] for seat in missing or offer.missing or (offer.by,)])
    if offer.by == players.me and acceptable and offer.home:
        home, several = series([players.names[seat] for seat in offer.home]), len(offer.home) > 1
        return _(_CLOSED_WITHOUT[several], players=home)
    if offer.by == players.me and acceptable:
        return _("All have accepted your offer of a draw: accept takes it; your next move declines.")
    if offer.by == players.me:
        return _(
            "Your offer of a draw stands until another's next move.{so_far} Still to accept: {others}.",
            so_far=so_far,
            others=still,
        )
    offers = _("{name} offers a draw", name=players.names[offer.by])
    if acceptable:
        also = (
            _(", and it stands once {others} has too", others=others)
            if len(missing) == 1
            else _(", and it stands once {others} have too", others=others)
        ) * bool(missing)
        return _(
            "{offers}: accept takes it{also}; your next move declines.{so_far}",
            offers=offers,
            also=also,
            so_far=so_far,
        )
    if players.me in offer.missing and others:
        return _(
            "{offers}: you can accept last, after {others}; your next move declines.{so_far}",
            offers=offers,
            others=others,
            so_far=so_far,
        )
    return _("{offers}.{so_far} Still to accept: {others}.", offers=offers, so_far=so_far, others=still)


def silence(referee: Referee, gone: Collection[Seat]) -> Silence | None:
    """Who says that the seat that owes does not answer; None if nobody does, or if fewer than three are left.

    The rule stands in `protocol.record.silence.rules`.
    """
    owed = referee.owed
    if owed is None:
        return None
    present = frozenset(seat for seat in range(len(referee.statements)) if seat not in gone)
    place = ChainPlace(owed.seat, present)
    if not place.many:
        return None
    claimants = [
        seat
        for seat in sorted(present - {owed.seat})
        if any(
            statement.kind is Kind.AWAY
            and statement.content[0] == owed.seat
            # Of this place alone: the entry of an earlier place has answered the words about it (10.9).
            and (statement.count, statement.head) == (referee.count, referee.head)
            for statement in referee.statements[seat]
        )
    ]
    if not claimants:
        return None
    missing = tuple(sorted(place.accusers - set(claimants)))
    left = [seat for seat in range(len(referee.statements)) if referee.has_left(seat)]
    ends = not can_be_spared(referee.table, owed.seat, left)
    return Silence(owed.seat, tuple(claimants), missing, place.decider, ends, place.decider in left)


_DECIDES: Final[Mapping[tuple[bool, bool], tuple[str, str]]] = {
    (True, False): (
        mark("You decide (claim) whether the game goes on without {accused}."),
        mark(
            "You decide (claim) whether the game ends here for good: without {accused}'s key no card can be "
            "drawn."
        ),
    ),
    (True, True): (
        mark("Your program decides whether the game goes on without {accused}."),
        mark(
            "Your program decides whether the game ends here for good: without {accused}'s key no card can "
            "be drawn."
        ),
    ),
    (False, False): (
        mark("{decider} decides whether the game goes on without {accused}."),
        mark(
            "{decider} decides whether the game ends here for good: without {accused}'s key no card can be "
            "drawn."
        ),
    ),
    (False, True): (
        mark(
            "The program of {decider}, who has resigned, decides whether the game goes on without {accused}."
        ),
        mark(
            "The program of {decider}, who has resigned, decides whether the game ends here for good: "
            "without {accused}'s key no card can be drawn."
        ),
    ),
}
"""By whether the player at this table decides, and whether the decider has resigned: what comes of it, and
the same where the game would end."""


def silence_sentences(silence: Silence, players: Players) -> str:
    """A silence in sentences: the claimants, the missing words, and the consequence."""
    by = series([players.subject(seat) for seat in silence.claimants])
    if silence.accused == players.me:
        if silence.ends:
            return _(
                "You do not answer (according to: {by}): decide now, or the game can end for good.", by=by
            )
        return _(
            "You do not answer (according to: {by}): decide now, or the game can go on without you.", by=by
        )
    accused = players.names[silence.accused]
    sentences = [_("{accused} does not answer (according to: {by}).", accused=accused, by=by)]
    if silence.missing:
        others = series([players.subject(seat) for seat in silence.missing])
        sentences.append(_("Still to say so: {others}.", others=others))
    decides = _DECIDES[silence.decider == players.me, silence.resigned][silence.ends]
    sentences.append(_(decides, accused=accused, decider=players.names[silence.decider]))
    return " ".join(sentences)


MISSING: Final = (presence.Way.AWAY, presence.Way.NEVER)


def many(replica: Replica) -> bool:
    """Whether this is a table of three or more."""
    return len(replica.match.players) >= MANY


def not_here(replica: Replica) -> tuple[Seat, ...]:
    """The players whom nothing reaches now, at a table of three or more; of two, `status` tells it."""
    return tuple(link.seat for link in replica.links if link.way in MISSING) if many(replica) else ()


def deciding(referee: Referee) -> set[Seat]:
    """The seats that decide at the same time and whose entries are still to come; empty for other Asks.

    The entries come in the order of the seats, but each player decides when it likes.
    """
    owed = referee.owed
    if owed is None or owed.message is ShownChoice:
        return set()
    parts = owed.ask.asks if isinstance(owed.ask, Together) else ()
    return {part.seat for part in parts if part.seat >= owed.seat and part.seat not in referee.table.gone}


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
