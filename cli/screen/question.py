"""A question below what is printed, between the lists of the first screen, answered in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output import create_output
from prompt_toolkit.output.vt100 import Vt100_Output

from cli.screen.look import ESCAPE_AFTER

if TYPE_CHECKING:
    from prompt_toolkit.input import Input
    from prompt_toolkit.output import Output


def asked(question: str, terminal: tuple[Input, Output] | None = None) -> str | None:
    """What is typed, with the arrow keys at work in it; None after Esc, which goes back.

    `terminal`: where to read and draw, if not standard input and output.  Raises EOFError after Ctrl-D, and
    KeyboardInterrupt after Ctrl-C.
    """
    keys = KeyBindings()

    @keys.add("escape", eager=True)
    def _back(event: KeyPressEvent) -> None:
        event.app.exit()

    entry, output = terminal or (None, create_output())
    if isinstance(output, Vt100_Output):
        output.enable_cpr = False  # a terminal that never tells where its cursor is would be complained of
    session: PromptSession[str | None] = PromptSession(key_bindings=keys, input=entry, output=output)
    session.app.ttimeoutlen = ESCAPE_AFTER
    return session.prompt(question)
