"""Talk to one player alone: who reads it, what everybody is told, and what is asked before it goes out."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import trio
import trio.testing

from cli.games.interface import Page
from cli.lines.console import Console
from cli.lines.line_mode import LineFront
from cli.reports import match_json, match_text
from cli.table.orders import actions
from cli.table.pages import match_pages
from cli.table.scene import presentation
from cli.table.scene.presentation import Typed
from cli.table.seat.controller import TableController
from cli.table.words import commands
from cli.text import language
from p2p_stratego.core.language import _
from p2p_stratego.registry import GAMES
from p2p_stratego.spies_and_lies.rules.game import SpiesAndLies
from protocol.audit.verdict import replay
from tests.golden.tables import Chronicle, assert_as_kept
from tests.helpers.links.many import Many


class Whispering(SpiesAndLies):
    """A game with a terminal, in which two may talk alone."""

    private_talk = True  # the one difference


GAME = Whispering()


@pytest.fixture
def many(tmp_path: Path) -> Iterator[Many]:
    made = Many(tmp_path, GAME, 3, {"starter": "red"})
    yield made
    made.close()


@pytest.fixture
def tables(many: Many) -> list[TableController]:
    controllers = [seated(many, seat) for seat in many.seats]
    many.connect()
    return controllers


def seated(many: Many, seat: int, *, private: bool = True, keys: bool = True) -> TableController:
    table = many.table(seat, keys=keys)
    table.terminal = replace(table.terminal, private=lambda view: {0, 1, 2} - {view.seat} if private else ())
    return table


def type_in(many: Many, table: TableController, *lines: str) -> None:
    for line in lines:
        actions.enter(table, line)
        many.pump()


def plain(page: Page) -> str:
    return "\n".join("".join(text for _, text in line) for line in page.lines)


def notice(table: TableController) -> str:
    return "" if table.notice is None else table.notice[1]


def test_one_player_reads_it_and_all_others_are_told_that_it_was_written(
    many: Many, tables: list[TableController], chronicle: Chronicle
) -> None:
    anna, boris, chen = tables
    chronicle.watch(*tables, pump=many.pump)
    for line in ("to Boris meet me", "whisper boris: meet me", "/to Boris, meet me"):
        chronicle.type(anna, line)
    assert [message[2] for message in boris.log.chat] == ["meet me"] * 3
    assert chen.log.chat == []
    chronicle.type(boris, "chat")
    assert_as_kept(chronicle)


def test_a_player_is_named_by_its_seat_too(many: Many, tables: list[TableController]) -> None:
    seat_name = many.replicas[2].match.seat_names[2]
    type_in(many, tables[0], f"to {seat_name} hello")
    assert [len(table.log.chat) for table in tables] == [1, 0, 1]


def test_a_line_to_nobody_or_without_a_message_is_refused(
    many: Many, tables: list[TableController], chronicle: Chronicle
) -> None:
    chronicle.watch(*tables, pump=many.pump)
    for name in ("Anna", "Borisov", "nobody"):
        chronicle.type(tables[0], f"to {name} hello there")
    for line in ("to", "to Boris", "to nobody", "whisper x"):
        tables[0].cancel()
        chronicle.type(tables[0], line)
    assert all(table.log.chat == [] for table in tables)
    assert_as_kept(chronicle)


@pytest.mark.parametrize("line", ["/to arms, friends", "/whisper arms, friends"])
def test_what_names_nobody_is_said_to_all_only_after_a_question(
    many: Many, tables: list[TableController], line: str
) -> None:
    """A secret went to five players, for a name that was typed in another language."""
    type_in(many, tables[0], line)
    assert all(table.log.chat == [] for table in tables)
    assert tables[0].pending is not None
    type_in(many, tables[0], "no")
    assert all(table.log.chat == [] for table in tables)


@pytest.mark.parametrize(
    ("name", "typed"),
    [("Käthe", "kathe"), ("Käthe", "Kaethe"), ("Käthe", "KÄTHE"), ("Åse Nielsen", "ase nielsen:")],
)
def test_a_player_is_named_without_accents_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, typed: str
) -> None:
    monkeypatch.setattr("tests.helpers.links.many.NAMES", ("Anna", "Boris", name))
    many = Many(tmp_path, GAME, 3, {"starter": "red"})
    tables = [seated(many, seat) for seat in many.seats]
    many.connect()
    type_in(many, tables[0], f"/to {typed} hello")
    assert [len(table.log.chat) for table in tables] == [1, 0, 1]
    many.close()


def test_a_name_that_begins_with_another_one_is_named_without_accents_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was sealed for the one with the longer name was read by the other."""
    monkeypatch.setattr("tests.helpers.links.many.NAMES", ("Anna", "Max", "Max Müller"))
    many = Many(tmp_path, GAME, 3, {"starter": "red"})
    tables = [seated(many, seat) for seat in many.seats]
    many.connect()
    type_in(many, tables[0], "to max muller hello")
    assert [len(table.log.chat) for table in tables] == [1, 0, 1]
    many.close()


