"""TLS 1.3 with a certificate that only its hash vouches for (threat 25).

The host makes a key and a self-signed certificate for each invite; the invite carries the certificate's
SHA-256, and nothing else about it is looked at: no authority, name or date, so no wrong clock can break a
connection (threat 43).  The joiner has no certificate: once the host's is pinned, nobody can stand between
the two without its private key, and who the joiner is, its signature within the channel proves, over this
very certificate's hash and both nonces (handshake.py).  A second certificate would prove it twice.
"""

from __future__ import annotations

import hmac
import ssl
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from protocol.failures import Damaged, Part, WrongHost
from protocol.storage.files import explained


class Certificate:
    """A host's private key and certificate.  Prints nothing of the key (threat 38)."""

    def __init__(self, pem: bytes) -> None:
        """`pem`: PKCS #8 key, then the certificate.  Raises Damaged."""
        self.pem = pem
        try:
            self.hash = sha256(x509.load_pem_x509_certificate(pem).public_bytes(Encoding.DER)).digest()
        except ValueError as error:
            raise _unusable() from error

    def __repr__(self) -> str:
        return f"<certificate {self.hash.hex()[:16]}>"

    def context(self, folder: Path) -> ssl.SSLContext:
        """What the listening side speaks with.  Raises Damaged, or another StorageFailure.

        OpenSSL reads keys from files only: the key lies in `folder`, in one of 0700, while it does so.
        """
        context = _context(ssl.PROTOCOL_TLS_SERVER)
        # Tickets would only let a later connection skip what we want to see: every connection starts afresh.
        context.num_tickets = 0
        with explained(str(folder)), TemporaryDirectory(prefix="tls-", dir=folder) as private:
            path = Path(private) / "tls.pem"
            path.write_bytes(self.pem)
            try:
                context.load_cert_chain(path)
            except ssl.SSLError as error:
                raise _unusable() from error
        return context


def _unusable() -> Damaged:
    return Damaged("tls.pem", Part.CERTIFICATE)


def make() -> Certificate:
    """A new key (ECDSA P-256, which every TLS 1.3 speaks: RFC 8446, 9.1) and certificate.

    It names nobody and never expires (RFC 5280, 4.1.2.5: 9999-12-31), because only its hash counts.
    """
    key = ec.generate_private_key(ec.SECP256R1())
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


def joining_context() -> ssl.SSLContext:
    """What the calling side speaks with; it must then call `check_pin`."""
    context = _context(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # no authority: `check_pin` compares the certificate itself
    return context


def check_pin(certificate: bytes | None, expected: bytes) -> None:
    """Raise WrongHost unless `certificate` (DER, as the channel gives it) has the SHA-256 `expected`."""
    if certificate is None or not hmac.compare_digest(sha256(certificate).digest(), expected):
        raise WrongHost


def _context(side: int) -> ssl.SSLContext:
    context = ssl.SSLContext(side)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.maximum_version = ssl.TLSVersion.TLSv1_3
    return context
