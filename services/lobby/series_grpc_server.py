"""Series of seasons over gRPC: decode, call a handler, answer."""

from __future__ import annotations

from typing import Any

import grpc

from services.common.auth.tokens import TokenVerifier
from services.gen.signalbox.lobby.v1 import (
    tournament_series_pb2 as pb,
    tournament_series_service_pb2 as wire,
    tournament_series_service_pb2_grpc,
)
from services.gen.signalbox.lobby.v1.tournaments_service_pb2 import ExportFormat
from services.lobby.domain.rejections import Rejection
from services.lobby.domain.tournaments.formats.season import SeasonRule
from services.lobby.domain.tournaments.series.series import Season, Series
from services.lobby.handlers.tournaments.reading import export_format
from services.lobby.handlers.tournaments.series import SeriesHandlers
from services.lobby.pages import page_messages
from services.lobby.rejection_messages import rejection_message
from services.lobby.struct_messages import enum_value, message_of


class SeriesServicer(tournament_series_service_pb2_grpc.TournamentSeriesServicer):
    """The rpcs of `TournamentSeries`."""

    def __init__(self, series: SeriesHandlers, verifier: TokenVerifier) -> None:
        self._series = series
        self._verifier = verifier

    def ListSeries(
        self, request: wire.ListSeriesRequest, context: grpc.ServicerContext
    ) -> wire.ListSeriesResponse:
        """See the contract."""
        listed, token = page_messages(
            self._series.all(), request.page_size, request.page_token, series_message
        )
        return wire.ListSeriesResponse(series=listed, next_page_token=token)

    def GetSeries(
        self, request: wire.GetSeriesRequest, context: grpc.ServicerContext
    ) -> wire.GetSeriesResponse:
        """See the contract."""
        return wire.GetSeriesResponse(series=series_message(self._series.get(request.series_id)))

    def CreateSeries(
        self, request: wire.CreateSeriesRequest, context: grpc.ServicerContext
    ) -> wire.CreateSeriesResponse:
        """See the contract."""
        caller, given = self._verifier.authenticate(context), request.rule
        rule = SeasonRule(given.moving, given.division_size, tuple(given.series_points))
        divisions = [tuple(each.players) for each in request.divisions]
        result = self._series.create(caller, request.request_id, request.name, rule, divisions)
        return wire.CreateSeriesResponse(**_outcome(result))

    def JoinSeries(
        self, request: wire.JoinSeriesRequest, context: grpc.ServicerContext
    ) -> wire.JoinSeriesResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        result = self._series.join(caller, request.request_id, request.series_id)
        return wire.JoinSeriesResponse(**_outcome(result))

    def LeaveSeries(
        self, request: wire.LeaveSeriesRequest, context: grpc.ServicerContext
    ) -> wire.LeaveSeriesResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        result = self._series.leave(caller, request.request_id, request.series_id)
        return wire.LeaveSeriesResponse(**_outcome(result))

    def ChangeMembers(
        self, request: wire.ChangeMembersRequest, context: grpc.ServicerContext
    ) -> wire.ChangeMembersResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        people = tuple(request.newcomers), tuple(request.leaving)
        result = self._series.change_members(caller, request.request_id, request.series_id, *people)
        return wire.ChangeMembersResponse(**_outcome(result))

    def OpenSeason(
        self, request: wire.OpenSeasonRequest, context: grpc.ServicerContext
    ) -> wire.OpenSeasonResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        result = self._series.open_season(caller, request.request_id, request.series_id, request.charter)
        return wire.OpenSeasonResponse(**_outcome(result))

    def CloseSeason(
        self, request: wire.CloseSeasonRequest, context: grpc.ServicerContext
    ) -> wire.CloseSeasonResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        newcomers, leaving = tuple(request.newcomers), tuple(request.leaving)
        result = self._series.close_season(caller, request.request_id, request.series_id, newcomers, leaving)
        return wire.CloseSeasonResponse(**_outcome(result))

    def ExportSeries(
        self, request: wire.ExportSeriesRequest, context: grpc.ServicerContext
    ) -> wire.ExportSeriesResponse:
        """See the contract."""
        kind = export_format(enum_value(ExportFormat.DESCRIPTOR, request.format))
        name, content = self._series.exported(request.series_id, kind)
        return wire.ExportSeriesResponse(name=name, content=content)


def series_message(series: Series) -> pb.Series:
    """A series as a message."""
    seasons = [_season(each) for each in series.seasons]
    players = [{"player_id": each.player_id, "name": each.name} for each in series.players.values()]
    agreed = [each for each in series.members if each in series.agreed]
    return message_of(series, pb.Series, seasons=seasons, players=players, agreed=agreed)


def _season(season: Season) -> pb.Season:
    return message_of(season, pb.Season, tournament_ids=[each.tournament_id for each in season.tournaments])


def _outcome(result: Series | Rejection) -> dict[str, Any]:
    if isinstance(result, Rejection):
        return {"rejected": rejection_message(result)}
    return {"series": series_message(result)}
