"""Where the start menu opens: on the whole screen, or in lines, which load no toolkit of screens."""

from __future__ import annotations

import argparse

from cli.shell.locations import locate
from cli.shell.settings import on_screen


def menu(arguments: argparse.Namespace) -> int:
    """The start menu, until the player quits; its exit code."""
    home = locate(arguments.home)
    if on_screen(arguments):
        from cli.menu.first_screen import FirstScreen

        return FirstScreen(arguments, home).run()
    from cli.menu import line_menu

    return line_menu.run(arguments, home)
