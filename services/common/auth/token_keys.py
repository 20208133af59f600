"""Keys that sign tokens and keys that verify them: one file for one process, a folder of rotating keys for many.

In the folder every key has an id: the time it was made and eight digits of chance. `<id>.private.pem` signs; `jwks.json`,
a JSON Web Key Set, has the public half of every key. A service that only verifies gets this one file. Earlier versions kept
public halves as `<id>.public.pem`, which are read too.
"""

from __future__ import annotations

import fcntl
import os
import re
import secrets
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from services.common.auth.jwks import JwksError, jwks_document, read_jwks
from services.common.clock import Clock
from services.common.errors import SignalboxError
from services.common.telemetry.logs import get_logger

PRIVATE = ".private.pem"
PUBLIC = ".public.pem"
KEY_SET = "jwks.json"
KEY_ID = re.compile(r"\d{8}T\d{6}Z-[0-9a-f]{8}")
TIME_FORMAT = "%Y%m%dT%H%M%SZ"
# A new key signs once everybody can have its public half: so long after it was made, and after it came to us.
SETTLE_MS = 120_000
LOOK_EVERY_MS = 1_000
LOOK_FOR_UNKNOWN_EVERY_MS = 100
# Name, number and time of every file.
Marks: TypeAlias = tuple[tuple[str, int, int], ...]


class SigningKeyError(SignalboxError):
    """The file of a key cannot be used; the message names it."""


class SigningKey(NamedTuple):
    """A private key and its id, empty where there is but one."""

    key_id: str
    key: Ed25519PrivateKey


class VerifyingKey(NamedTuple):
    """A public key and its id, empty where there is but one."""

    key_id: str
    key: Ed25519PublicKey


class TokenKeys(Protocol):
    """The keys of a process."""

    @property
    def generation(self) -> int:
        """Another one whenever a key came or went."""

    def signing(self) -> SigningKey:
        """The key to sign with. Raises `SigningKeyError` where there are public keys only."""

    def verifying(self, key_id: str) -> Sequence[Ed25519PublicKey]:
        """The keys that a token which names this id, or none, may be signed with."""

    def published(self) -> Sequence[VerifyingKey]:
        """All keys that verify now, the oldest first: for services without these files."""


class SingleKey:
    """The one key of a process; its tokens name no id."""

    generation = 0

    def __init__(self, key: Ed25519PrivateKey | Ed25519PublicKey) -> None:
        self._private = key if isinstance(key, Ed25519PrivateKey) else None
        self._public = key.public_key() if isinstance(key, Ed25519PrivateKey) else key

    def signing(self) -> SigningKey:
        """See `TokenKeys`."""
        if self._private is None:
            raise SigningKeyError("this process has no key to sign with")
        return SigningKey("", self._private)

    def verifying(self, key_id: str) -> Sequence[Ed25519PublicKey]:
        """See `TokenKeys`."""
        return () if key_id else (self._public,)

    def published(self) -> Sequence[VerifyingKey]:
        """See `TokenKeys`."""
        return (VerifyingKey("", self._public),)


class FolderKey(NamedTuple):
    """A key of a folder; `private` is None where it only verifies."""

    key_id: str
    public: Ed25519PublicKey
    private: Ed25519PrivateKey | None

    @property
    def made_ms(self) -> int:
        """When it was made, milliseconds since 1970 UTC."""
        made = datetime.strptime(self.key_id.partition("-")[0], TIME_FORMAT).replace(tzinfo=UTC)
        return int(made.timestamp() * 1000)


