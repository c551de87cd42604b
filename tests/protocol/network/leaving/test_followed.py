"""At a table of three a newer link replaces one, while the others say and do what they like (threat 81)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol.failures import Code, LinkLost, Loss, Refused
from protocol.replication.presence import Way
from protocol.replication.replica import Status
from tests.helpers.games.toy import TOY
from tests.helpers.links.many import Many

BROKEN = LinkLost(Loss.BROKEN)


@pytest.fixture(name="many")
def _many(tmp_path: Path) -> Iterator[Many]:
    many = Many(tmp_path, TOY, 3, {"rounds": 1})
    many.connect()
    yield many
    many.close()


def replace(many: Many) -> None:
    """The link between the first two seats is closed, as a newer one waits at the first seat."""
    many.drop((0, 1))
    many.replicas[1].unlinked(BROKEN, 0)
    many.replicas[0].unlinked(Refused(Code.REPLACED), 1, followed=True)
    many.pump()


def finished(many: Many) -> bool:
    return all(replica.finished for replica in many.replicas)


def test_row_81_a_link_that_is_replaced_is_waited_for_whatever_another_seat_says(many: Many) -> None:
    first = many.replicas[0]
    many.play_honestly(lambda: finished(many))
    replace(many)
    heard = len(first.session.referee.statements[2])
    many.replicas[2].say("anybody here?")
    many.pump()
    assert len(first.session.referee.statements[2]) == heard + 1
    first.unlinked(BROKEN, 2)
    seen = [first.status]
    first.unlinked(BROKEN, 1)
    assert [*seen, first.status] == [Status.CONNECTED, Status.OVER]


def test_row_81_nobody_seems_away_while_a_link_is_taken_over(many: Many) -> None:
    many.cut((1, 2))
    first = many.replicas[0]
    before = first.links
    many.clock.now += 1.0
    replace(many)
    assert first.links == before
    first.unlinked(BROKEN, 1)
    assert [link.way for link in first.links] == [Way.AWAY, Way.DIRECT]


def test_row_81_a_return_match_that_begins_during_a_take_over_waits_for_no_seat_in_vain(many: Many) -> None:
    first, match = many.replicas[0], many.replicas[0].match
    many.play_honestly(lambda: finished(many))
    replace(many)
    for replica in many.replicas:
        replica.offer_rematch()
        many.pump()
    assert {replica.match.id for replica in many.replicas} & {match.id} == set()
    assert (first.seat, first.status) == (1, Status.CONNECTED)
    first.unlinked(BROKEN, 0)
    first.unlinked(BROKEN, 2)  # the newer one, to the player who had seat 1 before
    assert first.status is Status.AWAY
