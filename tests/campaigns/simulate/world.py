"""One world: players, their processes and misfortunes, until the match is over and judged."""

from __future__ import annotations

import hashlib
import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from contextvars import Context
from functools import partial
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import trio
from trio.testing import MockClock

from cli.shell.explain import explain
from p2p_stratego.core.game import Seat
from protocol.audit.verdict import Report, Verdict
from protocol.channel import tls
from protocol.errors import Refusal
from protocol.failures import Failure
from protocol.lobby.handshake import Terms
from protocol.network import guest, host
from protocol.network.host import Host
from protocol.network.link import Link
from protocol.network.peer import Peer
from protocol.network.transport.relay_server import Relay
from protocol.rendezvous import invite
from protocol.rendezvous.relay_switchboard import Limits
from protocol.storage.home import Home, Owner
from protocol.storage.match_store import usable
from protocol.wire.addresses import Address, Endpoint
from tests.campaigns.chaos.campaign import Result
from tests.campaigns.chaos.checks import Witness, records
from tests.campaigns.chaos.player import leaves, witnessed
from tests.campaigns.simulate import disk
from tests.campaigns.simulate.chance import certificate, driven
from tests.campaigns.simulate.disk import DISKS, Disk, Place
from tests.campaigns.simulate.life import LIFE, Killed, Life, Misfortune
from tests.campaigns.simulate.net import HOSTS, Net, Weather
from tests.campaigns.simulate.plan import Plan
from tests.campaigns.tables.checks import Trial
from tests.campaigns.tables.conduct import Company, Conduct, Wishes
from tests.campaigns.tables.match import MOST_STARTS
from tests.campaigns.tables.plan import Wish
from tests.campaigns.tables.player import GAMES

WITHIN: Final = 20_000.0
"""Seconds of the world's own clock after which a match does not come to its end."""
MOST_STEPS: Final = 200_000
"""Steps of all tasks after which it does not, either."""
_BEGINNING: Final = 1_700_000_000.0
_RELAY: Final = "relay"
_DOOR: Final = 61_000
_PAUSE: Final = 0.5
_ALONE: Final = 600.0
"""Seconds for which the last player waits for those who are gone."""
_STILL: Final = 30.0
"""Seconds for which nobody's state changes once all who stay have ended or given up."""
_LAST_WORDS: Final = 60.0
"""Seconds for ENDs that nobody needs, and that are under way when all have the end."""
_LATER: Final = 5
"""Entries between an old copy of a disk and the process that begins on it."""
_OLD: Final = 0
"""The number of a process on an old copy of its disk."""
_OLD_WITHIN: Final = 120.0
"""Seconds for which a process runs on an old copy of its disk."""
MISFORTUNES: Final = {"DiskFull", "DiskFailed", "ReadOnly", "CannotListen"}
"""What a process may end with when a call fails."""
_SITTING: Final = {
    "LinkLost",
    "Unreachable",
    "WrongHost",
    "Refused",
    "Declined",
    "RelayRefused",
    "CannotListen",
}
"""What sitting down can end with when somebody else is killed or cut off."""


