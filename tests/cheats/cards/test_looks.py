"""Private looks: boxes that hold something else, complaints that are true, false, late, or another seat's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

from p2p_stratego.core.game import Options
from protocol.audit import proof
from protocol.audit.proof import Fault
from protocol.audit.verdict import Verdict
from protocol.crypto.sealed import BOX_BYTES, LookContext, public_key, seal
from protocol.errors import Misplaced, Violation
from protocol.record.asks.open_to import LookKey, SealedOpening
from protocol.record.asks.registry import CODEC
from protocol.record.evidence import read_record
from protocol.record.referee import Referee
from protocol.record.statements import Kind, Record, parse_record
from protocol.wire.encoding import STATEMENT, Frame
from tests.helpers.cheats.bout import Bout, Liar, compare, owing
from tests.helpers.cheats.tables import ALL_GAMES
from tests.helpers.games.toy import TOY

JUNK: Final = bytes([77]) * 32
TABLES: Final[dict[str, dict[str, Any]]] = {
    "two, the first lies": {"seats": 2, "liar": 0},
    "two, the second lies": {"seats": 2, "liar": 1},
    "three": {"seats": 3, "liar": 1},
    "four": {"seats": 4, "liar": 3},
}
AT: Final = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)


def begun(table: dict[str, Any], seed: int = 0, *, claims: str = "no", **more: Any) -> Bout:
    options: Options = {"looks": "yes", "rounds": 2, "claims": claims}
    return Bout(seed, game=TOY, options=options, **table, **more)


def pump(bout: Bout) -> None:
    """Deliver what the honest seats say to each other, and to nobody else."""
    busy = True
    while busy:
        busy = False
        for seat in bout.honest:
            for frame in seat.persist():
                busy = True
                for other in bout.honest:
                    if other is not seat and other.session.fault is None:
                        take(other.session.receive, frame)


def take(receive: Callable[[Record], object], frame: Frame) -> Violation | None:
    try:
        receive(parse_record(frame))
    except Violation as fault:
        return fault
    return None


def blamed(bout: Bout, fault: Fault) -> None:
    """Every honest seat has found it, stopped, and proves it to everybody; so do all copies together."""
    outcomes = {seat.session.outcome for seat in bout.honest}
    assert len(outcomes) == 1
    for seat, report in zip(bout.honest, bout.reports(), strict=True):
        blame = seat.session.fault
        assert isinstance(blame, Violation)
        assert Fault(blame.seat, blame.what, blame.number, blame.rule) == fault
        assert (report.verdict, report.fault) == (Verdict.CHEATED, fault)
        assert report.outcome == seat.session.outcome
        assert seat.session.decision is None
        assert report.proof is not None
        assert proof.check(report.proof, ALL_GAMES) == fault
    together = compare(bout.reports()).whole
    assert together is not None
    assert together.fault == fault


def place(bout: Bout) -> LookContext:
    """Of the look that the liar owes something for."""
    owed = bout.liar.owes
    assert owed is not None
    ask, table = owed.ask, bout.liar.referee.table
    return LookContext(bout.begun.id, ask.seat, bout.liar.seat, ask.slot, table.serial)  # type: ignore[union-attr]


def box(bout: Bout, **changes: Any) -> SealedOpening:
    """A box for the look that the liar owes, with some things changed."""
    at, liar = place(bout), bout.liar
    slot = changes.pop("content", at.slot)
    face = changes.pop("face", liar.session.known[slot])
    salt = changes.pop("salt", liar.secrets.salt(at.game, at.owner, slot))
    key = changes.pop("key", liar.referee.table.look_key)
    return SealedOpening(*seal(at._replace(**changes), key, JUNK, face, salt))


BOXES: Final[dict[str, Callable[[Bout], SealedOpening]]] = {
    "rubbish": lambda _: SealedOpening(public_key(JUNK), bytes(BOX_BYTES)),
    "another card than it laid": lambda b: box(b, face=b.liar.session.known[place(b).slot] % 6 + 1),
    "a face that the rules do not know": lambda b: box(b, face=127),
    "another salt": lambda b: box(b, salt=JUNK),
    "its other card": lambda b: box(b, content=place(b).slot + 1),
    "its card, sealed for another slot": lambda b: box(b, slot=place(b).slot + 1),
    "its card, sealed for another Ask": lambda b: box(b, serial=place(b).serial + 1),
    "its card, sealed for another viewer": lambda b: box(b, viewer=place(b).viewer + 1),
    "its card, sealed as another owner": lambda b: box(b, owner=place(b).owner + 1),
    "its card, sealed in another match": lambda b: box(b, game=JUNK),
    "its card, sealed to another key": lambda b: box(b, key=public_key(JUNK)),
}


@AT
@pytest.mark.parametrize("why", BOXES)
def test_row_60_whatever_the_viewer_cannot_read_is_a_wrong_opening(table: dict[str, Any], why: str) -> None:
    bout = begun(table)
    assert bout.run(owing(SealedOpening))
    number = bout.liar.referee.count
    assert bout.lie([bout.liar.entry(BOXES[why](bout))]) == [None] * len(bout.honest)
    deliver_complaint(bout)
    blamed(bout, Fault(bout.liar.seat, "entry", number, "wrong-opening"))


def deliver_complaint(bout: Bout) -> Frame:
    """The complaint that the viewer has made by itself, taken by all."""
    (complaint,) = {seat.log[-1] for seat in bout.honest if seat.log[-1].kind == STATEMENT}
    for seat in bout.honest:
        if seat.session.fault is None:
            fault = take(seat.session.receive, complaint)
            assert fault is not None
            seat.persist()
    return complaint


@AT
def test_row_04_a_box_of_an_earlier_look_opens_no_second_time(table: dict[str, Any]) -> None:
    bout = begun(table)
    assert bout.run(owing(SealedOpening))
    old = bout.liar.truth()
    bout.tell(bout.liar.entry(old))
    assert bout.run(owing(SealedOpening))
    number = bout.liar.referee.count
    bout.lie([bout.liar.entry(old)])
    deliver_complaint(bout)
    blamed(bout, Fault(bout.liar.seat, "entry", number, "wrong-opening"))


@AT
@pytest.mark.parametrize("key", [bytes(32), b"\1" + bytes(31), b"\xff" * 32], ids=["0", "1", "2^256 - 1"])
@pytest.mark.parametrize("kind", [LookKey, SealedOpening])
def test_row_60_a_key_that_everybody_could_open_with_is_a_fault_at_once(
    table: dict[str, Any], kind: type[LookKey | SealedOpening], key: bytes
) -> None:
    bout = begun(table)
    assert bout.run(owing(kind))
    number = bout.liar.referee.count
    message = LookKey(key) if kind is LookKey else SealedOpening(key, box(bout).box)
    bout.lie([bout.liar.entry(message)])
    blamed(bout, Fault(bout.liar.seat, "entry", number, "weak-key"))


@AT
def test_row_60_a_look_that_shows_a_claim_to_be_false_is_a_fault_of_the_claim(table: dict[str, Any]) -> None:
    """The liar lays the taboo face, says that its left card is not taboo, and shows it as it is."""

    def taboo(session: Any, decision: Any, rng: Any) -> Any:
        if hasattr(decision, "options"):
            return next(iter(decision.options))
        if decision.exactly:
            return tuple(decision.faces)
        return (session.referee.table.state.taboo,) * 2

    bout = begun(table, claims="yes", crook=taboo)
    assert bout.run(owing(SealedOpening))
    claimed = next(
        claim.number
        for claim in bout.liar.referee.table.ledger.claims
        if (claim.seat, claim.rule) == (bout.liar.seat, "showed a taboo card")
    )
    bout.lie([bout.liar.entry(bout.liar.truth())])
    deliver_complaint(bout)
    blamed(bout, Fault(bout.liar.seat, "entry", claimed, "showed a taboo card"))


@AT
def test_a_seat_that_is_restarted_before_it_has_complained_complains(table: dict[str, Any]) -> None:
    bout = begun(table)
    assert bout.run(owing(SealedOpening))
    viewer = next(seat for seat in bout.honest if seat.seat == place(bout).viewer)
    number = bout.liar.referee.count
    lie = bout.liar.entry(box(bout, face=127))
    for seat in bout.honest:
        if seat is not viewer:
            seat.session.receive(read_record(lie))
            seat.persist()
    viewer.session.pause()
    viewer.log.append(lie)
    viewer.restart()
    assert viewer.session.fault is None
    viewer.session.go_live()
    pump(bout)
    blamed(bout, Fault(bout.liar.seat, "entry", number, "wrong-opening"))
    viewer.restart()
    assert isinstance(viewer.session.fault, Violation)


def test_two_copies_find_the_same_whatever_arrived_before_the_complaint() -> None:
    """The third goes on before it hears of the complaint: a longer copy, the same verdict."""
    bout = begun({"seats": 3, "liar": 0})
    assert bout.run(owing(SealedOpening))
    number = bout.liar.referee.count
    bout.lie([bout.liar.entry(box(bout, face=127))])
    viewer, third = bout.honest
    assert third.session.referee.count == number + 2
    assert viewer.session.referee.count == number + 1
    deliver_complaint(bout)
    blamed(bout, Fault(0, "entry", number, "wrong-opening"))


# Complaints of a liar


def complaint(bout: Bout, **changes: Any) -> Frame:
    """The liar's complaint of the last look at what another seat showed it, with some things changed."""
    liar, looks = bout.liar, bout.liar.referee.table.looks
    look = [opened for opened in looks.values() if opened.place.viewer == liar.seat][-1]
    secret = liar.secrets.look_secret(bout.begun.id, liar.seat, look.place.serial)
    content = (changes.pop("number", look.number), changes.pop("secret", secret))
    return liar.statement(Kind.COMPLAIN, content, **changes)


