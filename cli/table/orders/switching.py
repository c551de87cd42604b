"""The commands that switch something for the player: what is shown, what is asked, who may watch."""

from __future__ import annotations

from typing import Final

from cli.games.interface import NotPossible
from cli.games.typed_names import in_english, shown
from cli.shell.settings import NOTIFY, worded
from cli.table.orders import showing
from cli.table.pages import match_pages
from cli.table.pages.match_pages import COLUMNS
from cli.table.scene import preferences, presentation
from cli.table.seat import timing
from cli.table.seat.coaching import BESIDE_PEOPLE, WAITING
from cli.table.seat.controller import TableController
from cli.table.words import other_players
from cli.text.language import on_or_off
from cli.text.layout import series
from cli.text.sanitize import escape
from p2p_stratego.core.language import _, mark


def notes(table: TableController, argument: str) -> None:
    """Show the notes, or show them beside the board from now on, or no longer."""
    if not argument:
        showing.show(table, _("Notes"), table.terminal.description.notes)
        return
    table.prefer(notes=_switch(argument))
    table.notice = ("dim", (_("Notes are on.") if table.settings.notes else _("Notes are off.")))


def bell(table: TableController, argument: str) -> None:
    """Call the player by a sound, or not at all."""
    wanted = _switch(argument) if argument else table.settings.notify == "off"
    notify(table, "bell" if wanted else "off")


def notify(table: TableController, argument: str) -> None:
    """Call the player in one of the ways of NOTIFY."""
    wanted = argument.strip().lower()
    if wanted not in NOTIFY:
        raise NotPossible(_("Say how: {notify}.", notify=", ".join(NOTIFY)))
    if wanted == "command" and not table.settings.notify_command:
        raise NotPossible(_("Name your command in the settings of the start menu first."))
    table.prefer(notify=wanted)
    table.notice = ("dim", _(_NOTIFIED[wanted]))


_NOTIFIED: Final = {
    "bell": mark("The bell is on."),
    "osc9": mark("Your terminal notifies you when it is your turn, if it knows OSC 9."),
    "osc777": mark("Your terminal notifies you when it is your turn, if it knows OSC 777."),
    "command": mark("Your command is run when it is your turn."),
    "off": mark("The bell is off."),
}


def never(table: TableController, argument: str) -> None:
    """Show the kinds of question, or let the program pass those of one kind from now on."""
    if argument:
        table.timing.never |= _kinds(table, argument)
        table.follow()  # the open question may be one of them
    _show_kinds(table)


def ask(table: TableController, argument: str) -> None:
    """Ask the player again what its program passes."""
    table.timing.never -= _kinds(table, argument or "all")
    _show_kinds(table)


def _kinds(table: TableController, argument: str) -> frozenset[str]:
    """The kinds of question that `argument` names: one, or all."""
    kinds, names = table.terminal.interrupts, table.terminal.names()
    name = in_english(argument.strip(), names).lower()
    if not kinds:
        raise NotPossible(_("Nobody is asked anything in the turns of others in this game."))
    named = [kind for kind in kinds if name == "all" or kind.startswith(name)]
    if not named:
        raise NotPossible(
            _(
                "“{argument}” is no kind of question: {kinds}, or all.",
                argument=escape(argument, 24),
                kinds=series([shown(kind, names) for kind in kinds]),
            )
        )
    return frozenset(named)


def _show_kinds(table: TableController) -> None:
    sentences = timing.described(table.terminal.interrupts, table.timing.never, table.terminal.names())
    if not sentences:
        raise NotPossible(_("Nobody is asked anything in the turns of others in this game."))
    last = _(
        "`never KIND` lets your program pass, after a moment that tells nothing; `ask KIND` ends that. So "
        "does leaving the table: after a resume you are asked again."
    )
    table.page = match_pages.texts(_("Questions in the turns of others"), [*sentences, last], COLUMNS)


def _switch(text: str) -> bool:
    value = on_or_off(text)
    if value is None:
        raise NotPossible(_("Say on or off."))
    return value


def goal(table: TableController, argument: str) -> None:
    """Say how the game is won, or no longer."""
    wanted = _switch(argument) if argument else not table.settings.goal
    table.prefer(goal=wanted)
    table.notice = ("dim", (_("The goal is shown.") if wanted else _("The goal is hidden.")))


def mouse(table: TableController, argument: str) -> None:
    """Let clicks play, or no longer."""
    wanted = _switch(argument) if argument else not table.settings.mouse
    table.prefer(mouse=wanted)
    table.notice = ("dim", (_("The mouse is on.") if wanted else _("The mouse is off.")))


def watch(table: TableController, argument: str) -> None:
    """Let spectators in, or no longer."""
    let = table.environment.watch
    if let is None:
        raise NotPossible(_("Nobody can call this program, so nobody can watch over it."))
    if not argument:
        raise NotPossible(_("Say watch on, for an invite to watch, or watch off."))
    sentence_, invite = let(_switch(argument))
    if invite:
        table.page = match_pages.texts(
            _("Watching"), [sentence_, invite, *[_(_FRAMED)] * table.environment.keys], COLUMNS
        )
    else:
        table.notice = ("dim", sentence_)


_FRAMED: Final = mark(
    "It can be copied as it stands, with the frame and the line break (hold Shift to select)."
)


def coach(table: TableController, argument: str) -> None:
    """One sentence on what matters now, or no longer; in a lesson all that the coach says now, as a page."""
    if table.coach.teaches and not argument:
        advice = presentation.coached(table) or _(WAITING)
        table.page = match_pages.texts(_("Coach"), advice.split("\n"), COLUMNS)
        return
    if table.coach.teaches:
        raise NotPossible(_("In a lesson the coach stays."))
    wanted = _switch(argument) if argument else not table.settings.coach
    table.prefer(coach=wanted)
    state = _("The coach is on.") if wanted else _("The coach is off.")
    if wanted and not table.coach.can_speak:
        state = _("The coach is on, but this game has none.")
    elif wanted and not other_players.alone_with_bots(table.replica):
        state = _(BESIDE_PEOPLE)
    elif wanted:
        state = _(
            "The coach is on. It sees what you see, and judges as a bot does ({bot}).", bot=table.coach.reader
        )
    table.notice = ("dim", state)


def settings(table: TableController, argument: str) -> None:
    """Show what can be changed in the middle of a game, or change one of these."""
    if not argument:
        lines = [
            *preferences.sentences(table.settings),
            _("Type settings NAME VALUE to change one; it is saved."),
        ]
        table.page = match_pages.texts(_("Settings"), lines, COLUMNS)
        return
    preference, value = preferences.read(argument, table.settings)
    if preference.field == "coach" and table.coach.teaches:
        raise NotPossible(_("In a lesson the coach stays."))
    table.prefer(**{preference.field: value})
    value = worded(preference.field, value)
    change = _("{setting} is {value} from now on.", setting=preference.field, value=value)
    table.notice = ("dim", change)
