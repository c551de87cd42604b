"""The match: which messages answer each Ask of the rules, and what they must satisfy.  One place for all
games.

`play` is one generator for the whole game.  It yields an Owed (whose message is next, and which) and is sent
that message.  It never sees a socket, a key or anybody's secrets, so all players and the auditor run it
unchanged.  One seat owes one message at any time: a match is a chain without forks, and silence has an owner.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Collection, Generator
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, TypeVar, cast

from p2p_stratego.core.game import (
    Ask,
    Choose,
    Claim,
    Commit,
    Face,
    Move,
    Open,
    Outcome,
    Roll,
    Seat,
    Slot,
    Together,
    Turn,
)
from protocol.crypto.coin_toss import MAX_SIDES, follows, result
from protocol.crypto.commitment import Hiding, hide_choice
from protocol.record.claims import Claimed, Ledger
from protocol.record.genesis import Genesis
from protocol.wire.messages import (
    Choice,
    Commitments,
    HiddenChoice,
    Message,
    Opening,
    Share,
    ShownChoice,
)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Owed:
    """The one obligation outstanding: `seat` owes a `message`, for its `part` of `ask`."""

    seat: Seat
    message: type[Message]
    ask: Ask
    part: Choose | Commit | Open | Roll


class Broken(Exception):
    """The message just sent breaks the named rule of the protocol; whoever owed it signed it."""

    def __init__(self, rule: str) -> None:
        self.rule = rule
        super().__init__(rule)


Script: TypeAlias = Generator[Owed, Message, T]


@dataclass(frozen=True, slots=True)
class Hidden:
    """A committed slot: who laid it, the commitment (32 bytes), and the faces it may show."""

    seat: Seat
    digest: bytes
    faces: Collection[Face]


@dataclass(frozen=True, slots=True)
class Answered:
    """An Ask of the rules has its answer since entry `number`."""

    ask: Ask
    answer: Any
    number: int


@dataclass(frozen=True, slots=True)
class Reached:
    """A turn is complete: the rules stand in `state` since entry `number`."""

    state: Any
    number: int


@dataclass
class Table:
    """All that is public in a match."""

    genesis: Genesis
    hiding: Hiding
    hidden: dict[Slot, Hidden] = field(default_factory=dict)
    faces: dict[Slot, Face] = field(default_factory=dict)
    ledger: Ledger = field(default_factory=Ledger)
    """Claims about hidden slots, to be settled when the match is over."""
    keeps_history: bool = True
    """Otherwise `history` holds only what was answered since the last complete turn.

    A transcript can lead through 100,000 states; an auditor looks at none, so it keeps none (threat 47).
    """
    history: list[Answered | Reached] = field(default_factory=list)
    state: Any = None
    """The game's own state after the last complete turn; None during the set-up."""
    serial: int = 0
    """Asks answered so far; names the one under way."""
    number: int = 0
    """The entry being admitted."""
    rolls: int = 0
    links: list[bytes] = field(init=False)
    """The last link of each seat's chance chain."""
    _digests: set[bytes] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.links = [player.anchor for player in self.genesis.players]

    @property
    def since(self) -> tuple[Answered, ...]:
        """What has been answered since the last complete turn, oldest first."""
        steps: list[Answered] = []
        for step in reversed(self.history):
            if isinstance(step, Reached):
                break
            steps.append(step)
        return tuple(reversed(steps))

    def once(self, *digests: bytes) -> None:
        """Refuse a commitment that stood in this match before: its maker may not know what it hides (threat
        5).
        """
        if len(self._digests.union(digests)) != len(self._digests) + len(digests):
            raise Broken("repeated-commitment")
        self._digests.update(digests)


def choose(_: Table, ask: Choose) -> Script[Move]:
    """One message: the choice."""
    said = cast("Choice", (yield Owed(ask.seat, Choice, ask, ask)))
    if said.move not in ask.options:
        raise Broken("illegal-choice")
    return said.move


