"""The start menu in lines: all that the program does for a player; `cli.menu.first_screen` has the screen.

After every game or page the player is back in the menu.  With piped input every
command asks as little as it can, and the first failure ends the program with its exit code.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from cli.commands import rules
from cli.games import lessons
from cli.lines.prompt import Prompt
from cli.menu import settings_menu
from cli.menu.welcome import (
    NextMatch,
    game_row,
    greeting,
    how_long,
    next_match,
    our_turn,
    puzzle_of_the_day,
    rated,
    score,
    with_people,
)
from cli.reports.own_games import game, listed
from cli.reports.rows import SHOWN_ID, Plain
from cli.shell import parser, settings
from cli.shell.commands import COMMANDS, UPWARD
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.explain import explain
from cli.shell.locations import runs
from cli.shell.settings import Settings
from cli.text import portraits
from cli.text.layout import series
from cli.text.names import bot_name
from cli.text.sanitize import escape
from p2p_stratego.core.characters import CHARACTERS
from p2p_stratego.core.entry import GameEntry
from p2p_stratego.core.game import OptionError
from p2p_stratego.core.language import _, _c, mark
from p2p_stratego.registry import ENTRIES, GAMES
from protocol.failures import Failure
from protocol.storage.home import Home
from protocol.storage.ledger import read_ledger
from protocol.storage.match_store import PEER, POSTS
from protocol.storage.route import read_route

if TYPE_CHECKING:
    from cli.studies.statistics.ladder import Rung

Variants: TypeAlias = Sequence[tuple[str, list[str]]]
"""A title for each, and the options of the command line that choose it."""
_NAMED: Final = ["--relay"]
"""Stands for relays that are still to be typed."""


def ways_sentence(saved: Settings) -> str:
    """A sentence on the ways by which our player calls and is called, by the settings; empty: straight."""
    parts = []
    if saved.proxy:
        parts.append(
            _(
                "through the proxy {rpartition}",
                rpartition=escape(saved.proxy.rpartition("@")[2].rpartition("/")[2], 60),
            )
        )
    relays = escape(series(list(saved.relays)), 60)
    if saved.relay_only:
        parts.append(
            _("through {relays} only, so that nobody learns your address", relays=relays or _("relays"))
        )
    elif relays:
        parts.append(_("also at {relays}", relays=relays))
    return _("By your settings: {parts}.", parts="; ".join(parts)) if parts else ""


def of_host(saved: Settings) -> Variants:
    """How friends can reach a host, the way of the settings first."""
    if saved.proxy or saved.relay_only:
        usual = _("as your settings say")
    else:
        usual = (
            _("straight, or through your relays")
            if saved.relays
            else _("straight: most friends need no more")
        )
    ways: list[tuple[str, list[str]]] = [(usual, [])]
    if saved.relays and not saved.relay_only:
        ways.append((_("through your relays only: they do not learn your address"), ["--relay-only"]))
    named = (
        _("through another relay, too: somebody's machine that all can reach")
        if saved.relays
        else _("through a relay, too: somebody's machine that all can reach")
    )
    ways.append((named, _NAMED))
    return ways


def ask_ways(prompt: Prompt, saved: Settings) -> list[str] | None:
    """The options for how friends reach our player; None: the player goes back.  Raises EOFError."""
    if words := ways_sentence(saved):
        prompt.say(words)
    offered = of_host(saved)
    at = prompt.pick(_("How do friends reach you?"), [title for title, _unused in offered], 0)
    if at is None:
        return None
    return _typed(prompt, saved) if offered[at][1] is _NAMED else offered[at][1]


def _typed(prompt: Prompt, saved: Settings) -> list[str] | None:
    """The options that name the relays of the settings and one more; None: back."""
    from cli.play.arriving import network_options

    while address := prompt.ask(_("Its HOST:PORT (Enter: back) ")):
        try:
            named = [*saved.relays, str(network_options.relay(address))]
        except Sorry as error:
            prompt.say(str(error))
        else:
            return [word for relay in named for word in ("--relay", relay)]
    return None


_COMMON: Final = (
    "home",
    "plain",
    "ascii",
    "theme",
    "language",
    "notify",
    "no_notes",
    "no_animation",
    "log",
    "trace",
)
"""Options that the chosen command inherits."""
_SET_UP: Final = tuple(entry.title for entry in ENTRIES.values() if entry.setups)
_CHOICES: Final = (
    *((*spec.in_menu, spec.name) for spec in COMMANDS if spec.in_menu is not None),
    ("o", mark("your name, colours, notifications, relays, proxy, ..."), "settings"),
)
"""Each line: its letter, its words, and the command."""
_ON_SCREEN: Final = ("replay", "mistakes", "puzzle")
"""Commands that print nothing."""
_PAGE: Final = "page"
"""Stands for the export as a page."""
_PAST: Final = (
    ("replay", mark("see it again, step by step")),
    ("audit", mark("check it: who won, was it honest")),
    ("export", mark("read it as text")),
    ("analyse", mark("where it turned, what was known, and how much luck there was")),
    ("mistakes", mark("learn from your mistakes: decide once more")),
    (_PAGE, mark("a page for any browser, which checks the game itself")),
)
"""The commands for a past game."""
_SHOWN_GAMES: Final = 20
"""Games that the menu lists; `games` lists all."""


def run(arguments: argparse.Namespace, home: Path) -> int:
    """Show the menu and run the choices, until the player quits or the input ends.

    It imports nothing that only playing needs, so that it appears at once.
    """
    if sys.stdin.isatty() and not sys.stdout.isatty():
        for line in lines(unfinished(home)):
            print(line)
        return Exit.OK  # nobody sees a question
    menu = Menu(arguments, home, Prompt(ascii_only=arguments.ascii))
    try:
        while (code := menu.once()) == Exit.OK:
            menu.prompt.say()
    except EOFError:
        return Exit.OK
    return code


def unfinished(home: Path) -> list[Plain]:
    """The games that can go on, the one played last first."""
    return going_on(listed(home) if home.exists() else [])


def going_on(rows: Sequence[Plain]) -> list[Plain]:
    """Those of `rows` that can go on: first where a person waits, then where a bot does, last those open
    elsewhere.
    """
    waiting = sorted((row for row in rows if row.get("resumable")), key=_waiting)
    return [row | {"by_post": _goes_by_post(Path(row["transcript"]).parent)} for row in waiting]


def _waiting(row: Plain) -> tuple[bool, bool, bool]:
    """The place of a match among those that can go on: the first has the smallest."""
    ours = our_turn(row)
    return bool(row.get("open")), not ours, ours and not with_people(row)


def _goes_by_post(folder: Path) -> bool:
    """Whether the match in `folder` goes by post alone; False for unreadable files: opening them says why."""
    with suppress(OSError, Failure):
        ledger = read_ledger((folder / POSTS).read_bytes(), str(folder / POSTS))
        route = read_route((folder / PEER).read_bytes(), str(folder / PEER))
        return ledger.used and route.own is None and not route.others
    return False


def match(row: Plain) -> str:
    """A match in a few words: the game, with whom, and whose turn it is."""
    return game(row) + (_(", by post") if row.get("by_post") else "")


def lines(
    waiting: Sequence[Plain], greeted: Sequence[str] = (), upward: NextMatch | None = None
) -> list[str]:
    """The menu; `waiting`: rows of `cli.reports.own_games.listed`; `greeted`: sentences above the choices."""
    menu_lines = [_("P2P STRATEGO: bluffing games for friends, with no server and no cheating"), ""]
    menu_lines += [*greeted, *[""] * bool(greeted)]
    if waiting:
        menu_lines.append(_("Unfinished games"))
        menu_lines += [f"  {number}  {match(row)}" for number, row in enumerate(waiting, start=1)]
        menu_lines.append("")
    if upward is not None:
        menu_lines.append(f"  {UPWARD.letter}  {_(UPWARD.title)}: {upward.about}")
    menu_lines += [f"  {letter}  {_(about, games=series(_SET_UP))}" for letter, about, _unused in _CHOICES]
    return [*menu_lines, _("  q  quit"), ""]


def read(text: str, waiting: Sequence[Plain], upward: NextMatch | None = None) -> list[str] | None:
    """The command line that `text` chooses; None if it chooses nothing."""
    choice = text.strip().lower()
    if choice == UPWARD.letter and upward is not None:
        return list(upward.command)
    if choice.isascii() and choice.isdigit() and 0 < int(choice[:9]) <= len(waiting):
        return ["resume", str(waiting[int(choice[:9]) - 1]["id"])]
    return next(([command] for letter, _about, command in _CHOICES if choice in (letter, command)), None)


def variants(*, with_setups: bool = False) -> Variants:
    """Every well-known variant of every game, the usual one first; `with_setups`: where a side is set up."""
    return [
        (title, ["--game", entry.name, *options])
        for entry in ENTRIES.values()
        if not with_setups or entry.setups
        for title, options in _presets(entry)
    ]


def _presets(entry: GameEntry, *, timed: bool = False) -> Variants:
    """The well-known variants of one game; `timed`: with how long they take."""
    several = timed and len(entry.presets) > 1
    return [
        (
            "  ".join(filter(None, [_(preset.title), how_long([preset.minutes])]))
            if several
            else preset.title,
            [f"--{name}={value}" for name, value in preset.options.items()],
        )
        for preset in entry.presets
    ]


def games() -> Variants:
    """Every game, with its players, how long it takes, and what it is about."""
    return [(game_row(entry), ["--game", entry.name]) for entry in ENTRIES.values()]


def presets(chosen: Sequence[str]) -> Variants:
    """The variants of the game that was picked, with how long each takes."""
    return _presets(ENTRIES[chosen[1]], timed=True)


def tables(variant: Sequence[str]) -> Variants:
    """Every number of players of a variant's game, the fewest first, and whether they play in teams."""
    game = GAMES[variant[1]]
    return [
        (
            _("{seats} players, in teams", seats=seats)
            if len(game.sides(seats)) < seats
            else _("{seats} players", seats=seats),
            ["--seats", str(seats)],
        )
        for seats in game.seat_counts
    ]