def test_a_seat_is_named_in_the_language_that_is_spoken(many: Many, tables: list[TableController]) -> None:
    seat_name = many.replicas[2].match.seat_names[1]
    language.install("de")
    try:
        shown = _(seat_name)
        assert shown != seat_name
        type_in(many, tables[0], f"/to {shown} hallo")
    finally:
        language.install("en")
    assert [len(table.log.chat) for table in tables] == [1, 1, 0]


def test_what_names_nobody_can_be_said_to_all(
    many: Many, tables: list[TableController], chronicle: Chronicle
) -> None:
    chronicle.watch(*tables, pump=many.pump)
    chronicle.type(tables[0], "/to arms, friends", "yes")
    assert_as_kept(chronicle)


def test_two_of_one_name_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chronicle: Chronicle
) -> None:
    monkeypatch.setattr("tests.helpers.links.many.NAMES", ("Anna", "Boris", "Boris"))
    many = Many(tmp_path, GAME, 3, {"starter": "red"})
    tables = [seated(many, seat) for seat in many.seats]
    many.connect()
    chronicle.watch(*tables, pump=many.pump)
    chronicle.type(tables[0], "to Boris hello")
    assert all(table.log.chat == [] for table in tables)
    second = tables[0].players.names[1]
    chronicle.type(tables[0], f"to {second} hello")
    assert [len(table.log.chat) for table in tables] == [1, 1, 0]
    many.close()
    assert_as_kept(chronicle)


def test_names_are_completed_and_the_screen_says_who_will_read_it(
    tables: list[TableController], chronicle: Chronicle
) -> None:
    anna = tables[0]
    assert [choice.word for choice in presentation.choices(anna, "to ")] == ["to Boris ", "to Chen "]
    assert [choice.word for choice in presentation.choices(anna, "whisper c")] == ["whisper Chen "]
    sealed = presentation.scene(anna, Typed("to Chen hel")).question
    chronicle.show("Anna is typing: to Chen hel", sealed)
    assert presentation.scene(anna, Typed("to Chen hel", chatting=True)).question == sealed
    assert presentation.scene(anna, Typed("to")).question == presentation.scene(anna).question != sealed
    assert "to" in [choice.word for choice in presentation.choices(anna, "t")]
    assert_as_kept(chronicle)


def test_help_tells_of_it_where_the_game_has_it(tables: list[TableController]) -> None:
    with_it = plain(match_pages.guide(72, tables[0].terminal, screen=False))
    without = plain(match_pages.guide(72, replace(tables[0].terminal, private=None), screen=False))
    assert "whisper NAME TEXT" in with_it
    assert "whisper" not in without
    assert "to" not in commands.starting("t", private=False)


def test_an_answer_to_the_open_question_is_asked_about_first(
    many: Many, tables: list[TableController], chronicle: Chronicle
) -> None:
    anna, boris, _ = tables
    chronicle.watch(*tables, pump=many.pump)
    chronicle.type(anna, "to Boris 1 3 4 5", "no")
    assert boris.log.chat == []
    chronicle.type(anna, "to Boris 1 3 4 5", "yes")
    assert_as_kept(chronicle)


def test_at_other_times_nothing_is_said_alone(many: Many, chronicle: Chronicle) -> None:
    anna, boris = (seated(many, seat, private=False) for seat in (0, 1))
    many.connect()
    chronicle.watch(anna, boris, pump=many.pump)
    for line in ("to Boris hello", "/to Boris hello"):
        anna.cancel()
        chronicle.type(anna, line)
    assert boris.log.chat == []
    assert not any("Boris" in choice.word for choice in presentation.choices(anna, "to "))
    assert_as_kept(chronicle)


