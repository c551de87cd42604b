"""Setting up in Stratego: the player's draft as a value, and its changes.

The game asks twice: first for the ranks in secret, then for the squares.  A player decides once: the draft
answers both.  It is worked on in real squares; in files every set-up is written as red would have it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cli.games.interface import Choice, Decided, NotPossible, Question, Unknown, ViewContext
from cli.games.placing import READY, SETTLED, Ground, Refusals, amiss, arranged, changes, laid, the_piece
from cli.games.stratego.names import LETTERS, SQUARE, face_called, square, squares_in
from cli.games.stratego.snapshot import is_setting_up
from p2p_stratego.core.game import Choose, Commit, Face, Seat
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.view import Chance, View
from p2p_stratego.stratego.bots.setup_generator import dealt, placed
from p2p_stratego.stratego.formats import setups
from p2p_stratego.stratego.formats.diagram import PLACES, Setup, TextError, lines_of, read_rows
from p2p_stratego.stratego.formats.narration import called, listed, named
from p2p_stratego.stratego.formats.setups import answers, armies_with, of_answers, templates
from p2p_stratego.stratego.rules.armies import ORDER
from p2p_stratego.stratego.rules.board import HOME, PLACE, SQUARE_NAMED
from p2p_stratego.stratego.rules.pieces import FLAG
from p2p_stratego.stratego.rules.state import State, slot

_LINE: Final = re.compile(r"[A-Za-z]{20,}")
"""Meant as a line of 40 letters, perhaps with a slip: no command and no piece is so long."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A player's draft of a set-up."""

    setup: Setup
    settled: bool = False
    """Whether the pieces are laid already, in this order, and only their squares can still be chosen."""


COMMANDS: Final = (
    ("a1 b1", mark("exchange what stands on two squares, or move a piece to an empty one.")),
    ("a1 flag, b1 B", mark("put pieces on squares, by name, letter or number; a1 - takes one away.")),
    ("random", mark("another sensible set-up.")),
    ("mirror, clear", mark("left and right exchanged; an empty board.")),
    ("ABCD…", mark("a set-up as a line of 40 letters, A to M.")),
    (READY, mark("done: this is how you set up.")),
)


_REFUSALS: Final = Refusals(
    another=mark("What about {put}? Name a piece to put there, or another square."),
    same=mark("{name} is one square: name two, to exchange what stands there."),
    beyond=mark("There is no square {beyond}: columns are a to j, rows are 1 to 10."),
    form=mark(
        "“{part}” changes nothing. Type two squares ({place} {other}), or a square and a piece "
        "({place} flag); ? tells more."
    ),
)


class SetUp:
    """Implements `cli.games.interface.SetupEditor`."""

    commands: Sequence[tuple[str, str]] = COMMANDS

    def is_time(self, view: View[State]) -> bool:
        """Until both armies stand on the board."""
        return is_setting_up(view.state)

    def begin(self, view: View[State], kept: str | None, chance: Chance) -> Draft:
        """The kept draft, as far as it fits the laid pieces; else a sensible set-up."""
        laid = _laid(view)
        setup = _kept(kept or "")
        if laid is None:
            return Draft(setup or dealt(view.state.army, chance))
        if setup is not None and answers(setup)[0] == laid:
            return Draft(setup, settled=(kept or "").startswith(SETTLED))
        return Draft(placed(laid, chance), settled=True)

    def question(self, context: ViewContext) -> Question | None:
        """The next thing to do, while the draft can still be changed."""
        view: View[State] = context.view
        draft: Draft = context.draft
        if draft.settled and isinstance(view.decision, Choose):
            return Question(
                _("Your pieces are laid in this order. Choose their squares again."),
                _(
                    "{ready}, random, or two squares such as {example}",
                    ready=READY,
                    example=_example(view.seat),
                ),
            )
        if not isinstance(view.decision, Commit):
            return None
        few, many = _amiss(view, draft)
        if not few and not many:
            text = _("Set up your army. Take it as it stands, or change it.")
            return Question(
                text,
                _(
                    "{ready}, random, mirror, load NAME, or two squares: {example}",
                    ready=READY,
                    example=_example(view.seat),
                ),
            )
        how = _("a square and a piece such as {put_example}, or random", put_example=_put_example(view.seat))
        return Question(_("Set up your army: {counted}.", counted=_counted(few, many)), how)

    def choices(self, context: ViewContext) -> tuple[Choice, ...]:
        """The changes to the draft that begin with the typed text."""
        if self.question(context) is None:
            return ()
        draft: Draft = context.draft
        words = ["random", "mirror"] if draft.settled else ["random", "mirror", "clear"]
        right = not any(_amiss(context.view, draft))
        return changes(context.typed, words, right=right)

    def edit(self, context: ViewContext, typed: str, chance: Chance) -> Draft:
        """The draft after what was typed.  Raises Misunderstood."""
        view: View[State] = context.view
        draft: Draft = context.draft
        if self.question(context) is None:
            raise NotPossible(_("Your set-up is laid and cannot be changed any more."))
        line = typed.strip().lower()
        if draft.settled:
            return _settled_anew(view, draft, line, chance)
        if line == "random":
            return Draft(dealt(view.state.army, chance))
        if line == "mirror":
            return Draft(setups.mirrored(draft.setup))
        if line == "clear":
            return Draft((None,) * PLACES)
        if _LINE.fullmatch(line):
            return self.read(view, typed)[0]
        return Draft(_arranged(draft.setup, view.seat, typed))

    def warnings(self, context: ViewContext) -> list[str]:
        """What is missing and what is too many, if this is not the agreed army."""
        refused = _refused(*_amiss(context.view, context.draft))
        return [refused] if refused else []

    def decide(self, context: ViewContext) -> Decided:
        """The faces in the order of their squares; for a settled draft, the squares.

        Raises NotPossible, also for another army than the agreed one: where moves are taken back nobody opens
        it, and nothing would show the cheat.
        """
        view: View[State] = context.view
        if self.question(context) is None:
            raise NotPossible(_("Your set-up is laid already."))
        if refused := _refused(*_amiss(view, context.draft)):
            raise NotPossible(refused)
        faces, fill = answers(context.draft.setup)
        return faces if isinstance(view.decision, Commit) else fill

    def follow(self, view: View[State], draft: Draft) -> Decided | None:
        """The squares, once both armies are laid."""
        if not isinstance(view.decision, Choose) or draft.settled or view.state.phase != "squares":
            return None
        faces, fill = answers(draft.setup)
        return fill if faces == _laid(view) else None

    def templates(self, view: View[State]) -> Mapping[str, Draft]:
        """The set-ups that this army has names for."""
        return {name: Draft(setup) for name, setup in templates(view.state.army).items()}

    def made_for(self, name: str) -> Sequence[str]:
        """The armies that have a template of this name."""
        return armies_with(name)

    def read(self, view: View[State], text: str) -> list[Draft]:
        """The drafts in a file.  Raises Misunderstood, which names line and square."""
        try:
            return [Draft(setup) for setup in setups.read(text, view.state.army, seat=view.seat)]
        except TextError as error:
            raise Unknown(_("No set-up for this army: {error}.", error=error)) from error

    def write(self, draft: Draft) -> str:
        """The diagram that `read` gives the draft back for."""
        return SETTLED * draft.settled + setups.write(draft.setup)


