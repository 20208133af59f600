"""What operators do about games and commands that are held up between the services of a cluster.

An act is recorded before it is done. A repeated request does again what a crash may have left out: to release or to pass over
twice changes nothing more."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from services.common.auth.tokens import Principal
from services.common.clock import Clock
from services.common.staff.acts import RELEASE_DEAD_LETTERS, SKIP_COMMAND, new_act
from services.common.staff.log import StaffLog
from services.gen.signalbox.lobby.v1.staff_act_pb2 import StaffAct
from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.handlers.requests import check_request_id, reused
from services.lobby.handlers.staff import reject_reason
from services.lobby.queues import BlockedGame, NothingHeldUp, Queues, Record
from services.lobby.staff_directory import StaffDirectory

RECORDS_SHOWN = 100
# Within the time of a call: an owner that is well needs less.
SETTLE_SECONDS = 3.0


class Settled(NamedTuple):
    """An act as it was recorded, and whether it has been carried out."""

    act: StaffAct
    is_settled: bool


class QueueHandlers:
    """Lists what is held up, and settles it. All methods raise `Unavailable`."""

    def __init__(self, queues: Queues, log: StaffLog, directory: StaffDirectory, clock: Clock) -> None:
        self.queues = queues
        self._log = log
        self._directory = directory
        self._clock = clock

    def blocked_game(self, reader: str, game_id: str) -> BlockedGame | Rejection:
        """A blocked game with its first dead letters."""
        try:
            return self.queues.blocked_game(reader, game_id, RECORDS_SHOWN)
        except NothingHeldUp as nothing:
            return Rejection(RejectionReason.GAME_NOT_BLOCKED, str(nothing))

    def release(
        self, caller: Principal, request_id: str, reader: str, game_id: str, reason: str
    ) -> Settled | Rejection:
        """Have a reader process the dead letters of a game again. Raises `InvalidRequest`."""
        check_request_id(request_id)
        act = new_act(
            caller,
            request_id,
            self._clock,
            RELEASE_DEAD_LETTERS,
            reason.strip(),
            game_id=game_id,
            detail=reader,
        )

        def settle(record: Record) -> bool:
            return self.queues.release(reader, game_id, record, SETTLE_SECONDS)

        known = self._directory.with_id(act.act_id)
        if known is not None and known.game_id != game_id:
            return reused()
        return self._settled(act, known, settle, RejectionReason.GAME_NOT_BLOCKED)

    def skip(
        self, caller: Principal, request_id: str, partition: int, offset: int, reason: str
    ) -> Settled | Rejection:
        """Have the owner of a game pass over a command. Raises `InvalidRequest`."""
        check_request_id(request_id)
        place = f"partition {partition}, offset {offset}"
        act = new_act(caller, request_id, self._clock, SKIP_COMMAND, reason.strip(), detail=place)

        def settle(record: Record) -> bool:
            return self.queues.skip(partition, offset, caller.name, act.reason, record, SETTLE_SECONDS)

        known = self._directory.with_id(act.act_id)
        return self._settled(act, known, settle, RejectionReason.COMMAND_NOT_WAITING)

    def _settled(
        self,
        act: StaffAct,
        known: StaffAct | None,
        settle: Callable[[Record], bool],
        nothing: RejectionReason,
    ) -> Settled | Rejection:
        if known is not None and (known.detail, known.reason) != (act.detail, act.reason):
            return reused()
        rejection = reject_reason(act.reason)
        if rejection is not None:
            return rejection

        def record(game_id: str) -> None:
            act.game_id = game_id
            self._log.write(act)

        try:
            is_settled = settle(record)
        except NothingHeldUp as settled:
            # Of a repeat it says that the first request did it.
            return Rejection(nothing, str(settled)) if known is None else Settled(known, is_settled=True)
        return Settled(known or act, is_settled)
