"""Every variable of the environment that a manifest may set."""

from __future__ import annotations

from services.common.settings.known import known_settings
from services.common.telemetry.tracing import ENDPOINT

# Not ours: of the traces, of the compiler of the kernels, and where temporary files are.
OTHERS = frozenset({ENDPOINT, "NUMBA_CACHE_DIR", "TMPDIR"})


def variables() -> frozenset[str]:
    """All names that a manifest may set for one of the four services."""
    return known_settings() | OTHERS