def _amiss(view: View[State], draft: Draft) -> tuple[list[Face], list[Face]]:
    """The pieces still to be placed, and the superfluous ones; none of a draft whose pieces are laid."""
    if draft.settled:
        return [], []
    counts, due = Counter(face for face in draft.setup if face is not None), Counter(view.state.army.faces)
    return list((due - counts).elements()), list((counts - due).elements())


def _counted(few: list[Face], many: list[Face]) -> str:
    """Their number; the superfluous ones by their names, if they are few."""
    parts = [_("{count} still to place", count=len(few))] * bool(few)
    if many:
        which = listed(many)
        parts.append(_("{count} too many", count=len(many)) + (f", {which}" if len(which) < _SHORT else ""))
    return "; ".join(parts)


def _refused(few: list[Face], many: list[Face]) -> str:
    """Why a set-up cannot be laid: the pieces still to be placed, and the superfluous ones; "" for none."""
    return amiss(listed(few) if few else "", listed(many) if many else "")


_SHORT: Final = 30


def _laid(view: View[State]) -> tuple[Face, ...] | None:
    """The seat's pieces in the order in which it has laid them, if it has."""
    return laid(view, (slot(view.seat, k) for k in range(view.state.army.size)))


def _kept(text: str) -> Setup | None:
    """A draft written by `write`, perhaps unfinished, or of another army."""
    try:
        return read_rows(list(lines_of(text))[:4], 0)
    except TextError:
        return None


def _example(seat: Seat) -> str:
    return f"{square(HOME[seat][0])} {square(HOME[seat][1])}"


def _put_example(seat: Seat) -> str:
    return f"{square(HOME[seat][0])} {called(FLAG)}"


def _place(name: str, seat: Seat) -> int:
    """One of the seat's own forty.  Raises NotPossible."""
    place = PLACE[seat].get(SQUARE_NAMED[name])
    if place is None:
        rows = _("1 to 4") if seat == 0 else _("7 to 10")
        raise NotPossible(
            _("{name} is not yours to set up on: yours are the rows {rows}.", name=name, rows=rows)
        )
    return place


def _arranged(setup: Setup, seat: Seat, typed: str) -> Setup:
    """The set-up after what was typed.  Raises Misunderstood."""
    home = HOME[seat]
    ground = Ground(
        refusals=_REFUSALS,
        pattern=SQUARE,
        examples=(square(home[0]), square(home[1])),
        place=lambda name: _place(name, seat),
        name=lambda place: square(home[place]),
        piece=_face,
    )
    places = {at: face for at, face in enumerate(setup) if face is not None}
    return tuple(map(arranged(places, typed, ground).get, range(PLACES)))


def _face(word: str) -> Face:
    """The piece that a word names.  Raises Misunderstood."""
    known = ", ".join(f"{named(face)} {LETTERS[face]}" for face in ORDER)
    known = _("Type a name, or its letter or digit: {known}.", known=known)
    return the_piece(word, face_called(word), named, known)


def _settled_anew(view: View[State], draft: Draft, line: str, chance: Chance) -> Draft:
    """Other squares for pieces whose order is settled.  Raises Misunderstood."""
    faces, _unused = answers(draft.setup)
    if line == "random":
        return Draft(placed(faces, chance), settled=True)
    if line == "mirror":
        setup = setups.mirrored(draft.setup)
    elif len(squares_in(line)) == 2:
        setup = _arranged(draft.setup, view.seat, line)
    else:
        raise NotPossible(_("Only the squares can still be chosen, for the pieces as they are laid."))
    filled = [place for place, face in enumerate(setup) if face is not None]
    return Draft(of_answers(faces, filled), settled=True)
