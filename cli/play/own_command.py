"""A command of the player's own that is run to call it to the table (threat 89).

No shell reads it: its words are those of the settings, and the sentence is one more.  It has no terminal, so
it can neither draw on ours nor be stopped by its keys, and it never outlives its time.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

import trio

from cli.text.notices import plain
from cli.text.sanitize import escape
from p2p_stratego.core.language import _

WITHIN: Final = 5.0
"""Seconds that the command may take."""
_REAPED_WITHIN: Final = 1.0


class OwnCommand:
    """Runs one command at a time while `run` runs; of sentences that come meanwhile, the last waits."""

    def __init__(self, words: Sequence[str]) -> None:
        """`words`: the program and its arguments; empty: no command is ever run."""
        self.on_failure: Callable[[str], None] = lambda _: None
        """Told once, as a sentence, that the command cannot be started."""
        self._words = tuple(words)
        self._next = ""
        self._woken = trio.Event()
        self._failed = False

    def tell(self, sentence: str) -> None:
        """Run the command with `sentence` soon; returns at once."""
        self._next = plain(sentence)
        self._woken.set()

    async def run(self) -> None:
        """Run the command for each sentence; until cancelled."""
        while True:
            await self._woken.wait()
            self._woken = trio.Event()
            if self._words:
                await self._run(self._next)

    async def _run(self, sentence: str) -> None:
        try:
            process = await trio.lowlevel.open_process(
                [*self._words, sentence],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # no terminal of ours, and one group to kill (threat 89)
            )
        except (OSError, ValueError) as error:  # also bytes that no file system has
            if not self._failed:
                self._failed = True
                reason = getattr(error, "strerror", None) or _("it is no name of a program")
                self.on_failure(
                    _(
                        "Your command {word} cannot be started: {reason}.",
                        word=escape(self._words[0], 40),
                        reason=reason,
                    )
                )
            return
        try:
            with trio.move_on_after(WITHIN):
                await process.wait()
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)  # the session, with all that the command started
                with trio.CancelScope(shield=True, deadline=trio.current_time() + _REAPED_WITHIN):
                    await process.wait()
