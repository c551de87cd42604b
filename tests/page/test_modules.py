"""The page's modules: their own tests, and the rules of the house for their sources."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from tests.helpers.machine.node import ROOT, run_node

MODULES: Final = sorted((ROOT / "cli/page").rglob("*.mjs"))
TESTS: Final = sorted((ROOT / "tests/page/modules").glob("*.test.mjs"))
LONGEST: Final = 500
"""Lines: a longer module is two."""
_IMPORT = re.compile(r"^import (\{[^}]*\}) from '([^']+)';$", re.MULTILINE)
_TOP = re.compile(
    r"^(?:export )?(?:async )?(?:function\*?|class|const|let|var) +(\w+|[\[{][^=]*)", re.MULTILINE
)
_COMMENT = re.compile(r"/\*\*.*?\*/|//[^\n]*", re.DOTALL)
_UNSAFE = re.compile(r"\b(eval|innerHTML|outerHTML|insertAdjacentHTML|document\.write|new Function|with ?\()")


def test_the_modules_pass_their_own_tests() -> None:
    together = "".join(f"import {path.as_uri()!r};" for path in TESTS)  # `node --test` starts one for each
    run = run_node(["--test-reporter=spec", "--input-type=module", "--eval", together])
    text = (run.stdout + run.stderr).decode()
    assert run.returncode == 0, text
    assert int(re.findall(r"^\S* ?pass (\d+)$", text, re.MULTILINE)[0]) >= len(TESTS)


def test_modules_can_be_joined_into_one_script() -> None:
    """No two declare one name, and each imports by names only, from modules of the page."""
    names: Counter[str] = Counter()
    for path in MODULES:
        text = path.read_text(encoding="utf-8")
        names.update(_TOP.findall(text))
        sources = [source for _, source in _IMPORT.findall(text)]
        assert len(sources) == len(re.findall(r"^import\b", text, re.MULTILINE)), path
        assert all(source[0] == "." for source in sources), path
        assert {(path.parent / source).resolve() for source in sources} <= {*MODULES}, path
        code = _COMMENT.sub("", text)
        assert not re.search(r"^export (default|\{|\*)|\bimport\(", code, re.MULTILINE), path
        assert " as " not in "".join(names for names, _ in _IMPORT.findall(text)), path
    assert [name for name, times in names.items() if times > 1] == []


@pytest.mark.parametrize("path", [*MODULES, *TESTS], ids=lambda path: path.name)
def test_modules_stay_short(path: Path) -> None:
    assert path.read_text(encoding="utf-8").count("\n") <= LONGEST


def test_row_92_no_module_makes_code_or_markup_from_text() -> None:
    unsafe = {path.name: _UNSAFE.findall(path.read_text(encoding="utf-8")) for path in MODULES}
    assert {name: words for name, words in unsafe.items() if words} == {}
