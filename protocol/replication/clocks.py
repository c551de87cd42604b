"""The clocks of a match, as the program of one player measures them (SPEC 10.14).

Pure bookkeeping: `now` is always seconds on one monotonic clock.  A measured time decides what a person sees
and may claim, and changes nothing in the record (threat 91).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from p2p_stratego.core import strict_json
from p2p_stratego.core.game import Seat
from protocol.limits import CLAIM_AFTER_TIME
from protocol.record.debts import Debt, DebtKind, DebtName, debts
from protocol.record.referee import Referee
from protocol.record.time_control import TimeControl

LAG: Final = 1.0
"""The longest round trip, in seconds, that a seat is granted."""
FREE_FOR_PROGRAMS: Final = 2.0
"""Seconds that an answer of a program is free."""
FREE_FOR_SHUFFLES: Final = 60.0
"""Seconds that a shuffle of all cards with its proof is free."""
FREE_FOR_PROOFS: Final = 2.0
"""Seconds that a decision under the profile of proofs is free: its proof is made after it."""
FOLLOWS_WITHIN: Final = 3.0
"""Seconds within which an entry comes that was decided before its seat owed it."""
RESUMED_WITHIN: Final = 30.0
"""Seconds after the beginning of our process, within which seats that owe may find us again."""
KEEP_EVERY: Final = 1.0
"""Seconds between two savings while a clock runs; each begun or ended decision is saved besides."""
SYNC_EVERY: Final = 5.0
"""Seconds between two savings that wait for the disk."""
SET_UP: Final = 10
"""With seconds for each decision, a seat has this many times as long for its first decision."""
_ABSURD: Final = 2**53
"""A bound of milliseconds, seconds and decisions that no match comes near to."""


@dataclass(slots=True)
class _Running:
    """A debt under measurement."""

    debt: Debt
    ran: float = 0.0
    """Seconds that it ran in an earlier process."""
    since: float | None = None
    """The time at which it began to run in this process."""
    sure: bool = False
    """Whether its seat knew of the debt at once."""
    heard: float | None = None
    """The time at which the seat's receipt came."""
    rested: float | None = None
    """The time at which the seat said that it has decided."""
    due: float | None = None
    """The time after that at which the seat came to owe the next entry."""

    def ran_until(self, now: float, free: float) -> float:
        """The seconds that the debt has run."""
        if self.since is None:
            return self.ran
        lag = 0.0 if self.sure else min(LAG, (now if self.heard is None else self.heard) - self.since)
        end = now
        if self.rested is not None:
            late = 0.0 if self.due is None else max(0.0, now - self.due - FOLLOWS_WITHIN)
            end = self.rested + late
        return self.ran + max(0.0, end - self.since - lag - free)


@dataclass(frozen=True, slots=True)
class SavedClocks:
    """The saved clocks.

    `left`: by seat, the milliseconds of a Fischer clock; `made`: by seat, the number of decisions; `running`:
    by seat, the running debt and its milliseconds; `saved`: seconds since 1970; `serial`: of this saving.
    """

    left: tuple[int, ...]
    made: tuple[int, ...]
    running: Mapping[Seat, tuple[DebtName, int]]
    saved: int
    serial: int = 0


def clocks_json(kept: SavedClocks) -> bytes:
    """The saved clocks as JSON, for `read_clocks`."""
    running = {str(seat): [*name, ran] for seat, (name, ran) in kept.running.items()}
    value = {"left": kept.left, "made": kept.made, "running": running, "saved": kept.saved}
    value["serial"] = kept.serial
    return (json.dumps(value) + "\n").encode()


def read_clocks(data: bytes) -> SavedClocks | None:
    """The saved clocks; None if the bytes are damaged: then the clocks begin anew."""
    try:
        match strict_json.read(data):
            case {
                "left": [*left],
                "made": [*made],
                "running": dict(running),
                "saved": saved,
                "serial": serial,
            }:
                debts = {int(seat): _read_debt(debt) for seat, debt in running.items()}
                times = tuple(map(_sound, left)), tuple(map(_sound, made))
                return SavedClocks(*times, debts, _sound(saved), _sound(serial))
    except (ValueError, TypeError):
        pass
    return None


def _read_debt(value: object) -> tuple[DebtName, int]:
    match value:
        case [str(kind), int(number), int(ran)]:
            return (kind, number), _sound(ran)
    raise ValueError("no debt")


