"""What `pipx install` would unpack."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("p2p_stratego", "protocol", "cli")
SUFFIXES = (".py", ".json", ".p2ps", ".mjs", ".html", ".css", ".po", ".mo")
"""Of modules, and of the figures, pages and languages that they read."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    # The backend itself, not through pip, which would fetch another one from the network.
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (path,) = folder.iterdir()
    return zipfile.ZipFile(path)


def test_the_wheel_holds_the_three_packages_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    tops = {name.partition("/")[0] for name in wheel.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == set(PACKAGES)
    outside = ("tests/", "test_", "benchmark", "example")
    assert not [name for name in wheel.namelist() if any(word in name for word in outside)]


@pytest.mark.parametrize("package", PACKAGES)
def test_every_module_and_the_types_marker_are_in_the_wheel(wheel: zipfile.ZipFile, package: str) -> None:
    written = [path for path in (ROOT / package).rglob("*") if path.suffix in SUFFIXES]
    sources = {str(path.relative_to(ROOT)) for path in written}
    assert sources | {f"{package}/py.typed"} == {n for n in wheel.namelist() if n.startswith(f"{package}/")}


def test_the_wheel_gives_the_command_and_the_licence(wheel: zipfile.ZipFile) -> None:
    (info,) = {name.partition("/")[0] for name in wheel.namelist() if ".dist-info/" in name}
    assert b"p2p-stratego = cli.__main__:main" in wheel.read(f"{info}/entry_points.txt")
    assert f"{info}/licenses/LICENSE" in wheel.namelist()


@pytest.mark.parametrize("game", ["guess", "liars-dice"])
def test_an_example_is_a_package_that_the_program_finds(tmp_path: Path, game: str) -> None:
    """Built as `pip install ./examples/GAME` would, and unpacked where Python looks for modules."""
    source, site = tmp_path / "source", tmp_path / "site"
    shutil.copytree(ROOT / "examples" / game, source, ignore=shutil.ignore_patterns("__pycache__"))
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist")]
    subprocess.run(build, cwd=source, check=True, capture_output=True)
    (path,) = (tmp_path / "dist").iterdir()
    with zipfile.ZipFile(path) as wheel:
        wheel.extractall(site)
    # Not through PYTHONPATH's neighbours in the tree: only what was packed is there.
    environment = {**os.environ, "PYTHONPATH": f"{site}:{ROOT}", "LANGUAGE": "de", "LC_ALL": "de_DE.UTF-8"}
    process = subprocess.run(
        [sys.executable, "-P", "-m", "cli", "rules", "--game", game],
        cwd=tmp_path, env=environment, check=True, capture_output=True, text=True, encoding="utf-8",
    )  # fmt: skip
    assert process.stderr == ""
    assert ("Habe noch Würfel" if game == "liars-dice" else "Find the high card") in process.stdout
