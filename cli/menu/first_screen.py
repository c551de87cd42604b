"""The first screen, which opens without a command; a player comes back to it after each game.

The choices are those of the start menu in lines (`cli.menu.line_menu`), which stays for `--plain` and pipes.
The screen is there before the saved games are read: it opens at once, however many they are.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli.lines.prompt import Prompt
from cli.screen.chooser import BACK, QUIT, TITLE, ChoiceList, ChoiceRow, Chooser, ask, choice_row
from cli.shell.commands import COMMANDS, FRIEND, LEARN, PAST, TOP, UPWARD
from cli.shell.exit_codes import Exit
from cli.shell.settings import FILE, Settings, given, glance, shown_on
from p2p_stratego.core.language import _, mark, n_

if TYPE_CHECKING:
    from collections.abc import Callable

    from cli.menu.welcome import NextMatch
    from cli.reports.rows import Plain


@dataclass(frozen=True, slots=True)
class MenuChoice:
    """One choice of the first screen, or of a list that it opens."""

    letter: str
    title: str
    about: str
    command: tuple[str, ...] = ()
    """The words of its command; none for a list."""
    list: tuple[MenuChoice, ...] = ()

    @property
    def row(self) -> ChoiceRow:
        """The choice on the screen."""
        return ChoiceRow(_(self.title), _(self.about), self.letter)


def _under(listed: str) -> tuple[MenuChoice, ...]:
    """The commands on the first screen itself, or on a list that it opens."""
    return tuple(
        MenuChoice(row.letter, row.title, row.about, (spec.name, *row.words))
        for spec in COMMANDS
        for row in spec.rows
        if row.under == listed
    )


CHOICES: Final = (
    *_under(TOP),
    MenuChoice(
        "f", mark("Play a friend"), mark("host, join, nearby, by post, or once more"), list=_under(FRIEND)
    ),
    MenuChoice("l", mark("Learn"), mark("a first game with a coach; the rules"), list=_under(LEARN)),
    MenuChoice(
        "w",
        mark("Watch and check games"),
        mark("replay, audit, analysis; a friend's game"),
        list=_under(PAST),
    ),
    MenuChoice("s", mark("Settings"), mark("your name, colours, sounds, ways to others"), ("settings",)),
    MenuChoice("q", mark("Quit"), ""),
)
_NEWCOMERS: Final = next(at for at, choice in enumerate(CHOICES) if choice.list == _under(LEARN))
"""The choice on which a newcomer finds the cursor."""
_NEWEST, _ANOTHER = "c", "o"
"""The letters of the choices that go on with a game."""
_CONTINUE: Final = mark("Continue")
_OTHERS: Final = mark("Other unfinished games")
_LOOKING: Final = mark("looking for your last unfinished game …")
_WELCOME: Final = mark("New here? Choose Learn: ten minutes, and a coach tells you everything.")


def is_new(home: Path) -> bool:
    """Whether nobody has played or chosen anything in this home folder yet."""
    return not (home / FILE).exists() and not _any_game(home)


def _any_game(home: Path) -> bool:
    return (home / "games").is_dir() and any((home / "games").iterdir())


class ScreenPrompt(Prompt):
    """The questions of the start menu, with each list on the whole screen."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(ascii_only=settings.ascii)
        self.settings = settings
        self._kept: list[str] = []
        self._unread = False
        """Whether a list would cover printed lines that the player has not read."""

    def say(self, text: str = "") -> None:
        """Keep a line for the next list; `flush` prints the kept lines."""
        if text:
            self._kept.append(text)

    def look(self, settings: Settings) -> None:
        """Show the lists that follow by these settings."""
        super().look(settings)
        self.settings = settings

    def flush(self) -> None:
        """Print the kept lines."""
        for text in self._kept:
            super().say(text)
        self._kept = []

    def printed(self) -> None:
        """Note that lines were printed: the next list waits until the player has read them."""
        self._unread = True

    def ask(self, question: str, usual: str = "") -> str:
        """The answer to a question, in lines.  Raises EOFError as `Prompt.ask` does."""
        self.flush()
        self._unread = False
        return super().ask(question, usual)

    def _typed(self, question: str) -> str | None:
        """The answer that a person types; None after Esc, as a list goes back."""
        return ask(question)

    def page(self, lines: Sequence[str]) -> None:
        """Print lines, a screenful at a time.  Raises EOFError as `Prompt.ask` does."""
        self.flush()
        super().page(lines)
        self._unread = True

    def pick(
        self, question: str, titles: Sequence[str], usual: int | None, pictures: Sequence[Sequence[str]] = ()
    ) -> int | None:
        """The index of the picked title; None: the player goes back.

        Raises EOFError for a player who quits.
        """
        rows = [
            choice_row(title, lines)
            for title, lines in zip(titles, chain(pictures, repeat(())), strict=False)
        ]
        picked = self.choose(ChoiceList(question, rows, usual or 0, self.taken(), nested=True))
        if picked == QUIT:
            raise EOFError
        return None if picked == BACK else picked

    def taken(self) -> Sequence[str]:
        """The kept lines, once the player has read the printed ones."""
        if self._unread:
            super().say()
            self._unread = False
            super()._line(_("Enter: back") + " ")
        kept, self._kept = self._kept, []
        return kept

    def choose(self, listing: ChoiceList) -> int:
        """The number of the row that is chosen, or BACK or QUIT."""
        return self.chooser(listing).run()

    def chooser(self, listing: ChoiceList) -> Chooser:
        """The application for a list."""
        wanted = self.settings
        return Chooser(listing, wanted.theme, ascii_only=wanted.ascii, mouse=wanted.mouse)


