"""Honest seats against a liar, which signs any record that a test wants.

The liar follows the match with a referee of its own and can always send the honest message; a test lets it do
so until the moment of the lie.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, fields
from functools import lru_cache
from typing import Any

from p2p_stratego.core.game import Face, Game, Options, Slot
from p2p_stratego.core.values import frozen
from p2p_stratego.registry import GAMES
from protocol.audit.comparison import Comparison, Copies
from protocol.audit.verdict import Replayed, Report, replay
from protocol.crypto.keys import Identity
from protocol.crypto.proofs.party import Prover
from protocol.errors import Refusal
from protocol.record import statements
from protocol.record.asks.base import Obligation
from protocol.record.asks.proofs.ground import prover
from protocol.record.asks.registry import CODEC
from protocol.record.entries import parse_entry
from protocol.record.evidence import read_record
from protocol.record.genesis import Genesis
from protocol.record.referee import Referee
from protocol.record.statements import Content, Kind
from protocol.record.statements import parse as parse_statement
from protocol.record.time_control import TimeControl
from protocol.seat import replies
from protocol.seat.secrets import MatchSecrets
from protocol.seat.session import Session
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, STATEMENT, Frame, encode
from protocol.wire.messages import Message
from tests.helpers.conquest.dealt import GAMES as DEALT
from tests.helpers.games.cups import GAMES as CUPS
from tests.helpers.games.players import honest
from tests.helpers.games.toy import GAMES as TOYS
from tests.helpers.seats.pair import Decide, Seat, Table
from tests.helpers.seats.receipts import give_receipts


class Liar:
    """One seat with its keys and secrets, free to break rules."""

    def __init__(self, place: Seat, decide: Decide, rng: random.Random, log: Iterable[Frame] = ()) -> None:
        """`log`: the match so far."""
        self._decide, self._rng = decide, rng
        self.begun: Genesis = place.begun
        self.seat = place.seat
        self.identity: Identity = place.identity
        self.secrets = MatchSecrets(place.master, place.fresh())
        # Never live, so it follows and remembers, but signs nothing on its own.
        self.session = Session(self.begun, self.seat, self.identity, self.secrets, log)
        self.referee = self.session.referee
        self.laid: dict[Slot, Face] = {}
        """By slot: the faces that it laid otherwise than its session knows."""

    @property
    def known(self) -> dict[Slot, Face]:
        return {**self.session.known, **self.laid}

    def follow(self, frame: Frame) -> None:
        """Admit a record to the liar's own copy, if it is one."""
        if frame.kind == ENTRY:
            self.referee.admit_entry(parse_entry(frame.payload))
        else:
            self.referee.admit_statement(parse_statement(frame.payload))

    @property
    def owes(self) -> Obligation | None:
        """The liar's present obligation."""
        owed = self.referee.owed
        if not self.referee.agreed or self.session.over or owed is None or owed.seat != self.seat:
            return None
        return owed

    def truth(self) -> Message:
        """The honest message that it owes; its player decides if need be."""
        owed = self.owes
        assert owed is not None
        if self.session.decision is not None:
            self.session.decide(self._decide(self.session, self.session.decision, self._rng))
        message = replies.reply(self.secrets, self.referee, owed, self.known)
        assert message is not None
        return message

    @property
    def prover(self) -> Prover:
        """The liar as a prover of what it owes about cards."""
        return prover(self.secrets, self.referee.table, self.seat)

    def elsewhere(self, serial: int = 0, seat: int = 0, game: bytes = b"") -> Prover:
        """The liar with its key in another Ask, seat or match."""
        who = self.prover
        ctx = who.party.ctx
        ctx = ctx._replace(serial=ctx.serial + serial, seat=ctx.seat + seat, game=game or ctx.game)
        return Prover(ctx, who.x, who.nonces)

    def last_word(self) -> Frame | None:
        """Its REVEAL or END, if it is due."""
        referee, seat = self.referee, self.seat
        if seat in referee.unsettled:
            part = replies.parts(referee, seat)[0]
            openings = replies.openings(self.secrets, referee, seat, self.known, part)
            return self.statement(Kind.REVEAL, (part, openings))
        ended = any(s.kind is Kind.END for s in referee.statements[seat])
        if ended or seat not in referee.signers or referee.unsettled or referee.outcome is None:
            return None
        return self.statement(Kind.END, statements.end_content(referee.outcome))

    def entry(
        self,
        message: Message | Any,
        *,
        number: int | None = None,
        seat: int | None = None,
        previous: bytes | None = None,
        identity: Identity | None = None,
        game: bytes | None = None,
        label: bytes = labels.SIGN_ENTRY,
    ) -> Frame:
        """An entry with `message`, a message or any value, in its place unless told otherwise."""
        value = CODEC.value(message) if isinstance(message, Message) else message
        number = self.referee.count if number is None else number
        head = self.referee.heads[min(number, self.referee.count)] if previous is None else previous
        body = encode([number, self.seat if seat is None else seat, head, value])
        return Frame(ENTRY, self.signed(body, label, identity=identity, game=game))

    def statement(
        self,
        kind: Kind | int,
        content: Content = (),
        *,
        seat: int | None = None,
        index: int | None = None,
        previous: bytes | None = None,
        count: int | None = None,
        head: bytes | None = None,
        identity: Identity | None = None,
        game: bytes | None = None,
    ) -> Frame:
        """A statement in its place unless told otherwise."""
        index = len(self.referee.statements[self.seat]) if index is None else index
        count = self.referee.count if count is None else count
        head = self.referee.heads[min(count, self.referee.count)] if head is None else head
        seat = self.seat if seat is None else seat
        own_head = self.referee.statement_heads[self.seat]
        previous = own_head[min(index, len(own_head) - 1)] if previous is None else previous
        body = encode([seat, index, previous, count, head, int(kind), *statements.as_value(content)])
        return Frame(STATEMENT, self.signed(body, labels.SIGN_STATEMENT, identity=identity, game=game))

    def signed(
        self, body: bytes, label: bytes, *, identity: Identity | None = None, game: bytes | None = None
    ) -> bytes:
        """`body` and a signature over it, the liar's own unless told otherwise."""
        return body + (identity or self.identity).sign(label, (game or self.begun.id) + body)