def _sound(number: object) -> int:
    """`number`, if it is an integer below the bound, which a float holds exactly.  Raises ValueError."""
    if type(number) is int and 0 <= number < _ABSURD:
        return number
    raise ValueError("no such time")


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Our program's knowledge of each seat.

    `there`: whether there is a way to it; `heard`: whether it has signed a receipt over the present head or,
    our own seat, decided; `knew`: whether it knew its debt at once.
    """

    there: Callable[[Seat], bool]
    heard: Callable[[Seat], bool]
    knew: Callable[[Seat], bool]


class Clocks:
    """The clocks of all seats; `own`: our seat."""

    def __init__(self, control: TimeControl, seats: int, own: Seat, *, proofs: bool = False) -> None:
        self.control, self._own, self._proofs = control, own, proofs
        self._left = [float(control.seconds)] * seats
        self._made = [0] * seats
        self._running: dict[Seat, _Running] = {}
        self._resumed: dict[Seat, tuple[DebtName, float]] = {}
        """By seat: the debt of an earlier process, and the seconds that it ran there."""
        self._begun: float | None = None
        """The time of the first `follow` in this process."""
        self._unsent = False
        """Whether our entry waits for a connection."""
        self._kept_at = -KEEP_EVERY
        self._synced_at = -SYNC_EVERY
        self._kept: object = None
        self._serial = 0

    # Following the match

    def follow(self, referee: Referee, now: float, knowledge: Knowledge, *, linked: bool) -> None:
        """Bring the clocks into step with the match; `linked`: whether there is a link for our entries."""
        self._begun = now if self._begun is None else self._begun
        present = debts(referee)
        for seat, running in list(self._running.items()):
            if seat not in present or present[seat].name != running.debt.name:
                if seat == self._own and not linked:
                    self._unsent = True  # our clock runs until another seat can have the entry
                else:
                    self._settle(seat, now)
        if self._unsent and linked:
            self._unsent = False
            if self._own in self._running:
                self._settle(self._own, now)
        self._count(referee)
        for seat, debt in present.items():
            if seat == self._own and self._unsent:
                continue
            if seat not in self._running:
                self._running[seat] = self._begin(seat, debt)
            self._observe(seat, debt, now, knowledge)

    def _begin(self, seat: Seat, debt: Debt) -> _Running:
        name, ran = self._resumed.pop(seat, (None, 0.0))
        return _Running(debt, ran if name == debt.name else 0.0)

    def _observe(self, seat: Seat, debt: Debt, now: float, knowledge: Knowledge) -> None:
        running = self._running[seat]
        running.debt = debt
        if running.since is None and self._may_begin(seat, running, now, knowledge):
            running.since = now
            running.sure = seat == self._own or running.ran > 0.0 or knowledge.knew(seat)
        if running.since is None:
            return
        if running.rested is None and not debt.next and knowledge.heard(seat):
            running.rested = now
        elif running.heard is None and knowledge.heard(seat):
            running.heard = now
        if running.rested is not None and running.due is None and debt.next:
            running.due = now

    def _may_begin(self, seat: Seat, running: _Running, now: float, knowledge: Knowledge) -> bool:
        """Whether a debt begins to run, as its seat can know of it.

        A debt that ran in an earlier process waits until its seat finds us again, but not for ever.
        """
        if seat == self._own or knowledge.there(seat):
            return True
        if running.ran > 0.0:
            return now >= (self._begun or now) + RESUMED_WITHIN
        return knowledge.heard(seat) or knowledge.knew(seat)

    def _settle(self, seat: Seat, now: float) -> None:
        """Stop the clock of a seat, whose entry has come."""
        running = self._running.pop(seat)
        if self.control.increment is not None:
            self._left[seat] = max(0.0, self._left[seat] - running.ran_until(now, self._free(running)))

    def _count(self, referee: Referee) -> None:
        """Add the increments for the decisions made."""
        for seat, decided in enumerate(referee.decided_at):
            if seat == self._own and self._unsent:
                continue
            if self.control.increment is not None:
                self._left[seat] += self.control.increment * max(0, len(decided) - self._made[seat])
            self._made[seat] = len(decided)

    def _free(self, running: _Running) -> float:
        if running.debt.duty is DebtKind.DECISION:
            return FREE_FOR_PROOFS if self._proofs else 0.0
        return FREE_FOR_SHUFFLES if running.debt.duty is DebtKind.SHUFFLE else FREE_FOR_PROGRAMS

    # What they show

    def left(self, seat: Seat, now: float) -> float:
        """The seconds left to a seat; negative: the seconds since its time was used up."""
        running = self._running.get(seat)
        ran = 0.0 if running is None else running.ran_until(now, self._free(running))
        if self.control.increment is not None:
            return self._left[seat] - ran
        return self.control.seconds * (1 if self._made[seat] else SET_UP) - ran

    def runs(self, seat: Seat) -> bool:
        """Whether the clock of a seat runs for a decision of its person now."""
        running = self._running.get(seat)
        if running is None or running.since is None or running.debt.duty is not DebtKind.DECISION:
            return False
        return running.rested is None

    def claimable_in(self, seat: Seat, now: float) -> float:
        """The seconds until it is fair to claim that a seat is out of time; 0 if it is fair now."""
        return max(0.0, self.left(seat, now) + CLAIM_AFTER_TIME)

    # The disk

    @property
    def due(self) -> float:
        """The time of the next saving."""
        return self._kept_at + KEEP_EVERY if self._running else float("inf")

    def keep(self, now: float, wall: float, *, last: bool = False) -> SavedClocks | None:
        """The clocks to save now, or None.

        They are saved if another decision is due, or the last saving is a while ago.  `last`: in any case;
        `wall`: seconds since 1970.
        """
        names = {
            seat: clock.debt.name
            for seat, clock in self._running.items()
            if clock.debt.duty is DebtKind.DECISION
        }
        ago = now - self._kept_at
        if not last and (not self._running or (names == self._kept and ago < KEEP_EVERY)):
            return None
        self._kept_at, self._kept, self._serial = now, names, self._serial + 1
        running = {
            seat: (clock.debt.name, round(1000 * clock.ran_until(now, self._free(clock))))
            for seat, clock in self._running.items()
        }
        left = tuple(round(1000 * left) for left in self._left)
        return SavedClocks(left, tuple(self._made), running, int(wall), self._serial)

    def to_sync(self, now: float) -> bool:
        """Whether this saving has to wait for the disk: at most every SYNC_EVERY seconds."""
        if now - self._synced_at < SYNC_EVERY:
            return False
        self._synced_at = now
        return True

    def resume(self, kept: SavedClocks, wall: float) -> None:
        """Go on from the clocks of an earlier process; the time since then counts for our own debt alone."""
        if not len(kept.left) == len(kept.made) == len(self._left):
            return
        self._left, self._made = [ms / 1000 for ms in kept.left], list(kept.made)
        self._serial = kept.serial
        for seat, (name, ran) in kept.running.items():
            away = max(0.0, wall - kept.saved) if seat == self._own else 0.0
            self._resumed[seat] = name, ran / 1000 + away
