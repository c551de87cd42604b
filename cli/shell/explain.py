"""Errors as a player reads them: for each type of error its sentences and its exit code, in one place.

Below `cli`, errors are types with fields; the words about commands, options and what to do stand here only.
A mistake of this program must never be dressed up as somebody's refusal: for one, `explain` returns None.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from cli.shell.exit_codes import Exit, Run, Sorry, Words, bare, worded
from cli.shell.named_files import SYSTEM, about, of_system
from cli.text.names import shown
from cli.text.sanitize import escape
from p2p_stratego.core.game import Edition, OptionError, Version
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.narration import either, listed
from p2p_stratego.registry import NoSuchBot
from protocol import errors, failures
from protocol.failures import Code, Flaw, Hazard, Loss, Part, RelayStatus, Why

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
        # The relay itself is silent: a relay that finds nobody there would say so.
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
}
"""By the code that the other side sent.  It sends a code and no text: the text is ours (threat 23)."""


def refused(error: failures.Refused) -> Words:
    """Why the other side hung up."""
    reason = _CLOSED.get(error.code)
    if reason is None:
        return _("The other side ended the connection for a reason unknown here.")
    return _(reason) if isinstance(reason, str) else reason


def flawed(error: failures.NotAnInvite) -> Words:
    """A text that is no invite."""
    return _(_FLAWS[error.flaw])


def lost(error: failures.LinkLost) -> Words:
    """How a connection ended."""
    return _(_LOSSES[error.loss])


def explain(error: BaseException, run: Run = bare) -> tuple[str, Exit] | None:
    """The sentence and the exit code for `error`, or None if it is a bug of this program.

    `run`: writes the commands in it, see `exit_codes.Run`.  A group of errors, as parallel tasks raise it, is
    explained if each of its members is: a bug beside a refusal stays a bug.
    """
    if isinstance(error, BaseExceptionGroup):
        explained = [explain(leaf, run) for leaf in _leaves(error)]
        return None if None in explained else explained[0]
    if isinstance(error, Sorry):
        return error.sentence(run), error.code
    if isinstance(error, OSError):
        return of_system(error)
    code = next((code for kind, code in _CODES if isinstance(error, kind)), None)
    return None if code is None or not isinstance(error, Exception) else (sentence(error, run), code)


def sentence(error: Exception, run: Run = bare) -> str:
    """The sentences for a refusal, a failure, or a step not possible now: the event, its meaning, a remedy.

    A type without words of its own is told by its technical line.
    """
    for kind in type(error).__mro__:
        if kind in WORDS:
            return worded(WORDS[kind](error), run)
    line = str(error).rstrip(".")
    whole = f"{line[:1].upper()}{line[1:]}."
    return _(whole)


def _leaves(group: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    for member in group.exceptions:
        if isinstance(member, BaseExceptionGroup):
            yield from _leaves(member)
        else:
            yield member


# Disk


def _storage(error: failures.StorageFailure) -> Words:
    if error.errno in SYSTEM:
        return about(SYSTEM[error.errno][0], f"'{error.place}'")
    reason = os.strerror(error.errno).lower() if error.errno else _("no reason given")
    return about(SYSTEM[errno.EIO][0], f"'{error.place}' ({reason})")


_HAZARDS: Final = {
    Hazard.LINK: mark("{place} is a symbolic link, and none is followed here. Put the real file there."),
    Hazard.NO_FOLDER: mark(
        "{place} is not a folder, or a link to one. Move it away, or choose another folder with --home DIR."
    ),
    Hazard.A_FOLDER: mark("{place} is a folder where a file should be. Move it away."),
    Hazard.NO_FILE: mark("{place} is no regular file. Move it away."),
    Hazard.FILE_FOR_HOME: mark(
        "{place} is a file, not a folder. Move it away, or choose another folder with --home DIR."
    ),
    Hazard.OTHERS_MAY_CHANGE: mark(
        "{place} belongs to somebody else, or others may change it: your keys could be "
        "swapped. Run `chmod 700` on it, or choose another folder with --home DIR."
    ),
    Hazard.TOO_LARGE: mark("{place} is larger than any file that this program writes. Move it away."),
}


def _too_long(error: failures.TooLong) -> Words:
    return _(
        "The record of this game, '{place}', is as long as one may be, so the game cannot go on. "
        "All that was played stays, and can be looked at.",
        place=error.place,
    )


def _unsafe(error: failures.Unsafe) -> Words:
    return _(_HAZARDS[error.hazard], place=f"'{error.place}'")


def _damaged(error: failures.Damaged) -> Words:
    place = f"'{error.place}'"
    if error.part is Part.RECORD:
        return lambda run: _(
            "{place} is damaged after byte {offset}: it holds bytes that were never written there, so "
            "the disk or another program changed it. The game cannot go on from this copy; put back a copy "
            "of its folder, if there is one. {command} still reads the good part of a transcript.",
            place=place,
            offset=error.offset,
            command=run("audit"),
        )
    return {
        Part.ROUTE: _(
            "{place} cannot be read, so the other side cannot be found. Use a new invite.", place=place
        ),
        Part.CERTIFICATE: _(
            "The certificate kept for this game cannot be read, so nobody can reconnect. Use a new invite."
        ),
        Part.KEY: _(
            "{place} is no Ed25519 key. Put a copy of it back, or move it away to begin as a new "
            "player, who cannot go on with the games of the old one.",
            place=place,
        ),
        Part.DOORSTEP: _(
            "{place} cannot be read. Move it away: then your friends must be told anew where to "
            "ask you for a game.",
            place=place,
        ),
        Part.POSTS: _(
            "{place} cannot be read. Move it away: then the game signs nothing before a post of it "
            "is answered, or you are connected.",
            place=place,
        ),
        Part.OFFER: _("{place} cannot be read. Move its folder away, and write a new offer.", place=place),
        Part.CONTACTS: _(
            "{place} cannot be read. Move it away: then everybody counts as met for the first time.",
            place=place,
        ),
    }[error.part]


def _unsupported(error: errors.Unsupported) -> Words:
    if error.known is None and isinstance(error.version, Edition):
        package = error.version.package
        return _(
            "Its game, {game}, is not one of this program. Its players name the package {package}: install "
            "that one beside this program (pip install {package}) if you know who makes it, as a package "
            "runs on your machine as you.",
            game=f"'{escape(error.game)}'",  # its record may name it as it likes
            package=package,
        )
    if error.known is not None and (isinstance(error.version, Edition) or isinstance(error.known, Edition)):
        return _(
            "It is played by other rules of {game} than you have: by {theirs}, and yours are {known}.",
            game=f"'{escape(error.game)}'",
            theirs=rules(error.version or 0),
            known=rules(error.known),
        )
    return _(str(error))


_SHOWN: Final = 16
"""Digits of a hash that people compare: 64 bits."""


def rules(version: Version) -> str:
    """The rules of a game by number and package, in a few words: "rules 2"."""
    if isinstance(version, int):
        return _("rules {version}", version=version)
    return _(
        "rules {version} of the package {package} [{digest}]",
        version=version.number,
        package=version.package,
        digest=version.digest.hex()[:_SHOWN],
    )


def _no_such_match(error: failures.NoSuchMatch) -> Words:
    if error.matches:
        return lambda run: _(
            "Several saved games begin with that id. See {command} for the list.", command=run("games")
        )
    return lambda run: _(
        "No saved game begins with that id. See {command} for the list.", command=run("games")
    )


def _unknown_contact(error: failures.UnknownContact) -> Words:
    if not error.contacts:
        return lambda run: _(
            "Nobody of that name is among your contacts. See {command}.", command=run("contacts")
        )
    which = ", ".join(f"{key} ({shown(name)})" for name, key in error.contacts)
    return _("Several of your contacts could be meant. Say the fingerprint of the one: {which}.", which=which)


def _not_ours(error: failures.NotOurs) -> Words:
    return _(
        "The game in '{place}' was played with another key than the one in this home folder. "
        "Put that identity.key back to go on with it.",
        place=error.place,
    )


def _in_use(_error: failures.InUse) -> Words:
    return _(
        "This game is open in another window or program. Close it there; nothing was changed here, and two "
        "at once could sign contradicting moves."
    )


# Steps of our own player


_NOT_NOW: Final = {
    Why.NOTHING_TO_DECIDE: mark("There is nothing for you to decide at the moment."),
    Why.NOT_OFFERED: mark("The rules do not offer “{detail}” here."),
    Why.WRONG_COUNT: mark("Exactly {detail} must be laid."),
    Why.BAD_TEXT: "{detail}",
    Why.NOT_CONNECTED: mark("Nothing can be said while the other side is not connected."),
    Why.NOT_COMPARED: mark(
        "Wait until the other side is connected: both copies of the match must be compared."
    ),
    Why.BEHIND: mark("Wait until every record of the other side has arrived."),
    Why.FULL: mark("You have said as much as the record of one match may hold."),
    Why.NOT_BEGUN: mark("The match has not begun."),
    Why.ENDED: mark("The match has ended."),
    Why.NO_MATCH: mark("There is no match under way."),
    Why.OLD_COPY: mark("Another copy of this match has gone on in your name. Continue there."),
    Why.OFFER_STANDS: mark("Your offer of a draw still stands."),
    Why.NOTHING_TO_TAKE_BACK: mark("No decision of yours can be taken back at the moment."),
    Why.NO_OFFER: mark("No offer of a draw stands at the moment."),
    Why.NOT_ACKNOWLEDGED: mark(
        "The other side never confirmed that it has what you said last, so nobody can "
        "say that it keeps the game waiting. Your record shows who owes what: wait, or resume later."
    ),
    Why.OWN_TURN: mark("It is your own turn: nobody else keeps the match waiting."),
    Why.STILL_TIME: mark("The other side still has {detail} seconds to come back."),
    Why.OTHER_LISTING: mark("The host has changed the list. Look at it again."),
    Why.SEATS_EMPTY: mark("Not everybody is here yet."),
    Why.NOBODY_THERE: mark("Nobody else sits on that seat."),
    Why.OPEN_TALK: mark("In this game all talk is open to all."),
    Why.READER_GONE: mark("That player has left the game and reads nothing any more."),
    Why.NO_REMATCH: mark(
        "A return match can begin when this one has ended and all its players are connected."
    ),
}


def _not_now(error: failures.NotNow) -> Words:
    return _(_NOT_NOW[error.why], detail=error.detail)


def _option(error: OptionError) -> Words:
    return f"{str(error).rstrip('.')}."  # a clause, since some callers go on from it


WORDS: Final[dict[type, Callable[[Any], Words]]] = {
    OptionError: _option,
    errors.Stale: lambda _error: _(
        "Another copy of this match has gone on in your name, so this one stays as it is. Continue there."
    ),
    failures.StorageFailure: _storage,
    failures.Unsafe: _unsafe,
    failures.TooLong: _too_long,
    failures.Damaged: _damaged,
    failures.NoSuchMatch: _no_such_match,
    failures.NotOurs: _not_ours,
    failures.UnknownContact: _unknown_contact,
    failures.InUse: _in_use,
    failures.NotAnInvite: flawed,
    failures.NotAnAddress: no_address,
    failures.InviteTypo: lambda _error: _(
        "A letter of this invite is wrong, missing or too many. Copy it again, whole."
    ),
    failures.NotACode: not_a_code,
    failures.InviteNewer: lambda _error: _(
        "This invite is from another version of the program. Both sides should install the newest one."
    ),
    failures.InviteOfAnotherKind: another_kind,
    failures.CannotListen: cannot_listen,
    failures.Unreachable: unreachable,
    failures.Unserved: unserved,
    failures.RelayRefused: relay_refused,
    failures.WrongHost: wrong_host,
    failures.SeenEnough: lambda error: _(
        "You have watched {matches} games in a row. To see more, type the same command again.",
        matches=error.matches,
    ),
    errors.Unsupported: _unsupported,
    failures.AnotherPlayer: lambda _error: _(
        "Another player answers there than the one whose fingerprint was announced: somebody else uses it. "
        "They learned your name and key, and nothing else. Ask your friend for an invite."
    ),
    failures.NoNearby: lambda error: _(
        "Games nearby cannot be found or shown here ({reason}). An invite works all the same.",
        reason=error.reason,
    ),
    failures.LinkLost: lost,
    failures.Refused: refused,
    failures.NotTheSame: lambda _error: _(
        "You did not see the same digits: somebody may stand between you, or you have met the wrong one. "
        "Nothing was agreed. Try once more; if it happens again, ask for an invite."
    ),
    failures.Declined: lambda _error: _("You did not want to play; the others were told so."),
    failures.Blocked: lambda _error: _(
        "You have blocked that player, who was told that you do not want to play."
    ),
    failures.NotNow: _not_now,
    failures.UnsafeLibrary: lambda _error: _(
        "The installed PyNaCl takes keys for which anybody can sign, so no game would be safe "
        "(CVE-2025-69277). Install PyNaCl 1.6.2 or newer."
    ),
    failures.NoGroup: lambda error: _(
        "The library for decks of cards, rbcl, cannot be used ({reason}). It loads itself from the "
        "temporary folder: if programs may not be started there (noexec), set TMPDIR to another folder.",
        reason=error.reason,
    ),
}
"""By type of error, or its nearest base: the function that makes sentences of its fields."""

_CODES: Final[tuple[tuple[type[Exception], Exit], ...]] = (
    (NoSuchBot, Exit.USAGE),
    (OptionError, Exit.USAGE),
    (errors.Violation, Exit.CHEATED),
    (errors.Equivocation, Exit.EQUIVOCATED),
    (errors.Forged, Exit.TAMPERED),
    (errors.Misplaced, Exit.TAMPERED),
    (errors.Unsupported, Exit.UNSUPPORTED),
    (errors.Refusal, Exit.DATA),
    (failures.StorageFailure, Exit.IO),
    (failures.InviteNewer, Exit.UNSUPPORTED),
    (failures.InviteFailure, Exit.DATA),
    (failures.UnknownContact, Exit.USAGE),
    (failures.NetworkFailure, Exit.UNREACHABLE),
    (failures.UnsafeLibrary, Exit.CONFIG),
    (failures.NoGroup, Exit.CONFIG),
)
