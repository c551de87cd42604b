"""A complaint reaches every seat of a table, over whatever links there are, also after a crash."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from unittest.mock import patch

import pytest

from p2p_stratego.core.game import Face, Slot
from protocol.audit import proof
from protocol.audit.verdict import Verdict, audit
from protocol.errors import Violation
from protocol.record.statements import Kind, parse
from protocol.seat import session
from protocol.seat.faces import Faces
from protocol.wire.encoding import STATEMENT
from tests.helpers.games.toy import GAMES, slot
from tests.helpers.links.gossiping import Gossiping, graphs

OWNER, VIEWER = 0, 1


class Misread(Faces):
    """The faces of a seat that takes one of its cards for another one."""

    wrong = slot(0, OWNER, 0)

    @property
    def own(self) -> Mapping[Slot, Face]:
        true = super().own
        return {slot: face % 6 + 1 if slot == self.wrong else face for slot, face in true.items()}


def sealing_another_card(path: Path, seats: int, graph: str) -> Gossiping:
    """Seat 0 will seal another card for seat 1 than the one it lays."""
    with patch.object(session, "Faces", Misread):
        return Gossiping(path, seats, graphs(seats)[graph], options={"looks": "yes"}).mend_all()


def assert_all_blame_the_owner(table: Gossiping) -> None:
    for seat, replica in enumerate(table.seats):
        if seat == OWNER:
            continue
        fault = replica.session.fault
        assert isinstance(fault, Violation)
        assert (fault.seat, fault.what, fault.rule) == (OWNER, "entry", "wrong-opening")
        assert replica.finished
        report = audit(Path(replica.store.path).read_bytes(), GAMES)
        assert report.verdict is Verdict.CHEATED
        assert report.proof is not None
        assert proof.check(report.proof, GAMES).seat == OWNER
    table.close()


@pytest.mark.parametrize("graph", ["star", "line", "ring", "mesh", "bridge"])
@pytest.mark.parametrize("seats", [3, 4])
def test_row_60_all_learn_of_a_wrong_box(tmp_path: Path, seats: int, graph: str) -> None:
    table = sealing_another_card(tmp_path, seats, graph)
    if graph in ("star", "line"):  # the liar is a carrier here, and passes no word against itself on
        past = [(1, seat) for seat in range(2, seats)]
        table.edges = [*table.edges, *(edge for edge in past if edge not in table.edges)]
        table.mend_all()
    table.play()
    assert_all_blame_the_owner(table)


def test_a_complaint_that_was_signed_and_not_sent_goes_out_after_a_restart(tmp_path: Path) -> None:
    table = sealing_another_card(tmp_path, 3, "mesh")
    while table.seats[VIEWER].session.fault is None:
        assert table.step()
    table.kill(VIEWER)  # with all frames under way
    table.settle()
    assert table.seats[2].session.fault is None
    viewer = table.restart(VIEWER)
    assert isinstance(viewer.session.fault, Violation)
    table.mend_all().play()
    assert_all_blame_the_owner(table)
    complaints = [
        statement
        for _, _, frame in table.sent
        if frame.kind == STATEMENT and (statement := parse(frame.payload))
    ]
    assert {complaint.seat for complaint in complaints if complaint.kind is Kind.COMPLAIN} == {VIEWER}
