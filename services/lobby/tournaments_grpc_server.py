"""Tournaments over gRPC, for everybody: decode, call a handler, answer."""

import grpc

from services.common.auth.scopes import Scope
from services.common.auth.tokens import TokenVerifier
from services.common.grpc.context import caller_of
from services.gen.signalbox.lobby.v1 import (
    tournament_pb2 as pb,
    tournaments_service_pb2 as wire,
    tournaments_service_pb2_grpc,
)
from services.lobby.domain.rejections import Rejection
from services.lobby.domain.tournaments.scoring.standings import standings_digest
from services.lobby.domain.tournaments.tournament import Tournament
from services.lobby.handlers.tournaments.desk import TournamentHandlers
from services.lobby.handlers.tournaments.reading import TournamentReader, export_format
from services.lobby.handlers.tournaments.rounds import RoundHandlers
from services.lobby.pages import page_messages, page_of
from services.lobby.presets.loading import SYSTEMS
from services.lobby.rejection_messages import rejection_message
from services.lobby.struct_messages import document, enum_value
from services.lobby.tournament_messages import (
    entry_message,
    leaderboard_message,
    line_message,
    round_message,
    tournament_message,
)

DIRECTING: tuple[Scope, ...] = ("tournament:direct",)
"""The scope with which a limited token sees what only directors see."""


