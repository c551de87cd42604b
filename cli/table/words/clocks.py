"""The clocks of a match at its table, in words and as a screen shows them: pure readings of a replica."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from cli.games.interface import Players
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import _, number
from protocol.record.statements import is_of_time
from protocol.replication.replica import Replica

LOW: Final = 10.0
"""Seconds under which tenths are shown, and of one's own the player is called."""
MARKS: Final = (300, 60, 30, 10)
"""Seconds left on the player's own clock at which line mode says so, descending."""


@dataclass(frozen=True, slots=True)
class ScreenClock:
    """One clock on the screen: the name of its seat ("" for the player's own) and the time on it."""

    seat: Seat
    name: str
    time: str
    running: bool
    low: bool

    @property
    def own(self) -> bool:
        """Whether it is the player's."""
        return not self.name


def face(seconds: float) -> str:
    """The time on a clock: "1:02:03", "12:05", and with tenths under LOW: "0:09.4"."""
    if seconds < LOW:
        return f"0:0{number(math.floor(max(seconds, 0.0) * 10) / 10, 1)}"
    whole = math.floor(seconds)
    minutes = f"{whole // 60 % 60:02}" if whole >= 3600 else f"{whole // 60}"
    return f"{whole // 3600}:" * (whole >= 3600) + f"{minutes}:{whole % 60:02}"


def shown(replica: Replica, players: Players, now: float) -> tuple[ScreenClock, ...]:
    """The clocks of all that are still in the match, the player's own first; none once it is over."""
    clocks, session = replica.clocks, replica.session
    if clocks is None or replica.by_post or session.outcome is not None or session.referee.provisional:
        return ()
    own = replica.seat
    seats = [own, *(seat for seat in range(len(players.names)) if seat != own)]
    faces = []
    for seat in seats:
        if not session.referee.has_left(seat):
            left = clocks.left(seat, now)
            name = "" if seat == own else players.names[seat]
            faces.append(ScreenClock(seat, name, face(left), clocks.runs(seat), left < LOW))
    return tuple(faces)


def changes_at(replica: Replica, now: float, *, screen: bool) -> float:
    """When a clock next shows another time, or, where there is no `screen`, comes to one of MARKS or to its
    end; infinity if none does.  Also the moment when a claim becomes possible.
    """
    clocks = replica.clocks
    if clocks is None or replica.session.outcome is not None:
        return math.inf
    moments = [math.inf]
    if (claimable := replica.claimable_in) is not None and 0.0 < claimable < math.inf:
        moments.append(now + claimable + 0.01)
    for seat in range(len(replica.match.players)):
        if not clocks.runs(seat) or (left := clocks.left(seat, now)) <= 0.0:
            continue
        if screen:
            step = 0.1 if left < LOW else 1.0
            moments.append(now + max(left % step, 0.02))
        elif seat == replica.seat:
            moments.extend(now + left - mark + 0.01 for mark in (*MARKS, 0) if mark < left)
    return min(moments)


def own_left(replica: Replica, now: float) -> float | None:
    """Seconds left on the player's own clock while it runs, else None."""
    clocks = replica.clocks
    if clocks is None or replica.session.outcome is not None or not clocks.runs(replica.seat):
        return None
    return clocks.left(replica.seat, now)


class Marks:
    """Which of MARKS the player's own clock has come to, its end being the last."""

    def __init__(self) -> None:
        self._last = math.inf

    def mark(self, replica: Replica, players: Players, now: float) -> str:
        """A sentence if another one is reached since the last call, else ""."""
        left = own_left(replica, now)
        if left is None:
            return ""
        reached = min((mark for mark in (*MARKS, 0) if mark >= left), default=math.inf)
        before, self._last = self._last, reached
        if reached >= before:
            return ""
        return own_over(replica, players, now) or _("{time} left on your clock.", time=face(left))


def sentence(replica: Replica, players: Players, now: float) -> str:
    """All clocks as a clause for line mode: "Clocks: you 12:05, Ben 9:31"; "" without clocks."""
    times = [
        f"{_('you') if clock.own else clock.name} {clock.time}" for clock in shown(replica, players, now)
    ]
    return _("Clocks: {all}.", all=", ".join(times)) if times else ""


def run_out(replica: Replica, players: Players) -> str:
    """A sentence on a player whose time is over, and on the claim that is possible; "" if none is."""
    seat = replica.time_is_over
    if seat is None:
        return ""
    name = players.names[seat]
    if len(players.names) - len(replica.session.referee.table.gone) > 2:
        return _(
            "{player}'s clock has run out, as this program measures: `claim` says so. Once all others have "
            "said it, the game goes on without {player}.",
            player=name,
        )
    return _("{player}'s clock has run out, as this program measures: `claim` wins the game.", player=name)


def own_over(replica: Replica, players: Players, now: float) -> str:
    """Sentences for a player whose own time is over: what follows, and what to do; "" if it is not."""
    left = own_left(replica, now)
    if left is None or left > 0.0:
        return ""
    there = [name for seat, name in enumerate(players.names) if seat != replica.seat]
    if len(there) > 1:
        return _(
            "Your time is over: the others may say so, and go on without you. Answer at once: "
            "it still counts."
        )
    return _(
        "Your time is over: {player} may claim the game now. Answer at once: it still counts.",
        player=there[0],
    )


def warning(player: str) -> str:
    """A warning before a claim of time: what it proves, and what not."""
    return _(
        "The record will say that {player}'s clock has run out. It holds no times: that is your word alone, "
        "and a late answer undoes it.",
        player=player,
    )


def accused(replica: Replica, players: Players, now: float) -> str:
    """A sentence on the others' word that the player's own clock has run out, beside our own measure; "" if
    nobody says so.
    """
    referee, own = replica.session.referee, replica.seat
    by = [
        claim.seat
        for known in referee.statements
        for claim in known
        if is_of_time(claim) and (claim.count, claim.content[0]) == (referee.count, own)
    ]
    if not by or replica.clocks is None or replica.session.over or referee.waited_for != (own,):
        return ""
    name, left = players.names[by[0]], replica.clocks.left(own, now)
    if left > 0.0:
        return _(
            "{player} says that your clock has run out. By this program you have {time} left: answer now, "
            "and the game goes on.",
            player=name,
            time=face(left),
        )
    return _(
        "Your clock has run out, and {player} claims it: `resign` agrees to that. A late answer undoes the "
        "claim; the record keeps both.",
        player=name,
    )
