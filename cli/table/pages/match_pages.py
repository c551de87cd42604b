"""Pages to read in the middle of a game: help, verification, players, the end.

Pure: from values to lines.  The screen lays them over the board, line mode prints them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from cli.games.drama import Closing
from cli.games.interface import GameTerminal, Page
from cli.table.news.events import CheckCounts
from cli.table.words import commands
from cli.table.words.commands import Order
from cli.table.words.keymap import PANELS, key_of, named
from cli.table.words.other_players import Fellow, place_of
from cli.text.layout import EMPTY, Line, styled, whole, wrapped
from cli.text.names import person
from cli.text.sanitize import cells, escape
from p2p_stratego.core.language import _, mark, n_
from p2p_stratego.core.narration import either
from protocol.crypto.keys import fingerprint
from protocol.record.genesis import Genesis

COLUMNS: Final = 72
"""Columns of a page: it fits into the smallest screen."""
_PICKING = (
    (
        mark("Up, Down"),
        mark("pick an answer instead of typing it; Left and Right too, while the line is empty or picked"),
    ),
    (mark("Space"), mark("after a picked soldier: go on to the next")),
    ("Enter", mark("say it")),
)
"""Where there is no pointing at a board."""
_ALL_KEYS = (
    (mark("F1 or ?"), mark("this page; F1 or Esc closes it")),
    ("Tab", mark("on an empty line: chat, and back; otherwise complete what is typed")),
    ("Enter", mark("on an empty line: the one answer that is possible, or a proposal")),
    (mark("Shift-Tab"), mark("pick an answer; again: the next one")),
    (named(PANELS), mark("another panel first")),
    (key_of(Order.NOTES), mark("notes on or off")),
    (f"{key_of(Order.RULES)}, {key_of(Order.HISTORY)}", mark("rules, history")),
    (
        f"{key_of(Order.COACH)}, {key_of(Order.SETTINGS)}",
        mark("the coach on or off; settings, changed at once"),
    ),
    (mark(": or Ctrl-P"), mark("all commands, to search: what each does, and its key")),
    (mark("Ctrl-_"), mark("undo: the last part of the line, or of a set-up, before it is sent")),
    (mark("PgUp, PgDn"), mark("scroll a page; Up, Down: a line of it")),
    ("Esc", mark("close, cancel, clear the line")),
    (mark("Ctrl-U, Ctrl-W"), mark("clear the line up to the cursor; the word before it")),
    (mark("wheel, click"), mark("on an open page: scroll it, close it; elsewhere a click takes an offer")),
    (mark("Ctrl-Q, Ctrl-C"), mark("save and leave")),
    (mark("Ctrl-Z, Ctrl-L"), mark("suspend; draw the screen anew")),
)


_BEHIND = 5
"""Where keys of more pages stand in the list: behind those of all games."""
_ABOUT = {
    "looks": mark("what you alone were shown"),
    "records": mark("records"),
    "manifest": mark("all counters"),
}
_SIGNS = (
    ("✓", mark("opened and checked: it is what was laid; `checks` tells more")),
    ("▶", mark("what else just happened")),
    ("● ◆ ✗", mark("all are connected; somebody is away; this copy of the game is an old one")),
)


def _listed(
    pairs: Iterable[tuple[str, str]], columns: int, style: str = "key", *, typed: bool = False
) -> list[Line]:
    """Pairs in two columns, translated here; `typed`: the left column is typed, and stays."""
    pairs = [(left if typed else _(left), _(right)) for left, right in pairs]
    wide = max(cells(left) for left, _right in pairs) + 2
    return [
        line
        for left, right in pairs
        for line in wrapped(
            (*styled(left + " " * (wide - cells(left)), style), *styled(right)), columns, wide
        )
    ]


def _heading(text: str) -> Line:
    return styled(text, "strong")


def _more(terminal: GameTerminal) -> Sequence[tuple[str, str, bool]]:
    """The keys of pages that only some games have: key, page, whether this one has it."""
    return (
        (key_of(Order.LOOKED), "looks", terminal.alone is not None),
        (key_of(Order.RECORDS), "records", terminal.records is not None),
        (key_of(Order.MANIFEST), "manifest", terminal.manifest is not None),
    )


def _pointing(terminal: GameTerminal) -> Sequence[tuple[str, str]]:
    """The keys and clicks that play."""
    if terminal.pointer is not None:
        return terminal.pointer.keys
    return (*_PICKING, *(terminal.clicks.keys if terminal.clicks else ()))


def guide(columns: int, terminal: GameTerminal, *, screen: bool) -> Page:
    """Commands; on a screen also the keys, and the signs on the board."""
    lines: list[Line] = []
    if screen:
        pointing = _pointing(terminal)
        first, *others = _ALL_KEYS
        extra = [(key, does) for key, does, has in _more(terminal) if has]
        if extra:
            row = (
                ", ".join(key for key, _unused in extra),
                ", ".join(_(_ABOUT[does]) for _unused, does in extra),
            )
            others.insert(_BEHIND, row)
        lines += [_heading(_("Keys")), *_listed([first, *pointing, *others], columns), EMPTY]
        lines += [_heading(_("Signs")), *_listed([*terminal.board.SIGNS, *_SIGNS], columns, "mark"), EMPTY]
    if terminal.setup_editor is not None:
        back = ("undo", _("take the last change back."))
        setting_up = [*terminal.setup_editor.commands, back, *_typed(commands.SETTING_UP)]
        lines += [_heading(_("Setting up")), *_listed(setting_up, columns, typed=True), EMPTY]
    lines.append(_heading(_("Commands, besides the moves you are asked for")))
    has = {Order.RECORDS: terminal.records, Order.MANIFEST: terminal.manifest}
    more = [command for command in commands.COUNTED if has[command.order] is not None]
    talk, *rest = commands.TABLE
    between = commands.INTERRUPTS if terminal.interrupts else ()
    alone = [commands.PRIVATE] * (terminal.private is not None)
    return Page(
        _("Help"), [*lines, *_listed(_typed([talk, *alone, *rest, *between, *more]), columns, typed=True)]
    )


def _typed(listed: Iterable[commands.Command]) -> list[tuple[str, str]]:
    return [
        (f"{either(command.words)} {command.argument}".rstrip(), f"{_(command.about)}.") for command in listed
    ]


def verified(tally: CheckCounts, columns: int, *, settled: bool = True) -> Page:
    """The checks so far, and their meaning; `settled`: whether claims are held against what is opened."""
    roster: tuple[tuple[str, str], ...] = (
        (
            _("✓ opened"),
            _(
                "{opened} of {laid} laid were opened, and each is what was laid",
                opened=tally.opened,
                laid=tally.laid,
            ),
        ),
        (
            _("✓ choices"),
            _("{choices} choices made at the same time, none after seeing another's", choices=tally.choices),
        ),
        (
            _("✓ chance"),
            _(
                "{counted}, each from shares of all, fixed before the game began",
                counted=n_("{count} roll", "{count} rolls", tally.rolls),
            ),
        ),
        (_("✓ record"), _("{entries} entries, each signed and naming the one before", entries=tally.entries)),
    )
    hidden = (
        (
            _("✓ looked"),
            _(
                "{counted} shown to one alone, each sealed; ours fit",
                counted=n_("{count} thing", "{count} things", tally.looks),
            ),
        ),
        (
            _("· mixed"),
            _mixed(n_("{count} time", "{count} times", tally.mixes), settled=settled),
        ),
    )
    roster += tuple(row for row, number in zip(hidden, (tally.looks, tally.mixes), strict=True) if number)
    lines = _listed(roster, columns, "good")
    for text in _means(settled=settled):
        lines += [EMPTY, *wrapped(styled(text), columns)]
    return Page(_("What was verified"), lines)


def _mixed(counted: str, *, settled: bool) -> str:
    """How often things were mixed, and when that is judged."""
    if settled:
        return _("{counted}; that nothing was exchanged is settled at the end", counted=counted)
    return _("{counted}; nothing is settled where decisions can be taken back", counted=counted)


def _means(*, settled: bool) -> Sequence[str]:
    """What the checks prove; `settled`: whether claims are held against what is opened."""
    return (
        _(
            "What is laid face down is sent as a commitment: a hash of its face and of 32 secret bytes that "
            "only its owner has. It tells nothing, and it fits no other face. When it is opened, the secret "
            "bytes come along and this program hashes them again: if the hash differed, the record "
            "would prove "
            "the fraud."
        ),
        _(
            "What is never opened stays secret for ever, also in the record. If claims were made "
            "about it, it is "
            "opened when play is over, and the claims are held against it."
        )
        if settled
        else _("What is never opened stays secret for ever, also in the record."),
        _("`p2p-stratego audit` checks all of this again, offline, from the record alone."),
    )


def players(
    match: Genesis,
    facts: Sequence[tuple[str, str]],
    path: str,
    *,
    screen: bool,
    fellows: Sequence[Fellow] = (),
) -> Page:
    """The players by name and fingerprint, their connections, and the place of the record."""
    places = {
        fellow.seat: (
            _(", {place_of}, your ally", place_of=place_of(fellow)[1])
            if fellow.ally
            else _(", {place_of}", place_of=place_of(fellow)[1])
        )
        for fellow in fellows
    }
    seats = [
        (name, person(player.name, fingerprint(player.key)) + places.get(seat, ""))
        for seat, (name, player) in enumerate(zip(match.seat_names, match.players, strict=True))
    ]
    advice = _("A name proves nothing: compare the fingerprint with your friend over another way.")
    lines = _listed([*seats, *facts], COLUMNS)
    lines += [EMPTY, *wrapped(styled(advice, "dim"), COLUMNS), EMPTY]
    return Page(_("Who plays"), lines + _record(path, COLUMNS, screen=screen))


def ways(
    others: Sequence[tuple[str, Sequence[tuple[str, str]]]], own: Sequence[tuple[str, str]], columns: int
) -> Page:
    """For each of `others` how it is reached, and how calls to its addresses went; then our `own` ones."""
    lines: list[Line] = []
    for heading, rows in (*others, (_("You can be called at"), own)):
        lines += [*wrapped(_heading(heading), columns), *_calls(rows, columns), EMPTY]
    return Page(_("Ways to each other"), lines[:-1])


def _calls(rows: Sequence[tuple[str, str]], columns: int) -> list[Line]:
    """Addresses, each with a clause behind it, in a line of its own if they have room enough for that."""
    short = max((len(left) for left, _ in rows if len(left) <= columns // 2), default=0)
    lines = []
    for left, right in rows:
        lines += wrapped((*styled(f"  {left.ljust(short)}  ", "key"), *styled(right)), columns, 4)
    return lines


def _record(path: str, columns: int, *, screen: bool) -> list[Line]:
    """The place of the record.  In lines the path stays whole, to be copied; a screen would cut it off."""
    where = f"  {escape(path)}"
    return [
        styled(_("The record is")),
        *(wrapped(styled(where), columns) if screen else [styled(whole(where))]),
    ]


def looked(sentences: Sequence[str], *, proved: bool = False) -> Page:
    """The looks of our player alone; the page stays until the player closes it.

    `proved`: the looks came with proofs, in a game in which a player may tell of them.
    """
    lines = [line for text in sentences for line in wrapped(styled(text, "question"), COLUMNS)]
    if proved:
        advice = _("✓ Each was proved to you. Others know that you saw it, and nothing else.")
        return Page(_("For your eyes only"), [*lines, EMPTY, *wrapped(styled(advice, "good"), COLUMNS)])
    lines += [EMPTY, *wrapped(styled(_("✓ looked: checked. It fits the commitment."), "good"), COLUMNS)]
    advice = _("Keep it to yourself: to tell others is against the rules, though no program could prove it.")
    return Page(_("For your eyes only"), [*lines, EMPTY, *wrapped(styled(advice, "warn"), COLUMNS)])


class LessonEnd(NamedTuple):
    """The end of a lesson, in sentences."""

    heading: str
    last: str
    """The coach's last sentence; "" for none."""
    learnt: bool
    praise: str
    gains: Sequence[str]
    """What was met, if it is learnt."""


