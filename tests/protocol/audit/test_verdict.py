"""Verdicts: what a transcript proves, by whom, and what it does not."""

from __future__ import annotations

import random
from copy import deepcopy
from dataclasses import replace
from multiprocessing.reduction import ForkingPickler
from typing import Any, Final

import pytest

from p2p_stratego.core.game import Breach, Options
from p2p_stratego.registry import GAMES as REAL
from protocol.audit import comparison, proof
from protocol.audit.proof import Fault
from protocol.audit.verdict import EXIT_CODES, Checks, Due, Verdict, audit
from protocol.errors import Malformed, Unsupported
from protocol.record import statements
from protocol.record.asks.choose import Choice
from protocol.record.asks.open import Opening
from protocol.record.asks.registry import CODEC
from protocol.record.entries import parse_entry
from protocol.record.statements import Kind
from protocol.wire import transcript
from protocol.wire.encoding import ENTRY, STATEMENT, Frame
from tests.helpers.cheats.bout import Bout, Copy, Liar, compare, judge, owing
from tests.helpers.cheats.lies import JUNK
from tests.helpers.cheats.tables import ALL_GAMES
from tests.helpers.games.players import honest
from tests.helpers.games.toy import GAMES, TOY
from tests.helpers.seats.pair import Seat, Table, any_decision

TOYS: Final[dict[str, Any]] = {"game": TOY, "options": {"rounds": 2}}


def played(seed: int = 1, **options: Any) -> Table:
    return Table(seed, **{**TOYS, "decide": honest, **options}).play()


def write(seat: Seat, frames: list[Frame]) -> bytes:
    return transcript.write(seat.begun.body, frames)


def spoil(frame: Frame) -> Frame:
    """The same record with a signature of nobody's."""
    return replace(frame, payload=frame.payload[:-1] + bytes((frame.payload[-1] ^ 1,)))


def both_ways(data: bytes) -> Copy:
    """The short audit, which must come to what the thorough one does."""
    short, thorough = judge(data), judge(data, every_signature=True)
    assert (short.verdict, short.outcome, short.fault, short.proof, short.problem, short.at) == (
        thorough.verdict,
        thorough.outcome,
        thorough.fault,
        thorough.proof,
        thorough.problem,
        thorough.at,
    )
    return short


def test_a_whole_match_is_complete_with_a_roster_of_what_was_checked() -> None:
    table = played()
    for seat in table.seats:
        report = both_ways(seat.transcript)
        referee = report.referee
        assert (report.verdict, report.exit_code) == (Verdict.COMPLETE, 0)
        assert report.outcome == seat.session.outcome
        assert report.checks == Checks(
            entries=referee.count,
            statements=4,
            signatures=2,
            endorsed=referee.count + 2,
            laid=8,
            opened=4,
            closed=4,
            rolls=4,
            decisions=10,
            ends=2,
        )
        thorough = judge(seat.transcript, every_signature=True)
        assert thorough.checks == replace(report.checks, signatures=4 + referee.count, endorsed=0)
        assert (report.fault, report.proof, report.problem, report.at, report.torn) == (None,) * 4 + (False,)
        assert report.size == len(seat.transcript)


def test_looks_mixes_and_claims_are_counted() -> None:
    """Of two seats: a look and two mixes each, a hand each; the claims of both looks and of the caller."""
    options: Options = {"looks": "yes", "claims": "yes"}
    table = Table(3, game=TOY, options=options, decide=honest).play()
    for seat in table.seats:
        checks = both_ways(seat.transcript).checks
        assert (checks.looks, checks.mixes, checks.claims, checks.settled) == (2, 4, 9, 9)
    short = Table(3, game=TOY, options=options, decide=honest).play(steps=12)
    checks = judge(short.seats[0].transcript).checks
    assert checks.looks > 0
    assert checks.settled == 0


