"""The common parts of all Asks: obligations, the public table, and the parts that an Ask's module defines.

A script is a generator.  It yields an Obligation (the seat and the type of the next message), and the message
is sent into the script.  A script never sees a socket, a key or a secret, so all players and the auditor run
the same script.  At any time one seat owes one message: so a match is a chain without forks, and one seat is
responsible for a silence.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from p2p_stratego.core.game import (
    Ask,
    Choose,
    Claim,
    ClaimOneOf,
    Commit,
    DeckAsk,
    Face,
    Mix,
    Move,
    Open,
    OpenTo,
    Roll,
    Seat,
    Slot,
    Turn,
)
from p2p_stratego.core.values import frozen
from protocol.crypto.commitment import hide_face
from protocol.crypto.group.nonces import Nonces
from protocol.crypto.proofs.card import Card, joined
from protocol.crypto.proofs.verification import CardProof
from protocol.crypto.sealed import LookContext
from protocol.crypto.workers import Job
from protocol.record.cards import Cards, Readable
from protocol.record.claims import ClaimLedger
from protocol.record.genesis import Genesis
from protocol.wire.messages import MAX_FACE, Message, Shape

K = TypeVar("K")
T = TypeVar("T")

ALL_FACES: Final = range(MAX_FACE + 1)
MOST_SLOTS: Final = 2**16
"""Slots that the rules of one match can use."""

AskPart: TypeAlias = Choose | Commit | Open | OpenTo | Mix | Roll | Claim | ClaimOneOf | DeckAsk
"""The Ask that one message answers: a whole one, or a part of a Together."""
Decided: TypeAlias = Move | tuple[Face, ...]
"""A decision of a player: a choice, or the faces for the slots of a Commit or of a Mix, in their order."""


@frozen
class Obligation:
    """The one obligation outstanding: `seat` owes a `message`, for its `part` of `ask`."""

    seat: Seat
    message: type[Message]
    ask: Ask
    part: AskPart
    statement: Callable[[Any], CardProof | None] | None = field(default=None, compare=False, repr=False)
    """From a message, the proof in it that takes long to check, or None; None if there never is such a proof.

    Another process can check that proof before the message is admitted.
    """


class BrokenRule(Exception):
    """The message just sent breaks the named rule; the seat that owed the message has signed it."""

    def __init__(self, rule: str) -> None:
        self.rule = rule
        super().__init__(rule)


Script: TypeAlias = Generator[Obligation, Any, T]
"""A Message of the type that the Obligation names is sent into a script, or SeatLeft is thrown into it."""


class SeatLeft(Exception):
    """The seat that owes the next message has left the match, so that message never comes."""


@frozen
class HiddenSlot:
    """A committed slot: the seat that holds it, the commitment, and the faces that the slot may show.

    `commitment`: a salted hash (32 bytes); under the profile of proofs a card (64 bytes).  `seat`: under its
    key the card lies; None: the card lies under the keys of all seats.
    """

    seat: Seat | None
    commitment: bytes
    faces: Collection[Face]
    taken_back: int = 0
    """Decisions that had been taken back when it was laid: the same slot can be laid again behind another."""


@frozen
class Look:
    """The opening of a slot, sealed to one seat in entry `number`.

    `viewer_key`, `sender_key`: the X25519 keys of both seats for this look (32 bytes each); `box`: 49 bytes.
    """

    place: LookContext
    number: int
    viewer_key: bytes
    sender_key: bytes
    box: bytes


@frozen
class Answered:
    """An Ask of the rules, its serial, and its answer, which entry `number` has completed."""

    ask: Ask
    answer: Any
    number: int
    serial: int = field(default=0, compare=False)


@frozen
class Reached:
    """The state of the rules after a complete turn, which entry `number` has completed."""

    state: Any
    number: int


@frozen
class Sizes:
    """The sizes that the growing collections of a table had at a Moment: going back cuts off all later items.

    So a Moment costs the same however long the match is, and only going back costs a copy (threat 47).
    """

    hidden: int
    held: int
    faces: int
    dead: int
    never_laid: int
    looks: int
    readable: int
    claims: int
    opened: int
    history: int


@frozen
class Moment:
    """The match as it stood when an Ask was put: play goes on here if a decision in it is taken back.

    `sizes`, `state`, `rolls`, `tosses` and `cards`: of the table; `begin`: begins the turn of the rules;
    `answers`: to the Asks of that turn, of which the first `answered` came before; `informed`: the number of
    leavers of whom the rules knew.
    """

    sizes: Sizes
    state: Any
    rolls: int
    tosses: int
    cards: Cards
    begin: Callable[[], Turn[Any]]
    answers: Sequence[Any]
    answered: int
    informed: int


@dataclass
class Table:
    """All that is public in a match."""

    genesis: Genesis
    hidden: dict[Slot, HiddenSlot] = field(default_factory=dict)
    faces: dict[Slot, Face] = field(default_factory=dict)
    held: list[tuple[Slot, HiddenSlot]] = field(default_factory=list)
    """Each slot that changed its holder, with what lay there before."""
    dead: dict[Slot, None] = field(default_factory=dict)
    """The slots whose faces were laid again under other slots: the rules ask nothing of a dead slot."""
    looks: dict[int, Look] = field(default_factory=dict)
    """By number of the entry: the openings that were sealed to one seat."""
    unseen: dict[int, Table] = field(default_factory=dict)
    """By number of the entry: the looks that were taken back, each with the table as it stood until then."""
    look_key: bytes = b""
    """The viewer's key of the look under way."""
    cards: Cards = field(default_factory=Cards)
    """Keys and decks of the profile of proofs."""
    ledger: ClaimLedger = field(init=False)
    """Claims about hidden slots, to be settled when the match is over."""
    keeps_history: bool = True
    """Whether `history`, and so `since`, is kept.

    A transcript can have 100,000 states.  An auditor needs no earlier state and keeps none (threat 47).
    """
    history: list[Answered | Reached] = field(default_factory=list)
    state: Any = None
    """The game's own state after the last complete turn; None during the set-up."""
    serial: int = 0
    """Asks answered so far: the serial number of the Ask under way."""
    cut: Ask | None = None
    """The Ask that an agreed draw left without an answer; cards already laid for that Ask stay laid."""
    number: int = 0
    """The entry being admitted."""
    rolls: int = 0
    """Rolls complete."""
    tosses: int = 0
    """Rolls begun: if a seat leaves in the middle of a Roll, the Roll begins again."""
    tossed: list[list[bytes] | None] = field(default_factory=list)
    """By toss: the shares by seat, None if it is void; a toss whose Roll was taken back falls alike again."""
    links: list[bytes] = field(init=False)
    """The last link of each seat's chance chain."""
    shares: list[int] = field(init=False)
    """By seat: the number of links of its chance chain that are public."""
    gone: dict[Seat, int] = field(default_factory=dict)
    """The seats that have left, in the order of leaving, each with the place of the chain where it left."""
    never_laid: dict[Slot, None] = field(default_factory=dict)
    """The slots that a seat left the match without laying; another seat may have laid one since."""
    taken_back: int = 0
    """Decisions taken back so far."""
    takeable: dict[int, Moment] = field(default_factory=dict)
    """By number of the entry, ascending: the decisions that can be taken back, each with its moment."""
    moment: Moment | None = None
    """The moment at which the Ask under way was put, if a player decides it and could take that back."""
    _digests: set[bytes] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.ledger = ClaimLedger(settles=not self.genesis.takebacks)
        self.links = [player.anchor for player in self.genesis.players]
        self.shares = [0] * len(self.links)

    def at_moment(self, begin: Callable[[], Turn[Any]], answers: Sequence[Any], informed: int) -> Moment:
        """The moment of now; the arguments as in Moment."""
        sizes = Sizes(
            len(self.hidden),
            len(self.held),
            len(self.faces),
            len(self.dead),
            len(self.never_laid),
            len(self.looks),
            len(self.cards.log),
            len(self.ledger.claims),
            len(self.ledger.opened_at),
            len(self.history),
        )
        return Moment(
            sizes,
            self.state,
            self.rolls,
            self.tosses,
            self.cards.kept(),
            begin,
            answers,
            len(answers),
            informed,
        )

    def back_at(self, moment: Moment) -> Table:
        """The table to go on with from `moment`; this one stays as it is.

        No takeback undoes commitments that were seen, serials that were used, chance that fell, keys, and
        seats that are gone.
        """
        table, sizes = copy(self), moment.sizes
        table.hidden = _first(self.hidden, sizes.hidden)
        for slot, before in reversed(self.held[sizes.held :]):
            if slot in table.hidden:
                table.hidden[slot] = before
        table.held, table.history = self.held[: sizes.held], self.history[: sizes.history]
        table.faces, table.dead = _first(self.faces, sizes.faces), _first(self.dead, sizes.dead)
        table.never_laid, table.looks = (
            _first(self.never_laid, sizes.never_laid),
            _first(self.looks, sizes.looks),
        )
        table.unseen.update(dict.fromkeys(self.looks.keys() - table.looks.keys(), self))
        table.state, table.rolls, table.tosses = moment.state, moment.rolls, moment.tosses
        table.cards = replace(moment.cards, log=self.cards.log[: sizes.readable], asked=self.cards.asked)
        table.ledger = self.ledger.first(sizes.claims, sizes.opened)
        table.serial, table.taken_back = self.serial + 1, self.taken_back + 1
        return table

    @property
    def since(self) -> tuple[Answered, ...]:
        """The answers since the last complete turn, oldest first."""
        steps: list[Answered] = []
        for step in reversed(self.history):
            if isinstance(step, Reached):
                break
            steps.append(step)
        return tuple(reversed(steps))

    def live(self, slot: Slot) -> HiddenSlot:
        """The committed slot.  Raises RuntimeError, a bug of the rules, for a slot never laid or dead."""
        if slot not in self.hidden or slot in self.dead:
            raise RuntimeError(f"the rules ask for slot {slot}, which was not laid or was mixed")
        return self.hidden[slot]

    def owner(self, slot: Slot) -> Seat:
        """The seat that holds a slot: with hash commitments every slot has a holder.  Raises RuntimeError."""
        seat = self.live(slot).seat
        if seat is None:
            raise RuntimeError(f"nobody holds slot {slot}")
        return seat

    def lay(
        self, seat: Seat, slots: Sequence[Slot], digests: Sequence[bytes], faces: Collection[Face]
    ) -> None:
        """Note the commitments (32 bytes each) under new slots of `seat`, each to one of `faces`.

        Raises BrokenRule for a repeated commitment, RuntimeError for slots that are not new.
        """
        self.require_unrepeated(*digests)
        self._require_new(*slots)
        for slot, digest in zip(slots, digests, strict=True):
            self.hidden[slot] = HiddenSlot(seat, digest, faces, self.taken_back)

    def put(self, holder: Seat | None, slot: Slot, card: Card, faces: Collection[Face] = ALL_FACES) -> None:
        """`card` lies under a new slot, or under one that changes its holder."""
        if slot in self.hidden:
            self.held.append((slot, self.hidden[slot]))
        self.hidden[slot] = HiddenSlot(holder, joined((card,)), faces)
        if holder is not None:
            self.cards.log.append(Readable(holder, slot, card))

    def lay_card(
        self, holder: Seat | None, slot: Slot, card: Card, faces: Collection[Face] = ALL_FACES
    ) -> None:
        """`card` lies under a new slot of its holder, or of nobody."""
        self._require_new(slot)
        self.put(holder, slot, card, faces)

    def leave_out(self, *slots: Slot) -> None:
        """Note that a seat left without laying `slots`."""
        self.never_laid.update(dict.fromkeys(slots))

    def lacks(self, slot: Slot) -> bool:
        """Whether a seat left without laying `slot`, and no other seat has laid it since."""
        return slot in self.never_laid and slot not in self.hidden

    def bury(self, *slots: Slot) -> None:
        """Note that the faces of `slots` were laid again elsewhere."""
        self.dead.update(dict.fromkeys(slots))

    def _require_new(self, *slots: Slot) -> None:
        """Raise RuntimeError for used slots and numbers over MOST_SLOTS: it bounds the cards of a match."""
        fresh = len(set(slots)) == len(slots) and self.hidden.keys().isdisjoint(slots)
        if not fresh or min(slots) < 0 or max(slots) >= MOST_SLOTS:
            raise RuntimeError(f"the rules used one of slots {slots} twice, or there are not so many")

    def require_unrepeated(self, *digests: bytes) -> None:
        """Raise BrokenRule for a repeated commitment: it may mirror another seat's (threat 5)."""
        if len(set(digests)) != len(digests) or not self._digests.isdisjoint(digests):
            raise BrokenRule("repeated-commitment")
        self._digests.update(digests)


