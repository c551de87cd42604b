"""One of three or four is silent, is taken out, or answers late: every other player's table tells it."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cli.commands.games import listed
from cli.reports import describe
from cli.table.orders import actions
from cli.table.scene import presentation
from cli.table.seat.controller import TableController
from cli.table.words import status
from cli.table.words.company import COMING, clock_face
from p2p_stratego.core.game import Choose
from p2p_stratego.core.narration import capital
from p2p_stratego.registry import GAMES
from p2p_stratego.spies_and_lies.bots.recruit import Recruit
from protocol.audit.verdict import audit
from tests.helpers.links.many import Many

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


def told(table: TableController) -> str:
    table.refresh()
    alert = presentation.alert(table)
    return "" if alert is None else alert[1]


def test_a_card_that_a_missing_player_is_to_open_keeps_the_table_waiting_and_says_so(make: Make) -> None:
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
    many.cut(*((owner, seat) for seat in many.seats if seat != owner))
    tables[guesser].replica.decide("guess 5")
    many.pump()
    name = tables[0].players.names[owner]
    for table in tables:
        if table.replica.seat != owner:
            assert told(table).startswith(f"The game waits for {name}, who is away: wait, leave")
            assert "claim in " in told(table)


def gone_silent(many: Many, tables: list[TableController]) -> None:
    """Seat 0, which owes the next entry, is away for so long that the others can say so; seat 1 does."""
    referee = many.replicas[1].session.referee
    assert referee.owed is not None
    assert referee.owed.seat == 0
    many.cut(*((0, seat) for seat in many.seats if seat))
    many.clock.now += 400.0
    many.pump()
    assert "or claim" in told(tables[1])
    for word in ("claim", "yes"):
        actions.enter(tables[1], word)
    many.pump()


def test_a_silent_player_is_taken_out_by_the_word_of_all_others(make: Make) -> None:
    many, tables = make(3)
    gone_silent(many, tables)
    assert "Anna does not answer (according to: you). Chen decides" in told(tables[1])
    assert "Anna does not answer (according to: Boris). You decide (claim)" in told(tables[2])
    assert any("Boris says that Anna did not answer" in line for line in tables[2].log.history)
    for word in ("claim", "yes"):
        actions.enter(tables[2], word)
    many.pump()
    for table in tables[1:]:
        assert "does not answer" not in told(table)
        assert [each.way for each in presentation.fellows(table) if each.seat == 0] == ["gone"]
        assert not table.over
        assert table.log.history == tables[1].log.history
    many.connect((0, 1))
    tables[0].refresh()
    assert presentation.question(tables[0]) == (status.LEFT, "leave")
    assert tables[0].log.history == tables[1].log.history


def test_a_table_whose_decider_is_silent_too_ends_without_a_winner_until_one_answers(make: Make) -> None:
    many, tables = make(3)
    gone_silent(many, tables)
    many.cut((1, 2))
    left = tables[1].replica.claimable_in
    assert left
    assert told(tables[1]).endswith(
        f" If Chen does not answer either, in {clock_face(left)} you can say so (claim)."
    )
    actions.enter(tables[1], "claim")
    assert f"possible in {clock_face(math.ceil(left))}, when Chen has had its time" in told(tables[1])
    tables[1].cancel()
    many.clock.now += 400.0
    many.pump()
    assert told(tables[1]).endswith(" If Chen does not answer either, you can now say so (claim).")
    actions.enter(tables[1], "claim")
    assert tables[1].pending is not None
    assert "Chen alone can take out" in tables[1].pending.warnings[0]
    actions.enter(tables[1], "yes")
    many.pump()
    tables[1].refresh()
    asked, how = presentation.question(tables[1])
    assert asked == "Nobody wins: the game cannot go on, for Anna and Chen do not answer."
    assert how == "leave, or wait: should Anna or Chen answer after all, the game goes on"
    many.connect((1, 2))
    assert told(tables[2]) == "Everybody else says that you do not answer: answer now, and it goes on."
    many.connect((0, 1), (0, 2))
    tables[0].replica.decide(Recruit(random.Random(1)).decide(tables[0].session.view))
    many.pump()
    for table in tables:
        table.refresh()
        assert table.session.outcome is None
        assert table.session.referee.count == tables[0].session.referee.count > 0


def test_a_late_answer_counts_once_the_decider_says_so(make: Make) -> None:
    many, tables = make(3)
    gone_silent(many, tables)
    many.connect((0, 1), (0, 2))
    assert "You do not answer (according to: Boris): decide now" in told(tables[0])
    tables[0].replica.decide(Recruit(random.Random(1)).decide(tables[0].session.view))
    many.pump()
    for table in tables:
        table.refresh()
        assert "does not answer" not in told(table)
        assert table.session.referee.count == tables[0].session.referee.count
        assert any("confirms that a late answer counts" in line for line in table.log.history)


def test_all_are_told_who_has_accepted_a_draw(make: Make) -> None:
    many, tables = make(4)
    owing = many.replicas[0].waited_for or (0,)
    assert owing == (0,)
    for word in ("draw", "yes"):
        actions.enter(tables[3], word)
    many.pump()
    assert "Still to accept: Anna, Boris and Chen." in told(tables[3])
    assert told(tables[0]).startswith("Dana offers a draw: you can accept last, after Boris and Chen;")
    for waiting in (tables[0], tables[3]):  # an offer of one's own would make void what others have accepted
        actions.enter(waiting, "draw")
        assert waiting.notice is not None
        assert ("you can accept last" in waiting.notice[1]) is (waiting is tables[0])
        assert ("Your offer of a draw stands" in waiting.notice[1]) is (waiting is tables[3])
    for word in ("accept", "yes"):
        actions.enter(tables[1], word)
    many.pump()
    assert "Boris has accepted. Still to accept: Anna and Chen." in told(tables[3])
    assert "accept takes it, and it stands once Anna has too" in told(tables[2])
    assert told(tables[2]).endswith("Boris has accepted.")
    for seat in (2, 0):
        for word in ("accept", "yes"):
            actions.enter(tables[seat], word)
        many.pump()
    assert all(table.over for table in tables)
    for table in tables:
        assert table.log.history[-2:] == ["Chen accepts the draw.", "Anna accepts the draw."]


def test_who_has_resigned_is_told_when_the_others_then_agree_on_a_draw(make: Make) -> None:
    many, tables = make(3)
    anna, boris, chen = tables
    for table, order in ((chen, "resign"), (anna, "draw"), (boris, "accept"), (anna, "accept")):
        for line in (order, "yes"):
            actions.enter(table, line)
        many.pump()
    for table in tables:
        table.refresh()
        asked, _ = presentation.question(table)
        assert asked == "A draw, as Anna and Boris agreed. Chen had resigned."
        assert table.log.history[-1] == "Anna, who offered the draw, confirms it: all others have accepted."
    (row,) = listed(many.homes[2].path)
    assert row["status"] == "a draw (agreed; you had resigned)"
    assert listed(many.homes[0].path)[0]["status"] == "a draw (agreed; Chen had resigned)"
    report = audit(Path(anna.replica.store.path).read_bytes(), GAMES)
    assert describe.verdict(report).startswith("complete: a draw, as all others agreed. ")
    assert describe.verdict(report).endswith(f". {capital(describe.who(report.genesis, 2))} had resigned.")
    assert describe.audited(report)["resigned"] == [describe.seat_name(report.genesis, 2)]


def test_bots_agree_to_no_draw_and_the_table_says_so_at_once(make: Make) -> None:
    """Whoever has a bot in its own program is told before it offers anything."""
    _, (anna, boris, _) = make(3)
    anna.replica.exchange.route = replace(anna.replica.route, bots={1: "agent", 2: "agent"})
    actions.enter(anna, "draw")
    assert anna.pending is None
    told = (anna.notice or ("", ""))[1]
    assert told == "A draw needs everybody, and Boris and Chen never agree to one: no bot does."
    actions.enter(boris, "draw")
    assert boris.pending is not None


@pytest.mark.parametrize(
    ("bots", "told"),
    [
        ({1: "agent"}, "Boris plays in this program and leaves with you; the others wait for it until"),
        (
            {1: "agent", 2: "agent"},
            "Boris and Chen play in this program and leave with you; the others wait for them until",
        ),
    ],
)
def test_leaving_tells_what_becomes_of_the_bots(make: Make, bots: dict[int, str], told: str) -> None:
    _, (anna, *_) = make(4)
    anna.replica.exchange.route = replace(anna.replica.route, bots=bots)
    actions.enter(anna, "leave")
    assert anna.pending is not None
    assert anna.pending.warnings[0].startswith(told)


def test_who_has_resigned_is_not_asked_for_a_draw(make: Make) -> None:
    many, tables = make(4)
    for seat, words in ((2, ("resign", "yes")), (3, ("draw", "yes"))):
        for word in words:
            actions.enter(tables[seat], word)
        many.pump()
    assert "Still to accept: Anna and Boris." in told(tables[3])
    for seat in (1, 0):
        for word in ("accept", "yes"):
            actions.enter(tables[seat], word)
        many.pump()
    assert all(tables[seat].over for seat in (0, 1, 3))
    assert all(many.replicas[seat].finished for seat in (0, 1, 3))


def test_a_player_lets_others_watch_during_play_and_all_are_told_how_many_do(make: Make) -> None:
    many, tables = make(3)
    actions.enter(tables[0], "watch")
    assert tables[0].notice == ("warn", "Nobody can call this program, so nobody can watch over it.")
    said: list[bool] = []

    def watch(on: bool) -> tuple[str, str]:
        said.append(on)
        return ("Anybody with this invite can watch:", "P2PS-ABCD") if on else ("Nobody can watch.", "")

    tables[0].environment = replace(tables[0].environment, watch=watch)
    actions.enter(tables[0], "watch")
    assert tables[0].notice == ("warn", "Say watch on, for an invite to watch, or watch off.")
    actions.enter(tables[0], "watch on")
    page = tables[0].page
    assert page is not None
    assert "P2PS-ABCD" in "".join(text for line in page.lines for _, text in line)
    many.replicas[0].watched(2)
    many.pump()
    for table in tables:
        actions.enter(table, "who")
        page = table.page
        assert page is not None
        assert "2 spectators" in "".join(text for line in page.lines for _, text in line)
        assert presentation.link(table) == ("good", "all are here · 2 watching")
    actions.enter(tables[0], "watch off")
    assert tables[0].notice == ("dim", "Nobody can watch.")
    assert said == [True, False]


def test_while_first_links_are_made_nobody_counts_as_away(tmp_path: Path) -> None:
    many = Many(tmp_path, GAMES["spies-and-lies"], 3, {"starter": "red"})
    boris, end = many.table(1), many.clock.now + COMING
    there: dict[int, bool] = {}
    assert (told(boris), presentation.link(boris)) == ("", ("dim", "connecting"))
    assert status.presence(many.replicas[1], boris.players, there, many.clock.now) == ({}, [])
    assert boris.due == end
    many.connect()
    seen, lines = status.presence(many.replicas[1], boris.players, there, many.clock.now)
    assert (lines, boris.due) == (["Anna is connected.", "Chen is connected."], math.inf)
    many.cut((0, 1), (0, 2))  # two calls crossed, and one link takes the place of the other
    assert (told(boris), boris.due) == ("", end)
    assert status.presence(many.replicas[1], boris.players, seen, many.clock.now) == (seen, [])
    many.clock.now = end
    assert told(boris).startswith("The game waits for Anna, who is away")
    assert boris.due == math.inf
    _, lines = status.presence(many.replicas[1], boris.players, seen, many.clock.now)
    assert lines == ["Anna is away."]
    many.close()


def test_who_is_resumed_is_told_that_others_are_connected_not_that_they_are_back(tmp_path: Path) -> None:
    many = Many(tmp_path, GAMES["spies-and-lies"], 3, {"starter": "red"})
    boris = many.table(1)
    many.clock.now += COMING
    seen, lines = status.presence(many.replicas[1], boris.players, {}, many.clock.now)
    assert (seen, lines) == ({}, [])
    many.connect()
    _, lines = status.presence(many.replicas[1], boris.players, seen, many.clock.now)
    assert lines == ["Anna is connected.", "Chen is connected."]
    many.close()
