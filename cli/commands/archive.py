"""`archive`: keep any number of records, judge them, ask about them.  It needs the extra `archive`."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli.commands import replay
from cli.lines.prompt import Prompt
from cli.reports.rows import Plain
from cli.shell import extras
from cli.shell.archive_arguments import ACTIONS
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.guard import complain
from cli.shell.named_files import write_new
from cli.shell.version import installed
from cli.text.layout import ascii_text
from cli.text.sanitize import escape
from cli.text.tables import table
from p2p_stratego.core.language import _, n_, number
from p2p_stratego.core.narration import either
from p2p_stratego.registry import ENTRIES

if TYPE_CHECKING:  # what needs the extra is imported by the actions
    from cli.archive import audit_run, intake
    from cli.archive.opening_explorer import Explorer, Node
    from cli.archive.reports import Chart
    from cli.screen.chooser import ChoiceList

COMMAND: Final = "p2p-stratego archive"
_NO_VERSION: Final = "0"
"""The version of a program that is run from its sources."""


def run(arguments: argparse.Namespace) -> int:
    """Do what the action says.  Raises Sorry."""
    if arguments.action is None:
        raise Sorry(
            _(
                "Say what to do: archive {actions}. See `{program} --help`.",
                actions=", ".join(ACTIONS),
                program=COMMAND,
            ),
            Exit.USAGE,
        )
    if arguments.place is None:
        raise Sorry(_("Name the archive: archive {action} ARCHIVE.", action=arguments.action), Exit.USAGE)
    extras.need("archive", by=COMMAND)
    return _ACTIONS[arguments.action](arguments)


def _print(lines: Iterable[str], arguments: argparse.Namespace) -> None:
    for line in lines:
        print(ascii_text(line) if arguments.ascii else line)


# Add


def _add(arguments: argparse.Namespace) -> int:
    """Take records in; 65 if a source held none."""
    from cli.archive import intake, store
    from cli.archive.progress import Meter

    if not arguments.words:
        raise Sorry(
            _("Name what to add: archive add {place} FILE, or - for standard input.", place=arguments.place),
            Exit.USAGE,
        )
    with store.reaching(arguments.place), Meter(_("records")) as meter:
        archive = store.made(arguments.place, arguments.shards)
        incoming = intake.read(arguments.words, sys.stdin.buffer)
        taken = intake.add(archive, incoming, lambda so_far: meter.show(so_far.read, None))
    for refused in taken.named:
        complain(f"{refused.name}: {refused.why}")
    if arguments.json:
        plain: Plain = {
            "type": "archive-add",
            "added": taken.added,
            "known": taken.known,
            "refused": taken.refused,
            "bytes": taken.bytes,
            "seconds": round(meter.seconds, 3),
            "problems": [{"name": refused.name, "why": refused.why} for refused in taken.named],
        }
        print(json.dumps(plain))
    else:
        _print([_told_of_add(taken)], arguments)
    return Exit.DATA if taken.refused else Exit.OK


def _told_of_add(taken: intake.Taken) -> str:
    sentences = [
        n_(
            "{shown} record added ({size} MB), {known} known already.",
            "{shown} records added ({size} MB), {known} known already.",
            taken.added,
            shown=number(taken.added),
            size=number(taken.bytes / 1e6, 1),
            known=number(taken.known),
        )
    ]
    if taken.refused:
        sentences.append(
            n_(
                "{shown} source was no record.",
                "{shown} sources were no records.",
                taken.refused,
                shown=number(taken.refused),
            )
        )
    return " ".join(sentences)


# Audit


def _audit(arguments: argparse.Namespace) -> int:
    """Judge what is new; 70 if this program failed over a record, 74 if one broke a limit."""
    from cli.archive import audit_run, store
    from cli.archive.judging_task import Limits
    from cli.archive.progress import Meter
    from cli.archive.verdict_rows import Wanted
    from cli.archive.worker_supervisor import Broken

    if arguments.words:
        raise Sorry(_("archive {action} takes one archive.", action="audit"), Exit.USAGE)
    wanted = Wanted(installed() or _NO_VERSION, arguments.events, arguments.decisions)
    limits = Limits(arguments.seconds, arguments.memory)
    with store.reaching(arguments.place), Meter(_("records")) as meter:
        plan = audit_run.Plan(store.opened(arguments.place), wanted, limits, arguments.again)
        try:
            done = plan.run(_engine(arguments), lambda so_far: meter.show(so_far.records, so_far.total))
        except Broken as error:
            raise Sorry(_("The audit cannot go on: {why}", why=error), Exit.BUG) from error
    if arguments.json:
        print(json.dumps(_plain_of_audit(done, meter.seconds)))
    else:
        _print(_told_of_audit(done, meter.seconds), arguments)
    return max((Exit(code) for code in done.worst if code in (Exit.BUG, Exit.IO)), default=Exit.OK)


def _engine(arguments: argparse.Namespace) -> audit_run.Engine:
    """What spreads the tasks over processes."""
    if arguments.ray is None:
        from cli.archive import local_workers
        from cli.shell.workers import cores

        return partial(local_workers.spread, workers=arguments.workers or cores())
    extras.need("cluster", by=f"{COMMAND} audit --ray")
    from cli.archive import ray_workers

    return partial(ray_workers.spread, address=arguments.ray)


def _plain_of_audit(done: audit_run.Done, seconds: float) -> Plain:
    return {
        "type": "archive-audit",
        "records": done.records,
        "matches": done.matches,
        "seconds": round(seconds, 3),
        "verdicts": dict(sorted(done.verdicts.items())),
    }


def _told_of_audit(done: audit_run.Done, seconds: float) -> Iterable[str]:
    if not done.records:
        yield _("Every record in the archive is judged already.")
        return
    rate = number(done.records / seconds if seconds else 0.0)
    yield n_(
        "{shown} record of {matches} matches judged, {rate} a second.",
        "{shown} records of {matches} matches judged, {rate} a second.",
        done.records,
        shown=number(done.records),
        matches=number(done.matches),
        rate=rate,
    )
    yield from _counted(done.verdicts)


def _counted(verdicts: Counter[str]) -> Iterable[str]:
    """A line for each verdict."""
    wide = max(len(number(count)) for count in verdicts.values())
    for verdict, count in verdicts.most_common():
        yield f"  {number(count):>{wide}}  {escape(_(verdict))}"


# Questions


def _query(arguments: argparse.Namespace) -> int:
    """Answer a question in SQL; 65 for one that DuckDB refuses."""
    from cli.archive import sql_questions, store

    if len(arguments.words) != 1:
        raise Sorry(
            _('Ask one question, in quotes: archive query {place} "SELECT …".', place=arguments.place),
            Exit.USAGE,
        )
    with store.reaching(arguments.place), sql_questions.asking(store.opened(arguments.place)) as asked:
        answer = asked.ask_for_a_person(arguments.words[0])
    if arguments.json:
        rows = [[*map(_plain, row)] for row in answer.rows]
        print(json.dumps({"type": "archive-query", "columns": answer.columns, "rows": rows}))
    else:
        _print(_indented(table(answer.columns, answer.rows)), arguments)
    return Exit.OK


def _report(arguments: argparse.Namespace) -> int:
    """Tell about the games in the archive, or about one; 64 if it holds no match of that."""
    from cli.archive import reports, sql_questions, store

    if len(arguments.words) > 1:
        raise Sorry(_("archive {action} takes one archive and one game.", action="report"), Exit.USAGE)
    with store.reaching(arguments.place), sql_questions.asking(store.opened(arguments.place)) as asked:
        known = [name for name, _matches, _counted in reports.games(asked)]
        wanted = arguments.words or known
        if missing := [name for name in wanted if name not in known]:
            raise Sorry(
                _(
                    "The archive holds no judged match of {game}. It holds: {known}.",
                    game=escape(missing[0]),
                    known=", ".join(map(escape, known)) or "–",
                ),
                Exit.USAGE,
            )
        if arguments.html is None and not arguments.json:
            for name in wanted:  # each table at once: ratings of a million matches take a while
                _print(_told_of_game(name, reports.report(asked, name)), arguments)
            return Exit.OK
        report = {name: [*reports.report(asked, name)] for name in wanted}
    if arguments.html is not None:
        from cli.archive import report_page

        write_new(arguments.html, report_page.page(arguments.place, report))
    if arguments.json:
        print(
            json.dumps(
                {"type": "archive-report", "games": [_plain_of_game(*pair) for pair in report.items()]}
            )
        )
    else:
        _print([_("Written: {path}", path=escape(str(arguments.html)))], arguments)
    return Exit.OK


def _told_of_game(name: str, charts: Iterable[Chart]) -> Iterator[str]:
    """What an archive tells about one game."""
    yield _(ENTRIES[name].title) if name in ENTRIES else escape(name)
    for chart in charts:
        yield from ("", chart.title, *_indented(table(chart.heads, chart.readable_rows(), chart.share)))
    yield ""


def _plain_of_game(name: str, charts: Sequence[Chart]) -> Plain:
    tables = [
        {"table": chart.name, "columns": chart.columns, "rows": [*map(list, chart.rows)]} for chart in charts
    ]
    return {"game": name, "tables": tables}


def _indented(lines: Iterable[str]) -> Iterable[str]:
    return (f"  {line}" for line in lines)


def _plain(value: object) -> object:
    """A value of DuckDB as JSON has it: bytes as hexadecimal digits, what JSON lacks as text."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, float) and not isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [*map(_plain, value)]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


