"""Two stories told in two copies of one match: held together they show who told them."""

from __future__ import annotations

from p2p_stratego.registry import GAMES
from protocol.audit.proof import check
from protocol.audit.verdict import Verdict
from protocol.record import receipts, statements
from protocol.record.statements import Content, Kind
from protocol.wire import labels, transcript
from protocol.wire.encoding import ENTRY, STATEMENT, Frame
from tests.helpers.cheats.bout import compare, judge
from tests.helpers.games.players import honest
from tests.helpers.seats.pair import Seat, Table

OFFERED_AT = 12


def _lost() -> tuple[Seat, Seat]:
    """Ben offers a draw, Ada does not take it, plays on, and does not sign the END."""
    table = Table(3, decide=honest)
    ada, ben = table.seats
    while ben.session.referee.count < OFFERED_AT:
        table.step()
    ben.session.offer_draw()
    table.play()
    ben.log = [frame for frame in ben.log if not _is(frame, 0, Kind.END)]
    return ada, ben


def _is(frame: Frame, seat: int, kind: Kind) -> bool:
    if frame.kind != STATEMENT:
        return False
    statement = statements.parse(frame.payload)
    return (statement.seat, statement.kind) == (seat, kind)


def _cut(ada: Seat, ben: Seat, count: int, kind: Kind, content: Content) -> bytes:
    """Ada's copy, cut off behind `count` entries, with something that she says there instead."""
    referee = ben.session.referee
    kept, entries = [], 0
    for frame in ben.log:
        entries += frame.kind == ENTRY
        if frame.kind == ENTRY and entries > count:
            continue
        if frame.kind == STATEMENT and statements.parse(frame.payload).count > count:
            continue
        kept.append(frame)
    body = statements.body(
        0, (1, referee.statement_heads[0][1]), (count, referee.heads[count]), kind, content
    )
    statement = body + ada.identity.sign(labels.SIGN_STATEMENT, ada.begun.id + body)
    return transcript.write(ada.begun.body, [*kept, Frame(STATEMENT, statement)])


def test_a_draw_accepted_in_a_cut_copy_is_going_on_behind_a_last_word() -> None:
    ada, ben = _lost()
    referee = ben.session.referee
    offer = next(s for s in referee.statements[1] if s.kind is Kind.OFFER_DRAW)
    decided = next(number for number in referee.decided_at[0] if number >= offer.count)
    judgement = judge(_cut(ada, ben, decided, Kind.ACCEPT_DRAW, (1, offer.index)))
    truth = judge(ben.transcript)
    assert judgement.verdict is truth.verdict is Verdict.COMPLETE
    for copies in ([judgement, truth], [truth, judgement]):
        comparison = compare(copies)
        assert not comparison.agree
        assert comparison.fault is not None
        assert (comparison.fault.seat, comparison.fault.rule) == (0, "went-on")
        assert comparison.proof is not None
        assert check(comparison.proof, GAMES) == comparison.fault


def test_an_absence_claimed_in_a_cut_copy_does_not_agree_with_the_copy_that_has_the_answer() -> None:
    ada, ben = _lost()
    referee = ben.session.referee
    count = next(entry.number for entry in referee.entries if entry.seat == 1 and entry.number > OFFERED_AT)
    receipt = receipts.sign(ben.identity, ben.begun, 1, count, referee.heads[count])
    judgement = judge(_cut(ada, ben, count, Kind.AWAY, (1, 180, receipt)))
    truth = judge(ben.transcript)
    assert judgement.verdict is Verdict.UNRESPONSIVE
    comparison = compare([judgement, truth])
    assert not comparison.agree
    assert comparison.fault is None
