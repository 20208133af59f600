"""Staff acts of operators who work on Kafka itself: who they are, the rights of Kafka alone prove."""

from __future__ import annotations

from services.common.auth.tokens import Principal
from services.common.clock import SystemClock
from services.common.kafka.settings import KafkaSettings
from services.common.staff.acts import new_act
from services.common.staff.topic import record_act


def record(kafka: KafkaSettings, act: str, operator: str, reason: str, game_id: str, detail: str) -> None:
    """Record what is about to be done. Raises `NotWritten`."""
    author = Principal(f"kafka:{operator}", operator, "operator")
    record_act(kafka, new_act(author, "", SystemClock(), act, reason, game_id=game_id, detail=detail))
