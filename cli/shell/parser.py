"""The command line, read by `cli.shell.commands`.

Nothing but argparse and the games' entries is loaded here, so that `--help` and completion answer at once.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import nullcontext
from importlib import import_module
from typing import Any, Final, NoReturn, TypeVar, cast, overload

from cli.shell import arguments, spelling_hints
from cli.shell.commands import COMMANDS
from cli.shell.exit_codes import MEANINGS, Exit, Sorry
from cli.shell.trace_log import tracing
from cli.shell.version import PROGRAM, program_version
from p2p_stratego.core.language import _, english, mark, n_
from p2p_stratego.core.narration import joined
from p2p_stratego.registry import ENTRIES

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
"""The sentences of argparse that a player of this program may read, with its own signs for fields."""


def _counted(singular: str, plural: str, count: int) -> str:
    if singular == "expected %s argument":
        return n_("expected %s argument", "expected %s arguments", count)
    return singular if count == 1 else plural


def translate() -> None:
    """Let argparse speak the player's language from now on."""
    vars(argparse).update(_=_, ngettext=_counted)


_HELP: Final = "help"
"""`help COMMAND` is `COMMAND --help`: many type it so."""
N = TypeVar("N")


Handler = Callable[[argparse.Namespace], int]


class Parser(argparse.ArgumentParser):
    """argparse, but a misunderstanding is a `Sorry`, so that every error leaves through one door.

    The refusal of a slip names the probable meaning (`cli.shell.spelling_hints`).
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
        first = self._first_word(words or [])
        if words and first is not None:
            if words[first].startswith("-") and words[first] != "-":
                raise self._extra(words[first], None, words)
            if words[first] == _HELP:
                words[first:] = [*(word for word in words[first + 1 : first + 2] if word != _HELP), "--help"]
        space, extra = self.parse_known_args(words, namespace)
        if "words" in space:
            extra = _taken(space, extra)
        if extra:
            raise self._extra(extra[0], space.command)
        _settle(space, self.prog)
        return space

    def error(self, message: str) -> NoReturn:
        refusal = f"{message[:1].upper()}{message[1:]}."
        raise Sorry(joined(refusal, _("See `{program} --help`.", program=self.prog)), Exit.USAGE)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse a word that is not among the choices: argparse's own message only lists them."""
        if action.choices is None or value in action.choices:
            return
        if isinstance(action, argparse._SubParsersAction):
            raise spelling_hints.command(str(value), list(action.choices), list(ENTRIES), self.prog)
        name = "/".join(action.option_strings) or str(action.metavar or action.dest)
        raise spelling_hints.value(str(value), name, list(action.choices), self.prog)

    def _first_word(self, words: Sequence[str]) -> int | None:
        """The place of the command, or of an unknown option in front of it, of which argparse would take the
        value for the command; None for neither.
        """
        left = iter(enumerate(words))
        for at, word in left:
            flag, equals, _ = word.partition("=")
            action = self._option_string_actions.get(flag)
            if not word.startswith("-") or word == "-" or action is None:
                return at
            if action.nargs is None and not equals:
                next(left, None)  # its value
        return None

    def _extra(self, word: str, command: str | None, words: Collection[str] = ()) -> Sorry:
        """The mistake in the first word that no argument took; commands among `words` are proposed first."""
        commands = commands_of(parser())  # all with their arguments
        flags = {
            name: flags_of(commands[name]) for name in sorted(commands, key=words.__contains__, reverse=True)
        }
        if command is None:
            flags, command = {**flags, self.prog: flags_of(self)}, self.prog
        prog = self.prog if command == self.prog else f"{self.prog} {command}"
        if word.startswith("-"):
            return spelling_hints.option(word, command, flags, prog)
        return spelling_hints.argument(word, command, prog, flags[command])


def flags_of(whole: argparse.ArgumentParser) -> list[str]:
    """The options of a parser as they are typed: `-h`, `--help`, ..."""
    return list(whole._option_string_actions)


def commands_of(whole: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The parser of each command.  argparse has no public way to walk its arguments."""
    return {
        name: parser
        for action in whole._actions
        if isinstance(action, argparse._SubParsersAction)
        for name, parser in action.choices.items()
    }


def _taken(space: argparse.Namespace, extra: list[str]) -> list[str]:
    """What is left of `extra` when a command that takes words takes those behind an option, too.

    Python's argparse gives them to nothing: an argument that may be empty is done with at the first option.
    """
    if any(word.startswith("-") and word != "-" for word in extra):
        return extra
    if space.place is None and extra:
        space.place, *extra = extra
    space.words += extra
    return []


def _settle(space: argparse.Namespace, prog: str) -> None:
    """Let `game` be the game that was named, as an option or as a word."""
    if "topic" in space:  # names have several words, too
        words = space.topic
        named = next((at for at in range(len(words), 0, -1) if "-".join(words[:at]).lower() in ENTRIES), 0)
        if named and space.game is None:
            space.game, words = "-".join(words[:named]).lower(), words[named:]
        space.topic = " ".join(words) if words else None
    if not hasattr(space, "title"):
        return
    named = space.title and space.title.lower()
    if named and spelling_hints.is_invite(named):
        raise spelling_hints.argument(named, space.command, f"{prog} {space.command}")
    if named and named not in ENTRIES:
        raise spelling_hints.value(space.title, "GAME", list(ENTRIES), f"{prog} {space.command}")
    if named and space.game not in (None, named):
        raise Sorry(
            _("Two games are named, {game} and {other}. Name one of them.", game=named, other=space.game),
            Exit.USAGE,
        )
    space.usual = not (named or space.game)
    space.game = named or space.game or next(iter(ENTRIES))


ADDED: Final = frozenset({"usual", "trace"})
"""What stands in the namespace of a command besides its arguments."""
SEVERAL: Final = mark(
    "Of several files, a proven fault (21, then 20) outranks every other code; else the highest counts."
)
MENU: Final = "cli.menu.entrance:menu"


class _Version(argparse.Action):
    """Looks the version up only when it is asked for: reading package metadata costs 20 ms."""

    def __call__(self, *_: object, **__: object) -> NoReturn:
        print(program_version())
        raise SystemExit(Exit.OK)


def parser(words: Collection[str] | None = None) -> Parser:
    """The whole command line; `command` in its namespace is its name, or None for the start menu.

    `words`: those that it is to parse; a command that is none of them goes without its arguments, as those of
    all cost each start 8 ms.
    """
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
    for spec in COMMANDS:
        subparser = commands.add_parser(
            spec.name, help=_(spec.about), description=_(spec.about), allow_abbrev=False
        )
        if words is None or spec.name in words:
            spec.arguments(subparser)
            arguments.common(subparser, argparse.SUPPRESS)
    return whole


def parsed(*words: str) -> argparse.Namespace:
    """The arguments of the command line `words`, without the program's name.  Raises Sorry."""
    return parser(words).parse_args(words)


def target(name: str | None) -> Handler:
    """The function that runs the command `name`, imported now; None is the start menu."""
    place = next((spec.target for spec in COMMANDS if spec.name == name), MENU)
    module, _, function = place.partition(":")
    return cast("Handler", getattr(import_module(module), function))


def run(words: Sequence[str]) -> int:
    """Parse `words` (without the program's name) and run the command.  Raises what the command raises."""
    space = parsed(*words)
    for_machines = getattr(space, "json", False)
    with tracing(space.log) as log, english() if for_machines else nullcontext():
        if log is None:
            return target(space.command)(space)
        space.trace = log
        log("command", name=space.command or "menu")
        code = target(space.command)(space)
        log("end", code=int(code))
        return code
