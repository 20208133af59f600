"""All variables SIGNALBOX_*, so that a misspelt one is named instead of silently doing nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Final

import msgspec

from services.common.kafka.settings import KafkaSettings
from services.common.redis.settings import RedisSettings
from services.common.settings.service import Settings
from services.common.settings.variables import PREFIX, SettingsError

# Beside the groups that are fields of `Settings`.
GROUPS: Final[Mapping[str, type[msgspec.Struct]]] = {"KAFKA_": KafkaSettings, "REDIS_": RedisSettings}
# Read beside the settings: which titles of other packages are played, traces, and where a test lets a process die.
SINGLE: Final = ("TITLES", "TRACES", "CRASH_AT")
# For tests, benchmarks and the Makefile: processes that these start inherit them.
DEVELOPMENT: Final = (
    "BENCH_BASE", "BOARDS", "GAMES", "KAFKA_JARS", "KILLS", "KUBERNETES", "NEED_BROKERS", "PROCESSES", "PUBLISH",
    "RECKONING", "SEED", "SHARED", "TEST_KAFKA", "TEST_REDIS", "TITLE",
)  # fmt: skip
# What titles of other packages read for themselves.
OF_TITLES: Final = PREFIX + "TITLE_"
# What Kubernetes sets in a pod for every service of its namespace whose name begins with "signalbox-".
_SERVICE_LINK: Final = re.compile(r".*_(SERVICE_(HOST|PORT)(_\w+)?|PORT_\d+_(TCP|UDP)(_(PROTO|PORT|ADDR))?)")
_LINKED_PORT: Final = re.compile(r"(tcp|udp)://")


def known_settings() -> frozenset[str]:
    """The names of all variables that the product reads."""
    names = [*SINGLE, *_of_struct(Settings, "")]
    for group, kind in GROUPS.items():
        names += _of_struct(kind, group)
    return frozenset(PREFIX + name for name in names)


def _of_struct(kind: type[msgspec.Struct], group: str) -> Iterator[str]:
    for field in msgspec.structs.fields(kind):
        name = group + field.name.upper()
        if isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
            yield from _of_struct(field.type, f"{name}_")
        else:
            yield name


def check_variables(environment: Mapping[str, str]) -> None:
    """Raises `SettingsError` that names every variable SIGNALBOX_* which nothing reads, and the known name nearest to it."""
    known = known_settings()
    unknown = [
        name
        for name, value in environment.items()
        if name.startswith(PREFIX)
        and name not in known
        and name.removeprefix(PREFIX) not in DEVELOPMENT
        and not name.startswith(OF_TITLES)
        and not _is_service_link(name, value)
    ]
    if unknown:
        raise SettingsError("; ".join(_problem(name, known) for name in sorted(unknown)))


def _problem(name: str, known: frozenset[str]) -> str:
    # What all names begin with makes none of them alike.
    nearest = get_close_matches(
        name.removeprefix(PREFIX), sorted(each.removeprefix(PREFIX) for each in known), n=1
    )
    hint = f"; did you mean {PREFIX}{nearest[0]}?" if nearest else ""
    return f"{name}: there is no such setting{hint}"


def _is_service_link(name: str, value: str) -> bool:
    by_port = name.endswith("_PORT") and _LINKED_PORT.match(value) is not None
    return by_port or _SERVICE_LINK.fullmatch(name) is not None
