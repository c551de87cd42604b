"""One of three or four is silent, is taken out, or answers late: every other player's table tells it."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cli.reports import describe
from cli.reports.own_games import listed
from cli.table.orders import actions
from cli.table.scene import presentation
from cli.table.seat.controller import TableController
from cli.table.words import connection, other_players
from cli.table.words.other_players import COMING
from cli.text.layout import words
from p2p_stratego.core.game import Choose
from p2p_stratego.registry import GAMES
from p2p_stratego.spies_and_lies.bots.recruit import Recruit
from protocol.audit.verdict import audit
from tests.golden.tables import Chronicle, assert_as_kept
from tests.helpers.links.many import NAMES, Many

Make = Callable[[int], tuple[Many, list[TableController]]]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    made: list[Many] = []

    def begin(seats: int) -> tuple[Many, list[TableController]]:
        many = Many(tmp_path, GAMES["spies-and-lies"], seats, {"starter": "red"})
        made.append(many)
        tables = [many.table(seat) for seat in many.seats]
        many.connect()
        return many, tables

    yield begin
    for many in made:
        many.close()


def test_a_card_that_a_missing_player_is_to_open_keeps_the_table_waiting_and_says_so(
    make: Make, chronicle: Chronicle
) -> None:
    """A card is opened by its owner's program, so nobody seems to be asked anything."""
    many, tables = make(4)
    bots = [Recruit(random.Random(number)) for number in many.seats]
    referee = many.replicas[0].session.referee

    def guesses() -> bool:
        return (
            referee.owed is not None
            and isinstance(referee.owed.ask, Choose)
            and ("guess 1" in referee.owed.ask.options)
        )

    many.play_on(bots, guesses)
    assert referee.owed is not None
    guesser, state = referee.owed.seat, referee.table.state
    owner = state.seating.player(1 - state.guesser, state.mission)
    many.clock.now += COMING
    chronicle.watch(*(table for table in tables if table.replica.seat != owner))
    many.cut(*((owner, seat) for seat in many.seats if seat != owner))
    tables[guesser].replica.decide("guess 5")
    many.pump()
    chronicle.happen(f"{NAMES[guesser]} guesses, and {NAMES[owner]}, whose card is to open, is away")
    assert_as_kept(chronicle)


def gone_silent(many: Many) -> None:
    """Seat 0, which owes the next entry, is away for so long that the others can say so."""
    referee = many.replicas[1].session.referee
    assert referee.owed is not None
    assert referee.owed.seat == 0
    many.cut(*((0, seat) for seat in many.seats if seat))
    many.clock.now += 400.0
    many.pump()


def accused(many: Many, tables: list[TableController]) -> None:
    """Boris has said of Anna that she does not answer; Chen has not yet."""
    gone_silent(many)
    for line in ("claim", "yes"):
        actions.enter(tables[1], line)
    many.pump()


def test_a_silent_player_is_taken_out_by_the_word_of_all_others(make: Make, chronicle: Chronicle) -> None:
    many, tables = make(3)
    chronicle.watch(*tables, pump=many.pump)
    gone_silent(many)
    chronicle.happen("Anna, who is asked, is away for 400 seconds")
    for table in tables[1:]:
        chronicle.type(table, "claim", "yes")
    for table in tables[1:]:
        assert [fellow.way for fellow in presentation.fellows(table) if fellow.seat == 0] == ["gone"]
        assert not table.over
        assert table.log.history == tables[1].log.history
    many.connect((0, 1))
    chronicle.happen("Anna is back")
    assert tables[0].log.history == tables[1].log.history
    assert_as_kept(chronicle)


def test_a_table_whose_decider_is_silent_too_ends_without_a_winner_until_one_answers(
    make: Make, chronicle: Chronicle
) -> None:
    many, tables = make(3)
    accused(many, tables)
    chronicle.watch(*tables, pump=many.pump)
    many.cut((1, 2))
    chronicle.happen("Chen, who decides, has no link to Boris either")
    assert tables[1].replica.claimable_in
    chronicle.type(tables[1], "claim")
    tables[1].cancel()
    many.clock.now += 400.0
    many.pump()
    chronicle.happen("400 seconds later")
    chronicle.type(tables[1], "claim", "yes")
    many.connect((1, 2))
    chronicle.happen("Chen is linked to Boris again")
    many.connect((0, 1), (0, 2))
    chronicle.happen("Anna is back")
    tables[0].replica.decide(Recruit(random.Random(1)).decide(tables[0].session.view))
    many.pump()
    chronicle.happen("Anna answers")
    for table in tables:
        assert table.session.outcome is None
        assert table.session.referee.count == tables[0].session.referee.count > 0
    assert_as_kept(chronicle)


