"""`tournament`: make, pair rounds, take records as results, rule, withdraw players, print the table."""

from __future__ import annotations

import argparse
import json
import secrets
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from cli.games import options as game_options
from cli.play.own_name import objection
from cli.reports import sources
from cli.reports.own_games import own_key
from cli.shell.exit_codes import Exit, Sorry, gravest
from cli.shell.explain import explain
from cli.shell.guard import report_failure
from cli.shell.locations import locate, runs
from cli.shell.named_files import read_file, write_new
from cli.studies.tournament import event as events
from cli.studies.tournament import evidence, report
from cli.studies.tournament import folder as folders
from cli.studies.tournament import table as tables
from cli.studies.tournament.event import Entrant, Event, EventError, Ruling, Withdrawal
from cli.studies.tournament.folder import Folder
from cli.studies.tournament.pairing import NoPairing
from cli.studies.tournament.table import Table
from cli.text.layout import ascii_text
from cli.text.names import shown
from cli.text.sanitize import escape
from p2p_stratego.core.language import _, n_
from p2p_stratego.registry import ENTRIES, GAMES
from protocol.audit import comparison
from protocol.errors import Refusal
from protocol.record import genesis
from protocol.storage.home import Home

_KEY_DIGITS: Final = 64


def run(arguments: argparse.Namespace) -> int:
    """Do what the action says."""
    if arguments.action is None:
        raise Sorry(
            _(
                "Say what to do: tournament {actions}. See `{program} --help`.",
                actions=", ".join(("key", *_ACTIONS)),
                program="p2p-stratego tournament",
            ),
            Exit.USAGE,
        )
    if arguments.action == "key":
        return _key(arguments)
    if arguments.folder is None:
        raise Sorry(
            _("Name the tournament's folder: tournament {action} FOLDER.", action=arguments.action),
            Exit.USAGE,
        )
    if arguments.action not in ("take", "withdraw") and arguments.files:
        raise Sorry(_("tournament {action} takes one folder.", action=arguments.action), Exit.USAGE)
    if arguments.action not in ("new", "key") and Path(arguments.folder).is_file():
        raise Sorry(
            _(
                "The tournament's folder comes first, and {name} is a file: tournament {action} FOLDER "
                "{name}.",
                name=escape(arguments.folder),
                action=arguments.action,
            ),
            Exit.USAGE,
        )
    return _ACTIONS[arguments.action](arguments)


def _print(lines: Iterable[str], arguments: argparse.Namespace) -> None:
    print("\n".join(map(ascii_text, lines) if arguments.ascii else lines))


# A new one


def _key(arguments: argparse.Namespace) -> int:
    """Print the line that a player sends to the director.  Raises Sorry without a good name."""
    path = locate(arguments.home)
    key = own_key(path).hex() if path.exists() else ""
    if not key:
        with Home(path) as home:
            key = home.identity().key.hex()
    with Home(path) as home:
        saved = (home.settings() or {}).get("name")
    name = arguments.name or (saved if isinstance(saved, str) else "")
    if not name:
        raise Sorry(_("You have no name yet: say under which one you play, with --name NAME."), Exit.USAGE)
    if against := objection(name):
        raise Sorry(against, Exit.USAGE)
    print(f"{key} {name}")
    return Exit.OK


