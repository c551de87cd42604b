"""What a game brings to the terminal: the parts that draw it, ask its questions and explain it.

The frame (title, history, chat, input) stands once, in `cli.screen.match.renderer`.  Every part is pure: from
a ViewContext to lines and words.  A part shows only the contents of its ViewContext, and knows nothing of the
connection.  Each Protocol with functions only can be a module: `cli/games/<game>/board.py` is a Board.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Protocol, TypeAlias

from cli.games.drama import CUP, Closing, DramaEvent, Finale
from cli.games.typed_names import Vocabulary, as_typed, in_english
from cli.text.layout import Line
from p2p_stratego.core.game import Ask, Face, Move, Seat, Slot
from p2p_stratego.core.language import _, _c, mark
from p2p_stratego.core.view import Chance, View
from p2p_stratego.registry import ENTRIES

Decided: TypeAlias = Move | tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class PlannedAnswers:
    """A decision, and the answers planned for the questions which follow from it, in their order.

    The program gives each answer as soon as its question is due, while the question allows the answer.
    """

    first: Decided
    then: tuple[Decided, ...] = ()
    line: str = ""
    """The whole line behind a shorter one; the player should see it before it is sent."""
    again: Callable[[View[Any]], bool] | None = None
    """Whether a later question, in this view, gets the first answer, too; None: it is given once."""
    warnings: tuple[str, ...] = ()
    """Sentences about all of them together, of which the player is told before they are given."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A question with a time limit: the program's answer for its player, and the time."""

    answer: Decided
    """One of the answers that the question allows."""
    seconds: float
    """How long the player has, as the players agreed; 0: there is no limit."""
    sentence: str
    """A sentence for the player about that answer, behind "Time is up: "."""
    kinds: frozenset[str] = frozenset()
    """The kinds of question it is, of GameTerminal.interrupts, if the player may wish not to be asked."""
    hides: bool = False
    """Whether an answer that comes at once would tell the others something about closed cards."""
    company: bool = False
    """Whether there is nothing to answer where all others are bots of this program."""


@dataclass(frozen=True, slots=True)
class PrivateNews:
    """Sentences for one player alone, about cards that it was just shown, was given or has drawn."""

    sentences: tuple[str, ...]
    pressing: bool = True
    """Whether a page opens for the sentences; otherwise they stand in the news of their step."""


THE_END: Final = mark(" · the end")
"""In a banner, once play is over."""


UNSETTLED: Final = mark(
    "The rules forbid it. But you play against bots alone here, and nobody checks that when the game is over."
)
"""Of a false claim in a match in which no claim is settled."""


class Misunderstood(Exception):
    """An input without effect; the text is a sentence that says why, and which input would have one."""


class Unknown(Misunderstood):
    """An input that is no word of this game, nor of the table."""


class NotPossible(Misunderstood):
    """A move of this game that is impossible now."""


class Ambiguous(Misunderstood):
    """An input with several meanings."""


_COUNTS: Final = {3: mark("three"), 4: mark("four"), 5: mark("five")}


@dataclass(frozen=True, slots=True)
class Players:
    """The players in sentences: their names by seat, escaped, and the seat that is "you" (None: no seat)."""

    names: tuple[str, ...]
    me: Seat | None = None

    def subject(self, seat: Seat) -> str:
        """The subject of a sentence: "you" or a name."""
        return _("you") if seat == self.me else self.names[seat]

    def has(self, seat: Seat, thing: str) -> str:
        """A thing with its owner: "your Scout" or "Anna's Scout"."""
        if seat == self.me:
            return _("your {thing}", thing=thing)
        return _("{name}'s {thing}", name=self.names[seat], thing=thing)

    def owned(self, seat: Seat) -> str:
        """The owner behind a thing: "yours" or "Anna's"."""
        return (
            _c("belonging", "yours")
            if seat == self.me
            else _c("belonging", "{name}'s", name=self.names[seat])
        )

    @property
    def hearing(self) -> str:
        """The hearers of a message: "all four hear this"; "" at a table of two."""
        count = len(self.names)
        return _("all {count} hear this", count=_(_COUNTS[count])) if count in _COUNTS else ""