def lesson_end(end: LessonEnd, columns: int, *, screen: bool) -> Page:
    """The page at the end of a lesson: praise and a tick, or another try.  The question says what comes
    next.  On a screen the page lies over the board and fits the smallest one.
    """
    praise = styled(f"✓ {end.praise}", "good") if end.learnt else styled(end.praise, "strong")
    gains = [styled(f"- {gain}") for gain in end.gains]
    last = [styled(text) for text in end.last.split("\n") if text]
    if screen:
        return Page(end.heading, [*last, praise, *[EMPTY] * bool(gains), *gains], beside=True)
    parts = (*last, praise, *gains)
    return Page(end.heading, [line for part in parts for line in wrapped(part, columns, 2)])


def messages(title: str, sentences: Sequence[str], columns: int) -> Page:
    """Events or messages, the newest last."""
    return replace(texts(title, sentences, columns), newest_last=True)


def texts(title: str, sentences: Sequence[str], columns: int) -> Page:
    """Sentences as a page."""
    return Page(title, [line for text in sentences for line in wrapped(styled(text), columns, 2)])


def alike(answers: Sequence[str]) -> list[list[str]]:
    """The answers in groups that begin with the same word, each group where its first answer stands."""
    groups: dict[str, list[str]] = {}
    for answer in answers:
        groups.setdefault(answer.partition(" ")[0], []).append(answer)
    return list(groups.values())


def closing(over: Closing, happened: Sequence[str], columns: int) -> Page:
    """The end of a day, a year or a round: the gains with their reasons, and `happened`, in sentences."""
    gains = [
        (*styled(title, f"seat{seat}"), *styled(f": {why}" if why else "")) for seat, title, why in over.gains
    ]
    between = [EMPTY, _heading(_("What happened"))] if happened else []
    events = [styled(text) for text in happened]
    lines = [part for line in gains for part in wrapped(line, columns, 4)] + between
    lines += [part for line in events for part in wrapped(line, columns, 2)]
    return Page(over.title, lines, aside=True, slim=[*gains, *between, *events])


def history(sentences: Sequence[str], fresh: int, columns: int) -> Page:
    """Everything that happened, with a mark before the `fresh` last, which the player has not seen."""
    old = len(sentences) - fresh
    lines = list(texts("", sentences[:old], columns).lines)
    if 0 < fresh < len(sentences):
        lines.append(styled(_("── new since you looked ──"), "warn"))
    lines += texts("", sentences[old:], columns).lines
    return Page(_("History"), lines or [styled(_("Nothing has happened yet."))], newest_last=True)
