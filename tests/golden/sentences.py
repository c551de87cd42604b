"""Sentences of a game, by what is typed or looked at: `sentences/THEME.txt`.

`[the Scout is exhausted]` is a place: a moment of a game that the test knows by this name.  What the place
itself says stands below it.  `> 1 4` is typed there; `Boris> 1 4` is typed by Boris, where several sit, and
`> Chen's links break` happens there.  What is shown for it stands below: `  ` begins a sentence, `? ` a
warning before the decision is made, `! ` a refusal with its type.  `# ` begins a remark.

A new case is a new line `> ...`.  `make golden` writes all answers anew: read the difference.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import unified_diff
from pathlib import Path
from typing import Any, Final, NamedTuple

from cli.games.interface import GameTerminal, Misunderstood, PlannedAnswers, Players, ViewContext
from cli.table.orders import actions
from cli.table.scene import presentation
from cli.table.seat.controller import TableController
from cli.text.layout import words
from p2p_stratego.core.view import View

FOLDER: Final = Path(__file__).parent / "sentences"
LONGEST: Final = 250
"""Letters of a refusal: three rows of the smallest screen."""
_TYPED: Final = re.compile(r"(\w*)> ?(.*)")
_CODE: Final = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4}))")


class Row(NamedTuple):
    """A place that is looked at, or a line that is typed there."""

    place: str
    who: str = ""
    """The name of the player who types."""
    typed: str | None = None
    """None: nothing is typed, the place itself is looked at."""


Answer = Callable[[Row], Iterator[str]]
"""What is shown for a row: sentences, behind which Misunderstood may be raised."""


def assert_answers(theme: str, answer: Answer, **names: object) -> None:
    """Type all lines of a theme, one after another, and compare what is shown with what is kept.

    `names`: by the name in braces, the text that it stands for.
    """
    path = FOLDER / f"{theme}.txt"
    kept = path.read_text(encoding="utf-8")
    text = "".join(f"{line}\n" for line in _answered(kept, answer, names))
    if os.environ.get("GOLDEN"):
        path.write_text(text, encoding="utf-8")
        kept = text
    assert text == kept, "\n".join(unified_diff(kept.splitlines(), text.splitlines(), "kept", "shown", n=1))


def _answered(kept: str, answer: Answer, names: Mapping[str, object]) -> Iterator[str]:
    """The rows and remarks of a theme as they are, and what is shown for each row now."""
    place = ""
    for line in kept.splitlines():
        row = _TYPED.fullmatch(line)
        if line[:1] in (" ", "!", "?"):
            continue  # what was shown
        yield line
        if row is not None:
            typed = _CODE.sub(lambda code: chr(int(code[1] or code[2], 16)), row[2])
            for name, text in names.items():
                typed = typed.replace(f"{{{name}}}", str(text))
            yield from _shown(answer, Row(place, row[1], typed), names)
        elif line.startswith("["):
            place = line.strip("[]")
            yield from _shown(answer, Row(place), names)


def _shown(answer: Answer, row: Row, names: Mapping[str, object]) -> Iterator[str]:
    for line in _with_refusal(answer(row)):
        text = line.replace("\u00a0", " ")
        for name, meant in names.items():
            text = text.replace(str(meant), f"{{{name}}}")
        text = "".join(
            character if character.isprintable() else f"\\x{ord(character):02x}" for character in text
        )
        yield (text if text[:2] in ("! ", "? ") else f"  {text}").rstrip() or "  ."


def _with_refusal(lines: Iterable[str]) -> Iterator[str]:
    try:
        yield from lines
    except Misunderstood as refused:
        yield _refusal(refused)


def _refusal(refused: Misunderstood) -> str:
    """A refusal as it is kept; it is a sentence of printable characters, and not too long for a screen."""
    text = str(refused)
    assert text.endswith((".", "?")), text
    assert text.isprintable(), text
    assert len(text) < LONGEST, text
    return f"! {type(refused).__name__}: {text}"


def asked(terminal: GameTerminal, view: View[Any], players: Players) -> Iterator[str]:
    """The question of a moment, and how to answer it."""
    question = terminal.questions.question(view, players)
    if question is not None:
        yield question.text
        yield f"Type {question.at_table}."


def decided(terminal: GameTerminal, view: View[Any], typed: str) -> Iterator[str]:
    """The decision that a typed line means, in words, and the warnings before it is made."""
    decision = terminal.questions.read(view, typed)
    if isinstance(decision, PlannedAnswers):
        yield f"{decision.first}, then {', '.join(map(str, decision.then)) or 'nothing'}"
    else:
        yield terminal.questions.spoken(view, decision)
        yield from (f"? {warning}" for warning in terminal.questions.warnings(view, decision))


def offered(terminal: GameTerminal, context: ViewContext) -> Iterator[str]:
    """All answers that are offered, as they are shown."""
    choices = terminal.questions.choices(context)
    if choices:
        yield f"Offered: {' · '.join(choice.shown for choice in choices)}"


def explained(terminal: GameTerminal, context: ViewContext) -> Iterator[str]:
    """The line about what is typed so far, or pointed at."""
    text = words(terminal.panels.explain(context)).strip()
    if text:
        yield text


def read_out(terminal: GameTerminal, context: ViewContext, page: str) -> Iterator[str]:
    """A page of line mode by the word that opens it: `board`, `hand`, `notes` or `asked`."""
    description = terminal.description
    pages = {
        "board": description.board,
        "hand": description.hand,
        "notes": description.notes,
        "asked": description.asked,
    }
    yield from pages[page](context)


class Tables:
    """Tables at one match, and what each of them newly says after a line was typed at one."""

    def __init__(self, tables: Mapping[str, TableController], pump: Callable[[], object]) -> None:
        """`tables`: by the name of the player.  `pump`: delivers what is under way."""
        self._tables, self._pump = tables, pump
        self._before = {name: _Said("", "", 0, 0, None) for name in tables}

    def news(self) -> list[str]:
        """What each table says that it did not say before; what all say alike stands there once."""
        news: dict[str, list[str]] = {}
        for name, table in self._tables.items():
            table.refresh()
            before, now = self._before[name], _Said.of(table)
            self._before[name] = now
            news[name] = [*now.since(before, table)]
        first, *others = news.values()
        alike = [line for line in first if others and all(line in lines for lines in others)]
        return [
            *(f"all: {line}" for line in alike),
            *(f"{name}: {line}" for name, lines in news.items() for line in lines if line not in alike),
        ]

    def typed(self, who: str, line: str) -> list[str]:
        """The news after a line was typed."""
        self._before[who] = replace(self._before[who], notice="")  # a new line takes it away
        actions.enter(self._tables[who], line)
        self._pump()
        return self.news()


@dataclass(frozen=True)
class _Said:
    """What a table says."""

    question: str
    notice: str
    history: int
    chat: int
    page: object

    @classmethod
    def of(cls, table: TableController) -> _Said:
        text, how = presentation.question(table)
        question = f"{text} Type {how}." if how else text
        if table.pending is not None:
            question = " ".join([*table.pending.warnings, text])
        notice, log = table.notice, table.log
        return cls(question, notice[1] if notice else "", len(log.history), len(log.chat), table.page)

    def since(self, before: _Said, table: TableController) -> Iterator[str]:
        yield from table.log.history[before.history :]
        yield from (f"{name} says: {text}" for _, name, text in table.log.chat[before.chat :])
        if table.page is not None and table.page is not before.page:
            match = Path(table.replica.store.path).parent.name
            lines = [f"─ {table.page.title} ─", *map(words, table.page.lines)]
            yield from (line.replace(match[:8], "{MATCH}") for line in lines if line)
        if self.notice != before.notice and self.notice:
            yield self.notice
        if self.question != before.question:
            yield self.question
