"""Matches with a clock: a seat that is said to be out of time, and sayings that are none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from protocol.record import receipts
from protocol.record.asks.choose import Choice
from protocol.record.statements import OUT_OF_TIME, Kind
from protocol.record.time_control import TimeControl
from protocol.wire import transcript
from tests.helpers.cheats.bout import Bout, owing
from tests.vectors.records.players import REAL, WALL, player

FISCHER: Final = TimeControl(900, 10)
EACH: Final = TimeControl(60)


def _bout(clock: TimeControl | None) -> Bout:
    made = Bout(
        77, game=REAL, options=WALL, decide=player("vector bout"), crook=player("vector liar"), clock=clock
    )
    made.run(owing(Choice))
    return made


def transcripts() -> Iterator[tuple[str, bytes]]:
    for name, clock in (("fischer", FISCHER), ("each", EACH)):
        made = _bout(clock)
        before = list(made.honest[0].log)
        claim = made.claims_away(901, of_time=True)
        yield f"unresponsive-time-{name}", made.honest[0].transcript
        answer = made.liar.entry(made.liar.truth())
        yield f"incomplete-time-{name}-answered", transcript.write(made.begun.body, [*before, claim, answer])
    made = _bout(FISCHER)
    before, body, liar, other = list(made.honest[0].log), made.begun.body, made.liar, made.honest[0]
    early = liar.statement(Kind.AWAY, (other.seat, 901, b"", OUT_OF_TIME))
    yield "cheated-time-of-another-turn", transcript.write(body, [*before, early])
    answer = liar.entry(liar.truth())
    liar.follow(answer)
    referee = liar.referee
    receipt = receipts.sign(other.identity, made.begun, other.seat, referee.count, referee.head)
    for name, causes in (("cause-0", (0,)), ("cause-2", (2,)), ("two-causes", (1, 1))):
        statement = liar.statement(Kind.AWAY, (other.seat, 901, receipt, *causes))
        yield f"tampered-time-{name}", transcript.write(body, [*before, answer, statement])
    bare = liar.statement(Kind.AWAY, (other.seat, 901, b"", OUT_OF_TIME))
    yield "incomplete-time-without-receipt", transcript.write(body, [*before, answer, bare])
    made = _bout(None)
    liar = made.liar
    statement = liar.statement(Kind.AWAY, (made.honest[0].seat, 901, b"", OUT_OF_TIME))
    yield "tampered-time-without-clock", transcript.write(made.begun.body, [*made.honest[0].log, statement])
