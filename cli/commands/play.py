"""`play`, `host`, `join`, `resume`: how a player comes to a match.

Before a match the program speaks in lines, so that an invite can be copied and pasted; the match itself is on
the screen, or in lines too.
"""

from __future__ import annotations

import argparse
import math
import time
from dataclasses import replace
from functools import partial
from typing import Final

import trio

from cli.commands.games import game, waiting
from cli.games import options as game_options
from cli.lines.console import Talk
from cli.play import bot_match, introduction
from cli.play.bot_front import for_reading, steadily
from cli.play.own_name import objection
from cli.play.runner import PlaySession, spend
from cli.reports.describe import SHOWN_ID, Plain
from cli.reports.sources import only_one
from cli.shell import slips
from cli.shell.exit_codes import Exit, Run, Sorry, bare
from cli.shell.explain import sentence
from cli.shell.version import PROGRAM
from cli.table import status
from cli.text.layout import counted
from cli.text.names import shown
from cli.text.sanitize import escape
from p2p_stratego.registry import GAMES
from protocol.crypto.keys import fingerprint
from protocol.errors import Refusal
from protocol.failures import Code, Declined, LinkLost, NotAnInvite, Refused
from protocol.network import invite as invites
from protocol.network import peer, tls
from protocol.network.handshake import Person, Terms
from protocol.network.host import Host, listen
from protocol.network.introductions import OpenInvite, open_invites
from protocol.network.invite import Invite
from protocol.network.peer import Peer
from protocol.network.replica import Status
from protocol.network.visit import Visit
from protocol.record import genesis
from protocol.record.genesis import Genesis
from protocol.storage.home import ID_DIGITS, Owner
from protocol.storage.match_store import SetAside, Store

_ANSWER_WITHIN: Final = 600.0
"""Seconds for a guest to say yes after our player did."""


def play(arguments: argparse.Namespace) -> int:
    """A match against a bot."""
    return spend(arguments, partial(against_bot, arguments))


def host(arguments: argparse.Namespace) -> int:
    """A match with the player who brings our invite."""
    return spend(arguments, partial(hosting, arguments))


def join(arguments: argparse.Namespace) -> int:
    """A match with the host of an invite."""
    return spend(arguments, partial(joining, arguments))


def resume(arguments: argparse.Namespace) -> int:
    """Go on with a match.  `cli.commands.resume` comes first and names it, unless a person chooses here."""
    return spend(arguments, partial(resuming, arguments))


async def against_bot(arguments: argparse.Namespace, session: PlaySession) -> None:
    """Begin a match with a bot, and play it."""
    level = arguments.level
    game, options = game_options.chosen(arguments)
    player = session.owner(await introduction.own_name(session))
    with bot_match.bot_home(session.home, level) as home:
        bot = bot_match.bot_owner(home, level)
        one, other = bot_match.begin(player, bot, level, game.name, options)
        await _with_bot(session, player, bot, one, other)


async def hosting(arguments: argparse.Namespace, session: PlaySession) -> None:
    """Hand out an invite, wait for its bearer, and play."""
    terms = Terms(*game_options.chosen(arguments))
    owner = session.owner(await introduction.own_name(session))
    kept = await _kept_invite(session)
    certificate = tls.make() if kept is None else kept.certificate
    port = arguments.port if kept is None else kept.invite.port
    async with trio.open_nursery() as nursery:
        waiting = await listen(nursery, owner, certificate, port)
        try:
            match = await _met(session, waiting, terms, kept, arguments)
        finally:
            waiting.desk.withdraw()
        await session.play(match)
        nursery.cancel_scope.cancel()


async def joining(arguments: argparse.Namespace, session: PlaySession) -> None:
    """Call the host of an invite, and play."""
    owner = session.owner(await introduction.own_name(session))
    invite = await _invite(session, arguments.invite)
    session.talk.say("Calling the host. It may take a while until somebody there says yes ...")

    async def agree(visit: Visit) -> bool:
        listing = visit.listing
        if listing is None:
            return False
        return await introduction.agreed(session, visit.host, listing.game, listing.options, visit.seat)

    async with trio.open_nursery() as nursery:
        await session.play(await peer.join(nursery, owner, invite, agree))
        nursery.cancel_scope.cancel()


async def resuming(arguments: argparse.Namespace, session: PlaySession) -> None:
    """Open a match that began before, find the other side, and play on."""
    store = session.home.open(await _chosen(session, arguments.match))
    for one in store.set_aside:
        session.talk.say(_set_aside(one))
    match = genesis.parse(store.genesis, GAMES)
    owner = _owner_in(session, match)
    level = next(iter(store.route.bots.values()), None)
    if level is None:
        await _with_person(session, owner, store, arguments)
        return
    with bot_match.bot_home(session.home, level) as home:
        other = home.open(match.id.hex()[:ID_DIGITS])
        await _with_bot(session, owner, bot_match.bot_owner(home, level), store, other)


