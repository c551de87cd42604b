"""`contacts`: the players that our player met; to name, to block and to forget one."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from cli.play.own_name import objection
from cli.reports.own_games import day
from cli.reports.rows import Plain
from cli.shell import spelling_hints
from cli.shell.exit_codes import Exit, Run, Sorry
from cli.shell.locations import locate, runs
from cli.text.layout import padded
from cli.text.names import person, shown
from cli.text.sanitize import cells
from p2p_stratego.core.language import _, _c
from p2p_stratego.registry import ENTRIES
from protocol.crypto.keys import fingerprint
from protocol.storage.contacts import Contact
from protocol.storage.files import require_makeable
from protocol.storage.home import Home
from protocol.wire.addresses import address_text

_PRINT: Final = 19
"""Cells of a fingerprint."""
_NAME: Final = 24
"""Cells of a name, alone or in brackets behind our player's own name for it."""


def run(arguments: argparse.Namespace) -> int:
    """List the contacts, or change one."""
    path = locate(arguments.home)
    action: str | None = arguments.action
    if not path.exists():
        require_makeable(path)
    with Home(path) as home:
        if action is None:
            _list(home, as_json=arguments.json, run=runs(arguments.home))
        elif action not in _ACTIONS:
            raise spelling_hints.value(action, "ACTION", list(_ACTIONS), _("p2p-stratego contacts"))
        elif arguments.who is None:
            raise Sorry(
                _("Say whom: p2p-stratego contacts {action} WHO, by name or fingerprint.", action=action),
                Exit.USAGE,
            )
        elif arguments.called is not None and action != "name":
            raise Sorry(
                _("contacts {action} takes one player; a name with spaces needs quotes.", action=action),
                Exit.USAGE,
            )
        else:
            print(_ACTIONS[action](home, home.contacts().find(arguments.who), arguments.called))
    return Exit.OK


def askable(path: Path) -> list[tuple[str, list[str]]]:
    """The friends whom our player can ask, each with its words on the command line, the last met first."""
    with Home(path) as home:
        friends = [friend for friend in _latest(home.contacts().all) if friend.door and not friend.blocked]
        return [(_named(friend), [fingerprint(friend.key)]) for friend in friends]


def _latest(known: Iterable[Contact]) -> list[Contact]:
    return sorted(known, key=lambda contact: contact.met.when if contact.met else 0, reverse=True)


def _name(home: Home, contact: Contact, called: str | None) -> str:
    if called and (wrong := objection(called)):
        raise Sorry(_("{wrong} Choose another one.", wrong=wrong), Exit.USAGE)
    if called and any(called in other.names for other in home.contacts().all if other.key != contact.key):
        raise Sorry(_("Another contact is called {called} already.", called=shown(called)), Exit.USAGE)
    home.change_contact(contact.key, lambda known: replace(known, called=called or ""))
    return _(
        "{contact} [{fingerprint}] is {called} to you now.",
        contact=shown(contact.name),
        fingerprint=fingerprint(contact.key),
        called=shown(called or contact.name),
    )


def _block(home: Home, contact: Contact, _unused: str | None) -> str:
    home.change_contact(contact.key, lambda known: replace(known, blocked=True, friend=False, door=None))
    return _(
        "{who} is blocked: this key gets in at no lobby of yours and cannot ask you. Games that "
        "have begun go on.",
        who=_who(contact),
    )


def _unblock(home: Home, contact: Contact, _unused: str | None) -> str:
    home.change_contact(contact.key, lambda known: replace(known, blocked=False))
    return _("{who} is no longer blocked.", who=_who(contact))


def _forget(home: Home, contact: Contact, _unused: str | None) -> str:
    home.change_contact(contact.key, lambda _unused: None)
    blocked = _(" The block is gone, too.") if contact.blocked else ""
    return _(
        "{who} is forgotten, and counts as new when you meet again.{blocked}",
        who=_who(contact),
        blocked=blocked,
    )


_ACTIONS: Final[dict[str, Callable[[Home, Contact, str | None], str]]] = {
    "name": _name,
    "block": _block,
    "unblock": _unblock,
    "forget": _forget,
}


def _who(contact: Contact) -> str:
    return person(contact.names[0], fingerprint(contact.key))


def _list(home: Home, *, as_json: bool, run: Run) -> None:
    known = home.contacts().all
    if as_json:
        print(json.dumps({"contacts": list(map(_row, known))}))
    elif known:
        print("\n".join(_table(known, time.time())))
        print()
        print(
            _(
                "{command} asks one who can be asked, while that one runs: p2p-stratego wait",
                command=run("again WHO"),
            )
        )
    else:
        print(
            _(
                "You have met nobody yet. {command} and {command2} are for playing with friends.",
                command=run("host"),
                command2=run("join"),
            )
        )


def _row(contact: Contact) -> Plain:
    """A contact for machines; the ticket at its door is a secret."""
    door, met = contact.door, contact.met
    return {
        "name": contact.name,
        "called": contact.called,
        "fingerprint": fingerprint(contact.key),
        "key": contact.key.hex(),
        "blocked": contact.blocked,
        "may_ask_you": contact.friend and not contact.blocked,
        "you_may_ask": door is not None and not contact.blocked,
        "addresses": [] if door is None else list(map(address_text, door.addresses)),
        "last": None if met is None else {"when": met.when, "game": met.game, "via": met.via},
    }


def _table(known: tuple[Contact, ...], now: float) -> Iterator[str]:
    """The contacts as lines; the last met comes first."""
    latest = _latest(known)
    names = [_named(contact) for contact in latest]
    days = ["" if contact.met is None else day(contact.met.when, now) for contact in latest]
    wide = max(map(cells, [_("name"), *names]))
    late = max(map(cells, [_("last played"), *days]))
    yield f"{padded(_('name'), wide)}  {padded(_('fingerprint'), _PRINT)}  {_('last played')}"
    for contact, name, when in zip(latest, names, days, strict=True):
        notes = "; ".join(_notes(contact))
        yield f"{padded(name, wide)}  {fingerprint(contact.key)}  {padded(when, late)}  {notes}".rstrip()


def _named(contact: Contact) -> str:
    if not contact.called:
        return shown(contact.name, _NAME)
    return f"{shown(contact.called, _NAME)} ({shown(contact.name, _NAME)})"


def _notes(contact: Contact) -> Iterator[str]:
    if contact.blocked:
        yield _("BLOCKED")
    met, door = contact.met, contact.door
    if met is not None:
        title = ENTRIES[met.game].title if met.game in ENTRIES else shown(met.game)
        yield _("{title} by {via}", title=title, via=shown(_c("a way", met.via))) if met.via else title
    if door is not None and not contact.blocked:
        places = ", ".join(map(address_text, door.addresses)) or _("nowhere now")
        yield _("can be asked at {places}", places=places)
    if contact.friend and not contact.blocked:
        yield _("may ask you")
