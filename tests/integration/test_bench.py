"""`signalbox bench cluster` against a running platform, as an operator runs it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from urllib.request import urlopen

import msgspec
import pytest
from prometheus_client.parser import text_string_to_metric_families

from services.bench.measured import Measured, read_measurements
from services.host.processes import ClusterHost
from tests.bench.replicas import platform_of
from tests.hosting import Host
from tests.integration.tables import person

QUICK = ("--games", "4", "--moves", "30", "--warm-seconds", "1", "--settle-seconds", "1", "--rate", "4")
LONGEST_SECONDS = 240.0
# Answered when the first second, which is not counted, is long over.
COUNTED = 25

# What the command does by itself, whatever host it talks to.
EMBEDDED_FIRST = pytest.mark.parametrize(
    "host", ["embedded", pytest.param("cluster", marks=pytest.mark.soak)], indirect=True
)


def arguments_of(host: Host) -> list[str]:
    """How the host is named on the command line."""
    metrics: dict[str, tuple[str, ...]] = {"rules": (host.addresses.metrics,)}
    if isinstance(host, ClusterHost):
        metrics = platform_of(host).metrics
    named = [f"--metrics={service}={','.join(addresses)}" for service, addresses in metrics.items()]
    return ["--lobby", host.addresses.lobby, "--rules", host.addresses.rules, *named]


def started(arguments: Sequence[str]) -> subprocess.Popen[bytes]:
    """The command as a process."""
    command = [sys.executable, "-m", "services.cli", "bench", "cluster", *arguments]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        # A shell has what it runs in the background ignore Ctrl-C, and tests pass that on.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def ran(arguments: Sequence[str]) -> tuple[int, str, str]:
    """Exit code, standard output and error of the command."""
    with started(arguments) as process:
        out, errors = process.communicate(timeout=LONGEST_SECONDS)
    return process.returncode, out.decode(), errors.decode()


def executed(host: Host) -> float:
    """Commands that the host's replicas of rules have answered."""
    pages = (
        urlopen(f"http://{address}/metrics").read().decode() for address in host.addresses.metrics.split(",")
    )
    families = (family for page in pages for family in text_string_to_metric_families(page))
    return sum(
        sample.value
        for family in families
        for sample in family.samples
        if sample.name == "signalbox_rpc_calls_total" and sample.labels["method"] == "Execute"
    )


@pytest.mark.integration
def test_a_platform_is_measured(host: Host, tmp_path: Path) -> None:
    """Every command is accepted, and what each replica took is known; the file is what the model reads."""
    output = tmp_path / "found.json"
    code, out, errors = ran(
        [*arguments_of(host), *QUICK, "--seconds", "3", "--output", str(output), "--json"]
    )
    assert code == 0, errors
    (found,) = read_measurements([output])
    assert msgspec.json.decode(out, type=list[Measured]) == [found]
    assert found.accepted == 12
    assert 0 < found.times.p50 <= found.times.p99 <= found.times.most
    assert not (found.refused or found.unanswered or found.not_begun)
    assert all(each.cpu > 0 and each.memory > 0 for each in found.replicas)
    if isinstance(host, ClusterHost):
        assert sum(each.decided for each in found.of("rules")) >= found.accepted
        assert all(sum(each.read.values()) > 0 for each in found.of("rules"))
        assert sum(size for each in found.of("rules") for size in each.written.values()) > 0


@pytest.mark.integration
@EMBEDDED_FIRST
def test_games_are_too_few(host: Host) -> None:
    """A play that would run out of moves does not begin: how many games it needs is said."""
    code, _, errors = ran([*arguments_of(host), *QUICK, "--seconds", "60"])
    assert code == 2
    assert "4 games of 30 commands are too few for 244 commands; take 10 games" in errors


@pytest.mark.integration
def test_players_with_tokens_play(host: Host, tmp_path: Path) -> None:
    """Where nobody may register, players who have tokens play; the tables are shown as tables."""
    players = [person(host.addresses, name) for name in ("Ann", "Bob", "Cem")]
    tokens = tmp_path / "tokens"
    tokens.write_text("\n".join(each.token for each in players))
    code, out, errors = ran([*arguments_of(host), *QUICK, "--seconds", "1", "--token-file", str(tokens)])
    assert code == 0, errors
    assert "what players feel" in out and "for a command of the platform and replica" in out


@pytest.mark.integration
@EMBEDDED_FIRST
def test_an_interrupt_shows_what_there_is(host: Host, tmp_path: Path) -> None:
    """Ctrl-C ends the play at once, and what was measured until then is shown; no process stays behind."""
    output = tmp_path / "found.json"
    arguments = [*arguments_of(host), *QUICK, "--moves", "200", "--seconds", "50", "--output", str(output)]
    before = executed(host)
    with started(arguments) as process:
        while executed(host) < before + COUNTED:
            assert process.poll() is None, process.communicate()
            time.sleep(0.1)
        began = time.monotonic()
        os.kill(process.pid, signal.SIGINT)
        out, errors = process.communicate(timeout=LONGEST_SECONDS)
    assert process.returncode == 130, errors.decode()
    assert time.monotonic() - began < 15
    (found,) = read_measurements([output])
    assert 0 < found.accepted < 150
    assert "what players feel" in out.decode()
