"""Actions at a table: a typed line is a command, a move, or an answer to the table's own question.

One function a command, one table of them; both front ends call this module, so both understand and refuse the
same lines. A function may look at the match, show a page, ask for a confirmation, or pass a wish on to the
replica, which raises NotNow if it cannot be.  Everything that ends a game or shows up in its record is
confirmed first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

from cli.games.interface import Decided, Misunderstood, NotPossible, PlannedAnswers, ViewContext
from cli.games.typed_names import as_typed
from cli.shell.explain import sentence
from cli.table.orders import ending, sequel, showing, switching, talking
from cli.table.pages import match_pages
from cli.table.pages.match_pages import COLUMNS
from cli.table.scene import presentation, undoing
from cli.table.seat import hints
from cli.table.seat.controller import Confirmation, TableController
from cli.table.seat.setup import READY, SettingUp
from cli.table.words import commands, end_and_rematch, other_players, status
from cli.table.words.commands import Order
from cli.text.language import yes_or_no
from cli.text.sanitize import escape
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import _
from protocol.errors import Refusal
from protocol.failures import Failure, NotNow


def befriend(table: TableController, argument: str) -> None:
    """Let the named player ask ours for other games; of two, the other one."""
    let = table.environment.befriend
    if let is None:
        raise NotPossible(_("Nobody plays here whom you could meet again."))
    table.notice = ("good", let(_seat(table, argument)))


def _seat(table: TableController, argument: str) -> Seat:
    """The seat of the player with that name, seat's name or number.  Raises NotPossible."""
    replica, name = table.replica, argument.strip().casefold()
    others = [seat for seat in range(len(replica.match.players)) if seat != replica.seat]
    if not name and len(others) == 1:
        return others[0]
    colours = replica.match.seat_names
    seats = [
        seat
        for seat in others
        if name in (str(seat + 1), colours[seat].casefold(), table.players.names[seat].casefold())
    ]
    if len(seats) != 1:
        unknown = _("Nobody else is called “{argument}”. ", argument=escape(argument, 24)) if name else ""
        raise NotPossible(
            _("{who}Type friend and a name: {others}.", who=unknown, others=presentation.others(table))
        )
    return seats[0]


OrderAction: TypeAlias = Callable[[TableController, str], None]


def enter(table: TableController, typed: str) -> None:
    """Carry out a typed line; afterwards `notice` holds its error, if any."""
    table.notice = None
    at_end, table.page = table.shows_end, None
    table.follow()
    typed = sequel.meant(table, typed) if table.pending is None else typed
    pending, order = table.pending, commands.read(typed)
    try:
        if pending is not None:
            _answer(table, pending, typed)
        elif not typed.strip():
            _nothing(table)
        elif order is not None and not _is_offered(table, typed):
            ACTIONS[order[0]](table, order[1])
        else:
            _move(table, typed)
    except Misunderstood as error:
        table.notice = ("warn", as_typed(str(error), typed, table.terminal.names()))
    except NotNow as error:
        table.notice = ("warn", sentence(error))
    except (Refusal, Failure) as error:
        table.notice = ("bad", sentence(error))
    if at_end and table.page is None and typed.strip() and (order is None or order[0] is Order.SAY):
        table.show_end_again()  # a message, or half a move, was typed while the match ended


def _is_offered(table: TableController, typed: str) -> bool:
    """Whether a line answers the open question, though it may read as a command: it is one of the offered
    answers, or a single letter that is printed among them.
    """
    text, context = typed.strip().lower(), table.context_with(typed)
    if not text.isalpha() or context is None or not table.asked or table.over:
        return False
    if table.setting_up is not None and table.setting_up.question(context) is not None:
        return False
    choices = table.terminal.questions.choices(context)
    return any(
        choice.word == text or (len(text) == 1 and choice.shown.lower().split()[:1] == [text])
        for choice in choices
    )


def show(table: TableController, command: str) -> None:
    """Do a command that only shows something, which answers no question of the table's own."""
    asked = table.take_pending()
    enter(table, command)
    table.pending = asked


def say(table: TableController, text: str) -> None:
    """Say something to everybody at the table."""
    enter(table, f"/{text}")


