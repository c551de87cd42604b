"""The command line: which commands there are and what they take.

Nothing but argparse and the games' entries is loaded here, so that `--help` and completion answer at once; a
command names the function that runs it, which is imported only when it is called for.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar, cast, overload

from cli.shell import slips
from cli.shell.exit_codes import MEANINGS, Exit, Sorry
from cli.shell.options import integer, port, relay, ways
from cli.shell.trace_log import tracing
from cli.shell.version import PROGRAM, told
from cli.text.theme import THEMES
from p2p_stratego.core.entry import OptionField, Whole, Words
from p2p_stratego.registry import ENTRIES

N = TypeVar("N")

MOST_SEATS: Final = 5
"""The largest table that the command line asks for; a game says which numbers it takes."""
SHELLS: Final = ("bash", "zsh", "fish", "tcsh")

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
        raise Sorry(f"{message[:1].upper()}{message[1:]}. See `{self.prog} --help`.", Exit.USAGE)

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
        raise Sorry(f"Two games are named, {named} and {space.game}. Name one of them.", Exit.USAGE)
    space.game = named or space.game or next(iter(ENTRIES))


def _common(parser: argparse.ArgumentParser, default: object) -> None:
    """Options that may stand before the command as well as after it.

    After it their default is SUPPRESS, so that what stands before it is not overwritten.
    """
    group = parser.add_argument_group("everywhere")
    group.add_argument(
        "--home",
        metavar="DIR",
        type=Path,
        default=default,
        help="folder of keys and games (P2P_STRATEGO_HOME)",
    )
    group.add_argument(
        "--plain", action="store_true", default=default or False, help="plain lines, no full screen"
    )
    group.add_argument(
        "--ascii", action="store_true", default=default or False, help="draw with ASCII characters only"
    )
    group.add_argument(
        "--log",
        metavar="FILE",
        type=Path,
        default=default,
        help="trace for developers, nothing secret in it (P2P_STRATEGO_LOG)",
    )
    group.add_argument("--theme", choices=THEMES, default=default, help="colours of the screen")


def _json(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--json", action="store_true", help="for machines: JSON on standard output")


def _perhaps(parser: argparse.ArgumentParser, name: str, metavar: str, about: str) -> None:
    """An argument that may be left out."""
    parser.add_argument(name, metavar=metavar, nargs="?", default=None, help=about)


def _game(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    games = tuple(ENTRIES)
    about = f"default: {default or games[0]}"
    parser.add_argument("--game", type=str.lower, choices=games, default=default, help=about)


def _option(group: argparse._ActionsContainer, field: OptionField, *, shared: bool) -> None:
    """One option of a game; the values of one that several games have are checked once the game is known."""
    flag, values = f"--{field.name}", field.values
    if shared:
        group.add_argument(flag, default=None, help=field.help)
    elif isinstance(values, Words):
        group.add_argument(flag, choices=values.words, default=None, help=field.help)
    elif isinstance(values, Whole):
        convert = integer(values.least, values.most, values.noun)
        group.add_argument(flag, type=convert, default=None, help=field.help)
    else:
        group.add_argument(flag, metavar=values.metavar, default=None, help=field.help)


def _variant(parser: argparse.ArgumentParser) -> None:
    """The game, and the options of each; a game refuses those of the others."""
    _perhaps(parser, "title", "GAME", f"{' or '.join(ENTRIES)}; the same as --game")
    _game(parser)
    owners = defaultdict(list)
    for entry in ENTRIES.values():
        for field in entry.options:
            owners[field.name].append((entry.title, field))
    groups: dict[str, argparse._ArgumentGroup] = {}
    for several in owners.values():
        title = " and ".join(title for title, _ in several)
        if title not in groups:
            groups[title] = parser.add_argument_group(title)
        told = "; ".join(f"{title}: {field.help}" for title, field in several)
        shared = len(several) > 1
        _option(groups[title], replace(several[0][1], help=told) if shared else several[0][1], shared=shared)


def _level(parser: argparse.ArgumentParser, about: str) -> None:
    levels = tuple(dict.fromkeys(level for entry in ENTRIES.values() for level in entry.bots))
    parser.add_argument(
        "--level", type=str.lower, choices=levels, default=levels[0], help=f"{about}; default: %(default)s"
    )


def _seats(parser: argparse.ArgumentParser) -> None:
    """How many play, and whether in teams."""
    parser.add_argument(
        "--seats",
        type=integer(2, MOST_SEATS, "a number of seats"),
        default=None,
        metavar="N",
        help="players at the table, bots included; default: the fewest that the game takes",
    )
    parser.add_argument("--teams", action="store_true", help="a table with teams; default: the largest one")
    parser.add_argument(
        "--proofs",
        action="store_true",
        help="prove every step when it is made, and reveal nothing at the end; games with decks always do",
    )
    parser.add_argument(
        "--escrow",
        type=integer(0, MOST_SEATS - 1, "a number of players"),
        default=0,
        metavar="T",
        help="with decks, 3 players or more: any T others together can open the cards of one who vanishes, "
        "so that the game goes on; they could also read them in secret; default: 0, nobody can",
    )


def _table(parser: argparse.ArgumentParser) -> None:
    """The arguments of every command that leads to a game."""
    parser.add_argument("--name", metavar="NAME", default=None, help="the name that the others see")
    parser.add_argument("--no-bell", action="store_true", help="do not ring when it is your turn")
    parser.add_argument("--no-notes", action="store_true", help="hide the notes on the enemy's hidden things")


def _play(parser: argparse.ArgumentParser) -> None:
    _variant(parser)
    _seats(parser)
    _table(parser)
    _level(parser, "every bot")


def _host(parser: argparse.ArgumentParser) -> None:
    _variant(parser)
    _seats(parser)
    parser.add_argument(
        "--bots",
        type=integer(0, MOST_SEATS - 1, "a number of bots"),
        default=0,
        metavar="K",
        help="seats for bots of this program; more can be seated in the lobby",
    )
    _level(parser, "the bots")
    parser.add_argument("--watch", action="store_true", help="print an invite to watch, too")
    _table(parser)
    port(parser, 0, "port to listen on; default: any that is free")
    parser.add_argument(
        "--address",
        metavar="HOST[:PORT]",
        action="append",
        default=None,
        help="address to put in the invite, e.g. your router's; may be repeated",
    )
    parser.add_argument(
        "--minutes",
        type=integer(1, 10080, "minutes"),
        default=60,
        help="how long the invite is good; default: 60",
    )
    parser.add_argument("--qr", action="store_true", help="show the invite as a QR code too")
    ways(parser)


def _join(parser: argparse.ArgumentParser) -> None:
    _perhaps(parser, "invite", "INVITE", "asked for if it is missing; - is standard input")
    port(parser, 0, "port to listen on for the other players; default: any that is free")
    _table(parser)
    ways(parser)


def _watch(parser: argparse.ArgumentParser) -> None:
    _perhaps(parser, "invite", "INVITE", "asked for if it is missing; - is standard input")
    ways(parser, called=False)


def _resume(parser: argparse.ArgumentParser) -> None:
    _perhaps(parser, "match", "GAME", "the start of its id; default: the only one that can go on")
    port(parser, None, "listen there; default: where you did before")
    parser.add_argument(
        "--at",
        metavar="[SEAT=]HOST[:PORT]",
        default=None,
        help="where another player is now; default: where it was last, and the port of then",
    )
    _table(parser)
    parser.add_argument(
        "--show-address", action="store_true", help="go on straight in a game in which you hid your address"
    )
    ways(parser)


def _audit(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="a transcript, a folder of them, or the start of a game's id; - is standard input",
    )
    _json(parser)
    parser.add_argument(
        "--every-signature",
        action="store_true",
        help="verify each signature, even where an END endorses them all",
    )
    parser.add_argument(
        "--every-proof",
        action="store_true",
        help="check each proof about cards, even where an END endorses them all",
    )
    parser.add_argument(
        "--proof", metavar="OUT", type=Path, default=None, help="write the proof of a fault to this file"
    )


def _one_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", help="a transcript, or the start of a game's id; - is standard input"
    )


def _export(parser: argparse.ArgumentParser) -> None:
    _one_file(parser)
    form = parser.add_mutually_exclusive_group()
    _json(form)
    form.add_argument("--record", action="store_true", help="in the game's own notation, which replay reads")


def _setups(parser: argparse.ArgumentParser) -> None:
    _perhaps(parser, "which", "NAME|FILE", "one of yours, a template, or a file")
    parser.add_argument(
        "number",
        metavar="N",
        nargs="?",
        type=integer(1, 999999, "a number"),
        default=1,
        help="the N-th in it",
    )
    parser.add_argument("--save", metavar="NAME", default=None, help="keep it under this name")
    _game(parser)
    games = [entry for entry in ENTRIES.values() if entry.setups]
    for field in {
        field.name: field for entry in games for field in entry.options if field.of_setups
    }.values():
        _option(parser, field, shared=len(games) > 1)
    parser.set_defaults(game=games[0].name)


def _rules(parser: argparse.ArgumentParser) -> None:
    _perhaps(parser, "topic", "TOPIC", "a game, or a soldier or piece by name or rank")
    _game(parser)


def _doctor(parser: argparse.ArgumentParser) -> None:
    port(parser, 0, "try whether this port is free for `host`")
    _json(parser)


def _referee(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="a scenario (JSON, see docs/scenarios.md), or a folder of them; - is standard input",
    )


def _demo(parser: argparse.ArgumentParser) -> None:
    _variant(parser)
    _seats(parser)
    parser.add_argument(
        "--games", type=integer(1, 10000, "a number of games"), default=1, help="how many, one by one"
    )
    parser.add_argument(
        "--seed",
        type=integer(0, 2**53 - 1, "a seed"),
        default=None,
        help="the same records every time, no secrets; with 3 seats or more, in part in another order",
    )
    _level(parser, "all bots")
    pace = parser.add_mutually_exclusive_group()
    pace.add_argument(
        "--fast", action="store_const", dest="pace", const="fast", help="do not wait between moves"
    )
    pace.add_argument(
        "--slow", action="store_const", dest="pace", const="slow", help="wait so that one can read along"
    )
    _json(parser)


def _completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", nargs="?", choices=SHELLS)
    parser.add_argument(
        "--game-ids", action="store_true", help="print the ids of saved games instead, for completion itself"
    )


COMMANDS: Final = (
    Entry("play", "play against bots", "cli.commands.play:play", _play),
    Entry("host", "open a table for friends: prints an invite", "cli.commands.play:host", _host),
    Entry("join", "join a friend's game with an invite", "cli.commands.play:join", _join),
    Entry("watch", "watch a game with an invite to watch", "cli.commands.watch:run", _watch),
    Entry("resume", "go on with an unfinished game", "cli.commands.resume:run", _resume),
    Entry("audit", "check transcripts: who won, was it honest", "cli.commands.audit:run", _audit),
    Entry("replay", "step through a recorded game", "cli.commands.replay:run", _one_file),
    Entry("export", "a recorded game as text or JSON", "cli.commands.export:run", _export),
    Entry("games", "list the games in the home folder", "cli.commands.games:run", _json),
    Entry(
        "setups", "set-ups to begin from: list, check a file, keep one", "cli.commands.setups:run", _setups
    ),
    Entry("rules", "the rules in short, or one soldier or piece", "cli.commands.rules:run", _rules),
    Entry("relay", "help others to reach each other, blindly", "cli.commands.relay:run", relay),
    Entry("doctor", "check terminal, folders, clock and port", "cli.commands.doctor:run", _doctor),
    Entry("referee", "play scenario files by the rules", "cli.commands.referee:run", _referee),
    Entry(
        "demo",
        "two bots play over the network, then both records are audited",
        "cli.commands.demo:run",
        _demo,
    ),
    Entry("completion", "print completion for a shell", "cli.shell.completion:run", _completion),
)
SEVERAL: Final = (
    "Of several files, a proven fault (21, then 20) outranks every other code; else the highest counts."
)
MENU: Final = "cli.commands.menu:menu"


class _Version(argparse.Action):
    """Looks the version up only when it is asked for: reading package metadata costs 20 ms."""

    def __call__(self, *_: object, **__: object) -> NoReturn:
        print(told())
        raise SystemExit(Exit.OK)


def parser() -> Parser:
    """The whole command line; `command` in its namespace is the Entry's name, or None for the start menu."""
    codes = "\n".join(f"  {code:>3}  {meaning}" for code, meaning in MEANINGS.items())
    whole = Parser(
        prog=PROGRAM,
        description="Board games of hidden information between people who trust nobody. "
        "Without a command: the start menu.",
        epilog=f"exit codes:\n{codes}\n{SEVERAL}\n",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    whole.add_argument("--version", action=_Version, nargs=0, help="show the version and exit")
    _common(whole, None)
    commands = whole.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for entry in COMMANDS:
        one = commands.add_parser(entry.name, help=entry.about, description=entry.about, allow_abbrev=False)
        entry.arguments(one)
        _common(one, argparse.SUPPRESS)
    return whole


def target(name: str | None) -> Command:
    """The function that runs the command `name`, imported now; None is the start menu."""
    place = next((entry.target for entry in COMMANDS if entry.name == name), MENU)
    module, _, function = place.partition(":")
    return cast("Command", getattr(import_module(module), function))


def run(arguments: Sequence[str]) -> int:
    """Parse `arguments` (without the program's name) and run the command.  Raises what the command raises."""
    space = parser().parse_args(list(arguments))
    with tracing(space.log) as log:
        if log is None:
            return target(space.command)(space)
        space.trace = log
        log("command", name=space.command or "menu")
        code = target(space.command)(space)
        log("end", code=int(code))
        return code
