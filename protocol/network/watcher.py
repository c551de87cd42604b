"""A match that we watch over the network: a Watcher keeps its Onlooker linked to the host that invited us."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from typing import Any, Final

import trio

from p2p_stratego.core.game import Game
from protocol import limits
from protocol.crypto.workers import Pool
from protocol.errors import Refusal
from protocol.failures import Code, Failure, NetworkFailure, Refused, SeenEnough, StorageFailure
from protocol.lobby.introductions import place_of, watch_dialogue
from protocol.network.checks import Checks
from protocol.network.link import Continuation, Link, call, closing_code
from protocol.network.transport import choice
from protocol.network.transport.registry import Transports
from protocol.record import genesis
from protocol.record.genesis import Genesis
from protocol.rendezvous.invite import Invite
from protocol.replication.onlooker import HOST, Onlooker
from protocol.storage.home import Home
from protocol.trace import Trace, silent
from protocol.wire.encoding import Frame

_NO_USE: Final = (Code.UNKNOWN_INVITE, Code.REVOKED, Code.DECLINED, Code.VERSION)
"""Codes that the host would say again: a further call is useless."""


class Watcher:
    """Watches over one link after another: `run` it, and look at its `onlooker`."""

    def __init__(  # noqa: PLR0913 - whose match, where it is kept, by which ways
        self,
        nursery: trio.Nursery,
        home: Home,
        games: Mapping[str, Game[Any]],
        invite: Invite,
        trace: Trace = silent,
        *,
        transports: Transports = choice.STANDARD,
        workers: int = 0,
    ) -> None:
        """`invite`: to watch; `workers`: the number of processes for long proofs.  `begin` comes next."""
        self.on_rematch: Callable[[], None] = lambda: None
        """Called when the players have begun a return match, and `onlooker` is new."""
        self._nursery, self._home, self._games = nursery, home, games
        self._invite, self._trace = invite, trace
        self._transports = transports
        self._pool = Pool(workers) if workers else None
        self._link: Link | None = None
        self._leaving = False
        self._waiting = trio.CancelScope()
        self._pause = 0.0
        self._shown = 0
        """The number of matches up to now."""
        self.onlooker: Onlooker

    async def begin(self) -> None:
        """Call the host, and open or make our copy of its match.

        Raises NetworkFailure, a Refusal or StorageFailure.
        """
        self._link = await self._new_link()

    @property
    def rtt(self) -> float | None:
        """Round trip in seconds to the host, if known."""
        return None if self._link is None else self._link.rtt

    def leave(self) -> None:
        """Leave; `run` returns when the host knows, at the latest after LINGER."""
        self._leaving = True
        if self._link is not None:
            self._link.close(Code.LEFT)
        self._waiting.cancel()

    async def run(self) -> None:
        """Watch until the match is over and the host is gone, or we leave; then close our copy.

        Raises StorageFailure, Refused if the host will show us no match again, or SeenEnough.
        """
        try:
            while not self._leaving:
                if self._link is None:
                    with trio.CancelScope() as self._waiting:
                        await trio.sleep(self._pause)
                        self._pause = min(limits.LONGEST_WAIT, max(1.0, 2 * self._pause))
                        await self._call_again()
                    continue
                reason = await self._converse(self._link)
                replaced = isinstance(reason, Refused) and reason.code == Code.REPLACED
                if self.onlooker.finished and not replaced:  # a return match would have replaced it
                    return
        finally:
            link = self._link
            if link is not None:
                link.close(Code.LEFT)
            self.onlooker.close()
            if self._pool is not None:
                self._pool.close()
            if link is not None:
                await link.gone.wait()

    async def _new_link(self) -> Link:
        """A new link to the host; `onlooker` shows its match then."""
        link = await call(self._nursery, place_of(self._invite), self._trace, self._transports)
        body = await link.attend(lambda say: watch_dialogue(say, link.binding, self._invite.secret))
        try:
            self._show(genesis.parse(body, self._games))
        except (SeenEnough, Refusal, StorageFailure) as error:
            link.close(Code.LEFT if isinstance(error, SeenEnough) else closing_code(error))
            raise
        return link

    def _show(self, match: Genesis) -> None:
        """Let `onlooker` show `match` from now on.  Raises SeenEnough, a Refusal or StorageFailure."""
        known = getattr(self, "onlooker", None)
        if known is not None and known.match.id == match.id:
            return
        if self._shown >= limits.MAX_WATCHED:
            raise SeenEnough(self._shown)
        self._shown += 1
        onlooker = Onlooker(self._home.watch(match), self._games, trio.current_time)
        onlooker.elsewhere = self._pool is not None
        if known is not None:
            known.close()
            onlooker.on_change = known.on_change
        self.onlooker = onlooker
        if known is not None:
            self.on_rematch()

    async def _call_again(self) -> None:
        try:
            self._link = await self._new_link()
        except SeenEnough:
            raise
        except (NetworkFailure, Refusal) as failure:
            if isinstance(failure, Refused) and failure.code in _NO_USE:
                raise
            self.onlooker.unlinked(failure)

    async def _converse(self, link: Link) -> Failure | Refusal:
        """Hand frames to the onlooker until `link` is lost; return the reason."""
        began, onlooker = trio.current_time(), self.onlooker
        checks = None if self._pool is None else Checks(self._pool)

        def take(frames: list[Frame]) -> Continuation | None:
            if checks is not None:
                return checks.take(onlooker, frames, HOST)
            onlooker.received(frames)
            return None

        link.on_round_trip = lambda: onlooker.on_change()  # noqa: PLW0108 - looked up at each call
        reason: Failure | Refusal
        try:
            onlooker.linked(link.send)
            await link.feed(take, lambda: inf)
        except (NetworkFailure, Refusal) as error:
            reason = error
        link.close(closing_code(reason))
        if trio.current_time() >= began + limits.SETTLED:
            self._pause = 0.0
        self._link = None
        onlooker.unlinked(reason)
        if isinstance(reason, Refused) and reason.code in _NO_USE:
            raise reason
        return reason


async def watch(  # noqa: PLR0913 - as Watcher
    nursery: trio.Nursery,
    home: Home,
    games: Mapping[str, Game[Any]],
    invite: Invite,
    trace: Trace = silent,
    *,
    transports: Transports = choice.STANDARD,
    workers: int = 0,
) -> Watcher:
    """Watch the match of the host of `invite`; returns when the match has begun.

    Raises InviteOfAnotherKind, NetworkFailure, a Refusal or StorageFailure.
    """
    watcher = Watcher(
        nursery, home, games, invite.require(watch=True), trace, transports=transports, workers=workers
    )
    await watcher.begin()
    return watcher
