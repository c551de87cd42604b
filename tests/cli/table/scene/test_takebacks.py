"""back at the table: the last decision is taken back, where only bots play along."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.reports import describe
from cli.table.orders import actions
from cli.table.scene import presentation
from cli.table.scene.palette import why_not
from cli.table.seat.controller import TableController
from cli.table.words.commands import Order
from cli.text.layout import words
from p2p_stratego.core.game import Choose
from p2p_stratego.registry import ENTRIES, GAMES, make_bot
from protocol.audit.verdict import audit
from tests.helpers.links.ends import Ends
from tests.helpers.program.screens import SIZES, assert_every_line_fits


@pytest.fixture(params=["spies-and-lies", "stratego", "conquest"])
def ends(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Ends]:
    both = Ends(tmp_path, "takebacks", game=GAMES[request.param], takebacks=True)
    both.connect()
    yield both
    both.close()


def played_on(ends: Ends, table: TableController, decisions: int) -> None:
    """Bots decide for both until the player of `table` has to answer once more."""
    game = table.replica.match.game.name
    bots = [make_bot(game, list(ENTRIES[game].bots)[-1], random.Random(seat)) for seat in (0, 1)]
    made = table.session.referee.decided_at[0]
    before = len(made)

    def asked() -> bool:
        table.refresh()
        ends.pump()
        enough = len(made) >= before + decisions and isinstance(table.session.decision, Choose)
        return enough and why_not(table, Order.BACK) == ""

    ends.play_on(bots, asked)


def test_the_same_question_comes_again_after_one_confirmation(ends: Ends) -> None:
    table = ends.table(0)
    assert why_not(table, Order.BACK)
    played_on(ends, table, 8)
    before = table.session.view
    bot = make_bot(table.replica.match.game.name, "agent", random.Random(1))
    table.replica.decide(bot.decide(table.session.long_view))
    played_on(ends, table, 0)
    actions.enter(table, "back")
    assert table.session.referee.table.taken_back == 0
    actions.enter(table, "yes")
    assert (table.notice or ("", ""))[0] == "good"
    ends.pump()
    table.refresh()
    assert table.session.view.state == before.state
    assert table.session.view.decision == before.decision
    assert any("takes a decision back" in line for line in table.log.history)
    for columns, height in SIZES:
        assert_every_line_fits(presentation.scene(table), columns, height, ascii_only=False)
    played_on(ends, table, 1)
    actions.enter(table, "back")
    assert table.pending is None, "the record says so already"
    assert table.session.referee.table.taken_back >= 2


def test_a_resumed_game_goes_on_from_there(ends: Ends) -> None:
    table = ends.table(0)
    played_on(ends, table, 6)
    table.take_back()
    ends.pump()
    view = table.session.view
    ends.cut()
    again = ends.resume(0)
    ends.connect()
    assert again.session.view == view
    played_on(ends, again, 1)
    report = audit(Path(again.replica.store.path).read_bytes(), GAMES)
    assert (report.fault, report.problem) == (None, None)
    assert "practice" in describe.verdict(report)


def test_with_other_people_nothing_is_taken_back(tmp_path: Path) -> None:
    both = Ends(tmp_path, "people")
    both.connect()
    table = both.table(0)
    played_on_people = make_bot("spies-and-lies", "recruit", random.Random(1))
    both.play_on([played_on_people, played_on_people], lambda: len(table.session.referee.decided_at[0]) > 2)
    actions.enter(table, "back")
    assert table.notice == ("warn", "Nothing is taken back: other people play here.")
    assert why_not(table, Order.BACK) == "other people play here"
    both.close()


def test_of_what_was_mixed_nobody_says_that_it_is_settled_at_the_end(tmp_path: Path) -> None:
    """Where decisions can be taken back nothing is settled."""
    for takebacks in (True, False):
        both = Ends(tmp_path / f"{takebacks}", game=GAMES["conquest"], takebacks=takebacks)
        both.connect()
        table = both.table(0)

        def mixed(table: TableController = table) -> bool:
            table.refresh()
            return "mixed in secret" in table.log.proved

        both.play_on([make_bot("conquest", "recruit", random.Random(seat)) for seat in (0, 1)], mixed)
        assert mixed()
        assert ("after the game" in table.log.proved) == (not takebacks)
        actions.enter(table, "checks")
        assert table.page is not None
        assert table.context is not None
        assert table.context.settled == (not takebacks), "so that warnings say what is so"
        text = " ".join(map(words, table.page.lines))
        assert ("settled at the end" in text, "nothing is settled" in text) == (not takebacks, takebacks)
        both.close()
