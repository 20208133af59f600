"""Rotating keys: which one signs, which verify, and what happens while they come and go."""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from services.common.auth import token_keys
from services.common.auth.jwks import jwks_document, read_jwks
from services.common.auth.token_keys import (
    KEY_SET,
    LOOK_EVERY_MS,
    PRIVATE,
    PUBLIC,
    SETTLE_MS,
    FolderKey,
    KeyFolder,
    SigningKeyError,
    SingleKey,
    new_key,
    read_folder,
    retire_key,
)
from services.common.auth.tokens import Principal, TokenIssuer, TokenVerifier, load_or_create_signing_key
from services.common.clock import ManualClock
from services.common.errors import Unauthenticated

ANN = Principal("p1", "Ann")
DAY = 24 * 3600


@pytest.fixture
def clock() -> ManualClock:
    """A clock that stands still."""
    return ManualClock()


@pytest.fixture
def folder(tmp_path: Path, clock: ManualClock) -> Path:
    """A folder with one key, made long ago."""
    new_key(tmp_path / "keys", clock)
    clock.advance(SETTLE_MS)
    return tmp_path / "keys"


def only_public(folder: Path, to: Path) -> Path:
    """What a service gets that signs nothing."""
    to.mkdir(exist_ok=True)
    (to / KEY_SET).write_bytes((folder / KEY_SET).read_bytes())
    return to


def test_public_keys_are_enough_to_verify(folder: Path, tmp_path: Path, clock: ManualClock) -> None:
    """A service with the public key set only knows players, and cannot sign."""
    public = KeyFolder(only_public(folder, tmp_path / "public"), clock)
    token = TokenIssuer(KeyFolder(folder, clock), DAY, clock).issue(ANN).token
    assert TokenVerifier(public, clock).verify(token) == ANN
    with pytest.raises(SigningKeyError, match="holds no private key"):
        public.signing()


def test_a_new_key_signs_once_everybody_can_know_it(folder: Path, tmp_path: Path, clock: ManualClock) -> None:
    """Keys are taken over while running; tokens of the old key stay good, of both before and after."""
    keys = KeyFolder(folder, clock)
    issuer = TokenIssuer(keys, DAY, clock)
    service = tmp_path / "public"
    verifier = TokenVerifier(KeyFolder(only_public(folder, service), clock), clock)
    old_id, old_token = keys.signing().key_id, issuer.issue(ANN).token
    assert verifier.verify(old_token) == ANN
    new_id = new_key(folder, clock)
    clock.advance(LOOK_EVERY_MS)
    assert keys.signing().key_id == old_id
    only_public(folder, service)
    clock.advance(SETTLE_MS)
    assert keys.signing().key_id == new_id
    for token in (issuer.issue(ANN).token, old_token):
        assert verifier.verify(token) == ANN


def test_every_key_that_verifies_is_published(folder: Path, clock: ManualClock) -> None:
    """Somebody without the files can verify the tokens of the old key and, from the moment it is there, of the new one."""
    keys = KeyFolder(folder, clock)
    issuer = TokenIssuer(keys, DAY, clock)
    old_id = keys.signing().key_id
    assert dict(issuer.public_keys) == {old_id: issuer.public_key}
    new_id = new_key(folder, clock)
    clock.advance(LOOK_EVERY_MS)
    assert list(issuer.public_keys) == [old_id, new_id]
    clock.advance(SETTLE_MS)
    token = issuer.issue(ANN).token
    key = Ed25519PublicKey.from_public_bytes(issuer.public_keys[jwt.get_unverified_header(token)["kid"]])
    claims = jwt.decode(token, key, ["EdDSA"], {"verify_exp": False, "verify_iat": False})
    assert claims["sub"] == ANN.player_id


def test_a_key_that_comes_late_waits_as_long(folder: Path, clock: ManualClock, tmp_path: Path) -> None:
    """Made elsewhere long before it is put here, it still gives the others time to hear of it."""
    keys = KeyFolder(folder, clock)
    old_id = keys.signing().key_id
    new_id = new_key(tmp_path / "elsewhere", clock)
    clock.advance(10 * SETTLE_MS)
    for file in (tmp_path / "elsewhere").iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    assert keys.signing().key_id == old_id
    clock.advance(SETTLE_MS - 1)
    assert keys.signing().key_id == old_id
    clock.advance(1)
    assert keys.signing().key_id == new_id
    assert KeyFolder(folder, clock).signing().key_id == new_id


