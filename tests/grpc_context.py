"""A call as a servicer sees it, without a connection."""

from __future__ import annotations

from services.common.grpc.context import CallContext


def call_context(**metadata: str) -> CallContext:
    """A call with this metadata, with dashes for underscores in the names, and a minute of time."""
    named = tuple((name.replace("_", "-"), value) for name, value in metadata.items())
    return CallContext(named, "ipv4:127.0.0.1:5000", 60.0, 60.0)
