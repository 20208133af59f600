"""The one event loop of a process: gRPC's asyncio side does not outlive the loop that it began with."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from functools import cache
from typing import Any, TypeVar

Value = TypeVar("Value")


@cache
def _runner() -> asyncio.Runner:
    return asyncio.Runner()


def run(work: Coroutine[Any, Any, Value]) -> Value:
    """What `work` returns."""
    return _runner().run(work)
