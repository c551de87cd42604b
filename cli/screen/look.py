"""The colours of an application, which follow the settings and the terminal's background while it runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from prompt_toolkit.styles import DynamicStyle

from cli.text import theme
from cli.text.background import QUERY, Answers, can_be_asked, guessed
from cli.text.theme import Shade

if TYPE_CHECKING:
    from prompt_toolkit import Application
    from prompt_toolkit.output import ColorDepth
    from prompt_toolkit.styles import Style

_ENOUGH: Final = 256
"""Colours from which on a theme is for a dark or a light background; fewer are the terminal's own."""
_seen: list[Shade] = []
"""The shade that this process's terminal answered last, for the application that comes next."""


@lru_cache(8)
def _style(wanted: str, count: int, shade: Shade | None) -> Style:
    return theme.style(wanted, count, shade)


class Look:
    """Of one application."""

    def __init__(self, wanted: Callable[[], str], environment: Mapping[str, str] = os.environ) -> None:
        """`wanted`: the theme that the settings name now."""
        self._wanted, self._environment = wanted, environment
        self._count = theme.colours(environment)
        self._shade = _seen[-1] if _seen else guessed(environment)
        self._asked = False
        self.style: Final = DynamicStyle(lambda: _style(wanted(), self._count, self._shade))

    @property
    def depth(self) -> ColorDepth:
        """How many colours to send."""
        return theme.depth(self._count)

    def follow(self, app: Application[Any]) -> None:
        """Ask the terminal of `app` for its background when it is drawn first, and draw in its shade once it
        answers: nothing waits for that.
        """
        parser = getattr(app.input, "vt100_parser", None)
        if parser is None:
            return

        def told(shade: Shade) -> None:
            _seen[:] = [shade]
            if shade != self._shade:
                self._shade = shade
                app.invalidate()

        answers, feed = Answers(told), parser.feed
        parser.feed = lambda data: feed(answers.keep(data))
        app.before_render += lambda _: self._ask(app)

    def _ask(self, app: Application[Any]) -> None:
        """Ask once, when it matters."""
        if self._asked or self._wanted() != "auto" or self._count < _ENOUGH:
            return
        self._asked = True
        if can_be_asked(self._environment):
            app.output.write_raw(QUERY)
            app.output.flush()