def test_a_late_answer_counts_once_the_decider_says_so(make: Make, chronicle: Chronicle) -> None:
    many, tables = make(3)
    accused(many, tables)
    chronicle.watch(*tables, pump=many.pump)
    many.connect((0, 1), (0, 2))
    chronicle.happen("Anna is back")
    tables[0].replica.decide(Recruit(random.Random(1)).decide(tables[0].session.view))
    many.pump()
    chronicle.happen("Anna answers")
    for table in tables:
        assert table.session.referee.count == tables[0].session.referee.count
    assert_as_kept(chronicle)


def test_all_are_told_who_has_accepted_a_draw(make: Make, chronicle: Chronicle) -> None:
    many, tables = make(4)
    owing = many.replicas[0].waited_for or (0,)
    assert owing == (0,)
    chronicle.watch(*tables, pump=many.pump)
    chronicle.type(tables[3], "draw", "yes")
    for waiting in (tables[0], tables[3]):  # an offer of one's own would make void what others have accepted
        chronicle.type(waiting, "draw")
        assert waiting.pending is None
    for seat in (1, 2, 0):
        chronicle.type(tables[seat], "accept", "yes")
    assert all(table.over for table in tables)
    assert_as_kept(chronicle)


def test_who_has_resigned_is_told_when_the_others_then_agree_on_a_draw(
    make: Make, chronicle: Chronicle
) -> None:
    many, tables = make(3)
    anna, boris, chen = tables
    chronicle.watch(*tables, pump=many.pump)
    for table, order in ((chen, "resign"), (anna, "draw"), (boris, "accept"), (anna, "accept")):
        chronicle.type(table, order, "yes")
    for home, table in zip(many.homes, tables, strict=True):
        [row] = listed(home.path)
        chronicle.show(f"{table.players.names[table.replica.seat]}'s list of games", str(row["status"]))
    report = audit(Path(anna.replica.store.path).read_bytes(), GAMES)
    chronicle.show("an audit", describe.verdict(report))
    assert describe.audited(report)["resigned"] == [describe.seat_name(report.genesis, 2)]
    assert_as_kept(chronicle)


@pytest.mark.parametrize("accepted", [False, True])
def test_of_two_offers_of_a_draw_all_name_the_one_that_more_have_accepted_first(
    make: Make, accepted: bool
) -> None:
    many, tables = make(4)
    _, boris, chen, dana = (replica.session for replica in many.replicas)
    many.replicas[2].offer_draw()
    many.pump()
    if accepted:
        many.replicas[1].accept_draw()
    many.replicas[1].offer_draw()
    many.pump()
    assert boris.referee.standing_offer(1) is not None
    first = "Chen" if accepted else "Boris"
    offer = dana.draw_offer
    assert offer is not None
    assert NAMES[offer.seat] == first
    waiting = other_players.offer(chen.referee)
    assert waiting is not None
    assert NAMES[waiting.by] == first
    assert (presentation.alert(tables[3]) or ("", ""))[1].startswith(
        f"{first} offers a draw: accept takes it"
    )
    actions.enter(tables[3], "/accept")
    assert tables[3].pending is not None
    assert f"{first} offers a draw" in " ".join(tables[3].pending.warnings)
    tables[3].cancel()
    many.replicas[3].accept_draw()  # the other one stands, too
    many.pump()
    other = "Boris" if accepted else "Chen"
    assert (presentation.alert(tables[3]) or ("", ""))[1].startswith(
        f"{other} offers a draw: accept takes it"
    )


def test_bots_agree_to_no_draw_and_the_table_says_so_at_once(make: Make, chronicle: Chronicle) -> None:
    """A player with a bot in its own program is told before it offers anything."""
    _, (anna, boris, _) = make(3)
    anna.replica.exchange.route = replace(anna.replica.route, bots={1: "agent", 2: "agent"})
    chronicle.watch(anna, boris)
    chronicle.type(anna, "draw")
    assert anna.pending is None
    chronicle.type(boris, "draw")
    assert boris.pending is not None
    assert_as_kept(chronicle)


