"""Playing with friends again, without an invite: asking them, and waiting for them to ask.

Nobody keeps an ask for a friend whose program does not wait: then nothing reaches that friend.
"""

from __future__ import annotations

import argparse
from typing import Final

import trio

from cli.play.arriving import introduction, lobby_loop, network_options
from cli.play.arriving.lobby_places import GuestPlace, HostPlace
from cli.play.arriving.network_options import OwnDoor, Ways
from cli.play.runner import PlaySession
from cli.shell.exit_codes import Exit, Run, Sorry
from cli.shell.explain import sentence
from cli.shell.version import PROGRAM
from cli.text.layout import series, whole
from cli.text.names import person, shown
from p2p_stratego.core.language import _, mark
from protocol.channel import tls
from protocol.crypto.keys import fingerprint
from protocol.errors import Refusal
from protocol.failures import CannotListen, Code, Declined, NetworkFailure, Refused
from protocol.lobby.friends import Asks
from protocol.lobby.introductions import AskingFriend
from protocol.network import guest
from protocol.network.host import Host
from protocol.network.link import Link
from protocol.storage.contacts import Contact
from protocol.storage.home import Home, Owner

_ASK_EVERY: Final = 20.0
"""Seconds between two calls to a friend who does not wait yet."""
_NOBODY: Final = mark(
    "Nobody may ask you yet. In a game with a friend, type friend: then your friend can ask you for the next "
    "one without an invite."
)


def friend(home: Home, wanted: str) -> Contact:
    """The contact `wanted`, whom our player can ask for a game.  Raises UnknownContact and Sorry."""
    contact = home.contacts().find(wanted)
    if contact.blocked:
        raise Sorry(
            lambda run: _(
                "You have blocked {name}: {command} comes first.",
                name=_person(contact),
                command=run(f"contacts unblock {fingerprint(contact.key)}"),
            ),
            Exit.USAGE,
        )
    if contact.door is None or not contact.door.addresses:
        raise Sorry(lambda run: _not_let(run, contact), Exit.DATA)
    return contact


def _person(contact: Contact) -> str:
    """A contact, with the fingerprint: our player may have named it by the beginning of a name."""
    return person(contact.names[0], fingerprint(contact.key))


def _not_let(run: Run, contact: Contact) -> str:
    return _(
        "{who} has not told you where to ask. In a game with you, {name} types friend; until then an "
        "invite does it: {command}.",
        who=_person(contact),
        name=shown(contact.names[0]),
        command=run("host"),
    )


# Asking


def calling_sentence(friends: tuple[Contact, ...]) -> str:
    """A sentence on the friends that are called; it is told before the lobby takes the screen."""
    return _("Calling {value} ...", value=series([_person(friend) for friend in friends]))


class FriendCalls:
    """Friends who are asked to sit down in our lobby, each until it answers."""

    def __init__(self, session: PlaySession, host: Host, place: HostPlace, *, only: bool) -> None:
        """`only`: nobody else can come, so a friend's no ends the lobby, and a full table begins at once."""
        self._session, self._host, self._place, self._only = session, host, place, only

    async def run(self, friends: tuple[Contact, ...]) -> None:
        """Ask them all.  Raises Sorry if nobody can come any more."""
        lobby = self._host.lobby
        if self._only and lobby is not None:
            before = lobby.on_change

            def changed() -> None:
                before()
                self._start()

            lobby.on_change = changed
        async with trio.open_nursery() as nursery:
            for friend in friends:
                nursery.start_soon(self._ask, friend)

    def _start(self) -> None:
        """Begin a full table: our player has asked these friends for this match, and that is its yes."""
        lobby = self._host.lobby
        if lobby is not None and lobby.listing.full and not lobby.started:
            self._place.enter("start", lobby.listing.number)

    async def _ask(self, friend: Contact) -> None:
        name, last = shown(friend.names[0]), ""
        while True:
            try:
                await self._host.ask(friend)
            except (NetworkFailure, Refusal) as error:
                if self._host.peer is not None:
                    return
                final = isinstance(error, Refused) and error.code != Code.BUSY
                words = _why_not(error, name)
                if self._only and (final or not self._session.interactive):
                    raise Sorry(words, Exit.UNREACHABLE) from error
                if words != last:
                    self._place.tell(f"{words} {'' if final else _('Calling again and again.')}".strip())
                    last = words
                if final:
                    return
            else:
                return
            await trio.sleep(_ASK_EVERY)


