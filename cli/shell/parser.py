"""The command line: which commands there are and what they take.

Nothing but argparse and the games' entries is loaded here, so that `--help` and completion answer at once; a
command names the function that runs it, which is imported only when it is called for.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar, cast, overload

from cli.shell import arguments, slips
from cli.shell.exit_codes import MEANINGS, Exit, Sorry
from cli.shell.options import integer, relay
from cli.shell.trace_log import tracing
from cli.shell.version import PROGRAM, told
from p2p_stratego.core.language import _, english, mark, n_
from p2p_stratego.core.narration import said
from p2p_stratego.registry import ENTRIES


def stats(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "player",
        metavar="PLAYER",
        nargs="?",
        default=None,
        help=_("a name, or the start of a fingerprint or key; default: the player of this home folder"),
    )
    parser.add_argument(
        "--game", type=str.lower, choices=tuple(ENTRIES), default=None, help=_("one game alone; default: all")
    )
    parser.add_argument(
        "--afresh", action="store_true", help=_("audit every record again, and not only the new ones")
    )
    parser.add_argument("--json", action="store_true", help=_("for machines: JSON on standard output"))


ACTIONS: Final = ("new", "pair", "take", "rule", "withdraw", "table", "key")
SYSTEMS: Final = ("round-robin", "swiss", "knockout")
RESULTS: Final = ("1-0", "1/2-1/2", "0-1", "0-0")
"""As `cli.studies.tournament.event` has them, whose module takes longer to load."""


def tournament(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action",
        metavar="ACTION",
        nargs="?",
        default=None,
        choices=ACTIONS,
        help=_(
            "new, pair (the next round), take (records), rule (on a dispute), withdraw (a player), table, "
            "key (your own)"
        ),
    )
    parser.add_argument(
        "folder", metavar="FOLDER", nargs="?", default=None, help=_("the tournament's folder")
    )
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        help=_("take: transcripts, or folders of them, from players; withdraw: the player"),
    )
    parser.add_argument("--json", action="store_true", help=_("for machines: JSON on standard output"))
    parser.add_argument(
        "--html", metavar="OUT", type=Path, default=None, help=_("table: write a page to this file")
    )
    made = parser.add_argument_group(_("a new tournament"))
    made.add_argument("--name", metavar="NAME", default=None, help=_("what it is called"))
    made.add_argument(
        "--game", type=str.lower, choices=tuple(ENTRIES), default=None, help=_("what is played")
    )
    made.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help=_("an option of the game, such as wall=3; may be repeated"),
    )
    made.add_argument("--system", choices=SYSTEMS, default=SYSTEMS[0], help=_("default: %(default)s"))
    made.add_argument(
        "--rounds", type=integer(1, 255, _("a number of rounds")), default=None, help=_("of a Swiss system")
    )
    made.add_argument("--double", action="store_true", help=_("a round robin with both seats"))
    made.add_argument(
        "--players",
        metavar="FILE",
        type=Path,
        default=None,
        help=_("a line KEY NAME for each, the best first"),
    )
    made.add_argument(
        "--player", metavar="'KEY NAME'", action="append", default=[], help=_("one player; may be repeated")
    )
    made.add_argument(
        "--no-words",
        action="store_true",
        help=_("take any match of two players, though nothing in it tells of this event"),
    )
    _ruled(parser.add_argument_group(_("a ruling, or a withdrawal")))


def _ruled(ruled: argparse._ArgumentGroup) -> None:
    ruled.add_argument("--at", metavar="ROUND.TABLE", default=None, help=_("the pairing"))
    ruled.add_argument("--result", choices=RESULTS, default=None, help=_("the director's"))
    ruled.add_argument(
        "--from",
        dest="start",
        metavar="ROUND",
        type=integer(1, 510, _("a number of rounds")),
        default=None,
        help=_("withdraw: the first round without the player; default: after the last result"),
    )
    ruled.add_argument("--why", metavar="REASON", default=None, help=_("the reason, which the table tells"))


WORDS: Final = (
    mark("usage: "),
    mark("positional arguments"),
    mark("options"),
    mark("show this help message and exit"),
    mark("argument %(argument_name)s: %(message)s"),
    mark("expected one argument"),
    mark("expected at most one argument"),
    mark("expected at least one argument"),
    mark("ignored explicit argument %r"),
    mark("not allowed with argument %s"),
    mark("the following arguments are required: %s"),
    mark("one of the arguments %s is required"),
    mark("unrecognized arguments: %s"),
)
"""What a player of this program may read of argparse, with its own signs for fields."""


def _counted(one: str, many: str, count: int) -> str:
    if one == "expected %s argument":
        return n_("expected %s argument", "expected %s arguments", count)
    return one if count == 1 else many


def translate() -> None:
    """Let argparse speak the player's language from now on."""
    vars(argparse).update(_=_, ngettext=_counted)