Until = Callable[["Bout"], bool]


def never(_: Bout) -> bool:
    """Play to the end."""
    return False


def owing(message: type[Message]) -> Until:
    """The moment when the liar owes this message."""
    return lambda bout: (owed := bout.liar.owes) is not None and owed.message is message


class Bout:
    """A match in which seat `liar` lies; `crook`: how its player decides, if not as the others do.

    `friend`: a seat that is a liar too, but says nothing on its own beyond what it owes.
    """

    def __init__(
        self,
        seed: int = 0,
        *,
        game: Game[Any] | None = None,
        options: Options | None = None,
        seats: int = 2,
        liar: int = 0,
        decide: Decide = honest,
        crook: Decide | None = None,
        agreeing: bool = True,
        friend: int | None = None,
        proofs: bool = False,
        escrow: int = 0,
        clock: TimeControl | None = None,
        takebacks: bool = False,
    ) -> None:
        table = Table(
            seed,
            game=game,
            options=options,
            seats=seats,
            proofs=proofs,
            escrow=escrow,
            clock=clock,
            takebacks=takebacks,
        )
        self.rng, self.decide = table.rng, decide
        self.begun = table.begun
        self.liar = Liar(table.seats[liar], crook or decide, self.rng)
        self.liars = [self.liar]
        if friend is not None:
            self.liars.append(Liar(table.seats[friend], decide, self.rng))
        self.honest = [seat for seat in table.seats if seat.seat not in (liar, friend)]
        self.spread()
        if agreeing:
            for partner in self.liars:
                self.tell(partner.statement(Kind.AGREE, partner.session.talk.key))

    # The honest match

    def spread(self) -> None:
        """Deliver the outputs of the honest seats to all seats until there are none left."""
        busy = True
        while busy:
            busy = False
            for seat in self.honest:
                for frame in seat.persist():
                    busy = True
                    self._follow(frame)
                    for other in self.honest:
                        if other is not seat:
                            other.session.receive(read_record(frame))

    def _follow(self, frame: Frame) -> None:
        for liar in self.liars:
            liar.follow(frame)

    def tell(self, frame: Frame) -> None:
        """The liar, or its friend, sends an honest record."""
        self._follow(frame)
        for seat in self.honest:
            seat.session.receive(read_record(frame))
        self.spread()

    def run(self, until: Until = never) -> bool:
        """Play on honestly until just before a moment; return whether it came."""
        while True:
            self.spread()
            if until(self):
                return True
            if not self._step():
                return False

    def _step(self) -> bool:
        for session in (seat.session for seat in self.honest):
            if session.decision is not None:
                session.decide(self.decide(session, session.decision, self.rng))
                return True
        for liar in self.liars:
            frame = liar.entry(liar.truth()) if liar.owes is not None else liar.last_word()
            if frame is not None:
                self.tell(frame)
                return True
        return False

    # The lie

    def lie(self, frames: Iterable[Frame], *, to: Sequence[int] | None = None) -> list[Refusal | None]:
        """Send `frames` to the honest seats (or to those numbered `to`); return how each refused the last.

        Any other exception is a crash and ends the test.
        """
        taken: list[Refusal | None] = []
        for seat in self.honest:
            if to is not None and seat.seat not in to:
                continue
            answer: Refusal | None = None
            for frame in frames:
                try:
                    seat.session.receive(read_record(frame))
                    answer = None
                except Refusal as refusal:
                    answer = refusal
            taken.append(answer)
            seat.persist()
        return taken

    def claims_away(self, seconds: int, *, of_time: bool = False) -> Frame:
        """The first honest seat's AWAY against the seat that owes and has sent its receipt."""
        claimant, *others = self.honest
        keys = {self.liar.seat: self.liar.identity, **{seat.seat: seat.identity for seat in self.honest}}
        give_receipts(claimant.session, keys)
        claimant.session.claim_away(seconds, of_time=of_time)
        (claim,) = claimant.persist()
        for other in others:
            other.session.receive(read_record(claim))
            other.persist()
        return claim

    def reports(self, *, every_signature: bool = False) -> list[Copy]:
        """The audits of all honest seats' records."""
        return judge_all(self.honest, every_signature=every_signature)


@frozen
class Copy(Report):
    """A report with its match and its transcript."""

    referee: Referee = field(kw_only=True, repr=False, compare=False)
    data: bytes = field(kw_only=True, repr=False, compare=False)


@lru_cache(256)
def judge(transcript: bytes, *, every_signature: bool = False) -> Copy:
    """The audit of a transcript of any tested game.  The same bytes are judged once, whatever led to them."""
    recording = replay(transcript, every_signature=every_signature, games={**GAMES, **TOYS, **DEALT, **CUPS})
    shown = {field.name: getattr(recording.report, field.name) for field in fields(Report)}
    return Copy(**shown, referee=recording.referee, data=transcript)


def judge_all(seats: Iterable[Seat], *, every_signature: bool = False) -> list[Copy]:
    """The audits of these seats' records; of those that are equal to the byte there is one."""
    records = [seat.transcript for seat in seats]
    audits = {record: judge(record, every_signature=every_signature) for record in {*records}}
    return [audits[record] for record in records]


def compare(copies: Iterable[Copy]) -> Comparison:
    """Compare judged copies."""
    together = Copies(GAMES)
    for copy in copies:
        together.hold(Replayed(copy, copy.referee))
    return together.compare()
