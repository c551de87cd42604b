"""Drafts of set-ups by name: the player's own, the room's templates, and those in files."""

from __future__ import annotations

import os
from typing import Any

from cli.escape import escape
from cli.exits import explain
from cli.room import Drafting, NotPossible
from cli.shelf import Shelf, from_file
from p2p_stratego.view import View


class Drafts:
    """Those of one game."""

    def __init__(self, drafting: Drafting, game: str, shelf: Shelf | None) -> None:
        """`shelf`: where the player's own are; None: nowhere."""
        self._drafting = drafting
        self._game = game
        self._shelf = shelf

    def names(self, view: View[Any]) -> tuple[list[str], list[str]]:
        """What there is by name: what the player saved, for whatever army, and the templates."""
        saved = [] if self._shelf is None else self._shelf.names(self._game)
        return saved, list(self._drafting.templates(view))

    def find(self, view: View[Any], said: str) -> Any:
        """The draft that `said` names: a saved one, a template or a file, perhaps with a number behind it
        that picks one of several in it.  Raises Misunderstood.
        """
        name, _, number = said.strip().rpartition(" ")
        if not name or not (number.isascii() and number.isdigit()):
            name, number = said.strip(), "1"
        text = None if self._shelf is None else self._shelf.load(self._game, name)
        templates = self._drafting.templates(view)
        if text is None and name.lower() in templates:
            if int(number[:6]) != 1:
                raise NotPossible(f"There is one template “{name.lower()}” only.")
            return templates[name.lower()]
        if text is None:
            text = self._file(view, name)
        return self._drafting.read(view, text, int(number[:6]))

    def save(self, name: str, draft: Any) -> None:
        """Keep a draft under a name.  Raises NotPossible."""
        if self._shelf is None:
            raise NotPossible("There is no home folder to keep anything in.")
        if not name:
            raise NotPossible("Say under which name: save NAME.")
        self._shelf.save(self._game, name, self._drafting.write(draft))

    def _file(self, view: View[Any], name: str) -> str:
        if not name:
            raise NotPossible(f"Say which: load NAME. {self._known(view)}")
        try:
            return from_file(name)
        except (OSError, ValueError) as error:
            if isinstance(error, FileNotFoundError | ValueError) and os.sep not in name:
                shown = escape(name, 40)
                text = f"Nothing is called “{shown}”, and there is no such file. {self._known(view)}"
                raise NotPossible(text) from error
            told = explain(error)
            raise NotPossible(told[0] if told else "That is no name of a file.") from error

    def _known(self, view: View[Any]) -> str:
        saved, templates = self.names(view)
        told = [f"Yours: {', '.join(saved)}."] * bool(saved)
        told += [f"Templates: {', '.join(templates)}."] * bool(templates)
        return " ".join(told or ["You have saved none yet."])
