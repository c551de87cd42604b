"""The lobby on a whole screen: the table of seats, the talk, the digits to compare, and the question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cli.table.words import lobby_view, nearby
from cli.table.words.lobby_view import ALARMS, NAME, START, LobbyPlace, LobbyView, SeatRow, alarm
from cli.table.words.nearby import QUESTION
from cli.text.large_digits import large
from cli.text.layout import EMPTY, Line, ascii_line, boxed, filled, fit, series, styled, wrapped
from cli.text.sanitize import cells
from p2p_stratego.core.language import _, n_

COLUMNS: Final = 80
"""The width that a lobby needs to be drawn as a table."""
_BESIDE: Final = 116
"""Columns from which the talk stands beside the table."""
_TALK: Final = 36
"""Columns of the talk there."""
_FINGERPRINT: Final = 19
_STANDING: Final = 14


def lines(of: LobbyView, columns: int, chosen: int = -1) -> list[Line]:
    """The lobby drawn as a table in `columns` cells, at least 40; `chosen`: as `page` has it."""
    ready = sum(row.ready for row in of.rows)
    state = _(
        "{bool} of {count} here, {ready} ready",
        bool=sum(bool(row.name) for row in of.rows),
        count=len(of.rows),
        ready=ready,
    )
    inner = columns - 4
    terms = "; ".join(of.terms)
    body = [
        *wrapped(styled(f"{terms[:1].upper()}{terms[1:]}."), inner),
        EMPTY,
        *_table(of.rows, inner, chosen),
    ]
    for row in of.rows:
        if row.recognition is not None and row.recognition.standing in ALARMS:
            body += wrapped(styled(f"{row.name}: {alarm(row.recognition)}", "warn"), inner)
    if of.watching:
        body += [
            styled(
                _(
                    "{counted} waiting to watch.",
                    counted=n_("{count} spectator", "{count} spectators", of.watching),
                )
            )
        ]
    return boxed(_("Lobby: {title}", title=of.title), body, columns, foot=state)


def page(  # noqa: PLR0913 - all that a player sees of a lobby
    place: LobbyPlace,
    columns: int,
    rows: int,
    *,
    chosen: int = -1,
    happened: Sequence[tuple[str, str]] = (),
    ascii_only: bool = False,
) -> list[Line]:
    """All that stands above the input line, at most `rows` lines: the lobby, what was said and has happened
    there, what our player hands out and is asked.

    `chosen`: the seat that keys are about, from 0; `happened`: sentences behind the name of who said them, or
    behind "".
    """
    beside = columns >= _BESIDE
    left = columns - _TALK - 1 if beside else columns
    body, asked = _board(place, left, chosen)
    stream = [
        line
        for name, text in happened
        for line in wrapped(
            (*styled(f"{name}: ", "strong"), *styled(text)) if name else styled(text, "dim"),
            _TALK - 4 if beside else left,
        )
    ]
    spare = max(rows - len(body) - len(asked), 0)
    if not beside:
        newest = stream[-spare:] if spare else []
        body = [*body, *newest, *[EMPTY] * (spare - len(newest)), *asked]
    else:
        body = [*body, *[EMPTY] * spare, *asked]
        kept = stream[-max(rows - 2, 1) :]
        box = boxed(_("Talk"), [*kept, *[EMPTY] * (rows - 2 - len(kept))], _TALK)
        body = [(*fit(line, left + 1), *talk) for line, talk in zip(body, box, strict=False)]
    body = body[:rows]
    return [ascii_line(line) for line in body] if ascii_only else body


def _board(place: LobbyPlace, columns: int, chosen: int) -> tuple[list[Line], list[Line]]:
    """The lobby, and what our player is asked below it."""
    of, newcomer = place.view, place.newcomer
    if of is None:
        return [styled(_("Waiting for the host's list ..."), "dim")], []
    body: list[Line] = []
    if newcomer is not None:  # above all else: what does not fit is cut off below
        question = _(QUESTION) if newcomer.asked else _(nearby.SAID_SAME)
        for text in newcomer.as_guest[:-1]:
            body += wrapped(styled(text, "strong"), columns)
        plain = f"{newcomer.digits}   {question}"  # for who reads the screen aloud, or copies them
        body += [EMPTY, *large(newcomer.digits), EMPTY, *wrapped(styled(plain, "strong"), columns), EMPTY]
    body += lines(of, columns, chosen)
    for sentence, word in () if newcomer is not None else place.handed:
        body += wrapped(styled(sentence, "dim"), columns)
        body += [styled(word[at : at + columns], "strong") for at in range(0, len(word), columns)]
    notice, question = place.notice.removesuffix(place.commands).rstrip(), _question(of)
    asked = [EMPTY, *wrapped(styled(question, "strong"), columns)]
    if place.notice and notice != question:
        asked += wrapped(styled(notice or place.commands, "warn"), columns)
    return body, asked


def _question(of: LobbyView) -> str:
    if of.asks:
        return _("Everybody is here. {start}", start=_(START) if of.hosting else _("Play? Type yes or no."))
    if not of.full:
        return _("Waiting for more players ...")
    return lobby_view.ready(of)


def _table(rows: Sequence[SeatRow], inner: int, chosen: int) -> Iterator[Line]:
    colour = max(cells(_("seat")), *(cells(row.colour) for row in rows)) + 2
    standing = max(_STANDING, 2 + max(cells(_("known?")), *(cells(row.standing) for row in rows)))
    answers = max(cells(_("answer")), *(cells(row.answer) for row in rows))
    narrow = inner < 3 + colour + NAME + 2 + _FINGERPRINT + 2 + standing + answers
    if not narrow:
        yield styled(
            "   "
            + filled(_("seat"), colour)
            + filled(_("player"), NAME + 2)
            + filled(_("fingerprint"), _FINGERPRINT + 2)
            + filled(_("known?"), standing)
            + _("answer"),
            "dim",
        )
    for row in rows:
        sign = "▶" if row.number - 1 == chosen else " "
        seat = fit(styled(f"{row.number}{sign} {row.colour}", f"seat{row.number - 1}"), colour + 3)
        if not row.name:
            yield (*seat, *styled(_("(empty)"), "dim"))
            continue
        name = styled(row.name, "strong") if row.own else styled(row.name)
        style = "warn" if row.recognition is not None and row.recognition.standing in ALARMS else "text"
        answer = styled(row.answer, "good" if row.ready else "dim")
        if narrow:
            yield (*fit((*seat, *name), inner - answers - 1), *answer)
            yield (*fit(EMPTY, 3), *styled(f"[{row.fingerprint}] ", "dim"), *styled(row.standing, style))
        else:
            yield (
                *seat,
                *fit(name, NAME + 2),
                *fit(styled(row.fingerprint, "dim"), _FINGERPRINT + 2),
                *fit(styled(row.standing, style), standing),
                *answer,
            )
    host = next((row for row in rows if row.host), None)
    teams = [
        _("{colour} and {mates}", colour=row.colour, mates=series(row.mates))
        for row in rows
        if row.mates and row.number == _first(row, rows)
    ]
    if teams:
        yield from wrapped(styled(_("Together: {teams}.", teams="; ".join(teams)), "dim"), inner)
    if host is not None and not host.own:
        yield from wrapped(styled(_("{host} is the host.", host=host.name), "dim"), inner)


def _first(row: SeatRow, rows: Sequence[SeatRow]) -> int:
    """The lowest number of a seat on the side of `row`."""
    return min(other.number for other in rows if other.colour in (row.colour, *row.mates))
