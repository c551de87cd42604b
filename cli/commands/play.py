"""`play`, `host`, `join`, `resume`: the ways of a player to a match.

Before a match the program speaks in lines, so that an invite can be copied and pasted; the lobby stands below
them, and the match itself is on the screen, or in lines too.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import trio

from cli.games import options as game_options
from cli.lines.console import Console
from cli.play.arriving import by_code, by_post, finding, friends, introduction, invitations, sitting, ways
from cli.play.arriving.alone import climb, play_alone, table
from cli.play.arriving.announcement import announcement
from cli.play.arriving.invite_desk import InviteDesk, to_watch
from cli.play.arriving.lobby_places import GuestPlace, HostPlace
from cli.play.arriving.short_codes import short_codes
from cli.play.arriving.ways import OwnDoor, Ways
from cli.play.bots import bot_match, hired
from cli.play.bots.bot_match import Bots
from cli.play.runner import PlaySession, spend
from cli.reports.own_games import game, listed, waiting
from cli.reports.rows import SHOWN_ID, Plain
from cli.reports.sources import only_one, understood
from cli.shell.arguments import MOST_SEATS
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.explain import sentence
from cli.shell.locations import runs
from cli.shell.settings import Settings
from cli.shell.shared_options import place
from cli.shell.version import PROGRAM
from cli.table.words import connection
from cli.text.layout import whole
from cli.text.sanitize import escape
from p2p_stratego.core.characters import level_of, short_name
from p2p_stratego.core.entry import GameEntry
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import _, mark, n_
from p2p_stratego.registry import ENTRIES, GAMES
from protocol.channel import tls
from protocol.failures import CannotListen, NoSuchMatch
from protocol.lobby.handshake import Terms
from protocol.lobby.introductions import OpenInvite
from protocol.network import guest
from protocol.network.host import Host
from protocol.network.peer import Peer
from protocol.post import carrying
from protocol.record import genesis
from protocol.record.genesis import Genesis
from protocol.rendezvous.invite import Invite
from protocol.rendezvous.short_code import ShortCode
from protocol.replication.replica import Status
from protocol.storage.contacts import Contact
from protocol.storage.home import Owner
from protocol.storage.match_store import DamagedTail
from protocol.storage.route import Place, Route

_USUAL: Final = Settings()
_HIDDEN: Final = mark(
    "In this game you have hidden your address from the others. Say --proxy or --relay-only again, or "
    "--show-address."
)
_NEARBY: Final = mark(
    "Friends in your network need no invite: they run p2p-stratego join, and you both compare six digits."
)
_WITH_YOU: Final = mark("Bots play in your program: stay until the end, or they go with you.")


def host(arguments: argparse.Namespace) -> int:
    """A match with the players who bring our invite."""
    return spend(arguments, partial(host_match, arguments))


def again(arguments: argparse.Namespace) -> int:
    """A match with a friend, who is asked for it."""
    return spend(arguments, partial(ask_again, arguments))


def wait(arguments: argparse.Namespace) -> int:
    """A match with the friend who asks for it."""
    return spend(arguments, partial(friends.wait_for_friends, arguments))


def join(arguments: argparse.Namespace) -> int:
    """A match with the host of an invite."""
    return spend(arguments, partial(join_match, arguments))


async def play_bots(arguments: argparse.Namespace, session: PlaySession) -> None:
    """Begin a match with a bot on every other seat, and play it."""
    terms = game_options.at_table(arguments)
    engines = await _hired(arguments, session, terms.seats - 1, "--seats")
    by_ladder = session.interactive and len(engines) < terms.seats - 1
    level = arguments.level or _usual_level(session, ENTRIES[terms.game.name], by_ladder=by_ladder)
    await play_alone(session, terms, level, engines=engines)


def _usual_level(session: PlaySession, entry: GameEntry, *, by_ladder: bool) -> str:
    """Whom our player meets who named no level: the right one on the ladder; a script the first one."""
    if not by_ladder:
        return next(iter(entry.bots))
    from cli.studies.statistics import ladder
    from cli.text.names import bot_name

    rows = listed(session.home.path)
    rungs = ladder.rungs(entry, rows, all_open=not session.settings.ladder)
    level = rungs[ladder.right(entry, rungs, ladder.rating(entry, rows))].level
    session.talk.say(_("You meet {name}; --level names another one.", name=bot_name(level)))
    return level


async def _hired(
    arguments: argparse.Namespace, session: PlaySession, room: int, more: str = ""
) -> tuple[hired.HiredEngine, ...]:
    """The engines of the command line, of which each has said hello.

    `more`: the option that makes more room, if there is one.  Raises Sorry, also for too many.
    """
    if len(arguments.engines or ()) > room:
        raise Sorry(_no_room(room, more), Exit.USAGE)
    engines = await hired.hire(arguments, session.home.path)
    if engines and (words := hired.warning()):
        session.talk.say(words)
    return engines


def _no_room(engines: int, more: str) -> str:
    if not more:
        return n_(
            "At any table there is room for {count} engine.",
            "At any table there is room for {count} engines at most.",
            engines,
        )
    return n_(
        "There is room for {count} engine: make more with {option}.",
        "There is room for {count} engines: make more with {option}.",
        engines,
        option=more,
    )


async def ask_again(arguments: argparse.Namespace, session: PlaySession) -> None:
    """Ask a friend for the game that was played last with it, with the same options, or for another one."""
    met = friends.friend(session.home, arguments.who).met
    if met is not None and arguments.usual and met.game in GAMES:
        arguments.game = met.game
    if met is not None and met.game == arguments.game:
        same_table = arguments.seats is None and not arguments.teams and not arguments.bots
        for name, value in met.options:
            if getattr(arguments, place(name), None) is None:
                setattr(arguments, place(name), value)
        if same_table:
            arguments.seats, arguments.bots = met.seats, met.bots
            arguments.level = met.level if met.level in ENTRIES[met.game].bots else arguments.level
    arguments.friends = [arguments.who]
    await host_match(arguments, session)


async def host_match(arguments: argparse.Namespace, session: PlaySession) -> None:
    """Ask friends, hand out an invite for the other seats, let its bearers sit down, and play."""
    if arguments.clock is None and arguments.each == "live":
        arguments.clock = session.settings.clock
    terms = game_options.at_table(arguments)
    asked = tuple(dict.fromkeys(friends.friend(session.home, who) for who in arguments.friends))
    room = terms.seats - 1 - arguments.bots - len(asked)
    if room < 0:
        raise Sorry(
            _(
                "With {seats} seats there is room for at most {counted}, and for fewer beside friends.",
                seats=terms.seats,
                counted=n_("{count} bot", "{count} bots", terms.seats - 1),
            ),
            Exit.USAGE,
        )
    engines = await _hired(arguments, session, arguments.bots, "--bots")
    owner = session.owner(await introduction.own_name(session))
    kept = await invitations.kept_invite(session) if room else None
    ours = _ways_of_host(arguments, session.settings, kept)
    certificate = tls.make() if kept is None else kept.certificate
    port = arguments.port if kept is None else kept.port
    async with table(session, owner) as (nursery, bots):
        door = await ways.open_door(nursery, owner, certificate, port, ours)
        host = door.host
        await door.settle(session)
        host.desk.addresses = door.addresses
        try:
            seat_bots = partial(bots.seat, host, engines, arguments.bots, arguments.level)
            match = await _gathered(
                arguments, session, door, terms, bots=bots, seat_bots=seat_bots, kept=kept, asked=asked
            )
        finally:
            host.desk.withdraw()
        if match is not None:
            following = await session.play(match, bots)
            if match.replica.finished:
                host.desk.revoke()
    if match is not None:
        await climb(session, match.replica.match, match.replica.seat, following)


def _ways_of_host(arguments: argparse.Namespace, saved: Settings, kept: OpenInvite | None) -> Ways:
    """The ways by which friends reach a host; a `kept` invite leads where it led before."""
    ours = ways.of(arguments, saved)
    if kept is not None:
        ours = ours.again(Place(kept.invite.addresses, kept.invite.certificate))
    if not (ours.listens or ours.relays):
        how = (
            _("a relay with --relay, or your onion service with --address")
            if ours.wishes.straight
            else "--relay"
        )
        by = ""
        if saved.proxy and arguments.proxy is None:
            by = _(" Your settings name a proxy; --no-proxy leaves it out.")
        elif saved.relay_only and arguments.relay_only is None:
            by = _(" Your settings say relays only; --no-relay-only takes that back.")
        raise Sorry(_("So friends cannot reach you: name {how}.{by}", how=how, by=by), Exit.USAGE)
    return ours


async def _gathered(  # noqa: PLR0913 - who, where, what
    arguments: argparse.Namespace,
    session: PlaySession,
    door: OwnDoor,
    terms: Terms,
    *,
    bots: Bots,
    seat_bots: Callable[[], None],
    kept: OpenInvite | None,
    asked: tuple[Contact, ...],
) -> Peer | None:
    """The match of a new lobby, or None if our player closes it."""
    host = door.host
    lobby = host.open(terms)
    place = HostPlace(session, host, lobby, host.desk.owner.identity.key)
    place.add_bots = partial(_add_bots, host, bots, arguments)
    seat_bots()
    guests = terms.seats - 1 - arguments.bots - len(asked)
    announced = announcement(session, door, lobby, place) if guests else None
    codes = short_codes(door, place, guests, announced) if guests else None
    handing = InviteDesk(session, door, arguments, guests)
    place.invite, place.watch = handing.again, handing.to_watch
    place.standing = lambda: [*handing.handed, *([] if codes is None else codes.handed)]
    session.watch = handing.to_watch
    if arguments.bots:
        session.talk.say(_(_WITH_YOU))
    if guests:
        besides = [] if codes is None else await codes.begin()  # first: guests may come from the invite on
        if announced is not None and door.ways.nearby:
            session.talk.say(_(_NEARBY))
        handing.begin(kept)
        handing.waiting(besides)
    if arguments.watch:
        sentence, word = handing.to_watch(True)
        session.talk.say(sentence)
        session.talk.verbatim(word)
    if asked:
        session.talk.say(friends.calling_sentence(asked))
    async with trio.open_nursery() as nursery:
        if guests or not asked:
            nursery.start_soon(handing.expire)
        if announced is not None:
            nursery.start_soon(announced.run)
        if codes is not None:
            nursery.start_soon(codes.run)
        if asked:
            nursery.start_soon(friends.FriendCalls(session, host, place, only=not guests).run, asked)
        match = await sitting.host_lobby(session, host, place)
        nursery.cancel_scope.cancel()
    return match


def _add_bots(host: Host, bots: Bots, arguments: argparse.Namespace, number: int, level: str | None) -> str:
    """Seat `number` bots; a sentence about it, or ""."""
    lobby = host.lobby
    known = ENTRIES[arguments.game].bots
    wanted = level_of(level or arguments.level)
    if wanted not in known:
        return _(
            "There is no bot of that level. Levels: {known}.",
            known=", ".join(short_name(level).lower() for level in known),
        )
    for _unused in range(number if lobby is not None else 0):
        bots.sit_down(host, wanted)
    return _(_WITH_YOU) if number else ""


async def join_match(arguments: argparse.Namespace, session: PlaySession) -> None:
    """Call the host of an invite, sit down, and play."""
    owner = session.owner(await introduction.own_name(session))
    ours = ways.of(arguments, session.settings)
    lead = await invitations.lead(session, arguments.invite, nearby=ours.nearby)
    session.talk.say(_("Calling the host ..."))
    async with trio.open_nursery() as nursery:
        door = await _door(session, nursery, owner, arguments.port, ours)
        desk = None if door is None else door.desk
        if isinstance(lead, ShortCode):
            visitor = await by_code.visit(session, nursery, owner, lead, ours, desk=desk)
        elif isinstance(lead, Invite):
            visitor = await guest.visit(nursery, owner, lead, desk, ours.transports)
        else:
            came = await guest.approach(nursery, owner, lead.addresses, desk, ours.transports)
            visitor = await finding.compare_digits(session, lead, came)
        if door is not None:
            visitor.on_seated = door.show
        place = GuestPlace(session, visitor, owner.identity.key)
        if desk is not None:
            desk.on_void = place.called
        match = await sitting.visit_lobby(session, visitor, place)
        await session.play(match)
        if door is not None and match.replica.finished:
            door.desk.revoke()
        nursery.cancel_scope.cancel()


async def _door(
    session: PlaySession, nursery: trio.Nursery, owner: Owner, port: int, ours: Ways
) -> Host | None:
    """The door at which the other players of a match can call us; None, and a remark, if we cannot listen."""
    if not (ours.listens or ours.relays):
        return None
    try:
        door = await ways.open_door(nursery, owner, tls.make(), port, ours)
    except CannotListen as error:
        session.talk.say(
            _("{sentence} The others cannot call you, but you can call them.", sentence=sentence(error))
        )
        return None
    await door.settle(session, invites=False)
    door.host.desk.addresses = door.addresses
    session.watch = partial(to_watch, door.host, door.addresses)
    return door.host


async def resume_match(arguments: argparse.Namespace, session: PlaySession) -> None:
    """Open a match that began before, find the other side, and play on."""
    which = await unfinished(session, arguments.match)
    named = await _hired(arguments, session, MOST_SEATS - 1)
    store = session.home.open(which)
    try:
        by = ways_of_match(arguments, store.route, session.settings)
        engines = hired.come_back(tuple(store.route.bots.values()), named)
    except Sorry:
        store.close()
        raise
    for tail in store.set_aside:
        session.talk.say(_set_aside(tail))
    with understood(store.path, Path(store.path).read_bytes()):
        match = genesis.parse(store.genesis, GAMES)
    owner = _owner_in(session, match)
    async with table(session, owner) as (nursery, bots):
        ours = Peer(nursery, owner, store, by.transports)
        in_doubt = carrying.goes_by_post(store) and not carrying.recall(ours.replica)
        if in_doubt and ours.replica.status is not Status.STALE:  # _require_going tells of that
            session.talk.say(by_post.in_doubt(ours.replica, runs(arguments.home)))
        levels = store.route.bots
        bots.engines = engines
        sides = bots.come_back(ours, levels)
        _require_going(ours, *sides)
        for side, level in zip(sides, levels.values(), strict=True):
            bot_match.link_up(nursery, ours, side, trace=owner.trace)
            bots.serve(side, level)
        people = len(levels) < len(match.players) - 1
        if arguments.at is not None and not people:
            raise Sorry(_("--at is for people, and only bots play in that game with you."), Exit.USAGE)
        if people or store.route.own is not None:  # spectators may call, too
            await _reach(session, nursery, owner, ours, arguments)
        following = await session.play(ours, bots)
    await climb(session, ours.replica.match, ours.replica.seat, following)


def _set_aside(tail: DamagedTail) -> str:
    """The damaged bytes, their new place, and the assurance that nothing of the game is lost."""
    return _(
        "A power cut or the disk spoilt the end of a file of this game: {counted} are set "
        "aside in '{place}'. The game goes on once both players' copies have been compared.",
        counted=n_("{count} byte", "{count} bytes", tail.size),
        place=escape(tail.place),
    )


# With bots


def _shown_id(match: Peer) -> str:
    return match.replica.match.id.hex()[:SHOWN_ID]


def _require_going(match: Peer, *others: Peer) -> None:
    """Raise Sorry for a match that is over or an old copy, and close all its sides here."""
    stale = match.replica.status is Status.STALE
    if stale or match.replica.finished:
        for side in (match, *others):
            side.replica.close()
        why = _(connection.OLD_COPY) if stale else _("That game has ended.")
        replay = f"replay {_shown_id(match)}"
        raise Sorry(
            lambda run: _("{why} Look at it with {command}.", why=why, command=run(replay)), Exit.USAGE
        )


# With people


def ways_of_match(arguments: argparse.Namespace, route: Route, saved: Settings = _USUAL) -> Ways:
    """The ways by which a match goes on.  Raises Sorry if they would show an address that was hidden."""
    by = ways.of(arguments, saved).again(route.own, shown=arguments.show_address)
    if route.hidden and not (by.wishes.hidden or arguments.show_address):
        raise Sorry(_(_HIDDEN), Exit.USAGE)
    return by


async def _reach(
    session: PlaySession, nursery: trio.Nursery, owner: Owner, match: Peer, arguments: argparse.Namespace
) -> None:
    """Listen at the address of before or on another port, and call the others, perhaps at another place."""
    exchange, route = match.replica.exchange, match.replica.route
    if arguments.at is not None:
        seat, where = _named_seat(match, arguments.at)
        known = route.others.get(seat)
        if known is None:
            raise Sorry(_("Nothing is known of where that player listens: wait for its call."), Exit.USAGE)
        address = introduction.place(where, introduction.usual_port(known))
        exchange.reroute(seat, replace(known, addresses=(address,)))
    if route.own is None:
        return
    certificate = tls.Certificate(match.replica.store.certificate)
    wanted = route.port if arguments.port is None else arguments.port
    by = ways_of_match(arguments, route, session.settings)
    if not (by.listens or by.relays):
        return  # nobody can call us so; we call them
    opened = await ways.open_door(nursery, owner, certificate, wanted, by)
    door, ours = opened.host, opened.addresses
    door.show(match)
    door.desk.reopen_to_watch()
    await opened.settle(session)
    session.watch = partial(to_watch, door, ours)
    exchange.listen_at(ways.moved_place(route, opened), door.desk.port, door.desk.outside)
    players = match.replica.match.seat_names
    if len(route.bots) == len(players) - 1:
        return
    theirs = whole(f"{PROGRAM} resume {_shown_id(match)}")
    who = f"{players[match.replica.seat]}=" if len(players) > 2 else ""
    where = f"{who}{introduction.heard_at(match.replica.route, ours)}"
    session.talk.say(
        _(
            "Waiting for the others, who run: {theirs} (add --at {where} if need be)",
            theirs=theirs,
            where=where,
        )
    )


def _named_seat(match: Peer, text: str) -> tuple[Seat, str]:
    """The seat and the place in `text`, "place" or "seat=place"; the first known seat if none is named."""
    name, equals, where = text.rpartition("=")
    names = match.replica.match.seat_names
    others = [seat for seat in range(len(names)) if seat != match.replica.seat]
    if not equals:
        known = match.replica.route.others
        return next((seat for seat in others if seat in known), others[0]), where
    for seat in others:
        if name.strip().lower() in (names[seat].lower(), str(seat + 1)):
            return seat, where
    raise Sorry(
        _(
            "{name!r} is no other player's seat: {name2}.",
            name=escape(name),
            name2=", ".join(names[s] for s in others),
        ),
        Exit.USAGE,
    )


# Which match


def _owner_in(session: PlaySession, match: Genesis) -> Owner:
    """Our player in a match that has begun; the Replica checks that the match has that player."""
    key = session.home.identity().key
    return session.owner(next((player.name for player in match.players if player.key == key), ""))


async def unfinished(session: PlaySession, given: str | None) -> str:
    """The id of the match to go on with: the named match, the only match, or the player's choice."""
    home = session.home
    if given is not None:
        only_one(given, sum(saved.id.startswith(given.lower()) for saved in home.games()))
        try:
            return home.find(given)
        except NoSuchMatch:
            return home.take_up(given)  # the host said that it never began, and our player had signed it
    rows = waiting(home.path, interactive=session.interactive)
    return str(rows[0]["id"]) if len(rows) == 1 else await _picked(session.talk, rows)


async def _picked(talk: Console, rows: list[Plain]) -> str:
    """The id of one of these matches, by the player's choice."""
    for number, row in enumerate(rows, start=1):
        talk.say(f"  {number}  {game(row)}")
    while (answer := await talk.ask(_("Which one? [1]"))) is not None:
        chosen = answer.strip() or "1"
        if chosen in map(str, range(1, len(rows) + 1)):
            return str(rows[int(chosen) - 1]["id"])
        talk.say(_("Please type a number from 1 to {count}.", count=len(rows)))
    raise Sorry(_("No game was chosen."), Exit.DATA)
