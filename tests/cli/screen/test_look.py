"""The background of a terminal is known before the first frame, and its answer never reaches the shell."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from select import select

import pytest
from prompt_toolkit import Application
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input.typeahead import get_typeahead
from prompt_toolkit.input.vt100 import Vt100Input
from prompt_toolkit.output.vt100 import Vt100_Output

from cli.screen import look
from cli.screen.look import AppColours, ThemedApplication

LIGHT = b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\"
TERM = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}


class Pty:
    """A terminal: what it sends is written to `outer`."""

    def __init__(self) -> None:
        self.outer, inner = os.openpty()
        self.reads, self._writes = os.fdopen(inner), os.fdopen(os.dup(inner), "w")
        self.app: Application[None] = Application(
            input=Vt100Input(self.reads),
            output=Vt100_Output(self._writes, lambda: Size(24, 80)),
        )

    def sends(self, data: bytes) -> None:
        os.write(self.outer, data)

    def shows(self, text: bytes) -> bool:
        """Whether it is sent this: the echo of what was typed may come before or behind it, or by itself."""
        shown = b""
        while text not in shown and select([self.outer], [], [], 60.0)[0]:
            shown += os.read(self.outer, 100)
        return text in shown

    @property
    def waits(self) -> bool:
        """Whether bytes were sent that nobody has read."""
        with self.app.input.raw_mode():
            return bool(select([self.reads], [], [], 0.0)[0])

    def close(self) -> None:
        os.close(self.outer)
        self.reads.close()
        self._writes.close()


@pytest.fixture
def pty(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pty]:
    monkeypatch.setattr(look, "shades_seen", [])
    opened = Pty()
    yield opened
    get_typeahead(opened.app.input)
    opened.close()


def test_the_first_frame_has_the_colours_of_a_terminal_that_answers_at_once(
    pty: Pty, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(look, "FIRST_WAIT", 60.0)  # the answer is there: nothing waits so long
    pty.sends(b"a" + LIGHT + b"b")
    seen = AppColours(lambda: "auto", TERM)
    seen.follow(pty.app)
    assert seen.shade == "light"
    assert [key.data for key in get_typeahead(pty.app.input)] == ["a", "b"]
    assert pty.shows(b"\x1b]11;?\x1b\\")


def test_an_answer_that_comes_behind_the_end_is_not_left_to_the_shell(
    pty: Pty, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(look, "FIRST_WAIT", 0.0)
    monkeypatch.setattr(look, "LAST_WAIT", 60.0)
    seen = AppColours(lambda: "auto", TERM)
    seen.follow(pty.app)
    assert seen.shade != "light"
    pty.sends(LIGHT)
    waited = pty.waits
    seen.end(pty.app)
    assert (waited, pty.waits) == (True, False)
    assert AppColours(lambda: "auto", TERM).shade == "light"


class Late(Vt100Input):
    """A terminal that answers when an application has just let go of it."""

    def __init__(self, pty: Pty) -> None:
        super().__init__(pty.reads)
        self._pty = pty

    def attach(self, input_ready_callback: Callable[[], None]) -> AbstractContextManager[None]:
        return self._attached(super().attach(input_ready_callback))

    @contextmanager
    def _attached(self, held: AbstractContextManager[None]) -> Iterator[None]:
        with held:
            yield
        self._pty.sends(LIGHT)


def test_so_it_is_however_an_application_is_run(pty: Pty, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the lists of the first screen took the answer; behind a game it stood at the prompt."""
    monkeypatch.setattr(look, "FIRST_WAIT", 0.0)
    monkeypatch.setattr(look, "LAST_WAIT", 60.0)
    for name, value in TERM.items():
        monkeypatch.setenv(name, value)
    app = ThemedApplication[None](lambda: "auto", input=Late(pty), output=pty.app.output)
    app.run(pre_run=app.exit)
    assert not pty.waits
    assert AppColours(lambda: "auto", TERM).shade == "light"


def test_who_named_a_theme_waits_for_nothing(pty: Pty) -> None:
    seen = AppColours(lambda: "dark", TERM)
    seen.follow(pty.app)
    seen.end(pty.app)
    assert b"]11;" not in os.read(pty.outer, 100)
