"""What a table waits for, in words: the awaited decision, and the most urgent notice.

Pure readings of a replica; `connection` has the words for links and players who are away.
"""

from __future__ import annotations

from typing import Final

from cli.games.interface import GameTerminal, Players
from cli.table.words import end_and_rematch
from cli.table.words.connection import OLD_COPY, absence_of_two, behind, claiming, fellows, reason
from cli.table.words.other_players import (
    MANY,
    Silence,
    absence,
    clock_face,
    deciding,
    departed,
    many,
    offer_sentence,
    silence,
    silence_sentences,
)
from cli.table.words.other_players import offer as offer_of
from cli.text.layout import series
from cli.text.names import shown
from cli.text.theme import Tone
from p2p_stratego.core.game import Ask, Shuffle, Together
from p2p_stratego.core.language import _, mark
from protocol.record.asks.base import Obligation
from protocol.record.asks.together import ShownChoice
from protocol.record.referee import Referee
from protocol.record.statements import Statement
from protocol.replication.rematch import next_seat
from protocol.replication.replica import Replica, Status

LEFT: Final = mark("You have left this game; the others play on.")


def alert(replica: Replica, players: Players, now: float) -> tuple[Tone, str] | None:
    """The notices besides the question, the most urgent first.  `now`: by the replica's clock."""
    session = replica.session
    other = shown(replica.opponent.name)
    if replica.status is Status.STALE:
        return "bad", _(OLD_COPY)
    if (offer := session.draw_offer) is not None:
        return "warn", offered_draw(replica, players, offer)
    if session.outcome is not None:
        if session.over:
            return end_and_rematch.return_match(replica, players)
        claim = _("Everybody else says that you do not answer")
        if not session.referee.silent:
            winners = series([players.names[seat] for seat in sorted(session.outcome.winners)])
            claim = (
                _("{winners} claims the game", winners=winners)
                if len(session.outcome.winners) == 1
                else _("{winners} claim the game", winners=winners)
            )
        return "warn", _("{who}: answer now, and it goes on.", who=claim)
    if many(replica):
        return _alert_of_many(replica, players, now)
    if not replica.route.bots and (absent := absence_of_two(replica, other)):
        return absent
    if session.referee.standing_offer(session.seat) is not None:
        return "dim", _("Your offer of a draw stands until {other}'s next decision.", other=other)
    return None


def can_go_on(replica: Replica) -> bool:
    """Whether the game can go on without one more player."""
    return len(replica.match.players) - len(departed(replica)) >= MANY


def offered_draw(replica: Replica, players: Players, offered: Statement) -> str:
    """A sentence on an offer of a draw, and on the effect of accepting it."""
    offer = offer_of(replica.session.referee, offered) if many(replica) else None
    if offer is not None:
        return offer_sentence(offer, players, acceptable=True)
    name = players.names[offered.seat]
    return _("{name} offers a draw. Type accept to take it; your next move declines.", name=name)


def _alert_of_many(replica: Replica, players: Players, now: float) -> tuple[Tone, str] | None:
    """The most urgent notice at a table of three or more: who is silent, who is away, our offer."""
    referee, own = replica.session.referee, replica.seat
    if all(referee.has_left(seat) != (seat == own) for seat in range(len(players.names))):
        return "good", _("All others have left: decide what is asked now, and you win.")
    silent = silence(replica.session.referee, departed(replica))
    if silent is not None:
        return "warn", f"{silence_sentences(silent, players)}{_decides_late(replica, players, silent)}"
    if not replica.session.live and replica.status is Status.CONNECTED:
        return "warn", behind(replica, _("The table"))
    alone = replica.status is not Status.CONNECTED  # else the trouble is of one link that others make good
    trouble = f"{reason(replica)} " if alone and replica.trouble is not None else ""
    others = fellows(replica, players, now)
    absent = absence(others, claiming(replica, _("leave (all is saved)")), trouble)
    if absent is not None and absent[0] == "warn":
        return absent
    if replica.claimable_in == 0:
        slow = series([players.names[seat] for seat in replica.waited_for])
        return "warn", _(
            "{slow} has done nothing for a long time: wait, leave (all is saved) or claim.", slow=slow
        )
    offered = offer_of(replica.session.referee)
    return absent if offered is None else ("dim", offer_sentence(offered, players, acceptable=False))


def _decides_late(replica: Replica, players: Players, silent: Silence) -> str:
    """A sentence on when the player can say that the decider does not answer either, or ""."""
    left = replica.claimable_in
    if left is None or silent.missing or replica.session.claimable != silent.decider:
        return ""
    name = players.names[silent.decider]
    when = _("in {clock_face} you can", clock_face=clock_face(left)) if left else _("you can now")
    return _(" If {name} does not answer either, {when} say so (claim).", name=name, when=when)


def standing_silence(replica: Replica) -> Silence | None:
    """The silence that stands, at a table of three or more; None if nobody claims one."""
    running = many(replica) and replica.session.outcome is None
    return silence(replica.session.referee, departed(replica)) if running else None


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
    shuffler = (
        _("You shuffle") if owed.seat == players.me else _("{name} shuffles", name=players.names[owed.seat])
    )
    return _(
        "{bar} {done} of {count} have shuffled the cards, proofs checked. {who} them now.",
        bar=f"{bar:□<{_BAR}}",
        who=shuffler,
        done=done,
        count=len(seats),
    )


_BAR: Final = 10
"""Cells that show how much of a shuffle is done."""