def test_a_token_of_a_key_just_come_is_known(folder: Path, tmp_path: Path, clock: ManualClock) -> None:
    """An unknown id is looked up again before it is rejected."""
    verifying = KeyFolder(folder, clock)
    clock.advance(LOOK_EVERY_MS // 2)
    new_id = new_key(folder, clock)
    key = SingleKey(Ed25519PrivateKey.generate())
    assert len(verifying.verifying(new_id)) == 1
    assert key.verifying(new_id) == ()


def test_a_retired_key_signs_no_more_and_verifies_until_it_goes(folder: Path, clock: ManualClock) -> None:
    """First its private half goes, then, entirely, its tokens too, even those seen before."""
    keys = KeyFolder(folder, clock)
    issuer, verifier = TokenIssuer(keys, DAY, clock), TokenVerifier(keys, clock)
    old_id, token = keys.signing().key_id, issuer.issue(ANN).token
    with pytest.raises(SigningKeyError, match="the only key that signs"):
        retire_key(folder, old_id, entirely=False)
    new_id = new_key(folder, clock)
    retire_key(folder, old_id, entirely=False)
    clock.advance(LOOK_EVERY_MS)
    assert keys.signing().key_id == new_id
    assert verifier.verify(token) == ANN
    retire_key(folder, old_id, entirely=True)
    clock.advance(LOOK_EVERY_MS)
    with pytest.raises(Unauthenticated, match="not one of this lobby"):
        verifier.verify(token)
    with pytest.raises(SigningKeyError, match="holds no key 2020"):
        retire_key(folder, "20200101T000000Z-00000000", entirely=True)


def test_tokens_from_before_there_were_ids_stay_good(
    folder: Path, tmp_path: Path, clock: ManualClock
) -> None:
    """The single key of before is adopted into the folder: it verifies its tokens and does not sign before others."""
    single = load_or_create_signing_key(tmp_path / "signing-key.pem")
    token = TokenIssuer(single, DAY, clock).issue(ANN).token
    assert TokenVerifier(SingleKey(single), clock).verify(token) == ANN
    keys = KeyFolder(folder, clock)
    signing = keys.signing().key_id
    with pytest.raises(Unauthenticated):
        TokenVerifier(keys, clock).verify(token)
    new_key(folder, clock, single)
    clock.advance(LOOK_EVERY_MS)
    assert TokenVerifier(keys, clock).verify(token) == ANN
    assert keys.signing().key_id == signing


def test_damage_while_running_changes_nothing(folder: Path, clock: ManualClock) -> None:
    """A file that holds no key, and an emptied folder, leave the known keys in use; at start both are named."""
    keys = KeyFolder(folder, clock)
    token = TokenIssuer(keys, DAY, clock).issue(ANN).token
    (folder / f"20990101T000000Z-00000000{PUBLIC}").write_text("soap")
    clock.advance(LOOK_EVERY_MS)
    assert TokenVerifier(keys, clock).verify(token) == ANN
    with pytest.raises(SigningKeyError, match=r"00000000\.public\.pem: holds no PEM public key"):
        KeyFolder(folder, clock)
    for file in folder.iterdir():
        file.unlink()
    clock.advance(LOOK_EVERY_MS)
    assert TokenVerifier(keys, clock).verify(token) == ANN
    with pytest.raises(SigningKeyError, match="holds no key"):
        KeyFolder(folder, clock)
    with pytest.raises(SigningKeyError, match="No such file"):
        KeyFolder(folder / "none", clock)


def test_keys_that_could_not_be_read_for_a_moment_are_read_again(
    folder: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though the folder has not changed since."""
    keys = KeyFolder(folder, clock)
    new_id = new_key(folder, clock)

    def unreadable(path: Path) -> dict[str, FolderKey]:
        raise SigningKeyError(f"key folder {path}: Input/output error")

    with monkeypatch.context() as broken:
        broken.setattr(token_keys, "read_folder", unreadable)
        clock.advance(LOOK_EVERY_MS)
        assert keys.verifying(new_id) == ()
    clock.advance(LOOK_EVERY_MS)
    assert len(keys.verifying(new_id)) == 1


def one_file(folder: Path, clock: ManualClock) -> None:
    """Make the key of one process."""
    load_or_create_signing_key(folder / "signing-key.pem")


def a_new_key(folder: Path, clock: ManualClock) -> None:
    """Make a key of many."""
    new_key(folder, clock)


def a_retired_key(folder: Path, clock: ManualClock) -> None:
    """Let the older of two keys, which is not in the key set, sign no more."""
    retire_key(folder, min(read_folder(folder)), entirely=False)


@pytest.mark.parametrize("make", [one_file, a_new_key, a_retired_key])
def test_a_full_disk_leaves_no_part_of_a_key(
    make: Callable[[Path, ManualClock], None],
    folder: Path,
    clock: ManualClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What could not be written whole is not there at all, and can be made as soon as there is room."""
    new_key(folder, clock)
    newer = max(read_folder(folder))
    (folder / KEY_SET).write_text(jwks_document({newer: read_folder(folder)[newer].public}))
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    known = set(read_folder(folder))

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", full)
        with pytest.raises(SigningKeyError, match="No space left on device"):
            make(folder, clock)
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before
    make(folder, clock)
    assert not list(folder.glob("*.part"))
    assert set(read_folder(folder)) >= known


def test_a_key_that_is_there_is_used_where_nothing_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key mounted for reading only needs no file beside it."""
    key = load_or_create_signing_key(tmp_path / "key.pem")

    def refused(*_: object) -> int:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(os, "open", refused)
    assert load_or_create_signing_key(tmp_path / "key.pem").public_key() == key.public_key()


def test_files_of_other_names_are_named(folder: Path, clock: ManualClock) -> None:
    """A key under a name that is no id does not silently stay out."""
    (folder / f"mine{PUBLIC}").write_text("soap")
    with pytest.raises(SigningKeyError, match="'mine' is no key id"):
        KeyFolder(folder, clock)


def test_private_keys_are_for_their_owner_only(folder: Path) -> None:
    """Nobody else may read a private file; the public half fits it."""
    (file,) = folder.glob(f"*{PRIVATE}")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (key,) = read_folder(folder).values()
    assert key.private is not None
    assert key.private.public_key() == key.public


def test_the_key_set_is_what_other_libraries_read(folder: Path, clock: ManualClock) -> None:
    """RFC 7517 and RFC 8037: PyJWT, which knows nothing of this project, finds the key of a token in it."""
    token = TokenIssuer(KeyFolder(folder, clock), DAY, clock).issue(ANN).token
    entries = json.loads((folder / KEY_SET).read_text())["keys"]
    assert [{**entry, "x": "", "kid": ""} for entry in entries] == [
        {"kty": "OKP", "crv": "Ed25519", "x": "", "kid": "", "use": "sig", "alg": "EdDSA"}
    ]
    keys = jwt.PyJWKSet.from_json((folder / KEY_SET).read_text())
    key = keys[jwt.get_unverified_header(token)["kid"]]
    claims = jwt.decode(token, key, algorithms=["EdDSA"], options={"verify_exp": False, "verify_iat": False})
    assert claims["name"] == "Ann"


def test_public_files_of_earlier_versions_verify_and_go_into_the_key_set(
    folder: Path, tmp_path: Path, clock: ManualClock
) -> None:
    """So that no token ends with the change of form."""
    old = Ed25519PrivateKey.generate()
    pem = old.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    old_id = "20250101T000000Z-0123abcd"
    (folder / f"{old_id}{PUBLIC}").write_bytes(pem)
    assert len(KeyFolder(folder, clock).verifying(old_id)) == 1
    new_key(folder, clock)
    assert old_id in read_jwks((folder / KEY_SET).read_text())
    retire_key(folder, old_id, entirely=True)
    assert old_id not in read_folder(folder)


def test_makers_of_keys_at_once_lose_none(folder: Path, clock: ManualClock) -> None:
    """The key set has all of them."""
    with ThreadPoolExecutor(8) as pool:
        made = set(pool.map(lambda _: new_key(folder, clock), range(16)))
    assert made < set(read_jwks((folder / KEY_SET).read_text()))


ENTRY = {"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        ("soap", "holds no JSON Web Key Set"),
        ("[]", "holds no JSON Web Key Set"),
        ('{"keys": 5}', "holds no JSON Web Key Set"),
        ('{"keys": []}', "holds no JSON Web Key Set"),
        (json.dumps({"keys": [ENTRY]}), "kid None is missing or stands twice"),
        (json.dumps({"keys": [{**ENTRY, "kid": "mine"}]}), "'mine' is no key id"),
        (
            json.dumps({"keys": [{**ENTRY, "kid": "a", "d": "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"}]}),
            "key 'a' is a private key",
        ),
        (json.dumps({"keys": [{**ENTRY, "kid": "a"}] * 2}), "kid 'a' is missing or stands twice"),
        ("\x00\xff", "holds no JSON Web Key Set"),
    ],
)
def test_what_is_no_set_of_public_keys_is_named(
    document: str, problem: str, tmp_path: Path, clock: ManualClock
) -> None:
    """File and fault; a private key has no place where everybody reads."""
    (tmp_path / KEY_SET).write_bytes(document.encode("latin-1"))
    with pytest.raises(SigningKeyError, match=problem) as caught:
        KeyFolder(tmp_path, clock)
    assert str(tmp_path / KEY_SET) in str(caught.value)


def test_keys_of_other_kinds_in_a_set_are_ignored() -> None:
    """As RFC 7517 asks."""
    other = {"kty": "oct", "k": "AAAA", "kid": "b"}
    unknown = {"kty": "future", "kid": "c"}
    assert list(read_jwks(json.dumps({"keys": [other, unknown, {**ENTRY, "kid": "a"}]}))) == ["a"]
