"""Rejections as messages of the contracts."""

from services.gen.signalbox.lobby.v1 import rejection_pb2
from services.lobby.domain.rejections import ImportFault, Rejection


def rejection_message(rejection: Rejection) -> rejection_pb2.Rejection:
    """A rejection as a message."""
    return rejection_pb2.Rejection(
        reason=f"REJECTION_REASON_{rejection.reason.value}",
        sentence=rejection.sentence,
        retry_after_ms=rejection.retry_after_ms,
        clause=rejection.clause,
        rules_code=rejection.rules_code,
        field=rejection.field,
        import_fault=None if rejection.import_fault is None else _fault_message(rejection.import_fault),
    )


def _fault_message(fault: ImportFault) -> rejection_pb2.ImportFault:
    return rejection_pb2.ImportFault(
        code=fault.code,
        number=fault.number,
        action_id=fault.action_id,
        kind=fault.kind,
        player=fault.player,
    )