def _new(arguments: argparse.Namespace) -> int:
    """Make the folder of a new event."""
    if arguments.game is None or arguments.name is None:
        raise Sorry(_("A new tournament needs --name, --game and its players."), Exit.USAGE)
    given = dict(map(_option, arguments.option))
    game, options = game_options.chosen(argparse.Namespace(game=arguments.game, **given))
    players = tuple(_entrants(arguments))
    system: events.System = arguments.system
    rounds = arguments.rounds or events.most_rounds(system, len(players))
    if arguments.double:
        rounds *= 2
    event = Event(
        arguments.name,
        secrets.token_hex(events.NONCE_DIGITS // 2),
        game.name,
        dict(options),
        system,
        rounds,
        not arguments.no_words,
        players,
    )
    try:
        events.read_event(events.event_json(event))
    except EventError as error:
        raise Sorry(
            _("There can be no such tournament: {why}.", why=escape(str(error).removesuffix("."))), Exit.USAGE
        ) from error
    made = folders.make(Path(arguments.folder), event)
    _print([*report.head(made.event), "", *report.players(made.event)], arguments)
    return Exit.OK


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not any(field.name == name for entry in ENTRIES.values() for field in entry.options):
        raise Sorry(
            _("An option of the game is written NAME=VALUE, not “{typed}”.", typed=escape(text)), Exit.USAGE
        )
    return name, value


def _entrants(arguments: argparse.Namespace) -> Iterable[Entrant]:
    """The players in the order of seeding: those of the file first."""
    lines: list[str] = []
    if arguments.players is not None:
        text = read_file(arguments.players, folders.MOST_JSON).decode("utf-8", "replace")
        lines += [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    for line in [*lines, *arguments.player]:
        key, _blank, name = line.strip().partition(" ")
        if len(key) != _KEY_DIGITS:
            raise Sorry(
                _(
                    "A player is written KEY NAME, with the 64 digits that {command} prints, not “{typed}”.",
                    command="tournament key",
                    typed=escape(line),
                ),
                Exit.DATA,
            )
        yield Entrant(key.lower(), name.strip())


# Rounds and results


def _pair(arguments: argparse.Namespace) -> int:
    """Make the next round, and print its pairings."""
    here = Folder(Path(arguments.folder))
    try:
        made = here.pair()
    except NoPairing as error:
        _report_failures(here, arguments)
        raise Sorry(_WHY_NOT[error.why](), Exit.DATA) from error
    if arguments.json:
        print(events.round_json(made).decode(), end="")
    else:
        pairings = evidence.decided(here.event, [made], (), (), here.left)
        lines = report.results(here.event, made, pairings, here.left, ascii_only=arguments.ascii)
        _print(lines, arguments)
        if not any(pairing.waiting for pairing in pairings):
            _print([_("Nobody plays in this round.")], arguments)
    return _report_failures(here, arguments)


_WHY_NOT: Final[dict[str, Callable[[], str]]] = {
    "open": lambda: _(
        "Results of earlier rounds are missing: see tournament table. Take them, or rule on them."
    ),
    "over": lambda: _("All rounds are paired. What is still to be played stands in tournament table."),
    "repeats": lambda: _("No further round is possible in which nobody meets a former opponent."),
    "few": lambda: _("Too many players have withdrawn for a further round."),
}


def _take(arguments: argparse.Namespace) -> int:
    """Keep the records that belong to this event, and print their results."""
    here = Folder(Path(arguments.folder))
    if not arguments.files:
        raise Sorry(_("Name the records: tournament take FOLDER FILE…"), Exit.USAGE)
    refused, touched = [], set()
    for name in sources.find(arguments.files, locate(arguments.home)):
        try:
            touched.add(_taken(here, name))
        except (OSError, Sorry) as error:
            explained = explain(error, runs(arguments.home))
            why = escape(explained[0] if explained is not None else str(error))
            names = isinstance(error, OSError) and error.filename is not None
            refused.append(why if names else f"{sources.shown(name)}: {why}")
    matches = here.matches()
    for match in matches:
        here.prove(match)
    table = _table_of(here, matches)
    if arguments.json:
        print(json.dumps(tables.plain(table)))
    else:
        known = [result for result in table.decided if (result.round, result.pairing.table) in touched]
        lines = [f"{report.place(result)}: {tables.result(result)}" for result in known]
        lines += [line for result in known for line in report.dispute(table, result)]
        lines.append(n_("{count} result is missing.", "{count} results are missing.", table.open))
        _print([*refused, *lines], arguments)
    return gravest((Exit.DATA if refused else Exit.OK, _report_failures(here, arguments)))


def _taken(here: Folder, name: str) -> tuple[int, int]:
    """Keep one record; return the round and table for which it was played.  Raises OSError, and Sorry."""
    data = sources.read(name)
    begun = comparison.match_in(data[: comparison.HEAD])
    try:
        agreed = genesis.parse(begun or b"", GAMES)
    except Refusal as error:
        raise Sorry(_("it is not the record of a game that can be read."), Exit.DATA) from error
    keys = [player.key.hex() for player in agreed.players]
    names = [player.name for player in agreed.players]
    where = evidence.place(here.event, here.rounds, keys, names)
    if where is None:
        raise Sorry(_stray(here, keys, names), Exit.DATA)
    here.keep(data)
    return where.round.number, where.pairing.table


def _stray(here: Folder, keys: list[str], names: list[str]) -> str:
    """Why a match belongs to no pairing."""
    if any(here.event.number(key) is None for key in keys):
        return _("not of this event: another player took part ({names}).", names=", ".join(map(shown, names)))
    numbers = {here.event.number(key) for key in keys}
    if any(numbers == {pair.first, pair.second} for round_ in here.rounds for pair in round_.pairings):
        return _(
            "not of this event: not both names bear the word of the round in which these two met ({names}).",
            names=", ".join(map(shown, names)),
        )
    return _("these two were not paired ({names}).", names=", ".join(map(shown, names)))


def _rule(arguments: argparse.Namespace) -> int:
    """Keep a director's decision, with its reason."""
    here = Folder(Path(arguments.folder))
    where, result, why = arguments.at, arguments.result, _reason(arguments.why or "")
    if where is None or result is None or not why:
        raise Sorry(
            _("A ruling needs --at ROUND.TABLE, --result and --why: the reason stands in the table."),
            Exit.USAGE,
        )
    number, _dot, at = where.partition(".")
    known = {(round_.number, pair.table) for round_ in here.rounds for pair in round_.pairings}
    place = (int(number), int(at)) if number.isdecimal() and at.isdecimal() else (0, 0)
    if place not in known:
        raise Sorry(_("There is no pairing {where} in this tournament.", where=escape(where)), Exit.USAGE)
    if here.event.system == "knockout" and result not in ("1-0", "0-1"):
        raise Sorry(_("In a knockout one of the two goes on: rule 1-0 or 0-1."), Exit.USAGE)
    ruling = Ruling(*place, result, why)
    here.rule(ruling)
    _print([_("Round {round}, table {table} is ruled {result}.", **ruling._asdict())], arguments)
    return Exit.OK


def _withdraw(arguments: argparse.Namespace) -> int:
    """Keep a withdrawal, by default from the round after the player's last result."""
    here = Folder(Path(arguments.folder))
    if len(arguments.files) != 1:
        raise Sorry(_("Name the player: tournament withdraw FOLDER PLAYER"), Exit.USAGE)
    player = _player(here.event, str(arguments.files[0]))
    known = evidence.decided(here.event, here.rounds, here.matches(), here.rulings)
    over = [result.round for result in known if result.halves is not None and player in result.pairing[1:]]
    over += [round_.number for round_ in here.rounds if player in round_.byes]
    start = arguments.start or max(over, default=0) + 1
    if start > here.event.rounds:
        raise Sorry(_("This tournament has {rounds} rounds.", rounds=here.event.rounds), Exit.USAGE)
    late = [
        result.round
        for result in known
        if result.origin and result.round >= start and player in result.pairing[1:]
    ]
    if late:
        raise Sorry(
            _(
                "{player} has a result in round {round}: withdraw from a later one with --from.",
                player=report.name(here.event, player),
                round=max(late),
            ),
            Exit.DATA,
        )
    here.withdraw(Withdrawal(player, start, _reason(arguments.why or "")))
    here = Folder(here.path)
    table = _table_of(here, here.matches())
    if arguments.json:
        print(json.dumps(tables.plain(table)))
    else:
        _print(report.withdrawn(table), arguments)
    return _report_failures(here, arguments)


def _reason(text: str) -> str:
    """A reason as it is kept: one line; bytes of the command line that are no UTF-8 become "?"."""
    return " ".join(text.encode(errors="replace").decode().split())[: events.MOST_REASON]


def _player(event: Event, wanted: str) -> int:
    """The number of the player with this name, key or number: first as written, then in any case."""
    numbers = range(1, len(event.players) + 1)
    for written in (str, str.casefold):
        for named in (lambda n: event.entrant(n).name, lambda n: event.entrant(n).key, str):
            hits = [n for n in numbers if written(named(n)) == written(wanted)]
            if len(hits) == 1:
                return hits[0]
    raise Sorry(_("No player of this tournament is called “{name}”.", name=escape(wanted)), Exit.USAGE)


# The table


def _table(arguments: argparse.Namespace) -> int:
    """Print the table, or write it as a page."""
    here = Folder(Path(arguments.folder))
    table = _table_of(here, here.matches())
    if arguments.html is not None:
        from cli.studies.tournament import html

        write_new(arguments.html, html.page(table))
        if not arguments.json:
            told_where = _(
                "The page is in {path}: open it in a browser, or send it to a friend.",
                path=escape(str(arguments.html)),
            )
            _print([told_where], arguments)
    if arguments.json:
        print(json.dumps(tables.plain(table), indent=1))
    elif arguments.html is None:
        _print(report.whole(table, ascii_only=arguments.ascii), arguments)
    return _report_failures(here, arguments)


def _report_failures(here: Folder, arguments: argparse.Namespace) -> Exit:
    """Tell the records over which this program failed, whose matches have no result; the exit code."""
    failed = here.failed.items()
    return gravest(
        report_failure(escape(str(here.path / name)), error, "tournament", arguments.home)
        for name, error in failed
    )


def _table_of(here: Folder, matches: Iterable[evidence.Judged]) -> Table:
    decided = evidence.decided(here.event, here.rounds, matches, here.rulings, here.left)
    return tables.made(here.event, here.rounds, decided, here.byes, here.withdrawals)


_ACTIONS: Final[dict[str, Callable[[argparse.Namespace], int]]] = {
    "new": _new,
    "pair": _pair,
    "take": _take,
    "rule": _rule,
    "withdraw": _withdraw,
    "table": _table,
}
