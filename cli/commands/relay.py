"""`relay`: a blind helper for people who cannot reach each other straight.

It joins two streams by a token and knows nothing else: no names, no keys, no moves.  It writes nothing to a
disk.
"""

from __future__ import annotations

import argparse
import signal
from contextlib import suppress
from dataclasses import replace
from typing import Final

import trio

from cli.shell.exit_codes import Exit
from p2p_stratego.core.language import _, n_
from protocol.network.transport.relay_server import Relay
from protocol.rendezvous.relay_switchboard import Limits

_OTHER_FILES: Final = 64
"""Open files besides connections: listeners, the event loop, readers of the counts."""


def run(arguments: argparse.Namespace) -> int:
    """Relay until SIGTERM or Ctrl-C."""
    usual = Limits()
    limits = replace(
        usual,
        streams=arguments.max_streams or usual.streams,
        of_network=arguments.per_network or usual.of_network,
        size=(arguments.max_mib or usual.size >> 20) << 20,
        rate=(arguments.max_rate or usual.rate / 2**20) * 2.0**20,
        pair=(arguments.max_hours or usual.pair / 3600) * 3600.0,
    )
    possible = _files(limits.streams + _OTHER_FILES) - _OTHER_FILES
    if possible < limits.streams:
        print(
            _("The system allows {possible} connections at one time (ulimit -n).", possible=possible),
            flush=True,
        )
        limits = replace(limits, streams=max(possible, 1))
    trio.run(_serve, limits, arguments.port, arguments.metrics)
    return Exit.OK


def _files(wanted: int) -> int:
    """The number of files that this process may open: `wanted`, if the system lets it raise its limit so far.

    Beyond the limit the relay could not even tell a caller that it is full.
    """
    try:
        import resource
    except ImportError:  # no such limit on this system
        return wanted
    soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft in range(wanted):
        soft = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        with suppress(ValueError, OSError):  # some systems have a lower limit and do not tell it
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, most))
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return wanted if soft == resource.RLIM_INFINITY else min(soft, wanted)


async def _serve(limits: Limits, port: int, metrics: int | None) -> None:
    relay = Relay(limits)
    async with trio.open_nursery() as nursery:
        await relay.listen(nursery, port)
        print(
            _("Relay on port {port}. Players name it with: --relay HOST:{port}", port=relay.port), flush=True
        )
        if metrics is not None:
            print(
                _("Counts: http://127.0.0.1:{value}/metrics", value=await relay.report(nursery, metrics)),
                flush=True,
            )
        with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
            async for _unused in signals:
                break
        nursery.cancel_scope.cancel()
    joined = relay.counts.joined
    print(
        _("The relay has ended; it joined {counted}.", counted=n_("{count} pair", "{count} pairs", joined)),
        flush=True,
    )
