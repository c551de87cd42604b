"""Records go round a table of links in any graph: all copies end equal, nobody honest is blamed."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.channel.channel import CARD, RECEIPT, SYNC, Sync
from protocol.errors import Malformed
from protocol.failures import NotNow
from protocol.limits import COMPLETE_WITHIN
from protocol.record.evidence import read_record
from protocol.record.position import Position, StatementHead
from protocol.replication.holdings import Have, counts
from protocol.replication.presence import Way
from protocol.replication.replica import Status
from protocol.seat.follower import Follower
from protocol.storage.route import Place, Route
from protocol.wire.addresses import Endpoint
from protocol.wire.encoding import ENTRY, STATEMENT, Deframer, Frame
from tests.helpers.links.gossiping import LOST, Gossiping, graphs
from tests.helpers.machine.examples import examples

GRAPHS = [(seats, name) for seats in (2, 3, 4, 5) for name in graphs(seats) if seats > 2 or name == "line"]


@pytest.mark.parametrize(("seats", "name"), GRAPHS)
def test_over_any_graph_of_links_a_match_is_played_out_and_each_seat_gets_each_record_once(
    tmp_path: Path, seats: int, name: str
) -> None:
    """And all that goes over all links is at most 1.2 times what the records need."""
    table = Gossiping(tmp_path, seats, graphs(seats)[name], options={"rounds": 2, "looks": "yes"})
    table.mend_all().settle()
    before = len(table.seats[0].session.referee.record)
    table.sent.clear()
    table.play()
    assert all(seat.finished for seat in table.seats)
    assert table.equal()
    assert not table.hung_up
    assert not any(seat.session.fault for seat in table.seats)
    record = table.seats[0].session.referee.record[before:]
    need = (seats - 1) * sum(len(item.frame) for item in record)
    assert table.copies() == (seats - 1) * len(record)
    assert sum(len(frame) for _, _, frame in table.sent) <= 1.2 * need
    table.close()


@given(st.integers(3, 5), st.sampled_from(sorted(graphs(3))), st.integers(0, 2**32), st.booleans())
@examples(10, 100)
def test_links_are_cut_and_mended_and_processes_killed_at_random(
    seats: int, name: str, seed: int, muddled: bool
) -> None:
    """All copies end equal, and nobody is blamed."""
    with TemporaryDirectory() as folder:
        table = Gossiping(Path(folder), seats, graphs(seats)[name], seed=seed, options={"rounds": 2})
        for _ in range(200):
            table.trouble(muddled)
            for _ in range(table.rng.randrange(12)):
                table.step()
        table.heal().play()
        table.heal().play()
        assert all(seat.finished for seat in table.seats)
        assert table.equal()
        assert not any(seat.session.fault for seat in table.seats)
        assert not table.hung_up
        table.close()


@given(st.integers(3, 5), st.sampled_from(sorted(graphs(3))), st.integers(0, 2**32))
@examples(8, 80)
def test_seats_leave_fall_silent_and_come_back_while_links_are_cut_at_random(
    seats: int, name: str, seed: int
) -> None:
    """All copies end equal, those of who left too, and nobody is blamed."""
    with TemporaryDirectory() as folder:
        table = Gossiping(Path(folder), seats, graphs(seats)[name], seed=seed, options={"rounds": 2})
        table.mend_all()
        for _ in range(80):
            table.trouble()
            if table.rng.random() < 0.02 and table.alive:
                with suppress(NotNow):
                    table.rng.choice(table.alive).resign()
            table.clock.now += table.rng.choice((0, 0, 10, 100, 2000))
            table.claim()
            for _ in range(table.rng.randrange(20)):
                table.step()
        for _ in range(4):
            table.heal().play()
            table.claim()
            table.clock.now += COMPLETE_WITHIN
        table.heal().play()
        assert all(seat.session.copy.complete for seat in table.seats)
        assert len({seat.session.position() for seat in table.seats}) == 1
        assert not any(seat.session.fault for seat in table.seats)
        assert all(isinstance(why, Malformed) and "in time" in str(why) for _, _, why in table.hung_up)
        table.close()


def test_a_receipt_reaches_a_seat_that_has_no_link_to_its_owner(tmp_path: Path) -> None:
    """And so a claim of being away is possible over the whole table, also after a restart."""
    table = Gossiping(tmp_path, 4, graphs(4)["line"]).mend_all().settle()
    table.until_owing(3)
    first = table.seats[0]
    receipt = first.session.copy.receipt(3)
    assert receipt == table.seats[3].exchange.gossip.receipts[3].signature
    assert first.claimable_in is not None
    table.kill(0)
    assert table.restart(0).session.copy.receipt(3) in (None, receipt)
    table.mend_all().settle()
    assert table.seats[0].session.copy.receipt(3) == receipt
    sent = [frame for end, _, frame in table.sent if frame.kind == RECEIPT]
    assert len(sent) < 4 * len(table.seats[0].session.referee.entries)
    table.close()


@pytest.mark.parametrize("name", ["star", "line", "mesh"])
def test_a_return_match_is_agreed_over_any_links_and_every_seat_moves_on(tmp_path: Path, name: str) -> None:
    table = Gossiping(tmp_path, 4, graphs(4)[name]).mend_all().play()
    old, players = table.seats[0].match, [end.match.players[end.seat].key for end in table.seats]
    for seat, end in enumerate(table.seats):
        assert end.match is old or end.match.id == old.id
        end.offer_rematch()
        if seat < 3:
            end.offer_rematch()
            table.settle()
            assert {other.rematch_missing for other in table.seats} == {tuple(range(seat + 1, 4))}
            assert table.seats[3].rematch_wanted == (False, True)
    table.play()
    for seat, end in enumerate(table.seats):
        assert end.match.id == table.seats[0].match.id != old.id
        assert end.seat == (seat + 1) % 4
        assert end.match.players[end.seat].key == players[seat]
        assert end.finished
    assert table.equal()
    assert not table.hung_up
    table.close()


def test_who_does_not_answer_about_a_return_match_is_named(tmp_path: Path) -> None:
    table = Gossiping(tmp_path, 3, graphs(3)["star"]).mend_all().play()
    for seat in (1, 2):
        table.seats[seat].offer_rematch()
    table.settle()
    for end in table.seats:
        assert end.rematch_missing == (0,)
    table.kill(0)
    assert not any(end.rematch_missing for end in table.alive), "nobody is connected to anybody any more"
    table.close()


def test_a_front_end_is_told_how_each_seat_is_reached(tmp_path: Path) -> None:
    table = Gossiping(tmp_path, 4, graphs(4)["line"])
    assert [link.way for link in table.seats[0].links] == [Way.NEVER] * 3
    table.mend_all().settle()
    clock = table.clock
    ways = [(link.seat, link.way, link.through) for link in table.seats[0].links]
    assert ways == [(1, Way.DIRECT, None), (2, Way.THROUGH, 1), (3, Way.THROUGH, 1)]
    clock.now = 2000.0
    table.cut((2, 3))
    table.settle()
    far = table.seats[0].links[2]
    assert (far.way, far.through) == (Way.AWAY, None)
    assert 2000.0 <= far.since <= clock.now
    assert table.seats[0].links[1].way is Way.THROUGH
    table.edges = [(0, 3)]
    table.mend_all().settle()
    assert [link.way for link in table.seats[0].links] == [Way.DIRECT, Way.THROUGH, Way.DIRECT]
    assert [(link.way, link.through) for link in table.seats[3].links][1:] == [(Way.THROUGH, 0)] * 2
    table.close()


def test_the_seat_that_began_the_match_can_go_for_good(tmp_path: Path) -> None:
    """It answers nothing any more; the others pass on all they have, and only its own debt is open."""
    table = Gossiping(tmp_path, 4, graphs(4)["star"], options={"rounds": 3}).mend_all()
    while table.seats[0].session.referee.count < 20:
        assert table.step()
    table.kill(0)
    table.edges = [(1, 2), (2, 3)]
    table.mend_all().play()
    assert table.equal([1, 2, 3])
    assert [seat.session.referee.waited_for for seat in table.alive] == [(0,)] * 3
    assert [link.way for link in table.seats[3].links] == [Way.AWAY, Way.THROUGH, Way.DIRECT]
    table.close()


def test_a_copy_that_comes_back_signs_nothing_before_it_was_compared_with_one_other(tmp_path: Path) -> None:
    table = Gossiping(tmp_path, 3, graphs(3)["line"]).mend_all().settle()
    table.until_owing(2)
    count = table.seats[2].session.referee.count
    table.kill(2)
    back = table.restart(2)
    table.decide(back)
    assert back.session.referee.count == count
    table.mend((1, 2))
    table.settle()
    assert back.session.referee.count > count
    table.close()


# Spectators


def test_row_59_a_spectator_gets_every_record_and_can_say_nothing(tmp_path: Path) -> None:
    table = Gossiping(tmp_path, 3, graphs(3)["star"]).mend_all().settle()
    seen: list[bytes] = []
    hub, match = table.seats[0], table.seats[0].match
    hub.linked(seen.append, 3)
    empty = Position(0, match.id, (StatementHead(0, match.id),) * 3)
    hub.received([Sync(match.id, empty).frame], 3)
    table.play()
    frames = [frame for data in seen for frame in Deframer().feed(data)]
    assert frames[0].kind == SYNC
    assert {frame.kind for frame in frames[1:]} == {ENTRY, STATEMENT}
    follower = Follower(match)
    for frame in frames[1:]:
        follower.admit(read_record(frame))
    assert follower.position() == hub.session.position()
    for word in (frames[1], Have(counts(empty), 0, (0, 0, 0)).frame, Frame(CARD, b""), Frame(99, b"")):
        with pytest.raises(Malformed):
            hub.received([word], 3)
    hub.unlinked(LOST, 3)
    assert hub.status is Status.CONNECTED
    table.close()


def test_row_59_a_spectator_who_does_not_compare_is_given_up(tmp_path: Path) -> None:
    table = Gossiping(tmp_path, 2, graphs(2)["line"]).mend_all().settle()
    table.seats[0].linked(lambda _: None, 2)
    table.clock.now += COMPLETE_WITHIN
    with pytest.raises(Malformed, match="in time"):
        table.seats[0].received([], 2)
    table.seats[0].unlinked(Malformed(""), 2)
    table.play()
    assert all(seat.finished for seat in table.seats)
    table.close()


# Addresses


def test_every_seat_learns_where_every_other_listens_and_keeps_it(tmp_path: Path) -> None:
    table = Gossiping(tmp_path, 4, graphs(4)["line"]).mend_all().settle()
    places = [
        Place((Endpoint(f"192.0.2.{seat}", 4000), Endpoint("example.org", seat + 1)), bytes([seat]) * 32)
        for seat in range(4)
    ]
    for place, end in zip(places, table.seats, strict=True):
        end.exchange.listen_at(place, 4000)
    table.settle()
    for seat, end in enumerate(table.seats):
        others = {other: place for other, place in enumerate(places) if other != seat}
        assert end.route.others == end.store.route.others == others
        assert end.route.own == places[seat]
    table.seats[3].exchange.listen_at(None, 0)
    table.seats[0].exchange.listen_at(places[3], 4000)
    table.settle()
    assert 3 not in table.seats[0].route.others
    assert table.seats[3].route.others[0] == places[3]
    for edge in table.edges:
        table.cut(edge)
    table.kill(1)
    assert table.restart(1).route.others == {0: places[3], 2: places[2]}
    table.mend_all().settle()
    assert table.seats[1].route.others == {0: places[3], 2: places[2]}, "older cards change nothing"
    table.close()


def test_a_card_that_was_known_before_still_reaches_those_who_lack_it(tmp_path: Path) -> None:
    """As after a lobby whose host told some guests of the others and died: those tell the rest."""
    table = Gossiping(tmp_path, 4, [(1, 2), (1, 3)])
    places = {seat: Place((Endpoint("192.0.2.1", 4000 + seat),), bytes([seat]) * 32) for seat in (1, 2, 3)}
    for seat, place in places.items():
        table.kill(seat)
        route = Route(place, {2: places[2], 3: places[3]} if seat == 1 else {}, {}, {2: 1, 3: 1})
        home = table.owners[seat].home
        store = home.open(home.games()[0].id)
        store.set_route(route if seat == 1 else Route(place))
        store.close()
        table.restart(seat)
    table.mend_all().settle()
    for seat in (1, 2, 3):
        expected = {other: place for other, place in places.items() if other != seat}
        assert table.seats[seat].route.others == table.seats[seat].store.route.others == expected
    table.close()