# Get


def _get(arguments: argparse.Namespace) -> int:
    """Write the bytes of one record as they came in."""
    from cli.archive import record_lookup

    if len(arguments.words) != 1 or arguments.output is None:
        raise Sorry(
            _("Name a record and a file: archive get {place} ID --output FILE.", place=arguments.place),
            Exit.USAGE,
        )
    write_new(Path(arguments.output), record_lookup.only(arguments.place, arguments.words[0]).data)
    _print([_("Written: {path}", path=escape(arguments.output))], arguments)
    return Exit.OK


# Explore


def _explore(arguments: argparse.Namespace) -> int:
    """How matches of a game began: a screen, lines or a list; 64 for a beginning that no match has."""
    from cli.archive import sql_questions, store
    from cli.archive.opening_explorer import Explorer, Node

    if not arguments.words:
        raise Sorry(
            _(
                "Name a game: archive explore {place} {games}.",
                place=arguments.place,
                games=either(sorted(ENTRIES)),
            ),
            Exit.USAGE,
        )
    named: list[str] = arguments.words
    game, kind, variant, *path = (*named, *[""] * (3 - len(named)))
    start = Node(kind, variant, tuple(path))
    with store.reaching(arguments.place), sql_questions.asking(store.opened(arguments.place)) as asked:
        explorer = Explorer(asked, game)
        known = [branch.node for branch in explorer.branches()]
        if kind and not variant:
            start = next((node for node in known if node.kind == kind), start)
        if not (known if start.is_root else explorer.matches(start).rows):
            raise Sorry(
                _(
                    "No match in the archive began so. It knows: {known}.",
                    known=", ".join(escape(f"{node.kind} {node.variant}") for node in known) or "–",
                ),
                Exit.USAGE,
            )
        if arguments.json:
            print(json.dumps(explorer.plain(start)))
        else:
            _explored(explorer, start, arguments)
    return Exit.OK