def leave(table: TableController) -> None:
    """Leave, after a question if the match goes on; asked for again in that question, at once."""
    asked = table.take_pending()  # leaving agrees to no other question
    if asked is not None and asked.action == table.go:
        table.go()
    else:
        enter(table, "leave")
        if asked is not None and table.pending is not None:
            table.pending = replace(table.pending, line=asked.line)


def _answer(table: TableController, pending: Confirmation, typed: str) -> None:
    answer = True if pending.light and not typed.strip() else yes_or_no(typed)
    order = commands.read(typed)
    if order is not None and order[0] is Order.UNDO:
        answer = False
    if order is not None and order[0] is Order.HELP:
        table.notice = ("dim", _("yes: it is done. no: nothing changes, and you can edit your line again."))
        return
    if answer is None:
        request = (
            _("Please answer yes or no.")
            if order is None
            else _("Please answer yes or no first; the command can follow.")
        )
        table.notice = ("warn", request)
        return
    table.pending = None
    if answer:
        pending.action()
    else:
        table.returned = pending.line


def _nothing(table: TableController) -> None:
    """An empty line: propose an answer or tell the missing input, end a pause, or show the end again."""
    if table.ended and table.environment.keys:
        table.show_end_again()
    elif offered := presentation.accepting(table, ""):
        _accepts(table, *offered)
    elif not table.asked:
        table.environment.go_on()
    elif line := presentation.only_answer(table):
        _move(table, line)
    elif line := _ready_line(table):
        _proposes(table, line)
    elif table.environment.keys:  # in lines the question is put again
        _unused, how = presentation.question(table)
        key = _("Shift-Tab") if presentation.points(table) else _("the arrow keys")
        sentence = _(
            "You have typed nothing yet. Type {how}, or pick an answer with {key}.", how=how, key=key
        )
        stuck = "" if hints.why_not(table) else " " + _("Stuck? Type hint.")
        raise NotPossible(sentence + stuck)


def _accepts(table: TableController, line: str) -> None:
    """Put the answer to an offer of a draw before the player; in lines its own question confirms it."""
    if table.environment.keys:
        _proposes(table, line)
    else:
        ending.accept(table, "")


def _ready_line(table: TableController) -> str:
    """What Enter alone proposes: a set-up as it stands, the line of a coach or of the game; else ""."""
    if presentation.drafted(table) is not None:
        offered = [choice.word for choice in presentation.choices(table, "")]
        return next((word for word in offered if word in READY), "")
    propose = table.terminal.proposal
    return table.coach.line or (
        "" if propose is None else propose(table.session.view, table.environment.chance)
    )


def _move(table: TableController, typed: str) -> None:
    if other_players.has_left(table.replica):
        raise NotPossible(_("{left} Type leave, or watch how it goes on.", left=_(status.LEFT)))
    if table.over:
        raise NotPossible(
            _(
                "The game has ended. Type {afterwards}.",
                afterwards=end_and_rematch.afterwards(table.replica, table.players),
            )
        )
    if table.environment.parting():
        raise NotPossible(_("The lesson is over."))
    context = table.context_with(typed)
    if context is None:
        raise NotPossible(_("The game is still being set up."))
    if table.setting_up is not None and table.setting_up.question(context) is not None:
        _set_up(table, table.setting_up, context)
        return
    view, terminal = context.view, table.terminal
    decided = terminal.questions.read(view, context.typed)
    first = decided.first if isinstance(decided, PlannedAnswers) else decided
    if isinstance(decided, PlannedAnswers) and decided.line:
        _stands_for(table, decided)
        return
    warnings = [*terminal.questions.warnings(view, first, settled=context.settled)]
    warnings += decided.warnings if isinstance(decided, PlannedAnswers) else ()
    _ask_first(table, context, first, warnings, lambda: table.decide(decided))


def _proposes(table: TableController, line: str) -> None:
    """Put a ready answer before the player: on a screen it can be changed, in lines it is confirmed."""
    if table.environment.keys:
        table.returned = line
        table.notice = ("dim", _("A proposal: Enter sends it, the arrow keys go to what you change."))
    else:
        question = _("A proposal: {line}. Send it? Enter means yes.", line=line)
        table.confirm(question, lambda: _move(table, line), (), line, light=True)


