"""One session of play: home folder, settings, front end, and the sentences before and after a match.

Every match (against a bot, as host, as guest, resumed) begins and ends here in the same way.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from secrets import SystemRandom

import trio

from cli.games.setup_store import SetupStore
from cli.lines.console import Console
from cli.lines.line_mode import LineFront
from cli.play import acquaintances, own_relays, router
from cli.play.after_match import Sequel
from cli.play.background_audit import BackgroundAudit, verdict
from cli.play.bots.bot_match import Bots
from cli.play.own_command import OwnCommand
from cli.play.own_name import objection
from cli.play.own_relays import WatchedRelay
from cli.reports import sources
from cli.reports.rows import SHOWN_ID
from cli.screen.event_loops import Stage, StopSignal, run, run_plain
from cli.shell import settings, spelling_hints
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.locations import command, locate
from cli.shell.settings import Settings, on_screen
from cli.shell.version import PROGRAM
from cli.table.seat import timing
from cli.table.seat.controller import Environment, TableController
from cli.table.words import call_attempts, connection, end_and_rematch
from cli.table.words.call_attempts import OwnRelay
from cli.table.words.commands import Order
from cli.text.layout import own_line, series
from cli.text.sanitize import escape
from p2p_stratego.core.language import _
from p2p_stratego.core.lesson import TUTOR
from p2p_stratego.registry import GAMES, lesson, lesson_number
from protocol.crypto.workers import MOST
from protocol.network.peer import Peer
from protocol.network.transport.mapping import MappedPort
from protocol.post import carrying
from protocol.replication.replica import Replica, Status
from protocol.storage.home import Home, Owner
from protocol.trace import Trace, silent
from protocol.wire.addresses import Address


async def keep_time(replica: Replica, table: TableController, changed: Callable[[], None]) -> None:
    """Call `changed` with every change of the match, and whenever the table is due; until cancelled.

    The table's clock is trio's.
    """
    stirred = trio.Event()

    def stir() -> None:
        changed()
        stirred.set()

    replica.on_change = stir
    while True:
        with trio.move_on_at(table.due):
            await stirred.wait()
        if not stirred.is_set():
            changed()
            if table.timing.due <= trio.current_time():  # still due, as on a full disk: no loop spins on it
                await stirred.wait()
        if stirred.is_set():
            stirred = trio.Event()


@dataclass
class PlaySession:
    """The needs of every way of playing."""

    home: Home
    settings: Settings
    talk: Console
    interactive: bool
    """A person sits at a terminal: prompts make sense, and so does a bell."""
    stage: Stage | None
    """Where full screens are shown; None in line mode."""
    command: str = PROGRAM
    """The command that runs this program in this home folder."""
    table: TableController | None = None
    """The player's table in the match of this session."""
    trace: Trace = silent
    """The trace for developers."""
    watch: Callable[[bool], tuple[str, str]] | None = None
    """As `Environment.watch` of the table."""
    standing: Callable[[], tuple[Address, ...]] = tuple
    """The addresses at which friends can ask our player for other games."""
    relays: Sequence[WatchedRelay] = ()
    """The relays at which others can call us."""
    late: list[MappedPort] = field(default_factory=list)
    """The ports whose router is still to answer; our player knows that it was asked."""
    think: int | None = None
    """How long bots look ahead, see `registry.make_bot`."""
    pasted: str = ""
    """An invite that was pasted in answer to another question."""

    def __post_init__(self) -> None:
        self.own_command = OwnCommand(self.settings.notify_command)
        """Calls the player, if the settings say so."""

    def owner(self, name: str) -> Owner:
        """The player of this home folder, called `name`.  Raises Damaged."""
        return Owner(self.home, self.home.identity(), name, GAMES, self.trace, workers=MOST)

    def call(self, sentence: str) -> None:
        """Call our player to the terminal, in line mode."""
        if self.interactive:
            self.talk.notify(self.settings, sentence, self.own_command.tell)

    async def play(self, peer: Peer, bots: Bots | None = None) -> str:
        """Show `peer`'s match until the player leaves it, while the match runs on.

        The level of the opponent whom the player wants to meet next; "" for none.  `bots`: those that play
        along in this process.  Raises what `Peer.run` raises.
        """
        async with trio.open_nursery() as nursery:
            table = self.table = self._seated(nursery, peer, bots)
            self.own_command.on_failure = partial(_remark, table)
            if bots is not None:
                bots.on_remark = partial(_remark, table)
                bots.talks = lambda: self.interactive and table.settings.chatter
            nursery.start_soon(self.own_command.run)
            for relay in self.relays:
                nursery.start_soon(own_relays.report_changes, relay, partial(_remark_relay, table))
            nursery.start_soon(router.tell_late, self.late, partial(remark_router, table, bool(self.relays)))
            async with trio.open_nursery() as running:
                running.start_soon(peer.run)
                await self._sit(peer, table, nursery)
                acquaintances.keep(self.home, peer)
                peer.leave()
            nursery.cancel_scope.cancel()
        self._keep(table)
        self.goodbye(table)
        climbs = table.wish is Order.NEXT and not table.coach.teaches
        return self._sequel.aftermath().level if climbs else ""

    def _seated(self, nursery: trio.Nursery, peer: Peer, bots: Bots | None) -> TableController:
        """The player's place at `peer`'s match.  Lines are printed once, so they wait for the audit."""

        def path() -> Path:
            return Path(peer.replica.store.path)

        def ready() -> None:
            peer.replica.on_change()

        audit, game = BackgroundAudit(nursery, path, ready), peer.replica.match.game.name
        taught = TUTOR in peer.replica.route.bots.values()
        number = lesson_number(game, peer.replica.match.options) if taught else None
        self._sequel = Sequel(nursery, self.home.path, path, lambda: table.settings, ready)
        self._sequel.looks = self.interactive
        environment = Environment(
            trio.current_time,
            lambda: peer.rtt,
            audit.verdict if self.stage is not None else lambda: verdict(path()),
            self.stage is not None,
            SetupStore(self.home.path),
            command=self.command,
            pausing=lambda: bots is not None and bots.pausing,
            parting=lambda: bots is not None and bots.parting,
            go_on=bots.go_on if bots is not None else lambda: None,
            hurry=bots.hurry if bots is not None else lambda _wanted: None,
            hold=lambda: SystemRandom().uniform(timing.LEAST, timing.MOST),
            call=self.own_command.tell,
            remember=partial(settings.remember, self.home),
            relays=lambda: tuple(own_relays.own_relay(relay.waiter) for relay in self.relays),
            watch=self.watch,
            befriend=partial(acquaintances.befriend, self.home, peer.replica, self.standing, self.command),
            lesson=None if number is None else lesson(game, number),
            lesson_number=number or 1,
            aftermath=None if taught else self._sequel.aftermath,
            kept_by_bots=lambda: sources.kept_by_bots(self.home.path, peer.replica.session.referee),
            practise=bots.practise if bots is not None else lambda: None,
            share=self._sequel.share,
        )
        table = TableController(peer.replica, self.settings, environment)
        on_friend = partial(acquaintances.friend_sentence, self.home, self.command)
        peer.replica.friends.on_friend = lambda key: _remark(table, on_friend(key))
        acquaintances.prepare(self.home, peer.replica, self.standing)
        return table

    async def _sit(self, peer: Peer, table: TableController, nursery: trio.Nursery) -> None:
        """Show the match until its player leaves; on visits the match goes on."""
        if self.stage is None:
            visit = partial(self._sequel.visit, table, self.talk, plain=True)
            lines = LineFront(table, self.talk, interactive=self.interactive, visit=visit)
            nursery.start_soon(keep_time, peer.replica, table, lines.changed)
            await lines.run()
            return
        front = self.stage.front(table)
        nursery.start_soon(keep_time, peer.replica, table, front.changed)
        await self.stage.show(front.app)
        while table.wish is not None and not table.left:
            await self._sequel.visit(table, self.talk, plain=False)
            table.show_end_again()
            front.changed()
            await self.stage.show(front.app)

    def _keep(self, table: TableController) -> None:
        """Save the settings that were switched during the match."""
        before = self.settings
        self.settings = table.settings
        settings.remember(self.home, before, self.settings)

    def interrupted(self) -> None:
        """Tell below an open prompt how to go on with a match in lines."""
        self.talk.break_off()
        table = self.table
        if self.stage is None and table is not None and not table.over:
            self.goodbye(table)

    def goodbye(self, table: TableController) -> None:
        """The state of the match when the player goes, left on the terminal after a screen."""
        path = Path(table.replica.store.path)
        outcome = table.replica.session.outcome
        again = own_line(f"{self.command} resume {path.parent.name[:SHOWN_ID]}")
        if self.stage is None and table.end_shown:
            pass  # told already
        elif table.ended and table.coach.teaches:
            if table.onward is None and table.wish is not Order.NEXT:
                self.talk.say(table.coach.parting(self.command))
        elif table.replica.status is Status.STALE:
            self.talk.say(_(connection.OLD_COPY))
        elif outcome is None and table.session.referee.has_left(table.replica.seat):
            out = table.replica.seat in table.session.referee.taken_out
            why = _("all of them have said that you did not answer") if out else _("you have resigned")
            self.talk.say(
                _("The others go on without you: {why}. To see how they fare: {again}", why=why, again=again)
            )
        elif outcome is None or not table.over:
            seat, referee = table.replica.seat, table.session.referee
            others = series(
                [
                    name
                    for other, name in enumerate(table.players.names)
                    if other != seat and not referee.has_left(other)
                ]
            )
            saved = _("Your game with {others} is saved. Go on with it: {again}", others=others, again=again)
            self.talk.say(saved)
        else:
            ending = end_and_rematch.ending(table.session, outcome, table.players.names)
            seat, sides = table.replica.seat, table.replica.match.sides
            won = (
                f"{end_and_rematch.result(outcome, seat, sides, table.session.referee)}. "
                if outcome.winners
                else ""
            )
            if won or table.environment.keys:  # lines have told a draw in their last question
                self.talk.say(f"{won}{ending}")
            self.talk.say(_("Audit: {verdict}", verdict=verdict(path)))
            self.talk.verbatim(
                _("Record: {path}", path=escape(str(path)))
            )  # never folded, so that it can be copied
        self._to_write(table.replica, path.parent.name[:SHOWN_ID])
        if table.replica.answerable:
            late = end_and_rematch.awaited(table.replica, table.players)
            self.talk.say(
                _("Should {late} answer after all, the game goes on: {again}", late=late, again=again)
            )

    def _to_write(self, replica: Replica, shown_id: str) -> None:
        """Remind the player of a match by post to decide, or to write the post."""
        if not replica.by_post or replica.status is Status.STALE:
            return
        write = own_line(f"{self.command} post {shown_id}")
        if replica.session.decision is not None:
            self.talk.say(_("It is still your turn. Decide first, then write it with {write}", write=write))
        elif carrying.readers_due(replica):
            self.talk.say(_("What you did is not sent yet: write it with {write}", write=write))