def _explored(explorer: Explorer, start: Node, arguments: argparse.Namespace) -> None:
    """Show the explorer on the screen, in lines where somebody types, else its first page."""
    from cli.screen.explorer import explore, page
    from cli.shell.settings import on_screen

    def show(match: str) -> None:
        replayed = {"file": f"{arguments.place}/{match}", "example": None, "analysis": False}
        replay.run(argparse.Namespace(**{**vars(arguments), **replayed}))

    if on_screen(arguments):
        from cli.screen.chooser import Chooser

        looks = replay.looks(arguments)

        def choose(listing: ChoiceList) -> int:
            return Chooser(listing, looks.theme, ascii_only=looks.ascii, mouse=looks.mouse).run()

        explore(explorer, start, choose, show)
    elif sys.stdin.isatty() and sys.stdout.isatty():
        explore(explorer, start, partial(_typed, Prompt(ascii_only=arguments.ascii)), show)
    else:
        _print(page(explorer, start).lines(), arguments)


def _typed(prompt: Prompt, listing: ChoiceList) -> int:
    """The row that is picked in lines."""
    from cli.screen.chooser import BACK, QUIT

    prompt.say(listing.title)
    for line in listing.sentences:
        prompt.say(f" {line}")  # the rows below stand behind numbers of two digits
    try:
        at = prompt.pick(_("Which one?"), [row.title for row in listing.rows], None)
    except EOFError:
        return QUIT
    return BACK if at is None else at


_ACTIONS: Final[Mapping[str, Callable[[argparse.Namespace], int]]] = {
    "add": _add,
    "audit": _audit,
    "query": _query,
    "report": _report,
    "get": _get,
    "explore": _explore,
}