class Player:
    """A player, over one process after another."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.starts = 0
        self.seat: Seat | None = None
        self.state = "working"
        self.gone = self.anew = False
        self.life: Life | None = None
        self.match: Peer | None = None
        self.back: trio.Event | None = None
        """Set when it is there again, if it is away."""
        self.old: Disk | None = None
        """A copy of its disk, with which it once begins."""


class Copies(Trial):
    """A match that is over, on the disks of the world."""

    def wrong_end(self, seat: Seat, report: Report) -> Iterator[str]:
        alone = len(self.gone) == len(self.homes) - 1
        if not (alone and report.verdict is Verdict.INCOMPLETE and report.waited_for):
            yield from super().wrong_end(seat, report)

    def copy(self, folder: Path) -> bytes:
        _, name, *_ = folder.parts
        return DISKS[name].content(f"{folder}/{self.match[:32]}/transcript.p2ps")


class World(trio.abc.Instrument):
    """A world that runs once."""

    def __init__(self, plan: Plan, notes: list[str] | None = None) -> None:
        """`notes`: takes a line for each thing that happens."""
        self.plan, self.notes = plan, notes
        self.result = Result(plan)
        self.players = {name: Player(name) for name in plan.names}
        self.lives: list[Life] = []
        """Every process that was begun."""
        self.witness = Witness()
        self.log = hashlib.sha256()
        """Of all that happened, in its order."""
        self._match = ""
        self._company: dict[str, Company] = defaultdict(Company)
        self._agrees: defaultdict[str, list[tuple[list[int], str]]] = defaultdict(list)
        self._connections = 0
        self._net = Net(self._weather, self._note)
        self._invite = trio.Event()
        self._word = ""
        self._reached = 0
        self._waiting_wishes = list(plan.gone)
        self._late, self._old = plan.late, plan.old
        self._over = trio.Event()
        self._steps = self._changes = 0
        """Of tasks; of the states of players."""
        self._jump = 0.0
        self._rng = random.Random(f"{plan.seed} world")

    def run(self) -> Result:
        """Play the world to its end."""
        return Context().run(self._whole)

    def _whole(self) -> Result:
        disk.clear()
        DISKS.update({name: Disk() for name in self.plan.names})
        with (
            driven(str(self.plan.seed), self._net, self.plan.patience),
            patch.object(Link, "send", witnessed(self._witness)),
        ):
            trio.run(self._run, clock=MockClock(autojump_threshold=0), instruments=[self])
            if not self.result.broken:
                self._examine()
        self.result.done["connections broken"] = self._net.broken
        return self.result

    # What the world sees

    def after_task_step(self, task: trio.lowlevel.Task) -> None:
        """A task has gone on: its process may die of it."""
        life = task.context.get(LIFE)
        self._steps += 1
        if life is not None and not life.dead:
            life.step()
        if self._steps == MOST_STEPS:
            self._broken(f"not over after {MOST_STEPS} steps: {self._states()}")

    def _note(self, *words: object) -> None:
        life = LIFE.get(None)
        who = "" if life is None else f"{life.name} {life.number}"
        line = f"{trio.current_time():.6f} {who} {' '.join(map(str, words))}"
        self.log.update(line.encode() + b"\n")
        if self.notes is not None:
            self.notes.append(line)

    def _trace(self, event: str, /, **fields: int | str) -> None:
        self._note(event, *(f"{name}={value}" for name, value in fields.items()))

    def _witness(self, _: str, *, place: list[int], digest: str, agrees: str = "", **__: object) -> None:
        """A record is handed to a connection."""
        if LIFE.get().dead:
            return
        self._note("sent", place, digest)
        if agrees:
            self._agrees[agrees].append((place, digest))
        else:
            self.witness.saw(place, digest)

    def _broken(self, text: str) -> None:
        if not self._over.is_set():
            self.result.broken.append(text)
            self._over.set()

    def _states(self) -> list[tuple[str, str, int]]:
        return [(player.name, player.state, player.starts) for player in self.players.values()]

    def _weather(self, caller: str, called: str) -> Weather:
        self._connections += 1
        weather = self.plan.weather(self._connections)
        self._note("calls", called, "weather", weather.delays, weather.chopped, weather.breaks, weather.at)
        return weather

    # Processes

    async def _run(self) -> None:
        with trio.move_on_after(WITHIN) as patience:
            async with trio.open_nursery() as nursery:
                self._nursery = nursery
                if self.plan.behind:
                    nursery.start_soon(self._keep_relaying)
                for player in self.players.values():
                    nursery.start_soon(self._keep_going, player)
                await self._over.wait()
                await trio.sleep(0.0 if self.result.broken else _LAST_WORDS)
                while not self.result.broken and any(player.life for player in self.players.values()):
                    for player in self.players.values():
                        if player.match is not None:
                            player.match.leave()
                    await trio.sleep(1.0)
                nursery.cancel_scope.cancel()
        if patience.cancelled_caught:
            self._broken(f"not over after {WITHIN:.0f} s: {self._states()}")

    async def _keep_relaying(self) -> None:
        for number in range(1, 10_000):
            life = self._life(_RELAY, number)
            try:
                with life.scope:
                    async with trio.open_nursery() as nursery:
                        await Relay(Limits()).listen(nursery, _DOOR)
            except BaseException as error:
                if not all(isinstance(cause, Killed | Failure) for cause in leaves(error)):
                    raise
            await trio.sleep(_PAUSE)

    async def _keep_going(self, player: Player) -> None:
        """Start processes of a player until the match is over."""
        while not self._over.is_set() and not player.gone:
            if player.back is not None:
                await player.back.wait()
            if player.name != self.plan.names[0] and player.seat is None and not self._kept(player):
                await self._invite.wait()
            if player.old is not None and player.seat is not None and self._known_everywhere(player):
                await self._begin_from_old(player)
            if player.gone or self._over.is_set():
                break
            player.starts += 1
            if player.starts > MOST_STARTS:
                self._broken(f"{player.name} was started {MOST_STARTS} times: {self._states()}")
                break
            await self._live(player, self._life(player.name, player.starts), self._play)
            if player.name == self.plan.names[0] and player.seat is None and self._invite.is_set():
                self._invite = trio.Event()  # its lobby is gone, and the next one has another invite
            while self._done(player) and not self._over.is_set() and not self._needed():
                await trio.sleep(_PAUSE)
            await trio.sleep(_PAUSE * (1 + self._rng.random()))
        self._judge()

    def _life(self, name: str, number: int) -> Life:
        """A process that begins, and that this task lives."""
        life = Life(name, number, self._misfortune(name, number), on_death=self._died, note=self._note)
        self._jump = self._rng.uniform(-self.plan.jumps, self.plan.jumps)
        life.clock = self._wall
        self.lives.append(life)
        LIFE.set(life)
        self._note("begins", life.misfortune)
        return life

    def _misfortune(self, name: str, number: int) -> Misfortune | None:
        return self.plan.misfortune(name, number)

    def _wall(self) -> float:
        """The clocks on all walls, which jump when a process begins anywhere."""
        return _BEGINNING + trio.current_time() + self._jump

    async def _live(self, player: Player, life: Life, play: Callable[[Player, Life], Any]) -> None:
        """The whole life of one process of a player."""
        player.life, player.state = life, "working"
        try:
            with life.scope:
                await play(player, life)
        except BaseException as error:
            if not life.dead:
                self._failed(player, life, error)
        finally:
            player.life = player.match = None
            disk.release(life)
            self._net.gone(life, silently=False)
            life.dead = True
            self._note("ends")

    def _failed(self, player: Player, life: Life, error: BaseException) -> None:
        """A process has ended with a failure: only with one that its misfortune explains, and in words."""
        causes = leaves(error)
        if any(isinstance(cause, trio.Cancelled) for cause in causes):
            raise error
        kinds = {type(cause).__name__ for cause in causes}
        self._note("fails with", *sorted(kinds))
        self.result.done[f"ended with {', '.join(sorted(kinds))}"] += 1
        expected = self._expected(life) | (_SITTING if player.seat is None else set())
        if not all(isinstance(cause, Failure | Refusal) for cause in causes):
            self._broken(f"{player.name} stumbled: {causes!r}")
            if self.notes is not None:
                raise error
        elif not kinds <= expected:
            self._broken(f"{player.name} failed: {causes!r}")
        elif not all((explanation := explain(cause)) and explanation[0] for cause in causes):
            self._broken(f"{player.name} has no words for {causes!r}")

    def _expected(self, life: Life) -> set[str]:
        return MISFORTUNES if life.misfortune is not None else set[str]()

    def _died(self, life: Life) -> None:
        """A process dies, perhaps with its machine."""
        power = life.misfortune is not None and life.misfortune.power
        self.result.done["power cuts" if power else "processes killed"] += 1
        self._net.gone(life, silently=power)
        disk.release(life)
        player = self.players.get(life.name)
        if player is None:
            return
        if power:
            DISKS[life.name].cut_power(self._rng)
            if player.seat is not None:
                self.witness.lost(player.seat)
        if power or player.state != "finished":
            player.state = "working"  # it comes again, for what it had not synced if it was done
        if player.seat is not None and player.old is None:
            with suppress(FileNotFoundError):
                self.witness.kept(player.seat, self._of(DISKS[player.name]))

    def _of(self, on: Disk) -> bytes:
        """The record of the match on a disk."""
        [name] = on.folders("/")
        return on.content(f"{name}/games/{self._match[:32]}/transcript.p2ps")

    def _kept(self, player: Player) -> bool:
        """Whether its disk has a match, which may have begun for the others."""
        return not player.anew and bool(DISKS[player.name].folders(f"{player.name}/games"))

    # What a process does

    async def _play(self, player: Player, life: Life) -> None:
        place = Place("/", player.name)
        rng = random.Random(f"{self.plan.seed} {player.name} {life.number}")
        with Home(place, rng.randbytes) as home:
            async with trio.open_nursery() as nursery:
                workers = int(self.plan.kind.cards)
                owner = Owner(home, home.identity(), player.name, GAMES, self._trace, workers, life.clock)
                for never_begun in home.games() if player.anew else ():
                    home.set_aside(home.open(never_begun.id))
                player.anew = False
                player.match = match = await (
                    self._resumed(nursery, owner, rng) if home.games() else self._sat(nursery, owner, rng)
                )
                wishes = self._wishes(player.name)
                tell = partial(self._heard, player)
                conduct = Conduct(match, wishes, self._company[player.name], rng, 0, tell)
                nursery.start_soon(conduct.run)
                await match.run()
                nursery.cancel_scope.cancel()

    def _wishes(self, name: str) -> Wishes:
        def when(wish: Wish | None) -> int | None:
            return None if wish is None else wish.entries

        plan = self.plan
        return Wishes(
            when(next((wish for wish in plan.resigns if wish.name == name), None)),
            when(plan.draw if plan.draw is not None and plan.draw.name == name else None),
            name in plan.agrees,
            again=False,
        )

    async def _door(self, nursery: trio.Nursery, owner: Owner, made: Any) -> Host:
        """The door of a process: at its machine, or at the relay alone."""
        door = await host.listen(nursery, owner, made, _DOOR, transports=self._net.transports())
        address: Address = Endpoint(HOSTS[owner.name], _DOOR)
        if owner.name in self.plan.behind:
            address, _ = door.wait_at(Endpoint(HOSTS[_RELAY], _DOOR))
        door.desk.addresses = (address,)
        return door

    async def _sat(self, nursery: trio.Nursery, owner: Owner, rng: random.Random) -> Peer:
        """The match after sitting down."""
        kind = self.plan.kind
        door = await self._door(nursery, owner, certificate(rng))
        if owner.name == self.plan.names[0]:
            self._word = invite.write(door.invite(door.desk.addresses, lifetime=1e9, uses=kind.seats - 1))
            self._invite.set()
            game = GAMES[kind.game]
            options = game.options(kind.options)
            terms = Terms(game, options, kind.seats, proofs=game.needs_proofs, escrow=kind.escrow)
            return await door.meet(terms, _agree)
        visitor = await guest.visit(
            nursery, owner, invite.read(self._word), door.desk, transports=self._net.transports()
        )
        visitor.on_seated = door.show
        return await visitor.agreeing(_agree)

    async def _resumed(self, nursery: trio.Nursery, owner: Owner, rng: random.Random) -> Peer:
        """The match that the home has."""
        [saved] = owner.home.games()
        match = Peer(nursery, owner, owner.home.open(saved.id), self._net.transports())
        if match.replica.route.own is not None:
            made = tls.Certificate(match.replica.store.certificate)
            (await self._door(nursery, owner, made)).show(match)
        return match

    # Old copies

    def _known_everywhere(self, player: Player) -> bool:
        """Whether all others have what a player has signed: else an old copy can sign again, which is a known
        weakness (17.6).
        """
        own = self._signed(player, DISKS[player.name])
        copies = [DISKS[name] for name in self.plan.names if name != player.name]
        return all(own <= self._signed(player, copy) for copy in copies)

    def _signed(self, player: Player, on: Disk) -> set[tuple[int, ...]]:
        """The places of the records of a player that stand on a disk."""
        with suppress(FileNotFoundError):
            return {where for where in records(usable(self._of(on))) if where[1] == player.seat}
        return set()

    async def _begin_from_old(self, player: Player) -> None:
        """A process of a player begins on an old copy of its disk, and ends again."""
        assert player.old is not None
        newest, DISKS[player.name] = DISKS[player.name], player.old
        life = Life(player.name, _OLD, on_death=self._died, note=self._note, clock=self._wall)
        LIFE.set(life)
        self.result.done["old copies"] += 1
        with trio.move_on_after(_OLD_WITHIN):
            await self._live(player, life, self._play_old)
        # An old copy that had all that its player has signed may have gone on: then it is the newest.
        if self._signed(player, DISKS[player.name]) <= self._signed(player, newest):
            DISKS[player.name] = newest
        player.old = None

    async def _play_old(self, player: Player, life: Life) -> None:
        with suppress(Refusal):
            await self._play(player, life)

    # What a process tells

    def _heard(self, player: Player, event: str, **fields: Any) -> None:
        if player.life is None or player.life.dead or player.life.number == _OLD:
            return
        self._note(event, *fields.values())
        match event:
            case "begin":
                self._match = self._match or fields["match"]
                player.seat = fields["seat"]
                if fields["match"] != self._match:
                    self._broken(f"{player.name} is in another match than the others")
            case "at":
                self._reached = max(self._reached, fields["count"])
                self.result.entries = self._reached
                self._strike(player)
            case "state":
                player.state = fields["now"]
                self._changes += 1
                if player.state == "lost" and player.seat is None and not self._match:
                    player.anew = True
                    player.life.die()
                self._judge()

    def _strike(self, player: Player) -> None:
        """Do what the plan wants done by now; nothing before all have begun."""
        if any(other.seat is None for other in self.players.values()):
            return
        if self._old is not None and self._old.entries <= self._reached:
            player = self.players[self._old.name]
            if player.old is None:
                player.old, self._old = (
                    DISKS[player.name].snapshot(),
                    Wish(self._reached + _LATER, player.name),
                )
            elif player.life is not None:
                self._old = None
                player.life.die()
        while self._waiting_wishes and self._waiting_wishes[0].entries <= self._reached:
            left = self.players[self._waiting_wishes.pop(0).name]
            left.gone = True
            self.result.done["gone for good"] += 1
            self._tell("gone", left)
            if left.life is not None:
                left.life.die()
            stay = [other for other in self.players.values() if not other.gone]
            if len(stay) == 1:
                self._nursery.start_soon(self._give_up, stay[0])
        if self._late is not None and self._late[0].entries <= self._reached:
            (wish, seconds), self._late = self._late, None
            self._nursery.start_soon(self._be_late, self.players[wish.name], seconds)

    async def _give_up(self, player: Player) -> None:
        """Nobody else ever comes: who owes an entry that nobody could compare has waited long enough."""
        await trio.sleep(_ALONE)
        player.state = "waited" if player.state == "working" else player.state
        self._judge()

    async def _be_late(self, player: Player, seconds: float) -> None:
        """A player is away for a while, and the others hear of it."""
        back = player.back = trio.Event()
        player.state = "working"
        if player.life is not None:
            player.life.die()
        self.result.done["late"] += 1
        self._tell("away", player)
        await trio.sleep(seconds)
        player.back = None
        for company in self._company.values():
            company.away.discard(player.seat or 0)
        back.set()

    def _tell(self, word: str, player: Player) -> None:
        """Everybody hears that a player is gone, or away."""
        assert player.seat is not None
        for name in self.plan.names:
            getattr(self._company[name], word).add(player.seat)

    # The end

    def _done(self, player: Player) -> bool:
        return player.state in ("finished", "waited")

    def _needed(self) -> bool:
        """Whether somebody still waits for records."""
        return any(player.life is not None and not self._done(player) for player in self.players.values())

    def _judge(self) -> None:
        """The match is over when all who stay have all of it."""
        stay = [player for player in self.players.values() if not player.gone]
        if not all(self._done(player) for player in stay) or any(
            player.life for player in self.players.values() if player.gone
        ):
            return
        if all(player.state == "finished" for player in stay):
            self._end()
        else:
            self._nursery.start_soon(self._end_if_still, self._changes)

    async def _end_if_still(self, changes: int) -> None:
        """Some only gave up waiting: it is over if that lasts, for a word under way can free the match."""
        await trio.sleep(_STILL)
        if changes == self._changes:
            self._end()

    def _end(self) -> None:
        for life in self.lives:
            life.misfortune = None  # who dies now would not come again, and would lose what it wrote last
        self._over.set()

    def _examine(self) -> None:
        """Judge the match by the copies that are left of it."""
        for where, digest in self._agrees[self._match]:
            self.witness.saw(where, digest)
        homes: dict[Seat, Path] = {
            player.seat: Path("/", player.name) for player in self.players.values() if player.seat is not None
        }
        gone = frozenset(
            player.seat for player in self.players.values() if player.gone and player.seat is not None
        )
        late = self.plan.late
        away = frozenset({self.players[late[0].name].seat or 0}) if late is not None else frozenset()
        trial = Copies(self._match, dict(sorted(homes.items())), self.witness, gone, away)
        self.result.broken += trial.promises()
        self.result.done.update(trial.done)
        for name in self.plan.names:
            self.result.broken += self._left(name)
        self.result.done[f"of {self.plan.kind.game} with {self.plan.kind.seats}"] += 1

    def _left(self, name: str) -> Iterator[str]:
        """What stands on a disk, and should not, once the program has begun again and tidied up."""
        LIFE.set(Life(name, self.players[name].starts + 1))
        with Home(Place("/", name), random.Random(name).randbytes) as home:
            home.identity()
            for saved in home.games():
                home.open(saved.id).close()
        for path, node in DISKS[name].tree():
            if "/new-" in path and "/invites/" not in path:
                yield f"{path} was left behind"
            elif node.mode & 0o077:
                yield f"{path} can be read by others"


async def _agree(_: object) -> bool:
    return True
