"""Settings from the environment: every variable is SIGNALBOX_ and the field's name in capitals."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from services.common.grpc.limit_settings import LimitSettings, load_limit_settings
from services.common.grpc.rate_settings import RateSettings, load_rate_settings
from services.common.grpc.tls import TlsSettings, load_tls_settings
from services.common.settings.accounts import (
    QuotaSettings,
    SignInSettings,
    load_quota_settings,
    load_sign_in_settings,
)
from services.common.settings.variables import PREFIX, SettingsError, addresses, seconds, switch, whole_number
from services.common.settings.web import WebSettings, load_web_settings

__all__ = [
    "PREFIX",
    "Settings",
    "SettingsError",
    "addresses",
    "load_settings",
    "seconds",
    "switch",
    "whole_number",
]

LobbySummaries = Literal["all", "followed"]
LOBBY_SUMMARIES: tuple[LobbySummaries, ...] = get_args(LobbySummaries)
LOG_LEVELS = ("debug", "info", "warning", "error")


def _core_count() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator can choose. Ports may be 0: the system then picks a free one."""

    database: Path = Path("signalbox.db")
    """File of the event log; processes of the cluster host keep copies and books, under their own names, in its folder."""
    signing_key: Path = Path("signalbox-signing-key.pem")
    """File of the Ed25519 key that signs tokens; made when missing."""
    token_keys: Path | None = None
    """Folder of rotating keys for tokens, in the place of `signing_key`; see `signalbox keys`."""
    import_keys: Path | None = None
    """JSON Web Key Set with public keys of other platforms, whose exports the lobby imports beside those of this one."""
    service_token_file: Path | None = None
    """Token with which this process calls other services; those that hold a signing key make their own."""
    host: str = "127.0.0.1"
    """Address on which the services listen."""
    allow_insecure: bool = False
    """on: listen on addresses other than loopback without TLS, or without asking who calls; else such a start is refused."""
    lobby_port: int = 8401
    rules_port: int = 8402
    routing_port: int = 8403
    ledger_port: int = 8404
    metrics_port: int = 8409
    """Port of the Prometheus metrics."""
    health_port: int | None = None
    """Port of a service's health alone, without encryption, for probes that cannot speak TLS; none unless set."""
    routing_workers: int = msgspec.field(default_factory=_core_count)
    """Processes that solve route problems, one per core by default; 0 solves in threads of the serving process."""
    routing_queue: int = 128
    """Route questions that wait for a worker at the same time, all callers together."""
    routing_caller_queue: int = 64
    """Those of one caller among them."""
    routing_wait_seconds: float = 0.3
    """How long a route question may be expected to wait for a worker; where it would be longer it is rejected."""
    routing_search_seconds: float = 10.0
    """Longest search for one route question of a player on the embedded host; it ends with the best runs found so far."""
    routing_cache_entries: int = 10_000
    """Proven answers that the routing service remembers; 0 for none."""
    routing_addresses: tuple[str, ...] = ()
    """Routing servers elsewhere, host:port separated by commas; the host then runs none of its own."""
    rules_addresses: tuple[str, ...] = ()
    """Rules servers, for the ledger of the cluster host, for directing games through its lobby, and for the web process."""
    lobby_addresses: tuple[str, ...] = ()
    """Lobby servers, for the web process."""
    ledger_addresses: tuple[str, ...] = ()
    """Ledger servers, for the web process."""
    log_level: str = "info"
    """One of `LOG_LEVELS`."""
    games_in_memory: int = 1000
    """Games whose state a replica of rules in a cluster keeps in memory, those of longest ago given up first: as many to
    read, and as many to carry commands out."""
    lobby_summaries: LobbySummaries = "all"
    """Which summaries of games a replica of the lobby on the cluster host keeps: of all games, or of those that it follows. Then
    lists are in Redis alone, which is needed, and what a replica costs falls with their number."""
    rules_copies: int = 0
    """How many replicas of rules in a cluster keep a copy of each partition of the log: its owner, and one less than this that
    stand by. 0: every replica keeps all of it."""
    rules_peer_address: str = ""
    """host:port at which the other replicas of rules reach this one; needed with `rules_copies`."""
    rules_direct_after_seconds: float = 300.0
    """How long after it took a partition over a replica of rules in a cluster carries out commands that reach it without sending
    them to rules.commands first. Soon after a takeover all go by Kafka, where those that kill their owner are noted."""
    archive: str = ""
    """Where finished games go after a time, folder:PATH, s3:BUCKET or s3:BUCKET/PREFIX, of this platform alone; they can be
    read as before. None unless set. Once games are there the setting has to stay."""
    archive_after_days: int = 90
    """How many days after its last event a finished game goes to the archive; 0: at the next look."""
    archive_every_seconds: float = 600.0
    """How often games that are due are looked for, and what other processes put into the archive or operators deleted."""
    partition_snapshots: str = ""
    """Where replicas of rules in a cluster put snapshots of whole partitions, with which an empty disk begins: folder:PATH,
    s3:BUCKET or s3:BUCKET/PREFIX, of this platform alone. None unless set."""
    partition_snapshot_records: int = 50_000
    """After how many records of a partition the next snapshot of it is written."""
    partition_snapshot_hours: int = 24
    """After how many hours it is written for fewer records, if there are any."""
    worker_threads: int = 64
    """Calls a server works on at the same time; watch streams need none."""
    message_bytes_max: int = 4 * 1024 * 1024
    """Largest message taken or sent, in bytes."""
    default_deadline_seconds: float = 10.0
    """Time given to a call that brings no deadline of its own."""
    default_stream_seconds: float = 3600.0
    """Time given to a stream that brings no deadline of its own."""
    connection_age_seconds: float = 60.0
    """After about this time a server ends a connection, once its calls and streams are over: clients that know a service
    by name ask for its addresses again only then, and so find new replicas."""
    stop_grace_seconds: float = 5.0
    """Time that calls get to end when a server stops."""
    operators: tuple[str, ...] = ()
    """Player ids, separated by commas, of those who may import games, release held ones and have books made again."""
    token_lifetime_seconds: int = 7 * 24 * 3600
    """How long a token is good after signing in."""
    tls: TlsSettings = TlsSettings()
    """Encryption of the gRPC connections: variables SIGNALBOX_TLS_*."""
    rate: RateSettings = RateSettings()
    """Rate limits of calls: variables SIGNALBOX_RATE_*."""
    sign_in: SignInSettings = SignInSettings()
    """Limits of registering and signing in: variables SIGNALBOX_SIGN_IN_*."""
    quota: QuotaSettings = QuotaSettings()
    """What one player may keep in the lobby: variables SIGNALBOX_QUOTA_*."""
    limit: LimitSettings = LimitSettings()
    """What one caller may use of a server at the same time: variables SIGNALBOX_LIMIT_*."""
    web: WebSettings = WebSettings()
    """The web process: variables SIGNALBOX_WEB_*."""


