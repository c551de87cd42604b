"""Talk in a lobby, before there is a match: a guest says a line to the host, which passes it on to all.

A line is heard where the host passes it on, at its writer's end, too; the host drops what exceeds an
Allowance.  Nothing of it is signed or recorded, so a host could put words into a guest's mouth: a word
to rely on is one in the match.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final

from protocol.channel.channel import TALK
from protocol.crypto.keys import KEY_BYTES
from protocol.errors import Malformed
from protocol.limits import MAX_TALK, MAX_TALKS, TALK_EVERY
from protocol.lobby.handshake import Person
from protocol.record.statements import chat_text
from protocol.wire.encoding import Frame, decode, encode

_KEPT: Final = 100
"""Lines that a lobby keeps to show."""


@dataclass(frozen=True, slots=True)
class SpokenLine:
    """A line of talk; `text`: 1 to 500 characters, hostile: escape it before it is shown."""

    person: Person
    text: str


class LobbyTalk:
    """The last lines of a lobby, as one end heard them."""

    def __init__(self) -> None:
        self.count = 0
        """All lines that were heard."""
        self.lines: deque[SpokenLine] = deque(maxlen=_KEPT)
        """The newest ones, oldest first."""

    def hear(self, person: Person, text: str) -> None:
        """Keep a line."""
        self.count += 1
        self.lines.append(SpokenLine(person, text))


class Allowance:
    """The lines that one guest may say: MAX_TALK at once, and one more every TALK_EVERY seconds."""

    def __init__(self) -> None:
        self._count = 0
        self._left = float(MAX_TALK)
        self._at: float | None = None

    def spend(self, now: float) -> bool:
        """Whether one more line may be said `now` (monotonic seconds).

        Raises Malformed beyond MAX_TALKS lines: what is dropped costs the host time, too.
        """
        self._count += 1
        if self._count > MAX_TALKS:
            raise Malformed("A guest never stops to talk.")
        if self._at is not None:
            self._left = min(MAX_TALK, self._left + (now - self._at) / TALK_EVERY)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


def guest_frame(text: str) -> Frame:
    """The TALK of a guest to its host.  Raises Malformed for a text that is no line of chat."""
    return Frame(TALK, encode([chat_text(text)]))


def read_guest_line(payload: bytes) -> str:
    """The text in a guest's TALK.  Raises Malformed."""
    match decode(payload):
        case [text]:
            return chat_text(text)
        case _:
            raise Malformed("A guest's TALK is not a text.")


def host_frame(line: SpokenLine) -> Frame:
    """The TALK of a host to its guests."""
    return Frame(TALK, encode([line.person.key, line.text]))


def read_host_line(payload: bytes) -> tuple[bytes, str]:
    """The key (32 bytes) and the text in a host's TALK.  Raises Malformed."""
    match decode(payload):
        case [bytes() as key, text] if len(key) == KEY_BYTES:
            return key, chat_text(text)
        case _:
            raise Malformed("A host's TALK is not a key and a text.")