def _stands_for(table: TableController, decided: PlannedAnswers) -> None:
    """Show the line that a name stands for: on a screen it can be changed, in lines it is confirmed."""
    if table.environment.keys:
        table.returned = decided.line
        table.notice = (
            "dim",
            _("This is what it stands for: Enter sends it, the arrow keys go to what you change."),
        )
    else:
        table.confirm(
            _("Really {line}?", line=decided.line),
            lambda: table.decide(replace(decided, line="")),
            (),
            decided.line,
        )


def _set_up(table: TableController, setting_up: SettingUp, context: ViewContext) -> None:
    """Change the draft, or lay it."""
    if context.typed.strip().lower() not in READY:
        setting_up.change(context, context.typed)
        return
    decided = setting_up.editor.decide(context)

    def lay() -> None:
        setting_up.keep()
        table.decide(decided)

    _ask_first(table, context, decided, setting_up.editor.warnings(context), lay)


def _ask_first(
    table: TableController,
    context: ViewContext,
    decided: Decided,
    warnings: Sequence[str],
    action: Callable[[], None],
) -> None:
    """Do what the player decided; ask before if there are warnings, or if the settings say so."""
    if not warnings and not table.settings.confirm:
        action()
        return
    spoken = table.terminal.questions.spoken(context.view, decided)
    if warnings:
        table.confirm(_("Really {spoken}?", spoken=spoken), action, warnings, context.typed)
    else:
        table.confirm(_("Send it: {decided}?", decided=spoken), action, (), context.typed, light=True)


# Commands


def _setting_up(table: TableController) -> tuple[SettingUp, ViewContext]:
    context = table.context
    if table.setting_up is None or context is None or table.setting_up.draft is None:
        raise NotPossible(_("There is nothing to set up now."))
    return table.setting_up, context


def _save(table: TableController, name: str) -> None:
    setting_up, context = _setting_up(table)
    table.notice = ("good", setting_up.save(context, name))


def _load(table: TableController, argument: str) -> None:
    setting_up, context = _setting_up(table)
    table.notice = ("good", setting_up.load(context, argument))


def _setups(table: TableController, _unused: str) -> None:
    setting_up, context = _setting_up(table)
    sentences = [
        *setting_up.drafts.sentences(context.view),
        _("`load NAME` takes one of them, `load FILE` one from a file; `save NAME` keeps the present one."),
    ]
    table.page = match_pages.texts(_("Set-ups"), sentences, COLUMNS)


ACTIONS: Final[dict[Order, OrderAction]] = {
    Order.SAY: talking.say,
    Order.TO: talking.say_to_one,
    Order.NEVER: switching.never,
    Order.ASK: switching.ask,
    Order.HELP: showing.guide,
    Order.RULES: showing.rules,
    Order.BOARD: showing.board,
    Order.HAND: showing.hand,
    Order.MOVES: showing.moves,
    Order.NOTES: switching.notes,
    Order.HISTORY: showing.history,
    Order.CHAT: showing.chat,
    Order.LOOKED: showing.looked,
    Order.MANIFEST: lambda table, _said: showing.listing(table, _("All counters"), table.terminal.manifest),
    Order.RECORDS: lambda table, _said: showing.listing(
        table, _("Records and points"), table.terminal.records
    ),
    Order.CHECKS: showing.checks,
    Order.WHO: showing.who,
    Order.WAYS: showing.ways,
    Order.WATCH: switching.watch,
    Order.FRIEND: befriend,
    Order.RESIGN: ending.resign,
    Order.DRAW: ending.draw,
    Order.ACCEPT: ending.accept,
    Order.CLAIM: ending.claim,
    Order.REMATCH: ending.rematch,
    Order.BELL: switching.bell,
    Order.NOTIFY: switching.notify,
    Order.GOAL: switching.goal,
    Order.MOUSE: switching.mouse,
    Order.COACH: switching.coach,
    Order.HINT: showing.hint,
    Order.SKIP: lambda table, _said: table.environment.hurry(True),
    Order.SETTINGS: switching.settings,
    Order.UNDO: undoing.undo,
    Order.BACK: undoing.back,
    Order.SAVE: _save,
    Order.LOAD: _load,
    Order.SETUPS: _setups,
    Order.NEXT: sequel.go_on,
    **{order: partial(sequel.visit, order) for order in sequel.VISITS},
    Order.SHARE: sequel.share,
    Order.PROOF: sequel.proof,
    Order.LEAVE: ending.leave,
}
