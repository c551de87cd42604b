"""Setting up at a table: one player's draft for one match, from its beginning until it stands on the board.

The game's SetupEditor changes a draft; this module keeps, saves and loads it, and makes the decisions that
follow from a draft that is ready.  A draft is on the disk before any decision follows from it.
"""

from __future__ import annotations

from typing import Any, Final

from cli.games.interface import Choice, Decided, NotPossible, Question, SetupEditor, ViewContext
from cli.games.setup_store import NamedSetups, SetupStore
from p2p_stratego.core.language import _
from p2p_stratego.core.view import Chance, View
from protocol.record.genesis import Genesis
from protocol.storage.home import ID_DIGITS

LOAD: Final = "load"
SAVE: Final = "save"
UNDO: Final = "undo"
READY: Final = ("ready", "done")


class SettingUp:
    """The draft of one match."""

    def __init__(
        self, editor: SetupEditor, match: Genesis, setups: SetupStore | None, chance: Chance
    ) -> None:
        """`setups`: where drafts are kept; None: nowhere."""
        self.editor = editor
        self.draft: Any = None
        """None outside the time for set-ups."""
        self.drafts = NamedSetups(editor, match.game.name, setups)
        self._before: list[Any] = []
        self._match = match.id.hex()[:ID_DIGITS]
        self._setups = setups
        self._chance = chance
        self._held: Any = None
        """The draft while play has ended: a late answer can undo the claim, and bring its time back."""
        self._over = False
        self.written: str | None = None
        """The draft as it was kept last; before one is kept, that of the match before, to begin with."""

    def follow(self, view: View[Any], *, over: bool) -> Decided | None:
        """Begin or end as the match goes on; the decision that follows from the draft now, if any.

        `over`: play has ended, so that nothing is set up, unless a late answer undoes that.
        """
        if self._over:
            return None
        if over or not self.editor.is_time(view):
            self._held, self.draft = self._held if self.draft is None else self.draft, None
            self._over = not self.editor.is_time(view)
            if self._setups is not None:
                self._setups.drop_plan(self._match)
            return None
        if self._held is not None:
            self._keep(self._held)
            self._held = None
        if self.draft is None:
            kept = None if self._setups is None else self._setups.plan(self._match)
            self.draft = self.editor.begin(view, kept or self.written, self._chance)
        return self.editor.follow(view, self.draft)

    def question(self, context: ViewContext) -> Question | None:
        """The next thing to do; None for a finished draft."""
        return None if self.draft is None else self.editor.question(context)

    def amiss(self, context: ViewContext) -> str:
        """What keeps the draft from being ready, in a sentence; "" for nothing, or out of its time."""
        if self.question(context) is None:
            return ""
        return next(iter(self.editor.warnings(context)), "")

    def choices(self, context: ViewContext) -> tuple[Choice, ...]:
        """The possible continuations of the typed text."""
        if self.draft is None:
            return ()
        word, space, name = context.typed.partition(" ")
        if self.question(context) is None:
            return ()
        if not space or word.lower() != LOAD:
            # Names behind these two words are offered once the word is typed.
            kept = (*(UNDO,) * bool(self._before), *(f"{LOAD} ", f"{SAVE} ") * bool(word))
            others = [line for line in kept if not space and line.startswith(word.lower())]
            return (*self.editor.choices(context), *(Choice(line, line.strip()) for line in others))
        names = self.drafts.names(context.view)
        known = (*names.saved, *names.templates)
        lines = [f"{LOAD} {setup}" for setup in known if setup.startswith(name.strip().lower())]
        return tuple(Choice(line, line) for line in lines)

    @property
    def can_undo(self) -> bool:
        """Whether the draft was changed, and that can be taken back."""
        return bool(self._before)

    def change(self, context: ViewContext, typed: str) -> None:
        """Change the draft as typed, or take the last change back.  Raises Misunderstood."""
        if typed.strip().lower() != UNDO:
            self._change(self.editor.edit(context, typed, self._chance))
        elif self._before:
            self._keep(self._before.pop())
        else:
            raise NotPossible(_("Nothing was changed yet."))

    def _change(self, draft: Any) -> None:
        before = self.draft
        self._keep(draft)
        self._before.append(before)

    def keep(self) -> None:
        """Save the draft before a decision follows from it."""
        self._keep(self.draft)

    def _keep(self, draft: Any) -> None:
        self.draft, self.written = draft, self.editor.write(draft)
        if self._setups is not None:
            self._setups.keep_plan(self._match, self.written)

    def save(self, context: ViewContext, name: str) -> str:
        """Save the draft under a name; what was done, as a sentence.  Raises NotPossible, also for one that
        is not complete.
        """
        self.editor.decide(context)
        return self.drafts.save(name, self.draft)

    def load(self, context: ViewContext, reference: str) -> str:
        """Go on with a draft that has a name, or is in a file; what was done, as a sentence.

        Raises Misunderstood.
        """
        if self.question(context) is None:
            raise NotPossible(_("There is nothing to set up now."))
        setup = self.drafts.find(context.view, reference)
        self._change(setup.draft)
        return _("This is {setup}; undo takes it back.", setup=setup.phrase)
