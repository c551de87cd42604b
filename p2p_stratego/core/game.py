"""The Asks of a game: the whole vocabulary between rules and protocol.

A rulebook sees public things only.  A hidden thing is a *slot*, a name for a face; the face enters the rules
only as the answer to an `Open`.  Where the next step depends on a hidden or future thing, the rulebook
yields an Ask and is sent the answer.  It does not know which seat is ours, so all players and the auditor run
the same code.

This module and everything below it must stay free of clocks, randomness, input and output, and cryptography.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

Seat: TypeAlias = int
"""0 to n − 1."""
Slot: TypeAlias = int
"""A name for a hidden thing, 0 to 65,535; never used twice within a match."""
Face: TypeAlias = int
"""The value under a slot, 0 to 127: one byte on the wire, so that its length reveals nothing."""
Deck: TypeAlias = int
"""A name for a deck of cards whose order nobody knows, 0 to 255; the rules choose it."""
Move: TypeAlias = str
"""A choice in the game's own notation, 1 to 32 ASCII characters."""
Sides: TypeAlias = tuple[frozenset[Seat], ...]
"""All seats, as sets of the seats that play together; each seat is in one set."""
OptionValue: TypeAlias = int | str
Options: TypeAlias = Mapping[str, OptionValue]
"""The agreed variant of a game: every option by name, in the rulebook's own order."""


class Edition(NamedTuple):
    """The rules of a game from another package, named by the program where it finds the package.

    Two authors may give two games one name, and an author may forget to count versions.  So the hash of the
    rules is a part.
    """

    number: int
    """The version that the rulebook states."""
    package: str
    """The distribution that brings the game, its name normalised (PEP 503): 1 to 64 characters."""
    digest: bytes
    """The hash of the files of its rules, 32 bytes."""


Version: TypeAlias = int | Edition
"""A number for the rules of this program, an Edition for those of another package."""


@dataclass(frozen=True, slots=True)
class Choose:
    """`seat` says one of `options` aloud.  Answer: the Move."""

    seat: Seat
    options: Collection[Move]


@dataclass(frozen=True, slots=True)
class Commit:
    """`seat` lays a face, one of `faces`, under each of `slots`.  Answer: None.

    `exactly`: together the laid faces are exactly `faces`, as many of each as it holds; claimed now, settled
    at the end.  `chosen`: the player decides the faces; otherwise the player's program draws them, all
    equally likely.  Nobody can see that a program drew: a Roll behind the Commit, added to the faces, makes
    the draw fair for all.
    """

    seat: Seat
    slots: tuple[Slot, ...]
    faces: Collection[Face]
    exactly: bool = False
    chosen: bool = True


@dataclass(frozen=True, slots=True)
class Open:
    """The owner of `slot` turns it up for everybody.  Answer: the Face."""

    slot: Slot


@dataclass(frozen=True, slots=True)
class Claim:
    """`seat` claims that each of its own hidden `slots` shows one of `faces`; `rule`: the broken rule if not.

    Answer: None.  The claim is unproven until it is settled: at the end, by opening, or at once, by a proof.
    """

    seat: Seat
    rule: str
    slots: tuple[Slot, ...]
    faces: frozenset[Face]


@dataclass(frozen=True, slots=True)
class Roll:
    """A fair roll that no player can steer or foresee.  Answer: an int, 0 ≤ answer < sides ≤ 2^32."""

    sides: int


@dataclass(frozen=True, slots=True)
class Together:
    """Decisions that different seats make at the same time: each seat decides before it sees another's.

    All asks are of one kind, one a seat, seats ascending.  Answer: the tuple of their answers, in order.
    """

    asks: tuple[Choose, ...] | tuple[Commit, ...]


@dataclass(frozen=True, slots=True)
class OpenTo:
    """The owner of `slot` shows it to `seat` alone, which learns the Face (`View.known`).  Answer: None."""

    slot: Slot
    seat: Seat


@dataclass(frozen=True, slots=True)
class Mix:
    """`seat` lays the faces of its own hidden slots `old` again under `new`, in an order of its own.

    Answer: None.  Nobody else can tell which face went where; the `old` slots are never used again.  The seat
    claims that both sets of slots show the same faces, and the claim is settled as other claims are; `rule`:
    the broken rule if it is false.  `chosen`: the player decides the order; otherwise the player's program
    draws one.
    """

    seat: Seat
    old: tuple[Slot, ...]
    new: tuple[Slot, ...]
    rule: str
    chosen: bool = False

    def decision(self, known: Mapping[Slot, Face]) -> Commit:
        """The decision of a chosen Mix: to lay exactly these faces; `known`: as in `View.known`."""
        return Commit(self.seat, self.new, tuple(sorted(known[slot] for slot in self.old)), exactly=True)


@dataclass(frozen=True, slots=True)
class NewDeck:
    """A new `deck` of public cards, 1 to 168, the top one first; it is not shuffled.  Answer: None."""

    deck: Deck
    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Shuffle:
    """All seats shuffle `deck`, of at least one card, one after the other: nobody knows its order.

    Answer: None.  The rules ask for it before a draw if anything came back since the last one.
    """

    deck: Deck


@dataclass(frozen=True, slots=True)
class Draw:
    """The top cards of `deck` go into `hands`: pairs of a seat and its new slots, filled hand by hand.

    Answer: None.  Each seat alone learns what it draws (`View.known`).
    """

    deck: Deck
    hands: tuple[tuple[Seat, tuple[Slot, ...]], ...]


