"""The record layer of one end of TLS 1.3 (RFC 8446, 5 and 7), for records that no library would send."""

from __future__ import annotations

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand
from OpenSSL import SSL

from protocol.channel import tls

HANDSHAKE, DATA = 22, 23
KEY_UPDATE, NEW_TICKET = 24, 4


class Records:
    """Seals records as one end of a connection does after its handshake; `number`: how many it has sealed."""

    def __init__(self, secret: bytes, number: int = 0) -> None:
        self._secret = secret
        self._number = number
        self._key()

    def seal(self, kind: int, content: bytes) -> bytes:
        """One record."""
        inner = content + bytes((kind,))
        head = b"\x17\x03\x03" + (len(inner) + 16).to_bytes(2, "big")
        nonce = (int.from_bytes(self._iv, "big") ^ self._number).to_bytes(12, "big")
        self._number += 1
        return head + self._aead.encrypt(nonce, inner, head)

    def key_update(self, *, wanted: bool) -> bytes:
        """A KeyUpdate, after which all is sealed with new keys; `wanted`: the other end is to do the same."""
        sealed = self.seal(HANDSHAKE, bytes((KEY_UPDATE, 0, 0, 1, wanted)))
        self._secret, self._number = self._expanded(b"traffic upd", 48), 0
        self._key()
        return sealed

    def tickets(self, count: int) -> bytes:
        """One record with so many of the shortest NewSessionTickets."""
        body = (7200).to_bytes(4, "big") + bytes(4) + b"\x00" + b"\x00\x01x" + b"\x00\x00"
        return self.seal(HANDSHAKE, (bytes((NEW_TICKET,)) + len(body).to_bytes(3, "big") + body) * count)

    def _key(self) -> None:
        self._aead, self._iv = AESGCM(self._expanded(b"key", 32)), self._expanded(b"iv", 12)

    def _expanded(self, label: bytes, length: int) -> bytes:
        """HKDF-Expand-Label without a context (7.1)."""
        info = length.to_bytes(2, "big") + bytes((6 + len(label),)) + b"tls13 " + label + b"\0"
        return HKDFExpand(algorithm=hashes.SHA384(), length=length, info=info).derive(self._secret)


def connected(*, hosting: bool) -> tuple[tls.TLSSession, Records]:
    """An end of ours after the handshake, and what the other end seals its records with; `hosting`: ours is
    the host's.
    """
    secrets: dict[bytes, bytes] = {}

    def log(_: SSL.Connection, line: bytes) -> None:
        name, _random, secret = line.split()
        secrets[name] = bytes.fromhex(secret.decode())

    certificate = tls.make()
    contexts = certificate.context(), tls.joining_context()
    contexts[hosting].set_keylog_callback(log)  # the other end's: ours does no work for it
    host, joiner = tls.TLSSession(contexts[0], hosting=True), tls.TLSSession(contexts[1], hosting=False)
    sent, done = b"", False
    while not done:
        joiner.handshake()
        host.feed(joiner.outgoing())
        done = host.handshake()
        sent = host.outgoing()
        joiner.feed(sent)
    if hosting:
        return host, Records(secrets[b"CLIENT_TRAFFIC_SECRET_0"])
    return joiner, Records(secrets[b"SERVER_TRAFFIC_SECRET_0"], _records(sent))


def _records(sent: bytes) -> int:
    """How many records stand in `sent`."""
    count, at = 0, 0
    while at < len(sent):
        at += 5 + int.from_bytes(sent[at + 3 : at + 5], "big")
        count += 1
    return count
