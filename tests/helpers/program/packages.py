"""Packages with games as installers leave them, in a folder of a test's own: nothing is installed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from cli.games import packages
from p2p_stratego.registry import ENTRIES

EXAMPLES = Path(__file__).parents[3] / "examples"


def install(site: Path, package: str, games: Mapping[str, str], **modules: str) -> None:
    """Describe `package` in the folder `site`, with the entry points `games`; `modules`: sources by name."""
    info = site / f"{package.replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    points = "".join(f"{name} = {place}\n" for name, place in games.items())
    (info / "entry_points.txt").write_text(f"[{packages.GROUP}]\n{points}")
    for name, source in modules.items():
        (site / f"{name}.py").write_text(source)


@contextmanager
def site(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on Python's path, here and in processes that are started; its games are gone afterwards."""
    path = folder / "site"
    path.mkdir()
    monkeypatch.syspath_prepend(path)
    monkeypatch.setenv("PYTHONPATH", f"{path}:{EXAMPLES / 'guess'}:{EXAMPLES / 'liars-dice'}")
    before = set(ENTRIES)
    try:
        yield path
    finally:
        for name in ENTRIES.keys() - before:
            packages.remove(name)