@dataclass(frozen=True, slots=True)
class ViewContext:
    """The knowledge of a part that draws: the seat's view, the names of the players, the typed text."""

    view: View[Any]
    players: Players
    typed: str = ""
    notes: bool = True
    """Whether to show the values that the enemy's hidden things can still have."""
    cursor: str = ""
    """The place that the player points at, if the game has a Pointer."""
    draft: Any = None
    """The player's draft, if the game has a SetupEditor."""
    settled: bool = True
    """Whether everything that was claimed is opened when play is over, and must be true (SPEC 7.10.11)."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A text to type, and its form in a list."""

    word: str
    shown: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question to the player, and how to answer it.

    `proposes`: whether Enter alone proposes an answer (`GameTerminal.proposal`), and so gives none;
    `tells_enter`: whether the table tells that Enter does so.
    """

    text: str
    how: str
    proposes: bool = False
    tells_enter: bool = False

    @property
    def at_table(self) -> str:
        """How it is answered at a table, where Enter proposes an answer; elsewhere Enter does not."""
        return _("{how}; Enter proposes", how=self.how) if self.tells_enter else self.how


@dataclass(frozen=True, slots=True)
class Panel:
    """A box at the side of the board: a title, lines of at most the width asked for, and the least rows."""

    name: str
    title: str
    lines: Sequence[Line]
    least: int = 3
    newest_last: bool = False
    """Lines that do not fit are left out at the top, not at the bottom."""
    pressing: bool = False
    """Whether this panel comes before all panels but the first one, where there is no room for all."""


@dataclass(frozen=True, slots=True)
class Page:
    """Text to read: titled, of unlimited length."""

    title: str
    lines: Sequence[Line] = field(default_factory=tuple)
    newest_last: bool = False
    """Whether the page opens at its end."""
    beside: bool = False
    """Whether the page stands beside the board, in place of the panels; its lines are broken to fit there."""
    aside: bool = False
    """Whether the page stands beside the board on a wide screen, and otherwise over the board."""
    slim: Sequence[Line] = ()
    """The lines of a page beside the board, if they are others."""


class Pointer(Protocol):
    """Playing by pointing at places of the board, with keys or a mouse, instead of typing.

    A place has a name (see `cli.text.layout`); one with a hyphen in it can be clicked, but takes no cursor.
    Pointing writes into the input line: everything done by pointing can be typed too, and the player sees and
    can correct it before it is entered.
    """

    @property
    def keys(self) -> Sequence[tuple[str, str]]:
        """Keys and what they do, for the help page."""

    def step(self, context: ViewContext, direction: str) -> str:
        """The place next to the cursor, "up", "down", "left" or "right"; where to begin, without a cursor.

        "" while no answer is a place: then these keys pick answers.
        """

    def point(self, context: ViewContext, place: str) -> tuple[str, bool]:
        """The text of the input line after `place` was pointed at, and whether it is entered at once."""

    def goes_on(self, context: ViewContext, rest: str) -> bool:
        """Whether `rest` can follow the text that pointing has put into the line (`context.typed`)."""

    def stroke(self, context: ViewContext, key: str) -> str | None:
        """The input for a printable key while there is a cursor; None for a key without one.

        No typed line may begin with such a key.
        """

    def onward(self, context: ViewContext) -> str:
        """The place that the cursor goes on to after a stroke."""


class Clicks(Protocol):
    """Clicks in a game whose arrow keys pick answers.  The name of each place has a hyphen in it."""

    @property
    def keys(self) -> Sequence[tuple[str, str]]:
        """Clicks and what they do, for the help page."""

    def point(self, context: ViewContext, place: str) -> tuple[str, bool] | None:
        """The input line after a click on `place`, and whether it is sent at once; None: nothing happens."""


class SetupEditor(Protocol):
    """Setting up a side before play, in games where that takes more than one line of input.

    A draft is a value of the game's own.  It stays with the player until the player declares it ready; then
    its decisions are made, one or several.
    """

    @property
    def commands(self) -> Sequence[tuple[str, str]]:
        """Each command and its effect, for the help page."""

    def is_time(self, view: View[Any]) -> bool:
        """Whether sides are being set up now."""

    def begin(self, view: View[Any], kept: str | None, chance: Chance) -> Any:
        """The draft to begin with, from what `write` wrote before (`kept`) if that is of use."""

    def question(self, context: ViewContext) -> Question | None:
        """The next thing to do, and how; None for a draft that is final."""

    def choices(self, context: ViewContext) -> tuple[Choice, ...]:
        """The inputs that begin with the typed text."""

    def edit(self, context: ViewContext, typed: str, chance: Chance) -> Any:
        """The draft after what was typed.  Raises Misunderstood."""

    def warnings(self, context: ViewContext) -> list[str]:
        """The penalties for this set-up: a sentence each."""

    def decide(self, context: ViewContext) -> Decided:
        """The decision that the draft comes to now that it is ready.  Raises NotPossible."""

    def follow(self, view: View[Any], draft: Any) -> Decided | None:
        """The decision that is due now and follows from the draft that was ready before, if one does."""

    def templates(self, view: View[Any]) -> Mapping[str, Any]:
        """Drafts to begin from, by name."""

    def made_for(self, name: str) -> Sequence[str]:
        """The variants that have a template of this name, e.g. armies by name; not only the present one."""

    def read(self, view: View[Any], text: str) -> Sequence[Any]:
        """The drafts in a file, at least one.  Raises Misunderstood."""

    def write(self, draft: Any) -> str:
        """The file that `read` gives the draft back for."""


class Board(Protocol):
    """The game's board as lines of cells."""

    @property
    def LEAST(self) -> tuple[int, int]:  # noqa: N802
        """The fewest columns and rows of a board."""

    @property
    def SIGNS(self) -> Sequence[tuple[str, str]]:  # noqa: N802
        """Each sign on the board, and its meaning."""

    def fitting(self, columns: int, rows: int) -> tuple[int, int]:
        """The part of `columns` and `rows`, at least LEAST, that a board makes use of."""

    def draw(self, context: ViewContext, columns: int, rows: int) -> list[Line]:
        """The board in exactly `rows` lines of `columns` cells, both at least LEAST."""


