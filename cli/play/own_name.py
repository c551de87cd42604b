"""Names for our own player: by the rules of the protocol, and without deceiving anybody."""

from __future__ import annotations

from cli.shell.spelling_hints import is_invite
from cli.text.names import flaw
from p2p_stratego.core.language import _
from protocol.errors import Malformed
from protocol.limits import MAX_NAME
from protocol.record.genesis import check_name


def objection(name: str) -> str | None:
    """Why our own player cannot be called `name`, as a sentence; None if the name will do."""
    if is_invite(name):
        return _("That is an invite, and a name is asked here.")
    try:
        check_name(name)
    except Malformed:
        if 0 < len(name) <= MAX_NAME and name == name.strip():
            return _("A name holds a character that cannot be seen, or is too new to be known everywhere.")
        return _("A name has 1 to {most} characters, without space at its ends.", most=MAX_NAME)
    reason = flaw(name)
    return None if reason is None else f"{reason[:1].upper()}{reason[1:]}."