def _remark(table: TableController, sentence: str) -> None:
    """Add a sentence of the program's own to the news of a match."""
    table.log.remark(sentence)
    table.replica.on_change()


def _remark_relay(table: TableController, relay: OwnRelay) -> None:
    """Remark that a relay is lost, or back, with the consequence."""
    _remark(table, call_attempts.relay_sentence(relay, table.replica.links))


def remark_router(table: TableController, relays: bool, port: MappedPort) -> None:
    """Remark the answer of a router that answers late."""
    if words := router.report(port, relays=relays):
        _remark(table, words)


def spend(arguments: argparse.Namespace, plan: Callable[[PlaySession], Awaitable[None]]) -> int:
    """Open the home folder, run `plan` on trio, and close everything in the end.

    Raises Sorry for a name on the command line that will not do.
    """
    if getattr(arguments, "name", None) is not None:
        if spelling_hints.is_invite(arguments.name):
            raise Sorry(spelling_hints.invite_elsewhere)
        wrong = objection(arguments.name)
        if wrong is not None:
            raise Sorry(_("{wrong} Choose another --name.", wrong=wrong), Exit.USAGE)
    with Home(locate(arguments.home)) as home:
        wanted = settings.given(settings.read(home.settings()), arguments)
        wanted = settings.shown_on(wanted, sys.stdout.encoding)
        talk = Console(ascii_only=wanted.ascii)
        session = PlaySession(home, wanted, talk, sys.stdin.isatty(), None, command(arguments.home))
        session.trace = getattr(arguments, "trace", silent)
        session.think = getattr(arguments, "think", None)

        async def with_stage(stage: Stage) -> None:
            session.stage = stage
            await plan(session)

        try:
            if on_screen(arguments):
                run(with_stage)
            else:
                run_plain(lambda: plan(session))
        except StopSignal as stopped:
            with suppress(OSError):  # the terminal may be gone
                session.interrupted()
            raise KeyboardInterrupt from stopped  # told by the caller, if anybody still reads
        for place in home.exposed:
            talk.say(
                _(
                    "Other users of this machine could read your key in {place}; now they cannot. "
                    "If they may have, move the file away to begin as a new player.",
                    place=escape(place),
                )
            )
    return Exit.OK