class Description(Protocol):
    """The board in sentences: for line mode, for screen readers, and for the commands that ask for it."""

    def banner(self, view: View[Any]) -> str:
        """Where the game stands, in a few words: "Day 2/3 · guess 5/8"."""

    def goal(self, view: View[Any]) -> str:
        """How the game is won, and in which direction, in at most 70 cells."""

    def board(self, context: ViewContext) -> list[str]:
        """Everything that the drawn board shows."""

    def asked(self, context: ViewContext) -> list[str]:
        """The facts that the present question rests on."""

    def hand(self, context: ViewContext) -> list[str]:
        """The pieces or cards of the player."""

    def notes(self, context: ViewContext) -> list[str]:
        """The values that the enemy's hidden things can still have."""


class Questions(Protocol):
    """The decisions of one seat: how they are asked, typed, warned of and confirmed."""

    def question(self, view: View[Any], players: Players) -> Question | None:
        """The player's present decision; None if there is none."""

    def waiting(self, view: View[Any], players: Players, ask: Ask) -> str:
        """The decision of the others, while the player has none."""

    def choices(self, context: ViewContext) -> tuple[Choice, ...]:
        """How the line could go on: each choice a whole input, the most useful first, none impossible."""

    def read(self, view: View[Any], typed: str) -> Decided | PlannedAnswers:
        """The decision that `typed` means, with the answers planned behind it.  Raises Misunderstood."""

    def reveals(self, view: View[Any] | None, text: str) -> bool:
        """Whether a message reads as a decision: a hidden one of this turn, or one of a later turn.

        The present question is asked by `read`.  `view`: None before the match is set up.
        """

    def warnings(self, view: View[Any], decided: Decided, *, settled: bool = True) -> list[str]:
        """The penalties for a player caught at this: a sentence each.  `settled`: see ViewContext."""

    def spoken(self, view: View[Any], decided: Decided) -> str:
        """The decision as the object of a sentence: "1 Spy, 4 Sergeant, …"."""


class Panels(Protocol):
    """The help for deciding, beside and below the board."""

    def panels(self, context: ViewContext, columns: int, board: tuple[int, int] | None = None) -> list[Panel]:
        """The panels, the most useful first.

        `board`: columns and rows of the board beside them, if there is one; a panel repeats nothing that a
        board of this size tells.
        """

    def tray(self, context: ViewContext, columns: int) -> Line:
        """One line under the board: the player's hand."""

    def explain(self, context: ViewContext) -> Line:
        """One line about the typed or pointed thing: an ability, the possible ranks of a piece."""


class Manual(Protocol):
    """The game's rules in short."""

    def page(self, topic: str | None, columns: int) -> Page:
        """All about one `topic`, a soldier or a piece; None: the rules in short.  Raises Misunderstood."""


class Follower(Protocol):
    """The state in the midst of one step, Ask by Ask."""

    def answered(self, ask: Ask, answer: Any) -> Any:
        """The state at the next Ask; None if this answer completes the step."""


