"""Errors as a player reads them: for each type of error its sentences and its exit code, in one place.

Below `cli`, errors are types with fields; the words about commands, options and what to do stand here only.
A mistake of this program must never be dressed up as somebody's refusal: for one, `explain` returns None.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from typing import Any, Final

from cli.shell import explain_network
from cli.shell.exit_codes import Exit, Run, Sorry, Words, bare, worded
from cli.text.names import shown
from cli.text.sanitize import escape
from p2p_stratego.core.game import Edition, OptionError, Version
from p2p_stratego.core.language import _, mark
from p2p_stratego.registry import NoSuchBot
from protocol import errors, failures
from protocol.failures import Hazard, Part, Why

_SHOWN: Final = 16
"""Digits of a hash that people compare: 64 bits."""
_SYSTEM: Final[dict[int, tuple[str, Exit]]] = {
    errno.ENOENT: (mark("There is no {name}. Check the path."), Exit.IO),
    errno.EEXIST: (
        mark("{Name} is there already, and nothing is overwritten. Choose another name."),
        Exit.IO,
    ),
    errno.EISDIR: (mark("{Name} is a folder, and a file is needed here. Name a file in it."), Exit.IO),
    errno.ENOTDIR: (
        mark("{Name} is not in a folder: something on its path is a file. Check the path."),
        Exit.IO,
    ),
    errno.EACCES: (
        mark(
            "{Name} may not be opened or changed by this user. Change its permissions, or use another place: "
            "for the home folder with --home DIR."
        ),
        Exit.IO,
    ),
    errno.EPERM: (
        mark(
            "{Name} may not be changed by this user. Change its permissions, or use another place: "
            "for the home "
            "folder with --home DIR."
        ),
        Exit.IO,
    ),
    errno.EROFS: (
        mark("{Name} is on a read-only disk. Choose another place, for the home folder with --home DIR."),
        Exit.IO,
    ),
    errno.ENOSPC: (
        mark("The disk of {name} is full. Make room and try again; what was saved is intact."),
        Exit.IO,
    ),
    errno.EDQUOT: (
        mark("The quota for {name} is used up. Make room and try again; what was saved is intact."),
        Exit.IO,
    ),
    errno.EFBIG: (
        mark("{Name} may not grow. Lift that limit and try again; what was saved is intact."),
        Exit.IO,
    ),
    errno.EIO: (
        mark(
            "The disk failed at {name}. Nothing more is written; copy the folder to another disk "
            "before trying "
            "again."
        ),
        Exit.IO,
    ),
    errno.ELOOP: (
        mark("{Name} is a symbolic link, which is not followed here. Name the real file."),
        Exit.IO,
    ),
    errno.ENAMETOOLONG: (mark("The name of {name} is too long. Choose a shorter one."), Exit.IO),
    errno.EMFILE: (mark("Too many files are open. Close some programs and try again."), Exit.IO),
    errno.EADDRINUSE: (
        mark("The port is already in use. Choose another one with --port N, or --port 0 for any."),
        Exit.UNREACHABLE,
    ),
    errno.EADDRNOTAVAIL: (
        mark("This machine does not have that address. Choose one that it has, or leave it out."),
        Exit.UNREACHABLE,
    ),
    errno.ECONNREFUSED: (
        mark("Nobody answers at the address of the invite. Ask whether your opponent still waits."),
        Exit.UNREACHABLE,
    ),
    errno.ECONNRESET: (
        mark("The other side closed the connection; what was saved is intact. Go on with the game later."),
        Exit.UNREACHABLE,
    ),
    errno.ETIMEDOUT: (
        mark("The other side did not answer in time. Check the address and the network between you."),
        Exit.UNREACHABLE,
    ),
    errno.EHOSTUNREACH: (
        mark("There is no way to that address. Check the address and the network."),
        Exit.UNREACHABLE,
    ),
    errno.ENETUNREACH: (
        mark("There is no way to that network. Check that this machine is online."),
        Exit.UNREACHABLE,
    ),
}
"""By the system's error number: the sentence, with the file in it, and the exit code."""


def explain(error: BaseException, run: Run = bare) -> tuple[str, Exit] | None:
    """The sentence and the exit code for `error`, or None if it is a bug of this program.

    `run`: how commands in it are written, see `exit_codes.Run`.  A group of errors, as tasks running side by
    side raise it, is explained if each of its members is.
    """
    if isinstance(error, BaseExceptionGroup):
        told = [explain(leaf, run) for leaf in _leaves(error)]
        return None if None in told else told[0]
    if isinstance(error, Sorry):
        return error.told(run), error.code
    if isinstance(error, OSError):
        return _of_system(error)
    code = next((code for kind, code in _CODES if isinstance(error, kind)), None)
    return None if code is None or not isinstance(error, Exception) else (sentence(error, run), code)


