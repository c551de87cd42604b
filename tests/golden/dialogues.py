"""Commands as they are typed, and what they say: `dialogues/THEME.txt`.

A file is read line by line.  `> rules foo` is typed behind the program's name, as a shell would take it
apart; `< leave` below it is a line typed in answer to the command.  What comes behind is the answer: `  `
begins a line of standard output, `! ` one of standard error, and `= 64` is the exit code, unless it is 0.
`# ` begins a remark, which stays with the command behind it.  A name in braces stands for what differs from
run to run, or is too long to read; `\\x1b` for a character that no editor shows.

`assert_said` types the commands of a file: a new one is a new line `> ...`.  `assert_told` is for a test
that does more than type: it compares some lines with those kept below the name of a situation, in
`told/THEME.txt`, where `> ` begins that name.  `make golden` writes all answers anew: read the difference.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Collection, Iterator
from difflib import unified_diff
from functools import reduce
from pathlib import Path
from typing import Final
from unittest.mock import patch

from tests.helpers.program.commands import Call, Called

FOLDER: Final = Path(__file__).parent / "dialogues"
_CODE: Final = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4}))")
_WRAPPED: Final = 60
"""Cells of a line that may go on in the next."""
_ENDS: Final = (".", "?", "!", ":", "`", ")")
_SIZE: Final = {"COLUMNS": "80", "LINES": "24"}


VARYING: Final[dict[str, object]] = {
    "HOME": re.compile(r"--home \S+"),
    "FINGERPRINT": re.compile(r"\b[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}\b"),
    "ID": re.compile(r"\b[0-9a-f]{8}\b"),
    "WHEN": re.compile(r"(?:\d{4}-)?\d\d-\d\d \d\d:\d\d"),
}
"""What differs in every match."""


class Names:
    """What differs from run to run, by its name in braces: a text, or the pattern of such texts."""

    def __init__(self, names: dict[str, object]) -> None:
        plain = {name: text for name, text in names.items() if not isinstance(text, re.Pattern)}
        self.texts = {f"{{{name}}}": str(text) for name, text in plain.items()}
        self._names = {text: name for name, text in self.texts.items()}
        self._patterns = [(text, name) for name, text in names.items() if isinstance(text, re.Pattern)]

    def answer(self, run: Called) -> Iterator[str]:
        """The lines of an answer, as a file has them."""
        for line in self._named(run.out).splitlines():
            yield f"  {line}".rstrip() or "  ."
        for line in self._named(run.err).splitlines():
            yield f"! {line}"
        if run.code:
            yield f"= {run.code}"

    def _named(self, text: str) -> str:
        text = _replaced(text, self._names)
        return reduce(
            lambda so_far, pattern: pattern[0].sub(f"{{{pattern[1]}}}", so_far), self._patterns, text
        )


def assert_said(theme: str, call: Call, **names: object) -> list[Called]:
    """Type all commands of a theme, one after another, and compare what they say with what is kept.

    Returns the answers.  `names`: by the name in braces, the text that it stands for, which can be typed,
    too; or the pattern of such texts.
    """
    path, known = FOLDER / f"{theme}.txt", Names(names)
    kept, answers, shown = path.read_text(encoding="utf-8"), list[Called](), []
    with patch.dict(os.environ, _SIZE):
        for part in _parts(kept):
            lines = part.split("\n")
            typed = next(line for line in lines if line.startswith("> "))
            behind = [line for line in lines if line.startswith("< ")]
            stdin = "".join(f"{_meant(line[2:], known.texts)}\n" for line in behind)
            answers.append(call(*_words(typed[2:], known.texts), stdin=stdin.encode()))
            remarks = [line for line in lines if line.startswith("#")]
            shown.append("\n".join([*remarks, typed, *behind, *known.answer(answers[-1])]))
    _compare(path, "\n\n".join(shown) + "\n")
    return answers


def assert_told(theme: str, situation: str, output: Called | str, *words: str, **names: object) -> None:
    """Compare the lines of `output` in which one of `words` stands, or all of them, with those that are kept.

    Each of `words` must stand in a line.  `names`: as for `assert_said`, beside VARYING.
    """
    output = output if isinstance(output, Called) else Called(0, output, "")
    missing = [word for word in words if word not in output.out + output.err]
    assert not missing, f"{missing} is not in: {output.out}{output.err}"
    answer = Called(output.code, _with(words, output.out), _with(words, output.err))
    path, heading = FOLDER / "told" / f"{theme}.txt", f"> {situation}"
    part = "\n".join([heading, *Names(VARYING | names).answer(answer)])
    others = _parts(path.read_text(encoding="utf-8")) if path.exists() else []
    at = next((at for at, other in enumerate(others) if heading in other.split("\n")), len(others))
    remarks = [line for other in others[at : at + 1] for line in other.split("\n") if line.startswith("#")]
    part = "\n".join([*remarks, part])
    _compare(path, "\n\n".join([*others[:at], part, *others[at + 1 :]]) + "\n")


def _with(words: Collection[str], text: str) -> str:
    """The lines of a text in which one of the words stands, each with the lines that its sentence was wrapped
    to; without words, all.
    """
    if not words:
        return text
    picked, lines = [], [line.strip().removeprefix("> ") for line in text.splitlines()]
    while lines:
        line = last = lines.pop(0)
        if any(word in line for word in words):
            while len(last) >= _WRAPPED and not last.endswith(_ENDS) and lines and lines[0]:
                last = lines.pop(0)
                line = f"{line} {last}"
            picked.append(line)
    return "\n".join(picked)


def _parts(text: str) -> list[str]:
    return text.strip("\n").split("\n\n")


def _compare(path: Path, text: str) -> None:
    if os.environ.get("GOLDEN"):
        path.write_text(text, encoding="utf-8")
    kept = path.read_text(encoding="utf-8") if path.exists() else ""
    assert text == kept, "\n".join(unified_diff(kept.split("\n"), text.split("\n"), "kept", "said"))


def _words(typed: str, texts: dict[str, str]) -> Iterator[str]:
    for word in shlex.split(typed):
        yield _meant(word, texts)


def _meant(typed: str, texts: dict[str, str]) -> str:
    return _CODE.sub(lambda code: chr(int(code[1] or code[2], 16)), _replaced(typed, texts))


def _replaced(text: str, others: dict[str, str]) -> str:
    return reduce(lambda so_far, pair: so_far.replace(*pair), others.items(), text)