def looked(bout: Bout) -> bool:
    """Whether the liar has just looked, and has signed nothing since."""
    looks = bout.liar.referee.table.looks
    last = bout.liar.referee.newest_entry(bout.liar.seat)
    return last is not None and any(
        look.place.viewer == bout.liar.seat and last.number < look.number for look in looks.values()
    )


FALSE: Final[dict[str, Callable[[Bout], Frame]]] = {
    "of a true opening": complaint,
    "with another secret": lambda b: complaint(b, secret=JUNK),
    "of an entry that is no look": lambda b: complaint(b, number=0),
    "of an entry that does not exist": lambda b: complaint(b, number=2**32 - 1),
    "over fewer entries than the look": lambda b: complaint(b, count=b.liar.referee.count - 1),
}


@AT
@pytest.mark.parametrize("why", FALSE)
def test_row_61_a_complaint_of_what_was_true_is_a_fault_of_the_one_who_complains(
    table: dict[str, Any], why: str
) -> None:
    bout = begun(table)
    assert bout.run(looked)
    lie = FALSE[why](bout)
    count = bout.liar.referee.count - (why == "over fewer entries than the look")
    for refusal in bout.lie([lie]):
        assert isinstance(refusal, Violation)
    blamed(bout, Fault(bout.liar.seat, "statement", count, "false-complaint"))


