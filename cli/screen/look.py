"""The colours of an application, which follow the settings and the terminal's background while it runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from select import select
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TypeVar

from prompt_toolkit import Application
from prompt_toolkit.input.typeahead import store_typeahead
from prompt_toolkit.styles import DynamicStyle

from cli.text import theme
from cli.text.background import QUERY, Answers, can_be_asked, guessed
from cli.text.theme import Shade

if TYPE_CHECKING:
    from prompt_toolkit.output import ColorDepth
    from prompt_toolkit.styles import Style

T = TypeVar("T")
_ENOUGH: Final = 256
"""Colours from which on a theme is for a dark or a light background; fewer are the terminal's own."""
ESCAPE_AFTER: Final = 0.05
"""Seconds after which a lone Esc is no longer taken for the beginning of an arrow key."""
FIRST_WAIT: Final = 0.05
"""Seconds that the first frame waits for an answer: a terminal nearby needs a few milliseconds."""
LAST_WAIT: Final = 0.3
"""Seconds after the question in which an application that ends still waits for the answer."""
shades_seen: list[Shade] = []
"""The shade that this process's terminal answered last, for the application that comes next."""


@lru_cache(8)
def _style(wanted: str, count: int, shade: Shade | None) -> Style:
    return theme.style(wanted, count, shade)


class AppColours:
    """The colours of one application."""

    def __init__(self, wanted: Callable[[], str], environment: Mapping[str, str] = os.environ) -> None:
        """`wanted`: the theme that the settings name now."""
        self._wanted, self._environment = wanted, environment
        self._count = theme.colours(environment)
        self.shade = shades_seen[-1] if shades_seen else guessed(environment)
        """The terminal's background, as far as it is known."""
        self._asked = self._answered = False
        self._asked_at = 0.0
        """When the terminal was asked, in seconds."""
        self.style: Final = DynamicStyle(lambda: _style(wanted(), self._count, self.shade))

    @property
    def depth(self) -> ColorDepth:
        """How many colours to send."""
        return theme.depth(self._count)

    def follow(self, app: Application[Any]) -> None:
        """Ask the terminal of `app` for its background when it is drawn first, and draw in its shade once it
        answers: only the first frame waits for that, and not for long.
        """
        parser = getattr(app.input, "vt100_parser", None)
        if parser is None:
            return

        def answered(shade: Shade) -> None:
            self._answered = True
            shades_seen[:] = [shade]
            if shade != self.shade:
                self.shade = shade
                app.invalidate()

        answers, feed = Answers(answered), parser.feed
        parser.feed = lambda data: feed(answers.keep(data))
        app.before_render += lambda _: self._ask(app)
        self.ask_first(app)

    def ask_first(self, app: Application[Any]) -> None:
        """Ask before the first frame, so that it has the right colours if the answer comes at once.

        What is typed meanwhile is kept for `app`.  An answer that takes longer is taken while it runs.
        """
        if shades_seen or not self._can_ask() or not _is_terminal(app):
            return
        self._ask(app)
        self._wait(app, FIRST_WAIT)

    def end(self, app: Application[Any]) -> None:
        """`app` has ended: if it asked a moment ago, wait a little for the answer: else the shell would read
        it as typed text.
        """
        left = self._asked_at + LAST_WAIT - monotonic()
        if self._asked and not self._answered and left > 0 and _is_terminal(app):
            self._wait(app, left)

    def _wait(self, app: Application[Any], seconds: float) -> None:
        """Wait until the answer is there, or so many seconds are over."""
        until = monotonic() + seconds
        with suppress(OSError, EOFError), app.input.raw_mode():
            while not self._answered and (left := until - monotonic()) > 0:
                if select([app.input.fileno()], [], [], left)[0]:
                    store_typeahead(app.input, app.input.read_keys())
                if app.input.closed:
                    break

    def _can_ask(self) -> bool:
        return self._wanted() == "auto" and self._count >= _ENOUGH and can_be_asked(self._environment)

    def _ask(self, app: Application[Any]) -> None:
        """Ask the terminal once, if its answer matters."""
        if self._asked or not self._can_ask():
            return
        self._asked, self._asked_at = True, monotonic()
        app.output.write_raw(QUERY)
        app.output.flush()


class ThemedApplication(Application[T]):
    """An application in the colours of a theme, in which a lone Esc counts at once.

    However it ends, the shell gets no late answer of the terminal.
    """

    def __init__(self, wanted: Callable[[], str], **given: Any) -> None:
        """`wanted`: as of AppColours; `given`: all but the colours, as of an Application."""
        self._look = AppColours(wanted)
        super().__init__(style=self._look.style, color_depth=self._look.depth, **given)
        self.ttimeoutlen = ESCAPE_AFTER
        self._look.follow(self)

    async def run_async(self, *given: Any, **named: Any) -> T:
        """Run it to its end."""
        try:
            return await super().run_async(*given, **named)
        finally:
            self._look.end(self)


def _is_terminal(app: Application[Any]) -> bool:
    """Whether `app` reads from and writes to a terminal, and not to a test's replacement."""
    # A replacement has no descriptor (io.UnsupportedOperation: an OSError and a ValueError), or none yet.
    with suppress(OSError, NotImplementedError, ValueError):
        return os.isatty(app.input.fileno()) and os.isatty(app.output.fileno())
    return False
