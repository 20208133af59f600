"""Imported by Python itself in every process that has this folder on its path: lets its clock jump.

The file FAULTS_CLOCKS/INSTANCE says by how many seconds; without it the clock is right.
"""

import os
import time
from pathlib import Path

_folder = os.environ.get("FAULTS_CLOCKS")
_instance = os.environ.get("SIGNALBOX_KAFKA_INSTANCE")

if _folder and _instance:
    _file = Path(_folder) / _instance
    _right, _right_ns = time.time, time.time_ns

    def _offset() -> int:
        try:
            return int(_file.read_text() or 0)
        except OSError:
            return 0

    time.time = lambda: _right() + _offset()
    time.time_ns = lambda: _right_ns() + _offset() * 1_000_000_000
