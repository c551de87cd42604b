"""Vectors of whole matches under the profile of proofs: the toy deck game, honest, cheated, and left."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import Any, Final, cast
from unittest.mock import patch

from p2p_stratego.core.game import Choose, Commit, Seat, Shuffle
from protocol.audit.verdict import ProofPolicy, audit
from protocol.crypto.group.backend import ORDER
from protocol.crypto.group.received import written
from protocol.crypto.proofs import card, escrow, membership, opening
from protocol.crypto.proofs.party import Prover
from protocol.crypto.proofs.verification import deferring, keeping
from protocol.errors import Violation
from protocol.record.asks.base import Obligation
from protocol.record.asks.choose import Choice
from protocol.record.asks.proofs.ground import card_under, context, prover
from protocol.record.asks.proofs.keys import Escrowed, Keys, Released
from protocol.record.asks.proofs.laid import Laid
from protocol.record.asks.proofs.moved import Moved
from protocol.record.asks.proofs.opened import Opened
from protocol.record.asks.proofs.proved import Proved
from protocol.record.asks.proofs.shuffled import Shuffled
from protocol.record.asks.proofs.tokens import Tokens
from protocol.record.asks.registry import CODEC
from protocol.record.entries import parse_entry
from protocol.record.evidence import read_record
from protocol.record.statements import Kind
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, Frame
from protocol.wire.messages import Message
from tests.helpers.cheats.bout import Bout
from tests.helpers.games.cups import CUPS, GAMES, HIGH, POUNDS
from tests.helpers.games.players import honest
from tests.helpers.seats.pair import Seat as Place
from tests.helpers.seats.pair import Table
from tests.vectors.primitives import Vector
from tests.vectors.records.matches import case, expected, proven

_PATIENCE: Final = 600
_PROVEN: Final = ("cheated-wrong-shuffle", "cheated-wrong-share-complaint")
"""The transcripts whose proofs are vectors, too."""


def files() -> Iterator[tuple[str, bytes]]:
    """Transcripts and proofs by the name of the file."""
    made = transcripts()
    yield from ((f"{name}.p2ps", data) for name, data in made.items())
    for name in _PROVEN:
        proof = audit(made[name], GAMES).proof
        assert proof is not None
        yield f"{name}.proof", proof


def verdicts() -> Vector:
    """What an audit of each must find; `every_proof`: if it checks every proof, where that differs."""
    vectors: Vector = {}
    for name, data in transcripts().items():
        with keeping():
            plain, thorough = case(data, GAMES), expected(data, GAMES, proving=ProofPolicy(every=True))
        vectors[f"{name}.p2ps"] = (
            plain if plain == {"match": plain["match"], **thorough} else {**plain, "every_proof": thorough}
        )
    for name in _PROVEN:
        report = audit(transcripts()[name], GAMES)
        assert report.fault is not None
        vectors[f"{name}.proof"] = proven(report.fault)
    return vectors


@cache
def transcripts() -> dict[str, bytes]:
    """By name."""
    with keeping():  # all seats live in this process: what one has checked holds for all
        return {
            "complete-two": _Match(2).end(),
            "complete-three-escrow": _Match(3, escrow=2).end(),
            "complete-false-shuffle": _colluding(),
            "incomplete-computed-identity": _identity(),
            **dict(_cheated()),
            **dict(_left()),
        }


# Cheats


def _colluding() -> bytes:
    """A shuffle is proved falsely, nobody minds, and all sign the END."""
    with deferring():
        bout = Bout(3, game=CUPS, decide=honest)
        assert bout.run(_owes(Shuffled))
        true = bout.liar.truth()
        assert isinstance(true, Shuffled)
        bout.tell(bout.liar.entry(Shuffled(true.cards, true.proof[:-32] + bytes(32))))
        bout.run()
    return bout.honest[0].transcript


def _identity() -> bytes:
    """Seat 1 chose its key so that a point of a public card under it is the identity: M(20) + Y = 0."""
    bout = Bout(5, game=CUPS, liar=1, decide=honest)
    with patch.object(bout.liar.secrets, "deck_key", return_value=ORDER - 21):
        assert bout.run(_owes(Shuffled, Commit))
        bout.tell(bout.liar.entry(bout.liar.truth()))
    return bout.honest[0].transcript


def _owes(message: type[Message], part: type = object) -> Callable[[Bout], bool]:
    def until(bout: Bout) -> bool:
        owed = bout.liar.owes
        return owed is not None and owed.message is message and isinstance(owed.part, part)

    return until


Lie = Callable[[Bout], Message]


def _truth(bout: Bout) -> Any:
    return bout.liar.truth()


def _who(bout: Bout) -> Prover:
    return prover(bout.liar.secrets, bout.liar.referee.table, bout.liar.seat)


def _owed(bout: Bout) -> Obligation:
    return cast("Obligation", bout.liar.owes)


def _with(field: str, change: Callable[[bytes], bytes]) -> Lie:
    """The truth with one field changed."""

    def lie(bout: Bout) -> Message:
        truth = _truth(bout)
        return cast("Message", replace(truth, **{field: change(getattr(truth, field))}))

    return lie


def _spoilt(data: bytes) -> bytes:
    """Proofs with their last scalar changed."""
    return data[:-32] + written((int.from_bytes(data[-32:], "little") + 1) % ORDER)


def _second_form(proofs: bytes) -> bytes:
    """Proofs that are false anyway, and of which a scalar has its second form."""
    return bytes(len(proofs) - 32) + ORDER.to_bytes(32, "little")


def _another_card(bout: Bout) -> Message:
    truth, key = cast("Shuffled", _truth(bout)), bout.liar.referee.table.cards.joint
    return replace(truth, cards=card.joined((card.public(7, key),)) + truth.cards[64:])


def _too_rich(bout: Bout) -> Message:
    """A face that the Ask does not allow, proved as well as it can be."""
    who, owed = _who(bout), _owed(bout)
    proof = membership.lay(who, owed.part.slots[0], len(POUNDS))  # type: ignore[union-attr]
    tuples = tuple((face,) for face in POUNDS)
    return Laid(card.joined((proof,)), membership.prove(who, (proof,), tuples, 0))


def _another_face(bout: Bout) -> Message:
    slot = _owed(bout).part.slot  # type: ignore[union-attr]
    closed = card_under(bout.liar.referee.table, slot)
    return Opened(b"\x09", opening.open_card(_who(bout), closed, 9))


def _exchanged(tokens: bytes) -> bytes:
    return tokens[32:64] + tokens[:32] + tokens[64:]


def _copied_key(bout: Bout) -> Message:
    return CODEC.parse(bout.liar.referee.entries[0].message)


_CHEATS: Final[dict[str, tuple[type[Message], type, Lie]]] = {
    "wrong-key": (Keys, object, _copied_key),
    "wrong-shuffle": (Shuffled, Shuffle, _another_card),
    "wrong-shuffle-set": (Shuffled, Commit, _with("proof", _spoilt)),
    "wrong-token": (Tokens, object, _with("tokens", _exchanged)),
    "impossible-face": (Laid, object, _too_rich),
    "wrong-move": (Moved, object, _with("proofs", _spoilt)),
    "wrong-opening": (Opened, object, _another_face),
    "false-word": (Proved, object, _with("proof", _spoilt)),
    "not-a-message-point": (
        Tokens,
        object,
        _with("tokens", lambda data: bytes(len(data))),
    ),
    "not-a-message-scalar": (Laid, object, _with("proofs", _second_form)),
    "not-a-message-length": (Laid, object, _with("proofs", lambda data: data[:-64])),
    "wrong-message": (Laid, object, lambda _: Released(bytes(32))),
}
"""By the rule that is broken: at which message and part, and what is said instead."""


def _cheated() -> Iterator[tuple[str, bytes]]:
    for name, (message, part, lie) in _CHEATS.items():
        bout = Bout(5, game=CUPS, liar=1, decide=honest)
        assert bout.run(_owes(message, part)), name
        bout.lie([bout.liar.entry(lie(bout))])
        yield f"cheated-{name}", bout.honest[0].transcript
    for name, content in {"another": written(2), "missing": None}.items():
        bout = Bout(3, game=CUPS, seats=3, liar=1, decide=honest)
        assert bout.run(_owes(Shuffled))
        bout.lie([bout.liar.statement(Kind.RESIGN, () if content is None else (content,))])
        yield f"cheated-wrong-key-{name}", bout.honest[0].transcript
    yield "cheated-false-open-claim", _false_size()
    yield from _false_shares()


def _false_size() -> bytes:
    """Seat 1 says of a card that lies open that it is high, and it is low, or the other way round."""
    bout = Bout(5, game=CUPS, liar=1, decide=honest, options={"rounds": 2})
    assert bout.run(lambda b: b.liar.owes is not None and b.liar.owes.part == Choose(1, tuple(HIGH)))
    bout.tell(bout.liar.entry(Choice(next(word for word in HIGH if word != _truth(bout).move))))
    bout.run()
    return bout.honest[0].transcript


def _false_shares() -> Iterator[tuple[str, bytes]]:
    """Lies about shares: in the deal, about the deal, and in the release."""
    lies: dict[str, Lie] = {
        "deal": _with("ephemeral", _spoilt),
        "complaint": _with("pads", lambda data: bytes(32) + data[32:]),
    }
    for name, lie in lies.items():
        bout = Bout(3, game=CUPS, seats=3, liar=1, decide=honest, escrow=2)
        assert bout.run(_owes(Escrowed))
        bout.lie([bout.liar.entry(lie(bout))])
        yield f"cheated-wrong-share-{name}", bout.honest[0].transcript
    bout = Bout(3, game=CUPS, seats=3, liar=2, decide=honest, escrow=2)
    assert bout.run(_owes(Escrowed))
    table, secret = bout.liar.referee.table, bout.liar.secrets
    number, dealer = next(iter(table.cards.deals_at.items()))
    who = Prover(context(table, 2), secret.deck_key(bout.begun.id, 2), secret.nonces(bout.begun.id, 2))
    content = (number, *escrow.complain(who, table.cards.deals[dealer]))
    bout.lie([bout.liar.statement(Kind.COMPLAIN, content)])
    yield "cheated-false-complaint", bout.honest[0].transcript


# Leaving


class _Match:
    """A match of seats that keep the rules; one may fall silent for good."""

    def __init__(self, seats: int, escrow: int = 0) -> None:
        self.table = Table(11 + seats, game=CUPS, seats=seats, decide=honest, escrow=escrow)
        self.silent: set[Seat] = set()
        """Seats to and from which nothing is carried any more."""
        self.before: tuple[Seat, type[Message]] | None = None
        """A seat that falls silent with the first such message."""

    @property
    def living(self) -> list[Place]:
        return [seat for seat in self.table.seats if seat.seat not in self.silent]

    @property
    def owed(self) -> Obligation | None:
        return self.living[0].session.referee.owed

    def end(self) -> bytes:
        """Play on to the end; the transcript of the first seat that is there."""
        assert not self.run(lambda _: False)
        return self.living[0].transcript

    def run(self, until: Callable[[Obligation], bool]) -> bool:
        """Play on to a message that is owed by a decision; whether there was such a one."""
        while True:
            self._carry()
            owed = self.owed
            if owed is not None and until(owed):
                return True
            deciding = next((seat for seat in self.living if seat.session.decision is not None), None)
            if deciding is None:
                return False
            session, decision = deciding.session, deciding.session.decision
            assert decision is not None
            session.decide(honest(session, decision, self.table.rng))

    def away(self, seat: Seat) -> None:
        """`seat` is silent from now on, and all others say so."""
        self.silent.add(seat)
        for living in self.living:
            living.session.claim_away(_PATIENCE)
            self._carry()

    def _carry(self) -> None:
        while frames := [(seat, frame) for seat in self.living for frame in seat.persist()]:
            for sender, frame in frames:
                if self.before is not None and sender.seat == self.before[0] and frame.kind == ENTRY:
                    message = CODEC.parse(parse_entry(frame.payload).message)
                    if isinstance(message, self.before[1]):
                        self.before = None
                        self.silent.add(sender.seat)
                if sender.seat not in self.silent:
                    for seat in self.living:
                        if seat is not sender:
                            seat.session.receive(read_record(frame))


def _chooses(seat: Seat) -> Callable[[Obligation], bool]:
    return lambda owed: owed.seat == seat and isinstance(owed.part, Choose)


def _left() -> Iterator[tuple[str, bytes]]:
    """Matches of three, of which one leaves."""
    match = _Match(3)
    assert match.run(_chooses(2))
    match.table.seats[1].session.resign()
    yield "complete-resigned-with-key", match.end()
    match = _Match(3)
    assert match.run(_chooses(1))
    match.away(1)
    yield "unresponsive-left", match.end()
    match = _Match(3, escrow=2)
    assert match.run(_chooses(1))
    match.away(1)
    yield "complete-left-escrow", match.end()
    for name, message in {"key": Keys, "shares": Escrowed}.items():
        match = _Match(3, escrow=2)
        match.before = 1, message
        match.run(lambda _: True)
        match.away(1)
        yield f"complete-left-before-{name}", match.end()
    match = _Match(3, escrow=2)
    assert match.run(_chooses(1))
    match.before = 2, Released
    match.away(1)
    yield "incomplete-share-owed", match.end()
    yield "cheated-wrong-share-released", _false_release()


def _false_release() -> bytes:
    """Seat 0 goes, and seat 1 releases another share than its own."""
    match = _Match(3, escrow=2)
    assert match.run(_chooses(0))
    match.before = 1, Released
    match.away(0)
    liar, witness = match.table.seats[1], match.table.seats[2]
    body = witness.session.referee.entry_body(Released(written(7)))
    signature = liar.identity.sign(labels.SIGN_ENTRY, match.table.begun.id + body)
    with suppress(Violation):
        witness.session.receive(read_record(Frame(ENTRY, body + signature)))
    witness.persist()
    return witness.transcript
