"""Figures of a game, in a file of JSON beside its modules, which a program of the benchmarks writes."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def figures(package: str, file: str) -> Any:
    """The value in a `file` of this package, read when it is first asked for; nobody changes it.

    It came with the program, as the modules did: only a broken installation lacks it (FileNotFoundError).
    """
    return json.loads(files(package).joinpath(file).read_text(encoding="utf-8"))
