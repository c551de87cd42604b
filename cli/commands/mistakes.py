"""`mistakes`: the costliest decisions of one's own game come back as questions."""

from __future__ import annotations

import argparse
import sys

from cli.lines.prompt import Prompt
from cli.reports import sources
from cli.shell import settings
from cli.shell.locations import locate
from cli.studies.analysis.mistakes import Retries
from cli.studies.analysis.own_mistakes import none_costly, retries
from p2p_stratego.core.language import _


def run(arguments: argparse.Namespace) -> int:
    """Ask again what the player, or the named seat, decided at the greatest cost; the code is the audit's."""
    home = locate(arguments.home)
    name = sources.resolve(arguments.file, home)
    match = sources.shown_to_be_checked(name, sources.read(name))
    again = retries(match, name, home, arguments.seat)
    if again.over:
        print(none_costly())
    elif settings.on_screen(arguments):
        from cli.screen.mistakes import MistakesScreen

        looks = settings.given(settings.glance(home), arguments)
        MistakesScreen(again, settings.shown_on(looks, sys.stdout.encoding)).app.run()
    else:
        ask(again, Prompt(ascii_only=arguments.ascii))
    return match.report.exit_code


def ask(again: Retries, prompt: Prompt) -> None:
    """The questions in lines, until the last one is left or the input ends."""
    asked = -1
    try:
        while not again.over:
            if again.at != asked:
                asked = again.at
                board = again.game.description.board(again.context())
                for line in (again.heading, *board, *again.facts):
                    prompt.say(line)
            prompt.say(again.asked)
            again.enter(prompt.ask(_("Your answer (best: the bot's; Enter: next; leave) ")))
            for sentence in again.sentences:
                prompt.say(sentence)
    except EOFError:
        return
    prompt.say(_("That was all. The next game will be better."))
