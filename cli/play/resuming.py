"""Going on with a match that began before: its record is opened, and the other players are found."""

from __future__ import annotations

import argparse
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import trio

from cli.lines.console import Console
from cli.play.arriving import by_post, introduction, network_options
from cli.play.arriving.against_bots import climb, hire_engines, table
from cli.play.arriving.invite_desk import to_watch
from cli.play.arriving.network_options import Ways
from cli.play.bots import bot_match, hired
from cli.play.runner import PlaySession
from cli.reports.own_games import game, waiting
from cli.reports.rows import SHOWN_ID, Plain
from cli.reports.sources import only_one, understood
from cli.shell.arguments import MOST_SEATS
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.locations import runs
from cli.shell.settings import Settings
from cli.shell.version import PROGRAM
from cli.table.words import connection
from cli.text.layout import whole
from cli.text.sanitize import escape
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import _, mark, n_
from p2p_stratego.registry import GAMES
from protocol.channel import tls
from protocol.failures import NoSuchMatch
from protocol.network.peer import Peer
from protocol.post import carrying
from protocol.record import genesis
from protocol.record.genesis import Genesis
from protocol.replication.replica import Status
from protocol.storage.home import Owner
from protocol.storage.match_store import DamagedTail
from protocol.storage.route import Route

_USUAL: Final = Settings()


_HIDDEN: Final = mark(
    "In this game you have hidden your address from the others. Say --proxy or --relay-only again, or "
    "--show-address."
)


async def resume_match(arguments: argparse.Namespace, session: PlaySession) -> None:
    """Open a match that began before, find the other side, and play on."""
    which = await unfinished(session, arguments.match)
    named = await hire_engines(arguments, session, MOST_SEATS - 1)
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


def ways_of_match(arguments: argparse.Namespace, route: Route, saved: Settings = _USUAL) -> Ways:
    """The ways by which a match goes on.  Raises Sorry if they would show an address that was hidden."""
    by = network_options.of(arguments, saved).again(route.own, shown=arguments.show_address)
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
    opened = await network_options.open_door(nursery, owner, certificate, wanted, by)
    door, ours = opened.host, opened.addresses
    door.show(match)
    door.desk.reopen_to_watch()
    await opened.settle(session)
    session.watch = partial(to_watch, door, ours)
    exchange.listen_at(network_options.moved_place(route, opened), door.desk.port, door.desk.outside)
    players = match.replica.match.seat_names
    if len(route.bots) == len(players) - 1:
        return
    theirs = whole(f"{PROGRAM} resume {_shown_id(match)}")
    prefix = f"{players[match.replica.seat]}=" if len(players) > 2 else ""
    where = f"{prefix}{introduction.heard_at(match.replica.route, ours)}"
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