def test_a_report_is_a_plain_value_that_another_process_can_be_sent() -> None:
    """Of every kind of match; a match under way is a generator, and could not be sent."""
    for seat in (*played().seats, Table(1, **TOYS, decide=honest).play(steps=12).seats[0]):
        report = audit(seat.transcript, games=ALL_GAMES)
        assert deepcopy(report) == report
        assert ForkingPickler.loads(ForkingPickler.dumps(report)) == report


def test_every_verdict_has_its_exit_code() -> None:
    codes = [0, 10, 20, 21, 31, 40]
    assert [EXIT_CODES[verdict] for verdict in Verdict] == codes


def test_an_unfinished_match_says_who_owes_what() -> None:
    table = Table(1, **TOYS, decide=honest).play(steps=12)
    for seat in table.seats:
        report = both_ways(seat.transcript)
        assert (report.verdict, report.outcome, report.exit_code) == (Verdict.INCOMPLETE, None, 10)
        owed = seat.session.referee.owed
        assert owed is not None
        assert report.owed == Due(owed.seat, owed.message)
        assert report.waited_for == (owed.seat,)
        assert report.agreed == (0, 1)


def test_a_match_that_not_all_have_agreed_to_owes_nobody_anything() -> None:
    table = Table(1, **TOYS)
    seat = table.seats[0]
    seat.persist()
    report = both_ways(seat.transcript)
    assert (report.verdict, report.owed) == (Verdict.INCOMPLETE, None)
    report = both_ways(write(seat, []))
    assert (report.verdict, report.owed) == (Verdict.INCOMPLETE, None)


def test_a_breach_of_the_games_own_rules_is_cheating_at_the_entry_that_shows_it() -> None:
    for seed in range(20):
        table = Table(seed, **TOYS, decide=any_decision).play()
        report = both_ways(table.seats[0].transcript)
        if report.verdict is Verdict.CHEATED:
            break
    fault = report.fault
    assert fault is not None
    assert (fault.what, fault.number, fault.rule) == (
        "entry",
        report.referee.count - 1,
        "laid the taboo face",
    )
    entry = report.referee.entries[fault.number]
    assert entry.seat == fault.seat
    assert isinstance(CODEC.parse(entry.message), Opening)
    assert report.outcome is not None
    assert report.outcome.breach == Breach(fault.seat, fault.rule)
    assert report.outcome == table.seats[1].session.outcome
    assert report.proof is not None
    assert proof.check(report.proof, GAMES) == fault


def test_in_the_real_game_an_impossible_card_loses_and_is_proven() -> None:
    """Laid twice, or exhausted: players who lay anything are caught soon, and the record says by what."""
    rules = set()
    for seed in range(12):
        table = Table(seed, decide=any_decision).play()
        report = both_ways(table.seats[0].transcript)
        if report.verdict is Verdict.CHEATED:
            assert report.fault is not None
            assert report.outcome is not None
            assert report.outcome.winners == {1 - report.fault.seat}
            assert report.referee.entries[report.fault.number].seat == report.fault.seat
            assert report.proof is not None
            assert proof.check(report.proof, REAL) == report.fault
            rules.add(report.fault.rule)
    assert rules == {"exhausted-card"}


# What an END vouches for


def _forged_ending(record: list[Frame], previous: bytes | None = None) -> list[Frame]:
    """Entries by which the match goes on to its end by the rules, the honest seat's signed by nobody, and an
    END of seat 1 that is made for it, after its consent or after a second statement with this hash.
    """
    rng = random.Random(0)
    players = [Liar(place, honest, rng) for place in Table(1, **TOYS).seats]
    for frame in record:
        for player in players:
            player.follow(frame)
    forged: list[Frame] = []
    while (owed := players[0].referee.owed) is not None:
        payload = players[owed.seat].entry(players[owed.seat].truth()).payload
        forged.append(Frame(ENTRY, payload if owed.seat == 1 else payload[:-64] + bytes(64)))
        for player in players:
            player.referee.admit_entry(parse_entry(payload))
    outcome = players[1].referee.outcome
    assert outcome is not None
    index = 1 if previous is None else 2
    end = players[1].statement(Kind.END, statements.end_content(outcome), index=index, previous=previous)
    return [*forged, end]


