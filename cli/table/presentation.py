"""The table on the screen: the question, the choices, the scene.  Pure readings of a TableController."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from cli.games.interface import THE_END, Choice, Question, ViewContext
from cli.table import afterwards, commands, connection, pages, readers, status
from cli.table.company import Fellow, clock_face
from cli.table.controller import TableController
from cli.table.events import checks
from cli.table.pages import COLUMNS
from cli.table.scene import Mode, Scene
from cli.text.layout import series
from cli.text.sanitize import escape
from cli.text.theme import Tone


@dataclass(frozen=True, slots=True)
class Typed:
    """What the player is doing at the input line."""

    text: str = ""
    picked: str | None = None
    """The choice that was taken over by an arrow key or a click."""
    stem: str = ""
    """The text typed before that: the choices that go on from it are still offered."""
    chatting: bool = False
    cursor: str = ""
    """The place of the board that is pointed at."""

    @property
    def offered_from(self) -> str:
        """The text that the offered choices go on from."""
        return self.text if self.picked is None else self.stem


def scene(table: TableController, typed: Typed | None = None) -> Scene:
    """Everything for the screen, with the typed text and the place pointed at."""
    line = typed or Typed()
    asked, how = question(table)
    if line.chatting and table.pending is None:
        asked, how = _chatting(table)
    if told := "" if table.pending else readers.addressed(table, line.text):
        asked, how = told, "your message, and Enter sends it"
    elif table.pending is None and table.timing.left is not None:
        asked = f"{time_left(table.timing.left)} {asked}"
    busy = table.pending is not None
    context = table.context_with("" if busy or line.chatting else line.text, line.cursor)
    mode: Mode = "confirm" if busy else "chat" if line.chatting else "move"
    log = table.log
    return Scene(
        terminal=table.terminal,
        banner=_banner(table, context),
        context=context,
        link=link(table),
        doing=doing(table),
        fellows=fellows(table),
        checked=checks(table.session).proofs,
        history=log.history,
        chat=log.chat,
        told=_told(table),
        own=log.own,
        proved=log.proved,
        record=escape(table.replica.store.path) if table.ended else "",
        alert=alert(table),
        goal=table.terminal.description.goal(context.view) if context and _goal_wanted(table) else "",
        question=asked,
        how=how,
        mode=mode,
        typed=line.text,
        choices=() if line.chatting else choices(table, line.offered_from),
        picked=line.picked,
        page=table.page,
        careful=table.pending.warnings if table.pending else (),
        side=table.side,
        keys=pages.keys(table.terminal),
    )


def _banner(table: TableController, context: ViewContext | None) -> str:
    """How far the game is; play that its rules did not end, as by a resignation, is over too."""
    if context is None:
        return "setting up"
    banner = table.terminal.description.banner(context.view)
    return banner + THE_END * (table.over and table.session.outcome is not None and THE_END not in banner)


def _goal_wanted(table: TableController) -> bool:
    return table.settings.goal and not table.over


def panels(table: TableController) -> list[str]:
    """The panels there are, by name."""
    context = table.context
    own = table.terminal.panels.panels(context, COLUMNS) if context else []
    names = [panel.name for panel in own]
    if fellows(table):
        names.insert(1, "table")
    return [*names, "chat", "history"]


def question(table: TableController) -> tuple[str, str]:
    """The question to the player, or the awaited decision; and how to answer, or nothing."""
    if table.pending is not None:
        return table.pending.question, "yes or no"
    outcome = table.session.outcome
    if outcome is not None and table.over:
        ending = afterwards.ending(table.session, outcome, table.players.names)
        return ending, afterwards.afterwards(table.replica, table.players)
    if status.has_left(table.replica):
        here = status.bots_here(table.replica, table.players)
        play = "it plays" if len(here) == 1 else "they play"
        bots = f" {series(list(here))} would leave with you: {play} in this program." if here else ""
        return status.LEFT + bots, "leave"
    if table.over:
        return afterwards.settling(table.replica, table.players), ""
    if table.timing.passing:
        return _PASSING, ""
    if table.asked:
        asked = _asked(table)
        if asked is not None:
            return asked.text, asked.how
    pausing = table.environment.keys and table.environment.pausing()
    waiting = status.waiting(table.replica, table.terminal, table.players)
    return waiting + " Enter goes on at once." * pausing, ""


_PASSING: Final = "You pass. It goes out in a moment, so that its moment tells nothing."


def time_left(seconds: float) -> str:
    """How long the open question still waits, as a clause of its own."""
    return f"{clock_face(math.ceil(seconds))} left."


def _told(table: TableController) -> Sequence[tuple[bool, str]]:
    """The news but for the end, which stands in the question."""
    outcome = table.session.outcome
    if outcome is None or not table.ended:
        return table.log.recent
    ending = afterwards.ending(table.session, outcome, table.players.names)
    return [each for each in table.log.recent if each[1] != ending]


def _chatting(table: TableController) -> tuple[str, str]:
    """The text in place of the question, while a message is typed."""
    waits = " Your question waits meanwhile." if table.asked else ""
    return f"A message to {others(table)}.{waits}", "it, and Enter sends it; Esc or Tab goes back to the game"


def others(table: TableController) -> str:
    """The other players, by name."""
    names = table.players.names
    return series([name for seat, name in enumerate(names) if seat != table.replica.seat])


def _asked(table: TableController) -> Question | None:
    context = table.context
    drafted = table.setting_up.question(context) if table.setting_up and context else None
    return drafted or table.terminal.questions.question(table.session.view, table.players)


def link(table: TableController) -> tuple[Tone, str]:
    """How the other side, or the table, is connected."""
    environment = table.environment
    return connection.link(table.replica, table.players, environment.rtt(), environment.clock())


def doing(table: TableController) -> tuple[str, ...]:
    """What is being done for a way to the others, or a better one: the longest form first."""
    return connection.doing(table.replica, table.players, table.environment.clock())


def fellows(table: TableController) -> tuple[Fellow, ...]:
    """The other players of a table of three or more."""
    return status.fellows(table.replica, table.players, table.environment.clock())


def alert(table: TableController) -> tuple[Tone, str] | None:
    """The notices besides the question, the most urgent first."""
    return table.notice or status.alert(table.replica, table.players, table.environment.clock())


def choices(table: TableController, typed: str) -> tuple[Choice, ...]:
    """The possible continuations of the typed text."""
    if table.pending is not None:
        return _words(("yes", "no"))
    if table.over:
        return _words(w for w in afterwards.offered(table.replica) if w.startswith(typed.strip().lower()))
    found = readers.choices(table, typed)
    if found:
        return found
    context = table.context_with(typed)
    if table.asked and context is not None:
        drafted = table.setting_up.choices(context) if table.setting_up else ()
        found = drafted or table.terminal.questions.choices(context)
        if not found and typed and table.notice is not None and (afresh := table.context) is not None:
            found = table.terminal.questions.choices(afresh)  # the line was refused: what would do instead
    return found or _words(commands.starting(typed, private=not readers.closed(table)))


def _words(words: Iterable[str]) -> tuple[Choice, ...]:
    return tuple(Choice(word, word) for word in words)
