"""Every variable of the environment that the code reads as a setting."""

from __future__ import annotations

from services.common.kafka.settings import KafkaSettings
from services.common.redis.settings import RedisSettings
from services.common.settings import PREFIX, Settings

# Not ours: of the compiler of the kernels and of the image.
OTHERS = frozenset({"NUMBA_CACHE_DIR"})


def variables() -> frozenset[str]:
    """All names that a manifest may set for one of the four services."""
    named = (
        *(PREFIX + name for name in Settings.__struct_fields__),
        *(f"{PREFIX}KAFKA_{name}" for name in KafkaSettings.__struct_fields__),
        *(f"{PREFIX}REDIS_{name}" for name in RedisSettings.__struct_fields__),
    )
    return frozenset(name.upper() for name in named) | OTHERS
