"""`completion`: the script that lets a shell complete commands, options and file names."""

from __future__ import annotations

import argparse
from typing import Final

from cli.shell.exit_codes import Exit, Sorry
from cli.shell.parser import parser

_COMPLETED_AS: Final = {"FILE": "FILE", "OUT": "FILE", "DIR": "DIRECTORY"}
"""The kind of name that an argument takes, by the word that stands for it in the help."""


def run(arguments: argparse.Namespace) -> int:
    """Print the script for `arguments.shell`."""
    import shtab

    if arguments.shell not in shtab.SUPPORTED_SHELLS:
        raise Sorry(
            f"The shtab library installed here is too old for {arguments.shell}: "
            "upgrade it (pip install -U shtab) and try again."
        )
    whole = parser()
    _name_files(whole)
    print(shtab.complete(whole, arguments.shell))
    return Exit.OK


def _name_files(whole: argparse.ArgumentParser) -> None:
    """Mark every argument that takes a file or a folder the way shtab looks for it."""
    import shtab

    for action in whole._actions:  # argparse has no public way to walk its arguments; shtab does the same
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                _name_files(command)
        elif isinstance(action.metavar, str) and action.metavar in _COMPLETED_AS:
            vars(action)["complete"] = getattr(shtab, _COMPLETED_AS[action.metavar])  # where shtab looks