@AT
def test_row_61_a_complaint_counts_until_the_next_entry_of_its_seat(table: dict[str, Any]) -> None:
    bout = begun(table)
    assert bout.run(looked)
    number = next(
        n for n, look in bout.liar.referee.table.looks.items() if look.place.viewer == bout.liar.seat
    )
    assert bout.run(lambda b: not looked(b))
    late = complaint(bout, number=number)
    count = bout.liar.referee.count
    bout.lie([late])
    blamed(bout, Fault(bout.liar.seat, "statement", count, "false-complaint"))


def test_row_61_a_true_complaint_that_comes_too_late_is_a_false_one() -> None:
    """The owner lies, and the viewer too: it keeps what it knows for a time when it would lose."""
    bout = begun({"seats": 3, "liar": 0})
    assert bout.run(owing(SealedOpening))
    viewer, third = bout.honest
    crook, reader = Liar(viewer, bout.decide, bout.rng), Referee(bout.begun)
    for record in viewer.vault:
        crook.secrets.remember(record)
    wrong = bout.liar.entry(box(bout, face=127))
    third.session.receive(read_record(wrong))
    for frame in [*viewer.log, wrong, *third.persist()]:
        crook.follow(frame)
        reader.admit(parse_record(frame))
    (look,) = crook.referee.table.looks.values()
    content = (look.number, crook.secrets.look_secret(bout.begun.id, 1, look.place.serial))
    after = crook.entry(crook.truth())
    crook.follow(after)
    reader.admit(parse_record(after))
    late = take(reader.admit, crook.statement(Kind.COMPLAIN, content))
    assert late is not None
    assert (late.seat, late.what, late.rule) == (1, "statement", "false-complaint")
    # Over fewer entries it counts, whatever its seat has signed since: in some copies it came first.
    dated = take(reader.admit, crook.statement(Kind.COMPLAIN, content, count=look.number + 1))
    assert dated is not None
    assert (dated.seat, dated.number, dated.rule) == (0, look.number, "wrong-opening")


