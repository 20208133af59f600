"""Brokers that ended by themselves, as one whose disk is full, are started again, as an orchestrator does."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from devtools.brokers.kafka import KafkaNode
from services.host.children import ChildFailed

LOOK_EVERY_SECONDS = 1.0


class BrokerKeeper(threading.Thread):
    """Looks after the brokers until `close`."""

    def __init__(self, nodes: Sequence[KafkaNode], say: Callable[[str], None]) -> None:
        super().__init__(name="keeper of brokers", daemon=True)
        self._nodes = nodes
        self._say = say
        self._is_over = threading.Event()
        self._lock = threading.Lock()

    def run(self) -> None:
        """Until closed."""
        while not self._is_over.wait(LOOK_EVERY_SECONDS):
            with self._lock:
                for node in self._nodes:
                    if not node.is_running and not self._is_over.is_set():
                        self._say(f"broker {node.node_id} ended by itself and is started again")
                        with suppress(ChildFailed):
                            node.launch()

    @contextmanager
    def left_alone(self) -> Iterator[None]:
        """Meanwhile none is started."""
        with self._lock:
            yield

    def close(self) -> None:
        """Start none any more."""
        self._is_over.set()
        self.join()
