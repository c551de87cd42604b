"""Draws docs/page*.webp: a bot game, its page, and what Chromium shows of it.

`make picture` runs it, where there is a Chromium.  The game follows from a seed, so that only another browser
or another font makes another picture.
"""

from __future__ import annotations

import base64
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

from tests.helpers.machine.browser import Browser, commands, running

FOLDER: Final = Path(__file__).parent
SEED: Final = "7"


class Picture(NamedTuple):
    """One picture: its file, the game, the step shown, the view, and the window."""

    file: str
    game: str
    step: int
    view: str
    columns: int
    rows: int
    dark: bool


PICTURES: Final = (
    Picture("page.webp", "stratego", 66, "all", 1200, 780, dark=False),
    Picture("page-phone.webp", "spies-and-lies", 9, "0", 390, 820, dark=True),
)


def page(game: str, folder: Path) -> Path:
    """The page of a game between two bots."""
    program = [sys.executable, "-m", "cli", "--language", "en"]
    home, out = folder / "home", folder / f"{game}.html"
    subprocess.run(
        [*program, "demo", game, "--seed", SEED, "--fast", "--home", home],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    record = next(home.glob("demo/1/*/games/*/transcript.p2ps"))
    subprocess.run([*program, "export", record, "--html", out], check=True, stdout=subprocess.DEVNULL)
    return out


def draw(window: Browser, picture: Picture, folder: Path) -> None:
    """Write one picture."""
    window.size(picture.columns, picture.rows, dark=picture.dark)
    window.open(page(picture.game, folder), f"#{picture.step}")
    window.run("document.querySelector(`input[name=view][value='${arguments[0]}']`).click()", picture.view)
    shot = window.devtools("Page.captureScreenshot", format="webp", quality=88)
    FOLDER.joinpath(picture.file).write_bytes(base64.b64decode(shot["data"]))


def main() -> int:
    """Draw all pictures, if there is a browser."""
    if commands() is None:
        sys.stderr.write("There is no Chromium with its chromedriver: docs/page*.webp stay as they are.\n")
        return 0
    with running() as window:
        for picture in PICTURES:
            with tempfile.TemporaryDirectory() as folder:
                draw(window, picture, Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
