"""Changes of tournaments and rounds: decided on the latest state, appended to its stream; a repeat gets the first answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from services.common.auth.tokens import Principal
from services.common.errors import NotFound
from services.common.eventlog.port import Appended, EventLog
from services.lobby.domain.quotas import Quotas, Usage, reject_another_event, reject_more_stored
from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.domain.tournaments.refusing import rejected
from services.lobby.domain.tournaments.rounds.round import Round, RoundEvent, round_after
from services.lobby.domain.tournaments.series.series import Series, SeriesEvent, series_after
from services.lobby.domain.tournaments.tournament import Tournament, TournamentEvent, tournament_after
from services.lobby.event_codec import decode, encode
from services.lobby.handlers.requests import check_request_id, content_hash, request_record, reused
from services.lobby.handlers.stream_changes import StreamChanges
from services.lobby.ports import Freshness
from services.lobby.series_directory import SERIES_STREAM
from services.lobby.tournament_directory import ROUND_STREAM, TOURNAMENT_STREAM, TournamentDirectory

State = TypeVar("State", Tournament, Round, Series)

CHANGES_MAX = 20_000
"""Of one stream by requests; far more than any event needs. What games report is recorded beyond it."""
CHANGES_RESERVED = 2_000
"""The last of them, for directors and scorers alone: players do not end an event by changing it on and on."""


class TournamentStreams:
    """The streams of tournaments and rounds. A request id is unique per player and stream."""

    def __init__(
        self,
        log: EventLog,
        directory: TournamentDirectory,
        freshen: Freshness,
        usage_of: Callable[[str], Usage],
        quotas: Quotas,
    ) -> None:
        """`usage_of`: what a player keeps in the whole lobby."""
        self._usage_of = usage_of
        self._quotas = quotas
        self._log = log
        self._directory = directory
        self._freshen = freshen
        self._changes = StreamChanges(log, freshen, "this tournament")

    def tournament(self, tournament_id: str) -> Tournament:
        """One tournament. Raises `NotFound`."""
        found = self._directory.get(tournament_id)
        if found is None:
            self._freshen()
            found = self._directory.get(tournament_id)
        if found is None:
            raise NotFound("there is no such tournament")
        return found

    def round(self, round_id: str) -> Round:
        """One round. Raises `NotFound`."""
        found = self._directory.round(round_id)
        if found is None:
            self._freshen()
            found = self._directory.round(round_id)
        if found is None:
            raise NotFound("there is no such round")
        return found

    def create(
        self,
        caller: Principal,
        request_id: str,
        tournament_id: str,
        content: Sequence[object],
        decide: Callable[[], tuple[TournamentEvent, ...] | Rejection],
    ) -> Tournament | Rejection:
        """A new tournament, whose id depends on caller and request."""
        return self._create(
            caller,
            request_id,
            TOURNAMENT_STREAM + tournament_id,
            content,
            decide,
            lambda: self.tournament(tournament_id),
            tournament_after,
        )

    def create_series(
        self,
        caller: Principal,
        request_id: str,
        series_id: str,
        content: Sequence[object],
        decide: Callable[[], tuple[SeriesEvent, ...] | Rejection],
        get: Callable[[], Series],
    ) -> Series | Rejection:
        """A new series, as `create`."""
        return self._create(caller, request_id, SERIES_STREAM + series_id, content, decide, get, series_after)

    def change_series(
        self,
        caller: Principal,
        request_id: str,
        series_id: str,
        content: Sequence[object],
        get: Callable[[], Series],
        decide: Callable[[Series], tuple[SeriesEvent, ...] | Rejection],
    ) -> Series | Rejection:
        """The series after a request. Raises like `change`."""
        return self._change(caller, request_id, SERIES_STREAM + series_id, content, get, decide, series_after)

    def change(
        self,
        caller: Principal,
        request_id: str,
        tournament_id: str,
        content: Sequence[object],
        decide: Callable[[Tournament], tuple[TournamentEvent, ...] | Rejection],
    ) -> Tournament | Rejection:
        """The tournament after a request. Raises `NotFound`, `InvalidRequest`, `Unavailable`."""
        return self._change(
            caller,
            request_id,
            TOURNAMENT_STREAM + tournament_id,
            content,
            lambda: self.tournament(tournament_id),
            decide,
            tournament_after,
        )

    def change_round(
        self,
        caller: Principal,
        request_id: str,
        round_id: str,
        content: Sequence[object],
        decide: Callable[[Tournament, Round], tuple[RoundEvent, ...] | Rejection],
    ) -> Round | Rejection:
        """The round after a request. Raises like `change`."""

        def decide_now(current: Round) -> tuple[RoundEvent, ...] | Rejection:
            return decide(self.tournament(current.tournament_id), current)

        stream = ROUND_STREAM + round_id
        return self._change(
            caller, request_id, stream, content, lambda: self.round(round_id), decide_now, round_after
        )

    def repeated_round(
        self, caller: Principal, request_id: str, round_id: str, content: Sequence[object]
    ) -> Round | Rejection | None:
        """The answer to a request that came before, None if it is new."""
        check_request_id(request_id)
        return self._repeated(
            ROUND_STREAM + round_id, caller, request_id, content_hash(*content), round_after
        )

    def append_round(
        self,
        caller: Principal,
        request_id: str,
        round_id: str,
        content: Sequence[object],
        version: int,
        events: Sequence[RoundEvent],
    ) -> Round | None:
        """The round after events decided at `version`, None if it has changed since."""
        request = request_record(caller, request_id, content_hash(*content), version + len(events))
        result = self._log.append(
            ROUND_STREAM + round_id, version, [encode(each) for each in events], request
        )
        return self.round(round_id) if isinstance(result, Appended) else None

    def note_tournament(
        self, tournament_id: str, decide: Callable[[Tournament], tuple[TournamentEvent, ...]]
    ) -> Tournament:
        """Records what happened to a tournament, with nobody's request; nothing where it is known."""
        stream = TOURNAMENT_STREAM + tournament_id
        self._changes.note(stream, partial(self.tournament, tournament_id), decide)
        return self.tournament(tournament_id)

    def note_round(self, round_id: str, decide: Callable[[Round], tuple[RoundEvent, ...]]) -> Round:
        """Records what happened in a round, with nobody's request; nothing where it is known."""
        self._changes.note(ROUND_STREAM + round_id, partial(self.round, round_id), decide)
        return self.round(round_id)

    def _create(
        self,
        caller: Principal,
        request_id: str,
        stream: str,
        content: Sequence[object],
        decide: Callable[[], tuple[Any, ...] | Rejection],
        get: Callable[[], State],
        after: Callable[[State | None, Any], State],
    ) -> State | Rejection:
        check_request_id(request_id)
        hashed = content_hash(*content)
        repeated = self._repeated(stream, caller, request_id, hashed, after)
        if repeated is not None:
            return repeated
        decided = decide()
        if isinstance(decided, Rejection):
            return decided
        rejection = reject_another_event(self._usage_of(caller.player_id), self._quotas)
        if rejection is not None:
            return rejection
        request = request_record(caller, request_id, hashed, len(decided))
        result = self._log.append(stream, 0, [encode(each) for each in decided], request)
        if isinstance(result, Appended):
            return get()
        return self._repeated(stream, caller, request_id, hashed, after) or reused()

    def _change(
        self,
        caller: Principal,
        request_id: str,
        stream: str,
        content: Sequence[object],
        get: Callable[[], State],
        decide: Callable[[State], tuple[Any, ...] | Rejection],
        after: Callable[[State | None, Any], State],
    ) -> State | Rejection:
        return self._changes.change(
            caller,
            request_id,
            stream,
            content_hash(*content),
            get,
            decide,
            after,
            repeated=lambda version: self._at_version(stream, version, after),
            reject_more=partial(self._reject_more, caller.player_id),
        )

    def _reject_more(self, caller: str, state: Tournament | Round | Series) -> Rejection | None:
        most = CHANGES_MAX if self._has_all_changes(caller, state) else CHANGES_MAX - CHANGES_RESERVED
        if state.version < most:
            return self.reject_more_stored(caller)
        return rejected(RejectionReason.TOO_MUCH_RECORDED, f"There are {state.version} changes already.")

    def reject_more_stored(self, caller: str) -> Rejection | None:
        """Why nothing more is stored for somebody, None if it is."""
        return reject_more_stored(self._usage_of(caller), self._quotas)

    def _has_all_changes(self, caller: str, state: Tournament | Round | Series) -> bool:
        match state:
            case Tournament():
                return state.may_score(caller)
            case Round():
                return self.tournament(state.tournament_id).may_score(caller)
            case Series():
                return state.director.player_id == caller

    def _repeated(
        self,
        stream: str,
        caller: Principal,
        request_id: str,
        hashed: bytes,
        after: Callable[[State | None, Any], State],
    ) -> State | Rejection | None:
        """The state as it was after the request, if that came before."""
        return self._changes.repeated(
            caller, request_id, stream, hashed, lambda version: self._at_version(stream, version, after)
        )

    def _at_version(self, stream: str, version: int, after: Callable[[State | None, Any], State]) -> State:
        state: State | None = None
        for record in self._log.read(stream, up_to=version):
            state = after(state, decode(record))
        assert state is not None, "a request has led to events"
        return state
