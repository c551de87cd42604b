"""A proven fault is never forgotten: it crosses a Gone, goes over every link, and outlives comparisons."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from protocol.audit import proof
from protocol.audit.comparison import compare
from protocol.audit.verdict import Verdict, audit
from protocol.errors import Malformed
from protocol.limits import MAX_PROOFS
from protocol.record import judgement
from protocol.record.entries import entry_hash
from protocol.record.statements import Kind
from protocol.wire.encoding import ENTRY, PROOF, Frame, encode
from tests.helpers.games.toy import GAMES
from tests.helpers.links.gossiping import Gossiping
from tests.helpers.links.lost_faults import CULPRIT, Dead, call, no_message, useless
from tests.helpers.machine import homes

HONEST = (0, 2)
VOID = frozenset[int]()


def behind(dead: Dead) -> list[Frame]:
    """A false statement over its own entry."""
    share = dead.share
    return [share, dead.says(2, entry_hash(share.payload[:-64]), Kind.AWAY, CULPRIT, 5, b"")]


def two_versions(dead: Dead) -> list[Frame]:
    return [dead.share, dead.entry([6, bytes(32)])]


FAULTS: dict[str, Callable[[Dead], list[Frame]]] = {
    "not-a-message": no_message,
    "false-away": behind,
    "equivocation": two_versions,
}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Gossiping]:
    """Three seats; the culprit owes entry 1, and is linked to the others by hand."""
    made = Gossiping(tmp_path, 3, [(0, 2)], options={"rounds": 1}).mend_all()
    agreed = [record.frame for record in made.seats[CULPRIT].session.referee.record]
    for seat in HONEST:
        call(made, seat)
        made.seats[seat].received(agreed, CULPRIT)
    flow(made)
    assert made.seats[0].session.referee.waited_for == (CULPRIT,)
    yield made
    homes.TEST.close()


def flow(table: Gossiping) -> None:
    while busy := [edge for edge, queue in table.links.items() if queue]:
        table.deliver(busy[0])


def crossed(table: Gossiping, frames: Sequence[Frame]) -> None:
    """Seat 2 takes the culprit out; before seat 0 hears of it, the culprit gives it these `frames`."""
    for seat in HONEST:
        table.seats[seat].session.claim_away(60)
        table.seats[seat].exchange.flush()
    while table.links[0, 2]:
        table.deliver((0, 2))
    table.seats[2].session.claim_away(60)  # its person's second word: the Gone
    table.seats[2].exchange.flush()
    assert CULPRIT in table.seats[2].session.referee.table.gone
    for frame in frames:
        try:
            table.seats[0].received([frame], CULPRIT)
        except Exception as fault:  # its own fault ends the culprit's link
            table.seats[0].unlinked(fault, CULPRIT)  # type: ignore[arg-type]  # a refusal
    assert table.seats[0].session.fault is not None
    assert table.seats[2].session.fault is None


def copies(table: Gossiping) -> list[bytes]:
    for seat in HONEST:
        table.seats[seat].store.sync()
    return [Path(table.seats[seat].store.path).read_bytes() for seat in HONEST]


@pytest.mark.parametrize("fault", FAULTS)
def test_row_99_a_fault_that_crosses_a_gone_stops_the_match_in_every_copy(
    table: Gossiping, fault: str
) -> None:
    crossed(table, FAULTS[fault](Dead(table)))
    table.settle()
    for again in (False, True):
        for seat in HONEST:
            session = table.seats[seat].session
            assert session.fault is not None
            assert session.fault.seat == CULPRIT
            assert session.outcome is not None
            assert (session.outcome.winners, session.outcome.reason) == (VOID, "cheated")
            if not again:
                table.kill(seat)
                table.restart(seat)
    reports = [audit(data, GAMES) for data in copies(table)]
    assert {report.verdict for report in reports} <= {Verdict.CHEATED, Verdict.EQUIVOCATED}
    assert len({report.fault for report in reports}) == 1
    for report in reports:
        assert report.proof is not None
        assert proof.check(report.proof, GAMES) == report.fault


@pytest.mark.parametrize("fault", FAULTS)
def test_row_99_no_comparison_forgets_a_fault_that_one_copy_proves(table: Gossiping, fault: str) -> None:
    crossed(table, FAULTS[fault](Dead(table)))
    before = copies(table)  # the one has the fault, the other the Gone
    assert [audit(data, GAMES).fault is None for data in before] == [False, True]
    table.settle()
    for some in itertools.permutations([*before, *copies(table)], 2):
        together = compare(some, GAMES)
        held = together.fault or (together.whole and together.whole.fault)
        assert held == audit(before[0], GAMES).fault or before[1] == some[0] == some[1]


def test_row_99_a_new_link_brings_the_proof_too(table: Gossiping) -> None:
    """Also after a restart of the seat that holds it."""
    table.cut((0, 2))
    for seat in HONEST:
        assert table.seats[seat].session.fault is None
    table.mend((0, 2))
    flow(table)
    crossed(table, no_message(Dead(table)))
    table.cut((0, 2))
    table.kill(0)
    table.restart(0)
    table.mend((0, 2))
    table.settle()
    assert table.seats[2].session.fault is not None


def test_row_99_a_proof_that_proves_nothing_ends_its_link_and_is_judged_once(
    table: Gossiping, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Malformed):
        table.seats[0].received([useless(table)], CULPRIT)
    table.seats[0].unlinked(Malformed(""), CULPRIT)
    call(table, 0)
    monkeypatch.setattr(judgement, "judge", pytest.fail)
    table.seats[0].received([useless(table)], CULPRIT)
    assert table.seats[0].session.fault is None


def test_row_99_proofs_of_other_chains_cost_nothing_and_too_many_end_the_link(
    table: Gossiping, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judgement, "judge", pytest.fail)
    frame = Frame(PROOF, encode([1, bytes(32), [[ENTRY, b"x"]]]))
    table.seats[0].received([frame] * MAX_PROOFS, CULPRIT)
    with pytest.raises(Malformed):
        table.seats[0].received([frame], CULPRIT)


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        encode([]),
        encode([0, bytes(31), [[2, b""]]]),
        encode([0, bytes(32), []]),
        encode([0, bytes(32), [[5, b""]]]),
    ],
)
def test_row_99_what_is_no_proof_is_malformed(table: Gossiping, payload: bytes) -> None:
    with pytest.raises(Malformed):
        table.seats[0].received([Frame(PROOF, payload)], CULPRIT)
    assert table.seats[0].session.fault is None
