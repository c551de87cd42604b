"""One match of the campaign: the players are started, suffer what the plan says, start again, are judged."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from signal import SIGKILL, SIGTERM
from typing import Any, Final

import trio

from p2p_stratego.core.game import Seat
from tests.campaigns.chaos.campaign import Result
from tests.campaigns.chaos.checks import Witness
from tests.campaigns.chaos.plan import Fault
from tests.campaigns.chaos.player import FAILED
from tests.campaigns.chaos.process import Process
from tests.campaigns.chaos.proxy import Proxy
from tests.campaigns.tables import checks
from tests.campaigns.tables.plan import HOST, Plan

WITHIN: Final = 240.0
"""Seconds after which a match hangs."""
MOST_STARTS: Final = 40
"""Processes of one player after which a match does not come to its end."""
_MISFORTUNES: Final = {"DiskFull", "DiskFailed"}


class Player:
    """One player, over one process after another."""

    def __init__(self, name: str, home: Path, plan: Plan) -> None:
        self.name, self.home = name, home
        self.process: Process | None = None
        self.proxy = None if name in plan.silent else Proxy(iter(plan.breaks[name]))
        self.faults: Iterator[Fault | None] = iter(plan.faults[name])
        self.seat: Seat | None = None
        """Once its match has begun."""
        self.starts = 0
        self.finished = self.gone = False
        """It has the whole match, or waits for nobody who could still come; it does not come back."""


class Match:
    """A match under way."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan = plan
        self.result = Result(plan)
        self.players = {name: Player(name, folder / name, plan) for name in plan.names}
        self.witness = Witness()
        self._folder = folder
        self._rng = random.Random(plan.seed)
        self._kills = list(plan.kills)
        self._invite = trio.Event()
        self._word = ""
        self._over = trio.Event()
        self._news: trio.Nursery | None = None

    async def run(self) -> Result:
        """Play it to its end and judge it.  No process survives this."""
        began = trio.current_time()
        with trio.move_on_after(WITHIN) as patience:
            async with trio.open_nursery() as self._news:
                for player in self.players.values():
                    if player.proxy is not None:
                        await self._news.start(player.proxy.run)
                for player in self.players.values():
                    self._news.start_soon(self._keep_going, player)
                await self._over.wait()
                while not self.result.broken and any(one.process for one in self.players.values()):
                    await trio.sleep(0.02)
                self._news.cancel_scope.cancel()
        if patience.cancelled_caught:
            self._broken(f"not over after {WITHIN:.0f} s")
        if not self.result.broken:
            self._count()
            homes = {one.seat: one.home for one in self.players.values() if one.seat is not None}
            gone = frozenset(one.seat for one in self.players.values() if one.gone and one.seat is not None)
            self.result.broken += checks.promises(dict(sorted(homes.items())), self.witness, gone)
        self.result.seconds = trio.current_time() - began
        return self.result

    def _broken(self, what: str) -> None:
        self.result.broken.append(what)
        self._over.set()

    def _count(self) -> None:
        self.result.done[f"of {self.plan.kind.game} with {self.plan.kind.seats}"] += 1

    # One player

    async def _keep_going(self, player: Player) -> None:
        """Start processes of `player` until the match is over."""
        if player.name != HOST:
            await self._invite.wait()
        while not self._over.is_set() and not player.gone:
            if player.starts == MOST_STARTS:
                self._broken(f"{player.name} was started {MOST_STARTS} times")
                return
            await self._life(player)
            while player.finished and not self._over.is_set() and not self._needed():
                await trio.sleep(0.02)
            await trio.sleep(self._rng.random() * 0.05)
        self._judge()

    def _needed(self) -> bool:
        """Whether somebody still waits for records."""
        return any(one.process is not None and not one.finished for one in self.players.values())

    async def _life(self, player: Player) -> None:
        """One process, from its start to its end."""
        begun = player.seat is not None
        fault = next(player.faults, None) if begun else None
        if fault is not None:
            self.result.done[fault.kind] += 1
        setting: dict[str, Any] = {
            "role": "resume" if begun else "host" if player.name == HOST else "join",
            "home": str(player.home),
            "game": self.plan.kind.game,
            "seats": self.plan.kind.seats,
            "options": self.plan.kind.options,
            "seed": f"{self.plan.seed} {player.name} {player.starts}",
            "invite": self._word or None,
            "door": None if player.proxy is None else player.proxy.port,
            "fault": None if fault is None else asdict(fault),
            "gone": [one.seat for one in self.players.values() if one.gone],
        }
        player.starts += 1
        player.finished = False
        player.process = Process("tests.campaigns.tables.player", self._folder, player.name)
        try:
            code = await player.process.run(setting, lambda event: self._heard(player, event))
        finally:
            player.process = None
        if code == -SIGTERM and self._over.is_set():
            code = 0  # it had just ended by itself when it was told to
        self.result.done[
            {-SIGKILL: "processes killed", FAILED: "failures told", 0: "ends"}.get(code, "bugs")
        ] += 1
        if code not in (-SIGKILL, FAILED, 0):
            self._broken(f"{player.name} ended with {code}: see {player.name}.err")

    # What a process tells

    def _heard(self, player: Player, event: dict[str, Any]) -> None:
        match event["event"]:
            case "listening":
                assert player.proxy is not None
                player.proxy.target = event["port"]
            case "invite":
                self._word = event["invite"]
                self._invite.set()
            case "begin":
                player.seat = event["seat"]
                self._strike()
            case "at":
                self.result.entries = max(self.result.entries, event["count"])
                self._strike()
            case "sent":
                self.witness.saw(event["place"], event["digest"])
            case "finished" | "waited":
                player.finished = True
                self._judge()
            case "failed" if not set(event["kinds"]) <= _MISFORTUNES:
                self._broken(f"{player.name} failed: {event['kinds']} {event['told']}")

    def _strike(self) -> None:
        """Kill whom the plan wants killed by now; nobody before all have begun."""
        if any(one.seat is None for one in self.players.values()):
            return
        for one in self.players.values():
            if one.proxy is not None:
                one.proxy.armed = True
        while self._kills and self._kills[0].entries <= self.result.entries:
            for name in self._kills.pop(0).names:
                self._kill(self.players[name])
            if not self._kills and self.plan.abandoned is not None:
                self._abandon(self.players[self.plan.abandoned])

    def _kill(self, player: Player) -> None:
        if player.process is not None:
            player.process.kill()

    def _abandon(self, player: Player) -> None:
        """`player` never comes back, and the others hear of it."""
        player.gone = True
        self._kill(player)
        self.result.done["abandoned"] += 1
        for one in self.players.values():
            if one.process is not None and one is not player and self._news is not None:
                self._news.start_soon(one.process.say, str(player.seat))

    def _judge(self) -> None:
        """The match is over when all who stay have all of it."""
        stay = [one for one in self.players.values() if not one.gone]
        gone = [one for one in self.players.values() if one.gone]
        if self._over.is_set() or not all(one.finished for one in stay) or any(one.process for one in gone):
            return
        self._over.set()
        for one in stay:
            if one.process is not None:
                one.process.terminate()
