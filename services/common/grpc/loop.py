"""The event loop of a process, on which all its gRPC servers run."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from functools import cache
from typing import Any, TypeVar

from services.common.process.threads import ServiceThread

Result = TypeVar("Result")
_making = threading.Lock()


def serving_loop() -> asyncio.AbstractEventLoop:
    """The loop, in a thread of its own from the first call on. One for all servers of the process: gRPC's own queue is one
    too, and loops in several threads would only wait for each other's turn."""
    with _making:
        return _loop()


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    ServiceThread("rpc-loop", loop.run_forever).start()
    return loop


def on_loop(work: Coroutine[Any, Any, Result]) -> Result:
    """The result of `work`, done on the loop. Blocks; never called on the loop itself."""
    return asyncio.run_coroutine_threadsafe(work, serving_loop()).result()
