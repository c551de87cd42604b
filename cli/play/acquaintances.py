"""The other players of a match, as our player knows them: who may ask for the next game, when they met."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from cli.text.layout import whole
from cli.text.names import shown, unworn
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import _
from protocol.crypto.keys import fingerprint
from protocol.failures import StorageFailure
from protocol.network.peer import Peer
from protocol.replication.replica import Replica
from protocol.storage.contacts import Contact, LastMatch
from protocol.storage.home import Home
from protocol.wire.addresses import Address

StandingAddresses: TypeAlias = Callable[[], tuple[Address, ...]]
"""Calls give the addresses at which friends can ask our player."""


def prepare(home: Home, replica: Replica, standing: StandingAddresses) -> None:
    """If a friend sits at the table, tell its program anew where to ask."""
    with suppress(StorageFailure):  # no match depends on it
        known = home.contacts()
        friends = (known.of(player.key) for player in replica.match.players)
        if any(contact is not None and contact.friend for contact in friends):
            replica.friends.standing = standing()


def befriend(home: Home, replica: Replica, standing: StandingAddresses, command: str, seat: Seat) -> str:
    """Let the player of `seat` ask ours for other games; a sentence on the effect.  Raises StorageFailure."""
    player = replica.match.players[seat]
    name = shown(player.name)
    if seat in replica.route.bots or seat == replica.seat:
        return _("{name} plays whenever you like.", name=name)
    home.remember(player.key, unworn(player.name))
    replica.friends.standing = standing()
    replica.exchange.befriend(seat)
    known = home.contacts().of(player.key)
    back = (
        ""
        if known is not None and known.door
        else _(" You can ask {name} once {name} types friend, too.", name=name)
    )
    if not replica.friends.standing:
        return _(
            "{name} may ask you for a game, and is told where when others can call you.{back}",
            name=name,
            back=back,
        )
    return _(
        "{name} may ask you for a game without an invite, as long as {wait} runs.{back}",
        name=name,
        wait=whole(f"{command} wait"),
        back=back,
    )


def friend_sentence(home: Home, command: str, key: bytes) -> str:
    """A sentence on the player with this key, who lets ours ask for games."""
    known = home.contacts().of(key)
    name = "" if known is None else shown(known.names[0])
    back = "" if known is not None and known.friend else _(" friend lets {name} ask you, too.", name=name)
    return _(
        "{name} lets you ask for another game without an invite: type {again} later.{back}",
        name=name,
        again=whole(f"{command} again {_word(known)}"),
        back=back,
    )


def _word(known: Contact | None) -> str:
    """The name of a contact on a command line, or its fingerprint if the name had to be quoted there."""
    if known is None:
        return "WHO"  # as the help of `again` has it
    name = known.names[0]
    return name if name.isascii() and name.isalnum() else fingerprint(known.key)


def keep(home: Home, peer: Peer) -> None:
    """Note in each known contact of the match its time, its game, and the way of the connection."""
    match, now = peer.replica.match, int(time.time())
    with suppress(StorageFailure):  # likewise
        others = {player.key for player in match.players} - {home.key}
        bots = len(others - {contact.key for contact in home.contacts().all})  # people are contacts by now
        level = next(iter(peer.replica.route.bots.values()), "")
        for key in {player.key for player in match.players} & {player.key for player in home.contacts().all}:
            via = peer.vias.get(key)
            way = "" if via is None else via.value
            options = tuple(match.options.items())
            meeting = LastMatch(now, match.game.name, way, options, len(match.players), bots, level)
            home.change_contact(key, partial(_met, meeting))


def _met(meeting: LastMatch, contact: Contact) -> Contact:
    return replace(contact, met=meeting)
