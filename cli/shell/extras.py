"""Libraries that only some commands need, and that are installed on their own."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from types import MappingProxyType
from typing import Final

from cli.shell.exit_codes import Exit, Sorry
from p2p_stratego.core.language import _

EXTRAS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {"archive": ("pyarrow", "deltalake", "duckdb", "pytz"), "cluster": ("ray",)}
)
"""By extra of pyproject.toml: the modules that it brings."""


def need(extra: str, *, by: str) -> None:
    """Raise Sorry with the line that installs an extra, if it lacks; `by`: the command that needs it."""
    if all(map(find_spec, EXTRAS[extra])):
        return
    raise Sorry(
        _(
            "{command} needs libraries that are not installed yet. This line installs them: {line}",
            command=by,
            line=f"pip install 'p2p-stratego[{extra}]'",
        ),
        Exit.CONFIG,
    )
