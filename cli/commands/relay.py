"""`relay`: a blind helper for people who cannot reach each other straight.

It joins two streams by a token and knows nothing else: no names, no keys, no moves.  It writes nothing to a
disk.
"""

from __future__ import annotations

import argparse
import signal
from dataclasses import replace

import trio

from cli.shell.exit_codes import Exit
from cli.text.layout import counted
from protocol.network.relay import Limits
from protocol.network.transport.relaying import Relay


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
    trio.run(_serve, limits, arguments.port, arguments.metrics)
    return Exit.OK


async def _serve(limits: Limits, port: int, metrics: int | None) -> None:
    relay = Relay(limits)
    async with trio.open_nursery() as nursery:
        await relay.listen(nursery, port)
        print(f"Relay on port {relay.port}. Players name it with: --relay HOST:{relay.port}", flush=True)
        if metrics is not None:
            print(f"Counts: http://127.0.0.1:{await relay.report(nursery, metrics)}/metrics", flush=True)
        with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as told:
            async for _ in told:
                break
        nursery.cancel_scope.cancel()
    joined = relay.counts.joined
    print(f"The relay has ended; it joined {counted(joined, 'pair')}.", flush=True)
