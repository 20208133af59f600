"""Exit codes and embedded host settings that the demo uses on either host."""

from __future__ import annotations

from pathlib import Path

from services.common.settings.accounts import THROWAWAY_ACCOUNTS
from services.common.settings.service import Settings

FAILED = 1
USAGE = 2


def embedded_settings(folder: Path, database: Path | None = None) -> Settings:
    """An embedded host with free ports and its files in `folder`; its log in `database` if one is given. Bots ask for best
    runs one after the other, so that processes of its own would only make it slower to start."""
    return Settings(
        database=database or folder / "demo.db",
        signing_key=folder / "signing-key.pem",
        lobby_port=0,
        rules_port=0,
        routing_port=0,
        ledger_port=0,
        metrics_port=0,
        routing_workers=0,
        log_level="error",
        sign_in=THROWAWAY_ACCOUNTS,
    )