def test_leaving_tells_what_becomes_of_the_bots(make: Make, chronicle: Chronicle) -> None:
    _, (anna, *_) = make(4)
    for bots in ((1,), (1, 2)):
        anna.replica.exchange.route = replace(anna.replica.route, bots=dict.fromkeys(bots, "agent"))
        chronicle.watch(anna)
        chronicle.happen(f"{len(bots)} of the others are bots of Anna's program")
        chronicle.type(anna, "leave", "no")
    assert_as_kept(chronicle)


def test_who_has_resigned_is_not_asked_for_a_draw(make: Make, chronicle: Chronicle) -> None:
    many, tables = make(4)
    chronicle.watch(*tables, pump=many.pump)
    chronicle.type(tables[2], "resign", "yes")
    for seat, order in ((3, "draw"), (1, "accept"), (0, "accept")):
        chronicle.type(tables[seat], order, "yes")
    assert all(tables[seat].over for seat in (0, 1, 3))
    assert all(many.replicas[seat].finished for seat in (0, 1, 3))
    assert_as_kept(chronicle)


def test_a_player_lets_others_watch_during_play_and_all_are_told_how_many_do(
    make: Make, chronicle: Chronicle
) -> None:
    many, tables = make(3)
    chronicle.watch(*tables, pump=many.pump)
    chronicle.type(tables[0], "watch")
    switched: list[bool] = []

    def watch(on: bool) -> tuple[str, str]:
        switched.append(on)
        return ("Anybody with this invite can watch:", "P2PS-ABCD") if on else ("Nobody can watch.", "")

    tables[0].environment = replace(tables[0].environment, watch=watch)
    chronicle.happen("Anna's program can be called")
    chronicle.type(tables[0], "watch", "watch on")
    many.replicas[0].watched(2)
    many.pump()
    chronicle.happen("two spectators come")
    for table in tables:
        actions.enter(table, "who")
        assert table.page is not None
        assert "2 spectators" in "".join(map(words, table.page.lines))
        table.cancel()
    chronicle.type(tables[0], "watch off")
    assert switched == [True, False]
    assert_as_kept(chronicle)


def test_while_first_links_are_made_nobody_counts_as_away(tmp_path: Path, chronicle: Chronicle) -> None:
    many = Many(tmp_path, GAMES["spies-and-lies"], 3, {"starter": "red"})
    boris, end = many.table(1), many.clock.now + COMING
    there: dict[int, bool] = {}
    chronicle.watch(boris)
    assert (presentation.alert(boris), presentation.link(boris)) == (None, ("dim", "connecting"))
    assert connection.presence(many.replicas[1], boris.players, there, many.clock.now) == ({}, [])
    assert boris.due == end
    many.connect()
    seen, lines = connection.presence(many.replicas[1], boris.players, there, many.clock.now)
    assert boris.due == math.inf
    chronicle.happen("all are linked")
    chronicle.show("in lines", *lines)
    many.cut((0, 1), (0, 2))  # two calls crossed, and one link takes the place of the other
    chronicle.happen("Anna's links break")
    assert (presentation.alert(boris), boris.due) == (None, end)
    assert connection.presence(many.replicas[1], boris.players, seen, many.clock.now) == (seen, [])
    many.clock.now = end
    chronicle.happen("a few seconds later")
    assert boris.due == math.inf
    _, lines = connection.presence(many.replicas[1], boris.players, seen, many.clock.now)
    chronicle.show("in lines", *lines)
    many.close()
    assert_as_kept(chronicle)


def test_who_is_resumed_is_told_that_others_are_connected_not_that_they_are_back(
    tmp_path: Path, chronicle: Chronicle
) -> None:
    many = Many(tmp_path, GAMES["spies-and-lies"], 3, {"starter": "red"})
    boris = many.table(1)
    many.clock.now += COMING
    seen, lines = connection.presence(many.replicas[1], boris.players, {}, many.clock.now)
    assert (seen, lines) == ({}, [])
    many.connect()
    _, lines = connection.presence(many.replicas[1], boris.players, seen, many.clock.now)
    chronicle.show("all are linked, in lines", *lines)
    many.close()
    assert_as_kept(chronicle)