@AT
def test_row_61_the_look_of_another_seat_is_nothing_to_complain_of(table: dict[str, Any]) -> None:
    """Not even by its owner, who could show to all that its own opening is true."""
    bout = begun(table)
    assert bout.run(owing(SealedOpening))
    bout.tell(bout.liar.entry(bout.liar.truth()))
    number = next(
        n for n, look in bout.liar.referee.table.looks.items() if look.place.owner == bout.liar.seat
    )
    count = bout.liar.referee.count
    bout.lie([bout.liar.statement(Kind.COMPLAIN, (number, JUNK))])
    blamed(bout, Fault(bout.liar.seat, "statement", count, "false-complaint"))


@AT
def test_after_a_complaint_nothing_more_is_taken(table: dict[str, Any]) -> None:
    bout = begun(table)
    assert bout.run(looked)
    bout.lie([complaint(bout)])
    for refusal in bout.lie([complaint(bout, index=2, number=0)]):
        assert isinstance(refusal, Misplaced)


@AT
@pytest.mark.parametrize("kind", [Kind.RESIGN, Kind.END])
def test_who_has_declared_the_match_over_cannot_complain(table: dict[str, Any], kind: Kind) -> None:
    bout = begun(table)
    if kind is Kind.END:
        bout.run()
        late = complaint(bout)
    else:
        assert bout.run(looked)
        bout.tell(bout.liar.statement(kind))
        late = complaint(bout)
    for refusal in bout.lie([late]):
        assert isinstance(refusal, Misplaced)
    for report in bout.reports():
        assert report.fault is None


@AT
def test_a_truthful_match_has_no_complaint(table: dict[str, Any]) -> None:
    for seed in range(6):
        bout = begun(table, seed, claims="yes")
        bout.run()
        for seat, report in zip(bout.honest, bout.reports(), strict=True):
            assert report.verdict is Verdict.COMPLETE
            shown = seat.session.known
            for look in seat.session.referee.table.looks.values():
                readable = seat.seat in (look.place.viewer, look.place.owner)
                assert readable or look.place.slot in seat.session.referee.table.faces
                assert not readable or look.place.slot in shown


def test_row_39_all_looks_take_equally_many_bytes() -> None:
    bout = begun(TABLES["two, the first lies"])
    assert bout.run(owing(SealedOpening))
    sizes = {len(bout.liar.entry(box(bout, face=face))) for face in range(128)}
    assert len(sizes) == 1
    assert CODEC.value(box(bout))[0] == 8