def _set_aside(one: SetAside) -> str:
    """The damaged bytes, their new place, and the assurance that nothing of the game is lost."""
    return (
        f"A power cut or the disk spoilt the end of a file of this game: {counted(one.size, 'byte')} are set "
        f"aside in '{escape(one.place)}'. The game goes on once both players' copies have been compared."
    )


# Against a bot


async def _with_bot(session: PlaySession, player: Owner, bot: Owner, one: Store, other: Store) -> None:
    pace = for_reading if session.interactive else steadily(0.0)
    async with trio.open_nursery() as nursery:
        ours, theirs = Peer(nursery, player, one), Peer(nursery, bot, other)
        _require_going(ours, theirs)
        bot_match.link_up(nursery, ours, theirs, trace=player.trace)
        level = next(iter(ours.replica.route.bots.values()))
        await session.play(ours, bot_match.opponent(theirs, level, pace))
        nursery.cancel_scope.cancel()


def _shown_id(match: Peer) -> str:
    return match.replica.match.id.hex()[:SHOWN_ID]


def _require_going(match: Peer, *others: Peer) -> None:
    """Raise Sorry for a match that nothing can be added to; all its sides here are closed then."""
    stale = match.replica.status is Status.STALE
    if stale or match.replica.finished:
        for side in (match, *others):
            side.replica.close()
        why = status.OLD_COPY if stale else "That game has ended."
        replay = f"replay {_shown_id(match)}"
        raise Sorry(lambda run: f"{why} Look at it with {run(replay)}.", Exit.USAGE)


# With a person


async def _with_person(
    session: PlaySession, owner: Owner, store: Store, arguments: argparse.Namespace
) -> None:
    """Go on with a match that began before: as its host, who waits, or as its guest, who calls."""
    async with trio.open_nursery() as nursery:
        match = Peer(nursery, owner, store)
        _require_going(match)
        route, host = match.replica.route, match.replica.across
        if route.own is not None:
            await _wait_again(session, nursery, owner, match, arguments.port or route.own.port)
        elif arguments.at is not None:
            known = route.others[host]
            address, port = introduction.place(arguments.at, known.port)
            match.replica.exchange.reroute(host, replace(known, addresses=(address,), port=port))
        await session.play(match)
        nursery.cancel_scope.cancel()


async def _wait_again(
    session: PlaySession, nursery: trio.Nursery, owner: Owner, match: Peer, wanted: int
) -> None:
    """Listen for the guest of `match` on the port `wanted`: where the invite led to, or another one."""
    certificate = tls.Certificate(match.replica.store.certificate)
    waiting = await listen(nursery, owner, certificate, wanted)
    waiting.peer = match
    now = waiting.desk.port
    if match.replica.route.own is not None:
        match.replica.exchange.listen_at(replace(match.replica.route.own, port=now))
    theirs = f"{PROGRAM} resume {_shown_id(match)}"
    where = f"{introduction.addresses(None)[0]}:{now}"
    session.talk.say(f"Waiting for your opponent, who runs: {theirs} (add --at {where} if need be)")


async def _met(
    session: PlaySession, waiting: Host, terms: Terms, kept: OpenInvite | None, arguments: argparse.Namespace
) -> Peer:
    """The match with the first guest for whom both sides say yes; each try takes a new invite."""
    addresses = introduction.addresses(arguments.address)
    while True:
        if kept is not None:
            waiting.desk.reopen(kept.invite, trio.current_time() + kept.left)
            invite, left, kept = kept.invite, kept.left, None
        else:
            left = arguments.minutes * 60.0
            invite = waiting.invite(addresses, left)
        _hand_out(session, waiting, invite, left, qr=arguments.qr)
        guest = _Guest(session, terms)
        try:
            return await guest.meet(waiting, left)
        except (Refused, LinkLost, Refusal, _NoAnswer) as error:
            if not session.interactive:
                raise
            session.talk.say(f"{_why(error, guest.name)} Here is a new invite.")


def _nobody_came(run: Run) -> str:
    return f"Nobody came while the invite was good. {run('host')} makes a new one."


class _NoAnswer(Sorry):
    """The guest said neither yes nor no in time."""


class _Guest:
    """The player who brings our invite, and the consent of both sides."""

    def __init__(self, session: PlaySession, terms: Terms) -> None:
        self.name = ""
        """Escaped; empty while nobody has come."""
        self._evening, self._terms = session, terms
        self._patience = trio.CancelScope()

    async def meet(self, waiting: Host, left: float) -> Peer:
        """The match with the guest.  Raises what Host.meet does, _NoAnswer for a guest who does not answer,
        and Sorry if nobody comes within `left` seconds.
        """
        self._patience.deadline = trio.current_time() + left
        with self._patience:
            return await waiting.meet(self._terms, self._approve)
        if not self.name:
            raise Sorry(_nobody_came, Exit.UNREACHABLE)
        raise _NoAnswer(f"{self.name} did not answer.", Exit.UNREACHABLE)

    async def _approve(self, person: Person) -> bool:
        self.name = shown(person.name)
        self._patience.deadline = math.inf  # our player may take all the time there is
        terms = self._terms
        wanted = await introduction.agreed(self._evening, person, terms.game, terms.options, terms.seat)
        if wanted:
            self._patience.deadline = trio.current_time() + _ANSWER_WITHIN
            self._evening.talk.say(f"{self.name} is asked too ...")
        return wanted


