"""Figures of a game, in a file of JSON beside its modules, which a program of the benchmarks writes."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from p2p_stratego.core import strict_json


@cache
def figures(package: str, file: str) -> Any:
    """The value in a `file` of this package, read when it is first asked for; nobody changes it.

    It came with the program, as the modules did: only a broken installation lacks it (FileNotFoundError).
    """
    return strict_json.read_shipped(files(package).joinpath(file).read_bytes())