class KeyFolder:
    """The keys in a folder. Keys that come and go there are noticed within a second."""

    def __init__(self, path: Path, clock: Clock) -> None:
        """Raises `SigningKeyError` for a folder without keys and for a file in it that holds none."""
        self._path = path
        self._clock = clock
        self._lock = threading.Lock()
        self._log = get_logger("auth")
        self._seen = _marks(path)
        self._refused: Marks | None = None
        self._keys = read_folder(path)
        self._came_ms: dict[str, int] = {}
        self._looked_ms = clock.now_ms()
        self.generation = 0
        if not self._keys:
            raise SigningKeyError(f"key folder {path}: holds no key; `signalbox keys new` makes one")

    def signing(self) -> SigningKey:
        """See `TokenKeys`: the newest that everybody can have heard of, or the oldest if all are newer."""
        self._look(LOOK_EVERY_MS)
        private = [key for key in self._keys.values() if key.private is not None]
        now_ms = self._clock.now_ms()
        settled = [
            key for key in private if max(key.made_ms, self._came_ms.get(key.key_id, 0)) + SETTLE_MS <= now_ms
        ]
        chosen = settled[-1:] or private[:1]
        for key in chosen:
            if key.private is not None:
                return SigningKey(key.key_id, key.private)
        raise SigningKeyError(f"key folder {self._path}: holds no private key")

    def verifying(self, key_id: str) -> Sequence[Ed25519PublicKey]:
        """See `TokenKeys`. Tokens from before there were ids may be of any key."""
        self._look(LOOK_EVERY_MS)
        if not key_id:
            return tuple(key.public for key in self._keys.values())
        if key_id not in self._keys:
            self._look(LOOK_FOR_UNKNOWN_EVERY_MS)
        known = self._keys.get(key_id)
        return () if known is None else (known.public,)

    def published(self) -> Sequence[VerifyingKey]:
        """See `TokenKeys`."""
        self._look(LOOK_EVERY_MS)
        return tuple(VerifyingKey(key.key_id, key.public) for key in self._keys.values())

    def _look(self, every_ms: int) -> None:
        """Read the folder again if it changed, unless it was read just now."""
        with self._lock:
            now_ms = self._clock.now_ms()
            if 0 <= now_ms - self._looked_ms < every_ms:
                return
            self._looked_ms = now_ms
            marks = _marks(self._path)
            if marks != self._seen:
                self._take_over(marks, now_ms)

    def _take_over(self, marks: Marks, now_ms: int) -> None:
        """Read the keys. An unusable file is logged once and tried again at the next reload."""
        try:
            keys = read_folder(self._path)
            if not keys:
                raise SigningKeyError(f"key folder {self._path} is empty")
        except SigningKeyError as error:
            if marks != self._refused:
                self._log.error("keys are not taken over", reason=str(error))
            self._refused = marks
            return
        self._came_ms |= dict.fromkeys(keys.keys() - self._keys.keys(), now_ms)
        self._keys, self._seen, self._refused = keys, marks, None
        self.generation += 1
        self._log.info("keys were taken over", key_ids=list(keys))


def read_folder(path: Path) -> Mapping[str, FolderKey]:
    """All keys in `path` by id, the oldest first. Raises `SigningKeyError`."""
    private: dict[str, Ed25519PrivateKey] = {}
    public: dict[str, Ed25519PublicKey] = {}
    for file in _files(path):
        if file.name == KEY_SET:
            public |= _read_key_set(file)
        elif file.name.endswith(PRIVATE):
            key_id = _id_of(file, PRIVATE)
            private[key_id] = read_private_key(file)
        else:
            key_id = _id_of(file, PUBLIC)
            public[key_id] = _read_public_key(file)
    for key_id, key in private.items():
        public.setdefault(key_id, key.public_key())
    return {key_id: FolderKey(key_id, public[key_id], private.get(key_id)) for key_id in sorted(public)}


def new_key(path: Path, clock: Clock, key: Ed25519PrivateKey | None = None) -> str:
    """Put a new key, or this one made elsewhere, into the folder; its id. Raises `SigningKeyError`."""
    made_ms = clock.now_ms() if key is None else 0
    made = datetime.fromtimestamp(made_ms / 1000, UTC).strftime(TIME_FORMAT)
    key_id = f"{made}-{secrets.token_hex(4)}"
    key = key or Ed25519PrivateKey.generate()
    try:
        path.mkdir(parents=True, exist_ok=True)
        with _locked(path):
            # First what verifies: nothing is signed with a key that nobody can be given.
            _write_key_set(path, {**_public_keys(path), key_id: key.public_key()})
            write_private_key(path / f"{key_id}{PRIVATE}", key)
    except OSError as error:
        raise SigningKeyError(f"key folder {path}: {error.strerror}") from error
    return key_id


def retire_key(path: Path, key_id: str, entirely: bool) -> None:
    """Let a key sign no more; `entirely`: nor verify, which ends its tokens. Raises `SigningKeyError`."""
    try:
        with _locked(path):
            _retire(path, key_id, entirely)
    except OSError as error:
        raise SigningKeyError(f"key folder {path}: {error.strerror}") from error


