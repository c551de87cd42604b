"""Calling the player to the table from a screen, unless the terminal says that the player looks at it.

Terminals report focus once they are asked to (xterm's control sequences, DECSET 1004): CSI I and CSI O.  The
toolkit knows neither; here both become the key that stands for nothing, and a binding reads its bytes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.output.vt100 import Vt100_Output

from cli.text import notices

if TYPE_CHECKING:
    from prompt_toolkit.output import Output

    from cli.shell.settings import Settings

_REPORT: Final = "\x1b[?1004h"
_NO_REPORT: Final = "\x1b[?1004l"
_IN: Final = "\x1b[I"
_OUT: Final = "\x1b[O"
ANSI_SEQUENCES.update({_IN: Keys.Ignore, _OUT: Keys.Ignore})


class FocusOutput(Vt100_Output):
    """A terminal that reports focus while an application owns it, and at no other time.

    The toolkit asks for pastes in brackets at the first drawing, and ends them before others may write; the
    reports of focus begin and end with them.
    """

    def enable_bracketed_paste(self) -> None:
        """Ask for both reports."""
        super().enable_bracketed_paste()
        self.write_raw(_REPORT)

    def disable_bracketed_paste(self) -> None:
        """End both."""
        super().disable_bracketed_paste()
        self.write_raw(_NO_REPORT)


def standard_output() -> Vt100_Output:
    """The terminal at standard output."""
    return FocusOutput.from_pty(sys.stdout, term=os.environ.get("TERM"))


class Notifier:
    """Calls the player who sits at `output`."""

    def __init__(self, output: Output, run_command: Callable[[str], None]) -> None:
        """`run_command`: the player's own command, with a sentence."""
        self._output = output
        self._run_command = run_command
        self.focused = False
        """Whether the terminal says that the player looks at it; many never do."""

    def call(self, settings: Settings, sentence: str) -> None:
        """Call with `sentence`, as the settings say."""
        if self.focused:
            return
        if settings.notify == "command":
            self._run_command(sentence)
        elif written := notices.sequence(settings.notify, sentence, ascii_only=settings.ascii):
            self._output.write_raw(written)
            self._output.flush()

    def listen(self, keys: KeyBindings, reported_only: Callable[[], None] = lambda: None) -> None:
        """Add the binding that reads what the terminal reports; `reported_only`: is called then, since that
        is no key.
        """

        def reported(event: KeyPressEvent) -> None:
            if event.data in (_IN, _OUT):
                self.focused = event.data == _IN
                reported_only()

        keys.add(Keys.Ignore)(reported)
