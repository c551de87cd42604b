"""TLS 1.3 with a certificate that its hash alone authenticates (threat 25), without I/O.

The host makes a key and a self-signed certificate for each invite.  The invite carries the certificate's
SHA-256, and the joiner checks nothing else: authority, name and date do not matter, so a wrong clock cannot
break a connection (threat 43).  The joiner has no certificate.  After the joiner's check, only the holder of
the host's private key can stand between the two.  Both sign `TLSSession.binding` (handshake.py): the
certificate and this connection.

pyOpenSSL, not the standard library: it gives the exporter of RFC 9266, and takes a key that lies in no file.
"""

from __future__ import annotations

import hmac
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import NameOID
from OpenSSL import SSL, crypto

from protocol.failures import Damaged, Part, WrongHost

_KEY_BITS: Final = 256
_EXPORTER: Final = b"EXPORTER-Channel-Binding"
"""RFC 9266, section 4.2: with it both ends of one TLS 1.3 connection, and nobody else, derive 32 bytes."""


class BrokenTLS(Exception):
    """The other side speaks no TLS 1.3, or wrong TLS 1.3; the connection is of no more use."""


class Certificate:
    """A host's private key and certificate.  Its repr shows nothing of the key (threat 38)."""

    def __init__(self, pem: bytes) -> None:
        """`pem`: PKCS #8 key, then the certificate.  Raises Damaged."""
        self.pem = pem
        try:
            self.hash = _hash(x509.load_pem_x509_certificate(pem))
        except ValueError as error:
            raise _unusable() from error

    def __repr__(self) -> str:
        return f"<certificate {self.hash.hex()[:16]}>"

    def derived(self, label: bytes, place: bytes) -> bytes:
        """32 secret bytes for one use at one place, derived from the private key (HKDF, RFC 5869).

        Raises Damaged.
        """
        number = self._key().private_numbers().private_value.to_bytes(32, "big")
        return HKDF(algorithm=SHA256(), length=32, salt=None, info=label + b"\0" + place).derive(number)

    def _key(self) -> ec.EllipticCurvePrivateKey:
        try:
            key = load_pem_private_key(self.pem, password=None)
        except (ValueError, TypeError, UnsupportedAlgorithm) as error:
            raise _unusable() from error
        if not isinstance(key, ec.EllipticCurvePrivateKey) or key.key_size != _KEY_BITS:
            raise _unusable()
        return key

    def context(self) -> SSL.Context:
        """The context of the host's sessions.  Raises Damaged."""
        context, key = _context(), self._key()
        try:
            context.use_certificate(x509.load_pem_x509_certificate(self.pem))
            context.use_privatekey(key)
            context.check_privatekey()
        except (ValueError, TypeError, SSL.Error) as error:
            raise _unusable() from error
        return context


def _unusable() -> Damaged:
    return Damaged("tls.pem", Part.CERTIFICATE)


def make(key: ec.EllipticCurvePrivateKey | None = None) -> Certificate:
    """A new key (ECDSA P-256, which every TLS 1.3 speaks: RFC 8446, 9.1), or this `key`, and a certificate.

    It has no name and never expires (RFC 5280, 4.1.2.5: 9999-12-31), because only its hash counts.
    """
    key = key or ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "p2p-stratego")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(datetime(2000, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC))
        .sign(key, SHA256())
    )
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return Certificate(private + certificate.public_bytes(Encoding.PEM))


def joining_context() -> SSL.Context:
    """The context of the joiner's sessions.

    After the handshake the joiner must call `TLSSession.check_pin`, or compare something that covers the
    certificate, such as `TLSSession.binding`.
    """
    context = _context()
    context.set_verify(SSL.VERIFY_NONE)  # no authority: `check_pin` compares the certificate (threat 25)
    return context


def _context() -> SSL.Context:
    context = SSL.Context(SSL.TLS_METHOD)
    context.set_min_proto_version(SSL.TLS1_3_VERSION)
    context.set_max_proto_version(SSL.TLS1_3_VERSION)
    # Resumption is off: a resumed connection would skip the certificate.  OpenSSL sends tickets all the
    # same; it keeps no session for them.
    context.set_session_cache_mode(SSL.SESS_CACHE_OFF)
    context.set_options(SSL.OP_NO_TICKET)
    return context


def _hash(certificate: x509.Certificate) -> bytes:
    return sha256(certificate.public_bytes(Encoding.DER)).digest()


class TLSSession:
    """One end of one TLS connection: bytes of the network in and out, plain bytes out and in.

    Every method raises BrokenTLS once the connection is broken.
    """

    def __init__(self, context: SSL.Context, *, hosting: bool) -> None:
        self._connection = SSL.Connection(context, None)
        if hosting:
            self._connection.set_accept_state()
        else:
            self._connection.set_connect_state()

    def handshake(self) -> bool:
        """Continue the handshake as far as possible; return whether it is complete."""
        try:
            self._connection.do_handshake()
        except SSL.WantReadError:
            return False
        except SSL.Error as error:
            raise BrokenTLS from error
        return True

    def feed(self, data: bytes) -> None:
        """Take bytes from the network."""
        self._connection.bio_write(data)

    def outgoing(self) -> bytes:
        """Bytes for the network, or none."""
        try:
            return self._connection.bio_read(2**16)
        except SSL.WantReadError:
            return b""

    def read(self, most: int) -> bytes | None:
        """Up to `most` plain bytes of the records that have come; b"" after the other side's end of TLS, None
        if it needs more input.
        """
        data = bytearray()
        try:
            # Of several records at once: frames that come each in one are taken together (threat 106).
            while len(data) < most:
                data += self._connection.recv(most - len(data))
        except SSL.WantReadError:
            return bytes(data) or None
        except SSL.ZeroReturnError:
            return bytes(data)
        except SSL.Error as error:
            if not data:  # else the next call meets it again
                raise BrokenTLS from error
        return bytes(data)

    def write(self, data: bytes) -> None:
        """Encrypt all of `data`; see `outgoing`."""
        try:
            self._connection.sendall(data)
        except SSL.Error as error:
            raise BrokenTLS from error

    def certificate(self) -> bytes:
        """After the handshake: the SHA-256 (32 bytes) of the host's certificate.  Raises WrongHost."""
        # The bytes as they came: a certificate that cryptography cannot parse is WrongHost, and no crash.
        certificate = self._connection.get_peer_certificate()
        if certificate is None:
            raise WrongHost
        return sha256(crypto.dump_certificate(crypto.FILETYPE_ASN1, certificate)).digest()

    def check_pin(self, expected: bytes) -> None:
        """After the handshake: raise WrongHost unless the host's certificate has the SHA-256 `expected`."""
        if not hmac.compare_digest(self.certificate(), expected):
            raise WrongHost

    def binding(self, certificate: bytes) -> bytes:
        """After the handshake: the name of this connection and the host's `certificate` (its SHA-256).

        64 bytes, the same at both ends: the hash, and the tls-exporter of RFC 9266.
        """
        return certificate + self._connection.export_keying_material(_EXPORTER, 32)