def _first(grown: Mapping[K, T], size: int) -> dict[K, T]:
    """The first `size` items of `grown`, a collection that only ever grows at its end."""
    return dict(islice(grown.items(), size))


class Secrets(Protocol):
    """The secrets of a seat that a reply may use in one match."""

    @property
    def decided(self) -> Mapping[int, Decided]:
        """Decisions by the serial number of their Ask."""
        ...

    def salt(self, game: bytes, seat: Seat, slot: Slot, taken_back: int = 0) -> bytes:
        """The salt (32 bytes) of the commitment under `slot`; `game`: the match's id, 32 bytes; `taken_back`:
        as in HiddenSlot.
        """
        ...

    def choice_salt(self, game: bytes, seat: Seat, serial: int) -> bytes:
        """The salt (32 bytes) of a hidden choice."""
        ...

    def link(self, seat: Seat, length: int, number: int) -> bytes:
        """Link `number` (32 bytes) of the seat's chance chain, which has `length` links behind its anchor."""
        ...

    def look_secret(self, game: bytes, seat: Seat, serial: int) -> bytes:
        """The X25519 secret (32 bytes) of the viewer in one look."""
        ...

    def seal_secret(self, game: bytes, seat: Seat, serial: int) -> bytes:
        """The X25519 secret (32 bytes) of the owner in one look."""
        ...

    def deck_key(self, game: bytes, seat: Seat) -> int:
        """The secret of the seat's key for cards."""
        ...

    def share_key(self, game: bytes, seat: Seat) -> int:
        """The secret of the seat's key for shares of others' keys."""
        ...

    def nonces(self, game: bytes, seat: Seat) -> Nonces:
        """The source of the random numbers in the seat's proofs."""
        ...

    def mix_order(self, game: bytes, seat: Seat, serial: int, length: int) -> Sequence[int]:
        """The order of a Mix that its player does not choose: by new slot, the place of the old one."""
        ...

    def faces_seed(self, game: bytes, seat: Seat, serial: int) -> bytes:
        """The seed (32 bytes) of the faces of a Commit that its player does not choose."""
        ...