def _why(error: Exception, name: str) -> str:
    """The reason for no match with the guest called `name`, who was shown to our player."""
    if isinstance(error, Declined):
        return f"You did not want to play with {name}, who was told so."
    if isinstance(error, Refused) and error.code == Code.DECLINED:
        return f"{name} did not want to play."
    return error.told(bare) if isinstance(error, Sorry) else sentence(error)


def _hand_out(session: PlaySession, waiting: Host, invite: Invite, left: float, *, qr: bool) -> None:
    """Print the invite and its use."""
    talk, word = session.talk, invites.write(invite)
    owner = waiting.desk.owner
    talk.say(f"You are {shown(owner.name)} [{fingerprint(owner.identity.key)}].")
    talk.say(
        "Send this invite to your friend, and to nobody else. "
        f"It is good once, for {counted(round(left / 60), 'minute')}:"
    )
    talk.say()
    if qr and not session.settings.ascii:
        for row in introduction.qr_code(word):
            talk.verbatim(row)
        talk.say()
    talk.verbatim(word)
    talk.say()
    talk.say(
        f"It leads to {', '.join(invite.addresses)}, port {invite.port}. Your friend runs: p2p-stratego join"
    )
    talk.say("Waiting ... (Ctrl-C ends it)")


async def _kept_invite(session: PlaySession) -> OpenInvite | None:
    """An invite that was handed out earlier and is still good, if the player wants to wait with it again."""
    if not session.interactive:
        return None
    for kept in open_invites(session.home, time.time()):
        left = counted(round(kept.left / 60), "minute")
        question = f"An invite that you gave out before is good for another {left}."
        if await session.talk.confirm(f"{question} Wait with that one?"):
            # A late answer gives an old invite no more time (threat 26).
            return next(
                (it for it in open_invites(session.home, time.time()) if it.invite == kept.invite), None
            )
        session.home.drop_invite(kept.invite.name)
    return None


async def _invite(session: PlaySession, given: str | None) -> Invite:
    """The invite from the command line, a prompt, or standard input."""
    if given is not None and given != "-":
        return _read(given)
    if session.pasted:
        session.talk.say("The invite that you pasted before is used.")
        return invites.read(session.pasted)
    invite = await introduction.pasted(session.talk, interactive=session.interactive)
    if invite is None:
        raise Sorry("No invite was given. Ask your friend for one: the command host prints it.", Exit.DATA)
    return invite


def _read(given: str) -> Invite:
    """The invite `given` on the command line.  Raises InviteFailure, and Sorry for a name or an id."""
    try:
        return invites.read(given)
    except NotAnInvite as error:
        told = sentence(error)
        if slips.is_id(given):
            resume = f"resume {given}"
            raise Sorry(
                lambda run: f"{told} If it is a game's id: {run(resume)} goes on with that game.", Exit.DATA
            ) from error
        if objection(given) is None:
            raise Sorry(f"{told} If it is your name, it goes behind --name.", Exit.DATA) from error
        raise


# Which match


def _owner_in(session: PlaySession, match: Genesis) -> Owner:
    """Our player in a match that has begun; the Replica checks that the match has that player."""
    key = session.home.identity().key
    return session.owner(next((one.name for one in match.players if one.key == key), ""))


async def _chosen(session: PlaySession, given: str | None) -> str:
    """The id of the match to go on with: the one named, the only one there is, or one that is chosen."""
    home = session.home
    if given is not None:
        only_one(given, sum(saved.id.startswith(given.lower()) for saved in home.games()))
        return home.find(given)
    rows = waiting(home.path, interactive=session.interactive)
    return str(rows[0]["id"]) if len(rows) == 1 else await _picked(session.talk, rows)


async def _picked(talk: Talk, rows: list[Plain]) -> str:
    """The id of one of these matches, as the player says."""
    for number, row in enumerate(rows, start=1):
        talk.say(f"  {number}  {game(row)}")
    while (said := await talk.ask("Which one? [1]")) is not None:
        chosen = said.strip() or "1"
        if chosen in map(str, range(1, len(rows) + 1)):
            return str(rows[int(chosen) - 1]["id"])
        talk.say(f"Please type a number from 1 to {len(rows)}.")
    raise Sorry("No game was chosen.", Exit.DATA)
