"""The keys of a table's screen: when each counts, and its effect."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias

from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.key_binding.bindings.named_commands import get_by_name
from prompt_toolkit.keys import Keys

from cli.screen.match.hands import KeyActions
from cli.table.scene.keybar import PAGE_KEYS

_EDITS: Final = {
    "c-a": "beginning-of-line",
    "c-e": "end-of-line",
    "c-k": "kill-line",
    "c-u": "unix-line-discard",
    "c-w": "unix-word-rubout",
}
"""Keys that edit a line, and the toolkit's names for them; on a selected line the toolkit does otherwise."""
Bind: TypeAlias = Callable[..., None]
"""Takes a key, its action, and the condition under which it counts; by default always."""


def bindings(hands: KeyActions) -> KeyBindings:
    """The bindings for the application that shows `hands`."""
    keys = KeyBindings()

    def on(key: str, action: Callable[[], object], when: Callable[[], bool] = lambda: True) -> None:
        def pressed(event: KeyPressEvent) -> None:
            action()
            event.app.invalidate()

        # Eager: a lone Esc must not wait for a key that could follow it in an emacs binding.
        keys.add(key, filter=Condition(when), eager=key == "escape")(pressed)

    _typing(keys, on, hands)
    _pages(on, hands)

    def nothing() -> None:
        """The key has ended a film."""

    on("enter", nothing, lambda: hands.only_skips)
    on("escape", nothing, lambda: hands.only_skips)
    on(" ", nothing, lambda: hands.only_skips and hands.line.empty)
    for key in ("c-q", "c-c", "c-d"):
        on(key, hands.leave)

    def suspend(event: KeyPressEvent) -> None:
        """To the background, as a shell's user expects; the match goes on with the program."""
        event.app.suspend_to_background()
        event.app.invalidate()

    def redraw(event: KeyPressEvent) -> None:
        event.app.renderer.clear()
        event.app.invalidate()

    keys.add("c-z")(suspend)
    keys.add("c-l")(redraw)
    return keys


def _typing(keys: KeyBindings, on: Bind, hands: KeyActions) -> None:
    """The keys that write into the line, choose or point."""
    line = hands.line

    def picking() -> bool:
        return line.empty or line.picked is not None or line.listed == "settings"

    def given() -> bool:
        return line.listed is None and (line.points() or bool(line.typing.given))

    on("up", lambda: hands.arrow("up"))
    on("down", lambda: hands.arrow("down"))
    on("left", lambda: hands.arrow("left"), lambda: picking() or line.points())
    on(
        "right",
        lambda: hands.arrow("right"),
        lambda: picking() or line.points() or line.buffer.text.endswith(" "),
    )
    keys.add(Keys.Any, filter=Condition(given))(lambda event: hands.press(event.data))
    keys.add(Keys.BracketedPaste, filter=Condition(given))(
        lambda event: line.write(" ".join(event.data.splitlines()))
    )
    settings = Condition(lambda: line.listed == "settings")
    keys.add(Keys.Any, filter=settings)(lambda event: hands.press_in_settings(event.data))
    keys.add(Keys.BracketedPaste, filter=settings)(lambda _: None)
    on("enter", line.enter_again, lambda: line.selected)
    on("backspace", line.backspace, lambda: line.selected)
    on(" ", line.append, lambda: line.selected)
    keys.add(Keys.BracketedPaste, filter=Condition(lambda: line.selected))(
        lambda event: line.paste(event.data)
    )
    for key, name in _EDITS.items():
        keys.add(key, filter=Condition(lambda: line.selected))(partial(_edited, hands, name))
    on("tab", hands.tab)
    on("s-tab", hands.next_answer)
    on("escape", hands.escape)
    on("c-_", hands.undo)


def _edited(hands: KeyActions, name: str, event: KeyPressEvent) -> None:
    """Edit a line that came back like any other line."""
    hands.line.buffer.exit_selection()
    get_by_name(name).handler(event)


def _pages(on: Bind, hands: KeyActions) -> None:
    """The keys that open and scroll pages and lists, and those that switch panels and notes."""
    line = hands.line
    on("pageup", lambda: hands.scroll(-0.9))
    on("pagedown", lambda: hands.scroll(0.9))
    for key, order in PAGE_KEYS.items():
        on(key, lambda order=order: hands.open(order.value))
    on("?", lambda: hands.open("help"), lambda: line.empty)
    on(":", lambda: hands.list("commands"), lambda: line.empty and hands.table.pending is None)
    on("c-p", lambda: hands.list("commands"))
    on("f10", lambda: hands.list("settings"))
    on("f2", hands.next_side)
    on("f3", hands.toggle_notes)
    on("f6", lambda: hands.open("coach"))
