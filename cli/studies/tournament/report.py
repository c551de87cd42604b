"""A tournament in lines of text, at most 80 columns."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from cli.shell.version import PROGRAM
from cli.studies.tournament import table as tables
from cli.studies.tournament.event import Event, Pairing, Round
from cli.studies.tournament.evidence import Decided
from cli.studies.tournament.standings import Row
from cli.studies.tournament.table import Table
from cli.text.layout import filled, hung
from cli.text.names import shown, worn
from cli.text.sanitize import cells, crop, escape
from p2p_stratego.core.language import _, _c, mark, n_
from p2p_stratego.registry import ENTRIES
from protocol.crypto.keys import fingerprint

COLUMNS: Final = 78
_NAME: Final = 26
"""Cells of a name."""
_PLACE: Final = 5
_COLUMN: Final = 5
_GAP: Final = 2
"""Cells of a place, of the narrowest column of the standings, and before each column."""
_ENDS: Final = ".!?…"
"""Signs that end the sentence of a reason."""
_SEATS: Final = 2
"""Of every match."""
MATTER, SHOWN, FILE = 2, 4, 6
"""How far from the left a matter of a dispute stands, what shows it, and a file; in cells."""


def name(event: Event, number: int) -> str:
    """A player's name, harmless on a terminal."""
    return shown(event.entrant(number).name, _NAME)


def whole(table: Table, *, ascii_only: bool = False) -> Iterator[str]:
    """Everything: head, standings, rounds, disputes."""
    yield from head(table.event)
    yield ""
    yield from standings(table)
    for round_ in table.rounds:
        yield ""
        yield from results(table.event, round_, table.decided, table.left, ascii_only=ascii_only)
    yield from disputes(table)


def head(event: Event) -> Iterator[str]:
    """What was announced."""
    yield shown(event.name)
    terms = n_(
        "{game}, {system}, {players} players, {count} round",
        "{game}, {system}, {players} players, {count} rounds",
        event.rounds,
        game=ENTRIES[event.game].title,
        system=_(tables.SYSTEMS[event.system]),
        players=len(event.players),
    )
    options = ", ".join(ENTRIES[event.game].narration.load().options(event.options, _SEATS))
    yield from hung(f"{terms}: {options}" if options else terms, COLUMNS)


def standings(table: Table) -> Iterator[str]:
    """The standings, with the tie-breaks of the system."""
    shown_in = columns(table)
    widths = [max(_COLUMN, *map(cells, (title, *of))) + _GAP for title, of in shown_in]
    wide = min(_NAME, COLUMNS - _PLACE - sum(widths))
    heads = "".join(_right(title, width) for (title, _of), width in zip(shown_in, widths, strict=True))
    yield " " * _PLACE + filled(_("player"), wide) + heads
    for at, row in enumerate(table.rows):
        values = "".join(_right(of[at], width) for (_title, of), width in zip(shown_in, widths, strict=True))
        place = f"{row.place:>3}." if row.place else "  - "
        yield f"{place} {filled(crop(name(table.event, row.player), wide), wide)}{values}".rstrip()
    for line in legend(table.event):
        yield from hung(line, COLUMNS, "  ")
    for line in withdrawn(table):
        yield from hung(line, COLUMNS, "  ")


def _right(text: str, wide: int) -> str:
    return " " * (wide - cells(text)) + text


def legend(event: Event) -> Iterator[str]:
    """What the short heads of the standings mean, a line each."""
    if event.system == "knockout":
        yield _("{head}: rounds survived.", head=_("rounds"))
    yield _("+ = -: won, drawn, lost.")
    if event.system == "knockout":
        return
    yield _("{head}: points against those with as many points.", head=_c("standings", "direct"))
    if event.system == "swiss":
        yield _(
            "{cut} and {whole}: Buchholz, the points of all opponents; the first leaves out the lowest.",
            cut=_("BH-1"),
            whole=_("BH"),
        )
    yield _(
        "{head}: Sonneborn-Berger, the points of those beaten and half of those drawn with.", head=_("SB")
    )


def withdrawn(table: Table) -> Iterator[str]:
    """Who plays no more, a line each."""
    for withdrawal in table.withdrawals:
        player, why = name(table.event, withdrawal.player), escape(withdrawal.why)
        if why:
            why += "" if why[-1] in _ENDS else "."
            sentence = _(
                "{player} plays no more from round {round} on: {why}",
                player=player,
                round=withdrawal.start,
                why=why,
            )
        else:
            sentence = _(
                "{player} plays no more from round {round} on.", player=player, round=withdrawal.start
            )
        if withdrawal.player in table.out:
            yield f"{sentence} {_('Fewer than half of the games were played, so they count for nobody.')}"
        else:
            yield sentence


def columns(table: Table) -> list[tuple[str, list[str]]]:
    def column(title: str, values: Sequence[str]) -> tuple[str, list[str]]:
        return title, list(values)

    rows: Sequence[Row] = table.rows
    score = [f"{row.won}-{row.drawn}-{row.lost}" for row in rows]
    table_columns = [column(_("points"), [tables.halves(row.points) for row in rows]), column("+ = -", score)]
    if table.event.system == "knockout":
        return [column(_("rounds"), [str(row.survived) for row in rows]), table_columns[1]]
    direct = ["" if row.direct is None else tables.halves(row.direct) for row in rows]
    table_columns.append(column(_c("standings", "direct"), direct))
    if table.event.system == "swiss":
        table_columns.append(column(_("BH-1"), [tables.halves(row.buchholz_cut) for row in rows]))
        table_columns.append(column(_("BH"), [tables.halves(row.buchholz) for row in rows]))
    table_columns.append(column(_("SB"), [tables.quarters(row.sonneborn) for row in rows]))
    return table_columns


