"""The gate: a record is admitted whole, or refused without a trace; blame only for verified signatures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

from protocol.errors import Equivocation, Forged, Malformed, Misplaced, Refusal, Violation
from protocol.limits import MAX_BACK, MAX_ENTRY, MAX_STATEMENTS
from protocol.record import genesis, statements
from protocol.record.asks.base import Reached
from protocol.record.asks.choose import Choice
from protocol.record.asks.commit import Commitments
from protocol.record.asks.open import Opening
from protocol.record.asks.roll import Share
from protocol.record.entries import Entry, parse_entry
from protocol.record.referee import Duplicate, Referee
from protocol.record.statements import Kind, Statement, parse_record
from protocol.record.statements import parse as parse_statement
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, STATEMENT, Frame, encode
from tests.helpers.cheats.bout import Bout, Liar, owing
from tests.helpers.cheats.lies import JUNK
from tests.helpers.games.players import honest
from tests.helpers.games.toy import TOY
from tests.helpers.seats.pair import Table

TOYS: Final[dict[str, Any]] = {"game": TOY, "options": {"rounds": 2}, "liar": 1}


def middle(seed: int = 1, **table: Any) -> tuple[Bout, Liar, Referee]:
    """A match in which the liar owes a choice; the referee of an honest seat."""
    bout = Bout(seed, **{**TOYS, **table})
    while not bout.run(owing(Choice)):
        bout = Bout(bout.rng.randrange(1000), **{**TOYS, **table})
    return bout, bout.liar, bout.honest[0].session.referee


def snapshot(referee: Referee) -> tuple[Any, ...]:
    table = referee.table
    return (
        referee.count,
        referee.head,
        referee.owed,
        list(referee.record),
        [list(known) for known in referee.statements],
        referee.outcome,
        dict(table.hidden),
        dict(table.faces),
        list(table.history),
        list(table.links),
        table.serial,
        table.state,
    )


def test_an_entry_is_read_as_it_stands() -> None:
    _, _, referee = middle()
    for number, entry in enumerate(referee.entries):
        assert parse_entry(entry.payload) == entry
        assert entry.number == number
        assert entry.previous == referee.heads[number]
        assert (entry.frame.kind, entry.frame.payload) == (ENTRY, entry.payload)
    assert referee.heads[0] == referee.genesis.id
    assert len(set(referee.heads)) == referee.count + 1


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        bytes(64),
        bytes(MAX_ENTRY + 1),
        encode([0, 0, JUNK, [1, "x"]])[:-1] + bytes(64),
        encode({"a": 1}) + bytes(64),
        encode(0) + bytes(64),
        encode([0, 0, JUNK]) + bytes(64),
        encode([0, 0, JUNK, [], 0]) + bytes(64),
        encode([0, 0, JUNK, [], []]) + bytes(64),
        encode([0, 0, JUNK, [], [0]]) + bytes(64),
        encode([0, 0, JUNK, [], [b""] * 9]) + bytes(64),
        encode([0, 0, JUNK, [], [bytes(MAX_BACK + 1)]]) + bytes(64),
        encode(["0", 0, JUNK, []]) + bytes(64),
        encode([0, "0", JUNK, []]) + bytes(64),
        encode([0, 0, "x" * 32, []]) + bytes(64),
        encode([0, 0, JUNK[:31], []]) + bytes(64),
    ],
)
def test_what_is_no_entry(payload: bytes) -> None:
    with pytest.raises(Malformed):
        parse_entry(payload)


def test_row_47_no_release_swells_a_match_until_its_file_is_too_long_for_an_audit() -> None:
    """The longest BACK fits, whatever its numbers; among two, where no BACK is ever said, none does."""
    most = 2**32 - 1
    longest = statements.body(4, (most, JUNK), (most, JUNK), Kind.BACK, (most,)) + bytes(64)
    assert len(longest) <= MAX_BACK < len(longest) + 8
    _, liar, referee = middle()
    body = encode([referee.count, liar.seat, referee.head, [1, "left"], [longest]])
    signed = body + liar.identity.sign(labels.SIGN_ENTRY, referee.genesis.id + body)
    assert parse_entry(signed).release == (longest,)
    with pytest.raises(Malformed, match="of two seats"):
        referee.admit_entry(parse_entry(signed))


def test_the_longest_entry_fits() -> None:
    digests = tuple(bytes([i]) * 32 for i in range(256))
    _, liar, _ = middle()
    assert len(liar.entry(Commitments(digests)).payload) < MAX_ENTRY


REFUSED: Final[dict[str, tuple[type[Refusal], Callable[[Bout], Any]]]] = {
    "malformed": (Malformed, lambda b: b.liar.entry({})),
    "of no seat": (Malformed, lambda b: b.liar.entry(Choice("left"), seat=7)),
    "forged": (Forged, lambda b: b.liar.entry(Choice("left"), game=JUNK)),
    "too early": (Misplaced, lambda b: b.liar.entry(Choice("left"), number=b.liar.referee.count + 1)),
    "over another head": (Misplaced, lambda b: b.liar.entry(Choice("left"), previous=JUNK)),
    "known already": (Duplicate, lambda b: b.liar.referee.entries[0].frame),
    "of another chain, in the past": (
        Misplaced,
        lambda b: b.liar.entry(Choice("x"), number=_foreign(b), previous=JUNK),
    ),
    "out of turn, in the past": (Violation, lambda b: b.liar.entry(Choice("x"), number=_foreign(b))),
    "a second version": (Equivocation, lambda b: b.liar.entry(Choice("x"), number=_own(b))),
    "no message": (Violation, lambda b: b.liar.entry([99])),
    "another message": (Violation, lambda b: b.liar.entry(Share(JUNK))),
    "no option": (Violation, lambda b: b.liar.entry(Choice("up"))),
    "a statement malformed": (Malformed, lambda b: b.liar.statement(Kind.CHAT)),
    "a statement of no seat": (Malformed, lambda b: b.liar.statement(Kind.RESIGN, seat=7)),
    "a statement forged": (Forged, lambda b: b.liar.statement(Kind.RESIGN, game=JUNK)),
    "a statement too early": (Misplaced, lambda b: b.liar.statement(Kind.RESIGN, index=2)),
    "a statement known already": (Duplicate, lambda b: b.liar.referee.statements[1][0].frame),
    "a second version of a statement": (Equivocation, lambda b: b.liar.statement(Kind.RESIGN, index=0)),
    "a statement of another history": (
        Misplaced,
        lambda b: b.liar.statement(Kind.RESIGN, previous=JUNK),
    ),
    "a consent to another history": (
        Equivocation,
        lambda b: b.liar.statement(Kind.AGREE, index=0, previous=JUNK),
    ),
    "a statement over a head to come": (
        Misplaced,
        lambda b: b.liar.statement(Kind.RESIGN, count=b.liar.referee.count + 1),
    ),
    "a statement over another head": (Misplaced, lambda b: b.liar.statement(Kind.RESIGN, head=JUNK)),
    "a second consent": (Violation, lambda b: b.liar.statement(Kind.AGREE)),
    "a false claim of absence": (Violation, lambda b: b.liar.statement(Kind.AWAY, (0, 9, b""))),
    "an end that has not come": (Misplaced, lambda b: b.liar.statement(Kind.END, ((0,), "points"))),
    "a reveal while play goes on": (
        Misplaced,
        lambda b: b.liar.statement(Kind.REVEAL, (0, (Opening(1, JUNK),))),
    ),
}


def _own(bout: Bout) -> int:
    return next(e.number for e in bout.liar.referee.entries if e.seat == bout.liar.seat)


def _foreign(bout: Bout) -> int:
    return next(e.number for e in bout.liar.referee.entries if e.seat != bout.liar.seat)


@pytest.mark.parametrize(("refusal", "make"), REFUSED.values(), ids=REFUSED)
def test_a_refused_record_changes_nothing(refusal: type[Refusal], make: Callable[[Bout], Any]) -> None:
    bout, _, referee = middle()
    before = snapshot(referee)
    frame = make(bout)
    with pytest.raises(refusal) as refused:
        referee.admit(parse_record(frame))
    assert snapshot(referee) == before
    if isinstance(refused.value, Violation | Equivocation):
        assert refused.value.seat == bout.liar.seat


def test_behind_an_entry_that_broke_a_rule_nothing_more_is_admitted() -> None:
    _, liar, referee = middle()
    truth = liar.entry(liar.truth())
    with pytest.raises(Violation):
        referee.admit_entry(parse_entry(liar.entry(Choice("up")).payload))
    before = snapshot(referee)
    with pytest.raises(Misplaced, match="broke a rule"):
        referee.admit_entry(parse_entry(truth.payload))
    assert snapshot(referee) == before


def test_a_violation_of_another_entry_does_not_stop_the_right_one() -> None:
    """Only what the rules themselves were in the middle of cannot be taken back."""
    _, liar, referee = middle()
    with pytest.raises(Violation):
        referee.admit_entry(parse_entry(liar.entry([99]).payload))
    entry = parse_entry(liar.entry(liar.truth()).payload)
    referee.admit_entry(entry)
    assert referee.entries[-1] is entry


def test_a_signature_is_checked_before_anything_is_said_about_the_rest() -> None:
    """Else an error would tell a stranger something, or blame somebody."""
    bout, _, referee = middle()
    for name, (refusal, make) in REFUSED.items():
        frame = make(bout)
        if "malformed" not in name and "of no seat" not in name:
            payload = frame.payload[:-1] + bytes([frame.payload[-1] ^ 1])
            # Known bytes are told as such before: repeating them must not cost a verification.
            with pytest.raises(Duplicate if refusal is Duplicate else Forged):
                referee.admit(parse_record(Frame(frame.kind, payload)))


def test_a_known_record_that_comes_again_costs_no_verification(monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, referee = middle()
    monkeypatch.setattr(genesis, "verify", lambda *_: pytest.fail("verified again"))
    for record in referee.record:
        with pytest.raises(Duplicate):
            referee.admit(parse_record(record.frame))


def test_a_vouched_for_signature_is_not_verified_but_everything_else_is() -> None:
    _, liar, referee = middle()
    frame = liar.entry(liar.truth())
    junk = frame.payload[:-64] + bytes(64)
    with pytest.raises(Forged):
        referee.admit_entry(parse_entry(junk))
    referee.admit_entry(parse_entry(junk), verified=True)
    with pytest.raises(Misplaced):
        referee.admit_entry(parse_entry(liar.entry(Choice("x"), number=referee.count).payload), verified=True)


def test_an_entry_waits_for_every_consent_but_not_in_a_proof() -> None:
    table = Table(1, game=TOY, decide=honest).play()
    entries = [frame for frame in table.seats[0].log if frame.kind == ENTRY]
    consents = [frame for frame in table.seats[0].log if frame.kind == STATEMENT][:2]
    referee = Referee(table.begun)
    for consent in (None, consents[0]):
        if consent is not None:
            referee.admit_statement(parse_statement(consent.payload))
        with pytest.raises(Misplaced, match="agreed"):
            referee.admit_entry(parse_entry(entries[0].payload))
    referee.admit_statement(parse_statement(consents[1].payload))
    referee.admit_entry(parse_entry(entries[0].payload))
    proof = Referee(table.begun, agreed=True)
    for frame in entries:
        proof.admit_entry(parse_entry(frame.payload))
    assert proof.ended_by_rules is not None


def test_nobody_owes_anything_when_the_rules_have_ended_the_game() -> None:
    table = Table(1, game=TOY, decide=honest).play()
    referee = table.seats[0].session.referee
    assert referee.owed is None
    assert referee.outcome is referee.ended_by_rules is referee.provisional
    assert referee.unsettled == ()
    with pytest.raises(RuntimeError):
        referee.entry_body(Choice("left"))


def test_row_47_without_a_history_all_is_the_same_but_no_state_of_the_past_is_kept() -> None:
    table = Table(1, game=TOY, decide=honest, options={"rounds": 2}).play()
    whole, short = Referee(table.begun), Referee(table.begun, history=False)
    for frame in table.seats[0].log:
        for referee in (whole, short):
            if frame.kind == ENTRY:
                referee.admit_entry(parse_entry(frame.payload))
            else:
                referee.admit_statement(parse_statement(frame.payload))
        assert short.table.history == []
        short_of_it, all_of_it = (list(snapshot(referee)) for referee in (short, whole))
        history = snapshot(whole).index(list(whole.table.history))
        assert short_of_it[:history] == all_of_it[:history]
        assert short_of_it[history + 1 :] == all_of_it[history + 1 :]
    assert any(isinstance(step, Reached) for step in whole.table.history)


def test_a_seat_has_a_thousand_statements() -> None:
    _, liar, referee = middle()
    for _ in range(MAX_STATEMENTS - 1):
        frame = liar.statement(Kind.CHAT, ("again",))
        liar.follow(frame)
        referee.admit_statement(parse_statement(frame.payload))
    assert len(referee.statements[1]) == MAX_STATEMENTS
    with pytest.raises(Misplaced, match="too many"):
        referee.admit_statement(parse_statement(liar.statement(Kind.CHAT, ("once more",)).payload))


def test_a_statement_cannot_be_dated_back() -> None:
    """Whoever has spoken over a later head cannot resign, or call another away, over an earlier one."""
    _, liar, referee = middle()
    frame = liar.statement(Kind.CHAT, ("hello",))
    liar.follow(frame)
    referee.admit_statement(parse_statement(frame.payload))
    for kind, content in ((Kind.RESIGN, ()), (Kind.AWAY, (0, 60, b"")), (Kind.CHAT, ("earlier",))):
        early = liar.statement(kind, content, count=3)
        with pytest.raises(Misplaced, match="dated back"):
            referee.admit_statement(parse_statement(early.payload))


def test_an_end_is_the_last_word_about_the_end() -> None:
    """A match that is over does not become another one because somebody resigns, or accepts, afterwards."""
    bout = Bout(1, **TOYS)
    bout.run()
    referee, liar = bout.honest[0].session.referee, bout.liar
    for kind, content in ((Kind.RESIGN, ()), (Kind.OFFER_DRAW, ()), (Kind.ACCEPT_DRAW, (0, 1))):
        with pytest.raises(Misplaced, match="another one"):
            referee.admit_statement(parse_statement(liar.statement(kind, content).payload))
    referee.admit_statement(parse_statement(liar.statement(Kind.CHAT, ("good game",)).payload))


def test_absence_can_be_claimed_of_whoever_owed_over_that_head() -> None:
    """Also over an earlier one; what was owed is there since, so the claim is answered and means nothing."""
    bout, _, referee = middle(game=TOY, seats=3)
    silent = [
        (number, entry.seat)
        for number, entry in enumerate(referee.entries)
        if all(later.seat != 1 for later in referee.entries[number:])
    ]
    count, accused = silent[0]
    assert accused != 1
    referee.admit(parse_record(bout.liar.statement(Kind.AWAY, (accused, 60, b""), count=count)))
    assert referee.outcome is None


def test_everything_admitted_is_kept_in_its_order_and_can_be_admitted_again() -> None:
    bout = Bout(2, seats=3, **TOYS)
    bout.run()
    referee = bout.honest[1].session.referee
    again = Referee(bout.begun)
    for record in referee.record:
        if isinstance(record, Entry):
            again.admit_entry(parse_entry(record.payload))
        else:
            assert isinstance(record, Statement)
            again.admit_statement(parse_statement(record.payload))
    assert again.record == referee.record
    assert again.outcome == referee.outcome