class TournamentsServicer(tournaments_service_pb2_grpc.TournamentsServicer):
    """The rpcs of `Tournaments`."""

    def __init__(
        self,
        tournaments: TournamentHandlers,
        rounds: RoundHandlers,
        reader: TournamentReader,
        verifier: TokenVerifier,
    ) -> None:
        self._tournaments = tournaments
        self._rounds = rounds
        self._reader = reader
        self._verifier = verifier

    def ListTournaments(
        self, request: wire.ListTournamentsRequest, context: grpc.ServicerContext
    ) -> wire.ListTournamentsResponse:
        """See the contract."""
        listed, token = page_messages(
            self._reader.all(), request.page_size, request.page_token, self._tournament
        )
        return wire.ListTournamentsResponse(tournaments=listed, next_page_token=token)

    def GetTournament(
        self, request: wire.GetTournamentRequest, context: grpc.ServicerContext
    ) -> wire.GetTournamentResponse:
        """See the contract."""
        tournament = self._reader.tournament(request.tournament_id)
        return wire.GetTournamentResponse(tournament=self._tournament(tournament))

    def ListEntries(
        self, request: wire.ListEntriesRequest, context: grpc.ServicerContext
    ) -> wire.ListEntriesResponse:
        """See the contract."""
        tournament = self._reader.tournament(request.tournament_id)
        entries = [
            each for player_id, each in tournament.entries.items() if request.player_id in ("", player_id)
        ]
        listed, token = page_messages(entries, request.page_size, request.page_token, entry_message)
        return wire.ListEntriesResponse(entries=listed, next_page_token=token)

    def EnterTournament(
        self, request: wire.EnterTournamentRequest, context: grpc.ServicerContext
    ) -> wire.EnterTournamentResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        result = self._tournaments.enter(
            caller,
            request.request_id,
            request.tournament_id,
            tuple(request.preferences),
            tuple(request.hours),
        )
        if isinstance(result, Rejection):
            return wire.EnterTournamentResponse(rejected=rejection_message(result))
        return wire.EnterTournamentResponse(tournament=self._tournament(result))

    def WithdrawEntry(
        self, request: wire.WithdrawEntryRequest, context: grpc.ServicerContext
    ) -> wire.WithdrawEntryResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        result = self._tournaments.withdraw(
            caller, request.request_id, request.tournament_id, caller.player_id, request.reason
        )
        if isinstance(result, Rejection):
            return wire.WithdrawEntryResponse(rejected=rejection_message(result))
        return wire.WithdrawEntryResponse(tournament=self._tournament(result))

    def CheckIn(self, request: wire.CheckInRequest, context: grpc.ServicerContext) -> wire.CheckInResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        result = self._tournaments.check_in(caller, request.request_id, request.tournament_id)
        if isinstance(result, Rejection):
            return wire.CheckInResponse(rejected=rejection_message(result))
        return wire.CheckInResponse(tournament=self._tournament(result))

    def RefusePlace(
        self, request: wire.RefusePlaceRequest, context: grpc.ServicerContext
    ) -> wire.RefusePlaceResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        result = self._tournaments.refuse_place(
            caller, request.request_id, request.tournament_id, request.stage
        )
        if isinstance(result, Rejection):
            return wire.RefusePlaceResponse(rejected=rejection_message(result))
        return wire.RefusePlaceResponse(tournament=self._tournament(result))

    def ListRounds(
        self, request: wire.ListRoundsRequest, context: grpc.ServicerContext
    ) -> wire.ListRoundsResponse:
        """See the contract."""
        rounds = self._reader.rounds(_director_id(context), request.tournament_id)
        listed, token = page_messages(
            rounds,
            request.page_size,
            request.page_token,
            lambda each: round_message(each, self._reader.withdrawn(each)),
        )
        return wire.ListRoundsResponse(rounds=listed, next_page_token=token)

    def GetRound(self, request: wire.GetRoundRequest, context: grpc.ServicerContext) -> wire.GetRoundResponse:
        """See the contract."""
        current = self._rounds.get(_director_id(context), request.round_id)
        return wire.GetRoundResponse(round=round_message(current, self._reader.withdrawn(current)))

    def ReportResult(
        self, request: wire.ReportResultRequest, context: grpc.ServicerContext
    ) -> wire.ReportResultResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        result = self._rounds.report(
            caller,
            request.request_id,
            request.round_id,
            request.table,
            {each.player_id: each.worth for each in request.worths},
            {each.player_id: each.bankrupt_order for each in request.worths if each.bankrupt_order},
        )
        if isinstance(result, Rejection):
            return wire.ReportResultResponse(rejected=rejection_message(result))
        return wire.ReportResultResponse(round=round_message(result))

    def ConfirmResult(
        self, request: wire.ConfirmResultRequest, context: grpc.ServicerContext
    ) -> wire.ConfirmResultResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        result = self._rounds.confirm(
            caller,
            request.request_id,
            request.round_id,
            request.table,
            {each.player_id: each.worth for each in request.worths},
            {each.player_id: each.bankrupt_order for each in request.worths if each.bankrupt_order},
        )
        if isinstance(result, Rejection):
            return wire.ConfirmResultResponse(rejected=rejection_message(result))
        return wire.ConfirmResultResponse(round=round_message(result))

    def FileAppeal(
        self, request: wire.FileAppealRequest, context: grpc.ServicerContext
    ) -> wire.FileAppealResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        result = self._rounds.appeal(
            caller, request.request_id, request.round_id, request.table, request.adjudication, request.text
        )
        if isinstance(result, Rejection):
            return wire.FileAppealResponse(rejected=rejection_message(result))
        return wire.FileAppealResponse(round=round_message(result))

    def GetStandings(
        self, request: wire.GetStandingsRequest, context: grpc.ServicerContext
    ) -> wire.GetStandingsResponse:
        """See the contract."""
        tournament, lines = self._reader.standings(request.tournament_id, request.stage)
        listed, token = page_messages(
            lines,
            request.page_size,
            request.page_token,
            lambda line: line_message(line, tournament.name_of(line.player)),
        )
        return wire.GetStandingsResponse(lines=listed, digest=standings_digest(lines), next_page_token=token)

    def ExportTournament(
        self, request: wire.ExportTournamentRequest, context: grpc.ServicerContext
    ) -> wire.ExportTournamentResponse:
        """See the contract."""
        kind = export_format(enum_value(wire.ExportFormat.DESCRIPTOR, request.format))
        name, content = self._reader.exported(request.tournament_id, kind)
        return wire.ExportTournamentResponse(name=name, content=content)

    def ListScoringSystems(
        self, request: wire.ListScoringSystemsRequest, context: grpc.ServicerContext
    ) -> wire.ListScoringSystemsResponse:
        """See the contract."""
        return wire.ListScoringSystemsResponse(
            systems=[
                wire.ScoringSystem(name=name, system=document(system)) for name, system in SYSTEMS.items()
            ]
        )

    def GetLeaderboard(
        self, request: wire.GetLeaderboardRequest, context: grpc.ServicerContext
    ) -> wire.GetLeaderboardResponse:
        """See the contract."""
        lines, digest = self._reader.leaderboard(request.board)
        page = page_of(request.page_size, request.page_token)
        found = lines[page.start : page.start + page.size]
        reliability = self._reader.reliability([line.player for line in found])
        listed, token = page_messages(
            lines,
            request.page_size,
            request.page_token,
            lambda line: leaderboard_message(
                line, self._reader.name_of(line.player), reliability[line.player]
            ),
        )
        return wire.GetLeaderboardResponse(lines=listed, digest=digest, next_page_token=token)

    def _tournament(self, tournament: Tournament) -> pb.Tournament:
        return tournament_message(tournament, self._reader.round_counts(tournament.tournament_id))


def _director_id(context: grpc.ServicerContext) -> str:
    """The player who calls and may see what directors see, empty without a good token that directs."""
    principal = caller_of(context).principal
    is_directing = principal is not None and principal.is_allowed_any(DIRECTING)
    return principal.player_id if principal is not None and is_directing else ""
