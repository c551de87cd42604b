"""Setting up at a desk: one player's draft for one match, from its beginning until it stands on the board.

The room knows what a draft is and how it is changed; here it is kept, saved and loaded, and the decisions are
made that follow from it once it is ready.  What was kept is on the disk before anything is decided by it.
"""

from __future__ import annotations

import os
from typing import Any, Final

from cli.escape import escape
from cli.exits import explain
from cli.room import Choice, Decided, Drafting, NotPossible, Question, Sight
from cli.shelf import Shelf, from_file
from p2p_stratego.view import Chance, View
from protocol.genesis import Genesis
from protocol.home import ID_DIGITS

LOAD: Final = "load"
READY: Final = ("ready", "done")


class SettingUp:
    """One match's."""

    def __init__(self, drafting: Drafting, match: Genesis, shelf: Shelf | None, chance: Chance) -> None:
        """`shelf`: where drafts are kept; None: nowhere."""
        self.drafting = drafting
        self.draft: Any = None
        """None while it is not the time for it."""
        self._game = match.game.name
        self._match = match.id.hex()[:ID_DIGITS]
        self._shelf = shelf
        self._chance = chance
        self._over = False

    def follow(self, view: View[Any], *, over: bool) -> Decided | None:
        """Begin or end as the match goes on; the decision that follows from the draft now, if any.

        `over`: play has ended, so that nothing is set up any more.
        """
        if self._over:
            return None
        if over or not self.drafting.is_time(view):
            self.draft, self._over = None, True
            if self._shelf is not None:
                self._shelf.drop_plan(self._match)
            return None
        if self.draft is None:
            kept = None if self._shelf is None else self._shelf.plan(self._match)
            self.draft = self.drafting.begin(view, kept, self._chance)
        return self.drafting.follow(view, self.draft)

    def question(self, sight: Sight) -> Question | None:
        """What is left to do, while there is anything."""
        return None if self.draft is None else self.drafting.question(sight)

    def choices(self, sight: Sight) -> tuple[Choice, ...]:
        """How what is typed could go on."""
        if self.draft is None:
            return ()
        word, space, name = sight.typed.partition(" ")
        if not space or word.lower() != LOAD:
            return self.drafting.choices(sight)
        saved, templates = self.names(sight.view)
        found = [f"{LOAD} {each}" for each in (*saved, *templates) if each.startswith(name.strip().lower())]
        return tuple(Choice(each, each) for each in found)

    def change(self, sight: Sight, typed: str) -> None:
        """Change the draft as typed.  Raises Misunderstood."""
        self._keep(self.drafting.edit(sight, typed, self._chance))

    def keep(self) -> None:
        """Write down what a decision is about to be made by."""
        self._keep(self.draft)

    def _keep(self, draft: Any) -> None:
        self.draft = draft
        if self._shelf is not None:
            self._shelf.keep_plan(self._match, self.drafting.write(draft))

    def save(self, sight: Sight, name: str) -> None:
        """Save the draft under a name.  Raises NotPossible, also for one that is not complete."""
        shelf = self._required()
        if not name:
            raise NotPossible("Say under which name: save NAME.")
        self.drafting.decide(sight)
        shelf.save(self._game, name, self.drafting.write(self.draft))

    def names(self, view: View[Any]) -> tuple[list[str], list[str]]:
        """What can be loaded by name: what the player saved, and the templates."""
        saved = [] if self._shelf is None else self._shelf.names(self._game)
        return saved, list(self.drafting.templates(view))

    def load(self, sight: Sight, argument: str) -> None:
        """Go on with a saved draft, a template or a file; a number behind it picks one of several in it.

        Raises Misunderstood.
        """
        if self.question(sight) is None:
            raise NotPossible("There is nothing to set up now.")
        name, _, number = argument.rpartition(" ")
        if not name or not (number.isascii() and number.isdigit()):
            name, number = argument, "1"
        template = self.drafting.templates(sight.view).get(name.lower())
        text = None if self._shelf is None else self._shelf.load(self._game, name)
        if text is None and template is not None:
            self._keep(template)
            return
        if text is None:
            text = self._file(sight, name)
        self._keep(self.drafting.read(sight.view, text, int(number[:6])))

    def _file(self, sight: Sight, name: str) -> str:
        if not name:
            raise NotPossible(f"Say which: load NAME. {self._known(sight)}")
        try:
            return from_file(name)
        except (OSError, ValueError) as error:
            if isinstance(error, FileNotFoundError | ValueError) and os.sep not in name:
                shown = escape(name, 40)
                text = f"Nothing is called “{shown}”, and there is no such file. {self._known(sight)}"
                raise NotPossible(text) from error
            told = explain(error)
            raise NotPossible(told[0] if told else "That file cannot be read.") from error

    def _known(self, sight: Sight) -> str:
        saved, templates = self.names(sight.view)
        told = [f"Yours: {', '.join(saved)}."] * bool(saved)
        told += [f"Templates: {', '.join(templates)}."] * bool(templates)
        return " ".join(told or ["You have saved none yet."])

    def _required(self) -> Shelf:
        if self._shelf is None:
            raise NotPossible("There is no home folder to keep anything in.")
        return self._shelf
