"""Imported by Python itself in every process that has this folder on its path: faults that happen inside of a process.

The file FAULTS_INSIDE/INSTANCE.clock says by how many seconds its clock is wrong; without it the clock is right. As long as there
is a file FAULTS_INSIDE/INSTANCE.view, nobody answers its questions about consumer groups, while everything else reaches Kafka.
"""

import os
import time
from pathlib import Path
from typing import Any

# As long as a client waits that reaches nobody.
ANSWER_SECONDS = 10.0
_folder = os.environ.get("FAULTS_INSIDE")
_instance = os.environ.get("SIGNALBOX_KAFKA_INSTANCE", "")


def _jump(file: Path) -> None:
    right, right_ns = time.time, time.time_ns

    def offset() -> int:
        try:
            return int(file.read_text() or 0)
        except OSError:
            return 0

    time.time = lambda: right() + offset()
    time.time_ns = lambda: right_ns() + offset() * 1_000_000_000


def _hold_back(file: Path) -> None:
    from kafka import KafkaAdminClient
    from kafka.errors import KafkaTimeoutError

    asked = KafkaAdminClient.describe_groups

    def describe(admin: Any, *arguments: Any, **options: Any) -> Any:
        if file.exists():
            time.sleep(ANSWER_SECONDS)
            raise KafkaTimeoutError(f"{file} is there")
        return asked(admin, *arguments, **options)

    KafkaAdminClient.describe_groups = describe


if _folder and _instance:
    _jump(Path(_folder) / f"{_instance}.clock")
    if _instance.startswith("rules-"):
        _hold_back(Path(_folder) / f"{_instance}.view")
