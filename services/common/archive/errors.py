"""What a caller gets who reads something in the archive that cannot be had."""

from __future__ import annotations

import grpc

from services.common.errors import RETRY_HINT, CallError, NotFound, Unavailable


class ArchiveUnavailable(Unavailable):
    """The archive does not answer, or not in time; the same call may be repeated."""

    trailing = (("signalbox-reason", "archive_unavailable"), (RETRY_HINT, "5000"))


class DeletedFromArchive(NotFound):
    """What was asked for was deleted from the archive; nobody can read it any more."""

    trailing = (("signalbox-reason", "deleted_from_archive"),)


class DamagedObject(CallError):
    """An object of the archive is missing, or is not what was written; the message names it and what is wrong."""

    code = grpc.StatusCode.DATA_LOSS
    trailing = (("signalbox-reason", "archive_damaged"),)


class InArchive(Exception):
    """Part of this stream is in the archive, and who asked does not wait for it."""

    def __init__(self, stream: str, sequence: int) -> None:
        """`sequence`: the last one in the archive."""
        self.stream = stream
        self.sequence = sequence
        super().__init__(f"{stream}: up to {sequence} in the archive")
