"""One spectator of a table as a process: watches over one link after another until SIGTERM.

Standard output: lines of JSON, by `event`: begin, state, failed, end.
"""

from __future__ import annotations

import signal
from functools import partial
from pathlib import Path
from typing import Any

import trio
from trio.testing import MockClock

from cli.shell.trace_log import tracing
from protocol.network.watcher import Watcher, watch
from protocol.rendezvous import invite
from protocol.storage.home import Home
from protocol.trace import silent
from tests.campaigns.chaos.player import RATE, perform, say
from tests.campaigns.tables.player import GAMES


async def look(setting: dict[str, Any], clock: MockClock) -> None:
    """Watch until the match is over and the host gone, or SIGTERM.  `setting`: its home, and an invite."""
    place = Path(setting["home"])
    clock.rate = RATE
    with Home(place) as home, tracing(place.with_name(f"{place.name}.log")) as log:
        async with trio.open_nursery() as nursery:
            watcher = await watch(nursery, home, GAMES, invite.read(setting["invite"]), log or silent)
            nursery.start_soon(_tell, watcher)
            nursery.start_soon(_leave_when_told, watcher)
            await watcher.run()
            say("end")
            nursery.cancel_scope.cancel()


async def _tell(watcher: Watcher) -> None:
    """Tell when each match that it watches has begun, and has ended."""
    while True:
        onlooker, reported = watcher.onlooker, False
        changed = trio.Event()
        say("begin", match=onlooker.match.id.hex())
        while watcher.onlooker is onlooker:
            changed = trio.Event()
            onlooker.on_change = watcher.on_rematch = changed.set
            if onlooker.finished and not reported:
                reported = True
                say("state", now="finished", match=onlooker.match.id.hex())
            await changed.wait()


async def _leave_when_told(watcher: Watcher) -> None:
    with trio.open_signal_receiver(signal.SIGTERM) as signals:
        async for _ in signals:
            watcher.leave()


def main(setting: dict[str, Any]) -> int:
    """The whole life of one process; returns its exit code."""
    return perform(partial(look, setting))
