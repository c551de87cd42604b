"""Everything that is different from run to run, driven by a seed instead.

What is left: the randomness of TLS itself.  It decides the bytes below TLS, and nothing above: the name of a
connection (RFC 9266), which both ends derive and sign, is replaced by one from the seed.
"""

from __future__ import annotations

import os
import random
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from typing import Any, Final, TypeVar
from unittest.mock import patch

import trio
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from trio._core import _run as scheduler

from protocol.channel import tls
from protocol.crypto.workers import Job, Pool
from protocol.network import link, peer
from protocol.network.transport import crossing, relay_server, tcp
from protocol.replication import presence
from protocol.storage import files
from tests.campaigns.simulate.disk import Locks, SystemCalls
from tests.campaigns.simulate.life import LIFE
from tests.campaigns.simulate.net import Net

T = TypeVar("T")
_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Of the group of P-256 (FIPS 186-4, D.1.2.3)."""


class InPlace(Pool):
    """Runs every job here, where a task of the life waits for it."""

    def run(self, job: Job[T]) -> T:
        return job.run()


class Writing:
    """The module `os` of who writes to sockets by their descriptors."""

    def __init__(self, write: Callable[[int, Any], int]) -> None:
        self.write = write

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)


def certificate(rng: random.Random) -> tls.Certificate:
    """A host's certificate as tls.make makes it, but from the seed."""
    key = ec.derive_private_key(rng.randrange(1, _ORDER), ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "p2p-stratego")])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(rng.getrandbits(64) + 1)
        .not_valid_before(datetime(2000, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC))
        .sign(key, SHA256(), ecdsa_deterministic=True)
    )
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return tls.Certificate(private + made.public_bytes(Encoding.PEM))


@contextmanager
def driven(seed: str, net: Net, patience: float) -> Iterator[None]:
    """Within the block the seed drives what the program asks of the system.

    `patience`: the seconds after which a player may be called away.
    """
    rng = random.Random(f"{seed} chance")
    names: dict[bytes, bytes] = {}
    derive = tls.TLSSession.binding

    def binding(self: tls.TLSSession, shown: bytes) -> bytes:
        return shown + names.setdefault(derive(self, shown), rng.randbytes(32))

    async def run_here(work: Callable[..., T], *about: Any, **_: Any) -> T:
        await trio.sleep(rng.random())
        return work(*about)

    with ExitStack() as stack:

        def put(module: Any, name: str, value: object) -> None:
            stack.enter_context(patch.object(module, name, value))

        put(scheduler, "_ALLOW_DETERMINISTIC_SCHEDULING", True)
        put(scheduler, "_r", random.Random(f"{seed} scheduler"))
        put(secrets, "token_bytes", rng.randbytes)
        put(secrets, "token_hex", lambda count: rng.randbytes(count).hex())
        put(secrets, "choice", rng.choice)
        put(time, "time", lambda: LIFE.get().clock())
        put(trio.to_thread, "run_sync", run_here)
        put(tls.TLSSession, "binding", binding)
        put(files, "os", SystemCalls())
        put(files, "fcntl", Locks())
        put(link, "os", Writing(net.write))
        put(relay_server, "os", Writing(net.write))
        put(tcp, "listen", net.listen)
        put(crossing, "POSSIBLE", False)
        put(peer, "Pool", InPlace)
        put(presence, "CLAIM_WHEN_AWAY", patience)
        yield