_SPECTATORS: Final[Variants] = [
    (mark("no"), []),
    (mark("yes: an invite to watch is printed, too"), ["--watch"]),
]


def escrows(variant: Sequence[str]) -> Variants:
    """The possible ends of a game with decks, at a table of three players or more, if a player vanishes."""
    seats = int(variant[variant.index("--seats") + 1]) if "--seats" in variant else 0
    ends: Variants = [(_("the game ends there: nobody can open the cards of another"), [])]
    if not GAMES[variant[1]].needs_proofs:
        return ends
    return [
        *ends,
        *(
            (
                _("{some} others can open that player's cards, or any player's in secret", some=some),
                ["--escrow", str(some)],
            )
            for some in range(seats - 1, 1, -1)
        ),
    ]


def seats(variant: Sequence[str]) -> Variants:
    """The seats of a variant's game at its table, if a player may care which of them it has."""
    from cli.games.options import chosen

    space = parser.parsed("play", *variant)
    own = ENTRIES[space.game].seats
    usual: Variants = [("", [])]
    if own is None:
        return usual
    game, options = chosen(space)
    try:
        choices = own.load()(space.seats or game.seat_counts[0], options)
    except OptionError:
        return usual  # the command says why
    return [(series([*names.values()]), ["--seat", next(iter(names))]) for names in choices]


