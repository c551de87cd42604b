"""Commands as they are typed, and what they say: `dialogues/THEME.txt`.

A file is read line by line.  `> rules foo` is typed behind the program's name, as a shell would take it
apart.  What comes behind it is the answer: `  ` begins a line of standard output, `! ` one of standard error,
and `= 64` is the exit code, unless it is 0.  `# ` begins a remark, which stays with the command behind it.
A name in braces stands for what differs from run to run, or is too long to read; `\\x1b` for a character
that no editor shows.

A new command is a new line `> ...`.  `make golden` writes all answers anew: read the difference.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import Final
from unittest.mock import patch

from tests.helpers.program.commands import Call, Called

FOLDER: Final = Path(__file__).parent / "dialogues"
_CODE: Final = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4}))")
_SIZE: Final = {"COLUMNS": "80", "LINES": "24"}


def assert_said(theme: str, call: Call, **names: object) -> list[Called]:
    """Type all commands of a theme, one after another, and compare what they say with what is kept.

    Returns the answers.  `names`: by the name in braces, the text that it stands for.
    """
    path = FOLDER / f"{theme}.txt"
    kept = path.read_text(encoding="utf-8")
    texts = {f"{{{name}}}": str(text) for name, text in names.items()}
    names_of = {text: name for name, text in texts.items()}
    answers: list[Called] = []
    shown = []
    with patch.dict(os.environ, _SIZE):
        for part in kept.split("\n\n"):
            lines = part.strip("\n").split("\n")
            typed = next(line for line in lines if line.startswith("> "))
            answers.append(call(*_words(typed[2:], texts)))
            remarks = [line for line in lines if line.startswith("#")]
            shown.append("\n".join([*remarks, typed, *_answer(answers[-1], names_of)]))
    text = "\n\n".join(shown) + "\n"
    if os.environ.get("GOLDEN"):
        path.write_text(text, encoding="utf-8")
        kept = text
    assert text == kept
    return answers


def _words(typed: str, texts: dict[str, str]) -> Iterator[str]:
    for word in shlex.split(typed):
        yield _CODE.sub(lambda code: chr(int(code[1] or code[2], 16)), _replaced(word, texts))


def _answer(told: Called, names: dict[str, str]) -> Iterator[str]:
    for line in told.out.splitlines():
        yield f"  {_replaced(line, names)}".rstrip() or "  ."
    for line in told.err.splitlines():
        yield f"! {_replaced(line, names)}"
    if told.code:
        yield f"= {told.code}"


def _replaced(text: str, others: dict[str, str]) -> str:
    return reduce(lambda so_far, pair: so_far.replace(*pair), others.items(), text)
