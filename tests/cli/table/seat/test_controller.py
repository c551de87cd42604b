"""The table: two players at two ends of a fake link, typing."""

from __future__ import annotations

import errno
from dataclasses import replace
from pathlib import Path

import pytest

from cli.games.interface import THE_END, PlannedAnswers
from cli.shell.explain import sentence
from cli.table.news.events import checks
from cli.table.orders import actions
from cli.table.pages import end_page, match_pages
from cli.table.scene import presentation
from cli.table.seat.controller import TableController
from cli.text import language
from cli.text.layout import whole, words
from p2p_stratego.spies_and_lies.rules.notation import KEEP
from protocol.crypto.keys import fingerprint
from protocol.failures import DiskFull
from tests.golden.tables import Chronicle, assert_as_kept
from tests.helpers.links.ends import STILL, Ends
from tests.helpers.spies_and_lies.typing_in import (
    bots,
    deployed,
    gone,
    hand,
    honest_line,
    marked,
    notice,
    page,
    type_in,
)


def test_before_the_other_side_is_there_nothing_can_be_decided(ends: Ends, chronicle: Chronicle) -> None:
    table = ends.table(0)
    assert table.context is None
    chronicle.show("Anna's screen", presentation.scene(table).banner, presentation.question(table)[0])
    chronicle.watch(table)
    chronicle.type(table, "1 4 8 10", "board")
    assert presentation.link(table) == ("warn", "connecting 0:00")
    assert_as_kept(chronicle)


def test_both_may_decide_at_the_same_time_and_neither_sees_the_others_first(
    ends: Ends, tables: tuple[TableController, TableController], chronicle: Chronicle
) -> None:
    anna, boris = tables
    chronicle.watch(*tables, pump=ends.pump)
    assert (anna.asked, boris.asked) == (True, True)
    chronicle.type(boris, honest_line(boris))  # though red's commitments come first on the wire
    assert (anna.asked, boris.asked) == (True, False)
    chronicle.type(anna, honest_line(anna))
    assert_as_kept(chronicle)


def test_a_turn_is_told_to_both_and_its_verification_too(
    ends: Ends, tables: tuple[TableController, TableController], chronicle: Chronicle
) -> None:
    anna, boris = tables
    deployed(ends, tables)
    chronicle.watch(*tables, pump=ends.pump)
    for table in tables:
        chronicle.type(table, presentation.choices(table, "")[0].word)
    chronicle.type(boris, "no")
    chronicle.type(anna, "guess 4")
    for table in tables:
        checked, remark = presentation.scene(table).news[-1]
        assert checked
        assert remark == table.log.history[-1]
    assert checks(anna.session).opened == 1
    assert checks(anna.session).choices == 2
    assert checks(anna.session).rolls == 2
    chronicle.type(anna, "checks")
    assert_as_kept(chronicle)


