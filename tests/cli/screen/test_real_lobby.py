"""The lobby in real terminals of 80 x 24: a host and its guests are programs of their own, over loopback."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from protocol.storage.contacts import Door
from protocol.storage.home import Home
from protocol.wire.addresses import Endpoint
from tests.helpers.program.window import Window

pytestmark = pytest.mark.usefixtures("nursery")

Open = Callable[..., Window]
HOST = ("host", "--game", "conquest", "--seats", "3", "--address", "127.0.0.1")
LOBBY = "Tab chat"
"""Of the keys, which stand below all else."""


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Open]:
    """Starts the program for a player, in a window of its own."""
    with ExitStack() as windows:

        def opened(name: str, *words: str) -> Window:
            window = Window(tmp_path / name, *words, "--name", name)
            windows.callback(window.close)
            return window

        yield opened


def invite(shown: str, number: int = 0) -> str:
    """The invite of that number among those on a screen, put together from its rows."""
    words: list[tuple[str, str]] = re.findall(r"^(P2PS\w+) *\n(\w*)", shown, re.MULTILINE)
    return "".join(words[number])


@pytest.mark.parametrize("way", [(), ("--plain",)])
def test_three_sit_down_and_the_host_swaps_seats_and_seats_a_bot(start: Open, way: tuple[str, ...]) -> None:
    host = start("Ann", *HOST, *way)
    word = invite(host.until("Waiting for more" if not way else "Waiting ...", "> "))
    guest = start("Boris", "join", word, *way)
    guest.until("Ann")
    host.until("Boris")
    host.type("start\r")
    host.until("Not everybody is here yet")
    host.type("swap blue green\r")
    host.until("Boris is on seat 3 now: green")
    guest.until("You are on seat 3 now: green")
    host.type("bots 1 recruit\r")
    host.until("bot, easy")
    guest.until("Play?")
    host.type("start\r")
    host.until("You are ready. Waiting for", "Boris ...")  # perhaps for the bot, too
    guest.type("yes\r")
    for window in (host, guest):
        window.until("Drawn for the start")
        window.type("\x11" if not way else "leave\r")
        window.until("The game is saved")
        window.type("yes\r")
        assert window.code() == 0


def test_behind_a_message_the_next_line_answers_the_question(start: Open) -> None:
    """It went out as a message, too: a guest said yes, and the host waited."""
    host = start("Ann", "host", "--game", "stratego", "--address", "127.0.0.1")
    guest = start("Boris", "join", invite(host.until("Waiting for more", "> ")))
    guest.until("Everybody is here. Play? Type yes or no.")
    host.until("Boris is here: seat 2, blue.")
    guest.type("\tgood evening\r")
    host.until("Boris: good evening")
    guest.type("yes\r")
    guest.until("You are ready.")
    assert "Boris: yes" not in "\n".join(host.screen.display)


def test_who_is_refused_is_told_so_and_the_invite_that_it_used_is_replaced(start: Open) -> None:
    host = start("Ann", "host", "--game", "stratego", "--address", "127.0.0.1")
    first = invite(host.until("Waiting for more", "> "))
    guest = start("Boris", "join", first)
    guest.until("Everybody is here. Play? Type yes or no.")
    host.until("Everybody is here. Type start to play.", "Boris is here: seat 2, blue.")
    host.type("refuse boris\r")
    host.until("Boris is gone; seat 2, blue, is empty.", "Waiting for more players")
    assert guest.code() != 0
    assert "does not want to play" in " ".join("".join(guest.screen.display).split())
    host.type("invite\r")
    shown = host.until("The invite from before is void.", LOBBY)
    again = invite(shown)
    assert again != first
    host.type("invite\r")
    assert invite(host.until("This invite stands", LOBBY)) == again


def test_an_invite_that_is_printed_in_the_lobby_stays(start: Open) -> None:
    """A later word, a later change of the list and another size of the window leave it where it is."""
    host = start("Ann", *HOST)
    host.until("Waiting for more", "> ")
    host.type("watch off\r")
    host.until("Nobody can watch with the invite")
    host.type("watch on\r")
    kept = invite(host.until("until you say watch off", "F8 no watchers"), -1)
    host.type("nonsense\r")
    shown = host.until("That means nothing here.", LOBBY)
    assert invite(shown, -1) == kept
    assert shown.count(LOBBY) == 1
    host.type("bots 2\r")
    shown = host.until("Everybody is here", "Agent bot 2 is here: seat")
    assert invite(shown, -1) == kept
    host.type("no\r")
    host.until("Nobody begins without you")
    host.type("\x03")
    assert host.code() == 0
    assert "You have closed the lobby" in "\n".join(host.screen.display)


def befriended(waiting: Path, asking: Path) -> None:
    """Fill two home folders: the player of the first lets that of the second ask for games."""
    with Home(waiting) as here, Home(asking) as there:
        key, other = here.identity().key, there.identity().key
        here.remember(other, asking.name)
        here.change_contact(other, lambda contact: replace(contact, friend=True))
        step = here.doorstep()
        door = Door((Endpoint("127.0.0.1", step.port),), step.ticket(other))
        there.remember(key, waiting.name)
        there.change_contact(key, lambda contact: replace(contact, door=door))


def test_a_friend_who_is_called_sits_down_in_the_list_that_stands_there(start: Open, tmp_path: Path) -> None:
    """Nothing else is written where the lobby draws, so its rows stay where it believes them."""
    befriended(tmp_path / "Ann", tmp_path / "Ben")
    ann = start("Ann", "wait", "--address", "127.0.0.1")
    ann.until("Ben may ask you", "Waiting ...")
    ben = start("Ben", "again", "ann", "stratego", "--army", "duel", "--address", "127.0.0.1")
    shown = ben.until("Ann is here: seat 2, blue.", "You are ready. Waiting for Ann ...", "\n> ")
    assert shown.count("Lobby: Stratego") == 1
    assert re.search("^│ 2  blue  Ann ", shown, re.MULTILINE)
    assert re.search("^╰─ 2 of 2 here, 1 ready ", shown, re.MULTILINE)
    assert "(empty)" not in shown
