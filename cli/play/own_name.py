"""Names for our own player: by the rules of the protocol, and without deceiving anybody."""

from __future__ import annotations

from cli.shell.explain import sentence
from cli.shell.slips import is_invite
from cli.text.names import flaw
from p2p_stratego.core.language import _
from protocol.errors import Malformed
from protocol.record.genesis import check_name


def objection(name: str) -> str | None:
    """Why our own player cannot be called `name`, as a sentence; None if the name will do."""
    if is_invite(name):
        return _("That is an invite, and a name is asked here.")
    try:
        check_name(name)
    except Malformed as error:
        return sentence(error)
    found = flaw(name)
    return None if found is None else f"{found[:1].upper()}{found[1:]}."
