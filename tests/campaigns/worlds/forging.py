"""What liars can sign for one copy: a finite alphabet, made from what that copy holds now.

For each liar, over what the copy holds and over what it holds back:

- the entry that the liar owes, as an honest seat would make it; another move, where it has a choice; each
  with the release that the rules ask for, and without;
- as the decider, a Gone for the next place, and one for the last place that its owner's record has taken;
- an entry that it does not owe;
- statements next in its log, over all entries and over all but the last: an AWAY against the owner and the
  decider of that place; a BACK for each of the last two places, alone and with the BACK of each other seat;
  talk; RESIGN; an offer of a draw and an acceptance of each; the END that the copy knows, and a false one;
  each part of its REVEAL, true and false; a false COMPLAIN of each look.

Two liars act together: each uses what the other has signed.  A second version of a record needs no letter of
its own: each copy is given its own next one.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from types import SimpleNamespace
from typing import Any, Final, cast

from p2p_stratego.core.game import Choose, Seat
from p2p_stratego.core.view import View
from protocol.errors import Malformed
from protocol.record import statements
from protocol.record.asks.base import Decided, Obligation
from protocol.record.asks.open import Opening
from protocol.record.asks.registry import CODEC
from protocol.record.referee import Referee
from protocol.record.silence.gone import Gone
from protocol.record.silence.rules import ChainPlace
from protocol.record.statements import Content, Kind, Statement, end_content
from protocol.seat import replies
from protocol.seat.faces import Faces
from protocol.seat.secrets import MatchSecrets
from protocol.seat.session import Session
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, STATEMENT, Frame, encode
from tests.campaigns.worlds.copies import Copy
from tests.helpers.games.players import honest

WAITED: Final = 5
_FALSE: Final = bytes(32)


class Liar:
    """One liar, over one record."""

    def __init__(self, copy: Copy, seat: Seat, referee: Referee, heard: Sequence[Statement]) -> None:
        """`heard`: AWAYs and BACKs of all seats that anybody has signed."""
        self.copy, self.seat, self.referee, self.heard = copy, seat, referee, heard
        self._genesis, self._identity = copy.begun.genesis, copy.begun.identities[seat]
        self.kinds = copy.arena.kinds

    def letters(self) -> Iterator[Frame]:
        """All that it can sign."""
        yield from self.entries()
        yield from self.statements()

    # Entries

    def entries(self) -> Iterator[Frame]:
        """Entries for the next place, and a Gone for the last one."""
        referee, owed = self.referee, self.referee.owed
        if owed is None or not referee.agreed:
            return
        if owed.seat == self.seat:
            for value in self._replies(owed):
                release = self._release()
                yield self._entry(referee.count, value)
                if release:
                    yield self._entry(referee.count, value, release)
        elif self.seat not in referee.table.gone:
            yield self._entry(referee.count, [1, "x"])
        for number in (referee.count, referee.count - 1):
            if number >= 0 and (gone := self._gone(number)) is not None:
                yield gone

    def _replies(self, owed: Obligation) -> Iterator[Any]:
        table = self.referee.table
        for decided in self._decisions(owed):
            secrets = self._secrets()
            if decided is not None:
                secrets.decided[table.serial] = decided
            own = Faces(self.referee, self.seat, secrets).own
            with suppress(KeyError):
                if (message := replies.reply(secrets, self.referee, owed, own)) is not None:
                    yield CODEC.value(message)

    def _decisions(self, owed: Obligation) -> list[Decided | None]:
        """What an honest person would decide and, of a choice, another move; None if nothing is open."""
        faces, table = self._faces(), self.referee.table
        part = next(iter(faces.parts(owed.ask)), None)
        if part is None:
            return [None]
        since = tuple((step.ask, step.answer) for step in table.since)
        view = View(self.seat, table.state, faces.known, part, since)
        seen = SimpleNamespace(genesis=self._genesis, referee=self.referee, view=view)
        usual = honest(cast("Session", seen), part, random.Random(f"worlds {self.seat} {table.serial}"))
        others = [move for move in part.options if move != usual] if isinstance(part, Choose) else []
        return [usual, *others[:1]]

    def _secrets(self) -> MatchSecrets:
        return self.copy.begun.secrets(self.seat, foreseen=True)

    def _faces(self) -> Faces:
        return Faces(self.referee, self.seat, self._secrets())

    def _release(self) -> tuple[bytes, ...]:
        with suppress(ValueError):
            return self.referee.absences.release(self.seat)
        return ()

    def _gone(self, number: int) -> Frame | None:
        referee = self.referee
        if referee.owing[number] is None:
            return None
        place = referee.absences.place(number)
        if not place.many or self.seat != place.decider:
            return None
        if number < referee.count and not referee.absences.stands(number):
            return None
        aways = [self._away(seat, place, number) for seat in sorted(place.accusers)]
        if not all(aways):
            return None
        return self._entry(number, CODEC.value(Gone(place.owner, tuple(map(bytes, filter(None, aways))))))

    def _away(self, seat: Seat, place: ChainPlace, number: int) -> bytes | None:
        """An AWAY of `seat` against the owner of a place: one that was signed, or one of a liar."""
        referee = self.referee
        over = seat, Kind.AWAY, number, referee.heads[number]
        for statement in (*referee.absences.away(number).values(), *self.heard):
            if (
                statement.seat,
                statement.kind,
                statement.count,
                statement.head,
            ) == over and statement.content[0] == place.owner:
                return statement.payload
        if seat in self.copy.arena.honest:
            return None
        return (
            Liar(self.copy, seat, referee, self.heard)
            .statement(Kind.AWAY, (place.owner, WAITED, b""), number)
            .payload
        )

    def _entry(self, number: int, value: Any, release: tuple[bytes, ...] = ()) -> Frame:
        fields = (number, self.seat, self.referee.heads[number], value, *([release] if release else []))
        return self._signed(ENTRY, encode(fields))

    # Statements

    def statements(self) -> Iterator[Frame]:
        """Statements next in its log."""
        referee = self.referee
        known = referee.statements[self.seat]
        if not known:
            return
        least = known[-1].count
        for count in {referee.count, referee.count - 1}:
            if count >= least:
                for kind, content in self._contents(count):
                    if kind in self.kinds:
                        yield self.statement(kind, content, count)

    def _contents(self, count: int) -> Iterator[tuple[Kind, Content]]:
        referee = self.referee
        if referee.owing[count] is not None:
            place = referee.absences.place(count)
            for accused in {place.owner, place.decider} - {self.seat} if len(place.present) > 1 else ():
                yield Kind.AWAY, (accused, WAITED, b"")
        if count == referee.count:
            yield from self._now()
        yield Kind.CHAT, ("x",)
        yield Kind.RESIGN, replies.key_to_give(self._secrets(), referee, self.seat)

    def _now(self) -> Iterator[tuple[Kind, Content]]:
        referee, count = self.referee, self.referee.count
        for number in range(max(0, count - 2), count):
            yield Kind.BACK, (number,)
            for statement in self.heard:
                fits = (
                    statement.kind is Kind.BACK
                    and statement.content == (number,)
                    and statement.seat != self.seat
                )
                if fits and statement.count <= count:
                    yield Kind.BACK, (number, statement.payload)
        yield Kind.OFFER_DRAW, ()
        for seat in range(len(referee.statements)):
            if (offer := referee.standing_offer(seat)) is not None:
                yield Kind.ACCEPT_DRAW, (seat, offer.index)
        if (outcome := referee.outcome) is not None:
            yield Kind.END, end_content(outcome)
        yield Kind.END, ((), "unrevealed" if referee.unsettled else "agreed-draw")
        for owing in referee.unsettled:
            if owing != self.seat:
                yield Kind.AWAY, (owing, WAITED, b"")
        if self.seat in referee.unsettled:
            secrets = self._secrets()
            for part in replies.parts(referee, self.seat):
                with suppress(KeyError):
                    shown = replies.openings(secrets, referee, self.seat, self._faces().own, part)
                    yield Kind.REVEAL, (part, shown)
                    yield Kind.REVEAL, (part, (Opening(shown[0].face, _FALSE), *shown[1:]))
        for number in referee.table.looks:
            yield Kind.COMPLAIN, (number, _FALSE)

    def statement(self, kind: Kind, content: Content, count: int) -> Frame:
        """Its next statement over so many entries."""
        referee = self.referee
        after = len(referee.statements[self.seat]), referee.statement_heads[self.seat][-1]
        body = statements.body(self.seat, after, (count, referee.heads[count]), kind, content)
        return self._signed(STATEMENT, body)

    def _signed(self, kind: int, body: bytes) -> Frame:
        label = labels.SIGN_ENTRY if kind == ENTRY else labels.SIGN_STATEMENT
        return Frame(kind, body + self._identity.sign(label, self._genesis.id + body))


def alphabet(copy: Copy, heard: Iterable[Statement]) -> frozenset[Frame]:
    """All records that liars can sign for `copy` now."""
    ahead = copy.session.ahead.reached
    records = [copy.referee] if ahead is copy.referee else [copy.referee, ahead]
    statements = [*heard]
    letters = set[Frame]()
    for referee in records:
        for seat in sorted(copy.arena.liars):
            letters |= {*Liar(copy, seat, referee, statements).letters()}
    return frozenset(frame for frame in letters if _has_form(frame))


def _has_form(frame: Frame) -> bool:
    if frame.kind != STATEMENT:
        return True
    try:
        statements.parse(frame.payload)
    except Malformed:
        return False
    return True
