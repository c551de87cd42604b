"""Errors on the way to others as a player reads them: invites, codes, addresses, connections."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from typing import Final

from cli.shell.exit_codes import Words
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.narration import either, listed
from protocol import failures
from protocol.failures import Code, Flaw, Loss, RelayStatus

_FLAWS: Final = {
    Flaw.NO_PREFIX: mark("This is no invite: one begins with P2PS and is a single long word. Copy it whole."),
    Flaw.NO_PLACE: mark("This invite names no place to call. Ask for a new one."),
    Flaw.BAD_ADDRESS: mark("This invite holds an address that cannot be read. Ask for a new one."),
    Flaw.TOO_MUCH: mark("This invite holds more than it should. Ask for a new one."),
    Flaw.BAD_KIND: mark("This invite is neither to play nor to watch. Ask for a new one."),
    Flaw.BAD_RECORD: mark("The record of this invite cannot be read. Make a new one."),
}


def not_a_code(error: failures.NotACode) -> Words:
    """Words that are no code."""
    near = either(error.near)
    if error.word:
        if not near:
            return _("Codes have no word “{word}”. Ask for it letter by letter.", word=error.word)
        return _("Codes have no word “{word}”. It is perhaps {near}.", word=error.word, near=near)
    if not near:
        return _("A code is a number and two words, such as 7-amber-violin.")
    return _("A code is a number and two words, such as 7-amber-violin. Yours begins with {near}.", near=near)


def no_address(error: failures.NotAnAddress) -> Words:
    """A text that is no address."""
    return _(
        "{text!r} is no address: that is an IP address or a host name in ASCII letters, and if it "
        "needs one a port from 1 to 65535 behind a colon.",
        text=error.text,
    )


def another_kind(error: failures.InviteOfAnotherKind) -> Words:
    """An invite to watch where one to play belongs, or the other way round."""
    if error.watch:
        return lambda run: _(
            "This invite is to watch a game: {command} takes it.", command=run("watch INVITE")
        )
    return lambda run: _("This invite is to play: {command} takes it.", command=run("join INVITE"))


def cannot_listen(error: failures.CannotListen) -> Words:
    """A port that cannot be had."""
    port = error.port
    if error.errno == errno.EADDRINUSE:
        return _("Port {port} is in use already. Choose another one with --port, or 0 for any.", port=port)
    if error.errno in (errno.EACCES, errno.EPERM):
        return _(
            "Port {port} is not for this user. Choose one from 1024 up with --port, or 0 for any.", port=port
        )
    reason = os.strerror(error.errno).lower() if error.errno else _("refused")
    return _(
        "This machine cannot listen on port {port}: {reason}. Choose another one with --port.",
        port=port,
        reason=reason,
    )


_RELAY: Final = "the relay "
"""Begins an address at a relay, as the protocol writes it."""


def _places(addresses: Sequence[str]) -> str:
    """Addresses in a sentence."""
    return listed(
        [
            _("the relay {relay}", relay=address.removeprefix(_RELAY))
            if address.startswith(_RELAY)
            else address
            for address in addresses
        ]
    )


def unreachable(error: failures.Unreachable) -> Words:
    """Addresses at which nobody answers."""
    if not error.addresses:
        return _("No host was found to call. Ask your friend whether it still waits, and at which relay.")
    relays = [address.removeprefix(_RELAY) for address in error.addresses if address.startswith(_RELAY)]
    if relays and len(relays) == len(error.addresses):
        # Of the relay itself nothing is heard; who finds nobody there is told so by it.
        if len(relays) == 1:
            return _(
                "The relay {relay} does not answer. Ask whoever runs it, or name another one with --relay.",
                relay=relays[0],
            )
        return _(
            "The relay {relays} do not answer. Ask whoever runs it, or name another one with --relay.",
            relays=_places(error.addresses).removeprefix(_RELAY),
        )
    where = _places(error.addresses)
    if error.refused:
        return _(
            "Nobody waits at {where}. Ask whether your opponent's program still runs, and with this invite.",
            where=where,
        )
    return _(
        "Nobody answers at {where}. Check that both are online, and that the host's port can be reached "
        "from outside (its router may have to forward it).",
        where=where,
    )


def unserved(error: failures.Unserved) -> Words:
    """Addresses that no allowed way leads to."""
    where = _places(error.addresses)
    if error.relays:
        return _(
            "The relay {relay} leads there, but you have not named it, and with --relay-only whoever runs "
            "it would learn your address. If it may, say --relay {words}.",
            relay=listed(error.relays),
            words=" --relay ".join(error.relays),
        )
    if all(".onion:" in address for address in error.addresses):
        return _("Only Tor leads to {where}: start it, and say --proxy socks5://127.0.0.1:9050.", where=where)
    if all(address.startswith(_RELAY) for address in error.addresses):
        return _("Only {where} leads there, and --no-relay leaves relays out.", where=where)
    return _("No relay leads to {where}, and --relay-only leaves out all other ways.", where=where)


_RELAY_SAYS: Final = {
    RelayStatus.VERSION: mark("The relay {relay} is of another version."),
    RelayStatus.NOBODY: mark(
        "The relay {relay} finds nobody there: your friend's program has ended, or cannot reach it."
    ),
    RelayStatus.FULL: mark("The relay {relay} is full."),
    RelayStatus.CROWD: mark("The relay {relay} takes no more connections from your address."),
    RelayStatus.MALFORMED: mark("The relay {relay} does not understand this program."),
}


def relay_refused(error: failures.RelayRefused) -> Words:
    """A relay that says no."""
    if error.status is None:
        return _("The relay {relay} hung up.", relay=error.relay)
    return _(_RELAY_SAYS[RelayStatus(error.status)], relay=error.relay)


def wrong_host(_error: failures.WrongHost) -> Words:
    """A host with another certificate than the one of the invite."""
    return _(
        "Another host than the one of the invite answers there: the invite is older than the game that "
        "waits there now, or somebody stands in between. They learned nothing. Ask for a new invite."
    )


_LOSSES: Final = {
    Loss.CLOSED_THERE: mark("The other side closed the connection."),
    Loss.CLOSED_HERE: mark("The connection was closed here."),
    Loss.ENDED: mark("The connection was ended."),
    Loss.BROKEN: mark("The connection broke."),
    Loss.UNREAD: mark("The other side takes in no more data."),
    Loss.SILENT: mark("The other side has gone silent."),
}
_CLOSED: Final[dict[int, Words]] = {
    Code.VERSION: mark(
        "The other side has a version of the program that does not fit this one. "
        "Both should install the newest."
    ),
    Code.UNKNOWN_INVITE: mark("The host does not know this invite. Ask for a new one."),
    Code.USED_INVITE: lambda run: _(
        "This invite was used by as many players as it is good for. Ask for a new one; a game that has "
        "begun goes on with {command}.",
        command=run("resume"),
    ),
    Code.EXPIRED_INVITE: mark("This invite has expired. Ask for a new one."),
    Code.DECLINED: mark("The host does not want to play this game with you, or not any more."),
    Code.UNKNOWN_MATCH: mark(
        "The other side has no record of this game, so it never began there. Start a new one with an invite."
    ),
    Code.SAME_PLAYER: mark(
        "Both sides have the same player key, so the game could not tell them apart. "
        "Use another home folder for one of them."
    ),
    Code.PROTOCOL: mark(
        "The other side did not understand a message and closed the connection. What was saved is intact."
    ),
    Code.LEFT: mark("The other player has left. The game is saved and can go on later."),
    Code.STALE: mark(
        "The other side's copy of this game is older than its player's newest signatures. "
        "It must go on from the newest copy."
    ),
    Code.TIMEOUT: mark("The other side waited too long for an answer and closed the connection. Try again."),
    Code.REPLACED: mark("The other side has opened a newer connection for this game."),
    Code.FAILED: mark("The other side can no longer save the game, so it stopped. What was saved is intact."),
    Code.NO_SEAT: mark("Every seat at that table is taken. Ask the host to refuse somebody, or a bot."),
    Code.REVOKED: mark("The host has withdrawn the invite to watch."),
    Code.DIFFERENT: mark(
        "The other player sees other digits than you do. Somebody may stand between you, or you "
        "have met the wrong one. Nothing was agreed. Try once more; if it happens again, use an invite."
    ),
    Code.BUSY: mark(
        "The host meets somebody else just now, or takes invites only. Try again in a minute, or ask "
        "for an invite."
    ),
    Code.WRONG_CODE: mark(
        "The words of the code are wrong, or another host answers there. Ask for the code once "
        "more: each has three tries."
    ),
    Code.VOID_CODE: mark(
        "That code is no longer good: each lives for ten minutes and three tries. Ask for a new one."
    ),
    Code.DIFFERENT: mark(
        "The other player sees other digits than you do. Somebody may stand between you, or you "
        "have met the wrong one. Nothing was agreed. Try once more; if it happens again, use an invite."
    ),
    Code.BUSY: mark(
        "The host meets somebody else just now, or takes invites only. Try again in a minute, or ask "
        "for an invite."
    ),
}
"""By the code that the other side sent.  It sends no text, so the screen shows ours only (threat 23)."""


def refused(error: failures.Refused) -> Words:
    """Why the other side hung up."""
    found = _CLOSED.get(error.code)
    if found is None:
        return _("The other side ended the connection for a reason unknown here.")
    return _(found) if isinstance(found, str) else found


def flawed(error: failures.NotAnInvite) -> Words:
    """A text that is no invite."""
    return _(_FLAWS[error.flaw])


def lost(error: failures.LinkLost) -> Words:
    """How a connection ended."""
    return _(_LOSSES[error.loss])
