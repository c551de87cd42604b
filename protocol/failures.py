"""What the world can do to us, as types with data: a disk, a network, an invite.

A Refusal (errors.py) is about bytes of a match; a Failure is about where they should come from or go to.  No
Failure blames a player, and none loses what was saved before it.  Each text is a sentence for people that
says what happened, what it means and what to do; a mistake of our own program is never one of these.
"""

from __future__ import annotations

from enum import IntEnum


class NotNow(Exception):
    """What our own player wants is not possible at this moment; the text says why."""


class Failure(Exception):
    """Something outside the match is in the way."""


class StorageFailure(Failure):
    """The home folder cannot be read or written.  `place`: the file or folder."""

    def __init__(self, place: str, text: str) -> None:
        self.place = place
        super().__init__(text)


class DiskFull(StorageFailure):
    """No room, or no quota, left."""


class ReadOnly(StorageFailure):
    """The folder cannot be changed: by its permissions or because the whole disk is read-only."""


class DiskFailed(StorageFailure):
    """Reading, writing or syncing failed.  Nothing may be signed any more until the match is opened anew."""


class Unsafe(StorageFailure):
    """A link, a device or somebody else's folder where a file of ours should be (threat 36)."""


class Missing(StorageFailure):
    """There is no such file, folder or match."""


class NotOurs(StorageFailure):
    """The match belongs to another player key than the one in this home folder."""


class InUse(StorageFailure):
    """Another process has the match open (threat 32)."""


class Damaged(StorageFailure):
    """A file of ours holds what was never written there (threat 35).  `offset`: bytes that are still good."""

    def __init__(self, place: str, offset: int, text: str) -> None:
        self.offset = offset
        super().__init__(place, text)


class InviteFailure(Failure):
    """What was typed or pasted is no invite that can be used."""


class NotAnInvite(InviteFailure):
    """It does not even look like one."""


class InviteTypo(InviteFailure):
    """It is an invite with letters wrong, missing or too many."""


class InviteNewer(InviteFailure):
    """It was made by a newer version of the program."""


class NetworkFailure(Failure):
    """No connection, or no more."""


class CannotListen(NetworkFailure):
    """The port or address is not to be had."""


class Unreachable(NetworkFailure):
    """Nobody answers at any address."""


class WrongHost(NetworkFailure):
    """Whoever answers does not hold the certificate that was expected (threat 25)."""


class LinkLost(NetworkFailure):
    """The connection is gone."""


class Code(IntEnum):
    """Why one side ends a connection; the number is its place on the wire."""

    VERSION = 1
    UNKNOWN_INVITE = 2
    USED_INVITE = 3
    EXPIRED_INVITE = 4
    DECLINED = 5
    UNKNOWN_MATCH = 6
    SAME_PLAYER = 7
    PROTOCOL = 8
    LEFT = 9
    STALE = 10
    TIMEOUT = 11
    REPLACED = 12
    FAILED = 13


class Refused(NetworkFailure):
    """The other side ended the connection and said why.  `code`: a Code, or a number unknown here."""

    def __init__(self, code: int) -> None:
        self.code = code
        super().__init__(SAID.get(code, "The other side ended the connection for a reason unknown here."))

    @property
    def final(self) -> bool:
        """Whether calling again would only be told the same."""
        return self.code in (Code.UNKNOWN_MATCH, Code.VERSION, Code.SAME_PLAYER)


class Declined(Refused):
    """Our own player did not agree to the match that was proposed; the other side is told DECLINED."""

    def __init__(self) -> None:
        super().__init__(Code.DECLINED)
        self.args = ("You did not want to play; the other side was told. The invite is used up.",)


SAID: dict[int, str] = {
    Code.VERSION: "The other side has a version of the program that does not fit this one. "
    "Both should install the newest.",
    Code.UNKNOWN_INVITE: "The host does not know this invite. Ask for a new one.",
    Code.USED_INVITE: "This invite was used before, and each is good for one game. Ask for a new one; "
    "a game that has begun goes on with `resume`.",
    Code.EXPIRED_INVITE: "This invite has expired. Ask for a new one.",
    Code.DECLINED: "The other player does not want to play this game.",
    Code.UNKNOWN_MATCH: "The other side has no record of this game, so it never began there. "
    "Start a new one with an invite.",
    Code.SAME_PLAYER: "Both sides have the same player key, so the game could not tell them apart. "
    "Use another home folder for one of them.",
    Code.PROTOCOL: "The other side did not understand what it was sent and closed the connection. "
    "What was saved is intact.",
    Code.LEFT: "The other player has left. The game is saved and can go on later.",
    Code.STALE: "The other side's copy of this game is older than what its player has signed since. "
    "It must go on from the newest copy.",
    Code.TIMEOUT: "The other side waited too long and closed the connection. Try again.",
    Code.REPLACED: "The other side has opened a newer connection for this game.",
    Code.FAILED: "The other side can no longer save the game, so it stopped. What was saved is intact.",
}
"""For people, by code; the other side sends only the number, so no text of theirs is shown (threat 23)."""