def opponent(entry: GameEntry, ladder: Sequence[Rung], at: int) -> str:
    """A rung of the ladder: the bot's name, our player's results, its strength, its temper, how it plays."""
    rung = ladder[at]
    if not rung.open:
        return f"{bot_name(rung.level)}  {closed(ladder, at)}"
    words = [_(entry.about_bots[rung.level])]
    if (known := CHARACTERS.get(rung.level)) is not None:
        words.insert(0, f"{_(known.strength)}: {_(known.temper)}")
    words[:0] = [score(rung)] * bool(rung.played)
    return f"{bot_name(rung.level)}  {'; '.join(words)}"


_CLOSED: Final = ["closed"]
"""Stands for an opponent that cannot be chosen yet."""
_ANOTHER_TABLE: Final = ["table"]
"""Stands for a table with more players, or another side, that is still to be picked."""


def _option(ladder: Sequence[Rung], at: int) -> list[str]:
    return ["--level", ladder[at].level] if ladder[at].open else _CLOSED


def closed(ladder: Sequence[Rung], at: int) -> str:
    """Why an opponent cannot be chosen yet."""
    return _("first beat: {name}", name=bot_name(ladder[at - 1].level))


MenuStep: TypeAlias = tuple[str, Callable[[Sequence[str]], Variants]]
"""A question, and its choices after the options that were picked before."""


