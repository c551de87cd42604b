"""Lines in and out, with standard input of every kind."""

from __future__ import annotations

import io
import os
import pty
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

import pytest
import trio
import trio.testing

from cli.lines.console import Console, Lines
from cli.text.language import yes_or_no
from cli.text.layout import MAX_LINE
from tests.golden.tables import Chronicle, assert_as_kept


@contextmanager
def pipe() -> Iterator[tuple[TextIO, int]]:
    """A pipe: what is read from, and where to write."""
    reading, writing = os.pipe()
    with os.fdopen(reading) as source:
        try:
            yield source, writing
        finally:
            with suppress(OSError):
                os.close(writing)


async def test_lines_come_as_they_are_written_however_they_are_cut() -> None:
    with pipe() as (source, writing):
        lines = Lines(source)
        os.write(writing, b"first\r\nsec")
        assert await lines.read() == "first"
        os.write(writing, "ond é".encode()[:-1])
        os.write(writing, "é".encode()[-1:] + b"\nlast")
        assert await lines.read() == "second é"
        os.close(writing)
        assert await lines.read() == "last"
        assert await lines.read() is None
        assert await lines.read() is None


async def test_waiting_for_a_line_can_be_cancelled() -> None:
    with pipe() as (source, _), trio.move_on_after(0) as scope:
        await Lines(source).read()
    assert scope.cancelled_caught


async def test_bytes_that_are_no_text_and_zeros_do_no_harm() -> None:
    with pipe() as (source, writing):
        os.write(writing, b"\xff\x00a\n")
        assert await Lines(source).read() == "\ufffda"


async def test_a_line_without_end_is_cut() -> None:
    with pipe() as (source, writing):
        lines = Lines(source)
        async with trio.open_nursery() as nursery:

            async def write() -> None:
                for _ in range(64):
                    await trio.lowlevel.wait_writable(writing)
                    os.write(writing, b"x" * 4096)
                os.write(writing, b"\nnext\n")

            nursery.start_soon(write)
            first = await lines.read()
        assert first is not None
        assert len(first) == MAX_LINE
        assert await lines.read() == "next"


async def test_a_plain_file_can_be_standard_input(tmp_path: Path) -> None:
    path = tmp_path / "script"
    path.write_text("one\ntwo")
    with path.open() as source:
        lines = Lines(source)
        assert [await lines.read() for _ in range(3)] == ["one", "two", None]


async def test_what_is_no_file_at_all_is_read_too() -> None:
    lines = Lines(io.StringIO("one\ntwo\n"))
    assert [await lines.read() for _ in range(3)] == ["one", "two", None]
    closed = io.StringIO()
    closed.close()
    assert await Lines(closed).read() is None


async def test_a_question_is_repeated_until_it_is_answered() -> None:
    out = io.StringIO()
    talk = Console(Lines(io.StringIO("maybe\n\x1b[2J\nYES\nno\n")), out)
    assert await talk.confirm("Play?")
    assert out.getvalue().count("Play? (yes/no)") == 3
    assert "\x1b" not in out.getvalue()
    assert not await talk.confirm("Play?")
    assert not await talk.confirm("Play?")  # the input has ended


async def test_what_is_typed_before_a_question_stands_there_does_not_answer_it() -> None:
    """A yes meant for another question must not agree to a game with a stranger."""
    outer, inner = pty.openpty()
    out = io.StringIO()
    with os.fdopen(inner) as terminal:
        talk = Console(Lines(terminal), out)
        os.write(outer, b"who\nyes\nye")
        assert await talk.line() == "who"

        async def answer() -> None:
            await trio.testing.wait_all_tasks_blocked()
            assert out.getvalue() == "Play? (yes/no) "
            os.write(outer, b"no\n")

        async with trio.open_nursery() as nursery:
            nursery.start_soon(answer)
            assert not await talk.confirm("Play?")
    os.close(outer)


async def test_a_script_answers_in_advance() -> None:
    talk = Console(Lines(io.StringIO("hello\nyes\n")), io.StringIO())
    assert await talk.line() == "hello"
    assert await talk.confirm("Play?")


async def test_in_ascii_nothing_else_is_printed() -> None:
    out = io.StringIO()
    talk = Console(Lines(io.StringIO("")), out, ascii_only=True)
    talk.say("✓ 4–7 é 日")
    talk.prompt("❯")
    assert out.getvalue() == "v 4-7 e ??\n> "


@pytest.mark.parametrize(
    ("text", "answer"), [("y", True), (" Yes ", True), ("NO", False), ("", None), ("ja", None)]
)
def test_only_yes_and_no_are_answers(text: str, answer: bool | None) -> None:
    assert yes_or_no(text) is answer


class Terminal(io.StringIO):
    """An output that is a terminal."""

    def isatty(self) -> bool:
        return True


async def test_news_never_stands_behind_a_prompt_and_the_prompt_comes_back() -> None:
    out = Terminal()
    with pipe() as (source, writing):
        talk = Console(Lines(source), out)
        talk.prompt(">")
        talk.say("Zed is connected.")
        talk.say("Zed is away.")
        talk.prompt_again()
        talk.prompt_again()
        assert out.getvalue() == "> \nZed is connected.\nZed is away.\n> "
        os.write(writing, b"a\n")
        assert await talk.line() == "a"
        talk.say("Done.")  # the line that was typed has ended the prompt's
        talk.prompt_again()
    assert out.getvalue().endswith("\n> Done.\n")


async def test_nothing_typed_is_told_as_that(chronicle: Chronicle) -> None:
    out = io.StringIO()
    with pipe() as (source, writing):
        os.write(writing, b"\nperhaps\nyes\n")
        assert await Console(Lines(source), out).confirm("Play?")
    chronicle.show("Enter, perhaps, yes", *out.getvalue().splitlines())
    assert_as_kept(chronicle)