def test_an_end_over_an_earlier_head_vouches_for_nothing_behind_it() -> None:
    """Whoever resigned could otherwise go on alone, forge the other's entries, and win the short audit."""
    bout = Bout(1, **TOYS, liar=1)
    bout.run(lambda b: b.liar.referee.count > 12 and b.liar.owes is not None)
    played_so_far = [record.frame for record in bout.liar.referee.record]
    word = bout.liar.statement(Kind.RESIGN)
    forged = _forged_ending(played_so_far)
    after_resigning = _forged_ending(played_so_far, statements.statement_hash(word.payload[:-64]))
    bout.tell(word)
    seat = bout.honest[0]
    end = seat.session.referee.statements[0][-1]
    assert (end.kind, end.content) == (Kind.END, ((0,), "resigned"))
    resignation = bout.liar.referee.statements[1][-1].frame
    assert both_ways(write(seat, [*played_so_far, resignation, end.frame])).verdict is Verdict.COMPLETE
    for log in (
        [*played_so_far, end.frame, *forged],
        [*played_so_far, resignation, end.frame, *after_resigning],
        [*played_so_far, *forged[:-1], resignation, end.frame, after_resigning[-1]],
    ):
        report = both_ways(write(seat, log))
        assert report.verdict is not Verdict.COMPLETE
        assert report.fault is None or report.fault.seat == 1


def _is_end(frame: Frame) -> bool:
    return statements.parse(frame.payload).kind is Kind.END


def test_with_every_end_a_spoilt_signature_changes_nothing_and_is_found_on_request() -> None:
    """The chain is endorsed by all: the entry's own signature says nothing more."""
    seat = played().seats[0]
    at = next(i for i, frame in enumerate(seat.log) if frame.kind == ENTRY)
    spoilt = list(seat.log)
    spoilt[at] = spoil(spoilt[at])
    short, thorough = judge(write(seat, spoilt)), judge(write(seat, spoilt), every_signature=True)
    assert (short.verdict, short.outcome) == (Verdict.COMPLETE, seat.session.outcome)
    assert (thorough.verdict, thorough.at) == (Verdict.TAMPERED, at)


def chatted() -> Seat:
    """A seat of a finished match in which each seat said a word in the middle and one behind its END."""
    table = Table(1, **TOYS, decide=honest).play(steps=8)
    for seat in table.seats:
        seat.session.say("well played")
    table.play()
    for seat in table.seats:
        seat.session.say("good night")
    return table.play().seats[0]


def test_the_last_statement_of_each_seat_is_verified_and_endorses_its_earlier_ones() -> None:
    """The END too, if a word follows it; a junk signature on an endorsed one is found on request."""
    seat = chatted()
    places = [[at for at, frame in enumerate(seat.log) if _said_by(frame, signer)] for signer in (0, 1)]
    assert [len(mine) for mine in places] == [4, 4]
    assert judge(seat.transcript).checks.signatures == 2
    for *earlier, last in places:
        assert not _is_end(seat.log[last])
        for at in earlier:
            spoilt = [*seat.log[:at], spoil(seat.log[at]), *seat.log[at + 1 :]]
            short, thorough = judge(write(seat, spoilt)), judge(write(seat, spoilt), every_signature=True)
            assert (short.verdict, short.outcome) == (Verdict.COMPLETE, seat.session.outcome)
            assert (thorough.verdict, thorough.at, thorough.fault) == (Verdict.TAMPERED, at, None)
        spoilt = [*seat.log[:last], spoil(seat.log[last]), *seat.log[last + 1 :]]
        report = both_ways(write(seat, spoilt))
        assert (report.verdict, report.at, report.fault) == (Verdict.TAMPERED, last, None)


