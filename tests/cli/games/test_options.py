"""The game that a command line or the start menu asks for."""

from __future__ import annotations

import pytest

from cli.games import options as game_options
from cli.menu import line_menu
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.parser import parser
from cli.shell.shared_options import PACES
from cli.text import language
from p2p_stratego.registry import ENTRIES, GAMES
from protocol.record.pace import Pace
from protocol.record.time_control import TimeControl
from tests.golden.dialogues import assert_said
from tests.helpers.program.commands import Call


def chosen(*line: str) -> tuple[str, dict[str, object]]:
    game, options = game_options.chosen(parser().parse_args(["play", *line]))
    return game.name, dict(options)


def test_what_is_not_said_is_as_usual() -> None:
    for name, game in GAMES.items():
        assert chosen("--game", name) == (name, dict(game.options({})))
    assert chosen()[0] == next(iter(GAMES))


def test_every_option_of_every_game_can_be_said() -> None:
    for name, game in GAMES.items():
        assert [field.name for field in ENTRIES[name].options] == list(game.options({}))
        for option in game.options({}):
            assert hasattr(parser().parse_args(["play"]), option)


def test_a_game_refuses_the_options_of_another() -> None:
    for line in ("--army classic", "--game stratego --wall 3"):
        with pytest.raises(Sorry):
            chosen(*line.split())


def test_what_cannot_be_agreed_on_is_refused_in_a_sentence(call: Call) -> None:
    for run in assert_said("options", call):
        assert (run.code, run.out, run.err.count("\n")) == (Exit.USAGE, "", 1)


def terms(*line: str) -> tuple[bool, int]:
    at = game_options.at_table(parser().parse_args(["host", *line]))
    return at.proofs, at.escrow


def test_the_pace_can_be_said_and_is_live_unless_it_is() -> None:
    def pace(*line: str) -> Pace:
        return game_options.at_table(parser().parse_args(["host", *line])).pace

    assert pace() is Pace.LIVE
    assert [pace("--pace", value) for value in PACES] == list(Pace)


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("none", None),
        ("15+10", TimeControl(900, 10)),
        ("0:10+0", TimeControl(10, 0)),
        ("1:30+5", TimeControl(90, 5)),
        ("600+600", TimeControl(36_000, 600)),
        ("60/move", TimeControl(60)),
        ("1:30/move", TimeControl(90)),
        ("3600/move", TimeControl(3600)),
    ],
)
def test_a_clock_is_said_as_in_chess(text: str, clock: TimeControl | None) -> None:
    for command in ("host", "play"):
        at = game_options.at_table(parser().parse_args([command, "stratego", "--clock", text]))
        assert (at.clock, at.pace) == (clock, Pace.LIVE)
    assert game_options.at_table(parser().parse_args(["host"])).clock is None


@pytest.mark.parametrize(
    "text", ["15", "+5", "0+5", "601+0", "15+601", "4/move", "3601/move", "1:60+5", "15+10s", "١٥+10", ""]
)
def test_what_is_no_clock_is_refused(text: str) -> None:
    with pytest.raises(Sorry):
        parser().parse_args(["host", "--clock", text])


def test_a_clock_is_for_a_live_game() -> None:
    line = ["host", "--pace", "day", "--clock", "15+10"]
    with pytest.raises(Sorry):
        game_options.at_table(parser().parse_args(line))


def test_any_game_can_be_played_with_proofs_and_one_with_decks_always_is() -> None:
    assert terms("stratego") == (False, 0)
    assert terms("stratego", "--proofs") == (True, 0)
    assert terms("spies") == terms("spies", "--proofs") == (True, 0)
    assert terms("spies", "--seats", "4", "--escrow", "3") == (True, 3)
    assert terms("spies", "--seats", "3", "--escrow", "0") == (True, 0)


@pytest.mark.parametrize(
    "line",
    [
        "stratego --escrow 2",
        "spies-and-lies --seats 3 --proofs --escrow 2",
        "spies --seats 2 --escrow 1",
        "spies --seats 4 --escrow 1",
        "spies --seats 3 --escrow 3",
        "spies --seats 4 --escrow 4",
        *(f"spies --escrow={text}" for text in ("5", "two", "-1")),
    ],
)
def test_an_escrow_that_makes_no_sense_is_refused(line: str) -> None:
    with pytest.raises(Sorry):
        terms(*line.split())


@pytest.mark.parametrize("options", [options for _, options in line_menu.variants()])
def test_what_the_menu_offers_can_be_played(options: list[str]) -> None:
    name, _ = chosen(*options)
    assert name == options[1]


@pytest.mark.parametrize(
    ("line", "seat"),
    [
        ("spies", 0),
        ("spies --seats 5 --seat france", 3),
        ("spies --seats 5 --seat Ital", 1),
        ("spies --seats 3 --seat france", 2),
        ("spies --seats 3 --allocation alternate --seat france", 1),
        ("spies --seats 4 --seat 4", 3),
        ("stratego --seat blue", 1),
    ],
)
def test_who_begins_a_table_chooses_its_own_seat(line: str, seat: int) -> None:
    """2.1 of SPIES!: each player selects the country that it plays."""
    for command in ("play", "host"):
        assert game_options.at_table(parser().parse_args([command, *line.split()])).seat == seat


@pytest.mark.parametrize("typed", ["russia", "6", "0", "", "spain", "\x1b[2J"])
def test_a_seat_that_is_none_is_refused(typed: str) -> None:
    line = ["play", "spies", "--seats", "2", "--seat", typed]
    with pytest.raises(Sorry):
        game_options.at_table(parser().parse_args(line))


def test_a_country_is_chosen_in_the_language_that_is_spoken() -> None:
    language.install("de")
    try:
        at = game_options.at_table(
            parser().parse_args(["play", "spies", "--seats", "5", "--seat", "frankreich"])
        )
    finally:
        language.install("en")
    assert at.seat == 3