N = TypeVar("N")


Arguments = Callable[[argparse.ArgumentParser], None]
Command = Callable[[argparse.Namespace], int]


@dataclass(frozen=True, slots=True)
class Entry:
    """One command: its name, one line about it, `module:function` that runs it, and what it takes."""

    name: str
    about: str
    target: str
    arguments: Arguments


class Parser(argparse.ArgumentParser):
    """argparse, but a misunderstanding is a `Sorry`, so that every error leaves through one door.

    Slips are told with what was probably meant (`cli.shell.slips`).
    """

    @overload
    def parse_args(self, args: Iterable[str] | None = None, namespace: None = None) -> argparse.Namespace: ...
    @overload
    def parse_args(self, args: Iterable[str] | None, namespace: N) -> N: ...
    @overload
    def parse_args(self, *, namespace: N) -> N: ...
    def parse_args(self, args: Iterable[str] | None = None, namespace: Any = None) -> Any:
        """The namespace of a whole command line.  Raises Sorry."""
        words = None if args is None else list(args)
        if (unknown := self._before_command(words or [])) is not None:
            raise self._extra(unknown, None)
        space, extra = self.parse_known_args(words, namespace)
        if extra:
            raise self._extra(extra[0], space.command)
        _settle(space, self.prog)
        return space

    def error(self, message: str) -> NoReturn:
        told = f"{message[:1].upper()}{message[1:]}."
        raise Sorry(said(told, _("See `{program} --help`.", program=self.prog)), Exit.USAGE)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Where argparse looks a word up among the choices; its own message only lists them."""
        if action.choices is None or value in action.choices:
            return
        if isinstance(action, argparse._SubParsersAction):
            raise slips.command(str(value), list(action.choices), list(ENTRIES), self.prog)
        name = "/".join(action.option_strings) or str(action.metavar or action.dest)
        raise slips.value(str(value), name, list(action.choices), self.prog)

    def _before_command(self, words: Sequence[str]) -> str | None:
        """The first unknown option in front of the command: argparse would take its value for the command."""
        left = iter(words)
        for word in left:
            flag, equals, _ = word.partition("=")
            action = self._option_string_actions.get(flag)
            if not word.startswith("-") or word == "-":
                return None
            if action is None:
                return word
            if action.nargs is None and not equals:
                next(left, None)  # its value
        return None

    def _extra(self, word: str, command: str | None) -> Sorry:
        """The mistake in the first word that no argument took."""
        flags = {name: list(one._option_string_actions) for name, one in commands_of(self).items()}
        if command is None:
            flags, command = {self.prog: list(self._option_string_actions)}, self.prog
        prog = self.prog if command == self.prog else f"{self.prog} {command}"
        if word.startswith("-"):
            return slips.option(word, command, flags, prog)
        return slips.argument(word, command, prog)


def commands_of(whole: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The parser of each command.  argparse has no public way to walk its arguments."""
    return {
        name: one
        for action in whole._actions
        if isinstance(action, argparse._SubParsersAction)
        for name, one in action.choices.items()
    }


def _settle(space: argparse.Namespace, prog: str) -> None:
    """Let `game` be the game that was named, as an option or as a word."""
    if "topic" in space:  # names have several words, too
        space.topic = " ".join(space.topic) or None
    if getattr(space, "topic", None) in ENTRIES:
        space.game, space.topic = space.topic, None
    if not hasattr(space, "title"):
        return
    named = space.title and space.title.lower()
    if named and slips.is_invite(named):
        raise slips.argument(named, space.command, f"{prog} {space.command}")
    if named and named not in ENTRIES:
        raise slips.value(space.title, "GAME", list(ENTRIES), f"{prog} {space.command}")
    if named and space.game not in (None, named):
        raise Sorry(
            _("Two games are named, {game} and {other}. Name one of them.", game=named, other=space.game),
            Exit.USAGE,
        )
    space.usual = not (named or space.game)
    space.game = named or space.game or next(iter(ENTRIES))


