"""Groups the records of a stream into the appends that wrote them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from services.common.eventlog.port import NewRecord, Record, RequestRecord
from services.common.kafka.commits import commit_message
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.migration.errors import UnreadableStream

GAMES = "game/"

_decode_outcome = msgspec.msgpack.Decoder(tuple[int, int]).decode


def is_game(stream: str) -> bool:
    """Whether a stream is a game; any other is the lobby's."""
    return stream.startswith(GAMES)


def commits_of(stream: str, records: Sequence[Record], requests: Iterable[RequestRecord]) -> list[pb.Commit]:
    """The appends that wrote these records, which must be whole appends. `requests`: the requests that led to them.

    Records of one append have the same time, and a request ends an append. Raises `UnreadableStream`."""
    by_end = {last_of(stream, request): request for request in requests}
    commits: list[pb.Commit] = []
    held: list[Record] = []
    for record, following in zip(records, (*records[1:], None), strict=True):
        held.append(record)
        request = by_end.pop(record.sequence, None)
        if (
            request is None
            and following is not None
            and following.recorded_time_ms == record.recorded_time_ms
        ):
            continue
        commits.append(_commit(stream, held, request))
        held = []
    if by_end:
        lost = ", ".join(repr(request.request_id) for request in by_end.values())
        raise UnreadableStream(f"stream {stream}: no events end where the requests {lost} say they do")
    return commits


def last_of(stream: str, request: RequestRecord) -> int:
    """The sequence of the last event of a request. Raises `UnreadableStream`."""
    try:
        if is_game(stream):
            return _decode_outcome(request.outcome)[1]
        return int(request.outcome)
    except (ValueError, msgspec.MsgspecError) as error:
        raise UnreadableStream(
            f"stream {stream}: the outcome of request {request.request_id!r} cannot be read: {error}"
        ) from error


def _commit(stream: str, records: Sequence[Record], request: RequestRecord | None) -> pb.Commit:
    times = {record.recorded_time_ms for record in records}
    if len(times) > 1:
        raise UnreadableStream(
            f"stream {stream}: the events {records[0].sequence} to {records[-1].sequence} of one request "
            f"were recorded at different times"
        )
    facts = [NewRecord(record.type, record.schema_version, record.payload) for record in records]
    return commit_message(stream, records[0].sequence - 1, facts, request, times.pop(), "")
