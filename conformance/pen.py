"""The pen of all seats: what they sign behind a place at which the record of a match was cut."""

from __future__ import annotations

from collections.abc import Sequence

from conformance.plans import Forged, NotThisTime, Plain, single
from p2p_stratego.core.game import Seat
from protocol.record import statements
from protocol.record.asks.registry import CODEC
from protocol.record.entries import Entry, Folded
from protocol.record.silence.gone import Gone
from protocol.record.statements import Content, Kind, Statement, statement_hash
from protocol.wire import labels, transcript
from protocol.wire.encoding import STATEMENT, Frame
from tests.helpers.seats.pair import Table


class Pen:
    """A record of a match, and what its seats sign behind it, with the keys of all."""

    def __init__(
        self, match: Table, frames: Sequence[Frame], chain: Sequence[Entry], heads: Sequence[bytes]
    ) -> None:
        """`chain`: the entries that stand; `heads`: those before, between and behind them."""
        self.match, self.frames, self.chain, self.heads = match, [*frames], tuple(chain), [*heads]
        self.words: list[list[Statement]] = [[] for _ in match.seats]
        for frame in self.frames:
            if frame.kind == STATEMENT:
                self._note(statements.parse(frame.payload))
        went = {entry.seat: entry.number for entry in self.chain if isinstance(entry, Folded)}
        gone = {self.gone_at(number): number for number in range(len(self.chain))}
        self.went: dict[Seat, int] = went | {seat: at for seat, at in gone.items() if seat is not None}
        """By seat that has gone: the place."""
        self.home = {
            seat
            for seat, known in enumerate(self.words)
            if seat not in went and any(statement.kind is Kind.RESIGN for statement in known)
        }
        """The seats that have resigned, and owed nothing since."""

    def _note(self, statement: Statement) -> None:
        self.words[statement.seat].append(statement)

    @property
    def count(self) -> int:
        """How many entries there are."""
        return len(self.heads) - 1

    def say(self, seat: Seat, kind: Kind, content: Content = (), *, over: int | None = None) -> int:
        """The next statement of a seat, over all entries or fewer; its index."""
        known = self.words[seat]
        over = self.count if over is None else over
        if over < known[-1].count:
            raise NotThisTime
        after = len(known), statement_hash(known[-1].body)
        self.frames.append(self._signed(seat, after, over, kind, content))
        self._note(statements.parse(self.frames[-1].payload))
        return after[0]

    def again(self, seat: Seat) -> int:
        """Another version of the last statement of a seat; its index."""
        last = self.words[seat][-1]
        after = last.index, last.previous
        self.frames.append(self._signed(seat, after, last.count, Kind.CHAT, ("another version",)))
        return last.index

    def _signed(self, seat: Seat, after: tuple[int, bytes], over: int, kind: Kind, content: Content) -> Frame:
        body = statements.body(seat, after, (over, self.heads[over]), kind, content)
        name = self.match.begun.id + body
        return Frame(STATEMENT, body + self.match.seats[seat].identity.sign(labels.SIGN_STATEMENT, name))

    def gone_at(self, number: int) -> Seat | None:
        """The seat that the others took out in that entry."""
        entry = self.chain[number]
        message = None if isinstance(entry, Folded) else CODEC.parse(entry.message)
        return message.seat if isinstance(message, Gone) else None

    def case(self, plan: str, expected: Plain) -> Forged:
        """The case of this file."""
        begun = self.match.begun
        return single(plan, begun, transcript.write(begun.body, self.frames), expected)
