"""What stands in the place of threads, time, chance, Kafka and the network in the modules of services, during a run."""

from __future__ import annotations

import concurrent.futures
import queue
import secrets
import sqlite3
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FunctionType
from typing import Any
from unittest.mock import patch

import confluent_kafka
import confluent_kafka.admin
import grpc
import kafka

from services.common.faust import driver
from services.common.kafka import administration
from services.common.process import crashpoints, threads
from services.lobby.adapters.argon2_passwords import Argon2Passwords
from tests.wholesim import admins, consumers, faust_app, modules, primitives, producers, rpc
from tests.wholesim.passwords import PlainPasswords

PREFIXES = ("services.", "tests.faults.")


def new_uuid() -> uuid.UUID:
    """An id that the seed alone decides."""
    return uuid.UUID(int=primitives.schedule().random.getrandbits(128), version=4)


_connect = sqlite3.connect


def connect(*arguments: Any, **options: Any) -> sqlite3.Connection:
    """A database that is noted with the running process."""
    connection: sqlite3.Connection = _connect(*arguments, **options)
    primitives.schedule().current.process.databases.append(connection)
    return connection


def _substitutes(reach: Callable[[str], None]) -> Mapping[int, Any]:
    pairs: list[tuple[Any, Any]] = [
        (threading, modules.THREADING),
        (threading.Lock, primitives.Lock),
        (threading.RLock, primitives.RLock),
        (threading.Condition, primitives.Condition),
        (threading.Event, primitives.Event),
        (time, modules.TIME),
        (time.monotonic, modules.TIME.monotonic),
        (queue, modules.QUEUE),
        (queue.SimpleQueue, primitives.SimpleQueue),
        (secrets, modules.SECRETS),
        (uuid.uuid4, new_uuid),
        (concurrent.futures.Future, primitives.Future),
        (concurrent.futures.ThreadPoolExecutor, primitives.ThreadPoolExecutor),
        (threads.ServiceThread, primitives.ServiceThread),
        (crashpoints.reach, reach),
        (confluent_kafka.Consumer, consumers.Consumer),
        (confluent_kafka.Producer, producers.Producer),
        (confluent_kafka.admin.AdminClient, admins.AdminClient),
        (kafka.KafkaAdminClient, admins.KafkaAdminClient),
        (kafka.KafkaConsumer, consumers.KafkaConsumer),
        (administration.check_topics, _topics_are_right),
        (driver.FollowingApp, faust_app.FollowingApp),
        (driver.event_loop_of_thread, faust_app.event_loop_of_thread),
        (Argon2Passwords, lambda _: PlainPasswords()),
    ]
    return {id(real): stand_in for real, stand_in in pairs}


def _topics_are_right(*_: Any, may_be_closed: Any = ()) -> None:
    """The topics of the run are made from the same list."""


@contextmanager
def substituted(reach: Callable[[str], None]) -> Iterator[None]:
    """Everything that services take from outside is the run's meanwhile. `reach`: called at every crash point."""
    by_id = _substitutes(reach)
    undo: list[Callable[[], None]] = []
    for name, module in list(sys.modules.items()):
        if name.startswith(PREFIXES) and not name.startswith("services.gen."):
            _substitute_in(module, by_id, undo)
    try:
        with patch.object(grpc, "insecure_channel", rpc.Channel), patch.object(sqlite3, "connect", connect):
            yield
    finally:
        for each in reversed(undo):
            each()


def _substitute_in(module: Any, by_id: Mapping[int, Any], undo: list[Callable[[], None]]) -> None:
    names = vars(module)
    for name, value in list(names.items()):
        if id(value) in by_id and not name.startswith("__"):
            names[name] = by_id[id(value)]
            undo.append(lambda name=name, value=value: names.__setitem__(name, value))  # type: ignore[misc]
        elif isinstance(value, type) and value.__module__ == module.__name__:
            for function in vars(value).values():
                _substitute_defaults(function, by_id, undo)


def _substitute_defaults(function: Any, by_id: Mapping[int, Any], undo: list[Callable[[], None]]) -> None:
    """Defaults are looked up when a function is made; those of a dataclass stand in the closure of its constructor."""
    if not isinstance(function, FunctionType):
        return
    if function.__defaults__:
        before = function.__defaults__
        function.__defaults__ = tuple(by_id.get(id(each), each) for each in before)
        undo.append(lambda: setattr(function, "__defaults__", before))
    for cell in function.__closure__ or ():
        real = cell.cell_contents
        if id(real) in by_id:
            cell.cell_contents = by_id[id(real)]
            undo.append(lambda cell=cell, real=real: setattr(cell, "cell_contents", real))  # type: ignore[misc]