COMMANDS: Final = (
    Entry("learn", mark("learn a game by playing, with a coach"), "cli.commands.learn:run", arguments.learn),
    Entry("play", mark("play against bots"), "cli.commands.learn:play", arguments.play),
    Entry(
        "host", mark("open a table for friends: prints an invite"), "cli.commands.play:host", arguments.host
    ),
    Entry(
        "again",
        mark("play again with a friend, without an invite"),
        "cli.commands.play:again",
        arguments.again,
    ),
    Entry(
        "wait", mark("be there for friends who ask you for a game"), "cli.commands.play:wait", arguments.wait
    ),
    Entry("join", mark("join a friend's game with an invite"), "cli.commands.play:join", arguments.join),
    Entry("watch", mark("watch a game with an invite to watch"), "cli.commands.watch:run", arguments.watch),
    Entry("resume", mark("go on with an unfinished game"), "cli.commands.resume:run", arguments.resume),
    Entry("post", mark("write your moves as a file or a mail"), "cli.commands.post:run", arguments.post),
    Entry(
        "take", mark("read the moves that a file or a mail brings"), "cli.commands.take:run", arguments.take
    ),
    Entry(
        "audit", mark("check transcripts: who won, was it honest"), "cli.commands.audit:run", arguments.audit
    ),
    Entry("replay", mark("step through a recorded game"), "cli.commands.replay:run", arguments.one_file),
    Entry(
        "analyse",
        mark("how well a game was played, and what was luck"),
        "cli.commands.analyse:run",
        arguments.analyse,
    ),
    Entry("export", mark("a recorded game as text or JSON"), "cli.commands.export:run", arguments.export),
    Entry(
        "contacts",
        mark("the players you met: name, block, forget"),
        "cli.commands.contacts:run",
        arguments.contacts,
    ),
    Entry("games", mark("list the games in the home folder"), "cli.commands.games:run", arguments.json),
    Entry("stats", mark("your results, ways of play and rating"), "cli.commands.stats:run", stats),
    Entry(
        "tournament",
        mark("pair players, take records as results, print the table"),
        "cli.commands.tournament:run",
        tournament,
    ),
    Entry(
        "setups",
        mark("set-ups to begin from: list, check a file, keep one"),
        "cli.commands.setups:run",
        arguments.setups,
    ),
    Entry(
        "rules",
        mark("the rules in short, or one soldier or piece"),
        "cli.commands.rules:run",
        arguments.rules,
    ),
    Entry("relay", mark("help others to reach each other, blindly"), "cli.commands.relay:run", relay),
    Entry(
        "doctor", mark("check terminal, folders, clock and port"), "cli.commands.doctor:run", arguments.doctor
    ),
    Entry("referee", mark("play scenario files by the rules"), "cli.commands.referee:run", arguments.referee),
    Entry(
        "demo",
        mark("two bots play over the network, then both records are audited"),
        "cli.commands.demo:run",
        arguments.demo,
    ),
    Entry(
        "completion", mark("print completion for a shell"), "cli.shell.completion:run", arguments.completion
    ),
)
SEVERAL: Final = mark(
    "Of several files, a proven fault (21, then 20) outranks every other code; else the highest counts."
)
MENU: Final = "cli.commands.first:menu"


class _Version(argparse.Action):
    """Looks the version up only when it is asked for: reading package metadata costs 20 ms."""

    def __call__(self, *_: object, **__: object) -> NoReturn:
        print(told())
        raise SystemExit(Exit.OK)


def parser() -> Parser:
    """The whole command line; `command` in its namespace is the Entry's name, or None for the start menu."""
    translate()
    codes = "\n".join(f"  {code:>3}  {_(meaning)}" for code, meaning in MEANINGS.items())
    whole = Parser(
        prog=PROGRAM,
        description=_(
            "Bluffing games for friends, with no server and no cheating. Without a command: the start menu."
        ),
        epilog=f"{_('exit codes:')}\n{codes}\n{_(SEVERAL)}\n",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    whole.add_argument("--version", action=_Version, nargs=0, help=_("show the version and exit"))
    arguments.common(whole, None)
    commands = whole.add_subparsers(dest="command", metavar="COMMAND", title=_("commands"))
    for entry in COMMANDS:
        one = commands.add_parser(
            entry.name, help=_(entry.about), description=_(entry.about), allow_abbrev=False
        )
        entry.arguments(one)
        arguments.common(one, argparse.SUPPRESS)
    return whole


def target(name: str | None) -> Command:
    """The function that runs the command `name`, imported now; None is the start menu."""
    place = next((entry.target for entry in COMMANDS if entry.name == name), MENU)
    module, _, function = place.partition(":")
    return cast("Command", getattr(import_module(module), function))


def run(words: Sequence[str]) -> int:
    """Parse `words` (without the program's name) and run the command.  Raises what the command raises."""
    space = parser().parse_args(list(words))
    for_machines = getattr(space, "json", False)
    with tracing(space.log) as log, english() if for_machines else nullcontext():
        if log is None:
            return target(space.command)(space)
        space.trace = log
        log("command", name=space.command or "menu")
        code = target(space.command)(space)
        log("end", code=int(code))
        return code
