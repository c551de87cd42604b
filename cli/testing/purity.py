"""Whether rules are pure: what they import and call, read from their syntax trees.

A rulebook that asks a clock, draws lots by itself or depends on the order of a hash would lead two honest
players to different states (threat 46), and be told from the other one by no auditor.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

PURE: Final = frozenset(
    """__future__ abc bisect collections contextlib contextvars copy dataclasses enum fractions functools
    heapq itertools json math operator re string textwrap types typing unicodedata""".split()  # noqa: SIM905 - words
)
"""Of the standard library: the modules without clock, randomness, cryptography, input or output."""
IMPURE_CALLS: Final = frozenset(
    "open print input exec eval compile __import__ hash id".split()  # noqa: SIM905 - one line of words
)
"""Functions that read, write, run text, or differ from process to process."""
_CORE: Final = "p2p_stratego.core"


def faults(file: Path, own: str) -> Iterator[str]:
    """What is not pure in the module `file`, a sentence each; `own`: the module or package of the rules."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        match node:
            case ast.Import():
                told = [f"imports {alias.name}" for alias in node.names if not _may(alias.name, own)]
            case ast.ImportFrom():
                module = "." * node.level + (node.module or "")
                told = [] if _may(module, own) else [f"imports {module}"]
            case ast.Call(func=ast.Name(called)) if called in IMPURE_CALLS:
                told = [f"calls {called}"]
            case _:
                continue
        yield from (f"{file.name}, line {node.lineno}, {each}" for each in told)


def _may(module: str, own: str) -> bool:
    """Whether rules may import a module."""
    inside = any(f"{module}.".startswith(f"{package}.") for package in (own, _CORE))
    return inside or module.partition(".")[0] in PURE