@dataclass(frozen=True, slots=True)
class GameTerminal:
    """All that one game brings to the terminal; a part that it has no use for is None."""

    title: str
    """The game's name for people."""
    pace: float
    """Seconds that a reader needs for a step."""
    board: Board
    description: Description
    questions: Questions
    panels: Panels
    manual: Manual
    names: Vocabulary = dict
    """The present names of the game's things, by the English words that its questions read."""
    pointer: Pointer | None = None
    clicks: Clicks | None = None
    """For a game without a Pointer."""
    spare_rows: int = 0
    """Rows at the edge of the board that a small screen may leave out for news and warnings."""
    result_rows: int = 0
    """Rows of the board that a small screen may leave out for events, so that results can be read whole, but
    not for warnings; while the player lays something, rows of the other side for both.
    """
    bare_rows: int = 0
    """The rows of the other side, below its spare rows, that are empty while the player lays something: they
    are left out before the spare rows."""
    tray_stays: bool = False
    """Whether the tray has its row on the smallest screen, too."""
    turns: bool = True
    """Whether the board is drawn from its player's side, so that a replay can turn it."""
    board_first: bool = False
    """Whether a larger board goes before a second column of panels."""
    setup_editor: SetupEditor | None = None
    looked: Callable[[ViewContext, Slot], Sequence[str]] | None = None
    """The content of a slot that was shown to the player alone, as sentences; it has a page of its own."""
    alone: Callable[[ViewContext, Ask], PrivateNews | None] | None = None
    """The private sentences for the player after an Ask was answered; the context is of that moment.  The
    player may tell them to others, truly or not."""
    manifest: Callable[[ViewContext], Sequence[str]] | None = None
    """All counters of the game, and where each is as far as the player knows."""
    records: Callable[[ViewContext], Sequence[str]] | None = None
    """The score of each player so far, as far as the player knows."""
    private: Callable[[View[Any]], Collection[Seat]] | None = None
    """The other seats to which a player may talk alone now; None: in this game all talk is open to all."""
    opens_talk: Callable[[View[Any]], str] = lambda _unused: ""
    """The move that opens such talk in the present decision, as a sentence; "" if there is none."""
    events: Callable[[Any, Any, Players], Sequence[DramaEvent]] | None = None
    """The visible events of the step between two states; the second may be in the middle of the step."""
    finale: Finale = field(default_factory=lambda: CUP)
    """The pictures for the end of a match."""
    following: Callable[[Any], Follower] | None = None
    """A follower of a step, from the state before it; None: a step has its sentences once it is complete."""
    closing: Callable[[Sequence[tuple[Any, Any]], Players], Closing | None] | None = None
    """The gains of a day, a year or a round, if the last of these steps ended it: the states before and after
    each of its steps."""
    limit: Callable[[View[Any]], Limit | None] | None = None
    """The clock of the present decision, if it has one."""
    interrupts: Mapping[str, str] = field(default_factory=dict)
    """The kinds of question that come in the turns of others, and what each is about."""
    among_people: Collection[str] = ()
    """Sentences of steps, in English, that are told only where other people play."""
    forced: Callable[[View[Any]], Decided | None] | None = None
    """The present decision, if what the player holds leaves no choice: its program makes it."""
    proposal: Callable[[View[Any], Chance], str] | None = None
    """A line that answers the present question, for a player who only wants to go on; "" if there is none."""
    scores: Callable[[Any], Sequence[int]] | None = None
    """By seat, the score in the state at the end of a game that is counted out; empty after another end."""
    hinted: Callable[[View[Any], Move], str] | None = None
    """The line for an adviser's answer that is one of too many to be offered; "" if it is no such answer."""


def terminal(game: str) -> GameTerminal:
    """The terminal part of the game with this name, imported on first use.  Raises KeyError."""
    loaded: GameTerminal = ENTRIES[game].terminal.load()
    return loaded


def page_about(here: GameTerminal, topic: str | None, columns: int) -> Page:
    """The page of the manual about a `topic`, in English or as it is shown.  Raises Misunderstood."""
    try:
        return here.manual.page(topic, columns)
    except Misunderstood:
        english = in_english(topic or "", here.names())
        if english == topic:
            raise
    try:
        return here.manual.page(english, columns)
    except Misunderstood as error:
        raise type(error)(as_typed(str(error), topic or "", here.names())) from error


STEPS: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}
)
"""By arrow: columns and rows to go, as the player sees them."""


def strokes(highest: str, trap: str) -> Mapping[str, str]:
    """By key: the piece that it puts, "-" for none; no typed line begins with one of these keys.

    `highest`: the piece on 0, above the ranks 2 to 9; `trap`: the piece on the asterisk.
    """
    ranks = zip("1234567890", ("spy", *"23456789", highest), strict=True)
    return MappingProxyType({**dict(ranks), "+": "flag", "*": trap, ".": "-", "-": "-"})
