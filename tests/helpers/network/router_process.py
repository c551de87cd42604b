"""The router of a namespace as a process: it really lets in what it grants, and prints every change.

python -m tests.helpers.network.router_process LANGUAGES OUTSIDE INSIDE

LANGUAGES: pcp, nat-pmp or both with a comma; or upnp, and two routers that pretend to speak it.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Final

import trio

from tests.helpers.network import upnp_router
from tests.helpers.network.routers import Datagrams, Table

HOSTILE: Final[dict[str, upnp_router.Answer | None]] = {
    "upnp": None,
    "upnp-endless": upnp_router.endless,
    "upnp-silent": upnp_router.silent,
}


def _apply(table: Table) -> None:
    rows = [
        f"add rule ip translate targets tcp dport {at} iifname outer dnat to {client}:{port}"
        for at, (client, port, _) in table.rows.items()
    ]
    rules = "\n".join(["flush chain ip translate targets", *rows, ""])
    subprocess.run(["nft", "-f", "-"], input=rules, text=True, check=True)  # noqa: S607 - of this machine


async def main(languages: str, outside: str, inside: str) -> None:
    """Be the router."""
    table = Table(outside)

    def changed(word: str, client: str, port: int, at: int) -> None:
        _apply(table)
        print(word, client, port, at, flush=True)

    table.changed = changed
    async with trio.open_nursery() as nursery:
        if languages in HOSTILE:
            await upnp_router.serve(nursery, table, inside, HOSTILE[languages])
        else:
            await nursery.start(Datagrams(table, tuple(languages.split(","))).run, inside, 5351)
        print("ready", flush=True)


if __name__ == "__main__":
    trio.run(main, sys.argv[1], sys.argv[2], sys.argv[3])
