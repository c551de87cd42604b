"""Tables in play, what happens at them and what they then say: `tables/THEME.txt`.

A theme is a module of tests, and each section of its file one test, under the test's name.  A test takes
the fixture `chronicle`, tells it what happens, and compares it at last with the one kept.

At the margin stands what happens: `Anna> claim` is a line that Anna types, all else a test did or asked.
Below it stands what is new for the players then, behind its kind and their names ("all" of several tables):

    asks   the question, and in brackets how it is answered
    care   a warning beside a question of the table's own, before yes or no
    warn   the notice beside the question, in its tone: warn, bad, good or dim; `calm` when it goes
    news   a new line of the history
    chat   a new message
    link   how the others are connected
    page   a page that opens, or closes

What differs from run to run, as a path does, has no place there.  `make golden` writes all chronicles anew:
read the difference.
"""

from __future__ import annotations

import difflib
import fcntl
import os
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from cli.table.orders import actions
from cli.table.scene import presentation
from cli.table.seat.controller import TableController
from cli.text.layout import words

FOLDER: Final = Path(__file__).parent / "tables"
_INDENT: Final = " " * 9
Line = tuple[str, str]
"""A kind and a text, which may have several lines."""


class Chronicle:
    """What happens at some tables, step by step, with what is new at each of them."""

    def __init__(self, module: Path, test: str) -> None:
        """Of a test, which stands in that module."""
        self.module, self.title = module, _title(test)
        self.compared = False
        self._parts: list[str] = []
        self._looks: dict[TableController, _Look] = {}
        self._pump: Callable[[], None] = lambda: None

    def watch(self, *tables: TableController, pump: Callable[[], None] | None = None) -> None:
        """Tell what is new at these tables from now on; `pump` delivers what is under way between them."""
        self._looks = {table: self._looks.get(table) or _Look(table) for table in tables}
        self._pump = pump or self._pump

    def type(self, table: TableController, *lines: str) -> None:
        """A player types lines, one after the other."""
        for line in lines:
            actions.enter(table, line)
            self._pump()
            if table.notice is not None and table in self._looks:
                self._looks[table].forget(table.notice)  # an answer, also where it is the one of before
            self.happen(f"{_name(table)}> {line}".rstrip())

    def happen(self, what: str) -> None:
        """Something has happened just now, in these words: tell what is new at all tables."""
        new: dict[Line, list[str]] = {}
        for table, look in self._looks.items():
            for line in look.news():
                new.setdefault(line, []).append(_name(table))
        everybody = [_name(table) for table in self._looks]
        lines = []
        for (kind, text), names in new.items():
            who = "all" if names == everybody and len(names) > 1 else ", ".join(names)
            first, *others = text.split("\n")
            lines += [f"  {kind:<4} {who}: {first}".removesuffix(": "), *(_INDENT + line for line in others)]
        self._add(what, lines)

    def show(self, what: str, *texts: str) -> None:
        """Ask something outside the tables: what it says."""
        self._add(what, [f"  {line}" for text in texts for line in text.split("\n")])

    def _add(self, what: str, lines: Iterable[str]) -> None:
        self._parts.append("\n".join([what, *map(str.rstrip, lines)]))

    @property
    def text(self) -> str:
        """All of it so far."""
        return "\n\n".join(self._parts)


class _Look:
    """What a player has seen of a table."""

    def __init__(self, table: TableController) -> None:
        self._table = table
        self._before: dict[str, str] = {}
        self._history: list[str] = []
        self._chat: list[str] = []
        deque(self.news(), maxlen=0)  # what is there when one begins to look is no news

    def forget(self, line: Line) -> None:
        """Tell this again if it still holds."""
        if self._before.get(line[0]) == line[1]:
            del self._before[line[0]]

    def news(self) -> Iterator[Line]:
        """What is new since the last look."""
        table = self._table
        table.refresh()
        yield from self._told()
        tone, alert = presentation.alert(table) or ("calm", "")
        care = "" if table.pending is None else "\n".join(table.pending.warnings)
        page = "is closed"
        if table.page is not None:
            page = "\n".join([table.page.title, *(f"| {words(line)}" for line in table.page.lines)])
        mark, link = presentation.link(table)
        asked, how = presentation.question(table)
        now = {
            "link": f"{link} ({mark})",
            tone: alert,
            "asks": f"{asked} [{how}]" if how else asked,
            "care": care,
            "page": page,
        }
        before, self._before = self._before, now
        yield from (line for line in now.items() if line not in before.items() and line != ("care", ""))

    def _told(self) -> Iterator[Line]:
        """New lines of history and chat; all of them where they begin anew, as in a return match."""
        log = self._table.log
        chat = [f"{name}: {text}" for _, name, text in log.chat]
        for kind, before, now in (("news", self._history, log.history), ("chat", self._chat, chat)):
            known = len(before) if now[: len(before)] == before else 0
            yield from ((kind, text) for text in now[known:])
        self._history, self._chat = list(log.history), chat


def _name(table: TableController) -> str:
    return table.players.names[table.replica.seat]


def assert_as_kept(chronicle: Chronicle) -> None:
    """Compare a chronicle with the section that is kept of it.

    With GOLDEN=1 the section is written anew, and those of tests that tell no chronicle any more go.
    """
    chronicle.compared = True
    assert chronicle.text, "a chronicle that tells nothing"
    path = FOLDER / f"{chronicle.module.stem.removeprefix('test_')}.txt"
    if os.environ.get("GOLDEN"):
        _write(path, chronicle)
    kept = _sections(path.read_text(encoding="utf-8") if path.exists() else "")
    unknown = kept.keys() - set(_tests(chronicle.module))
    assert not unknown, f"{path.name} has sections of no test: {', '.join(unknown)}"
    before, now = kept.get(chronicle.title, "").split("\n"), chronicle.text.split("\n")
    if before != now:
        lines = difflib.unified_diff(before, now, "kept", "told", lineterm="", n=9)
        raise AssertionError("\n".join([f"{path.name}, {chronicle.title}:", *lines]))


def _write(path: Path, chronicle: Chronicle) -> None:
    with path.open("a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # other workers write other sections of it
        file.seek(0)
        sections = _sections(file.read()) | {chronicle.title: chronicle.text}
        file.truncate(0)
        kept = [
            f"== {title}\n\n{sections[title]}\n" for title in _tests(chronicle.module) if title in sections
        ]
        file.write("\n".join(kept))


def _sections(text: str) -> dict[str, str]:
    """The sections of a file, by title."""
    parts = (part.partition("\n") for part in re.split(r"^== ", text, flags=re.MULTILINE)[1:])
    return {title: body.strip("\n") for title, _, body in parts}


def _tests(module: Path) -> list[str]:
    """The titles of the tests of a module that tell a chronicle, in their order."""
    hits = re.findall(r"def (test_\w+)\(([^)]*)\)", module.read_text(encoding="utf-8"))
    return [_title(test) for test, parameters in hits if "chronicle: Chronicle" in parameters]


def _title(test: str) -> str:
    """The name of a test as the sentence that it is."""
    return test.removeprefix("test_").replace("_", " ")
