"""One match of the campaign: both players are started, suffer what the plan says, start again, are judged."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import trio

from tests.campaigns.chaos import checks
from tests.campaigns.chaos.campaign import Result
from tests.campaigns.chaos.checks import Witness
from tests.campaigns.chaos.plan import SIDES, Fault, Plan
from tests.campaigns.chaos.player import FAILED, main
from tests.campaigns.chaos.process import Process
from tests.campaigns.chaos.proxy import Proxy

WITHIN: Final = 120.0
"""Seconds after which a match hangs."""
MOST_STARTS: Final = 40
"""Processes of one side after which a match does not come to its end."""


class Side:
    """One player, over one process after another."""

    def __init__(self, role: str, home: Path) -> None:
        self.role = role
        self.home = home
        self.process: Process | None = None
        self.starts = 0
        self.begun = self.finished = self.waited = self.gone = False

    @property
    def running(self) -> bool:
        """Whether its process has not ended, as far as we know."""
        return self.process is not None

    def kill(self) -> None:
        """kill -9."""
        if self.process is not None:
            self.process.kill()


class Match:
    """A match under way."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan = plan
        self.result = Result(plan)
        self.sides = {role: Side(role, folder / role) for role in SIDES}
        self.witness = Witness()
        self._folder = folder
        self._rng = random.Random(plan.seed)
        self._kills = list(plan.kills)
        self._faults: Iterator[Fault | None] = iter(plan.faults)
        self._proxy = Proxy(iter(plan.breaks))
        self._invite = trio.Event()
        self._word = ""
        self._over = trio.Event()

    async def run(self) -> Result:
        """Play it to its end and judge it.  No process survives this."""
        began = trio.current_time()
        with trio.move_on_after(WITHIN) as patience:
            async with trio.open_nursery() as nursery:
                await nursery.start(self._proxy.run)
                for side in self.sides.values():
                    nursery.start_soon(self._keep_going, side)
                await self._over.wait()
                while not self.result.broken and any(side.running for side in self.sides.values()):
                    await trio.sleep(0.02)
                nursery.cancel_scope.cancel()
        if patience.cancelled_caught:
            self._broken(f"not over after {WITHIN:.0f} s")
        if not self.result.broken:
            homes = [side.home for side in self.sides.values()]
            gone = [side for side in self.sides.values() if side.gone]
            survivor = next((side.home for side in self.sides.values() if gone and not side.gone), None)
            self.result.broken += checks.promises(homes, self.witness, survivor)
        self.result.seconds = trio.current_time() - began
        return self.result

    def _broken(self, what: str) -> None:
        self.result.broken.append(what)
        self._over.set()

    # One side

    async def _keep_going(self, side: Side) -> None:
        """Start processes of `side` until the match is over."""
        while not self._over.is_set():
            if side.starts == MOST_STARTS:
                self._broken(f"{side.role} was started {MOST_STARTS} times")
                return
            if side.role == "join" and not side.begun:
                await self._invite.wait()
            await self._life(side)
            if side.gone or (side.waited and self._other(side).gone):
                self._judge()
                return
            while side.finished and not self._over.is_set() and not self._needed(side):
                await trio.sleep(0.02)
            await trio.sleep(self._rng.random() * 0.05)

    def _other(self, side: Side) -> Side:
        return self.sides["join" if side.role == "host" else "host"]

    def _needed(self, side: Side) -> bool:
        """Whether the other side still waits for records of `side`, whose process has ended."""
        other = self._other(side)
        return other.running and not other.finished

    async def _life(self, side: Side) -> None:
        """One process, from its start to its end."""
        setting = {
            "role": "resume" if side.begun else side.role,
            "home": str(side.home),
            "game": self.plan.game,
            "options": self.plan.options,
            "seed": f"{self.plan.seed} {side.role} {side.starts}",
            "invite": self._word or None,
            "door": self._proxy.port,
            "fault": self._fault() if side.begun else None,
            "claims": self._other(side).gone,
        }
        side.starts += 1
        side.finished = False
        side.process = Process(main, self._folder, side.role)
        try:
            code = await side.process.run(setting, lambda event: self._heard(side, event))
        finally:
            side.process = None
        self.result.done[{-9: "processes killed", FAILED: "failures told", 0: "ends"}.get(code, "bugs")] += 1
        if code not in (-9, FAILED, 0):
            self._broken(f"{side.role} ended with {code}: see {side.role}.err")

    def _fault(self) -> dict[str, Any] | None:
        fault = next(self._faults, None)
        if fault is None:
            return None
        self.result.done[fault.kind] += 1
        return asdict(fault)

    # What a process tells

    def _heard(self, side: Side, event: dict[str, Any]) -> None:
        match event["event"]:
            case "listening":
                self._proxy.target = event["port"]
            case "invite":
                self._word = event["invite"]
                self._invite.set()
            case "begin":
                side.begun = True
                self._proxy.armed = all(end.begun for end in self.sides.values())
                self._strike()
            case "at":
                self.result.entries = max(self.result.entries, event["count"])
                self._strike()
            case "sent":
                self.witness.saw(event["place"], event["digest"])
            case "finished":
                side.finished = True
                self._judge()
            case "waited":
                side.waited = True
            case "failed":
                self._failed(side, event)

    def _failed(self, side: Side, event: dict[str, Any]) -> None:
        expected = {"DiskFull", "DiskFailed"}
        if not set(event["kinds"]) <= expected:
            self._broken(f"{side.role} failed: {event['kinds']} {event['told']}")

    def _strike(self) -> None:
        """Kill whom the plan wants killed by now; nobody before both have begun."""
        if not all(side.begun for side in self.sides.values()):
            return
        while self._kills and self._kills[0].entries <= self.result.entries:
            kill = self._kills.pop(0)
            for role in kill.sides:
                self.sides[role].kill()
            if not self._kills and self.plan.abandoned is not None:
                self._abandon(self.sides[self.plan.abandoned])

    def _abandon(self, side: Side) -> None:
        """`side` never comes back; the other one starts again, to learn that it may claim that."""
        side.gone = True
        side.kill()
        self._other(side).kill()
        self.result.done["abandoned"] += 1

    def _judge(self) -> None:
        """The match is over when both have all of it, or when one is gone and the other has said so."""
        first, second = self.sides.values()
        if first.finished and second.finished:
            self._end()
        for side, other in ((first, second), (second, first)):
            if other.gone and not other.running and (side.waited or side.finished):
                self._end()

    def _end(self) -> None:
        for side in self.sides.values():
            if side.process is not None:
                side.process.terminate()
        self._over.set()
