"""Checks the lobby's streams: every event and every staff act can be read, every table folds."""

from __future__ import annotations

from services.audit.cases import StoredFact
from services.audit.findings import Finding
from services.common.errors import SignalboxError
from services.common.eventlog.port import Record
from services.common.staff.acts import act_in
from services.common.staff.stream import STAFF_STREAM
from services.lobby.directory import TABLE_STREAM
from services.lobby.domain.tables import Table, evolve
from services.lobby.event_codec import decode


def check_lobby_stream(stream: str, facts: list[StoredFact]) -> list[Finding]:
    """The findings in one stream of the lobby."""
    table: Table | None = None
    for sequence, fact in enumerate(facts, start=1):
        record = Record(
            stream, sequence, fact.type, fact.schema_version, fact.payload, fact.recorded_time_ms, sequence
        )
        try:
            if stream == STAFF_STREAM:
                act_in(fact.type, fact.schema_version, fact.payload)
                continue
            event = decode(record)
        except SignalboxError as error:
            return [Finding("undecodable", stream, sequence, str(error))]
        if stream.startswith(TABLE_STREAM):
            try:
                table = evolve(table, event)
            except Exception as error:
                return [Finding("fold", stream, sequence, f"the events do not fold: {error!r}")]
    return []