class Menu:
    """One player at the menu."""

    def __init__(self, arguments: argparse.Namespace, home: Path, prompt: Prompt) -> None:
        self._arguments = arguments
        self._home = home
        self.prompt = prompt
        self._usual: list[str] = []
        self._pictures: dict[str, Sequence[str]] = {}
        """By title of a choice: its picture."""
        """The options of the choice on which the cursor is, if that is not the first one."""
        self._submenus: dict[str, Callable[[], int]] = {
            "play": self._play,
            "host": self._host,
            "join": self._join,
            "again": self._again,
            "post": self._post,
            "learn": self._learn,
            "demo": lambda: self._of_a_variant("demo"),
            "games": self._games,
            "setups": self._setups,
            "rules": self._rules,
            "settings": lambda: settings_menu.run(self.prompt, self._home, self._arguments),
        }

    def once(self) -> int:
        """Show the menu and do one thing; its exit code, OK if a person was told of the error."""
        rows = listed(self._home) if self._home.exists() else []
        waiting = going_on(rows)
        upward = next_match(rows, all_open=not settings.glance(self._home).ladder)
        now = time.time()
        puzzle = puzzle_of_the_day(self._home, now) if rows else ""  # a newcomer has enough to read
        for line in lines(waiting, greeting(rows, now, puzzle), upward):
            self.prompt.say(line)
        while (chosen := read(self.prompt.ask("> "), waiting, upward)) is None:
            self.prompt.say(_("Please type one of the numbers or letters, or q to quit."))
        return self.do(*chosen)

    def do(self, *chosen: str) -> int:
        """Do a choice: ask for its arguments, and run the command."""
        if chosen[0] == "learn" and len(chosen) > 1 and self.prompt.interactive:
            return self._lessons(chosen[1])
        submenu = self._submenus.get(chosen[0]) if len(chosen) == 1 else None
        return self.run_command(*chosen) if submenu is None else submenu()

    def run_command(self, *words: str) -> int:
        """Run a command.  After an error a person stays in the menu."""
        space = self._parsed(words)
        self.prompt.flush()
        if space.command not in _ON_SCREEN:
            self.prompt.printed()
        if not self.prompt.interactive:
            return parser.target(space.command)(space)
        try:
            parser.target(space.command)(space)
        except KeyboardInterrupt as error:
            if getattr(error.__cause__, "number", signal.SIGINT) != signal.SIGINT:
                raise  # the terminal is gone, or the system asks the program to end
            self.prompt.say(_("Interrupted. Nothing that was saved is lost."))
        except Exception as error:
            explained = explain(error, runs(self._arguments.home))
            if explained is None:
                raise
            self.prompt.say(explained[0])
            self.prompt.flush()  # a player who is asked to go back has to know why
        return Exit.OK

    def _parsed(self, words: Sequence[str]) -> argparse.Namespace:
        space = parser.parsed(*words)
        for name in _COMMON:
            if hasattr(self._arguments, name):
                setattr(space, name, getattr(self._arguments, name))
        return space

    def _picked(self, question: str, offered: Variants) -> list[str] | None:
        """The options of the picked choice; None: back."""
        titles = [_(title) for title, _words in offered]
        pictures = [self._pictures.get(title, ()) for title in titles]
        at: int | None = next((at for at, (_title, words) in enumerate(offered) if words is self._usual), 0)
        while len(offered) > 1 and (at := self.prompt.pick(question, titles, at, pictures)) is not None:
            if offered[at][1] != _CLOSED:
                break
            name, _unused, why = titles[at].partition("  ")
            self.prompt.say(
                _("{name} is not open yet, {why}. The settings open all at once.", name=name, why=why)
            )
        return None if at is None else offered[at][1]

    def _play(self) -> int:
        # A script names the game only, and gets the usual level.
        bots = [(_("Which bot?"), self._opponents_or_table)] if self.prompt.interactive else []
        options = self._through(*self._of_variant, *bots)
        while options is not None and options[-1:] == _ANOTHER_TABLE:
            variant = options[:-1]
            options = self._at_another_table(variant)
            if options is None:  # back, to the ladder
                picked = self._picked(_("Which bot?"), self._opponents_or_table(variant))
                options = None if picked is None else [*variant, *picked]
        return Exit.OK if options is None else self.run_command("play", *options)

    def _at_another_table(self, variant: list[str]) -> list[str] | None:
        """The options of a variant with players, side and bot; None: back."""

        def after(offer: Callable[[Sequence[str]], Variants]) -> Callable[[Sequence[str]], Variants]:
            return lambda picked: offer([*variant, *picked])

        more = self._through(
            (_("How many players?"), after(tables)),
            (_("Which side is yours?"), after(seats)),
            (_("Which bot?"), after(self._opponents)),
        )
        return None if more is None else [*variant, *more]

    def _opponents_or_table(self, variant: Sequence[str]) -> Variants:
        """The ladder, and behind it the way to a larger table or another side, where there is one."""
        choices = self._opponents(variant)
        if len(GAMES[variant[1]].seat_counts) == 1 and len(seats(variant)) == 1:
            return choices
        return [*choices, (_("Another table  more players, or another side"), _ANOTHER_TABLE)]

    def _opponents(self, variant: Sequence[str]) -> Variants:
        """The ladder of a variant's game; the cursor is on the right opponent for our player."""
        from cli.studies.statistics import ladder

        entry = ENTRIES[variant[1]]
        rows = listed(self._home) if self._home.exists() else []
        rungs = ladder.rungs(entry, rows, all_open=not settings.glance(self._home).ladder)
        own = ladder.rating(entry, rows)
        if own is not None:
            self.prompt.say(rated(entry, own))
        offered = [(opponent(entry, rungs, at), _option(rungs, at)) for at in range(len(rungs))]
        self._usual = offered[ladder.right(entry, rungs, own)][1]
        self._pictures = {
            title: portraits.lines(rung.level, known=rung.open)
            for (title, _words), rung in zip(offered, rungs, strict=True)
        }
        return offered

    def _learn(self) -> int:
        if not self.prompt.interactive:
            return self.run_command("learn", lessons.taught()[0])
        saved = settings.glance(self._home)
        taught: Variants = [
            (f"{_(ENTRIES[name].title)}  {lessons.tally(saved, name)}", [name]) for name in lessons.taught()
        ]
        chosen = self._picked(_c("a kind of game", "Which game?"), taught)
        return Exit.OK if chosen is None else self._lessons(*chosen)

    def _lessons(self, game: str) -> int:
        """The lessons of a game with their ticks; the cursor is on the first that has none."""
        from cli.reports.sources import begun

        saved = settings.glance(self._home)
        left = begun(listed(self._home)) if self._home.exists() else ()
        offered: Variants = [
            (f"{title}  {tick}".strip(), [game, str(number)])
            for number, (tick, title) in enumerate(lessons.listed(saved, game, left), start=1)
        ]
        self._usual = offered[lessons.due(saved, game) - 1][1]
        chosen = self._picked(_("Which lesson?"), offered)
        return Exit.OK if chosen is None else self.run_command("learn", *chosen)

    def _host(self) -> int:
        more = [(_("How many players?"), tables), (_("Which side is yours?"), seats)]
        variant = self._through(*self._of_variant, *(more if self.prompt.interactive else []))
        if variant is None:
            return Exit.OK
        if not self.prompt.interactive:
            return self.run_command("host", *variant)
        chosen = self._picked(_("And if a player vanishes for good?"), escrows(variant))
        watching = None if chosen is None else self._picked(_("May others watch?"), _SPECTATORS)
        ways = None if watching is None else ask_ways(self.prompt, self._saved())
        if ways is None:
            return Exit.OK
        return self.run_command("host", *variant, *(chosen or ()), *(watching or ()), *ways)

    def _join(self) -> int:
        if self.prompt.interactive and (words := ways_sentence(self._saved())):
            self.prompt.say(words)
        return self.run_command("join")

    def _saved(self) -> Settings:
        """The settings as they stand."""
        if not self._home.exists():
            return Settings()
        with Home(self._home) as opened:
            return settings.read(opened.settings())

    def _again(self) -> int:
        """Ask a friend for a game; if there are several, the player picks one."""
        from cli.commands.contacts import askable

        friends = askable(self._home) if self._home.exists() else []
        if not friends:
            self.prompt.say(_("No friend has let you ask yet: in a game with you, your friend types friend."))
            return Exit.OK
        friend = self._picked(_("With whom?"), friends)
        return Exit.OK if friend is None else self.run_command("again", *friend)

    def _post(self) -> int:
        """Write for a game that is not over, or offer a new one; a script writes for the only one."""
        if not self.prompt.interactive:
            return self.run_command("post")
        new: Variants = [(_("a new game: an offer for a friend"), [])]
        for_what = self._picked(
            _("For which game?"), [*new, *((match(row), [row["id"]]) for row in unfinished(self._home))]
        )
        if for_what is None or for_what:
            return Exit.OK if for_what is None else self.run_command("post", *for_what)
        of_two = [variant for variant in variants() if 2 in GAMES[variant[1][1]].seat_counts]
        chosen = self._picked(_c("a kind of game", "Which game?"), of_two)
        return Exit.OK if chosen is None else self.run_command("post", "--new", *chosen[1:])

    def _of_a_variant(self, command: str) -> int:
        table = [(_("How many players?"), tables)] if self.prompt.interactive else []
        variant = self._through(*self._of_variant, *table)
        return Exit.OK if variant is None else self.run_command(command, *variant)

    @property
    def _of_variant(self) -> Sequence[MenuStep]:
        if not self.prompt.interactive:
            return [(_c("a kind of game", "Which game?"), lambda _options: variants())]
        return [(_c("a kind of game", "Which game?"), self._games_offered), (_("Which kind?"), presets)]

    def _games_offered(self, _options: Sequence[str]) -> Variants:
        """Every game; the cursor is on the game played last."""
        offered = games()
        rows = listed(self._home) if self._home.exists() else []
        last = next((row["game"] for row in rows if row.get("game") in ENTRIES), None)
        self._usual = next((words for _title, words in offered if words[1] == last), offered[0][1])
        return offered

    def _through(self, *steps: MenuStep) -> list[str] | None:
        """The options picked at all steps; a player who goes back is asked the step before.  None: back."""
        answers: list[tuple[list[str], bool]] = []
        while len(answers) < len(steps):
            question, offer = steps[len(answers)]
            offered = offer([word for options, _ in answers for word in options])
            options = self._picked(question, offered)
            if options is not None:
                answers.append((options, len(offered) > 1))
                continue
            asked = False
            while answers and not asked:
                asked = answers.pop()[1]
            if not asked:
                return None
        return [word for options, _ in answers for word in options]

    def _games(self) -> int:
        rows = list(listed(self._home)) if self._home.exists() else []
        if not rows or not self.prompt.interactive:
            return self.run_command("games")
        if len(rows) > _SHOWN_GAMES:
            self.prompt.say(
                _(
                    "The {shown_games} played last of {count}; the command games lists all.",
                    shown_games=_SHOWN_GAMES,
                    count=len(rows),
                )
            )
        shown = [row for row in rows if "game" in row][:_SHOWN_GAMES]
        at = self.prompt.pick(_("Which one?"), [game(row) for row in shown], None)
        while at is not None:
            done = list(_PAST) + [("resume", _("go on with it"))] * bool(shown[at].get("resumable"))
            chosen = self.prompt.pick(_("What about it?"), [_(about) for _unused, about in done], None)
            if chosen is None:
                break
            self._about(done[chosen][0], str(shown[at]["id"]))
            if done[chosen][0] == "resume":
                break
        return Exit.OK

    def _about(self, command: str, match: str) -> None:
        """Run the command for a past game; for the page, ask for the name of its file first."""
        if command != _PAGE:
            self.run_command(command, match)
            return
        usual = f"{match[:SHOWN_ID]}.html"
        named = self.prompt.ask(_("The file to write [{usual}]", usual=usual) + " ", usual)
        if named:
            self.run_command("export", match, "--html", named)

    def _setups(self) -> int:
        variant = self._picked(_("For which army?"), variants(with_setups=True))
        if variant is None:
            return Exit.OK
        code = self.run_command("setups", *variant)
        while self.prompt.interactive:
            name = self.prompt.ask(_("Which one to look at? Its name, or a file (Enter: back) "))
            if not name or name.startswith("-"):
                break
            self.run_command("setups", *variant, name)
        return code

    def _rules(self) -> int:
        chosen = self._picked(_c("a kind of game", "Which game?"), games())
        if chosen is None or not self.prompt.interactive:
            return Exit.OK if chosen is None else self.run_command("rules", *chosen)
        topic: str | None = None
        while topic != "":
            space = self._parsed(["rules", *chosen])
            space.topic = topic
            try:
                self.prompt.page(rules.lines(space))
            except Exception as error:
                explained = explain(error, runs(self._arguments.home))
                if explained is None:
                    raise
                self.prompt.say(explained[0])
            topic = self.prompt.ask(_("More about one thing? Type its name (Enter: back) "))
        return Exit.OK
