"""The people of one match as the campaign knows them, over one process after another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import trio

from p2p_stratego.core.game import Seat
from tests.campaigns.chaos.plan import Fault
from tests.campaigns.chaos.process import Process
from tests.campaigns.chaos.proxy import Proxy
from tests.campaigns.tables.daggers import Dagger
from tests.campaigns.tables.plan import Plan


class Person:
    """A player or a spectator."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.home = name, folder / name
        self.process: Process | None = None
        self.starts = 0


class Player(Person):
    """A player."""

    def __init__(self, name: str, folder: Path, plan: Plan) -> None:
        super().__init__(name, folder)
        early = iter((plan.early_breaks or {}).get(name, ()))
        self.proxy = None if name in plan.silent else Proxy(iter(plan.breaks[name]), early)
        self.faults: Iterator[Fault | None] = iter(plan.faults[name])
        self.killed_early = iter((plan.early or {}).get(name, ()))
        self.daggers: Iterator[Dagger | None] = iter((plan.daggers or {}).get(name, ()))
        self.seats: list[Seat] = []
        """Its seat in the match, and in the return match, as far as these have begun."""
        self.state = "working"
        self.anew = False
        """It waits in vain for a host whose lobby is gone, and sits down anew."""
        self.gone = False
        """It does not come back."""
        self.back: trio.Event | None = None
        """Set when it is there again, if it is away."""


class Spectator(Person):
    """Somebody who watches."""

    def __init__(self, name: str, folder: Path, kills: tuple[int, ...]) -> None:
        super().__init__(name, folder)
        self.kills = list(kills)
        self.finished: set[str] = set()
        """The ids of the matches that it saw to the end."""
