"""`completion`: the script that lets a shell complete commands, options, games, ids and file names."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cli.shell.arguments import SHELLS
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.locations import locate
from cli.shell.parser import commands_of, parser
from cli.shell.version import PROGRAM
from p2p_stratego.core.entry import Text
from p2p_stratego.core.language import _
from p2p_stratego.registry import ENTRIES

_IDS: Final = f"{PROGRAM} completion --game-ids 2>/dev/null"
"""The shell's command for the ids of saved games, in the home folder of the environment."""
_GAMES: Final = "games"
_ID: Final = re.compile(r"[0-9a-f]{32}")
_DIGITS: Final = 8
_READING: Final = ("audit", "replay", "analyse", "export")
"""Commands whose FILE may be the id of a saved game too."""


@dataclass(frozen=True, slots=True)
class Completion:
    """The completions of an argument: `words`, `ids` of saved games, `files`; `key`: the name in a script."""

    key: str
    words: Sequence[str] = ()
    ids: bool = False
    files: bool = False


def run(arguments: argparse.Namespace) -> int:
    """Print the script for `arguments.shell`, or the ids of saved games."""
    if arguments.game_ids:
        for shown in _ids(arguments):
            print(shown)
        return Exit.OK
    if arguments.shell is None:
        raise Sorry(
            _(
                "Name your shell: {shells}. See `{program} completion --help`.",
                shells=", ".join(SHELLS),
                program=PROGRAM,
            ),
            Exit.USAGE,
        )
    import shtab

    if arguments.shell not in shtab.SUPPORTED_SHELLS:
        raise Sorry(
            _(
                "The shtab library installed here is too old for {shell}: "
                "upgrade it (pip install -U shtab) and try again.",
                shell=arguments.shell,
            )
        )
    whole = parser()
    functions = "\n".join(_complete(whole, arguments.shell))
    print(shtab.complete(whole, arguments.shell, preamble=functions))
    return Exit.OK


def _ids(arguments: argparse.Namespace) -> Iterator[str]:
    """The beginnings of the ids in the home folder; none if there is no such folder."""
    folder = locate(arguments.home) / _GAMES
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if _ID.fullmatch(path.name):
            yield path.name[:_DIGITS]


def _complete(whole: argparse.ArgumentParser, shell: str) -> Iterator[str]:
    """Give each argument without choices its completion; yield the shell functions for it."""
    texts = {
        f"--{field.name}": field.values.names
        for entry in ENTRIES.values()
        for field in entry.options
        if isinstance(field.values, Text)
    }
    for name, command in (("", whole), *commands_of(whole).items()):
        for action in command._actions:
            flag = next(iter(action.option_strings), "")
            if flag in texts and action.choices is None:
                yield from _mark(action, shell, Completion(flag.lstrip("-"), texts[flag], files=True))
            elif action.dest == "title":
                yield from _mark(action, shell, Completion("title", tuple(ENTRIES)))
            elif action.dest == "match":
                yield from _mark(action, shell, Completion("match", ids=True))
            elif action.metavar == "FILE" and name in _READING and not flag:
                yield from _mark(action, shell, Completion("record", ids=True, files=True))
            elif action.metavar in ("FILE", "OUT", "DIR", "PROGRAM"):
                _mark_files(action)


def _mark_files(action: argparse.Action) -> None:
    import shtab

    vars(action)["complete"] = shtab.DIRECTORY if action.metavar == "DIR" else shtab.FILE  # where shtab looks


def _mark(action: argparse.Action, shell: str, source: Completion) -> Iterator[str]:
    """Let `action` be completed from `source`; yields a function if the shell needs one."""
    function, listed = f"_p2p_stratego_{source.key}", " ".join(source.words)
    parts: list[str] = []
    if shell == "bash":
        parts += [f'compgen -W "{listed}" -- "$1"'] * bool(listed)
        parts += [f'compgen -W "$({_IDS})" -- "$1"'] * source.ids
        parts += ['_shtab_compgen_files "$1"'] * source.files
        yield f"{function}() {{\n  {'; '.join(parts)}\n}}"
    elif shell == "zsh":
        parts += [f"compadd -- {listed}"] * bool(listed)
        parts += [f'compadd -- ${{(f)"$({_IDS})"}}'] * source.ids
        parts += ["_files"] * source.files
        yield f"{function}() {{\n  {'; '.join(parts)}\n}}"
    elif shell == "fish":
        parts += [f"printf '%s\\n' {listed}"] * bool(listed) + [_IDS] * source.ids
        parts += ["__fish_complete_path (commandline -ct)"] * source.files
        function = f"({'; '.join(parts)})"
    else:  # tcsh takes one source of words only
        function = f"({listed})" if listed else "f" if source.files else f"`{PROGRAM} completion --game-ids`"
    vars(action)["complete"] = {shell: function}
