"""The start menu: its lines, its input, and the commands that it runs."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from cli.games.options import at_table
from cli.lines.prompt import Prompt
from cli.menu import line_menu, settings_menu
from cli.shell import parser, settings
from cli.shell.exit_codes import Exit
from cli.shell.settings import ABOUT, THEME, in_force
from cli.table.scene import preferences
from cli.text import language
from cli.text.theme import THEMES
from p2p_stratego.registry import ENTRIES, GAMES
from protocol.post import form
from protocol.storage.home import Home
from tests.golden.dialogues import assert_told
from tests.helpers.program.commands import Call
from tests.helpers.program.playing import PATIENCE


def test_the_menu_lists_unfinished_games_and_all_ways_to_begin(call: Call) -> None:
    assert_told("menu", "in an empty home folder", call())
    call("play", "--name", "Anna")
    assert_told("menu", "after play", call(), "Unfinished", "Agent bot")


def test_every_variant_in_the_menu_has_its_name() -> None:
    named = [name for name, options in line_menu.variants() if "stratego" in options]
    assert [name.split()[1] for name in named] == [
        f"{army}," for army in ("quickplay", "classic", "barrage", "duel")
    ]


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("1", ["resume", "a" * 32]),
        (" 2 ", ["resume", "b" * 32]),
        ("p", ["play"]),
        ("HOST", ["host"]),
        ("j", ["join"]),
        ("", None),
        ("0", None),
        ("3", None),
        ("99999999999999", None),
        ("x", None),
    ],
)
def test_the_menu_understands_numbers_letters_and_words(typed: str, command: list[str] | None) -> None:
    assert line_menu.read(typed, [{"id": "a" * 32}, {"id": "b" * 32}]) == command


def test_every_number_of_players_is_offered_and_which_of_them_play_in_teams() -> None:
    for name, game in GAMES.items():
        offered = line_menu.tables(["--game", name])
        assert [options for _, options in offered] == [["--seats", str(n)] for n in game.seat_counts]
        for (title, _), seats in zip(offered, game.seat_counts, strict=True):
            assert ("in teams" in title) == (len(game.sides(seats)) < seats)


def test_the_countries_are_offered_where_it_matters_which_one_is_played() -> None:
    for name in GAMES:
        offered = line_menu.seats(["--game", name])
        assert (len(offered) > 1) == (name == "spies")
    for seats in GAMES["spies"].seat_counts:
        variant = ["--game", "spies", "--seats", str(seats)]
        offered = line_menu.seats(variant)
        chosen = [
            at_table(parser.parser().parse_args(["play", *variant, *words])).seat for _, words in offered
        ]
        assert chosen == list(range(seats))
    for countries in (offered, line_menu.seats(["--game", "spies"])):
        assert_told("menu", f"countries of {len(countries)}", "\n".join(title for title, _ in countries))
    by_bidding = ["--game", "spies", "--allocation", "bid", "--seats", "3"]
    assert line_menu.seats(by_bidding) == [("", [])]  # the command says why it is refused


def test_what_becomes_of_a_game_with_decks_is_asked_where_there_is_a_choice() -> None:
    for name, game in GAMES.items():
        for seats in game.seat_counts:
            variant = ["--game", name, "--seats", str(seats)]
            offered = line_menu.escrows(variant)
            assert len(offered) == (max(seats - 1, 1) if game.needs_proofs else 1)
            for at, (title, options) in enumerate(offered):
                terms = at_table(parser.parser().parse_args(["host", *variant, *options]))
                assert (terms.escrow > 0) == (at > 0)
                assert not terms.escrow or title.startswith(str(terms.escrow))


MENU = "wait for friends"
TURN = re.compile(r"(?<=unfinished, ).*")


class Terminal(io.StringIO):
    """Standard input with a person at it; its text is typed during a game."""

    def isatty(self) -> bool:
        return True


AtMenu = Callable[..., str]


@pytest.fixture
def at_menu(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> AtMenu:
    """`at_menu("g", "q", game="leave\\n")`: from the text typed in the menu and in a game to the printed
    text, with what was typed in the menu.
    """

    def sit(*typed: str, game: str = "", code: int = Exit.OK) -> str:
        answers = iter(typed)

        def answer(question: str) -> str:
            word = next(answers, None)
            if word is None:
                raise EOFError
            print(f"{question}{word}")
            return word

        capsys.readouterr()
        monkeypatch.setattr("sys.stdin", Terminal(game))
        monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
        monkeypatch.setattr("builtins.input", answer)
        assert line_menu.run(parser.parser().parse_args(["--plain", "--home", str(home)]), home) == code
        assert next(answers, None) is None  # everything was asked for
        return capsys.readouterr().out

    return sit


def test_after_a_game_the_menu_is_there_again_with_every_bot_to_choose(
    at_menu: AtMenu, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "cli.studies.statistics.ladder.shipped", lambda _game: {}
    )  # other ratings, other order
    output = at_menu("what?", "p", "1", "2", "1", "q", game="leave\nyes\n")
    words = (
        "type one",
        "2 to 4 players, about 15 minutes; guess who",
        "The Agent",
        "first beat: The ",
        "not open yet",
        "is saved",
        "Recruit bot: unfinished",
    )
    assert_told("menu", "a slip, a game, and the menu again", output, *words, TURN=TURN)
    assert output.count(MENU) == 2
    assert next(home.rglob("bots/recruit"), None) is not None


def test_a_bot_is_met_after_one_question_about_the_game_unless_another_table_is_wanted(
    at_menu: AtMenu, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Players and sides were asked each time; nobody reads a name, so none is asked."""
    ran: list[list[str]] = []

    def run(_: object, *words: str) -> int:
        ran.append(list(words))
        return Exit.OK

    monkeypatch.setattr(line_menu.Menu, "run_command", run)
    last = {name: str(len(ENTRIES[name].bots) + 1) for name in ENTRIES}
    at_menu(
        "p",
        "1",
        "1",
        "p",
        "2",
        "4",
        "1",
        "p",
        "4",
        "1",
        last["spies"],
        "b",
        last["spies"],
        "2",
        "3",
        "1",
        "q",
    )
    assert [words[:-1] for words in ran] == [
        ["play", "--game", "spies-and-lies", "--level"],
        ["play", "--game", "stratego", "--army=duel", "--level"],
        ["play", "--game", "spies", "--seats", "3", "--seat", "france", "--level"],
    ]


