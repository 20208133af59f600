"""How a call ended: the status for the caller, the metrics and the log line."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass

import grpc

from services.common.errors import CallError
from services.common.grpc.context import Aborted, CallContext
from services.common.telemetry.logs import Telemetry, get_logger


@dataclass(frozen=True, slots=True)
class MethodName:
    """A method with its service."""

    service: str
    method: str

    def __str__(self) -> str:
        return f"{self.service}/{self.method}"


class Endings:
    """Records the calls of one server."""

    def __init__(self, telemetry: Telemetry) -> None:
        self._telemetry = telemetry
        self._log = get_logger("grpc")

    def begun(self, name: MethodName) -> float:
        """A call begins; gives when."""
        self._telemetry.calls_active.labels(name.service, name.method).inc()
        return time.monotonic()

    def failed(self, name: MethodName, context: CallContext, error: BaseException) -> None:
        """Give the call the status of the error that ended it; the text of one that was not raised on purpose stays in
        the log."""
        if isinstance(error, Aborted):
            return
        if isinstance(error, CallError):
            if error.trailing:
                context.set_trailing_metadata(error.trailing)
            context.set_code(error.code)
            context.set_details(str(error))
            return
        error_id = secrets.token_hex(8)
        self._log.error(
            "call_failed", rpc=name.service, method=name.method, error_id=error_id, exc_info=error
        )
        context.set_code(grpc.StatusCode.INTERNAL)
        context.set_details(f"internal error {error_id}")

    def ended(self, name: MethodName, code: grpc.StatusCode, began: float, is_stream: bool) -> None:
        """Count and log a call that was admitted."""
        seconds = time.monotonic() - began
        self._telemetry.calls_active.labels(name.service, name.method).dec()
        self._telemetry.calls.labels(name.service, name.method, code.name).inc()
        if not is_stream:
            self._telemetry.call_seconds.labels(name.service, name.method).observe(seconds)
        if self._telemetry.refusals.holds_back(name.service, name.method, code.name):
            return
        log = self._log.debug if code is grpc.StatusCode.OK else self._log.info
        log(
            "call_ended",
            rpc=name.service,
            method=name.method,
            code=code.name,
            milliseconds=round(seconds * 1000, 3),
        )

    def refused(self, name: MethodName, code: grpc.StatusCode) -> None:
        """Count a call that was refused before its message was read."""
        self._telemetry.calls_active.labels(name.service, name.method).dec()
        self._telemetry.calls.labels(name.service, name.method, code.name).inc()
        if not self._telemetry.refusals.holds_back(name.service, name.method, code.name):
            self._log.info("call_ended", rpc=name.service, method=name.method, code=code.name)
