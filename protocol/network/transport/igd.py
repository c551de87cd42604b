"""One question to a router by UPnP (Internet Gateway Device), as a process of its own that ends with it.

    igd.py open PORT WISH LEASE        map the router's port WISH, or another, to PORT
    igd.py close PORT OUTSIDE LEASE        remove the mapping of the router's port OUTSIDE

It prints one line of JSON: {"outside", "port"} or {"trouble"}.  The library is written in C, and reads XML of
any machine that answers in the network: if it hangs, crashes or eats memory, this process does, and the game
goes on.  It imports nothing of this program, so it is run as a file.
"""

from __future__ import annotations

import json
import secrets
import sys
from contextlib import suppress
from typing import Any, Final

NAME: Final = "p2p-stratego"
"""The name of our mappings in the router's list."""
MISSING, NOBODY, TAKEN = "missing", "nobody", "taken"
"""Troubles: no library; no router answers; the ports are taken.  Any other text is the router's."""
_WAIT_MS: Final = 600
"""Milliseconds for the answers to each question of the search; it asks for some kinds of router in turn."""
_MEMORY: Final = 192 * 2**20
_SECONDS: Final = 10
"""Seconds of computing for this process."""
_TRIES: Final = 4


def main(action: str, port: str, outside: str, lease: str) -> dict[str, Any]:
    """Do `action`; return the value to print."""
    confine()
    try:
        from miniupnpc import UPnP  # noqa: PLC0415 - it may be missing
    except ImportError:
        return {"trouble": MISSING}
    router = UPnP()
    router.discoverdelay = _WAIT_MS
    try:
        # The library cannot keep a router for a later process, so each process searches anew.
        if not router.discover():
            return {"trouble": NOBODY}
        router.selectigd()
    except Exception:  # the library raises no narrower type, and also if nobody answers
        return {"trouble": NOBODY}
    try:
        if action == "close":
            there = router.getspecificportmapping(int(outside), "TCP")
            if there is not None and _ours(router, there, int(port)):
                router.deleteportmapping(int(outside), "TCP")
            return {}
        return _opened(router, int(port), int(outside), int(lease))
    except Exception as error:  # as above
        return {"trouble": _text_of(error)}


def _opened(router: Any, port: int, wish: int, lease: int) -> dict[str, Any]:
    for outside in [wish, *(1024 + secrets.randbelow(2**16 - 1024) for _ in range(_TRIES - 1))]:
        there = router.getspecificportmapping(outside, "TCP")
        # Look first: some routers let a newcomer overwrite the mapping of another machine.
        if there is None or _ours(router, there, port):
            router.addportmapping(outside, "TCP", router.lanaddr, port, NAME, "", lease)
            return {"outside": str(router.externalipaddress()), "port": outside}
    return {"trouble": TAKEN}


def _ours(router: Any, there: Any, port: int) -> bool:
    """Whether the mapping `there` leads to our port."""
    return (there[0], there[1]) == (router.lanaddr, port)


def _text_of(error: Exception) -> str:
    return str(error)[:200] or type(error).__name__


def confine() -> None:
    """Bound the memory and time that a hostile router can make this process eat, if the system can."""
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - not on every system

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])), flush=True)
