"""A match between its two sides, in words: connection, the awaited message, the end.

Pure readings of a replica; the table and both front ends show them.  Nothing here changes anything.
"""

from __future__ import annotations

from typing import Final

from cli.games.interface import GameTerminal, Players
from cli.reports import describe
from cli.shell.explain import sentence
from cli.table.scene import Tone
from cli.text.names import shown
from cli.text.sanitize import escape
from p2p_stratego.core.game import Outcome, Seat
from p2p_stratego.core.narration import ending as ending_of
from protocol.network.rematch import next_seat
from protocol.network.replica import Replica, Status
from protocol.seat.session import Session

OLD_COPY: Final = "This copy is an old one: go on where the game was played last."


def clock_face(seconds: float) -> str:
    """A span of time as a clock shows it: "2:05"."""
    whole = max(int(seconds), 0)
    return f"{whole // 60}:{whole % 60:02}"


def link(replica: Replica, rtt: float | None, now: float) -> tuple[Tone, str]:
    """How the other side is connected.  `rtt`: seconds there and back; `now`: by the replica's clock."""
    status = replica.status
    if status is Status.CONNECTED:
        if replica.route.bots:
            return "good", "bot"
        return "good", "direct" if rtt is None else f"direct {max(rtt * 1000, 1):.0f} ms"
    if status is Status.OVER:
        return "dim", "not connected"
    if status is Status.STALE:
        return "bad", "old copy"
    word = "away" if status is Status.AWAY else "connecting"
    return "warn", f"{word} {clock_face(now - replica.since)}"


def alert(replica: Replica, players: Players) -> tuple[Tone, str] | None:
    """The notices besides the question, the most urgent first."""
    session = replica.session
    other = shown(replica.opponent.name)
    if replica.status is Status.STALE:
        return "bad", OLD_COPY
    offer = session.draw_offer
    if offer is not None:
        return "warn", f"{players.names[offer.seat]} offers a draw: accept takes it, your next move declines."
    if session.outcome is not None:
        answerable = not session.over
        return ("warn", f"{other} claims the game: answer now, and it goes on.") if answerable else None
    if not replica.route.bots and (absent := _absence(replica, other)):
        return absent
    if session.referee.standing_offer(session.seat) is not None:
        return "dim", f"Your offer of a draw stands until {other}'s next decision."
    return None


def _absence(replica: Replica, other: str) -> tuple[Tone, str] | None:
    """That the other side is away, or does not make its move."""
    if replica.status in (Status.AWAY, Status.CONNECTING):
        return "warn", _away(replica, other)
    if replica.status is Status.CONNECTED and not replica.session.live:
        return "warn", _behind(replica, other)
    if replica.claimable_in == 0:
        return "warn", f"{other} has not moved for long: wait, leave (all is saved), or claim."
    return None


def _away(replica: Replica, other: str) -> str:
    """That the other side is away: the possible actions, the reason, and the fate of moves made meanwhile."""
    left = replica.claimable_in
    leave = "or leave (all is saved)"
    if left is not None:
        leave = "leave (all is saved), or claim" + (f" in {clock_face(left)}" if left else " the game")
    gone = "away" if replica.status is Status.AWAY else "not connected yet"
    why = escape(sentence(replica.trouble)).partition(". ")[0].rstrip(".") + ". " if replica.trouble else ""
    kept = "Your moves are kept, and go out" if replica.session.decision else "The game goes on"
    return f"{other} is {gone}: wait, {leave}. {why}{kept} when the connection is back."


def _behind(replica: Replica, other: str) -> str:
    if replica.trouble is not None:
        return escape(sentence(replica.trouble))
    return (
        f"{other} knows more of this game than this copy. Nothing goes out from here until the rest arrives."
    )


def presence(replica: Replica, told: bool | None) -> tuple[bool | None, str]:
    """Whether the other side is there, and a sentence if that has changed since it was told, else "".

    None: unknown, as before a match that is about to begin, or of no interest.
    """
    if (replica.session.outcome is not None and replica.session.over) or replica.route.bots:
        return told, ""
    other = shown(replica.opponent.name)
    begun = replica.session.referee.count > 0
    if replica.status is Status.CONNECTED:
        return True, "" if told else f"{other} is {'connected' if told is None else 'back'}."
    if replica.status is Status.AWAY or (replica.status is Status.CONNECTING and begun):
        return False, "" if told is False else _away(replica, other)
    return told, ""


def waiting(replica: Replica, terminal: GameTerminal, players: Players) -> str:
    """The awaited decision, while our player has none."""
    session = replica.session
    owed = session.referee.owed
    if session.referee.table.state is None or owed is None:
        return "The game is being set up: both sides draw chance together."
    if session.kept is not None and replica.status is not Status.CONNECTED:
        there = players.names[next_seat(replica.match, replica.seat)]
        decided = terminal.questions.spoken(session.view, session.kept)
        return f"You have decided: {decided}. It goes out when {there} is there."
    return terminal.questions.waiting(session.view, players, owed.ask)


def settling(replica: Replica, players: Players) -> str:
    """The awaited message when play has ended and the outcome is unknown."""
    others = " and ".join(players.names[seat] for seat in replica.waited_for)
    if not others:
        return "Play has ended; what is still closed is opened, and has to be what it was said to be."
    return f"Play has ended; {others} must still open what is closed: it has to be what it was said to be."


def ending(session: Session, outcome: Outcome, names: tuple[str, ...]) -> str:
    """How the game ended."""
    if session.fault is not None:  # a fault of the protocol has no words in the game
        return ending_of(outcome, names, {}, "cheated, and the record proves it")
    return describe.narration(session.genesis).ending(outcome, names)


def result(outcome: Outcome, seat: Seat) -> str:
    """The outcome for the player of a seat, in two words."""
    if not outcome.winners:
        return "A draw"
    if outcome.reason == "unresponsive":
        return "You claim the game" if seat in outcome.winners else "The game is claimed against you"
    return "You won" if seat in outcome.winners else "You lost"


def afterwards(replica: Replica) -> str:
    """The commands after the end."""
    if replica.claimed:
        return "leave, or wait: should the other side answer after all, the game goes on"
    ours, theirs = replica.rematch_wanted
    if ours and can_go_again(replica):
        return "leave; your wish for a rematch is known"
    if "rematch" not in offered(replica):
        return "leave"
    return "rematch, for your opponent wants one, or leave" if theirs else "rematch or leave"


def can_go_again(replica: Replica) -> bool:
    """Whether a return match can be wished for."""
    honest = replica.session.fault is None
    return replica.status is Status.CONNECTED and replica.finished and honest


def rematch_is_offered(replica: Replica) -> bool:
    """Whether the other side wishes for a return match that is still possible."""
    return can_go_again(replica) and replica.rematch_wanted[1]


def offered(replica: Replica) -> tuple[str, ...]:
    """The commands of it that are still useful: a rematch is wished for once."""
    again = can_go_again(replica) and not replica.rematch_wanted[0]
    return ("rematch", "leave") if again else ("leave",)