def test_what_my_own_guess_led_to_is_told_until_i_decide_again(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    anna, boris = tables
    marked(ends, tables)
    type_in(ends, boris, "no")
    before = len(anna.log.history)
    type_in(ends, anna, "guess 4")
    guessed = anna.log.history[before]
    for _ in range(12):
        type_in(ends, boris, "draw", "yes")
    texts = [text for _, text in presentation.scene(anna).news]
    assert presentation.scene(anna).own
    assert (texts[0], texts[-1]) == (guessed, anna.log.history[-1])
    assert len(texts) < 12
    type_in(ends, anna, "no")  # the token for the next mission: a decision of its own
    type_in(ends, boris, "guess 4")
    assert presentation.scene(anna).news[0][1] != guessed


def test_the_bell_rings_once_when_it_becomes_my_turn(ends: Ends) -> None:
    table = ends.table(0)
    turns: list[bool] = []
    ends.replicas[0].on_change = lambda: turns.append(table.refresh()[1])
    ends.connect()
    assert turns.count(True) == 1
    table.refresh()
    assert turns.count(True) == 1


def test_an_out_of_order_line_is_possible_after_a_warning(
    ends: Ends, tables: tuple[TableController, TableController], chronicle: Chronicle
) -> None:
    anna, _ = tables
    crooked = " ".join(reversed(honest_line(anna).split()))
    chronicle.watch(anna, pump=ends.pump)
    chronicle.type(anna, crooked)
    assert anna.asked
    assert anna.pending is not None
    assert presentation.scene(anna).careful == anna.pending.warnings
    chronicle.type(anna, "perhaps", "no", crooked, "yes")
    assert_as_kept(chronicle)


def test_a_false_mark_is_possible_after_a_warning(
    ends: Ends, tables: tuple[TableController, TableController], chronicle: Chronicle
) -> None:
    anna, _ = tables
    deployed(ends, tables)
    chronicle.watch(anna, pump=ends.pump)
    chronicle.type(anna, presentation.choices(anna, "")[-1].word)
    before = anna.asked
    chronicle.type(anna, "y")
    assert (before, anna.asked) == (True, False)
    assert_as_kept(chronicle)


def test_a_soldier_that_is_not_in_hand_is_refused(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    anna, _ = tables
    tired = anna.replica.session.view.state.exhausted[0][0]
    others = [rank for rank in hand(anna) if rank != tired][:3]
    type_in(ends, anna, " ".join(map(str, [tired, *others])))
    assert "exhausted" in notice(anna)
    assert anna.pending is None
    assert anna.asked


def test_row_23_chat_arrives_escaped_and_is_no_part_of_the_history(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    anna, boris = tables
    type_in(ends, anna, "/hello\x1b]52;c;AAAA\x07", "say once more")
    assert [(name, text) for _, name, text in boris.log.chat] == [
        ("Anna", "hello<U+001B>]52;c;AAAA<U+0007>"),
        ("Anna", "once more"),
    ]
    assert not any("once more" in line for line in boris.log.history)
    type_in(ends, boris, "chat")
    assert "Anna: once more" in page(boris)
    type_in(ends, anna, "/")
    assert "after the slash" in notice(anna)


def test_an_accent_that_stands_alone_is_joined_before_it_is_said(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    anna, boris = tables
    type_in(ends, anna, "/cafe\u0301")
    assert anna.notice is None
    assert boris.log.chat[-1][2] == "caf\u00e9"


def test_chat_needs_a_connection_and_says_so(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    ends.cut()
    actions.enter(tables[0], "/are you there?")
    assert "not connected" in notice(tables[0])


def test_resigning_is_confirmed_and_ends_the_game_for_both(
    ends: Ends, tables: tuple[TableController, TableController], chronicle: Chronicle
) -> None:
    anna, boris = tables
    chronicle.watch(*tables, pump=ends.pump)
    chronicle.type(anna, "resign", "?", "no", "resign", "yes")
    for table in tables:
        assert table.over
        shown = presentation.scene(table)
        assert shown.goal == ""  # there is nothing left to win
        assert shown.question not in [text for _, text in shown.news]  # the end is told once
    chronicle.type(boris, "resign")
    assert_as_kept(chronicle)


def test_a_draw_is_offered_seen_and_accepted(
    ends: Ends, tables: tuple[TableController, TableController], chronicle: Chronicle
) -> None:
    anna, boris = tables
    chronicle.watch(*tables, pump=ends.pump)
    chronicle.type(boris, "accept")
    chronicle.type(anna, "draw", "y", "draw", "y")
    chronicle.type(boris, "accept", "y")
    assert presentation.question(anna)[0] == presentation.question(boris)[0]
    assert boris.page is not None
    ending = presentation.question(boris)[0].rstrip(".")
    assert ending not in " ".join(map(words, boris.page.lines)), "an end is told once"
    assert_as_kept(chronicle)


@pytest.mark.parametrize("keys", [True, False])
def test_an_offered_draw_is_the_first_that_can_be_answered(
    ends: Ends, tables: tuple[TableController, TableController], keys: bool
) -> None:
    """By the list, by its first letter, and by Enter alone."""
    anna, boris = tables
    boris.environment = replace(boris.environment, keys=keys)
    before = presentation.choices(boris, "")
    type_in(ends, anna, "draw", "y")
    assert [choice.word for choice in presentation.choices(boris, "")] == ["accept"] + [
        choice.word for choice in before
    ]
    assert [choice.word for choice in presentation.choices(boris, "ac")] == ["accept"]
    assert "accept" not in [choice.word for choice in presentation.choices(anna, "")]
    assert "accept" not in [choice.word for choice in presentation.choices(boris, "1")]
    actions.enter(boris, "")
    if keys:
        assert boris.returned == "accept"
        actions.enter(boris, boris.returned)
    assert boris.pending is not None
    over = list[bool]()
    for answer in ("", "yes"):
        actions.enter(boris, answer)
        ends.pump()
        over.append(boris.over)
    assert over == [False, True], "only a yes accepts"
    assert "accept" not in [choice.word for choice in presentation.choices(boris, "")]


def test_a_draw_offer_lapses_with_the_next_decision(
    ends: Ends, tables: tuple[TableController, TableController], chronicle: Chronicle
) -> None:
    anna, boris = tables
    type_in(ends, anna, "draw", "y")
    chronicle.watch(*tables, pump=ends.pump)
    for table in tables:
        chronicle.type(table, honest_line(table))
    assert presentation.alert(boris) is None
    assert_as_kept(chronicle)


def test_leaving_is_confirmed_while_the_game_goes_on(
    tables: tuple[TableController, TableController], chronicle: Chronicle
) -> None:
    anna, _ = tables
    chronicle.watch(anna)
    chronicle.type(anna, "leave", "no")
    assert gone(anna) is False
    chronicle.type(anna, "quit", "yes")
    assert gone(anna) is True
    assert_as_kept(chronicle)


def test_after_the_end_leaving_needs_no_confirmation_and_a_rematch_swaps_seats(
    ends: Ends, tables: tuple[TableController, TableController], chronicle: Chronicle
) -> None:
    anna, boris = tables
    chronicle.watch(*tables, pump=ends.pump)
    chronicle.type(anna, "rematch")
    type_in(ends, anna, "resign", "yes")
    chronicle.happen("Anna resigns")
    chronicle.type(anna, "rematch")
    assert [choice.word for choice in presentation.choices(anna, "")] == ["leave"]
    assert [choice.word for choice in presentation.choices(boris, "")] == ["rematch", "leave"]
    chronicle.type(boris, "accept")
    for table in tables:
        assert not table.over
        assert table.asked
        assert table.players.names == ("Boris", "Anna")
        assert table.log.chat == []
    assert anna.replica.seat == 1
    type_in(ends, boris, "resign", "yes", "leave")
    assert boris.left
    assert_as_kept(chronicle)


def test_the_end_is_shown_at_once_and_the_verdict_when_it_is_there(ends: Ends, chronicle: Chronicle) -> None:
    verdicts: list[str | None] = [None]
    anna, boris = ends.table(0), ends.table(1)
    anna.environment = replace(anna.environment, verdict=lambda: verdicts[-1])
    ends.connect()
    type_in(ends, boris, "resign")
    chronicle.watch(anna, pump=ends.pump)
    chronicle.type(boris, "yes")
    assert anna.page is not None
    before = anna.page
    anna.refresh()
    assert anna.page == before
    verdicts.append("complete. It is all in order.")
    chronicle.happen("the audit is done")
    anna.cancel()
    anna.refresh()
    assert presentation.scene(anna).page is None
    assert_as_kept(chronicle)


def test_a_resumed_table_tells_the_whole_history_again(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    marked(ends, tables)
    type_in(ends, tables[0], "/hi")
    again = ends.table(0)
    again.refresh()
    assert again.log.history == tables[0].log.history
    assert again.log.chat == tables[0].log.chat


def test_what_was_said_stands_where_it_was_said_also_after_resuming(
    ends: Ends, tables: tuple[TableController, TableController], chronicle: Chronicle
) -> None:
    anna, boris = tables
    chronicle.watch(anna)
    type_in(ends, boris, "draw", "yes")
    marked(ends, tables)
    type_in(ends, anna, "draw", "yes")
    type_in(ends, boris, "no")
    type_in(ends, anna, "guess 4")
    type_in(ends, boris, "resign", "yes")
    chronicle.happen("both lay, an offer before and one after, a guess, and Boris resigns")
    for seat, table in enumerate(tables):
        again = ends.table(seat)
        again.refresh()
        assert again.log.history == table.log.history
    assert_as_kept(chronicle)


def test_a_whole_game_is_told_the_same_on_both_sides(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    ends.play_on(bots())
    anna, boris = tables
    assert anna.log.history == boris.log.history
    assert anna.over
    assert anna.replica.finished
    assert "wins" in presentation.question(anna)[0] or "draw" in presentation.question(anna)[0]
    assert presentation.scene(anna).choices[0].word == "rematch"


def test_a_failing_disk_is_told_and_nothing_more_is_promised(
    ends: Ends, tables: tuple[TableController, TableController], monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, _ = tables

    def full(*_: object, **__: object) -> bytes:
        raise DiskFull("games", errno.ENOSPC)

    monkeypatch.setattr(anna.replica.store, "execute", full)
    actions.enter(anna, honest_line(anna))
    assert anna.notice == ("bad", sentence(DiskFull("games", errno.ENOSPC)))
    del ends


@pytest.mark.parametrize(
    "line", ["help", "?", "rules", "rules bomb", "board", "hand", "moves", "notes", "history", "who"]
)
def test_every_page_opens_and_closes(
    ends: Ends, tables: tuple[TableController, TableController], line: str
) -> None:
    marked(ends, tables)
    anna, _ = tables
    actions.enter(anna, line)
    assert len(page(anna)) > 40
    assert all(len(row) <= 72 for row in page(anna).split("\n"))
    anna.cancel()
    assert anna.page is None


def test_who_shows_fingerprints_and_the_record(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    anna, _ = tables
    actions.enter(anna, "who")
    text = page(anna)
    for player in anna.replica.match.players:
        assert f"{player.name} [{fingerprint(player.key)}]" in text
    assert presentation.link(anna)[1] in text
    assert anna.replica.store.path in "".join(text.split())
    ends.cut()
    actions.enter(anna, "who")
    assert "broke" in page(anna)


def test_notes_and_bell_can_be_switched(ends: Ends, tables: tuple[TableController, TableController]) -> None:
    del ends
    anna, _ = tables
    actions.enter(anna, "notes off")
    assert anna.settings == replace(STILL, notes=False)
    assert anna.context is not None
    assert not anna.context.notes
    actions.show(anna, "notes on")
    assert anna.settings == STILL
    actions.enter(anna, "bell")
    assert anna.settings == replace(STILL, notify="off")
    actions.enter(anna, "bell on")
    assert anna.settings == STILL
    actions.enter(anna, "bell loud")
    assert "on or off" in notice(anna)


@pytest.mark.parametrize(
    "line", ["", "   ", "\x1b[A", "rm -rf /", "x" * 10_000, "no", "yes", "resign now", "\ud800"]
)
def test_rubbish_changes_nothing(
    ends: Ends, tables: tuple[TableController, TableController], line: str
) -> None:
    anna, _ = tables
    before = anna.replica.session.position()
    actions.enter(anna, line)
    ends.pump()
    assert anna.replica.session.position() == before
    assert anna.asked
    assert len(notice(anna)) < 200


def test_an_answer_can_be_given_to_later_questions_too(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    anna, boris = tables
    marked(ends, tables)
    boris.decide(PlannedAnswers(KEEP, again=lambda later: KEEP in getattr(later.decision, "options", ())))
    ends.pump()
    type_in(ends, anna, "guess 4", "no")
    assert boris.asked, "another question is his"
    type_in(ends, boris, "guess 4")
    assert (anna.asked, boris.asked) == (True, False), "he lays no token on the second mission either"
    assert anna.session.view.state.mission == 2


def test_names_of_namesakes_are_told_apart_by_their_seats(tmp_path: Path) -> None:
    both = Ends(tmp_path, names=("Anna", "Anna"))
    assert both.table(0).players.names == ("Anna (red)", "Anna (blue)")
    both.close()


def test_after_a_resignation_the_banner_says_that_play_has_ended(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    anna, boris = tables
    assert THE_END not in presentation.scene(boris).banner
    type_in(ends, anna, "resign", "yes")
    language.install("de")
    try:
        assert presentation.scene(boris).banner.count("Ende") == 1  # it was told twice
    finally:
        language.install("en")
    assert [presentation.scene(table).banner.endswith(THE_END) for table in tables] == [True, True]


def test_a_word_is_refused_as_it_was_typed(tables: tuple[TableController, TableController]) -> None:
    language.install("de")
    try:
        for typed in ("Ja", "unfug"):
            actions.enter(tables[0], typed)
            assert f"„{typed}“ ist kein Soldat" in notice(tables[0])
    finally:
        language.install("en")


def test_in_lines_the_commands_at_the_end_of_a_game_can_be_copied(chronicle: Chronicle) -> None:
    command = "p2p-stratego --home /tmp/a/folder/with/a/long/name/home-p3"
    replay, export = f"{command} replay a76e8b83", f"{command} export a76e8b83 --share a76e8b83"
    page = end_page.proof(
        "complete",
        [("See it again", replay), ("Show it to a friend", export)],
        "games/a/transcript.p2ps",
        match_pages.COLUMNS,
        screen=False,
    )
    lines = [words(line).rstrip() for line in page.lines]
    chronicle.show("proof and commands, in lines", *lines)
    assert {f"  {whole(text)}" for text in (replay, export)} <= set(lines)
    assert_as_kept(chronicle)


def test_answers_that_begin_alike_stand_together_each_group_where_its_first_one_does() -> None:
    answers = ["move ge1 prague", "search berlin", "move ge2 rome", "done", "search munich"]
    assert match_pages.alike(answers) == [
        ["move ge1 prague", "move ge2 rome"],
        ["search berlin", "search munich"],
        ["done"],
    ]
