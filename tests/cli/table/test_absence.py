"""The other side is away, is silent, or comes back: sentences, claims, and moves kept and sent later."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

from cli.table.orders import actions
from cli.table.scene import presentation
from cli.table.seat.controller import TableController
from cli.table.words.company import COMING
from p2p_stratego.conquest.bots.recruit import Recruit
from p2p_stratego.registry import GAMES
from protocol.channel.channel import Sync
from protocol.channel.limits import CLAIM_WHEN_AWAY, CLAIM_WHEN_CONNECTED
from protocol.failures import Unreachable
from protocol.replication.replica import Status
from tests.helpers.links.ends import Ends
from tests.helpers.links.many import Many
from tests.helpers.spies_and_lies.typing_in import honest_line, notice, type_in


def test_while_the_other_is_away_there_is_a_countdown_and_then_a_claim(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    there = "Boris is away: wait, leave (all is saved),"
    then = "The connection broke. The game goes on when the connection is back."
    anna, boris = tables
    type_in(ends, anna, honest_line(anna))
    ends.cut()
    ends.clock.now += 65
    assert presentation.link(anna) == ("warn", "away 1:05")
    assert presentation.alert(anna) == ("warn", f"{there} or claim in 1:55. {then}")
    actions.enter(anna, "claim")
    assert notice(anna).startswith("Not yet")
    ends.clock.now += CLAIM_WHEN_AWAY
    # Not what was said before.
    assert presentation.alert(anna) == ("warn", f"{there} or claim the game. {then}")
    actions.enter(anna, "claim")
    assert "your word alone" in presentation.scene(anna).careful[0]
    actions.enter(anna, "yes")
    assert presentation.question(anna)[0] == "Anna claims the game: Boris did not answer."
    assert (
        "Anna says that Boris did not answer: 245 seconds have passed since it was asked." in anna.log.history
    )
    assert anna.page is not None
    assert "should Boris answer after all" in presentation.question(anna)[1]
    actions.enter(anna, "rematch")
    type_in(ends, anna, "yes")
    assert "return match" in notice(anna)
    ends.connect()
    assert [choice.word for choice in presentation.choices(anna, "")] == ["leave"]
    assert presentation.alert(boris) == ("warn", "Anna claims the game: answer now, and it goes on.")
    assert not boris.over
    type_in(ends, boris, honest_line(boris))
    assert all(table.replica.session.outcome is None for table in tables)
    undone = "Boris has answered: the claim of Anna is undone, and the game goes on."
    assert [table.log.history.count(undone) for table in tables] == [1, 1]
    assert [
        (table.end_shown, presentation.scene(table).page, presentation.alert(table)) for table in tables
    ] == [(False, None, ("good", "Boris is back.")), (False, None, None)]


def test_the_return_of_the_other_side_is_told_until_something_happens(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    anna, boris = tables
    assert notice(anna) == ""  # nobody was away yet
    ends.cut()
    ends.clock.now += 5
    alert = presentation.alert(anna)
    assert alert is not None
    assert alert[1].startswith("Boris is away")
    ends.connect()
    assert presentation.alert(anna) == ("good", "Boris is back.")
    assert presentation.alert(boris) == ("good", "Anna is back.")
    type_in(ends, anna, honest_line(anna))
    assert presentation.alert(anna) is None


def test_one_who_is_there_but_never_answers_can_be_claimed_against_too(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    anna, _ = tables
    type_in(ends, anna, honest_line(anna))
    ends.clock.now += CLAIM_WHEN_CONNECTED
    assert presentation.alert(anna) == (
        "warn",
        "Boris has not moved for long: wait, leave (all is saved), or claim.",
    )


def test_nobody_can_claim_while_it_is_the_own_turn(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    del ends
    actions.enter(tables[0], "claim")
    assert "your turn" in notice(tables[0])


def test_what_was_decided_before_both_copies_were_compared_is_told(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    anna, _ = tables
    ends.cut()
    ends.replicas[0].session.proven = False  # as after a restart: nothing is signed yet
    actions.enter(anna, honest_line(anna))
    assert presentation.question(anna)[0].startswith("You have decided: lay ")
    assert presentation.question(anna)[0].endswith(". It goes out when Boris is there.")
    ends.connect()
    assert presentation.question(anna)[0] == "Boris is still deploying."


def test_who_waits_for_a_connection_is_told_why_and_what_becomes_of_a_move(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    anna, _ = tables
    ends.cut()
    again = ends.table(0)
    ends.replicas[0].status = Status.CONNECTING
    ends.replicas[0].exchange.trouble = Unreachable(("192.0.2.7",), refused=True)
    alert = presentation.alert(again)
    assert alert is not None
    assert alert[1].startswith("Boris is not connected yet: wait, or leave (all is saved)")
    assert "Nobody waits at 192.0.2.7. Your moves are kept, and go out when" in alert[1]
    type_in(ends, anna, honest_line(anna))
    alert = presentation.alert(again)
    assert alert is not None
    assert "Your moves" not in alert[1]
    ends.connect()
    assert presentation.alert(again) is None, "who is there within seconds was not away"
    ends.cut()
    again = ends.table(0)
    ends.replicas[0].status = Status.CONNECTING
    ends.clock.now = ends.replicas[0].begun + COMING
    again.refresh()
    ends.connect()
    assert presentation.alert(again) == ("good", "Boris is back.")


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
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    anna, _ = tables
    ends.cut()
    replica = ends.replicas[0]
    replica.linked(lambda _: None)
    ours = replica.session.position()
    replica.received([Sync(replica.match.id, replace(ours, count=ours.count + 1, head=b"h" * 32)).frame])
    alert = presentation.alert(anna)
    assert alert is not None
    assert alert[1].startswith("Boris knows more of this game than this copy")
    ends.connect()
    assert presentation.alert(anna) == ("good", "Boris is back.")


def test_the_last_player_is_told_that_the_question_that_stands_is_the_last_one(tmp_path: Path) -> None:
    many = Many(tmp_path / "three", GAMES["conquest"], 3)
    tables = [many.table(seat) for seat in many.seats]
    many.connect()
    bots = [Recruit(random.Random(seat)) for seat in many.seats]
    many.play_on(bots, lambda: many.replicas[0].session.decision is not None)
    for table in tables[1:]:
        table.replica.resign()
        many.pump()
    assert not tables[0].over
    told = presentation.alert(tables[0])
    assert told == ("good", "All others have left: decide what is asked now, and you win.")
    assert all(presentation.alert(table) != told for table in tables[1:])
    tables[0].replica.decide(bots[0].decide(tables[0].session.view))
    many.pump()
    outcome = tables[0].session.outcome
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == (frozenset({0}), "deserted")
    many.close()
