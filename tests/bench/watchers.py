"""Many browsers that watch one game of 1824: from the answer to a move until each has what it replaces on its page, the streams
that rules has for them, and the memory and the processor time of the web process for each.

`python -m tests.bench watchers`; the web process is one of its own, every viewer has an account, an address and a
connection of its own."""

from __future__ import annotations

import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.request import urlopen

from msgspec.structs import replace

from services.bots.bot import Bot
from services.bots.sensible import SensibleBot
from services.client.calls import Rejected
from services.client.games import Games
from services.common.auth.tokens import Principal, TokenIssuer, load_or_create_signing_key
from services.common.clock import SystemClock
from services.common.grpc.rate_settings import RateSettings
from services.common.telemetry.logs import configure_logging
from services.host.embedded import EmbeddedHost
from services.rules.kernel.commands import Command
from tests.hosting import Seated, seat, settings_in

VIEWERS = 500
MOVES_BEFORE = 100
MOVES = 20
WAIT_SECONDS = 60.0
# Until routing has compiled its loops.
ROUTING_SECONDS = 600.0
LOCAL = ("127.0.0.0/8",)
KILO = 1_024
ACTIVE = re.compile(r'signalbox_rpc_active\{method="WatchMoves"[^}]*\} (\S+)')
PAGE = re.compile(r'data-sequence="(\d+)".*?data-checksum="([^"]*)"')


@dataclass(slots=True)
class Viewer:
    """One browser: how far it is, and the bytes that it got."""

    cookie: str
    address: str
    sequence: int = 0
    arrived: float = 0.0
    received: int = 0
    news: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def headers(self) -> str:
        """Of each of its requests."""
        return (
            f"Host: web\r\nCookie: signalbox_session={self.cookie}\r\nX-Forwarded-For: {self.address}\r\n\r\n"
        )

    async def watch(self, host: str, port: int, path: str) -> None:
        """Read the stream until it is cancelled."""
        reader, writer = await asyncio.open_connection(host, port, limit=KILO * KILO * 4)
        try:
            writer.write(f"GET {path} HTTP/1.1\r\n{self.headers}".encode())
            status = await reader.readline()
            if b" 200 " not in status:
                refused = await reader.read(KILO)
                raise RuntimeError(f"{self.address}: {status!r} {refused!r}")
            self.news.set()
            while line := await reader.readline():
                self.received += len(line)
                if line.startswith(b'data: {"known"'):
                    self.sequence = json.loads(line[6:])["sequence"]
                    self.arrived = time.perf_counter()
                    self.news.set()
        finally:
            writer.close()


def main() -> int:
    """Measure and print the table."""
    configure_logging("error")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings = replace(settings_in(folder), rate=RateSettings(trusted_proxies=LOCAL), worker_threads=12)
        host = EmbeddedHost(settings)
        host.start()
        try:
            seated = seat(host, "1824", 3)
            with _web(host) as (address, process):
                viewers = _viewers(settings.signing_key, VIEWERS)
                return asyncio.run(_measure(host, seated, address, process, viewers))
        finally:
            host.stop()


def _viewers(signing_key: Path, count: int) -> Sequence[Viewer]:
    issuer = TokenIssuer(load_or_create_signing_key(signing_key), 3_600, SystemClock())
    players = [Principal(f"pviewer{number}", f"Viewer {number}") for number in range(count)]
    return [
        Viewer(issuer.issue(each).token, f"10.0.{number // 250}.{number % 250 + 1}")
        for number, each in enumerate(players)
    ]


@contextmanager
def _web(host: EmbeddedHost) -> Iterator[tuple[str, int]]:
    """A web process: its address, and its process id."""
    services = {
        f"SIGNALBOX_{name.upper()}_ADDRESSES": getattr(host.addresses, name)
        for name in ("lobby", "rules", "ledger")
    }
    own = {
        "SIGNALBOX_WEB_PORT": "0",
        "SIGNALBOX_METRICS_PORT": "0",
        "SIGNALBOX_LOG_LEVEL": "error",
        "SIGNALBOX_RATE_TRUSTED_PROXIES": ",".join(LOCAL),
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "services.cli", "serve", "web"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **services, **own},
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().split()[-1], process.pid
    finally:
        process.terminate()
        process.wait()


