"""Conquest at tables of three and four: looks, forced answers, links, chat, an end, as each sees it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cli.games.conquest.snapshot import kind
from cli.screen.match.renderer import draw
from cli.table.orders import actions
from cli.table.scene import presentation
from cli.table.seat.controller import TableController
from cli.table.words.other_players import COMING
from cli.text.layout import words
from p2p_stratego.conquest.bots.recruit import Recruit
from p2p_stratego.conquest.rules.game import GAME
from tests.golden.sentences import Row, Tables, assert_answers
from tests.helpers.links.many import NAMES as PEOPLE
from tests.helpers.links.many import Many

Make = Callable[..., tuple[Many, list[TableController]]]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    made: list[Many] = []

    def begin(seats: int, **options: str | int) -> tuple[Many, list[TableController]]:
        many = Many(tmp_path / str(len(made)), GAME, seats, options)
        made.append(many)
        tables = [many.table(seat) for seat in many.seats]
        many.connect()
        return many, tables

    yield begin
    for many in made:
        many.close()


def bots(seats: int, seed: int = 1) -> list[Recruit]:
    return [Recruit(random.Random(f"{seed} {seat}")) for seat in range(seats)]


def page(table: TableController) -> str:
    return "" if table.page is None else "\n".join(map(words, table.page.lines))


def test_what_is_typed_at_a_table_of_three_is_told_to_all(make: Make) -> None:
    begun: list[tuple[Many, Tables]] = []

    def answer(row: Row) -> Iterator[str]:
        if row.typed is None:
            many, tables = make(3, rounds=1)
            begun.append((many, Tables(dict(zip(PEOPLE, tables, strict=False)), many.pump)))
            if row.place.startswith("the game is over"):
                many.play_on(bots(3, 2))
                many.pump()
                begun[-1][1].news()
            else:
                yield from begun[-1][1].news()
            return
        many, chat = begun[-1]
        if row.who:
            yield from chat.typed(row.who, row.typed)
            return
        if row.typed == "Chen's links break":
            many.cut((2, 0), (2, 1))
        elif row.typed == "Chen's links are there again":
            many.connect((2, 0), (2, 1))
        many.pump()
        yield from chat.news()

    assert_answers("conquest-tables", answer)


def test_who_has_resigned_only_watches_the_others_play_on(make: Make) -> None:
    many, tables = make(3)
    for line in ("resign", "yes", "take b"):
        actions.enter(tables[2], line)
        many.pump()
    assert [table.asked for table in tables].count(True) == 1
    assert not tables[2].asked


def test_a_whole_game_of_three_is_told_alike_to_all(make: Make) -> None:
    many, tables = make(3, rounds=6)
    many.play_on(bots(3))
    for table in tables:
        table.refresh()
        assert table.over
        assert table.log.history == tables[0].log.history
        assert presentation.question(table)[1].endswith("leave")
    for event in ("takes", "mixed in secret", "drawn: "):
        assert any(event in line for line in tables[0].log.history)


def test_a_look_opens_a_page_for_its_player_alone_and_it_stays(make: Make) -> None:
    many, tables = make(3, rounds=30)
    playing = bots(3, 4)

    def lookers() -> list[TableController]:
        return [table for table in tables if table.page is not None and "eyes" in table.page.title]

    many.play_on(playing, lambda: bool(lookers()))
    (looker,) = lookers()
    shown = page(looker)
    assert "looked: checked" in shown
    many.pump()
    looker.refresh()
    assert page(looker).startswith(shown.split("\n")[0])
    looker.cancel()
    looker.refresh()
    assert looker.page is None


def test_the_table_says_how_each_is_reached_and_who_is_away(make: Make) -> None:
    many, (anna, *_) = make(4)
    others = {fellow.name: fellow.way for fellow in presentation.fellows(anna)}
    assert others == {"Boris": "direct", "Chen": "direct", "Dana": "direct"}
    assert presentation.link(anna) == ("good", "all are here")
    many.cut((0, 3))
    dana = presentation.fellows(anna)[2]
    assert (dana.way, dana.through in ("Boris", "Chen")) == ("through", True)
    many.clock.now += COMING
    many.cut((1, 3), (2, 3))
    many.clock.now += 60
    assert presentation.fellows(anna)[2].way == "away"
    assert presentation.link(anna)[0] == "warn"
    assert presentation.link(anna)[1].startswith("Dana away 1:0")
    many.connect((2, 3))
    assert presentation.fellows(anna)[2].way == "through"
    assert (anna.notice or ("", ""))[1] == "Dana is back."


def test_everybody_hears_what_is_said_and_by_whom(make: Make) -> None:
    many, tables = make(3)
    actions.say(tables[2], "hello all")
    many.pump()
    for table in tables:
        table.refresh()
        assert table.log.chat == [("class:seat2", "Chen", "hello all")]
    assert "Anna and Boris" in presentation.scene(tables[2], presentation.Typed(chatting=True)).question


def test_the_who_page_names_all_with_their_links(make: Make) -> None:
    _, (anna, *_) = make(3)
    actions.enter(anna, "who")
    shown = page(anna)
    for name in ("red", "blue", "green", "Anna [", "Boris [", "Chen [", ", direct"):
        assert name in shown


def test_whose_turn_it_is_is_told_by_name(make: Make) -> None:
    many, tables = make(3)
    asked = [table for table in tables if table.asked]
    assert len(asked) == 1
    (picker,) = asked
    name = picker.players.names[picker.replica.seat]
    for table in tables:
        if table is not picker:
            assert presentation.question(table)[0].startswith(f"{name} ")
    actions.enter(picker, "take b")
    many.pump()
    assert picker.notice is None
    assert any("North Hold" in line for line in picker.log.history)


def test_what_a_player_holds_answers_the_traitor_by_itself(make: Make) -> None:
    many, tables = make(2, rounds=60)
    playing = bots(2, 11)
    answered: list[bool] = []

    def answers() -> bool:
        for table in tables:
            context = table.context
            if context is not None and table.asked and kind(context.view) == "answer":
                answered.append(True)
        return bool(answered)

    many.play_on(playing, answers)
    assert not answered  # the program has said it before anybody was asked


def test_after_a_refusal_what_would_do_instead_is_offered(make: Make) -> None:
    """Not the commands that begin alike."""
    many, tables = make(3)
    assert kind(tables[0].session.view) == "take"
    letter = "H"
    actions.enter(tables[0], letter)
    many.pump()
    (table,) = [table for table in tables if table.asked]
    actions.enter(table, letter)
    assert "is taken already" in (table.notice or ("", ""))[1]
    offered = [choice.word for choice in presentation.choices(table, letter)]
    assert offered == [choice.word for choice in presentation.choices(table, "")]
    assert offered[0].startswith("take ")


def test_no_screen_leaves_out_who_wants_a_rematch(make: Make) -> None:
    """Not for the path of the record, nor for what happened last."""
    many, tables = make(3, rounds=1)
    many.play_on(bots(3, 2))
    many.pump()
    anna, boris, _ = tables
    actions.enter(boris, "rematch")
    many.pump()
    for table in (anna, boris):
        table.refresh()
        _tone, wanted = presentation.alert(table) or ("", "")
        assert "rematch" in wanted
        for columns, rows in ((80, 24), (120, 40), (130, 50)):
            shown = draw(presentation.scene(table), columns, rows)
            assert wanted in " ".join(" ".join(words(line).split()) for line in shown.news)


def test_a_rematch_is_not_offered_once_a_player_is_not_here_any_more(make: Make) -> None:
    many, tables = make(3, rounds=1)
    many.play_on(bots(3, 2))
    many.pump()
    anna, boris, _ = tables
    actions.enter(boris, "rematch")
    many.pump()
    many.cut((2, 0), (2, 1))
    many.pump()
    for table in (anna, boris):
        table.refresh()
        vain = presentation.question(table)[1].removeprefix("leave; ")
        assert "Chen" in vain
        assert [choice.word for choice in presentation.choices(table, "")] == ["leave"]
        assert (presentation.alert(table) or ("", ""))[1] == f"{vain[0].upper()}{vain[1:]}."
    actions.enter(anna, "rematch")
    assert anna.pending is None
    many.connect((2, 0), (2, 1))
    assert presentation.question(anna)[1].startswith("rematch")