@pytest.mark.parametrize("kind", [Kind.CHAT, Kind.END, Kind.AWAY, Kind.REVEAL, Kind.RESIGN])
def test_a_statement_that_nobody_signed_counts_for_nothing_behind_an_end(kind: Kind) -> None:
    seat = played().seats[0]
    head, referee = seat.session.referee.statement_heads[1], seat.session.referee
    outcome = seat.session.outcome
    assert outcome is not None
    contents: dict[Kind, Any] = {
        Kind.CHAT: ("I gave up",),
        Kind.END: statements.end_content(outcome),
        Kind.AWAY: (0, 600, b""),
        Kind.REVEAL: ((Opening(1, JUNK),),),
    }
    over = referee.count, referee.head
    body = statements.body(1, (len(head) - 1, head[-1]), over, kind, contents.get(kind, ()))
    report = both_ways(write(seat, [*seat.log, Frame(STATEMENT, body + bytes(64))]))
    assert (report.verdict, report.fault, report.at) == (Verdict.TAMPERED, None, len(seat.log))


def test_no_statement_is_left_out_changed_or_swapped_between_two_others_of_its_seat() -> None:
    seat = chatted()
    (_, word, end, _) = [at for at, frame in enumerate(seat.log) if _said_by(frame, 1)]
    statement = statements.parse(seat.log[word].payload)
    body = statements.body(
        1, (1, statement.previous), (statement.count, statement.head), Kind.CHAT, ("I resign",)
    )
    changed = [*seat.log[:word], Frame(STATEMENT, body + bytes(64)), *seat.log[word + 1 :]]
    left_out = [*seat.log[:word], *seat.log[word + 1 :]]
    swapped = list(seat.log)
    swapped[word], swapped[end] = swapped[end], swapped[word]
    for log in (changed, left_out, swapped):
        report = both_ways(write(seat, log))
        assert (report.verdict, report.fault) == (Verdict.TAMPERED, None)


def _said_by(frame: Frame, seat: int) -> bool:
    return frame.kind == STATEMENT and statements.parse(frame.payload).seat == seat


def test_with_one_end_missing_every_signature_counts() -> None:
    seat = played().seats[0]
    frames = seat.log[:-1]
    assert both_ways(write(seat, frames)).verdict is Verdict.COMPLETE
    at = next(i for i, frame in enumerate(frames) if frame.kind == ENTRY)
    frames[at] = spoil(frames[at])
    assert both_ways(write(seat, frames)).verdict is Verdict.TAMPERED


def test_a_breach_is_never_taken_on_trust() -> None:
    """Blame rests on the accused's own signature, verified, even where every END endorses the chain."""
    table = next(
        t
        for seed in range(20)
        if (t := Table(seed, **TOYS, decide=any_decision).play()).seats[0].session.outcome.breach  # type: ignore[union-attr]  # played to the end
    )
    seat = table.seats[0]
    assert judge(seat.transcript).checks.endorsed == 0
    last = max(i for i, frame in enumerate(seat.log) if frame.kind == ENTRY)
    spoilt = list(seat.log)
    spoilt[last] = spoil(spoilt[last])
    report = both_ways(write(seat, spoilt))
    assert (report.verdict, report.fault) == (Verdict.TAMPERED, None)


# What is wrong first counts