async def _measure(
    host: EmbeddedHost, seated: Seated, address: str, process: int, viewers: Sequence[Viewer]
) -> int:
    web_host, _, port = address.removeprefix("http://").partition(":")
    path = f"/games/{seated.game_id}"
    games = [seated.games(host, number) for number in range(len(seated.seats))]
    bots = [SensibleBot(number) for number in range(len(games))]
    for _ in range(MOVES_BEFORE):
        await asyncio.to_thread(_move, games, bots, seated.game_id)
    sequence, checksum = await _page(web_host, int(port), path, viewers[0])
    before, cpu_before = _resident(process), _cpu_seconds(process)
    live = f"{path}/live?after={sequence}&checksum={checksum}"
    began = time.perf_counter()
    watching = [asyncio.create_task(each.watch(web_host, int(port), live)) for each in viewers]
    await asyncio.wait_for(asyncio.gather(*(each.news.wait() for each in viewers)), WAIT_SECONDS)
    joined = time.perf_counter() - began
    cpu_joined = _cpu_seconds(process)
    idle, streams = _resident(process), await asyncio.to_thread(_streams, host)
    spread: list[float] = []
    for _ in range(MOVES):
        for each in viewers:
            each.news.clear()
        wanted = await asyncio.to_thread(_move, games, bots, seated.game_id)
        done = time.perf_counter()
        await asyncio.wait_for(asyncio.gather(*(_reached(each, wanted) for each in viewers)), WAIT_SECONDS)
        spread += [max(0.0, each.arrived - done) for each in viewers]
    busy, cpu_moved = _resident(process), _cpu_seconds(process)
    received = sum(each.received for each in viewers) / len(viewers) / MOVES / KILO
    for task in watching:
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
    freed = await asyncio.to_thread(_freed, host)
    steps = statistics.quantiles(spread, n=100)
    print(f"  {len(viewers)} viewers, {MOVES} moves; joined within {joined:.1f} s")
    cpu_ms = [1000 * each for each in (cpu_joined - cpu_before, cpu_moved - cpu_joined)]
    print(
        f"  processor time of the web process: {cpu_ms[0] / len(viewers):.1f} ms for each who joins, "
        f"{cpu_ms[1] / MOVES / len(viewers):.2f} ms for each viewer and move; load {os.getloadavg()[0]:.1f}"
    )
    print(f"  streams of rules {streams}, after they left {freed}")
    print(
        f"  from the answer to a move: p50 {steps[49]:.3f} s, p95 {steps[94]:.3f} s, most {max(spread):.3f} s"
    )
    print(f"  {received:.1f} kB for each viewer and move")
    waiting, at_end = ((each - before) / len(viewers) for each in (idle, busy))
    print(f"  memory for each viewer {waiting:.1f} kB waiting, {at_end:.1f} kB at the end")
    return 0 if streams <= 2 and freed == 0 and steps[94] < 1 else 1


async def _reached(viewer: Viewer, sequence: int) -> None:
    while viewer.sequence < sequence:
        viewer.news.clear()
        await viewer.news.wait()


async def _page(host: str, port: int, path: str, viewer: Viewer) -> tuple[int, str]:
    reader, writer = await asyncio.open_connection(host, port, limit=KILO * KILO * 4)
    writer.write(f"GET {path} HTTP/1.0\r\n{viewer.headers}".encode())
    found = PAGE.search((await reader.read()).decode())
    writer.close()
    assert found is not None, "the page names its sequence and checksum"
    return int(found[1]), found[2]


def _move(games: Sequence[Games], bots: Sequence[Bot], game_id: str) -> int:
    """Make the move of who may act; the sequence after it."""
    for each, bot in zip(games, bots, strict=True):
        offer = each.choices(game_id)
        if offer.choices:
            return _made(each, game_id, offer.sequence, bot.choose(offer.choices))
    raise RuntimeError("nobody can move")


def _made(games: Games, game_id: str, sequence: int, command: Command) -> int:
    """The sequence after a command; routing may not be ready yet."""
    end = time.monotonic() + ROUTING_SECONDS
    while True:
        try:
            return int(games.execute(game_id, sequence, command).last_sequence)
        except Rejected as rejected:
            if not rejected.retryable or time.monotonic() > end:
                raise
            time.sleep(1.0)


def _resident(process: int) -> int:
    """Kilobytes of memory of a process."""
    status = Path(f"/proc/{process}/status").read_text("ascii")
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")))


def _cpu_seconds(process: int) -> float:
    """Processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _streams(host: EmbeddedHost) -> int:
    with urlopen(f"http://{host.addresses.metrics}/metrics", timeout=WAIT_SECONDS) as metrics:
        found = ACTIVE.search(metrics.read().decode())
    return int(float(found[1])) if found else 0


def _freed(host: EmbeddedHost) -> int:
    """The streams that are left when all have gone."""
    end = time.monotonic() + WAIT_SECONDS
    while (left := _streams(host)) and time.monotonic() < end:
        time.sleep(0.05)
    return left
