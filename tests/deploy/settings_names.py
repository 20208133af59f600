"""Every variable of the environment that a manifest may set."""

from __future__ import annotations

from services.common.settings.known import known_settings
from services.common.telemetry.tracing import ENDPOINT

# Not ours: of the traces, and of the compiler of the kernels.
OTHERS = frozenset({ENDPOINT, "NUMBA_CACHE_DIR"})


def variables() -> frozenset[str]:
    """All names that a manifest may set for one of the four services."""
    return known_settings() | OTHERS
