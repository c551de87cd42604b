"""Actions at a table: a typed line is a command, a move, or an answer to the table's own question.

One function a command, one table of them; both front ends call this module, so both understand and refuse the
same lines. A function may look at the match, show a page, ask for a confirmation, or pass a wish on to the
replica, which raises NotNow if it cannot be.  Everything that ends a game or shows up in its record is
confirmed first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from cli.games.interface import Misunderstood, NotPossible, Planned, ViewContext
from cli.shell.explain import sentence
from cli.shell.settings import NOTIFY
from cli.table import (
    befriending,
    commands,
    connection,
    ending,
    pages,
    presentation,
    reaching,
    status,
    talking,
    timing,
    vanishing,
)
from cli.table.commands import Order, yes_or_no
from cli.table.company import with_doing
from cli.table.controller import Confirmation, TableController
from cli.table.events import checks
from cli.table.pages import COLUMNS
from cli.table.setup import READY, SettingUp
from cli.text.layout import counted, series
from cli.text.sanitize import escape
from protocol.errors import Refusal
from protocol.failures import Failure, NotNow

Do: TypeAlias = Callable[[TableController, str], None]


def enter(table: TableController, typed: str) -> None:
    """Carry out a typed line; afterwards `notice` holds its error, if any."""
    table.notice = None
    table.page = None
    table.follow()
    pending, order = table.pending, commands.read(typed)
    try:
        if pending is not None:
            _answer(table, pending, typed)
        elif not typed.strip():
            _nothing(table)
        elif order is not None and not _is_offered(table, typed):
            _DO[order[0]](table, order[1])
        else:
            _move(table, typed)
    except Misunderstood as error:
        table.notice = ("warn", str(error))
    except NotNow as error:
        table.notice = ("warn", sentence(error))
    except (Refusal, Failure) as error:
        table.notice = ("bad", sentence(error))


def _is_offered(table: TableController, typed: str) -> bool:
    """Whether a line, a command perhaps, is an answer to the open question: one as it is typed, or a single
    letter that is printed among them.
    """
    said, context = typed.strip().lower(), table.context_with(typed)
    if not said.isalpha() or context is None or not table.asked or table.over:
        return False
    if table.setting_up is not None and table.setting_up.question(context) is not None:
        return False
    found = table.terminal.questions.choices(context)
    return any(
        each.word == said or (len(said) == 1 and each.shown.lower().split()[:1] == [said]) for each in found
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
    said = yes_or_no(typed)
    if said is None:
        later = " first; the command can follow" if commands.read(typed) is not None else ""
        table.notice = ("warn", f"Please answer yes or no{later}.")
        return
    table.pending = None
    if said:
        pending.action()
    else:
        table.returned = pending.line


def _nothing(table: TableController) -> None:
    """An empty line: tell the missing input, or end the opponent's pause."""
    if not table.asked:
        table.environment.go_on()
    elif table.environment.keys:  # in lines the question is put again
        _, how = presentation.question(table)
        raise NotPossible(f"Nothing is typed. Type {how}, or pick an answer with the arrow keys.")


def _move(table: TableController, typed: str) -> None:
    if status.has_left(table.replica):
        raise NotPossible(f"{status.LEFT} Type leave, or watch how it goes on.")
    if table.over:
        raise NotPossible(f"The game has ended. Type {status.afterwards(table.replica, table.players)}.")
    context = table.context_with(typed)
    if context is None:
        raise NotPossible("The game is still being set up.")
    if table.setting_up is not None and table.setting_up.question(context) is not None:
        _set_up(table, table.setting_up, context)
        return
    view, terminal = context.view, table.terminal
    decided = terminal.questions.read(view, typed)
    first = decided.first if isinstance(decided, Planned) else decided
    if isinstance(decided, Planned) and decided.line:
        _stands_for(table, decided)
        return
    warnings = terminal.questions.warnings(view, first)
    if warnings:
        question = f"Really {terminal.questions.spoken(view, first)}?"
        table.confirm(question, lambda: table.decide(decided), warnings, typed)
    else:
        table.decide(decided)