def test_the_earliest_fault_counts() -> None:
    """Behind the entry that shows a breach nothing changes the verdict: noise, faults, or damage."""
    for seed in range(30):
        bout = Bout(seed, **TOYS, liar=1, crook=any_decision)
        bout.run(lambda b: b.liar.referee.ended_by_rules is not None)
        ended = bout.liar.referee.ended_by_rules
        if ended is not None and ended.breach == Breach(1, "laid the taboo face"):
            break
    seat, liar = bout.honest[0], bout.liar
    fault = both_ways(seat.transcript).fault
    assert fault is not None
    afterwards: dict[str, Frame] = {
        "another entry": liar.entry(Choice("left")),
        "a false END": liar.statement(Kind.END, ((1,), "points")),
        "a second version": liar.entry(Choice("left"), number=fault.number),
        "a second consent": liar.statement(Kind.AGREE),
        "noise": Frame(ENTRY, b"noise"),
    }
    for frame in afterwards.values():
        report = both_ways(write(seat, [*seat.log, frame]))
        assert (report.verdict, report.fault) == (Verdict.CHEATED, fault)
    damaged = seat.transcript + bytes(Frame(STATEMENT, b"x"))[:-1] + b"x"
    assert both_ways(damaged).fault == fault


def test_a_fault_before_damage_counts_and_one_behind_it_does_not() -> None:
    bout = Bout(1, **TOYS, liar=1)
    bout.run(owing(Choice))
    seat = bout.honest[0]
    lie = bout.liar.entry(Choice("no such move"))
    junk = Frame(ENTRY, b"junk")
    assert both_ways(write(seat, [*seat.log, lie, junk])).verdict is Verdict.CHEATED
    report = both_ways(write(seat, [*seat.log, junk, lie]))
    assert (report.verdict, report.fault, report.at) == (Verdict.TAMPERED, None, len(seat.log))
    assert report.problem
    damaged = both_ways(seat.transcript + bytes(junk)[:-1] + b"\xff" + bytes(lie))
    assert (damaged.verdict, damaged.at) == (Verdict.TAMPERED, len(seat.log))
    assert damaged.problem == "A record's content is damaged."


def test_damage_behind_a_whole_match_is_damage_all_the_same() -> None:
    """Every END is there; but somebody, or something, has written to the file since."""
    seat = played().seats[0]
    for more in (bytes(Frame(STATEMENT, b"x"))[:-1] + b"x", bytes(Frame(9, b""))):
        report = both_ways(seat.transcript + more)
        assert (report.verdict, report.at) == (Verdict.TAMPERED, len(seat.log))


def test_a_torn_tail_is_said_and_changes_nothing_else() -> None:
    seat = played().seats[0]
    report = both_ways(seat.transcript[:-3])
    assert (report.verdict, report.torn) == (Verdict.COMPLETE, True)
    assert report.size == len(seat.transcript) - len(seat.log[-1])


def test_what_cannot_be_audited_at_all() -> None:
    seat = played().seats[0]
    with pytest.raises(transcript.NotATranscript):
        judge(b"hello")
    with pytest.raises(Unsupported):
        judge(seat.transcript.replace(b"transcript 2\n", b"transcript 3\n", 1))
    with pytest.raises(Unsupported):
        audit(seat.transcript, REAL)  # the toy is in no registry of real games
    with pytest.raises(Malformed):
        judge(transcript.start(b"no genesis"))
    with pytest.raises(Malformed):
        judge(transcript.MAGIC)


# Copies compared


def test_copies_of_an_honest_match_agree_however_long_they_are() -> None:
    table = played(seats=3)
    copies = [judge(seat.transcript) for seat in table.seats]
    shorter = [judge(write(table.seats[0], table.seats[0].log[:size])) for size in (0, 5, 20)]
    compared = compare([*copies, *shorter])
    assert (compared.agree, compared.fault, compared.proof) == (True, None, None)
    assert compare(copies[:1]).agree


def test_copies_of_a_match_that_never_began_or_that_one_seat_never_agreed_to_agree() -> None:
    seat = Table(1, **TOYS).seats[0]
    seat.persist()
    copies = [judge(write(seat, [])), judge(seat.transcript)]
    assert compare(copies) == compare(copies[:1]) == compare(copies[1:])
    assert compare(copies).agree


