"""How tables are connected: the page of ways, links that move, and matches by post, from real replicas."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cli.table.orders import actions
from cli.table.scene import presentation
from cli.table.seat.controller import TableController
from cli.table.words import connection
from cli.table.words.call_attempts import OwnRelay
from cli.text.layout import words
from p2p_stratego.registry import GAMES
from protocol.rendezvous.via import Via
from protocol.replication.journal import Attempt, CallState, Step
from protocol.replication.presence import SeatLink
from protocol.storage.route import Place
from protocol.wire.addresses import Endpoint, Relayed
from tests.golden.tables import Chronicle, assert_as_kept
from tests.helpers.links.ends import Ends
from tests.helpers.links.many import Many

RELAY = Relayed(Endpoint("relay.example", 4001), bytes(16))
FAR = Endpoint("203.0.113.7", 4000)


@pytest.fixture
def three(tmp_path: Path) -> Iterator[Many]:
    many = Many(tmp_path, GAMES["spies-and-lies"], 3, {"starter": "red"})
    yield many
    many.close()


def page(table: TableController, command: str) -> str:
    actions.enter(table, command)
    assert table.page is not None
    return "\n".join(map(words, table.page.lines))


def test_the_page_of_ways_tells_of_every_seat_and_of_ourselves(three: Many, chronicle: Chronicle) -> None:
    table = three.table(0)
    three.connect((0, 1), (1, 2))
    failed = (FAR, Attempt(Step.FAILED, three.clock() - 3, ConnectionRefusedError()))
    calling = CallState(Place((FAR, RELAY), bytes(32)), (failed,), three.clock() + 20, better=True)

    def measured(known: SeatLink) -> SeatLink:
        return replace(known, rtt=0.061, via=Via.RELAY, calling=calling) if known.seat == 1 else known

    table.replica.annotate_link = measured
    table.environment = replace(table.environment, relays=lambda: [OwnRelay("relay.example:4001", "full")])
    text = page(table, "ways")
    chronicle.show("the page of ways", text)
    assert page(table, "status") == text
    assert "relay 61 ms" in page(table, "who")
    assert_as_kept(chronicle)


def test_a_link_that_moves_is_told_once_each_time(three: Many, chronicle: Chronicle) -> None:
    table, via = three.table(0), Via.RELAY
    three.connect()
    table.replica.annotate_link = lambda known: replace(known, via=via)
    known, news = connection.moved(table.replica, table.players, {})
    assert news == [], "how it begins is no news"
    via = Via.NEARBY
    known, news = connection.moved(table.replica, table.players, known)
    chronicle.show("straight ways are found", *news)
    assert connection.moved(table.replica, table.players, known)[1] == []
    three.cut((0, 1), (0, 2))
    known, news = connection.moved(table.replica, table.players, known)
    via = Via.RELAY
    three.connect((0, 1))
    known, news = connection.moved(table.replica, table.players, known)
    chronicle.show("Boris comes back through a relay", *news)
    assert_as_kept(chronicle)


def test_in_a_match_by_post_nobody_is_away(three: Many) -> None:
    table = three.table(0)
    table.replica.by_post = True
    three.clock.now += 1000
    assert presentation.link(table) == ("dim", "by post")
    assert [fellow.way for fellow in presentation.fellows(table)] == ["post", "post"]
    assert "Boris: by post" in page(table, "ways")
    assert "by post" in page(table, "who")


def test_two_are_told_what_is_done_for_a_way(ends: Ends, chronicle: Chronicle) -> None:
    table = ends.table(0)
    ends.connect()
    ends.cut()
    attempt = (FAR, Attempt(Step.CALLING, ends.clock()))
    calling = CallState(Place((FAR, RELAY), bytes(32)), (attempt,))
    table.replica.annotate_link = lambda known: replace(known, calling=calling)
    assert presentation.scene(table).doing == ("calling direct", "calling")
    ways = page(table, "ways")
    chronicle.show("the page of ways, while Boris is called", ways)
    assert ways.split("\n")[0].partition("Boris: ")[2] in page(table, "who")
    assert_as_kept(chronicle)
