"""What a process knows of the log of staff acts, as metrics."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Gauge

from services.common.staff.log import StaffLog


def show_staff(registry: CollectorRegistry, log: StaffLog) -> None:
    """Metrics for the acts and the refused players that are known."""
    acts = Gauge("signalbox_staff_acts", "Acts of operators that this process knows", registry=registry)
    acts.set_function(lambda: log.act_count)
    players = Gauge(
        "signalbox_revoked_players", "Players of whom this process refuses tokens", registry=registry
    )
    players.set_function(lambda: log.revocations.player_count)
    tokens = Gauge(
        "signalbox_revoked_tokens", "Tokens that this process refuses by their ids", registry=registry
    )
    tokens.set_function(lambda: log.revocations.token_count)