def _why_not(error: Exception, name: str) -> str:
    """Why a friend is not here, in a sentence or two."""
    if isinstance(error, Refused):
        reasons = {
            Code.DECLINED: _("{name} does not want to play now.", name=name),
            Code.BUSY: _("{name} plays, or is asked by somebody else, just now.", name=name),
            Code.UNKNOWN_INVITE: _(
                "Where {name} was last, nobody lets you ask (any more). "
                "In your next game together {name} types friend.",
                name=name,
            ),
            Code.LEFT: _("{name} has gone.", name=name),
        }
        return reasons.get(Code(error.code) if error.code in list(Code) else Code.LEFT, sentence(error))
    return _(
        "{name} does not wait for you: {sentence} Your friend types: {command}",
        name=name,
        sentence=sentence(error),
        command=whole(f"{PROGRAM} wait"),
    )


# Being there


async def wait_for_friends(arguments: argparse.Namespace, session: PlaySession) -> None:
    """Wait until a friend asks for a game that our player wants, and play it."""
    owner = session.owner(await introduction.own_name(session))
    ours = network_options.of(arguments, session.settings)
    if not (ours.listens or ours.relays):
        raise Sorry(_("So nobody can ask you: name a relay with --relay."), Exit.USAGE)
    async with trio.open_nursery() as nursery:
        door = await _standing(nursery, owner, arguments.port, ours)
        await door.settle(session)
        host = door.host
        host.desk.addresses = door.addresses
        asks = host.desk.asks = Asks()
        send, came = trio.open_memory_channel[tuple[Link, AskingFriend]](1)
        host.on_asked = lambda link, asking: send.send_nowait((link, asking))
        session.talk.say(_who_may(session.home))
        if session.interactive:
            session.talk.say(_("Waiting ... (Ctrl-C ends it)"))
        async for link, asking in came:
            visitor = guest.visit_asker(nursery, link, asking, host.desk, ours.transports)
            visitor.on_seated = host.show
            if await _asked(session, visitor, asking, asks):
                break
        nursery.cancel_scope.cancel()


async def _asked(session: PlaySession, visitor: guest.Visitor, asking: AskingFriend, asks: Asks) -> bool:
    """Ask our player about a friend's game, and play it; whether the match was played."""
    own, person = session.home.identity().key, asking.person
    name = shown(person.name)
    session.call(_("{name} asks you for a game", name=name))
    session.talk.say(_("{name} asks you for a game.", name=name))
    try:
        match = await lobby_loop.visit_lobby(session, visitor, GuestPlace(session, visitor, own))
    except Declined:
        asks.declined(person.key, trio.current_time())
        session.talk.say(_("{name} was told that you do not want to play now. Waiting ...", name=name))
    except (NetworkFailure, Refusal) as error:
        asks.left(person.key, trio.current_time())
        session.talk.say(_("{name} has gone. {sentence} Waiting ...", name=name, sentence=sentence(error)))
    else:
        await session.play(match)
        return True
    asks.busy = False
    return False


async def _standing(nursery: trio.Nursery, owner: Owner, port: int | None, ours: Ways) -> OwnDoor:
    """Our standing door, at `port` from now on if one is named.  Raises as `ways.open_door`."""
    doorstep = owner.home.doorstep() if not port else owner.home.move_doorstep(port)
    try:
        return await network_options.open_door(
            nursery, owner, tls.make(), doorstep.port, ours, doorstep=doorstep
        )
    except CannotListen as error:
        raise Sorry(
            _(
                "{sentence} Friends call you at port {port}; perhaps you wait there already, in "
                "another window.",
                sentence=sentence(error),
                port=doorstep.port,
            ),
            Exit.UNREACHABLE,
        ) from error


def _who_may(home: Home) -> str:
    friends = [
        shown(contact.names[0]) for contact in home.contacts().all if contact.friend and not contact.blocked
    ]
    return _("{friends} may ask you for a game now.", friends=series(friends)) if friends else _(_NOBODY)
