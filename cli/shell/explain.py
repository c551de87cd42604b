"""Errors as a player reads them: for each type of error its sentences and its exit code, in one place.

Below `cli`, errors are types with fields; the words about commands, options and what to do stand here only.
A mistake of this program must never be dressed up as somebody's refusal: for one, `explain` returns None.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from typing import Any, Final

from cli.shell.exit_codes import Exit, Run, Sorry, Words, bare, worded
from cli.text.names import shown
from p2p_stratego.core.game import OptionError
from p2p_stratego.registry import NoSuchBot
from protocol import errors, failures
from protocol.failures import Code, Flaw, Hazard, Loss, Part, RelayStatus, Why

_INTACT: Final = "what was saved is intact"

_SYSTEM: Final[dict[int, tuple[str, Exit]]] = {
    errno.ENOENT: ("There is no {name}. Check the path.", Exit.IO),
    errno.EEXIST: ("{Name} is there already, and nothing is overwritten. Choose another name.", Exit.IO),
    errno.EISDIR: ("{Name} is a folder, and a file is needed here. Name a file in it.", Exit.IO),
    errno.ENOTDIR: ("{Name} is not in a folder: something on its path is a file. Check the path.", Exit.IO),
    errno.EACCES: (
        "{Name} may not be opened or changed by this user. Change its permissions, or use another place: "
        "for the home folder with --home DIR.",
        Exit.IO,
    ),
    errno.EPERM: (
        "{Name} may not be changed by this user. Change its permissions, or use another place: for the home "
        "folder with --home DIR.",
        Exit.IO,
    ),
    errno.EROFS: (
        "{Name} is on a read-only disk. Choose another place, for the home folder with --home DIR.",
        Exit.IO,
    ),
    errno.ENOSPC: (f"The disk of {{name}} is full. Make room and try again; {_INTACT}.", Exit.IO),
    errno.EDQUOT: (f"The quota for {{name}} is used up. Make room and try again; {_INTACT}.", Exit.IO),
    errno.EFBIG: (f"{{Name}} may not grow. Lift that limit and try again; {_INTACT}.", Exit.IO),
    errno.EIO: (
        "The disk failed at {name}. Nothing more is written; copy the folder to another disk before trying "
        "again.",
        Exit.IO,
    ),
    errno.ELOOP: ("{Name} is a symbolic link, which is not followed here. Name the real file.", Exit.IO),
    errno.ENAMETOOLONG: ("The name of {name} is too long. Choose a shorter one.", Exit.IO),
    errno.EMFILE: ("Too many files are open. Close some programs and try again.", Exit.IO),
    errno.EADDRINUSE: (
        "The port is already in use. Choose another one with --port N, or --port 0 for any.",
        Exit.UNREACHABLE,
    ),
    errno.EADDRNOTAVAIL: (
        "This machine does not have that address. Choose one that it has, or leave it out.",
        Exit.UNREACHABLE,
    ),
    errno.ECONNREFUSED: (
        "Nobody answers at the address of the invite. Ask whether your opponent still waits.",
        Exit.UNREACHABLE,
    ),
    errno.ECONNRESET: (
        f"The other side closed the connection; {_INTACT}. Go on with the game later.",
        Exit.UNREACHABLE,
    ),
    errno.ETIMEDOUT: (
        "The other side did not answer in time. Check the address and the network between you.",
        Exit.UNREACHABLE,
    ),
    errno.EHOSTUNREACH: (
        "There is no way to that address. Check the address and the network.",
        Exit.UNREACHABLE,
    ),
    errno.ENETUNREACH: (
        "There is no way to that network. Check that this machine is online.",
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
    return f"{line[:1].upper()}{line[1:]}."


def _leaves(group: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    for member in group.exceptions:
        if isinstance(member, BaseExceptionGroup):
            yield from _leaves(member)
        else:
            yield member


def _of_system(error: OSError) -> tuple[str, Exit]:
    path = os.fspath(error.filename) if isinstance(error.filename, str | bytes | os.PathLike) else None
    name = f"'{os.fsdecode(path)}'" if path is not None else "the file in use"
    if error.errno in _SYSTEM:
        text, code = _SYSTEM[error.errno]
        return _about(text, name), code
    reason = (error.strerror or type(error).__name__).rstrip(".")
    return f"The system refused: {reason}{f' ({name})' if path else ''}. Mend that and try again.", Exit.IO


def _about(text: str, name: str) -> str:
    """A sentence of `_SYSTEM` about the file or folder `name`."""
    return text.format(name=name, Name=name[0].upper() + name[1:])


# Disk


def _storage(error: failures.StorageFailure) -> Words:
    if error.errno in _SYSTEM:
        return _about(_SYSTEM[error.errno][0], f"'{error.place}'")
    reason = os.strerror(error.errno).lower() if error.errno else "no reason given"
    return _about(_SYSTEM[errno.EIO][0], f"'{error.place}' ({reason})")


_ELSEWHERE: Final = "Move it away, or choose another folder with --home DIR."
_HAZARDS: Final = {
    Hazard.LINK: "is a symbolic link, and none is followed here. Put the real file there.",
    Hazard.NO_FOLDER: f"is not a folder, or a link to one. {_ELSEWHERE}",
    Hazard.A_FOLDER: "is a folder where a file should be. Move it away.",
    Hazard.NO_FILE: "is no regular file. Move it away.",
    Hazard.FILE_FOR_HOME: f"is a file, not a folder. {_ELSEWHERE}",
    Hazard.OTHERS_MAY_CHANGE: "belongs to somebody else, or others may change it: your keys could be "
    "swapped. Run `chmod 700` on it, or choose another folder with --home DIR.",
    Hazard.TOO_LARGE: "is larger than any file that this program writes. Move it away.",
}


def _too_long(error: failures.TooLong) -> Words:
    return (
        f"The record of this game, '{error.place}', is as long as one may be, so the game cannot go on. "
        "All that was played stays, and can be looked at."
    )


def _unsafe(error: failures.Unsafe) -> Words:
    return f"'{error.place}' {_HAZARDS[error.hazard]}"


def _damaged(error: failures.Damaged) -> Words:
    place = f"'{error.place}'"
    if error.part is Part.RECORD:
        return lambda run: (
            f"{place} is damaged after byte {error.offset}: it holds bytes that were never written there, so "
            "the disk or another program changed it. The game cannot go on from this copy; put back a copy "
            f"of its folder, if there is one. {run('audit')} still reads the good part of a transcript."
        )
    return {
        Part.ROUTE: f"{place} cannot be read, so the other side cannot be found. Use a new invite.",
        Part.CERTIFICATE: "The certificate kept for this game cannot be read, so nobody can reconnect. "
        "Use a new invite.",
        Part.KEY: f"{place} is no Ed25519 key. Put a copy of it back, or move it away to begin as a new "
        "player, who cannot go on with the games of the old one.",
        Part.DOORSTEP: f"{place} cannot be read. Move it away: then your friends must be told anew where to "
        "ask you for a game.",
        Part.POSTS: f"{place} cannot be read. Move it away: then the game signs nothing before a post of it "
        "is answered, or you are connected.",
        Part.OFFER: f"{place} cannot be read. Move its folder away, and write a new offer.",
        Part.CONTACTS: f"{place} cannot be read. Move it away: then everybody counts as met for the first "
        "time.",
    }[error.part]


def _no_such_match(error: failures.NoSuchMatch) -> Words:
    how_many = "Several saved games begin" if error.found else "No saved game begins"
    return lambda run: f"{how_many} with that id. See {run('games')} for the list."


def _unknown_contact(error: failures.UnknownContact) -> Words:
    if not error.found:
        return lambda run: f"Nobody of that name is among your contacts. See {run('contacts')}."
    which = ", ".join(f"{key} ({shown(name)})" for name, key in error.found)
    return f"Several of your contacts could be meant. Say the fingerprint of the one: {which}."


def _not_ours(error: failures.NotOurs) -> Words:
    return (
        f"The game in '{error.place}' was played with another key than the one in this home folder. "
        "Put that identity.key back to go on with it."
    )


def _in_use(_: failures.InUse) -> Words:
    return (
        "This game is open in another window or program. Close it there; nothing was changed here, and two "
        "at once could sign contradicting moves."
    )


# Invites


_FLAWS: Final = {
    Flaw.NO_PREFIX: "This is no invite: one begins with P2PS and is a single long word. Copy it whole.",
    Flaw.NO_PLACE: "This invite names no place to call. Ask for a new one.",
    Flaw.BAD_ADDRESS: "This invite holds an address that cannot be read. Ask for a new one.",
    Flaw.TOO_MUCH: "This invite holds more than it should. Ask for a new one.",
    Flaw.BAD_KIND: "This invite is neither to play nor to watch. Ask for a new one.",
    Flaw.BAD_RECORD: "The record of this invite cannot be read. Make a new one.",
}


def _not_a_code(error: failures.NotACode) -> Words:
    if not error.word:
        begun = f" Yours begins with {' or '.join(error.near)}." if error.near else ""
        return f"A code is a number and two words, such as 7-amber-violin.{begun}"
    near = f" It is perhaps {' or '.join(error.near)}." if error.near else " Ask for it letter by letter."
    return f"Codes have no word “{error.word}”.{near}"


def _no_address(error: failures.NotAnAddress) -> Words:
    return (
        f"{error.text!r} is no address: that is an IP address or a host name in ASCII letters, and if it "
        "needs one a port from 1 to 65535 behind a colon."
    )


# Network


def _another_kind(error: failures.InviteOfAnotherKind) -> Words:
    if error.watch:
        return lambda run: f"This invite is to watch a game: {run('watch INVITE')} takes it."
    return lambda run: f"This invite is to play: {run('join INVITE')} takes it."


def _cannot_listen(error: failures.CannotListen) -> Words:
    port = error.port
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is in use already. Choose another one with --port, or 0 for any."
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"Port {port} is not for this user. Choose one from 1024 up with --port, or 0 for any."
    reason = os.strerror(error.errno).lower() if error.errno else "refused"
    return f"This machine cannot listen on port {port}: {reason}. Choose another one with --port."


def _unreachable(error: failures.Unreachable) -> Words:
    where = " and ".join(error.addresses)
    if error.addresses and all(address.startswith("the relay ") for address in error.addresses):
        # Of the relay itself nothing is heard; who finds nobody there is told so by it.
        down = "do not answer" if len(error.addresses) > 1 else "does not answer"
        return f"{where[0].upper()}{where[1:]} {down}. Ask whoever runs it, or name another one with --relay."
    if error.refused:
        return (
            f"Nobody waits at {where}. Ask whether your opponent's program still runs, and with this invite."
        )
    return (
        f"Nobody answers at {where}. Check that both are online, and that the host's port can be reached "
        "from outside (its router may have to forward it)."
    )


def _unserved(error: failures.Unserved) -> Words:
    where = " and ".join(error.addresses)
    if error.relays:
        named = " and ".join(error.relays)
        return (
            f"The relay {named} leads there, but you have not named it, and with --relay-only whoever runs "
            f"it would learn your address. If it may, say --relay {' --relay '.join(error.relays)}."
        )
    if all(".onion:" in address for address in error.addresses):
        return f"Only Tor leads to {where}: start it, and say --proxy socks5://127.0.0.1:9050."
    if all(address.startswith("the relay ") for address in error.addresses):
        return f"Only {where} leads there, and --no-relay leaves relays out."
    return f"No relay leads to {where}, and --relay-only leaves out all other ways."


_RELAY_SAYS: Final = {
    RelayStatus.VERSION: "is of another version",
    RelayStatus.NOBODY: "finds nobody there: your friend's program has ended, or cannot reach it",
    RelayStatus.FULL: "is full",
    RelayStatus.CROWD: "takes no more connections from your address",
    RelayStatus.MALFORMED: "does not understand this program",
}


def _relay_refused(error: failures.RelayRefused) -> Words:
    says = "hung up" if error.status is None else _RELAY_SAYS[RelayStatus(error.status)]
    return f"The relay {error.relay} {says}."


def _wrong_host(_: failures.WrongHost) -> Words:
    return (
        "Another host than the one of the invite answers there: the invite is older than the game that "
        "waits there now, or somebody stands in between. They learned nothing. Ask for a new invite."
    )


_LOSSES: Final = {
    Loss.CLOSED_THERE: "The other side closed the connection.",
    Loss.CLOSED_HERE: "The connection was closed here.",
    Loss.ENDED: "The connection was ended.",
    Loss.BROKEN: "The connection broke.",
    Loss.UNREAD: "The other side takes in no more data.",
    Loss.SILENT: "The other side has gone silent.",
}
_USED: Final = "This invite was used by as many players as it is good for. Ask for a new one"
_CLOSED: Final[dict[int, Words]] = {
    Code.VERSION: "The other side has a version of the program that does not fit this one. "
    "Both should install the newest.",
    Code.UNKNOWN_INVITE: "The host does not know this invite. Ask for a new one.",
    Code.USED_INVITE: lambda run: f"{_USED}; a game that has begun goes on with {run('resume')}.",
    Code.EXPIRED_INVITE: "This invite has expired. Ask for a new one.",
    Code.DECLINED: "The host does not want to play this game with you, or not any more.",
    Code.UNKNOWN_MATCH: "The other side has no record of this game, so it never began there. "
    "Start a new one with an invite.",
    Code.SAME_PLAYER: "Both sides have the same player key, so the game could not tell them apart. "
    "Use another home folder for one of them.",
    Code.PROTOCOL: "The other side did not understand a message and closed the connection. "
    "What was saved is intact.",
    Code.LEFT: "The other player has left. The game is saved and can go on later.",
    Code.STALE: "The other side's copy of this game is older than its player's newest signatures. "
    "It must go on from the newest copy.",
    Code.TIMEOUT: "The other side waited too long for an answer and closed the connection. Try again.",
    Code.REPLACED: "The other side has opened a newer connection for this game.",
    Code.FAILED: "The other side can no longer save the game, so it stopped. What was saved is intact.",
    Code.NO_SEAT: "Every seat at that table is taken. Ask the host to refuse somebody, or a bot.",
    Code.REVOKED: "The host has withdrawn the invite to watch.",
    Code.DIFFERENT: "The other player sees other digits than you do. Somebody may stand between you, or you "
    "have met the wrong one. Nothing was agreed. Try once more; if it happens again, use an invite.",
    Code.BUSY: "The host meets somebody else just now, or takes invites only. Try again in a minute, or ask "
    "for an invite.",
    Code.WRONG_CODE: "The words of the code are wrong, or another host answers there. Ask for the code once "
    "more: each has three tries.",
    Code.VOID_CODE: "That code is no longer good: each lives for ten minutes and three tries. "
    "Ask for a new one.",
    Code.DIFFERENT: "The other player sees other digits than you do. Somebody may stand between you, or you "
    "have met the wrong one. Nothing was agreed. Try once more; if it happens again, use an invite.",
    Code.BUSY: "The host meets somebody else just now, or takes invites only. Try again in a minute, or ask "
    "for an invite.",
}
"""By the code that the other side sent.  It sends no text, so the screen shows ours only (threat 23)."""


def _refused(error: failures.Refused) -> Words:
    return _CLOSED.get(error.code, "The other side ended the connection for a reason unknown here.")


# Steps of our own player


_NOT_NOW: Final = {
    Why.NOTHING_TO_DECIDE: "There is nothing for you to decide at the moment.",
    Why.NOT_OFFERED: "The rules do not offer “{detail}” here.",
    Why.WRONG_COUNT: "Exactly {detail} must be laid.",
    Why.BAD_TEXT: "{detail}",
    Why.NOT_CONNECTED: "Nothing can be said while the other side is not connected.",
    Why.NOT_COMPARED: "Wait until the other side is connected: both copies of the match must be compared.",
    Why.BEHIND: "Wait until every record of the other side has arrived.",
    Why.FULL: "You have said as much as the record of one match may hold.",
    Why.NOT_BEGUN: "The match has not begun.",
    Why.ENDED: "The match has ended.",
    Why.NO_MATCH: "There is no match under way.",
    Why.OLD_COPY: "Another copy of this match has gone on in your name. Continue there.",
    Why.OFFER_STANDS: "Your offer of a draw still stands.",
    Why.NO_OFFER: "No offer of a draw stands at the moment.",
    Why.NOT_ACKNOWLEDGED: "The other side never confirmed that it has what you said last, so nobody can "
    "say that it keeps the game waiting. Your record shows who owes what: wait, or resume later.",
    Why.OWN_TURN: "It is your own turn: nobody else keeps the match waiting.",
    Why.STILL_TIME: "The other side still has {detail} seconds to come back.",
    Why.OTHER_LISTING: "The host has changed the list. Look at it again.",
    Why.SEATS_EMPTY: "Not everybody is here yet.",
    Why.NOBODY_THERE: "Nobody else sits on that seat.",
    Why.OPEN_TALK: "In this game all talk is open to all.",
    Why.READER_GONE: "That player has left the game and reads nothing any more.",
    Why.NO_REMATCH: "A return match can begin when this one has ended and all its players are connected.",
}


def _not_now(error: failures.NotNow) -> Words:
    return _NOT_NOW[error.why].replace("{detail}", str(error.detail))


def _option(error: OptionError) -> Words:
    return f"{str(error).rstrip('.')}."  # a clause, since some callers go on from it


_WORDS: Final[dict[type, Callable[[Any], Words]]] = {
    OptionError: _option,
    errors.Stale: lambda _: (
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
    failures.NotAnInvite: lambda error: _FLAWS[error.flaw],
    failures.NotAnAddress: _no_address,
    failures.InviteTypo: lambda _: (
        "A letter of this invite is wrong, missing or too many. Copy it again, whole."
    ),
    failures.NotACode: _not_a_code,
    failures.InviteNewer: lambda _: (
        "This invite is from another version of the program. Both sides should install the newest one."
    ),
    failures.InviteOfAnotherKind: _another_kind,
    failures.CannotListen: _cannot_listen,
    failures.Unreachable: _unreachable,
    failures.Unserved: _unserved,
    failures.RelayRefused: _relay_refused,
    failures.WrongHost: _wrong_host,
    failures.SeenEnough: lambda error: (
        f"You have watched {error.matches} games in a row. To see more, type the same command again."
    ),
    failures.AnotherPlayer: lambda _: (
        "Another player answers there than the one whose fingerprint was announced: somebody else uses it. "
        "They learned your name and key, and nothing else. Ask your friend for an invite."
    ),
    failures.NoNearby: lambda error: (
        f"Games nearby cannot be found or shown here ({error.reason}). An invite works all the same."
    ),
    failures.LinkLost: lambda error: _LOSSES[error.loss],
    failures.Refused: _refused,
    failures.NotTheSame: lambda _: (
        "You did not see the same digits: somebody may stand between you, or you have met the wrong one. "
        "Nothing was agreed. Try once more; if it happens again, ask for an invite."
    ),
    failures.Declined: lambda _: "You did not want to play; the others were told so.",
    failures.Blocked: lambda _: "You have blocked that player, who was told that you do not want to play.",
    failures.NotNow: _not_now,
    failures.UnsafeLibrary: lambda _: (
        "The installed PyNaCl takes keys for which anybody can sign, so no game would be safe "
        "(CVE-2025-69277). Install PyNaCl 1.6.2 or newer."
    ),
    failures.NoGroup: lambda error: (
        f"The library for decks of cards, rbcl, cannot be used ({error.reason}). It loads itself from the "
        "temporary folder: if programs may not be started there (noexec), set TMPDIR to another folder."
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
