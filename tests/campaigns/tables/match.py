"""One match of the campaign: the players are started, suffer what the plan says, start again, are judged."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from signal import SIGCONT, SIGKILL, SIGSTOP, SIGTERM
from typing import Any, Final

import trio

from p2p_stratego.core.game import Seat
from tests.campaigns.chaos.campaign import Result
from tests.campaigns.chaos.checks import Witness
from tests.campaigns.chaos.player import FAILED
from tests.campaigns.chaos.process import Process
from tests.campaigns.tables import checks, player, spectator
from tests.campaigns.tables.people import Person, Player, Spectator
from tests.campaigns.tables.plan import AGAIN, HOST, PATIENCE, Absence, Plan, Wish

WITHIN: Final = 240.0
"""Seconds after which a match hangs."""
MOST_STARTS: Final = 60
"""Processes of one player after which a match does not come to its end."""
_MISFORTUNES: Final = {"DiskFull", "DiskFailed"}
_BEFORE_THE_MATCH: Final = {"LinkLost", "Unreachable", "WrongHost", "Refused", "Declined"}
"""What sitting down can end with when somebody else is killed or cut off."""


class Match:
    """A match under way, or two: with the return match."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan = plan
        self.result = Result(plan)
        self.players = {name: Player(name, folder, plan) for name in plan.names}
        self.spectators = [Spectator(name, folder, kills) for name, kills in (plan.spectators or {}).items()]
        self.witnesses: defaultdict[int, Witness] = defaultdict(Witness)
        self.ids: dict[int, str] = {}
        """Of the match and of the return match."""
        self._folder = folder
        self._rng = random.Random(plan.seed)
        self._kills, self._gone, self._late = list(plan.kills), list(plan.gone), plan.late
        self._invite = trio.Event()
        self._words: dict[str, str] = {}
        """The invites: "invite" to play, "watch" to watch."""
        self._reached = -1
        self._entries: Counter[int] = Counter()
        """By number of the match."""
        self._agrees: defaultdict[str, list[tuple[list[int], str]]] = defaultdict(list)
        """By id of the match, the places and digests of the AGREEs."""
        self._over = trio.Event()
        self._ending = self._lost = False
        """Whether the match has ended for somebody; whether the return match never began for all."""
        self._news: trio.Nursery

    async def run(self) -> Result:
        """Play it to its end and judge it.  No process survives this."""
        began = trio.current_time()
        with trio.move_on_after(WITHIN) as patience:
            async with trio.open_nursery() as self._news:
                for person in self.players.values():
                    if person.proxy is not None:
                        await self._news.start(person.proxy.run)
                for person in self.players.values():
                    self._news.start_soon(self._keep_going, person)
                for other in self.spectators:
                    self._news.start_soon(self._keep_watching, other)
                await self._over.wait()
                while not self.result.broken and any(person.process for person in self._everybody):
                    await trio.sleep(0.02)
                self._news.cancel_scope.cancel()
        if patience.cancelled_caught:
            states = [
                (person.name, person.seats, person.state, person.starts) for person in self.players.values()
            ]
            self._broken(f"not over after {WITHIN:.0f} s: {states}")
        if not self.result.broken:
            await trio.to_thread.run_sync(self._examine)
        self.result.done["links broken"] += sum(p.proxy.broken for p in self.players.values() if p.proxy)
        self.result.seconds = trio.current_time() - began
        return self.result

    @property
    def _everybody(self) -> list[Person]:
        return [*self.players.values(), *self.spectators]

    @property
    def _number(self) -> int:
        """1 once all have begun the return match, 0 once all have begun the first, -1 before."""
        return min(len(person.seats) for person in self.players.values()) - 1

    def _broken(self, what: str) -> None:
        self.result.broken.append(what)
        self._over.set()

    def _examine(self) -> None:
        """Judge each match by the copies that are left of it."""
        self.result.done[f"of {self.plan.kind.game} with {self.plan.kind.seats}"] += 1
        self.result.entries = self._entries.total()
        for number, match in self.ids.items():
            for where, digest in self._agrees[match]:
                self.witnesses[number].saw(where, digest)
            homes = {person.seats[number]: person.home for person in self.players.values()}
            gone = frozenset(person.seats[number] for person in self.players.values() if person.gone)
            late = frozenset(
                person.seats[number]
                for person in self.players.values()
                if self.plan.late is not None and person.name == self.plan.late.name
            )
            trial = checks.Trial(match, dict(sorted(homes.items())), self.witnesses[number], gone, late)
            self.result.broken += trial.promises()
            self.result.broken += trial.seen(
                [guest.home for guest in self.spectators],
                [match in guest.finished for guest in self.spectators],
            )
            self.result.done.update(trial.done)
        for person in self._everybody:
            self.result.broken += checks.left_by(person.home)
        self.result.broken += checks.left_in(self._folder, {person.name for person in self._everybody})

    # One person

    async def _keep_going(self, person: Player) -> None:
        """Start processes of a player until the match is over."""
        while not self._over.is_set() and not person.gone:
            if person.starts == MOST_STARTS:
                self._broken(f"{person.name} was started {MOST_STARTS} times")
                return
            if person.back is not None:
                await person.back.wait()
            if person.name != HOST and not person.seats and (person.anew or not _has_match(person.home)):
                await self._invite.wait()
            await self._life(person)
            if person.name == HOST and not person.seats and self._invite.is_set():
                self._invite = trio.Event()  # its lobby is gone, and the next one has another invite
            while self._done(person) and not self._over.is_set() and not self._needed():
                await trio.sleep(0.02)
            await trio.sleep(self._rng.random() * (0.05 if person.seats else 0.3))
        self._judge()

    def _done(self, person: Player) -> bool:
        """Whether a player has the whole match, or waits for nobody who could still come."""
        return person.state in ("finished", "waited") or (self._lost and person.state in ("ended", "lost"))

    def _needed(self) -> bool:
        """Whether somebody still waits for records."""
        return any(
            person.process is not None and not self._done(person) for person in self.players.values()
        ) or any(self._unseen(guest) for guest in self.spectators)

    async def _life(self, person: Player) -> None:
        """One process of a player, from its start to its end."""
        # A wish for a return match is not kept: a disk that fails then would leave a player behind.
        fault = next(person.faults, None) if len(person.seats) > self.plan.rematch else None
        if fault is not None:
            self.result.done[fault.kind] += 1
        setting: dict[str, Any] = {
            "role": "host" if person.name == HOST else "join",
            "home": str(person.home),
            "game": self.plan.kind.game,
            "seats": self.plan.kind.seats,
            "options": self.plan.kind.options,
            "seed": f"{self.plan.seed} {person.name} {person.starts}",
            "invite": self._words.get("invite"),
            "door": None if person.proxy is None else person.proxy.port,
            "anew": person.anew,
            "watched": bool(self.spectators),
            "fault": None if fault is None else asdict(fault),
            "escrow": self.plan.kind.escrow,
            "dagger": self._dagger(person),
            "gone": [other.seats[0] for other in self.players.values() if other.gone],
            "away": [other.seats[0] for other in self.players.values() if other.back is not None],
            "wishes": self._wishes(person.name),
            "patience": (self.plan.patience or {}).get(person.name, PATIENCE[1]),
        }
        person.state, person.anew = "working", False
        if not person.seats and (seconds := next(person.killed_early, None)) is not None:
            self._news.start_soon(self._kill_early, person, person.starts + 1, seconds)
        await self._process(person, player.main, setting, lambda event: self._heard(person, event))

    def _dagger(self, person: Player) -> dict[str, Any] | None:
        """What the next process of a player dies over, once its match has begun."""
        dagger = next(person.daggers, None)
        return None if dagger is None else asdict(dagger)

    async def _process(
        self,
        person: Person,
        main: Callable[[dict[str, Any]], int],
        setting: dict[str, Any],
        heard: Callable[[dict[str, Any]], None],
    ) -> None:
        person.starts += 1
        person.process = Process(main, self._folder, person.name)
        try:
            code = await person.process.run(setting, heard)
        finally:
            person.process = None
        if code == -SIGKILL and isinstance(person, Player) and person.seats:
            number = len(person.seats) - 1
            self.witnesses[number].kept(person.seats[number], _copy(person.home, self.ids[number]))
        if code == -SIGTERM and self._over.is_set():
            code = 0  # it had just ended by itself when it was told to
        self.result.done[
            {-SIGKILL: "processes killed", FAILED: "failures told", 0: "ends"}.get(code, "bugs")
        ] += 1
        if code not in (-SIGKILL, FAILED, 0):
            self._broken(f"{person.name} ended with {code}: see {person.name}.err")

    def _wishes(self, name: str) -> dict[str, Any]:
        def when(wish: Wish | None) -> int | None:
            return None if wish is None else wish.entries

        plan = self.plan
        return {
            "resigns": when(next((wish for wish in plan.resigns if wish.name == name), None)),
            "offers": when(plan.draw if plan.draw is not None and plan.draw.name == name else None),
            "agrees": name in plan.agrees,
            "again": plan.rematch,
        }

    async def _keep_watching(self, guest: Spectator) -> None:
        """Start processes of a spectator until the match is over."""
        host = self.players[HOST]
        while not self._over.is_set() and not host.gone:
            while "watch" not in self._words or not host.seats:
                await trio.sleep(0.05)
            setting = {"home": str(guest.home), "invite": self._words["watch"]}
            await self._process(guest, spectator.main, setting, lambda event: self._watched(guest, event))
            while not self._over.is_set() and not self._unseen(guest):
                await trio.sleep(0.05)
            await trio.sleep(0.3 * self._rng.random() + 0.1 * guest.starts)

    def _unseen(self, guest: Spectator) -> bool:
        """Whether a spectator has still to see the end of a match."""
        newest = self.ids.get(max(self.ids, default=0))  # who was not there at its end never sees the first
        return not self.players[HOST].gone and newest not in guest.finished

    # Misfortunes

    async def _kill_early(self, person: Player, start: int, seconds: float) -> None:
        """Kill a process that is sitting down, unless its match has begun."""
        await trio.sleep(seconds)
        if person.starts == start and not person.seats and person.process is not None:
            person.process.kill()
            self.result.done["killed sitting down"] += 1

    def _strike(self) -> None:
        """Do what the plan wants done by now; nothing before all have begun."""
        number = self._number
        if number < 0:
            return
        for person in self.players.values():
            if person.proxy is not None:
                person.proxy.armed = not (number == 0 and self._ending)
        while self._kills and self._kills[0].entries <= self._reached:
            kill = self._kills.pop(0)
            # Who is killed while the return match is agreed on may be left behind: no promise was made yet.
            if kill.entries >= number * AGAIN and not (number == 0 and self._ending):
                for name in kill.names:
                    self._signal(self.players[name])
        for watching in self.spectators:
            while watching.kills and watching.kills[0] <= self._reached:
                watching.kills.pop(0)
                self._signal(watching)
        while self._gone and self._gone[0].entries <= self._reached:
            self._leave_for_good(self.players[self._gone.pop(0).name])
        if self._late is not None and self._late.entries <= self._reached:
            late, self._late = self._late, None
            self._news.start_soon(self._be_late, self.players[late.name], late)

    def _signal(self, person: Person) -> None:
        if person.process is not None and not (isinstance(person, Player) and person.back is not None):
            person.process.kill()

    def _leave_for_good(self, person: Player) -> None:
        """A player never comes back, and the others hear of it."""
        person.gone = True
        if person.back is not None:
            person.back.set()
        if person.process is not None:
            person.process.kill()
        self.result.done["gone for good"] += 1
        self._spread("gone", person.seats[0])

    async def _be_late(self, person: Player, late: Absence) -> None:
        """A player is away for a while, and the others hear of it."""
        back = person.back = trio.Event()
        person.state = "working"
        process = person.process
        if process is not None:
            process.signal(SIGSTOP if late.stopped else SIGKILL)
        self.result.done["late"] += 1
        self._spread("away", person.seats[0])
        await trio.sleep(late.seconds)
        person.back = None
        self._spread("back", person.seats[0])
        if process is not None and late.stopped:
            process.signal(SIGCONT)
        back.set()

    def _spread(self, word: str, seat: Seat) -> None:
        """Tell all processes; one that is stopped hears it once it goes on, and needs to: it waits, too."""
        for person in self.players.values():
            if person.process is not None:
                self._news.start_soon(person.process.say, f"{word} {seat}")

    # What a process tells

    def _heard(self, person: Player, event: dict[str, Any]) -> None:
        match event["event"]:
            case "listening":
                assert person.proxy is not None
                person.proxy.target = event["port"]
            case "invite" | "watch" as kind:
                self._words[kind] = event["invite"]
                if kind == "invite":
                    self._invite.set()
            case "begin":
                self._began(person, event)
            case "at":
                count, again = event["count"] % AGAIN, event["count"] // AGAIN
                self._reached = max(self._reached, event["count"])
                self._entries[again] = max(self._entries[again], count)
                self._strike()
            case "sent" if "agrees" in event:  # to one of several lobbies, perhaps
                self._agrees[event["agrees"]].append((event["place"], event["digest"]))
            case "sent":
                self.witnesses[event["number"]].saw(event["place"], event["digest"])
            case "struck":
                self.result.done[f"killed over {event['over']}, {event['moment']}"] += 1
            case "state":
                self._stated(person, event["now"])
            case "failed":
                # A return match that some have begun and others have not never begins, and is removed.
                sitting = not person.seats or (self.plan.rematch and self._ending and 1 not in self.ids)
                expected = _MISFORTUNES | _BEFORE_THE_MATCH if sitting else _MISFORTUNES
                if not set(event["kinds"]) <= expected:
                    self._broken(f"{person.name} failed: {event['kinds']} {event['told']}")

    def _stated(self, person: Player, state: str) -> None:
        person.state = state
        self._ending = self._ending or state == "ended"
        if state == "lost" and not person.seats and not self.ids and person.process is not None:
            person.anew = True
            person.process.kill()
        elif state == "lost" and not self._lost and person.seats and 1 not in self.ids:
            self._lost = True
            self.result.done["return matches lost"] += 1
        self._judge()

    def _began(self, person: Player, event: dict[str, Any]) -> None:
        number, known = event["number"], self.ids.setdefault(event["number"], event["match"])
        if known != event["match"]:
            self._broken(f"{person.name} is in another match than the others")
        if len(person.seats) == number:
            person.seats.append(event["seat"])
        self._strike()

    def _watched(self, guest: Spectator, event: dict[str, Any]) -> None:
        match event["event"]:
            case "state":
                guest.finished.add(event["match"])
                self._judge()
            case "failed" if not set(event["kinds"]) <= _BEFORE_THE_MATCH:
                self._broken(f"{guest.name} failed: {event['kinds']} {event['told']}")

    def _judge(self) -> None:
        """The match is over when all who stay have all of it."""
        stay = [person for person in self.players.values() if not person.gone]
        gone = [person for person in self.players.values() if person.gone]
        if (
            self._over.is_set()
            or not all(self._done(person) for person in stay)
            or any(person.process for person in gone)
        ):
            return
        ended = all(person.state in ("finished", "ended", "lost") for person in stay)
        if ended and any(self._unseen(guest) for guest in self.spectators):
            return
        self._over.set()
        for person in (*stay, *self.spectators):
            if person.process is not None:
                person.process.terminate()


def _has_match(home: Path) -> bool:
    """Whether a player who was killed had agreed to a match, which may have begun for the others."""
    games = home / "games"
    return games.exists() and any(games.iterdir())


def _copy(home: Path, match: str) -> bytes:
    """The record that a killed process left of a match."""
    return (home / "games" / match[:32] / "transcript.p2ps").read_bytes()
