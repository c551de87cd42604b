"""The set-ups in the home folder: drafts by name, and the draft for a match under way.

    setups/<game>/<name>.txt        saved by the player under a name, to be used again
    plans/<match>.txt               the draft for a match, until it stands on the board

Both are secrets of the player: readable by the owner only, as all files there (`protocol.storage.files`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

from cli.games.interface import NotPossible
from cli.shell.reading import read_file
from p2p_stratego.core.language import _
from protocol.failures import Missing
from protocol.storage.files import Folder

SETUPS: Final = "setups"
PLANS: Final = "plans"
_SUFFIX: Final = ".txt"
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
LONGEST: Final = 1 << 20
"""Bytes of a file that is read; thousands of set-ups fit."""


class SetupStore:
    """The two folders of one home."""

    def __init__(self, home: Path) -> None:
        """The folders are made when the first file is kept."""
        self._home = home

    def names(self, game: str) -> list[str]:
        """The names of a game's saved set-ups."""
        with suppress(Missing), self._folder(SETUPS, game) as folder:
            return [name.removesuffix(_SUFFIX) for name in folder.names() if name.endswith(_SUFFIX)]
        return []

    def load(self, game: str, name: str) -> str | None:
        """The set-up saved under a name; None if there is none."""
        if not _NAME.fullmatch(name.lower()):
            return None
        with suppress(Missing), self._folder(SETUPS, game) as folder:
            return folder.read(name.lower() + _SUFFIX).decode(errors="replace")
        return None

    def save(self, game: str, name: str, text: str) -> bool:
        """Save under a name; whether in place of an older one.  Raises NotPossible."""
        if not _NAME.fullmatch(name.lower()):
            raise NotPossible(_("A name has 1 to 32 letters, digits and hyphens, and begins with no hyphen."))
        with self._folder(SETUPS, game, create=True) as folder:
            there = name.lower() + _SUFFIX in folder.names()
            folder.replace(name.lower() + _SUFFIX, text.encode())
        return there

    def plan(self, match: str) -> str | None:
        """The draft for the match with this id (hex digits); None if there is none."""
        with suppress(Missing), self._folder(PLANS) as folder:
            return folder.read(match + _SUFFIX).decode(errors="replace")
        return None

    def keep_plan(self, match: str, text: str) -> None:
        """Keep it, on the disk before this returns."""
        with self._folder(PLANS, create=True) as folder:
            folder.replace(match + _SUFFIX, text.encode())

    def drop_plan(self, match: str) -> None:
        """Remove it, once it stands on the board."""
        with suppress(Missing), self._folder(PLANS) as folder:
            folder.remove(match + _SUFFIX)

    @contextmanager
    def _folder(self, *names: str, create: bool = False) -> Iterator[Folder]:
        """The folder at the end of these names.  Raises Missing, unless `create`."""
        with ExitStack() as stack:
            folder = stack.enter_context(Folder.at(self._home))
            for name in names:
                folder = stack.enter_context(folder.folder(name, create=create))
            yield folder


def from_file(path: str) -> str:
    """The text of a file that the player names.  Raises as read_file, and NotPossible if it is too long."""
    data = read_file(Path(path).expanduser(), LONGEST + 1)
    if len(data) > LONGEST:
        raise NotPossible(_("That file is far too long for set-ups."))
    return data.decode(errors="replace")
