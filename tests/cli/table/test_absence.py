"""The other side is away, is silent, or comes back: sentences, claims, and moves kept and sent later."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

from cli.table.orders import actions
from cli.table.scene import presentation
from cli.table.seat.controller import TableController
from cli.table.words.other_players import COMING
from p2p_stratego.conquest.bots.recruit import Recruit
from p2p_stratego.registry import GAMES
from protocol.channel.channel import Sync
from protocol.failures import Unreachable
from protocol.limits import CLAIM_WHEN_AWAY, CLAIM_WHEN_CONNECTED
from protocol.replication.replica import Status
from tests.golden.tables import Chronicle, assert_as_kept
from tests.helpers.links.ends import Ends
from tests.helpers.links.many import Many
from tests.helpers.spies_and_lies.typing_in import honest_line, notice, type_in


def test_while_the_other_is_away_there_is_a_countdown_and_then_a_claim(
    ends: Ends, tables: tuple[TableController, TableController], chronicle: Chronicle
) -> None:
    anna, boris = tables
    chronicle.watch(*tables, pump=ends.pump)
    chronicle.type(anna, honest_line(anna))
    ends.cut()
    ends.clock.now += 65
    chronicle.happen("the link has been broken for 65 seconds")
    chronicle.type(anna, "claim")
    ends.clock.now += CLAIM_WHEN_AWAY
    chronicle.happen(f"{CLAIM_WHEN_AWAY:.0f} seconds later")  # not what was said before
    chronicle.type(anna, "claim", "yes", "rematch")
    ends.connect()
    chronicle.happen("the link is back")
    assert [choice.word for choice in presentation.choices(anna, "")] == ["leave"]
    assert not boris.over
    chronicle.type(boris, honest_line(boris))
    assert all(table.replica.session.outcome is None for table in tables)
    assert [(table.end_shown, presentation.scene(table).page) for table in tables] == [(False, None)] * 2
    assert_as_kept(chronicle)


def test_the_return_of_the_other_side_is_told_until_something_happens(
    ends: Ends, tables: tuple[TableController, TableController], chronicle: Chronicle
) -> None:
    anna, _ = tables
    assert notice(anna) == ""  # nobody was away yet
    chronicle.watch(*tables, pump=ends.pump)
    ends.cut()
    ends.clock.now += 5
    chronicle.happen("the link has been broken for 5 seconds")
    ends.connect()
    chronicle.happen("the link is back")
    chronicle.type(anna, honest_line(anna))
    assert_as_kept(chronicle)


def test_one_who_is_there_but_never_answers_can_be_claimed_against_too(
    ends: Ends, tables: tuple[TableController, TableController], chronicle: Chronicle
) -> None:
    anna, _ = tables
    type_in(ends, anna, honest_line(anna))
    chronicle.watch(anna)
    ends.clock.now += CLAIM_WHEN_CONNECTED
    chronicle.happen(f"Boris is there and does not answer for {CLAIM_WHEN_CONNECTED:.0f} seconds")
    assert_as_kept(chronicle)


def test_nobody_can_claim_while_it_is_the_own_turn(
    tables: tuple[TableController, TableController], chronicle: Chronicle
) -> None:
    chronicle.watch(*tables)
    chronicle.type(tables[0], "claim")
    assert_as_kept(chronicle)


def test_what_was_decided_before_both_copies_were_compared_is_told(
    ends: Ends, tables: tuple[TableController, TableController], chronicle: Chronicle
) -> None:
    anna, _ = tables
    ends.cut()
    ends.replicas[0].session.proven = False  # as after a restart: nothing is signed yet
    chronicle.watch(anna)
    chronicle.type(anna, honest_line(anna))
    ends.connect()
    chronicle.happen("the link is back")
    assert_as_kept(chronicle)


def test_who_waits_for_a_connection_is_told_why_and_what_becomes_of_a_move(
    ends: Ends, tables: tuple[TableController, TableController], chronicle: Chronicle
) -> None:
    del tables
    ends.cut()
    again = ends.table(0)
    ends.replicas[0].status = Status.CONNECTING
    chronicle.watch(again, pump=ends.pump)
    ends.replicas[0].exchange.trouble = Unreachable(("192.0.2.7",), refused=True)
    chronicle.happen("Anna comes back and reaches nobody")
    chronicle.type(again, honest_line(again))
    ends.connect()
    assert presentation.alert(again) is None, "who is there within seconds was not away"
    chronicle.happen("the link is back")
    ends.cut()
    again = ends.table(0)
    ends.replicas[0].status = Status.CONNECTING
    ends.clock.now = ends.replicas[0].begun + COMING
    again.refresh()
    chronicle.watch(again)
    ends.connect()
    chronicle.happen("the link is back after a while")
    assert_as_kept(chronicle)


def test_a_warning_goes_when_it_does_not_hold_any_more(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    anna, boris = tables
    ends.cut()
    actions.enter(anna, "/are you there?")
    assert "not connected" in notice(anna)
    ends.connect()
    assert presentation.alert(anna) == ("good", "Boris is back.")
    type_in(ends, anna, "accept")
    assert notice(anna) == "Nothing is offered at the moment."
    actions.enter(boris, "draw")
    actions.enter(boris, "yes")
    ends.pump()
    assert "offers a draw" in (presentation.alert(anna) or ("", ""))[1]
    ends.replicas[0].on_change = lambda: None  # also where nothing tells the table
    type_in(ends, anna, "rubbish")
    assert "rubbish" in notice(anna)
    ends.cut()
    assert "rubbish" not in notice(anna)


def test_a_decision_made_while_the_other_is_away_goes_out_later(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    anna, boris = tables
    ends.cut()
    actions.enter(anna, honest_line(anna))
    actions.enter(boris, honest_line(boris))
    assert not anna.asked
    ends.connect()
    assert "Day 1: both sides have deployed." in anna.log.history
    assert presentation.link(anna) == ("good", "direct 12 ms")


def test_who_is_connected_and_does_not_send_what_it_has_is_told_of(
    ends: Ends, tables: tuple[TableController, TableController], chronicle: Chronicle
) -> None:
    anna, _ = tables
    chronicle.watch(anna)
    ends.cut()
    replica = ends.replicas[0]
    replica.linked(lambda _: None)
    ours = replica.session.position()
    replica.received([Sync(replica.match.id, replace(ours, count=ours.count + 1, head=b"h" * 32)).frame])
    chronicle.happen("Boris is back with a longer record, and sends nothing of it")
    ends.connect()
    chronicle.happen("a new link")
    assert_as_kept(chronicle)


def test_the_last_player_is_told_that_the_question_that_stands_is_the_last_one(
    tmp_path: Path, chronicle: Chronicle
) -> None:
    many = Many(tmp_path / "three", GAMES["conquest"], 3)
    tables = [many.table(seat) for seat in many.seats]
    many.connect()
    bots = [Recruit(random.Random(seat)) for seat in many.seats]
    many.play_on(bots, lambda: many.replicas[0].session.decision is not None)
    chronicle.watch(*tables, pump=many.pump)
    for table in tables[1:]:
        chronicle.type(table, "resign", "yes")
    assert not tables[0].over
    tables[0].replica.decide(bots[0].decide(tables[0].session.view))
    many.pump()
    outcome = tables[0].session.outcome
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == (frozenset({0}), "deserted")
    many.close()
    assert_as_kept(chronicle)