class FirstScreen:
    """One player at the first screen."""

    def __init__(self, arguments: argparse.Namespace, home: Path) -> None:
        self._arguments, self._home = arguments, home
        self.prompt = ScreenPrompt(self._settings())

    def _settings(self) -> Settings:
        return shown_on(given(glance(self._home), self._arguments), sys.stdout.encoding)

    def run(self) -> int:
        """Show the first screen and do what is chosen, until the player quits."""
        try:
            while True:
                self.prompt.look(self._settings())
                chosen = self._top()
                if chosen is None:
                    return Exit.OK
                self._do(chosen)
        except EOFError:
            return Exit.OK
        finally:
            self.prompt.flush()

    def _top(self) -> tuple[str, ...] | None:
        """The words of the chosen command, () for none; None: the player quits."""
        sentences = self.prompt.taken()
        looking = HomeNews(self._home)
        rows = [choice.row for choice in CHOICES]
        newcomer = is_new(self._home)
        if looking.needed:
            rows.insert(0, ChoiceRow(_(_CONTINUE), _(_LOOKING), _NEWEST))
        at = _NEWCOMERS if newcomer else 0
        sentences = [*sentences, *[_(_WELCOME)] * newcomer]
        chooser = self.prompt.chooser(ChoiceList(_(TITLE), rows, at, sentences))

        def show_games() -> None:
            chooser.show(looking.shown(chooser.listing))

        picked = chooser.run(lambda: looking.begin(show_games))
        if picked == QUIT:
            return None
        letter = chooser.listing.rows[picked].letter
        if letter in (_NEWEST, _ANOTHER):
            return self._going_on(looking.rows(), newest=letter == _NEWEST)
        if letter == UPWARD.letter and looking.upward is not None:
            return looking.upward.command
        choice = next(choice for choice in CHOICES if choice.letter == letter)
        if choice.list:
            self._from_list(choice)
            return ()
        return choice.command or None

    def _going_on(self, rows: Sequence[Plain], *, newest: bool) -> tuple[str, ...]:
        """The command that goes on with the game played last, or with another game that the player picks."""
        from cli.menu.line_menu import match

        if not rows:
            self.prompt.say(_("No game waits to be gone on with."))
            return ()
        at = 0 if newest else self.prompt.pick(_("Which game?"), [match(row) for row in rows], 0)
        return () if at is None else ("resume", str(rows[at]["id"]))

    def _from_list(self, choice: MenuChoice) -> None:
        """Do the commands chosen from a list, which is shown after each, until the player goes back.

        Raises EOFError for a player who quits.
        """
        listing = ChoiceList(_(choice.title), (), nested=True)
        while True:
            rows = [self._ticked(listed) for listed in choice.list]
            picked = self.prompt.choose(replace(listing, rows=rows, sentences=self.prompt.taken()))
            if picked == BACK:
                return
            if picked == QUIT:
                raise EOFError
            self._do(choice.list[picked].command)
            self.prompt.look(self._settings())
            listing = replace(listing, at=picked)

    def _ticked(self, choice: MenuChoice) -> ChoiceRow:
        """A choice on the screen; that of a game's lessons says how many are learnt."""
        if choice.command[:1] != ("learn",):
            return choice.row
        from cli.games import lessons

        tally = lessons.tally(self.prompt.settings, choice.command[1])
        return replace(choice.row, about=f"{choice.row.about} · {tally}")

    def _do(self, command: tuple[str, ...]) -> None:
        """Ask for the arguments of a command, and run it; the first screen follows."""
        from cli.menu.line_menu import Menu

        if command:
            Menu(self._arguments, self._home, self.prompt).do(*command)


