"""The keys of a table's screen: which there are, when each counts, and what it does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from cli.screen.hands import Hands

PAGES: Final = {
    "f1": "help",
    "f4": "rules",
    "f5": "history",
    "f6": "checks",
    "f7": "looked",
    "f8": "records",
    "f9": "manifest",
}
"""By key, the command whose page it opens, and closes."""


def bindings(hands: Hands) -> KeyBindings:
    """The bindings for the application that shows `hands`."""
    keys, line = KeyBindings(), hands.line

    def on(key: str, action: Callable[[], object], when: Callable[[], bool] = lambda: True) -> None:
        def pressed(event: KeyPressEvent) -> None:
            action()
            event.app.invalidate()

        # Eager: a lone Esc must not wait for a key that could follow it in an emacs binding.
        keys.add(key, filter=Condition(when), eager=key == "escape")(pressed)

    def picking() -> bool:
        return line.empty or line.picked is not None

    def given() -> bool:
        return line.points() or bool(line.typing.given)

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
    on("enter", line.enter_again, lambda: line.selected)
    on("backspace", line.backspace, lambda: line.selected)
    on(" ", line.append, lambda: line.selected)
    keys.add(Keys.BracketedPaste, filter=Condition(lambda: line.selected))(
        lambda event: line.paste(event.data)
    )
    on("tab", hands.tab)
    on("escape", hands.escape)
    on("pageup", lambda: hands.scroll(-0.9))
    on("pagedown", lambda: hands.scroll(0.9))
    for key, command in PAGES.items():
        on(key, lambda command=command: hands.open(command))  # type: ignore[misc]  # a default binds it now
    on("?", lambda: hands.open("help"), lambda: line.empty)
    on("f2", hands.next_side)
    on("f3", hands.toggle_notes)
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