def _stands_for(table: TableController, decided: Planned) -> None:
    """Show the line that a name stands for: on a screen it can be changed, in lines it is confirmed."""
    if table.environment.keys:
        table.returned = decided.line
        table.notice = (
            "dim",
            "This is what it stands for: Enter sends it, the arrow keys go to what you change.",
        )
    else:
        table.confirm(
            f"Really {decided.line}?", lambda: table.decide(replace(decided, line="")), (), decided.line
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

    warnings = setting_up.editor.warnings(context)
    if warnings:
        question = f"Really {table.terminal.questions.spoken(context.view, decided)}?"
        table.confirm(question, lay, warnings, context.typed)
    else:
        lay()


# Commands


def _help(table: TableController, _: str) -> None:
    table.page = pages.guide(COLUMNS, table.terminal, screen=table.environment.keys)


def _rules(table: TableController, topic: str) -> None:
    table.page = table.terminal.manual.page(topic or None, COLUMNS)


def _show(table: TableController, title: str, say: Callable[[ViewContext], list[str]]) -> None:
    context = table.context
    found = say(context) if context else ["The game is still being set up."]
    table.page = pages.texts(title, found, COLUMNS)


def _board(table: TableController, _: str) -> None:
    _show(table, "The board", table.terminal.description.board)


def _hand(table: TableController, _: str) -> None:
    _show(table, "What you have", table.terminal.description.hand)


def _moves(table: TableController, _: str) -> None:
    found = presentation.choices(table, "") if table.asked else ()
    told = [", ".join(each) for each in pages.alike([choice.shown for choice in found])]
    table.page = pages.texts("What you can say", told or ["Nothing is asked of you now."], COLUMNS)


def _notes(table: TableController, argument: str) -> None:
    if not argument:
        _show(table, "Notes", table.terminal.description.notes)
        return
    table.settings = replace(table.settings, notes=_switch(argument))
    table.notice = ("dim", f"Notes are {'on' if table.settings.notes else 'off'}.")


def _bell(table: TableController, argument: str) -> None:
    wanted = _switch(argument) if argument else table.settings.notify == "off"
    _notify(table, "bell" if wanted else "off")


def _notify(table: TableController, argument: str) -> None:
    wanted = argument.strip().lower()
    if wanted not in NOTIFY:
        raise NotPossible(f"Say how: {', '.join(NOTIFY)}.")
    if wanted == "command" and not table.settings.notify_command:
        raise NotPossible("Name your command in the settings of the start menu first.")
    table.settings = replace(table.settings, notify=wanted)
    table.notice = ("dim", _NOTIFIED[wanted])


_NOTIFIED: Final = {
    "bell": "The bell is on.",
    "osc9": "Your terminal notifies you when it is your turn, if it knows OSC 9.",
    "osc777": "Your terminal notifies you when it is your turn, if it knows OSC 777.",
    "command": "Your command is run when it is your turn.",
    "off": "The bell is off.",
}


def _never(table: TableController, argument: str) -> None:
    """Show the kinds of question, or let the program pass those of one kind from now on."""
    if argument:
        table.timing.never |= _kinds(table, argument)
        table.follow()  # the open question may be one of them
    _kinds_told(table)


def _ask(table: TableController, argument: str) -> None:
    table.timing.never -= _kinds(table, argument or "all")
    _kinds_told(table)


def _kinds(table: TableController, argument: str) -> frozenset[str]:
    """The kinds of question that `argument` names: one, or all."""
    kinds, said = table.terminal.interrupts, argument.strip().lower()
    if not kinds:
        raise NotPossible("Nobody is asked anything in the turns of others in this game.")
    found = [kind for kind in kinds if said == "all" or kind.startswith(said)]
    if not found:
        raise NotPossible(f"“{escape(argument, 24)}” is no kind of question: {series(list(kinds))}, or all.")
    return frozenset(found)


def _kinds_told(table: TableController) -> None:
    found = timing.described(table.terminal.interrupts, table.timing.never)
    if not found:
        raise NotPossible("Nobody is asked anything in the turns of others in this game.")
    last = (
        "`never KIND` lets your program pass, after a moment that tells nothing; `ask KIND` ends that. So "
        "does leaving the table: after a resume you are asked again."
    )
    table.page = pages.texts("Questions in the turns of others", [*found, last], COLUMNS)


def _switch(text: str) -> bool:
    said = {"on": True, "off": False}.get(text.strip().lower())
    if said is None:
        raise NotPossible("Say on or off.")
    return said


def _goal(table: TableController, argument: str) -> None:
    wanted = _switch(argument) if argument else not table.settings.goal
    table.settings = replace(table.settings, goal=wanted)
    table.notice = ("dim", f"The goal is {'shown' if wanted else 'hidden'}.")


def _mouse(table: TableController, argument: str) -> None:
    wanted = _switch(argument) if argument else not table.settings.mouse
    table.settings = replace(table.settings, mouse=wanted)
    table.notice = ("dim", f"The mouse is {'on' if wanted else 'off'}.")


def _setting_up(table: TableController) -> tuple[SettingUp, ViewContext]:
    context = table.context
    if table.setting_up is None or context is None or table.setting_up.draft is None:
        raise NotPossible("There is nothing to set up now.")
    return table.setting_up, context


def _save(table: TableController, name: str) -> None:
    setting_up, context = _setting_up(table)
    table.notice = ("good", setting_up.save(context, name))


def _load(table: TableController, argument: str) -> None:
    setting_up, context = _setting_up(table)
    table.notice = ("good", setting_up.load(context, argument))


def _setups(table: TableController, _: str) -> None:
    setting_up, context = _setting_up(table)
    found = [
        *setting_up.drafts.told(context.view),
        "`load NAME` takes one of them, `load FILE` one from a file; `save NAME` keeps the present one.",
    ]
    table.page = pages.texts("Set-ups", found, COLUMNS)


def _history(table: TableController, _: str) -> None:
    table.page = pages.told("History", table.log.history or ["Nothing happened yet."], COLUMNS)


def _chat(table: TableController, _: str) -> None:
    said = [f"{name}: {text}" for _, name, text in table.log.chat]
    hearing = table.players.hearing
    title = f"Chat: {hearing}" if hearing else "Chat"
    if table.terminal.private is not None:
        title = "Chat: to all, or to one alone"
    table.page = pages.told(title, said or ["Nothing was said yet."], COLUMNS)


def _looked(table: TableController, _: str) -> None:
    found = table.looked_at()
    if found is None:
        raise NotPossible(
            "What is shown to you alone in this game stands in the question, while you may see it."
        )
    proved = table.terminal.alone is not None
    table.page = pages.looked(found, proved=proved) if found else pages.texts(*_NOTHING_SHOWN, COLUMNS)


_NOTHING_SHOWN: Final = ("For your eyes only", ("Nothing was shown to you alone yet.",))


def _listing(table: TableController, title: str, say: Callable[[ViewContext], Sequence[str]] | None) -> None:
    if say is None:
        raise NotPossible("This game has no such page: the board tells all.")
    _show(table, title, lambda context: list(say(context)))


def _checks(table: TableController, _: str) -> None:
    table.page = pages.verified(checks(table.session), COLUMNS)


def _watch(table: TableController, argument: str) -> None:
    let = table.environment.watch
    if let is None:
        raise NotPossible("Nobody can call this program, so nobody can watch over it.")
    if not argument:
        raise NotPossible("Say watch on, for an invite to watch, or watch off.")
    sentence_, invite = let(_switch(argument))
    if invite:
        table.page = pages.texts(
            "Watching", [sentence_, invite, *[_FRAMED] * table.environment.keys], COLUMNS
        )
    else:
        table.notice = ("dim", sentence_)


_FRAMED: Final = "It can be copied as it stands, with the frame and the line break (hold Shift to select)."


def _who(table: TableController, _: str) -> None:
    replica = table.replica
    fellows = presentation.fellows(table)
    link, doing = presentation.link(table)[1], presentation.doing(table)
    facts = [] if fellows else [("connection", with_doing(link, doing[0]) if doing else link)]
    if told := vanishing.told(replica):
        facts.append(("escrow", told))
    if replica.watchers:
        facts.append(("watching", counted(replica.watchers, "spectator")))
    if replica.trouble is not None:
        facts.append(("last trouble", escape(sentence(replica.trouble))))
    table.page = pages.players(
        replica.match, facts, replica.store.path, screen=table.environment.keys, fellows=fellows
    )


def _ways(table: TableController, _: str) -> None:
    replica, now, players = table.replica, table.environment.clock(), table.players
    others = []
    for link in replica.links:
        if link.seat in replica.route.bots:
            continue
        place = connection.seat_link(replica, players, link, now)
        others.append((f"{players.names[link.seat]}: {place}", reaching.report(link, now)))
    own = reaching.own(replica.route.own, table.environment.relays(), replica.route.mapped)
    table.page = pages.ways(others, own, COLUMNS)


_DO: Final[dict[Order, Do]] = {
    Order.SAY: talking.say,
    Order.TO: talking.say_to_one,
    Order.NEVER: _never,
    Order.ASK: _ask,
    Order.HELP: _help,
    Order.RULES: _rules,
    Order.BOARD: _board,
    Order.HAND: _hand,
    Order.MOVES: _moves,
    Order.NOTES: _notes,
    Order.HISTORY: _history,
    Order.CHAT: _chat,
    Order.LOOKED: _looked,
    Order.MANIFEST: lambda table, _: _listing(table, "All counters", table.terminal.manifest),
    Order.RECORDS: lambda table, _: _listing(table, "Records and points", table.terminal.records),
    Order.CHECKS: _checks,
    Order.WHO: _who,
    Order.WAYS: _ways,
    Order.WATCH: _watch,
    Order.FRIEND: befriending.befriend,
    Order.RESIGN: ending.resign,
    Order.DRAW: ending.draw,
    Order.ACCEPT: ending.accept,
    Order.CLAIM: ending.claim,
    Order.REMATCH: ending.rematch,
    Order.BELL: _bell,
    Order.NOTIFY: _notify,
    Order.GOAL: _goal,
    Order.MOUSE: _mouse,
    Order.SAVE: _save,
    Order.LOAD: _load,
    Order.SETUPS: _setups,
    Order.LEAVE: ending.leave,
}
