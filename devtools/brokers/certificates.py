"""Certificates made on the spot: an authority, a server on the loopback address and a client, good for one day."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

KEY_BITS = 2048
LIFETIME = timedelta(days=1)
CLOCK_TOLERANCE = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Identity:
    """PEM files of a certificate and its key, and of both together."""

    certificate: Path
    key: Path
    both: Path


@dataclass(frozen=True, slots=True)
class Certificates:
    """The authority's certificate and the two that it signed."""

    authority: Path
    server: Identity
    client: Identity


def make_certificates(folder: Path, server_lifetime: timedelta = LIFETIME) -> Certificates:
    """Make new ones in `folder`; keys are readable by their owner only. The server's has ended already if its lifetime
    is negative, less than an hour."""
    folder.mkdir(parents=True, exist_ok=True)
    key = generate_private_key(65_537, KEY_BITS)
    name = _name("test authority")
    authority = (
        _unsigned(name, name, key, LIFETIME)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_signs_only(), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = folder / "ca.pem"
    path.write_bytes(authority.public_bytes(Encoding.PEM))
    return Certificates(
        authority=path,
        server=_signed(folder, "server", name, key, server_lifetime),
        client=_signed(folder, "client", name, key, LIFETIME),
    )


def _signs_only() -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=False,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=True,
        crl_sign=True,
        encipher_only=False,
        decipher_only=False,
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _unsigned(
    subject: x509.Name, issuer: x509.Name, key: RSAPrivateKey, lifetime: timedelta
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - CLOCK_TOLERANCE)
        .not_valid_after(now + lifetime)
    )


def _signed(
    folder: Path, role: str, issuer: x509.Name, signer: RSAPrivateKey, lifetime: timedelta
) -> Identity:
    key = generate_private_key(65_537, KEY_BITS)
    places = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    uses = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
    certificate = (
        _unsigned(_name(role), issuer, key, lifetime)
        .add_extension(x509.SubjectAlternativeName(places), critical=False)
        .add_extension(x509.ExtendedKeyUsage(uses), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False
        )
        .sign(signer, hashes.SHA256())
    )
    shown = certificate.public_bytes(Encoding.PEM)
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    identity = Identity(folder / f"{role}.pem", folder / f"{role}.key", folder / f"{role}.both.pem")
    identity.certificate.write_bytes(shown)
    for path, content in ((identity.key, secret), (identity.both, secret + shown)):
        path.touch(mode=0o600)
        path.write_bytes(content)
    return identity