def sentence(error: Exception, run: Run = bare) -> str:
    """What happened, what it means and what to do, for a refusal, a failure, or a step not possible now.

    A type that has no words of its own is told by its technical line.
    """
    for kind in type(error).__mro__:
        if kind in _WORDS:
            return worded(_WORDS[kind](error), run)
    line = str(error).rstrip(".")
    whole = f"{line[:1].upper()}{line[1:]}."
    return _(whole)


def _leaves(group: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    for member in group.exceptions:
        if isinstance(member, BaseExceptionGroup):
            yield from _leaves(member)
        else:
            yield member


def _of_system(error: OSError) -> tuple[str, Exit]:
    path = os.fspath(error.filename) if isinstance(error.filename, str | bytes | os.PathLike) else None
    name = f"'{os.fsdecode(path)}'" if path is not None else _("the file in use")
    if error.errno in _SYSTEM:
        text, code = _SYSTEM[error.errno]
        return _about(text, name), code
    reason = (error.strerror or type(error).__name__).rstrip(".")
    if path is not None:
        told = _("The system refused: {reason} ({name}). Mend that and try again.", reason=reason, name=name)
    else:
        told = _("The system refused: {reason}. Mend that and try again.", reason=reason)
    return told, Exit.IO


def _about(text: str, name: str) -> str:
    """A sentence of `_SYSTEM` about the file or folder `name`."""
    return _(text, name=name, Name=name[0].upper() + name[1:])


# Disk


def _storage(error: failures.StorageFailure) -> Words:
    if error.errno in _SYSTEM:
        return _about(_SYSTEM[error.errno][0], f"'{error.place}'")
    reason = os.strerror(error.errno).lower() if error.errno else _("no reason given")
    return _about(_SYSTEM[errno.EIO][0], f"'{error.place}' ({reason})")


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
    if error.known is None and isinstance(error.found, Edition):
        package = error.found.package
        return _(
            "Its game, {game}, is not one of this program. Its players name the package {package}: install "
            "that one beside this program (pip install {package}) if you know who makes it, as a package "
            "runs on your machine as you.",
            game=f"'{escape(error.game)}'",  # its record may name it as it likes
            package=package,
        )
    if error.known is not None and (isinstance(error.found, Edition) or isinstance(error.known, Edition)):
        return _(
            "It is played by other rules of {game} than you have: by {found}, and yours are {known}.",
            game=f"'{escape(error.game)}'",
            found=rules(error.found or 0),
            known=rules(error.known),
        )
    return _(str(error))


def rules(version: Version) -> str:
    """Which rules of a game these are, in a few words: "rules 2"."""
    if isinstance(version, int):
        return _("rules {version}", version=version)
    return _(
        "rules {version} of the package {package} [{digest}]",
        version=version.number,
        package=version.package,
        digest=version.digest.hex()[:_SHOWN],
    )


def _no_such_match(error: failures.NoSuchMatch) -> Words:
    if error.found:
        return lambda run: _(
            "Several saved games begin with that id. See {command} for the list.", command=run("games")
        )
    return lambda run: _(
        "No saved game begins with that id. See {command} for the list.", command=run("games")
    )


def _unknown_contact(error: failures.UnknownContact) -> Words:
    if not error.found:
        return lambda run: _(
            "Nobody of that name is among your contacts. See {command}.", command=run("contacts")
        )
    which = ", ".join(f"{key} ({shown(name)})" for name, key in error.found)
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


_WORDS: Final[dict[type, Callable[[Any], Words]]] = {
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
    failures.NotAnInvite: explain_network.flawed,
    failures.NotAnAddress: explain_network.no_address,
    failures.InviteTypo: lambda _error: _(
        "A letter of this invite is wrong, missing or too many. Copy it again, whole."
    ),
    failures.NotACode: explain_network.not_a_code,
    failures.InviteNewer: lambda _error: _(
        "This invite is from another version of the program. Both sides should install the newest one."
    ),
    failures.InviteOfAnotherKind: explain_network.another_kind,
    failures.CannotListen: explain_network.cannot_listen,
    failures.Unreachable: explain_network.unreachable,
    failures.Unserved: explain_network.unserved,
    failures.RelayRefused: explain_network.relay_refused,
    failures.WrongHost: explain_network.wrong_host,
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
    failures.LinkLost: explain_network.lost,
    failures.Refused: explain_network.refused,
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
"""By type of error, or its nearest base: the function that makes sentences from its fields."""

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
    (failures.UnknownContact, Exit.DATA),
    (failures.NetworkFailure, Exit.UNREACHABLE),
    (failures.UnsafeLibrary, Exit.CONFIG),
    (failures.NoGroup, Exit.CONFIG),
)
