"""How a player of the campaign behaves: decides, resigns, offers and accepts draws, says who is away."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import trio

from p2p_stratego.core.game import Seat
from protocol.failures import NotNow
from protocol.network.peer import Peer
from protocol.record.statements import Kind
from protocol.replication.presence import Way
from protocol.replication.replica import Replica
from tests.campaigns.chaos.player import MARKS, say
from tests.campaigns.tables.plan import AGAIN, PATIENCE
from tests.helpers.games.players import honest

IN_VAIN: Final = 1.5 * PATIENCE[1]
"""Seconds after which a player no longer hopes that the others go on."""
_THINKS: Final = 15.0
"""Seconds for which a player who agrees to draws waits, while an offer stands, before it decides."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a player wants.

    `resigns`, `offers`: the entries from which on it gives up, or offers a draw; `agrees`: whether it accepts
    one; `again`: whether it wants a return match.
    """

    resigns: int | None
    offers: int | None
    agrees: bool
    again: bool


@dataclass
class Company:
    """The others, as the campaign tells: `gone` for good, or `away` for now."""

    gone: set[Seat] = field(default_factory=set)
    away: set[Seat] = field(default_factory=set)


class Conduct:
    """One player at its match, and at the return match; tells the campaign how far it is."""

    def __init__(
        self,
        match: Peer,
        wishes: Wishes,
        company: Company,
        rng: random.Random,
        number: int,
        tell: Callable[..., None] = say,
    ) -> None:
        """`number`: 0 in the first match, 1 in the return match; `tell`: tells the campaign."""
        self.on_begin: Callable[[], None] = lambda: None
        """Called once all have agreed to the match."""
        self._match, self._wishes, self._company, self._rng = match, wishes, company, rng
        self._number, self._tell_campaign = number, tell
        self._changed = trio.Event()
        replica, settle, begun = match.replica, match.replica.settle, match.replica.match

        def settled() -> None:
            nonlocal begun
            if replica.match is not begun:
                begun = replica.match
                self._number += 1
                MARKS["number"] = self._number
                self._begin()
            settle()

        replica.on_change = lambda: self._changed.set()  # noqa: PLW0108  # the event is a new one each time
        replica.settle = settled
        self._begin()

    def _begin(self) -> None:
        self._begun = self._resigned = self._offered = False
        self._count, self._state = -1, "working"
        self._since = trio.current_time()
        self._offers: dict[tuple[Seat, int], float] = {}
        self._still: tuple[int, float] = (-1, 0.0)
        """The records of the match when one more came last, and when that was."""

    @property
    def _replica(self) -> Replica:
        return self._match.replica

    async def run(self) -> None:
        """Play until cancelled."""
        while True:
            self._changed = trio.Event()
            if not (self._replica.closed or self._replica.failure):
                self._act()
            if not self._changed.is_set():
                with trio.move_on_after(1.0):
                    await self._changed.wait()
            await trio.lowlevel.checkpoint()

    def _act(self) -> None:
        replica, session = self._replica, self._replica.session
        if not session.referee.agreed:
            if trio.current_time() > self._since + IN_VAIN:
                self._say("lost")  # somebody was killed at that moment
            return
        if not self._begun:
            self._begun = True
            self._tell_campaign("begin", match=replica.match.id.hex(), seat=replica.seat, number=self._number)
            self.on_begin()
        if session.referee.count != self._count:
            self._count = session.referee.count
            self._tell_campaign("at", count=self._count + self._number * AGAIN)
        if self._number == 0 and not session.over:
            self._wish()
        if session.draw_offer is not None and self._wishes.agrees:
            with suppress(NotNow):
                replica.accept_draw()
        if session.decision is not None and not replica.finished and not self._thinks():
            replica.decide(honest(session, session.decision, self._rng))
        self._accuse()
        self._tell()

    def _wish(self) -> None:
        wishes, replica = self._wishes, self._replica
        with suppress(NotNow):  # not yet
            if wishes.offers is not None and self._count >= wishes.offers and not self._offered:
                replica.offer_draw()
                self._offered = True
        with suppress(NotNow):
            if wishes.resigns is not None and self._count >= wishes.resigns and not self._resigned:
                replica.resign()
                self._resigned = True

    def _thinks(self) -> bool:
        """Whether an offer stands that others may still accept, before our next decision declines it."""
        if not self._wishes.agrees:
            return False
        referee, now = self._replica.session.referee, trio.current_time()
        offers = map(referee.standing_offer, range(len(referee.statements)))
        names = [(offer.seat, offer.index) for offer in offers if offer is not None]
        return any(now < self._offers.setdefault(name, now) + _THINKS for name in names)

    def _accuse(self) -> None:
        """Say of a seat that is gone, or away, that it does not answer, as soon as that is possible."""
        replica, missing = self._replica, self._company.gone | self._company.away
        if replica.session.claimable in missing and replica.claimable_in == 0:
            with suppress(NotNow):
                replica.claim_away()

    def _tell(self) -> None:
        """Tell the campaign when all is done, or nothing more can be."""
        replica = self._replica
        if replica.finished and self._wishes.again and self._number == 0:
            state = "ended"
            with suppress(NotNow):
                replica.offer_rematch()
        elif replica.finished:
            state = "finished"
        else:
            state = "waited" if self._in_vain() else "working"
        if state != self._state and state in ("finished", "ended"):
            replica.store.sync()  # nobody comes again for the last words of the others
        self._say(state)

    def _say(self, state: str) -> None:
        if state != self._state:
            self._state = state
            self._tell_campaign("state", now=state)

    def _in_vain(self) -> bool:
        """Whether only the gone keep the match waiting, or nobody can finish it, and for long enough."""
        replica, now = self._replica, trio.current_time()
        size = len(replica.session.referee.record)
        absent = {link.seat for link in replica.links if link.way not in (Way.DIRECT, Way.THROUGH)}
        gone = self._company.gone
        # A seat that was late may have been taken out with its key: the match is over, whoever is back.
        final = replica.claimed and not replica.answerable
        vain = final or (gone and absent <= gone and only(replica, gone))
        if size != self._still[0] or not vain:
            self._still = size, now
        return now > self._still[1] + IN_VAIN


def only(replica: Replica, gone: Collection[Seat]) -> bool:
    """Whether the match waits for nobody but `gone`, or has ended with the word that they are silent."""
    referee = replica.session.referee
    if replica.claimed:
        return True
    if referee.waited_for:
        return set(gone).issuperset(referee.waited_for)
    silent = {
        seat
        for seat in referee.signers
        if all(statement.kind is not Kind.END for statement in referee.statements[seat])
    }
    return bool(silent) and set(gone).issuperset(silent)
