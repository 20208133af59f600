"""A call as a servicer sees it, without a connection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

import grpc


class CallContext(grpc.ServicerContext):
    """Has metadata, with dashes for underscores in their names, and the other end of its connection."""

    def __init__(self, peer: str = "ipv4:127.0.0.1:5000", **metadata: str) -> None:
        self._peer = peer
        self._metadata = tuple((name.replace("_", "-"), value) for name, value in metadata.items())
        self.trailing: dict[str, str | bytes] = {}

    def invocation_metadata(self) -> Any:
        """What the caller said."""
        return self._metadata

    def peer(self) -> str:
        """The other end."""
        return self._peer

    def set_trailing_metadata(self, trailing_metadata: Any) -> None:
        """Kept in `trailing`."""
        self.trailing = dict(trailing_metadata)

    def is_active(self) -> bool:
        """Always."""
        return True

    def time_remaining(self) -> float:
        """A minute."""
        return 60.0

    def cancel(self) -> bool:
        """Nothing."""
        return False

    def add_callback(self, callback: Any) -> bool:
        """Nothing."""
        return True

    def peer_identities(self) -> Iterable[bytes] | None:
        """None."""
        return None

    def peer_identity_key(self) -> str | None:
        """None."""
        return None

    def auth_context(self) -> Mapping[str, bytes]:
        """Nothing."""
        return {}

    def set_compression(self, compression: grpc.Compression) -> None:
        """Nothing."""

    def send_initial_metadata(self, initial_metadata: Any) -> None:
        """Nothing."""

    def abort(self, code: grpc.StatusCode, details: str) -> NoReturn:
        """Raises."""
        raise AssertionError(f"{code}: {details}")

    def abort_with_status(self, status: grpc.Status) -> NoReturn:
        """Raises."""
        raise AssertionError(str(status))

    def set_code(self, code: grpc.StatusCode) -> None:
        """Nothing."""

    def set_details(self, details: str) -> None:
        """Nothing."""