def test_an_offer_for_a_game_by_post_is_written_from_the_menu(at_menu: AtMenu) -> None:
    output = at_menu("b", "1", "1", "q", game="Anna\n")
    assert form.BEGIN in output
    assert output.count(MENU) == 2


def test_what_goes_wrong_in_a_command_is_told_and_the_menu_stays(at_menu: AtMenu) -> None:
    output = at_menu("j", "q", game="Anna\n")
    assert_told("menu", "join without an invite", output, "invite was")
    assert output.count(MENU) == 2


def test_a_table_of_four_with_an_invite_to_watch_is_opened_from_the_menu(at_menu: AtMenu) -> None:
    output = at_menu("h", "3", "1", "3", "2", "1", "q", game="Ann\nlist\nquit\n")
    assert_told("menu", "a table of four to watch", output, "4 players", "3 players", "watch", "closed the")


def test_a_table_with_an_escrow_is_opened_from_the_menu(at_menu: AtMenu) -> None:
    output = at_menu("h", "4", "1", "3", "4", "2", "1", "1", "q", game="Ann\nlist\nquit\n")
    assert_told("menu", "a table with an escrow", output, "vanishes")


def test_how_friends_reach_a_host_is_asked_and_begins_with_the_settings(
    at_menu: AtMenu, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[list[str]] = []

    def run(_: object, *words: str) -> int:
        ran.append(list(words))
        return Exit.OK

    monkeypatch.setattr(line_menu.Menu, "run_command", run)
    host = ("h", "1", "1", "1")
    output = at_menu(*host, "1", *host, "2", "nonsense", "relay.example:4001", *host, "b", "j", "q")
    assert_told("menu", "a relay without a port", output, "HOST:PORT")
    assert "By your" not in output
    assert [words[-2:] for words in ran] == [["--seats", "2"], ["--relay", "relay.example:4001"], ["join"]]
    with Home(home) as opened:
        opened.save_settings({"relays": ["one.example:1"], "proxy": "socks5://me:hunter2@127.0.0.1:9050"})
    output = at_menu(*host, "2", *host, "3", "two.example:2", "j", "q")
    assert_told("menu", "ways of the settings, three times", output, "By your")
    assert "hunter2" not in output
    assert ran[-3][-1] == "--relay-only"
    assert ran[-2][-4:] == ["--relay", "one.example:1", "--relay", "two.example:2"]
    with Home(home) as opened:
        opened.save_settings({"relays": ["one.example:1"], "relay_only": True})
    assert_told("menu", "the way of the settings is a relay alone", at_menu("j", "q"), "By your")


def test_past_games_are_replayed_audited_and_exported_from_the_menu(
    at_menu: AtMenu, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    call("play", "--name", "Anna", stdin=b"resign\nyes\nleave\n")
    monkeypatch.setattr("cli.play.runner.on_screen", lambda _: False)
    output = at_menu("g", "1", "1", "last", "q", "2", "3", "", "q")
    words = ("bot: lost", "next step", "bot wins", "Anna resigns", "Checked:", "What about")
    assert_told("menu", "a past game is replayed, audited and exported", output, *words)
    assert output.count(MENU) == 2


def test_an_empty_home_has_no_past_games_and_says_so(at_menu: AtMenu, home: Path) -> None:
    assert_told("menu", "no past games", at_menu("g", "q"), "No games", HOME=home)


def test_set_ups_are_looked_at_from_the_menu(at_menu: AtMenu) -> None:
    output = at_menu("s", "1", "nonsense", "", "q")
    armies = output.partition("For which army?")[0].rpartition("> s")[2].strip("\n")
    assert_told("menu", "armies with set-ups", armies)
    assert_told("menu", "templates, and a name that nothing has", output, "Templates", "nonsense")
    assert output.count(MENU) == 2


def test_the_rules_are_read_a_screenful_at_a_time(at_menu: AtMenu, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.lines.prompt.get_terminal_size", lambda: os.terminal_size((80, 12)))
    output = at_menu("r", "1", "", "b", "spy", "wizard", "", "q")
    assert_told("menu", "rules by the screenful", output, "more lines", "RULES IN", "SPY", "wizard")
    assert output.count(MENU) == 2


def test_settings_are_changed_in_the_menu_and_kept(at_menu: AtMenu, home: Path) -> None:
    output = at_menu("o", "1", "Anna", "1", "x" * 99, "2", "3", "12", "5", "11", "", "q")
    assert_told("menu", "settings after changes", output.rpartition("How?")[2], "opponents", "clicks")
    with Home(home) as opened:
        kept = settings.read(opened.settings())
    assert (kept.name, kept.theme, kept.notify, kept.mouse) == ("Anna", THEMES[2], "off", False)


def test_ways_and_notifications_are_set_in_the_menu(at_menu: AtMenu, home: Path) -> None:
    typed = ("12", "4", "notify-send 'A game'", "16", "15", "relay.example", "15", "relay.example:4001")
    output = at_menu("o", *typed, "17", "socks5://tor.example:1", "17", "socks5://localhost:9050", "", "q")
    assert_told("menu", "ways that will not do", output, "Name a", "HOST:PORT")
    with Home(home) as opened:
        kept = settings.read(opened.settings())
        assert (kept.notify, kept.notify_command) == ("command", ("notify-send", "A game"))
        assert (kept.relays, kept.relay_only) == (("relay.example:4001",), True)
        assert kept.proxy == "socks5://localhost:9050"
        opened.save_settings({"relay_only": "yes", "proxy": 7, "mouse": False, "later": 1})
    output = at_menu("o", "16", "17", "-", "", "q")
    assert_told("menu", "settings that cannot be read", output, "read: set")
    with Home(home) as opened:
        assert opened.settings() == {"relay_only": True, "proxy": "", "mouse": False, "later": 1}
    (home / "settings.json").write_text("{")
    assert_told("menu", "no settings can be read", at_menu("o", "q"), "mend it", HOME=home)


def test_every_setting_has_its_words() -> None:
    # Ticks of lessons stand with the settings, but nobody chooses them.
    assert {*ABOUT, "learnt"} == set(settings.written(settings.Settings()))
    assert set(THEME) == set(THEMES)


class Picking(Prompt):
    """A player who changes the theme to dark, and goes back."""

    def __init__(self) -> None:
        super().__init__()
        self.pages: list[Sequence[str]] = []

    def pick(
        self, question: str, titles: Sequence[str], usual: int | None, pictures: Sequence[Sequence[str]] = ()
    ) -> int | None:
        if question == "Which colours?":
            return THEMES.index("dark")
        self.pages.append(titles)
        return list(ABOUT).index("theme") if len(self.pages) == 1 else None


def test_an_option_rules_in_both_pages_of_settings_until_the_player_chooses_anew(home: Path) -> None:
    arguments = parser.parser().parse_args(["--theme", "light", "--language", "de", "--ascii"])
    player = Picking()
    wanted = settings.given(settings.glance(home), arguments)
    rows = [f"{row.about}: {row.right}" for row in preferences.overlay(wanted, 0).rows]
    assert settings_menu.run(player, home, arguments) == Exit.OK
    first, then = player.pages
    assert_told("menu", "settings under options", "\n".join(first), ", by --")
    assert rows == [line for line in first if line in rows]
    assert_told("menu", "colours chosen under an option", "\n".join(then), "colours")
    assert settings.given(settings.glance(home), arguments).theme == "dark"


def test_the_value_of_a_setting_is_told_in_words_and_a_command_stands_under_its_notice() -> None:
    usual = settings.Settings()
    for field in ABOUT:
        word = in_force(field, usual)
        assert word not in ("", "bell", "none", "nothing", "auto", "-")
    order = list(ABOUT)
    assert order[order.index("notify") + 1] == "notify_command"
    shown = [preference.field for preference in preferences.PREFERENCES]
    assert shown == [field for field in order if field in shown]


def test_a_variable_that_keeps_the_router_out_shows_in_the_settings() -> None:
    off = settings.in_environment(settings.Settings(), {"P2P_STRATEGO_NO_UPNP": "1"})
    assert in_force("upnp", off) == "off, by P2P_STRATEGO_NO_UPNP"
    assert in_force("nearby", off) == "on"


def test_quitting_works_from_every_question(at_menu: AtMenu) -> None:
    for typed in (["q"], ["p", "q"], ["p", "1", "q"], ["s", "quit"], ["r", "exit"], ["o", "q"]):
        assert MENU in at_menu(*typed)


def test_the_menu_reads_a_pipe_and_leaves_the_rest_of_it_to_the_game(home: Path) -> None:
    process = subprocess.run(
        [sys.executable, "-m", "cli"],
        input=b"nonsense\ng\np\n1\nresign\nyes\nleave\n",
        capture_output=True,
        cwd=Path(__file__).parents[3],
        env=os.environ | {"P2P_STRATEGO_HOME": str(home)},
        timeout=PATIENCE,
        check=False,
    )
    out = process.stdout.decode()
    assert (process.returncode, process.stderr) == (Exit.OK, b"")
    assert "Please type" in out
    assert "has resigned" in out
    assert out.count(MENU) == 3  # and once more after the game


def test_ascii_chosen_in_german_spells_umlauts_out(at_menu: AtMenu) -> None:
    try:
        output = at_menu("o", "4", "3", "3", "", "q")
        assert_told("menu", "german without umlauts", output, "dran")
    finally:
        language.install("en")
