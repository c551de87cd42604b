"""Two players at their tables, typing a game of Stratego: from setting up to the end and the record."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cli.reports import match_text
from cli.reports.history import of_text
from cli.table.news.events import checks
from cli.table.orders import actions
from cli.table.scene import presentation
from cli.table.seat.controller import TableController
from p2p_stratego.registry import GAMES
from p2p_stratego.stratego.bots.recruit import Recruit
from p2p_stratego.stratego.formats.setups import answers
from p2p_stratego.stratego.rules.pieces import MARSHAL
from p2p_stratego.stratego.rules.state import slot
from protocol.audit import verdict
from protocol.audit.verdict import Verdict, audit
from tests.golden.sentences import Row, Tables, assert_answers
from tests.helpers.links.ends import Ends
from tests.helpers.program.screens import text
from tests.helpers.stratego.boards import write_line
from tests.helpers.stratego.moments import CORNER, CRATERS
from tests.helpers.stratego.typing_in import Make, notice, page, type_in


def test_what_is_typed_at_two_tables_is_told_to_both(make: Make) -> None:
    tables: list[Tables] = []

    def answer(row: Row) -> Iterator[str]:
        if row.typed is None:
            ends = make(**OPTIONS.get(row.place, {}))
            tables.append(Tables({"Anna": ends.table(0), "Boris": ends.table(1)}, ends.pump))
            ends.connect()
            yield from tables[-1].news()
        else:
            yield from tables[-1].typed(row.who, row.typed)

    assert_answers("stratego-tables", answer)


OPTIONS: dict[str, dict[str, str | int]] = {"an army that fills all squares": {"army": "classic"}}


def set_up(ends: Ends, tables: tuple[TableController, TableController]) -> None:
    """Anna sets up CORNER, Boris CRATERS."""
    for table, setup in zip(tables, (CORNER, CRATERS), strict=True):
        type_in(ends, table, write_line(setup), "ready")


def test_a_player_decides_once_and_both_asks_are_answered(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    anna, boris = tables
    type_in(ends, anna, "load corner", "ready")
    assert not anna.asked
    type_in(ends, boris, "load craters", "ready")
    assert [table.asked for table in tables] == [True, False]
    state = anna.replica.session.view.state
    assert [state.at(square) is not None for square in (0, 3, 13, 39)] == [True, False, False, True]
    assert checks(anna.session).choices == 2


def test_a_side_says_how_far_its_army_is(ends: Ends, tables: tuple[TableController, TableController]) -> None:
    anna, _ = tables

    def sides() -> list[str]:
        shown = text(presentation.scene(anna))
        names = (r"Anna \(you\)", "Boris")
        return [hit for name in names for hit in re.findall(rf"{name} ─+ (.*?) ─", shown)]

    type_in(ends, anna, "load corner", "a1 -")
    assert sides() == ["19 of 20 placed", "20 pieces to set up"]
    type_in(ends, anna, "a1 flag", "ready")
    assert sides() == ["army laid", "20 pieces to set up"]


def test_what_a_player_means_to_set_up_is_on_the_board_until_it_stands_there(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    anna, boris = tables
    type_in(ends, anna, "load corner", "ready")
    assert anna.context is not None
    assert anna.context.draft.setup == CORNER
    type_in(ends, boris, "ready")
    assert anna.context.draft is None


def test_a_draft_is_changed_step_by_step_and_mistakes_change_nothing(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    anna, _ = tables
    type_in(ends, anna, "load corner", "a1 b1", "wizard", "a1 a9")
    assert anna.context is not None
    assert anna.context.draft.setup[:2] == CORNER[1::-1]
    type_in(ends, anna, "a1 -", "ready")
    assert anna.asked


def test_changes_are_taken_back_one_by_one(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    anna, _ = tables
    assert anna.context is not None
    first = anna.context.draft
    type_in(ends, anna, "undo", "load corner", "mirror", "clear")
    assert [choice.word for choice in presentation.choices(anna, "")][-1] == "undo"
    type_in(ends, anna, "undo", "UNDO")
    assert anna.context.draft.setup == CORNER
    type_in(ends, anna, "undo")
    assert anna.context.draft == first


def test_a_program_that_dies_between_the_two_asks_still_answers_both(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    anna, boris = tables
    type_in(ends, anna, "load corner", "ready")
    ends.cut()
    again = ends.resume(0)
    type_in(ends, boris, "ready")
    again.refresh()
    assert again.context is not None
    assert again.context.draft.setup == CORNER
    ends.connect()
    assert again.asked
    state = again.replica.session.view.state
    assert [state.at(square) is not None for square in (0, 3)] == [True, False]


def test_a_draft_that_was_not_ready_is_there_again_after_a_crash(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    anna, _ = tables
    type_in(ends, anna, "load corner", "a1 -")
    ends.cut()
    again = ends.resume(0)
    again.refresh()
    assert again.context is not None
    assert again.context.draft.setup == (None, *CORNER[1:])


def test_if_the_squares_are_lost_they_are_asked_for_again(
    ends: Ends, tables: tuple[TableController, TableController], tmp_path: Path
) -> None:
    anna, boris = tables
    type_in(ends, anna, "load corner", "ready")
    ends.cut()
    again = ends.resume(0)
    for plan in (tmp_path / "0" / "seat0" / "plans").iterdir():
        plan.unlink()
    type_in(ends, boris, "ready")
    ends.connect()
    again.refresh()
    assert again.context is not None
    assert again.context.draft.settled
    type_in(ends, again, "ready")
    assert again.context.view.state.phase == "play"
    assert again.replica.session.known[slot(0, 0)] == CORNER[0]


def test_no_plan_is_left_behind(
    ends: Ends, tables: tuple[TableController, TableController], tmp_path: Path
) -> None:
    set_up(ends, tables)
    for seat in (0, 1):
        assert list((tmp_path / "0" / f"seat{seat}" / "plans").iterdir()) == []


def test_an_army_that_fills_all_squares_asks_only_once(make: Make) -> None:
    ends = make(army="classic")
    tables = ends.table(0), ends.table(1)
    ends.connect()
    for table in tables:
        type_in(ends, table, "random", "ready")
    assert tables[0].session.view.state.phase == "play"


# Playing


def test_a_fight_is_told_to_both_with_its_verification(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    set_up(ends, tables)
    anna, boris = tables
    type_in(ends, anna, "b4 x b7")
    for table in tables:
        assert presentation.scene(table).news[-1] == (True, table.log.history[-1])
    assert checks(anna.session).opened == 2
    assert boris.asked


def test_a_move_that_is_not_possible_says_why_and_leaves_the_turn(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    set_up(ends, tables)
    anna, boris = tables
    before = list(anna.log.history)
    type_in(ends, anna, "f4f6")
    assert anna.pending is not None  # everybody else could take it for a scout
    type_in(ends, anna, "no", "a4b4")
    assert anna.asked
    type_in(ends, boris, "a7a6")
    assert anna.log.history == boris.log.history == before
    assert anna.asked


def test_a_walking_bomb_loses_at_the_end_however_the_game_stands(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    set_up(ends, tables)
    anna, boris = tables
    type_in(ends, anna, "a4a5")
    type_in(ends, boris, "i7i6")
    type_in(ends, anna, "a3a4")
    type_in(ends, boris, "i6i7")
    type_in(ends, anna, "a2a3")
    assert anna.pending is not None
    type_in(ends, anna, "yes")
    type_in(ends, boris, "resign", "yes")
    report = audit(Path(boris.replica.store.path).read_bytes(), GAMES)
    assert report.verdict is Verdict.CHEATED
    assert report.fault is not None
    assert report.fault.seat == 0


def test_a_wrong_army_is_refused_here_and_loses_where_another_program_lays_it(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    anna, boris = tables
    type_in(ends, anna, "load corner", "c1 M", "ready")
    assert anna.pending is None
    assert anna.asked
    assert anna.setting_up is not None
    setup = anna.setting_up.draft.setup
    anna.decide(answers(setup)[0])
    ends.pump()
    anna.refresh()
    type_in(ends, boris, "ready")
    assert list(anna.replica.session.known.values()).count(MARSHAL) == 2
    assert checks(boris.session).proofs > 0
    assert presentation.scene(boris).checked == 0
    type_in(ends, boris, "resign", "yes")
    assert presentation.scene(boris).checked == checks(boris.session).proofs
    report = audit(Path(boris.replica.store.path).read_bytes(), GAMES)
    assert report.verdict is Verdict.CHEATED
    assert report.fault is not None
    assert report.fault.seat == 0


def test_resigning_while_setting_up_ends_it(
    ends: Ends, tables: tuple[TableController, TableController], tmp_path: Path
) -> None:
    anna, boris = tables
    type_in(ends, anna, "load corner", "resign", "yes")
    assert anna.over
    assert boris.over
    assert list((tmp_path / "0" / "seat0" / "plans").iterdir()) == []


def test_at_the_end_everything_that_was_claimed_is_open_to_both(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    set_up(ends, tables)
    anna, boris = tables
    type_in(ends, anna, "resign", "yes")
    assert anna.context is not None
    assert len(anna.context.view.known) == 40
    assert boris.context is not None
    assert boris.context.view.known == anna.context.view.known


def test_a_whole_game_is_told_the_same_on_both_sides_and_can_be_written_down(make: Make) -> None:
    ends = make(army="barrage", quiet=30)
    anna, boris = ends.table(0), ends.table(1)
    ends.connect()
    ends.play_on([Recruit(random.Random(seed)) for seed in (1, 2)])
    anna.refresh()
    assert anna.log.history == boris.log.history
    assert anna.over
    replay = verdict.replay(Path(anna.replica.store.path).read_bytes(), GAMES)
    assert replay.report.verdict is Verdict.COMPLETE
    story = of_text(match_text.record(replay).encode())
    assert story is not None
    assert story.names == ("Anna", "Boris")
    assert [sentence for step in story.steps[1:] for sentence in step.sentences] == anna.log.history[3:]


@pytest.mark.parametrize(
    "line", ["help", "?", "rules", "rules miner", "board", "hand", "moves", "notes", "history", "who"]
)
def test_every_page_opens_while_setting_up_and_while_playing(
    ends: Ends, tables: tuple[TableController, TableController], line: str
) -> None:
    anna, _ = tables
    for step in range(2):
        actions.enter(anna, line)
        assert len(page(anna)) > 40
        assert all(len(row) <= 72 for row in page(anna).split("\n"))
        anna.cancel()
        if not step:
            set_up(ends, tables)


@pytest.mark.parametrize(
    "line", ["", "   ", "\x1b[A", "rm -rf /", "x" * 10_000, "\ud800", "a1" * 500, "load \ud800"]
)
def test_rubbish_changes_nothing_and_breaks_nothing(
    ends: Ends, tables: tuple[TableController, TableController], line: str
) -> None:
    anna, _ = tables
    type_in(ends, anna, line)
    before = anna.replica.session.position()
    set_up(ends, tables)
    type_in(ends, anna, line)
    assert anna.asked
    assert len(notice(anna)) < 250
    assert before.count == 0


def test_at_the_end_the_board_shows_the_army_of_a_bot_and_says_whence(tmp_path: Path) -> None:
    """Nobody owes a REVEAL where decisions can be taken back, but a player asks where the flag was."""
    ends = Ends(tmp_path, game=GAMES["stratego"], options={"army": "quickplay"}, takebacks=True)
    table, other = ends.table(0), ends.table(1)
    table.environment = replace(table.environment, kept_by_bots=lambda: ends.replicas[1].session.known)
    ends.connect()

    def closed() -> int:
        assert table.context is not None
        return sum(line.count("(?)") for line in table.terminal.description.board(table.context)[:10])

    for player in (table, other):
        type_in(ends, player, "ready")
        while player.asked:
            type_in(ends, player, "ready")
    assert closed() == 20
    type_in(ends, table, "resign", "yes")
    assert closed() == 0
    sentence = " ".join(page(table).split())
    assert "Boris kept hidden" in sentence
    assert "the record does not prove" in sentence
    ends.close()