def commitments(
    secrets: Secrets, table: Table, seat: Seat, slots: Sequence[Slot], faces: Sequence[Face]
) -> tuple[bytes, ...]:
    """The commitments (32 bytes each) of `seat` to the `faces` that it lays under `slots`, in their order."""
    game = table.genesis.id
    return tuple(
        hide_face(game, seat, slot, face, secrets.salt(game, seat, slot, table.taken_back))
        for slot, face in zip(slots, faces, strict=True)
    )


Reply: TypeAlias = Callable[[Secrets, Table, Obligation, Mapping[Slot, Face]], Message | None]
"""From a seat's secrets and the faces that it laid, the message that it owes; None until its player decides.

A reply takes no path that depends on a face still hidden: its time must tell nothing (threat 40).
"""


@dataclass(frozen=True, slots=True)
class MessageKind:
    """One message of an Ask.

    `words`: a noun phrase for reports; `public`: the fields that exports show (a later field stays out until
    its author lists it here, threat 37); `decision`: whether a player decides the message; `job`: how another
    process makes a message that takes long, or None; `reply` makes the same message in this process.
    """

    shape: Shape
    reply: Reply
    words: str
    public: tuple[str, ...]
    decision: bool = False
    job: RemoteReply | None = None


@dataclass(frozen=True, slots=True)
class RemoteReply:
    """How another process makes a message.

    `job`: from the arguments of a Reply, the picklable job; None until the player decides, or if nothing
    takes long.  `message`: from the result of the job, the message.
    """

    job: Callable[[Secrets, Table, Obligation, Mapping[Slot, Face]], Job[Any] | None]
    message: Callable[[Any], Message]


@dataclass(frozen=True, slots=True)
class AskKind:
    """One Ask of the rules: its script, and the messages that only this Ask has."""

    ask: type[Ask]
    script: Callable[[Table, Any], Script[Any]]
    messages: tuple[MessageKind, ...] = ()
