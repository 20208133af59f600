"""Clients that ask about topics, kept for the next question of this process, whichever part of it asks.

A client for one question takes 8 ms of processor time, most of it the broker's, and a tenth of a second; a question to one that
is connected takes half a millisecond. A replica asks a dozen questions when it starts.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TypeAlias

from confluent_kafka.admin import AdminClient

from services.common.kafka.clients import client_config
from services.common.kafka.settings import KafkaSettings

# A process asks one Kafka, or two where it copies from one to the other, and tests ask a few more.
CLIENTS_MAX = 4
Key: TypeAlias = tuple[tuple[str, str], ...]


class KeptClients:
    """One client for each way to reach a Kafka. Used by all threads of a process: the library allows that."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._clients: OrderedDict[Key, AdminClient] = OrderedDict()

    def client(self, kafka: KafkaSettings) -> AdminClient | None:
        """The one that was kept for this Kafka, if any."""
        key = _key(kafka)
        with self._lock:
            found = self._clients.get(key)
            if found is not None:
                self._clients.move_to_end(key)
            return found

    def keep(self, kafka: KafkaSettings, client: AdminClient) -> None:
        """Keep a client that has answered; the one that was not used for the longest time makes room."""
        with self._lock:
            self._clients[_key(kafka)] = client
            while len(self._clients) > CLIENTS_MAX:
                self._clients.popitem(last=False)

    def drop(self, client: AdminClient) -> None:
        """Have nobody ask this one again."""
        with self._lock:
            self._clients = OrderedDict(
                (key, each) for key, each in self._clients.items() if each is not client
            )

    def close(self) -> None:
        """Drop all of them."""
        with self._lock:
            self._clients.clear()


def _key(kafka: KafkaSettings) -> Key:
    """Servers, user and password, and what else decides what a client is."""
    return tuple(sorted((name, str(value)) for name, value in client_config(kafka).items()))


KEPT = KeptClients()
"""Those of this process."""
