"""What operators do to books and holds, in the log of staff acts."""

from __future__ import annotations

import grpc

from services.common.auth.tokens import ANYBODY, TokenVerifier
from services.common.clock import SystemClock
from services.common.errors import InvalidRequest
from services.common.staff.acts import REASON_LENGTH_MAX, new_act
from services.common.staff.log import StaffLog

REQUEST_ID_LENGTH_MAX = 64


class OperatorActs:
    """Records an act before it is done: none is done without its record, and a record may be of an act that failed."""

    def __init__(self, log: StaffLog, verifier: TokenVerifier) -> None:
        self._log = log
        self._verifier = verifier
        self._clock = SystemClock()

    def record(
        self, context: grpc.ServicerContext, request_id: str, act: str, game_id: str, reason: str
    ) -> None:
        """Record what the caller, an operator, is about to do. Raises `InvalidRequest`, `Unavailable`."""
        if len(reason) > REASON_LENGTH_MAX:
            raise InvalidRequest(f"reason: has at most {REASON_LENGTH_MAX} characters")
        if len(request_id) > REQUEST_ID_LENGTH_MAX:
            raise InvalidRequest(f"request_id: has at most {REQUEST_ID_LENGTH_MAX} characters")
        caller = self._verifier.authenticate(context, ANYBODY)
        key = f"{game_id}/{request_id}" if request_id else ""
        self._log.write(new_act(caller, key, self._clock, act, reason.strip(), game_id=game_id))
