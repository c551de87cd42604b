"""Every refusal of bytes from elsewhere, as types with data.

Only `Violation` and `Equivocation` name a culprit, who has signed the bytes in question.  Every other type
blames nobody.  A bug of this program is never one of these.
"""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.game import Edition, Seat, Version


class Refusal(Exception):
    """Bytes were refused; nothing has changed.

    str() is one technical line; the program above adds commands, options and advice by type.
    """


class Malformed(Refusal):
    """Bytes in a wrong form: not canonical, of wrong types, or over a limit."""


class Forged(Refusal):
    """A signature does not verify: anybody could have written these bytes, so nobody is blamed."""


class Misplaced(Refusal):
    """Well signed, but not for this place of this chain; the cause cannot be proven."""


class Unsupported(Refusal):
    """A protocol, game or rules version that this program does not know.

    `what`: "protocol", "transcript", "rules of GAME", or "game"; `version`: the one in the bytes; `known`:
    the version of this program, None for an unknown game; `game`: its name in the bytes, "" if it is none.
    """

    def __init__(
        self, what: str, version: Version | None = None, known: Version | None = None, game: str = ""
    ) -> None:
        self.what = what
        self.version = version
        self.known = known
        self.game = game
        if known is None:
            super().__init__("The match is of a game that this program does not know.")
        elif isinstance(version, Edition) or isinstance(known, Edition):
            super().__init__(f"It is played by other {what} than this program has.")
        else:
            super().__init__(f"It is of version {version} of the {what}; this program has version {known}.")


class Violation(Refusal):
    """A seat signed, at its place in this chain, a record that the protocol or the rules forbid.

    `what`: "entry" or "statement"; `number`: the entry's number, or the count of entries that the statement
    stands over; `rule`: a key of RULES, or the game's own for a claim that is false; `beside`: the payloads
    of earlier statements without which the record would break no rule, or the breach could not be seen.
    """

    def __init__(self, seat: Seat, what: str, number: int, rule: str, beside: tuple[bytes, ...] = ()) -> None:
        self.seat = seat
        self.beside = beside
        self.what = what
        self.number = number
        self.rule = rule
        whose = "the protocol" if rule in RULES else "the game"
        super().__init__(f"Seat {seat} broke a rule of {whose} in {what} {number}: {RULES.get(rule, rule)}.")


class Equivocation(Refusal):
    """One seat signed two different entries, or statements, for one place.

    `what`: "entry" or "statement"; `number`: the entry's number or the statement's index; `payloads`: both,
    the one admitted earlier first.
    """

    def __init__(self, seat: Seat, what: str, number: int, payloads: tuple[bytes, bytes]) -> None:
        self.seat = seat
        self.what = what
        self.number = number
        self.payloads = payloads
        super().__init__(f"Seat {seat} signed two different versions of {what} {number}.")


class Stale(Refusal):
    """Our key has signed records of this match that this copy lacks: the copy is old (threat 31)."""

    def __init__(self) -> None:
        super().__init__("Another copy of this match has gone on in the name of this seat.")


class WrongKey(Refusal):
    """Our seat of the match belongs to another key than the one at hand."""

    def __init__(self) -> None:
        super().__init__("The seat of the match belongs to another key than the one at hand.")


RULES: Final = {
    "out-of-turn": "it was not this seat's turn to say anything",
    "after-the-end": "the rules had already ended the game",
    "not-a-message": "the bytes are no message of this protocol",
    "wrong-message": "another kind of message was owed",
    "illegal-choice": "the rules do not offer this choice here",
    "wrong-count": "there must be one commitment, or opening, for each slot",
    "repeated-commitment": "this commitment was used before in the match",
    "wrong-opening": "the opening does not fit the commitment",
    "impossible-face": "the game has no such face to lay there",
    "wrong-faces": "the laid faces are not exactly the faces owed",
    "weak-key": "everybody could open what is sealed with this key",
    "false-complaint": "the seat complained of no look of its own, too late, or of one that was in order",
    "wrong-key": "the key for cards is proved wrongly, is another seat's, or is not the one released",
    "wrong-shuffle": "the shuffled cards are not proved to be the ones before in another order",
    "wrong-token": "the tokens are not those of the seat's key for these cards",
    "wrong-move": "the card under another key is not proved to be the same one",
    "wrong-share": "the share of a key for cards does not fit what its dealer committed to",
    "wrong-link": "the share is not the one committed to in the genesis",
    "went-on": "the seat had declared the match over for itself, over fewer entries than these",
    "no-consent-first": "a seat's first statement, and only that, is its consent to the genesis",
    "false-away": "the seat said to be away owed nothing, or its receipt is not its own",
    "false-gone": "it lacks the word of another seat, or its author may not say it, or nothing is owed there",
    "false-takeback": "that decision is not its author's, was taken back, or cannot be taken back any more",
    "false-back": "there is no entry there that its own seat has made, or its author was not present",
    "both-ways": "the seat had said that another one is away, and went on as if it had not, or the reverse",
    "false-end": "the END names another outcome than the rules",
}
"""The rules of the protocol, for people; the keys are part of the machine-readable output."""
