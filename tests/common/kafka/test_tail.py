"""Small topics read whole."""

from __future__ import annotations

from typing import NoReturn

import pytest

from services.common.kafka import tail
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.tail import TopicTail
from services.common.kafka.topics import LEDGER_EVENTS
from services.common.settings.service import SettingsError

KAFKA = KafkaSettings(servers=("127.0.0.1:9",), instance="test")


def no_client(*_: object, **__: object) -> NoReturn:
    """The password cannot be read."""
    raise SettingsError("no such password file")


def test_a_tail_that_cannot_start_raises_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a thread that nobody looks at; `close` is harmless all the same."""
    monkeypatch.setattr(tail, "new_consumer", no_client)
    reader = TopicTail(KAFKA, LEDGER_EVENTS, lambda *_: None)
    with pytest.raises(SettingsError, match="no such password file"):
        reader.start()
    reader.close()