class HomeNews:
    """What awaits our player: the unfinished games, the next match on the ladder, and sentences about both.

    It is read while the first screen is there already.
    """

    def __init__(self, home: Path) -> None:
        self._home = home
        self.needed = _any_game(home)
        self._rows: Sequence[Plain] = ()
        self._sentences: Sequence[str] = ()
        self.upward: NextMatch | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self.look, daemon=True)
        self._done: Callable[[], None] = lambda: None

    def begin(self, done: Callable[[], None]) -> None:
        """Begin to read; `done` is called in the running event loop when all is read."""
        if self.needed:
            loop = asyncio.get_running_loop()

            def tell() -> None:
                loop.call_soon_threadsafe(done)

            self._done = tell
            self._thread.start()

    def look(self) -> None:
        from cli.menu.line_menu import going_on
        from cli.menu.welcome import greeting, next_match, puzzle_of_the_day
        from cli.reports.own_games import listed

        try:
            rows = listed(self._home)
            self._rows = going_on(rows)
            now = time.time()
            self._sentences = greeting(rows, now, puzzle_of_the_day(self._home, now))
            self.upward = next_match(rows, all_open=not glance(self._home).ladder)
        except Exception as error:
            self._error = error
        with suppress(RuntimeError):  # the screen is gone already
            self._done()

    def rows(self) -> Sequence[Plain]:
        """The unfinished games, the one to go on with first.  Raises what reading them raised."""
        if self.needed:
            self._thread.join()
        if self._error is not None:
            raise self._error
        return self._rows

    def shown(self, listing: ChoiceList) -> ChoiceList:
        """The first screen with all that."""
        rest = [row for row in listing.rows if row.letter not in (_NEWEST, _ANOTHER, UPWARD.letter)]
        fresh = self._fresh()
        at, moved = listing.at, len(listing.rows) - len(rest)
        if at >= moved:
            at += len(fresh) - moved
        sentences = [*listing.sentences, *self._sentences]
        return replace(listing, rows=[*fresh, *rest], at=max(at, 0), sentences=sentences)

    def _fresh(self) -> list[ChoiceRow]:
        """The choices that go on with something."""
        if self._error is not None:
            return [ChoiceRow(_(_CONTINUE), _("the saved games cannot be read: Enter says why"), _NEWEST)]
        fresh: list[ChoiceRow] = []
        if self._rows:
            from cli.menu.line_menu import match

            fresh.append(ChoiceRow(_(_CONTINUE), match(self._rows[0]).partition("  ")[2], _NEWEST))
        if len(self._rows) > 1:
            others = n_("{count} more game", "{count} more games", len(self._rows) - 1)
            fresh.append(ChoiceRow(_(_OTHERS), others, _ANOTHER))
        if self.upward is not None:
            from cli.text import portraits

            picture = portraits.lines(self.upward.level)
            fresh.append(ChoiceRow(_(UPWARD.title), self.upward.about, UPWARD.letter, picture))
        return fresh