def test_who_may_be_talked_to_alone_is_named_where_that_is_not_everybody(
    many: Many, chronicle: Chronicle
) -> None:
    """A turn of SPIES!: the talks that were paid for."""
    anna, boris, chen = tables = [seated(many, seat) for seat in many.seats]
    many.connect()
    anna.terminal = replace(anna.terminal, private=lambda _: {1})
    boris.terminal = replace(boris.terminal, private=lambda _: {0})
    chen.terminal = replace(chen.terminal, private=lambda _: ())
    chronicle.watch(*tables, pump=many.pump)
    assert [choice.word for choice in presentation.choices(anna, "to ")] == ["to Boris "]
    refused = presentation.scene(anna, Typed("to Chen hel")).question
    chronicle.show("Anna is typing: to Chen hel", refused)
    for line in ("to Chen hello", "/to Chen hello"):
        anna.cancel()
        chronicle.type(anna, line)
    again = presentation.scene(anna, Typed("to Chen hello"))  # a refused line stays, to be mended
    assert (again.question == refused, again.alert) == (False, ("warn", refused))
    anna.terminal = replace(anna.terminal, opens_talk=lambda _: "`pay` opens it.")
    chronicle.happen("the order `pay` opens a talk")
    chronicle.type(anna, "to Chen hello")
    anna.terminal = replace(anna.terminal, private=lambda _: ())
    chronicle.happen("Anna can talk to nobody alone")
    chronicle.type(anna, "to Chen hello")
    anna.terminal = replace(anna.terminal, private=lambda _: {1}, opens_talk=lambda _: "")
    chronicle.happen("Anna and Boris can talk alone, and Chen with nobody")
    chronicle.type(anna, "to Boris hello")
    chronicle.type(boris, "to Anna hi")
    chronicle.type(chen, "to Anna me too")
    assert_as_kept(chronicle)


def test_where_all_talk_is_open_the_command_says_so(tmp_path: Path, chronicle: Chronicle) -> None:
    many = Many(tmp_path, GAMES["spies-and-lies"], 3, {"starter": "red"})
    anna = many.table(0)
    many.connect()
    chronicle.watch(anna)
    chronicle.type(anna, "to Boris hello", "/to Boris hello")
    many.close()
    assert_as_kept(chronicle)


def test_row_23_what_was_sealed_is_escaped_when_it_is_read(many: Many, tables: list[TableController]) -> None:
    many.replicas[0].say("a\x1b]52;c;AAAA\x07b\u202e", 1)
    many.pump()
    text = tables[1].log.chat[-1][2]
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_what_does_not_open_is_told_to_its_reader(
    many: Many, tables: list[TableController], monkeypatch: pytest.MonkeyPatch, chronicle: Chronicle
) -> None:
    chronicle.watch(*tables)
    monkeypatch.setattr("protocol.seat.talk.seal", lambda *_: bytes(304))
    many.replicas[0].say("meet me", 1)
    many.pump()
    chronicle.happen("Anna writes to Boris alone what does not open")
    assert_as_kept(chronicle)


def test_an_export_holds_who_wrote_to_whom_and_the_box(many: Many, tables: list[TableController]) -> None:
    type_in(many, tables[0], "to Boris meet me in Prague")
    data = Path(many.replicas[2].store.path).read_bytes()
    record = replay(data, {GAME.name: GAME})
    export = match_json.plain(record)
    sealed = [statement for statement in export["statements"] if statement["kind"] == "SEALED"]
    seats = many.replicas[2].match.seat_names
    assert [(statement["seat"], statement["reader"], len(statement["box"])) for statement in sealed] == [
        (seats[0], seats[1], 608)
    ]
    assert all(
        len(statement["talk_key"]) == 64 for statement in export["statements"] if statement["kind"] == "AGREE"
    )
    assert "Prague" not in str(export)
    assert any(tables[2].log.history[-1] in line for line in match_text.text(record))


class _Typed:
    """Lines that are typed one after the other, each obeyed before the next."""

    def __init__(self) -> None:
        self._send, self._typed = trio.open_memory_channel[str](9)

    async def read(self) -> str | None:
        return await self._typed.receive()

    async def type(self, line: str) -> None:
        await self._send.send(line)
        await trio.testing.wait_all_tasks_blocked()


async def test_in_lines_it_is_told_who_alone_hears_it(many: Many, chronicle: Chronicle) -> None:
    tables = [seated(many, seat, keys=False) for seat in many.seats]
    outs = [io.StringIO() for _ in tables]
    typed = [_Typed() for _ in tables]
    async with trio.open_nursery() as nursery:
        for seat, table in enumerate(tables):
            talk = Console(typed[seat], outs[seat])  # type: ignore[arg-type]  # stands for standard input
            front = LineFront(table, talk, interactive=False)
            many.replicas[seat].on_change = front.changed
            nursery.start_soon(front.run)
        many.connect()
        await trio.testing.wait_all_tasks_blocked()
        before = [len(out.getvalue()) for out in outs]
        await typed[0].type("to Boris meet me")
        many.pump()
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    for table, out, begin in zip(tables, outs, before, strict=True):
        chronicle.show(
            f"{table.players.names[table.replica.seat]} reads", *out.getvalue()[begin:].splitlines()
        )
    chen = outs[2].getvalue()
    assert "meet me" not in chen
    assert_as_kept(chronicle)
