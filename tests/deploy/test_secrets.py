"""The script that makes secrets makes all that the overlays mount and nobody else makes, and they are good."""

from __future__ import annotations

import base64
import hashlib
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from services.common.auth.token_keys import KeyFolder
from services.common.auth.tokens import TokenVerifier
from services.common.clock import SystemClock
from tests.deploy.rendered import Rendered

Secrets = Mapping[str, Mapping[str, bytes]]


@pytest.fixture(scope="module")
def secrets(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Secrets:
    """What the script makes, by name and entry."""
    program = tmp_path_factory.mktemp("bin") / "signalbox"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m services.cli "$@"\n')
    program.chmod(0o755)
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(repository), "SIGNALBOX": str(program)}
    script = str(repository / "deploy" / "k8s" / "secrets.sh")
    done = subprocess.run(["bash", script], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {
        each["metadata"]["name"]: {name: base64.b64decode(text) for name, text in each["data"].items()}
        for each in yaml.safe_load_all(done.stdout)
    }


def in_folder(folder: Path, entries: Mapping[str, bytes]) -> Path:
    """The entries of a secret as files, as a pod sees them."""
    for name, content in entries.items():
        (folder / name).write_bytes(content)
    return folder


def test_every_mounted_secret_is_made(overlay: Rendered, secrets: Secrets) -> None:
    """What is mounted is made by the script, or by an operator that the overlay tells about it."""
    by_operators = {each["spec"]["secretName"] for each in overlay.of_kind("Certificate")}
    by_operators |= {each["metadata"]["name"] for each in overlay.of_kind("KafkaUser")}
    by_operators |= {f"{each['metadata']['name']}-cluster-ca-cert" for each in overlay.of_kind("Kafka")}
    for workload in overlay.workloads():
        for volume in workload.pod.get("volumes", []):
            mounted = volume.get("secret")
            if mounted is None or mounted["secretName"] in by_operators:
                continue
            made = secrets[mounted["secretName"]]
            assert {item["key"] for item in mounted.get("items", [])} <= set(made), workload.name


def test_only_the_lobby_can_sign(overlay: Rendered, secrets: Secrets) -> None:
    """The keys that sign are in one secret, and the lobby alone mounts it."""
    signing = {
        name for name, entries in secrets.items() if any(key.endswith(".private.pem") for key in entries)
    }
    assert signing == {"token-keys"}
    mounting = {
        workload.name
        for workload in overlay.workloads()
        for volume in workload.pod.get("volumes", [])
        if volume.get("secret", {}).get("secretName") in signing
    }
    assert mounting == {"lobby"}


@pytest.mark.parametrize("service", ["ledger", "rules"])
def test_services_that_call_rules_are_believed(service: str, secrets: Secrets, tmp_path: Path) -> None:
    """The token is a service's, and a service with only the public keys accepts it."""
    clock = SystemClock()
    verifier = TokenVerifier(KeyFolder(in_folder(tmp_path, secrets["token-keys-public"]), clock), clock)
    principal = verifier.verify(secrets[f"{service}-token"]["token"].decode().strip())
    assert (principal.kind, principal.name) == ("service", service)


def test_redis_takes_the_password(secrets: Secrets) -> None:
    """The list of users holds the hash of the password that the services bring, and not the password."""
    password, users = secrets["redis"]["password"], secrets["redis"]["users.acl"].decode()
    assert f"#{hashlib.sha256(password).hexdigest()} " in users
    assert password.decode() not in users
    assert len(password) >= 32 and password != secrets["grafana"]["password"]
