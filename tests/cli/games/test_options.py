"""The game that a command line or the start menu asks for."""

from __future__ import annotations

import pytest

from cli.commands import menu
from cli.games import options as game_options
from cli.shell.exit_codes import Sorry
from cli.shell.parser import parser
from p2p_stratego.registry import ENTRIES, GAMES


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
    with pytest.raises(Sorry, match="--army belongs to stratego: add --game stratego"):
        chosen("--army", "classic")
    with pytest.raises(Sorry, match="--wall belongs to spies-and-lies"):
        chosen("--game", "stratego", "--wall", "3")


def test_a_file_that_is_no_army_is_named_with_its_line(tmp_path: object) -> None:
    with pytest.raises(Sorry, match="no army"):
        chosen("--game", "stratego", "--army", f"{tmp_path}/none")
    with pytest.raises(Sorry, match="<U\\+001B>"):
        chosen("--game", "stratego", "--army", "\x1b[2J")


@pytest.mark.parametrize("options", [options for _, options in menu.variants()])
def test_what_the_menu_offers_can_be_played(options: list[str]) -> None:
    name, _ = chosen(*options)
    assert name == options[1]