@dataclass(frozen=True, slots=True)
class Lay:
    """The top cards of `deck` lie under the new `slots`: nobody knows or holds them.  Answer: None."""

    deck: Deck
    slots: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Show:
    """The holder of `slots`, one seat for all, shows them to `seat` alone.  Answer: None.

    The same faces lie under the new slots `copies` of `seat` too, so that `seat` can claim something about
    them; its `View.known` has both.  If nobody holds the cards, `seat` sees them first and holds them from
    then on: it alone could show them to others.
    """

    slots: tuple[Slot, ...]
    seat: Seat
    copies: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Give:
    """`seat` holds `slots` from now on and learns their faces.  Answer: None.

    One seat gives the cards, or nobody held them.
    """

    slots: tuple[Slot, ...]
    seat: Seat


@dataclass(frozen=True, slots=True)
class Back:
    """The cards under `slots` go to the bottom of `deck`, in this order; the slots are never used again.

    Answer: None.  One seat holds the closed cards, or nobody does; opened cards may be of any seats.
    """

    slots: tuple[Slot, ...]
    deck: Deck


@dataclass(frozen=True, slots=True)
class ClaimOneOf:
    """`seat` claims that the faces under its own `slots` are, in this order, one of `tuples`: 1 to 250.

    Answer: None.  `rule`: the broken rule if not.  It needs proofs.
    """

    seat: Seat
    rule: str
    slots: tuple[Slot, ...]
    tuples: tuple[tuple[Face, ...], ...]


DeckAsk: TypeAlias = NewDeck | Shuffle | Draw | Lay | Show | Give | Back
"""The Asks of games that need proofs: cards of decks, which no seat deals."""
Ask: TypeAlias = Choose | Commit | Open | Claim | Roll | Together | OpenTo | Mix | ClaimOneOf | DeckAsk
"""An Ask to a seat that has left the match is answered None at once; in a Together, its part is None.  In a
game that needs proofs the table acts for such a seat, because everybody can read its cards then: its Open is
answered with the face; its Show, Give, Back and Mix take place.  Nothing is shown or given *to* such a seat:
the copies are never laid, the slots stay with their holder."""
Decision: TypeAlias = Choose | Commit
"""The asks that need a person or a bot, and `Mix.decision`; the protocol itself answers all others."""


@dataclass(frozen=True, slots=True)
class Breach:
    """A seat broke a rule, as the rules themselves can see, e.g. by a card that cannot be there."""

    seat: Seat
    rule: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winning seats (empty: a draw), the reason, and the breach if that was it."""

    winners: frozenset[Seat]
    reason: str
    breach: Breach | None = None


class OptionError(Exception):
    """Options that the rulebook does not offer; the text names the option and its possible values."""


S = TypeVar("S")
Turn: TypeAlias = Generator[Ask, Any, S]
"""A piece of a game: yields Asks, is sent their answers, returns the state after it."""


class Game(Protocol[S]):
    """A rulebook: a reducer between turns, a generator within one.

    Between turns the state is a frozen value: it can be compared, hashed, shown, and handed to a bot.
    """

    @property
    def name(self) -> str:
        """The name in invites, transcripts and commands: lower case ASCII and hyphens."""
        ...

    @property
    def version(self) -> Version:
        """The version of the rules, a number; it grows with every change that could change a game."""
        ...

    @property
    def seat_counts(self) -> tuple[int, ...]:
        """The numbers of players that can play, ascending."""
        ...

    def seat_names(self, seats: int) -> tuple[str, ...]:
        """The name of each seat at a table of `seats`, one of `seat_counts`."""
        ...

    def sides(self, seats: int) -> Sides:
        """The sides at a table of `seats`: the seats of a side win and lose as one."""
        ...

    @property
    def most_rolls(self) -> int:
        """An upper bound for the number of Rolls in one match, at most 4,096."""
        ...

    @property
    def most_shuffles(self) -> int:
        """An upper bound for the number of Shuffles in one match; 0 without decks."""
        ...

    @property
    def needs_proofs(self) -> bool:
        """Whether the game has decks or a ClaimOneOf: then every step is proved with the entry that makes it.

        Any other game can be played with proofs too, and does not notice.
        """
        ...

    @property
    def private_talk(self) -> bool:
        """Whether a player may talk to one other alone; in any other game all talk is open to all.

        The front end knows when: the protocol does not ask what a talk is about, or for.
        """
        ...

    def options(self, wanted: Options) -> Options:
        """Complete `wanted` with defaults, in the rulebook's order.  Raises OptionError."""
        ...

    def setup(self, seats: int, options: Options) -> Turn[S]:
        """Everything before the first turn."""
        ...

    def turn(self, state: S) -> Turn[S]:
        """One step of the game; only called while `outcome(state)` is None."""
        ...

    def outcome(self, state: S) -> Outcome | None:
        """How the game ended by its rules, or None while it goes on."""
        ...

    def gone(self, state: S, seat: Seat) -> Turn[S]:
        """The step by which the game goes on without `seat`, which has left.

        The hidden slots of `seat` stay closed for ever; only in a game that needs proofs any step can open
        them at once.  Run after the step during which the seat left, while `outcome(state)` is None and seats
        of two sides are left.
        """
        ...

    def rematch(self, options: Options, state: S) -> Options:
        """The options of a return match, in which the player of seat s has seat s + 1, of the last one 0."""
        ...