def _retire(path: Path, key_id: str, entirely: bool) -> None:
    keys = read_folder(path)
    if key_id not in keys:
        raise SigningKeyError(f"key folder {path}: holds no key {key_id}")
    others = [key for key in keys.values() if key.private is not None and key.key_id != key_id]
    if keys[key_id].private is not None and not others:
        raise SigningKeyError(f"key folder {path}: {key_id} is the only key that signs; make a new one first")
    public = _public_keys(path)
    if entirely:
        del public[key_id]
        (path / f"{key_id}{PUBLIC}").unlink(missing_ok=True)
    _write_key_set(path, public)
    (path / f"{key_id}{PRIVATE}").unlink(missing_ok=True)


def write_private_key(path: Path, key: Ed25519PrivateKey) -> None:
    """A new file that its owner only can read, there whole or not at all. Raises `OSError`, `FileExistsError` if there is
    one."""
    with _part_of(path, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()), 0o600) as part:
        os.link(part, path)


def _public_keys(path: Path) -> dict[str, Ed25519PublicKey]:
    return {key_id: key.public for key_id, key in read_folder(path).items()}


def _write_key_set(path: Path, keys: Mapping[str, Ed25519PublicKey]) -> None:
    """The document, there whole or not at all. Raises `OSError`."""
    document = path / KEY_SET
    with _part_of(document, jwks_document(dict(sorted(keys.items()))).encode(), 0o666) as part:
        part.replace(document)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """While it lasts nobody else changes the folder. Raises `OSError`."""
    folder = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


@contextmanager
def _part_of(path: Path, content: bytes, mode: int) -> Iterator[Path]:
    """A file beside `path` with all of its content on disk, gone at the end."""
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        yield part
    finally:
        part.unlink(missing_ok=True)


def read_private_key(path: Path) -> Ed25519PrivateKey:
    """The key in a PEM file. Raises `SigningKeyError`."""
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except OSError as error:
        raise SigningKeyError(f"signing key {path}: {error.strerror}") from error
    except (ValueError, TypeError) as error:
        raise SigningKeyError(f"signing key {path}: holds no PEM private key") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise SigningKeyError(f"signing key {path}: is not an Ed25519 key")
    return key


def _read_public_key(path: Path) -> Ed25519PublicKey:
    try:
        key = load_pem_public_key(path.read_bytes())
    except OSError as error:
        raise SigningKeyError(f"public key {path}: {error.strerror}") from error
    except (ValueError, TypeError) as error:
        raise SigningKeyError(f"public key {path}: holds no PEM public key") from error
    if not isinstance(key, Ed25519PublicKey):
        raise SigningKeyError(f"public key {path}: is not an Ed25519 key")
    return key


def _read_key_set(path: Path) -> dict[str, Ed25519PublicKey]:
    try:
        keys = read_jwks(path.read_bytes())
    except OSError as error:
        raise SigningKeyError(f"public keys {path}: {error.strerror}") from error
    except JwksError as error:
        raise SigningKeyError(f"public keys {path}: {error}") from error
    for key_id in keys:
        _check_id(key_id, path)
    return keys


def _files(path: Path) -> list[Path]:
    try:
        return sorted(file for file in path.iterdir() if file.name.endswith((PRIVATE, PUBLIC, KEY_SET)))
    except OSError as error:
        raise SigningKeyError(f"key folder {path}: {error.strerror}") from error


def _id_of(file: Path, ending: str) -> str:
    key_id = file.name.removesuffix(ending)
    _check_id(key_id, file)
    return key_id


def _check_id(key_id: str, file: Path) -> None:
    if KEY_ID.fullmatch(key_id) is None:
        raise SigningKeyError(f"key file {file}: {key_id!r} is no key id such as 20261121T120000Z-0123abcd")


def _marks(path: Path) -> Marks:
    """Changes when a file comes, goes or is replaced."""
    marks = []
    try:
        for file in _files(path):
            status = file.stat()
            marks.append((file.name, status.st_ino, status.st_mtime_ns))
    except (SigningKeyError, OSError):
        return ()
    return tuple(marks)