def results(
    event: Event,
    round_: Round,
    known: Iterable[Decided],
    left: Mapping[int, int],
    *,
    ascii_only: bool = False,
) -> Iterator[str]:
    """The pairings of a round, their results, and how those that are still to be played begin.

    `left`: by player, the first round without that player.
    """
    yield title(round_)
    waiting = False
    for decided in known:
        if decided.round == round_.number:
            pair = decided.pairing
            first, second = (filled(name(event, seat), _NAME) for seat in pair[1:])
            yield f"{pair.table:>3}. {first} {tables.result(decided):^7} {second} {origin(decided)}".rstrip()
            if decided.waiting:
                waiting = True
                yield from (
                    " " * _PLACE + line for line in commands(event, round_, pair, ascii_only=ascii_only)
                )
    yield from _byes(event, round_, left)
    if waiting:
        yield from hung(rule_of_names(round_), COLUMNS)


def title(round_: Round) -> str:
    """The head of a round, with its word."""
    if not round_.word:
        return _("Round {number}", number=round_.number)
    return _("Round {number}, with the word {word}", number=round_.number, word=round_.word)


def commands(event: Event, round_: Round, pair: Pairing, *, ascii_only: bool = False) -> tuple[str, str]:
    """What the first and the second player of a pairing type: whole lines, to be copied."""
    options = "".join(f" --{key} {escape(shlex.quote(str(value)))}" for key, value in event.options.items())
    first, second = (_worn(event.entrant(seat).name, round_.word, ascii_only) for seat in pair[1:])
    return f"{PROGRAM} host {event.game}{options}{first}", f"{PROGRAM} join INVITE{second}"


def _worn(own: str, word: str, ascii_only: bool) -> str:
    """The option that gives a player the name of a round, none without a word."""
    exact = shown(own, ascii_only=ascii_only) == own
    return f" --name {shlex.quote(worn(own if exact else _('YOUR-NAME'), word))}" if word else ""


def rule_of_names(round_: Round) -> str:
    """How the players of a round sit down, in a sentence."""
    if not round_.word:
        return _("The first player of each pairing hosts.")
    return _(
        "The first player of each pairing hosts. Both play under exactly these names, with the word of the "
        "round, or the match does not count."
    )


def origin(decided: Decided) -> str:
    """Where a result comes from; empty for a game that was played."""
    marks = {"ruling": _("ruling"), "proof": _("proof"), "withdrawal": _("withdrawal")}
    return marks.get(decided.origin, "")


def _byes(event: Event, round_: Round, left: Mapping[int, int]) -> Iterator[str]:
    for player in round_.off(left):
        yield "     " + _("{player} has a bye.", player=name(event, player))


def disputes(table: Table) -> Iterator[str]:
    """What a director has to look at, with the files that show it."""
    lines = [line for decided in table.decided for line in dispute(table, decided)]
    if lines:
        yield ""
        yield _("Disputes and remarks")
        yield from lines


def dispute(table: Table, decided: Decided) -> Iterator[str]:
    """What a director has to look at in a pairing, in lines of the screen."""
    for depth, text in matters(table, decided):
        if depth == FILE:
            yield " " * depth + text
        else:
            yield from hung(text, COLUMNS, " " * depth)


def matters(table: Table, decided: Decided) -> Iterator[tuple[int, str]]:
    """The same in whole sentences, each with how deep it stands: a matter, what shows it, a file of that."""
    where = place(decided)
    for problem in decided.problems:
        yield MATTER, f"{where}: {_(tables.SAID[problem])}"
    for remark in tables.remarks(decided):
        yield MATTER, f"{where}: {remark}"
    if decided.disputed:
        concerned = [shown(name, _NAME) for name in tables.concerned(table, decided)]
        if concerned:
            players = ", ".join(concerned)
            yield SHOWN, _("by these records it concerns {players}", players=players)
        if settled := _settled(decided):
            yield SHOWN, settled
        for match in decided.matches:
            if match == decided.counted and match.problem is None:
                continue
            yield SHOWN, _("match {id}, verdict {verdict}", id=match.id[:16], verdict=_(match.verdict))
            for copy in match.copies:
                yield FILE, f"records/{copy[:32]}…"
            if match.proof is not None:
                yield FILE, f"proofs/{match.id[:32]}.p2pp"
    if decided.ruling is not None:
        result, why = decided.ruling.result, escape(decided.ruling.why)
        yield MATTER, _("{where}: ruled {result}: {why}", where=where, result=result, why=why)


def _settled(decided: Decided) -> str:
    """What the result of a disputed pairing stands by, or ""."""
    if decided.counted is not None and len(decided.matches) > 1:
        return _("the result stands by match {id}", id=decided.counted.id[:16])
    return _(_SETTLED[decided.origin]) if decided.origin in _SETTLED else ""


_SETTLED: Final = {"ruling": mark("settled by the ruling"), "withdrawal": mark("settled by the withdrawal")}


def place(decided: Decided) -> str:
    """Which pairing that is."""
    return _("round {round}, table {table}", round=decided.round, table=decided.pairing.table)


def players(event: Event) -> Iterator[str]:
    """The field."""
    for number, player in enumerate(event.players, 1):
        yield f"{number:>3}. {filled(name(event, number), _NAME)} [{fingerprint(bytes.fromhex(player.key))}]"
