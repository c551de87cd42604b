"""The set-ups in the home folder: drafts by name, and the draft for a match under way.

    setups/<game>/<name>.txt        saved by the player under a name, to be used again
    plans/<match>.txt               the draft for a match, until it stands on the board

Both are secrets of the player: readable by the owner only, as all files there (`protocol.storage.files`).
NamedSetups finds a name in them, among the game's templates and in files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cli.games.interface import Misunderstood, NotPossible, SetupEditor
from cli.shell.named_files import of_system, read_file
from cli.text.sanitize import escape
from p2p_stratego.core.language import _
from p2p_stratego.core.narration import listed
from p2p_stratego.core.view import View
from protocol.failures import Missing
from protocol.storage.files import Folder
from protocol.wire.transcript import MAGIC

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


_TRANSCRIPT: Final = MAGIC.decode()


@dataclass(frozen=True, slots=True)
class NamedDraft:
    """A draft that was named."""

    draft: Any
    phrase: str
    """Its name for people: "mine", "number 1 of the 3 in sides.txt"."""
    alone: bool
    """Whether it is the only one in its file."""


@dataclass(frozen=True, slots=True)
class Names:
    """The set-ups that can be named."""

    saved: list[str]
    """The player's saved set-ups that fit the present game."""
    others: int
    """The number of saved set-ups that do not fit."""
    templates: list[str]


class NamedSetups:
    """Those of one game."""

    def __init__(self, editor: SetupEditor, game: str, setups: SetupStore | None) -> None:
        """`setups`: where the player's own are; None: nowhere."""
        self._editor = editor
        self._game = game
        self._setups = setups

    def names(self, view: View[Any]) -> Names:
        """The names of all set-ups for the options of this match."""
        saved = [] if self._setups is None else self._setups.names(self._game)
        fitting = [name for name in saved if self._fits(view, name)]
        return Names(fitting, len(saved) - len(fitting), list(self._editor.templates(view)))

    def _fits(self, view: View[Any], name: str) -> bool:
        text = None if self._setups is None else self._setups.load(self._game, name)
        with suppress(Misunderstood):
            return text is not None and bool(self._editor.read(view, text))
        return False

    def sentences(self, view: View[Any]) -> list[str]:
        """The same in two sentences."""
        names = self.names(view)
        saved = escape(", ".join(names.saved)) or _("none yet") * (not names.others)
        others = (
            (
                _("{others} more for another army", others=names.others)
                if bool(names.saved)
                else _("{others} for another army", others=names.others)
            )
            if names.others
            else ""
        )
        return [
            _("Saved by you: {part}.", part=", ".join(part for part in (saved, others) if part)),
            _("Templates: {templates}.", templates=", ".join(names.templates) or _("none for this army")),
        ]

    def find(self, view: View[Any], typed: str) -> NamedDraft:
        """The draft that `typed` names: a saved one, a template or a file, perhaps with a number behind it
        that picks one of several in it.  Raises Misunderstood.
        """
        name, _unused, digits = typed.strip().rpartition(" ")
        if not name or not (digits.isascii() and digits.isdigit()):
            name, digits = typed.strip(), "1"
        number, shown = int(digits[:6]), escape(name, 40)
        text = None if self._setups is None else self._setups.load(self._game, name)
        templates = self._editor.templates(view)
        if text is None and name.lower() in templates:
            drafts = [templates[name.lower()]]
        else:
            drafts = self._in_file(view, name) if text is None else list(self._editor.read(view, text))
        if not 1 <= number <= len(drafts):
            raise NotPossible(
                _(
                    "There is no set-up number {number} in {shown}: it holds {count}.",
                    number=number,
                    shown=shown,
                    count=len(drafts),
                )
            )
        alone = len(drafts) == 1
        phrase = (
            shown
            if alone
            else _("number {number} of the {count} in {shown}", number=number, count=len(drafts), shown=shown)
        )
        return NamedDraft(drafts[number - 1], phrase, alone)

    def save(self, name: str, draft: Any) -> str:
        """Keep a draft under a name.  Returns a sentence about it.  Raises NotPossible."""
        if self._setups is None:
            raise NotPossible(_("There is no home folder to keep anything in."))
        if not name:
            raise NotPossible(_("Say under which name: save NAME."))
        if self._editor.made_for(name.lower()):
            raise NotPossible(
                _("{name} is the name of a template: save it under another one.", name=escape(name, 40))
            )
        replaced = self._setups.save(self._game, name, self._editor.write(draft))
        return (
            _("Saved as {lower}, in place of the one before.", lower=escape(name.lower()))
            if replaced
            else _("Saved as {lower}.", lower=escape(name.lower()))
        )

    def _in_file(self, view: View[Any], name: str) -> list[Any]:
        """The drafts in a file.  Raises Misunderstood, which names the file."""
        text, file = self._file(view, name), escape(name, 40)
        if text.startswith(_TRANSCRIPT):
            raise NotPossible(
                _("{file} is the transcript of a game, and no set-up. Name a file of set-ups.", file=file)
            )
        try:
            return list(self._editor.read(view, text))
        except Misunderstood as error:
            raise NotPossible(_("{file} cannot be used. {error}", file=file, error=error)) from error

    def _file(self, view: View[Any], name: str) -> str:
        if not name:
            raise NotPossible(_("Say which: load NAME. {known}", known=self._known(view)))
        try:
            return from_file(name)
        except (OSError, ValueError) as error:
            if isinstance(error, FileNotFoundError | ValueError) and os.sep not in name:
                named = bool(self._editor.made_for(name.lower()))  # there is one, and it does not fit
                raise NotPossible(self._unknown(view, name)) from (None if named else error)
            why = of_system(error)[0] if isinstance(error, OSError) else _("That is no name of a file.")
            raise NotPossible(why) from error

    def _unknown(self, view: View[Any], name: str) -> str:
        shown, others = escape(name, 40), self._editor.made_for(name.lower())
        if others:
            return _(
                "{shown} is a template for {others} only. {known}",
                shown=shown,
                others=listed(others),
                known=self._known(view),
            )
        return _(
            "Nothing is called “{shown}”, and there is no such file. {known}",
            shown=shown,
            known=self._known(view),
        )

    def _known(self, view: View[Any]) -> str:
        names = self.names(view)
        sentences = [_("Yours: {saved}.", saved=", ".join(names.saved))] * bool(names.saved)
        sentences += [_("Templates: {templates}.", templates=", ".join(names.templates))] * bool(
            names.templates
        )
        return " ".join(sentences or [_("You have saved none for this army yet.")])
