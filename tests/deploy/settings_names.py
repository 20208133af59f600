"""Every variable of the environment that the code reads as a setting."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import msgspec.structs

from services.common.kafka.settings import KafkaSettings
from services.common.redis.settings import RedisSettings
from services.common.settings.service import PREFIX, Settings
from services.common.telemetry.tracing import ENDPOINT, VARIABLE

# Read where they are used: of the traces, and of the compiler of the kernels.
OTHERS = frozenset({VARIABLE, ENDPOINT, "NUMBA_CACHE_DIR"})


def variables() -> frozenset[str]:
    """All names that a manifest may set for one of the four services."""
    groups = ((PREFIX, Settings), (f"{PREFIX}KAFKA_", KafkaSettings), (f"{PREFIX}REDIS_", RedisSettings))
    return frozenset(name for prefix, kind in groups for name in _of(prefix, kind)) | OTHERS


def _of(prefix: str, kind: type[msgspec.Struct]) -> Iterator[str]:
    """Names of a kind's fields; a field that is a group of settings has those of the group."""
    for field in msgspec.structs.fields(kind):
        name = prefix + field.name.upper()
        if isinstance(field.default, msgspec.Struct):
            yield from _of(f"{name}_", type(field.default))
        else:
            yield name
