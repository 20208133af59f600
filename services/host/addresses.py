"""Where the services of a host answer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Addresses:
    """Host:port of each server; several with commas between where it has several replicas."""

    lobby: str
    rules: str
    routing: str
    ledger: str
    metrics: str
    web: str = ""
    """Of pages and the HTTP API; empty where there is no web server."""