def test_a_copy_whose_entries_only_the_ends_vouch_for_adds_nothing_against_anybody() -> None:
    """Its single signatures are nobody's: what the copies hold together cannot be judged by them."""
    seat = played().seats[0]
    junk = [spoil(frame) if frame.kind == ENTRY else frame for frame in seat.log]
    copies = [judge(write(seat, junk)), judge(write(seat, seat.log[:5]))]
    assert copies[0].verdict is Verdict.COMPLETE
    compared = compare(copies)
    assert (compared.fault, compared.proof) == (None, None)


def test_copies_with_the_records_of_a_complete_one_come_to_what_that_one_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also where all of them have a junk signature below the ENDs; nothing is audited a second time."""
    first, second = played().seats
    for spoilt in (False, True):
        logs = [
            [spoil(frame) if spoilt and frame.kind == ENTRY else frame for frame in seat.log]
            for seat in (first, second)
        ]
        copies = [judge(write(first, log)) for log in (*logs, logs[0][:1])]
        with monkeypatch.context() as audited_once:
            audited_once.delattr(comparison, "Referee")
            result = compare(copies)
        assert result.agree
        assert result.whole is not None
        assert result.whole.verdict is Verdict.COMPLETE


def test_with_such_a_copy_it_does_not_matter_which_one_is_named_first() -> None:
    """Anybody can flip a bit of one signature; the other copy has it whole."""
    seat = played().seats[0]
    at = next(at for at, frame in enumerate(seat.log) if frame.kind == ENTRY)
    copies = [
        judge(write(seat, [*seat.log[:at], spoil(seat.log[at]), *seat.log[at + 1 :]])),
        judge(seat.transcript),
    ]
    assert [report.verdict for report in copies] == [Verdict.COMPLETE] * 2
    assert compare(copies[::-1]).agree
    assert compare(copies).agree


def test_all_copies_are_held_against_each_other() -> None:
    """The first is too short to show anything; the fork is between the second and the third."""
    tried = (Bout(seed, **TOYS, seats=3, liar=1) for seed in range(30))
    bout = next(bout for bout in tried if bout.run(owing(Choice)))
    short = bout.reports()[0]
    truth = bout.liar.truth()
    assert isinstance(truth, Choice)
    other = Choice({"left": "right", "right": "left"}[truth.move])
    number = bout.liar.referee.count
    bout.lie([bout.liar.entry(truth)], to=[0])
    bout.lie([bout.liar.entry(other)], to=[2])
    fault = Fault(1, "entry", number, "equivocation")
    for order in ([0, 1, 2], [1, 0, 2], [1, 2, 0]):
        reports = [short, *bout.reports()]
        compared = compare([reports[i] for i in order])
        assert compared.fault == fault


def test_a_difference_that_nobody_signed_blames_nobody_and_hides_nothing_else() -> None:
    """An endorsed copy with a junk signature, beside another in which a statement differs."""
    bout = Bout(1, **TOYS, liar=1)
    bout.run()
    seat = bout.honest[0]
    judgement = judge(seat.transcript)
    base = [frame for frame in seat.log if frame.kind == ENTRY or _index(frame) == 0]
    chat = bout.liar.statement(Kind.CHAT, ("something else",), index=1)
    other = judge(write(seat, [*base, chat]))
    compared = compare([judgement, other])
    assert compared.fault == Fault(1, "statement", 1, "equivocation")
    forked = judge(write(seat, [*base, chat]))
    unsigned = bout.liar.entry(Choice("x"), number=3, game=JUNK).payload
    forked.referee.entries[3] = replace(forked.referee.entries[3], payload=unsigned)
    compared = compare([judgement, forked])
    assert compared.fault == Fault(1, "statement", 1, "equivocation")
    only = judge(write(seat, base))
    only.referee.entries[3] = forked.referee.entries[3]
    assert compare([judgement, only]) == replace(compare([judgement]), agree=False)


def _index(frame: Frame) -> int:
    return statements.parse(frame.payload).index
