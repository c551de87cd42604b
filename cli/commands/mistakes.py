"""`mistakes`: the costliest decisions of one's own game come back as questions."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import replace

from cli.lines.prompt import Prompt
from cli.reports import history, sources
from cli.reports.describe import seats_named
from cli.shell import settings
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.locations import locate
from cli.shell.progress import Progress
from cli.studies.analysis.analysing import THINKS, Analysed, Work, within
from cli.studies.analysis.mistakes import Retries
from p2p_stratego.core.game import Face, Slot
from p2p_stratego.core.language import _
from protocol.audit.verdict import Replayed


def run(arguments: argparse.Namespace) -> int:
    """Ask again what the player, or the named seat, decided at the greatest cost; the code is the audit's."""
    home = locate(arguments.home)
    name = sources.resolve(arguments.file, home)
    match = sources.shown_to_be_checked(name, sources.read(name))
    own = sources.own(home, match.referee)
    if arguments.seat is not None:
        seat = seats_named(match.report.genesis, arguments.seat)[0]
    elif own is not None:
        seat = own[0]
    else:
        raise Sorry(_("This is no game of yours. Say whose mistakes: --seat NAME."), Exit.USAGE)
    secrets = own[1] if own is not None and own[0] == seat else {}
    analysed = _analysed(match, secrets, lesson=sources.is_lesson(name))
    retries = Retries(analysed, seat, within(THINKS))
    if retries.over:
        print(_("Nothing here cost as much as half a point of the chance to win. Well played!"))
    elif settings.on_screen(arguments):
        from cli.screen.mistakes import MistakesScreen

        looks = settings.given(settings.glance(home), arguments)
        MistakesScreen(retries, settings.shown_on(looks, sys.stdout.encoding)).app.run()
    else:
        ask(retries, Prompt(ascii_only=arguments.ascii))
    return match.report.exit_code


def _analysed(match: Replayed, secrets: Mapping[Slot, Face], *, lesson: bool) -> Analysed:
    """The analysis of a match, with what its player knew.  Raises Sorry for a lesson."""
    if lesson:
        raise Sorry(_("A lesson follows a script: nothing in it is a mistake."), Exit.USAGE)
    work = Work(match, replace(history.of_match(match), secrets=secrets))
    with Progress(work.total, _("decisions")) as progress:
        for done, _one in enumerate(work.judge(within(THINKS)), start=1):
            progress.step(done)
    return work.done()


def ask(retries: Retries, prompt: Prompt) -> None:
    """The questions in lines, until the last one is left or the input ends."""
    asked = -1
    try:
        while not retries.over:
            if retries.at != asked:
                asked = retries.at
                board = retries.game.description.board(retries.context())
                for line in (retries.heading, *board, *retries.facts):
                    prompt.say(line)
            prompt.say(retries.asked)
            retries.enter(prompt.ask(_("Your answer (best: the bot's; Enter: next; leave) ")))
            for sentence in retries.sentences:
                prompt.say(sentence)
    except EOFError:
        return
    prompt.say(_("That was all. The next game will be better."))
