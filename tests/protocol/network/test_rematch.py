"""The return match: what was said before it belongs to the match that ended."""

from __future__ import annotations

from pathlib import Path

from protocol.network.replica import Status
from protocol.record import statements
from protocol.record.statements import Kind, Statement
from protocol.wire import transcript
from protocol.wire.encoding import STATEMENT
from tests.helpers.wire import Wire


def _chat(path: str) -> list[str]:
    """The lines of chat in a transcript on the disk."""
    frames = transcript.read(Path(path).read_bytes()).frames
    said = [statements.parse(frame.payload) for frame in frames if frame.kind == STATEMENT]
    return [statement.content[0] for statement in said if statement.kind is Kind.CHAT]


def test_records_that_arrive_with_the_agreement_to_a_rematch_are_written_and_shown(wire: Wire) -> None:
    ada, ben = wire.sides
    ada.resign()
    wire.settle()
    ada.offer_rematch()
    wire.settle()
    ended, path = ada.match.id, ada.store.path
    shown: list[Statement] = []

    def show() -> None:
        if ada.match.id == ended:
            shown.extend(s for s in ada.session.referee.statements[1] if s.kind is Kind.CHAT)

    ada.on_change = show
    ben.say("well played")
    ben.offer_rematch()
    wire.step()
    assert ada.match.id != ended
    assert _chat(path) == ["well played"]
    assert [said.content for said in shown] == [("well played",)]
    wire.settle()
    assert ada.status is ben.status is Status.CONNECTED
    assert ada.session.live
    assert ben.session.live
    wire.close()