WHOLE_NUMBER_RANGES: dict[str, tuple[int, int]] = {
    "lobby_port": (0, 65_535),
    "rules_port": (0, 65_535),
    "routing_port": (0, 65_535),
    "ledger_port": (0, 65_535),
    "metrics_port": (0, 65_535),
    "health_port": (0, 65_535),
    "routing_workers": (0, 1_000),
    "routing_queue": (1, 10_000),
    "routing_caller_queue": (1, 10_000),
    "routing_cache_entries": (0, 10_000_000),
    "games_in_memory": (1, 1_000_000),
    "rules_copies": (0, 100),
    "archive_after_days": (0, 36_500),
    "partition_snapshot_records": (1, 1_000_000_000),
    "partition_snapshot_hours": (1, 10_000),
    "worker_threads": (1, 1_000),
    "message_bytes_max": (1_024, 256 * 1024 * 1024),
    "token_lifetime_seconds": (1, 10 * 365 * 24 * 3600),
}
SECONDS_RANGES: dict[str, tuple[float, float]] = {
    "routing_wait_seconds": (0.001, 3_600.0),
    "routing_search_seconds": (0.001, 3_600.0),
    "default_deadline_seconds": (0.001, 3_600.0),
    "default_stream_seconds": (0.001, 7 * 24 * 3600.0),
    "connection_age_seconds": (0.1, 24 * 3600.0),
    "stop_grace_seconds": (0.0, 3_600.0),
    "archive_every_seconds": (0.1, 24 * 3600.0),
    "rules_direct_after_seconds": (0.0, 365 * 24 * 3600.0),
}


def load_settings(environment: Mapping[str, str]) -> Settings:
    """Settings from `environment` (usually `os.environ`); what it does not name keeps its default.

    Raises `SettingsError` for a value that is malformed or out of range.
    """
    chosen: dict[str, Any] = {
        "tls": load_tls_settings(environment),
        "rate": load_rate_settings(environment),
        "sign_in": load_sign_in_settings(environment),
        "quota": load_quota_settings(environment),
        "limit": load_limit_settings(environment),
        "web": load_web_settings(environment),
    }
    for name in Settings.__struct_fields__:
        variable = PREFIX + name.upper()
        if variable in environment:
            chosen[name] = _value_of(name, variable, environment[variable])
    return Settings(**chosen)


def _value_of(name: str, variable: str, text: str) -> object:
    if name in WHOLE_NUMBER_RANGES:
        return whole_number(variable, text, *WHOLE_NUMBER_RANGES[name])
    if name in SECONDS_RANGES:
        return seconds(variable, text, *SECONDS_RANGES[name])
    if not text:
        raise SettingsError(f"{variable}: is empty")
    if name == "allow_insecure":
        return switch(variable, text)
    if name in ("database", "signing_key", "token_keys", "import_keys", "service_token_file"):
        return Path(text)
    if name in ("routing_addresses", "rules_addresses", "lobby_addresses", "ledger_addresses"):
        return addresses(variable, text)
    if name == "rules_peer_address":
        (address,) = addresses(variable, text)[:1]
        return address
    if name == "operators":
        return tuple(each.strip() for each in text.split(","))
    if name == "lobby_summaries" and text not in LOBBY_SUMMARIES:
        raise SettingsError(f"{variable}: {text!r} is not one of {', '.join(LOBBY_SUMMARIES)}")
    if name == "log_level" and text not in LOG_LEVELS:
        raise SettingsError(f"{variable}: {text!r} is not one of {', '.join(LOG_LEVELS)}")
    return text
