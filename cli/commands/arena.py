"""`arena`: bots and engines against each other by the rules alone, and how much stronger one of them is."""

from __future__ import annotations

import argparse
import json
import secrets
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

from cli.games import options as game_options
from cli.play.arena.contest import (
    ArenaGame,
    Contender,
    ContestTerms,
    EngineContender,
    LevelContender,
    Tally,
    contest,
)
from cli.play.arena.figures import Results, Sprt
from cli.play.arena.report import Contest, plain, record, text
from cli.play.bots import hired
from cli.play.engines.process import EngineCommand
from cli.shell.arguments import SEEDS
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.locations import locate
from cli.shell.named_files import write_new
from p2p_stratego.core.game import Game
from p2p_stratego.core.language import _
from p2p_stratego.registry import ENTRIES, NoSuchBot

_USUAL: Final = ("agent", "recruit")
_USUAL_SEED: Final = 1


def run(arguments: argparse.Namespace) -> int:
    """Play, and tell the result; `Exit.MISSED` if a share that was asked for is missed.

    An interrupt ends the games early, and is raised again behind the result of those that were played.
    """
    game, options = game_options.chosen(arguments)
    table = ContestTerms(game_options.seats(arguments, game), options)
    if arguments.sprt is not None and len(game.sides(table.seats)) > 2:
        raise Sorry(
            _("With more than two sides there is no --sprt: equal players win less than half."), Exit.USAGE
        )
    sprt = None if arguments.sprt is None else Sprt(*arguments.sprt)
    with players(arguments, game) as two:
        if (
            arguments.records is not None
        ):  # a mistake is told before the games, and each stands there as it ends
            write_new(arguments.records, b"")
        seed = _seed(arguments)
        about = Contest(game, table, seed, two, Tally(), sprt)
        interrupt = _play(about, arguments)
        _clear()
        results = about.tally.results
        if results.games:
            print(json.dumps(plain(about)) if arguments.json else "\n".join(text(about)), flush=True)
        if interrupt is not None:
            raise interrupt
    wanted = arguments.at_least
    return Exit.MISSED if wanted is not None and results.won / results.games < wanted else Exit.OK


def _play(about: Contest, arguments: argparse.Namespace) -> KeyboardInterrupt | None:
    """Play the games, and keep each as it ends; the interrupt that ended them early, if one did."""
    sprt = about.sprt
    try:
        for played in contest(about.game, about.two, arguments.games, about.seed, about.table):
            about.tally.count(played)
            _keep(about, played, arguments.records)
            _progress(about.tally.results, arguments.games)
            if sprt is not None and sprt.accepted(about.tally.results) is not None:
                break
    except KeyboardInterrupt as interrupt:
        return interrupt
    return None


def _seed(arguments: argparse.Namespace) -> int:
    """The seed of the games: an engine that knew it would know each roll and each card.

    No engine can try all: from its own chance of a game it learns 32 bits of a seed of 53.
    """
    if not arguments.engines:
        return _USUAL_SEED if arguments.seed is None else int(arguments.seed)
    if arguments.seed is not None:
        print(
            _("The seed is known: an engine that knows it, too, can foresee what chance brings."),
            file=sys.stderr,
        )
        return int(arguments.seed)
    seed = secrets.randbelow(SEEDS)
    print(_("To play the same games again: --seed {seed}", seed=seed), file=sys.stderr)
    return seed


def _keep(about: Contest, played: ArenaGame, path: Path | None) -> None:
    """Add a game to the list, if there is one."""
    if path is not None:
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{record(about, played)}\n")


@contextmanager
def players(arguments: argparse.Namespace, game: Game[Any]) -> Iterator[tuple[Contender, Contender]]:
    """The two players of a command line, in its order; engines end with the block.  Raises Sorry."""
    home = locate(arguments.home)
    engines = iter(hired.commands(arguments))
    wanted = [*(arguments.players or ()), *_USUAL]
    if len(wanted) > 4:
        raise Sorry(_("Two play: name an engine or a level for each."), Exit.USAGE)
    two: list[Contender] = []
    with ExitStack() as ends:
        for level in wanted[:2]:
            player = (
                _level(game, level, arguments.think)
                if level is not None
                else _engine(next(engines), home, arguments)
            )
            ends.callback(player.close)
            two.append(player)
        if arguments.engines and (words := hired.warning()):
            print(words, file=sys.stderr)
        yield two[0], two[1]


def _level(game: Game[Any], level: str, think: int | None) -> Contender:
    if level not in ENTRIES[game.name].bots:
        raise Sorry(str(NoSuchBot(game.name, level)), Exit.USAGE)
    return LevelContender(game.name, level, think)


def _engine(command: EngineCommand, home: Path, arguments: argparse.Namespace) -> Contender:
    name = hired.introduced(command, home)
    return EngineContender(name, partial(hired.bot, command, home), arguments.engine_time)


def _progress(results: Results, games: int) -> None:
    if sys.stderr.isatty():
        share = f"{results.won / results.games:.1%}"
        sys.stderr.write(
            "\r" + _("{done} of {games} games, {share} won ", done=results.games, games=games, share=share)
        )


def _clear() -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