def commit(table: Table, ask: Commit, whole: Ask | None = None) -> Script[None]:
    """One message: a commitment for each slot."""
    said = cast("Commitments", (yield Owed(ask.seat, Commitments, whole or ask, ask)))
    if len(said.digests) != len(ask.slots):
        raise Broken("wrong-count")
    table.once(*said.digests)
    for slot, digest in zip(ask.slots, said.digests, strict=True):
        if slot in table.hidden:
            raise RuntimeError(f"the rules used slot {slot} twice")
        table.hidden[slot] = Hidden(ask.seat, digest, ask.faces)
    if ask.exactly:
        table.ledger.claims.append(
            Claimed(ask.seat, "wrong-faces", ask.slots, ask.faces, exactly=True, number=table.number)
        )


def claim(table: Table, ask: Claim) -> Script[None]:
    """No message: the claim came with the entry before it, and is settled when the match is over."""
    table.ledger.claims.append(
        Claimed(ask.seat, ask.rule, ask.slots, ask.faces, exactly=False, number=table.number)
    )
    yield from ()


def together(table: Table, ask: Together) -> Script[tuple[Any, ...]]:
    """Commits one after the other (they hide anyway); choices: all commit, then all open."""
    choices: list[tuple[Choose, bytes]] = []
    for part in ask.asks:
        if isinstance(part, Commit):
            yield from commit(table, part, ask)
        else:
            hidden = cast("HiddenChoice", (yield Owed(part.seat, HiddenChoice, ask, part)))
            table.once(hidden.digest)
            choices.append((part, hidden.digest))
    if not choices:
        return (None,) * len(ask.asks)
    moves = []
    for part, digest in choices:
        shown = cast("ShownChoice", (yield Owed(part.seat, ShownChoice, ask, part)))
        expected = hide_choice(table.genesis.id, part.seat, table.serial, shown.move, shown.salt)
        if not hmac.compare_digest(expected, digest):
            raise Broken("wrong-opening")
        if shown.move not in part.options:
            raise Broken("illegal-choice")
        moves.append(shown.move)
    return tuple(moves)


def open_slot(table: Table, ask: Open) -> Script[Face]:
    """One message: the owner's opening."""
    said = cast("Opening", (yield Owed(table.hidden[ask.slot].seat, Opening, ask, ask)))
    check_opening(table, ask.slot, said)
    table.faces[ask.slot] = said.face
    table.ledger.opened_at[ask.slot] = table.number
    return said.face


def check_opening(table: Table, slot: Slot, opening: Opening) -> None:
    """Raise Broken if `opening` is not what was laid under `slot`."""
    hidden = table.hidden[slot]
    if not table.hiding.opens(table.genesis.id, hidden.seat, slot, hidden.digest, opening):
        raise Broken("wrong-opening")
    if opening.face not in hidden.faces:
        raise Broken("impossible-face")


def roll(table: Table, ask: Roll) -> Script[int]:
    """One message a seat, in their order: the next link of its chance chain."""
    if not 0 < ask.sides <= MAX_SIDES or table.rolls >= table.genesis.game.most_rolls:
        raise RuntimeError("the rules roll more, or with more sides, than they may")
    shares = []
    for seat, previous in enumerate(table.links):
        said = cast("Share", (yield Owed(seat, Share, ask, ask)))
        if not follows(seat, said.link, previous):
            raise Broken("wrong-link")
        shares.append(said.link)
    table.links = shares
    table.rolls += 1
    return result(table.genesis.id, table.rolls - 1, shares, ask.sides)


SCRIPTS: Final[dict[type[Ask], Callable[[Table, Any], Script[Any]]]] = {
    Choose: choose,
    Commit: commit,
    Together: together,
    Open: open_slot,
    Claim: claim,
    Roll: roll,
}


def answer(table: Table, turn: Turn[T]) -> Script[T]:
    """Run one turn of the rules, answering its Asks."""
    reply: Any = None
    while True:
        try:
            ask = turn.send(reply)
        except StopIteration as stop:
            state = cast("T", stop.value)
            table.state = state
            if not table.keeps_history:
                table.history.clear()
            table.history.append(Reached(state, table.number))
            return state
        reply = yield from SCRIPTS[type(ask)](table, ask)
        table.serial += 1
        table.history.append(Answered(ask, reply, table.number))


def play(table: Table) -> Script[Outcome]:
    """The whole game, from set-up to the outcome that the rules give."""
    genesis = table.genesis
    game = genesis.game
    state = yield from answer(table, game.setup(len(genesis.players), genesis.options))
    while (outcome := game.outcome(state)) is None:
        state = yield from answer(table, game.turn(state))
    return outcome
