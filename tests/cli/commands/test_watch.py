"""`watch`: somebody else's game over loopback, in lines and on the screen."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import trio

from cli.commands import watch
from cli.commands.host import host_match
from cli.commands.join import join_match
from cli.play.runner import PlaySession
from cli.shell.explain import explain
from tests.golden.dialogues import assert_told
from tests.helpers.program.commands import Call
from tests.helpers.program.playing import (
    PATIENCE,
    Answer,
    Answering,
    arguments,
    bot_answers,
    lines,
    play_session,
    printed,
    seen,
)
from tests.helpers.program.window import Window


async def watched(
    tmp_path: Path, host: Answer, guest: Answer, three: PlaySession | None = None
) -> PlaySession:
    """The session of a spectator (`three`, if given), once the match of a host and a guest is over."""
    host_session = play_session(tmp_path / "host", Answering(host), name="Anna")
    two = play_session(tmp_path / "guest", Answering(guest), name="Boris")
    three = three or play_session(tmp_path / "watching", lines())
    hosting = arguments("host", "--address", "127.0.0.1", "--watch", "--wall", "2")
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(host_match, hosting, host_session)
            words = await seen(host_session, r"P2PS\w+(?s:.*)watch off:\s+(P2PS\w+)")
            word = re.search(r"P2PS\w+", words[0])
            assert word is not None
            nursery.start_soon(watch.watching, arguments("watch", words[1]), three)
            await join_match(arguments("join", word[0]), two)
    for session in (host_session, two):
        session.home.close()
    return three


def staying(answer: Answer, spectator: Callable[[], bool]) -> Answer:
    """Leaves only once the spectator has seen the end."""
    return lambda of: "" if (typed := answer(of)) == "leave" and not spectator() else typed


async def test_a_game_is_told_from_its_beginning_to_who_has_won(tmp_path: Path, call: Call) -> None:
    def over() -> bool:
        return any((tmp_path / "watching").glob("watched/*/transcript.p2ps")) and done()

    def done() -> bool:
        (path,) = (tmp_path / "watching").glob("watched/*/transcript.p2ps")
        theirs = next((tmp_path / "host").glob("games/*/transcript.p2ps"))
        return path.stat().st_size == theirs.stat().st_size

    spectator = await watched(tmp_path, staying(bot_answers(1), over), staying(bot_answers(2), over))
    output = printed(spectator).getvalue()
    assert "Player: red, Anna" in output
    assert re.search(r"is over: \w+, (Anna|Boris)", output)
    assert "Audit: complete" in output
    again = re.search(r"replay (\w+)", output)
    assert again is not None
    spectator.home.close()
    replayed = call("replay", "--home", str(tmp_path / "watching"), again[1])
    assert replayed.code == 0
    assert "complete" in replayed.out


async def test_who_is_sent_away_is_told_where_to_see_it_again(tmp_path: Path) -> None:
    """What it was shown until then is on its disk."""
    spectator = play_session(tmp_path / "watching", lines())
    usual, sent = bot_answers(1), [False]

    def withdrawing(of: PlaySession) -> str | None:
        if any((tmp_path / "watching").glob("watched/*/transcript.p2ps")) and not sent[0]:
            sent[0] = True
            return "watch off"
        return usual(of)

    with pytest.raises(ExceptionGroup) as caught:
        await watched(tmp_path, withdrawing, bot_answers(2), spectator)
    explanation = explain(caught.value)
    assert explanation is not None
    assert_told("watch", "the invite was withdrawn", explanation[0])
    output = printed(spectator).getvalue()
    assert_told("watch", "the way to see it again", output, "it again")
    assert "Record: " in output
    spectator.home.close()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Window]]:
    """Starts the program in a window of its own."""
    with ExitStack() as windows:

        def opened(name: str, *given: str) -> Window:
            window = Window(tmp_path / name, *given)
            windows.callback(window.close)
            return window

        yield opened


@pytest.mark.usefixtures("nursery")
def test_the_board_is_shown_on_the_screen_and_the_host_goes_away(start: Callable[..., Window]) -> None:
    host = start(
        "Ann", "host", "--game", "conquest", "--bots", "1", "--watch", "--address", "127.0.0.1", "--name", "A"
    )
    shown = host.until("Everybody is here", "Invite to watch")
    hit = re.search(r"^(P2PS\w+) *\n(\w*)", shown, re.MULTILINE)
    assert hit is not None
    spectator = start("Sue", "watch", "".join(hit.groups()))
    spectator.until("shown once it has begun")
    host.type("start\r")
    spectator.until("Conquest · taking territories", "live · step", "A·")
    host.until("❯", "1 watching")
    host.type("leave\r")
    host.until("Leave?")
    host.type("yes\r")
    assert host.code() == 0
    spectator.until("the host does not answer · step")
    spectator.type("q")
    assert spectator.code() == 0
    assert "See it again" in "\n".join(spectator.screen.display)
