"""Every way in which bytes from elsewhere can be refused, as types with data.

Only `Violation` and `Equivocation` name a culprit, and only where the accused signed the bytes in question.
Everything else blames nobody.  A mistake of our own program is never one of these.
"""

from __future__ import annotations

from p2p_stratego.table import Seat


class Refusal(Exception):
    """What came in is not admitted; nothing has changed.  The text is a sentence for people."""


class Malformed(Refusal):
    """Bytes that are not what they claim to be: no canonical encoding, wrong types, over a limit."""


class Forged(Refusal):
    """A signature that does not verify: anybody could have written this, so nobody is blamed."""


class Misplaced(Refusal):
    """Well signed, but not at this place of this chain; whose doing that is cannot be shown."""


class Unsupported(Refusal):
    """A protocol, game or rules version that this program does not know."""


class Violation(Refusal):
    """A seat signed, at its place in this very chain, what the protocol or the rules forbid.

    `number`: the entry's number; for a statement, the count of entries it stands over.
    """

    def __init__(self, seat: Seat, number: int, rule: str) -> None:
        self.seat = seat
        self.number = number
        self.rule = rule
        super().__init__(f"seat {seat} broke a rule in entry {number}: {rule}")


class Equivocation(Refusal):
    """One seat signed two different entries, or statements, for one place.

    `frames`: the payloads of both, first the one admitted earlier.
    """

    def __init__(self, seat: Seat, number: int, what: str, frames: tuple[bytes, bytes]) -> None:
        self.seat = seat
        self.number = number
        self.what = what
        self.frames = frames
        super().__init__(f"seat {seat} signed two different versions of {what} {number}")


class Stale(Refusal):
    """This copy of a match is older than what its own seat has already signed elsewhere (threat 31)."""
