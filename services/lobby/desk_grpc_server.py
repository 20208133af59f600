"""The desk of tournament directors over gRPC: decode, call a handler, answer."""

import grpc

from services.common.auth.tokens import TokenVerifier
from services.common.errors import InvalidRequest
from services.gen.signalbox.lobby.v1 import (
    tournament_desk_service_pb2 as wire,
    tournament_desk_service_pb2_grpc,
    tournament_pb2 as pb,
)
from services.lobby.domain.positions import MoneyTransfer
from services.lobby.domain.rejections import Rejection
from services.lobby.domain.tournaments.rounds.adjudicating import Ruling
from services.lobby.domain.tournaments.rounds.adjudication import (
    AdjudicationKind,
    Award,
    FinalWorth,
)
from services.lobby.domain.tournaments.tournament import Tournament
from services.lobby.handlers.tournaments.desk import TournamentHandlers, role_of
from services.lobby.handlers.tournaments.evidence import EvidenceReader
from services.lobby.handlers.tournaments.reading import TournamentReader
from services.lobby.handlers.tournaments.rounds import RoundHandlers
from services.lobby.handlers.tournaments.substituting import SubstitutionHandlers
from services.lobby.rejection_messages import rejection_message
from services.lobby.struct_messages import document, enum_value
from services.lobby.tournament_messages import evidence_message, round_message, tournament_message


class DeskServicer(tournament_desk_service_pb2_grpc.TournamentDeskServicer):
    """The rpcs of `TournamentDesk`."""

    def __init__(
        self,
        tournaments: TournamentHandlers,
        rounds: RoundHandlers,
        substitutions: SubstitutionHandlers,
        reader: TournamentReader,
        evidence: EvidenceReader,
        verifier: TokenVerifier,
    ) -> None:
        self._tournaments = tournaments
        self._rounds = rounds
        self._substitutions = substitutions
        self._reader = reader
        self._evidence = evidence
        self._verifier = verifier

    def CreateTournament(
        self, request: wire.CreateTournamentRequest, context: grpc.ServicerContext
    ) -> wire.CreateTournamentResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        result = self._tournaments.create(
            caller,
            request.request_id,
            request.charter,
        )
        if isinstance(result, Rejection):
            return wire.CreateTournamentResponse(rejected=rejection_message(result))
        return wire.CreateTournamentResponse(tournament=self._tournament(result))

    def AmendCharter(
        self, request: wire.AmendCharterRequest, context: grpc.ServicerContext
    ) -> wire.AmendCharterResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        result = self._tournaments.amend(
            caller,
            request.request_id,
            request.tournament_id,
            request.charter,
            request.charter_version,
            request.reason,
        )
        if isinstance(result, Rejection):
            return wire.AmendCharterResponse(rejected=rejection_message(result))
        return wire.AmendCharterResponse(tournament=self._tournament(result))

    def SetRole(self, request: wire.SetRoleRequest, context: grpc.ServicerContext) -> wire.SetRoleResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        result = self._tournaments.set_role(
            caller,
            request.request_id,
            request.tournament_id,
            request.player_id,
            role_of(enum_value(pb.TournamentRole.DESCRIPTOR, request.role)),
            request.is_given,
        )
        if isinstance(result, Rejection):
            return wire.SetRoleResponse(rejected=rejection_message(result))
        return wire.SetRoleResponse(tournament=self._tournament(result))

    def SetEntries(
        self, request: wire.SetEntriesRequest, context: grpc.ServicerContext
    ) -> wire.SetEntriesResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        result = self._tournaments.set_entries(
            caller,
            request.request_id,
            request.tournament_id,
            request.are_open,
        )
        if isinstance(result, Rejection):
            return wire.SetEntriesResponse(rejected=rejection_message(result))
        return wire.SetEntriesResponse(tournament=self._tournament(result))

    def AdmitEntry(
        self, request: wire.AdmitEntryRequest, context: grpc.ServicerContext
    ) -> wire.AdmitEntryResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        result = self._tournaments.admit(
            caller,
            request.request_id,
            request.tournament_id,
            request.player_id,
        )
        if isinstance(result, Rejection):
            return wire.AdmitEntryResponse(rejected=rejection_message(result))
        return wire.AdmitEntryResponse(tournament=self._tournament(result))

    def RemoveEntry(
        self, request: wire.RemoveEntryRequest, context: grpc.ServicerContext
    ) -> wire.RemoveEntryResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        result = self._tournaments.withdraw(
            caller,
            request.request_id,
            request.tournament_id,
            request.player_id,
            request.reason,
        )
        if isinstance(result, Rejection):
            return wire.RemoveEntryResponse(rejected=rejection_message(result))
        return wire.RemoveEntryResponse(tournament=self._tournament(result))

    def OpenCheckIn(
        self, request: wire.OpenCheckInRequest, context: grpc.ServicerContext
    ) -> wire.OpenCheckInResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        result = self._tournaments.open_check_in(
            caller,
            request.request_id,
            request.tournament_id,
            request.number,
            request.until_time_ms,
        )
        if isinstance(result, Rejection):
            return wire.OpenCheckInResponse(rejected=rejection_message(result))
        return wire.OpenCheckInResponse(tournament=self._tournament(result))

    def PostAnnouncement(
        self, request: wire.PostAnnouncementRequest, context: grpc.ServicerContext
    ) -> wire.PostAnnouncementResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        result = self._tournaments.post(
            caller,
            request.request_id,
            request.tournament_id,
            request.text,
        )
        if isinstance(result, Rejection):
            return wire.PostAnnouncementResponse(rejected=rejection_message(result))
        return wire.PostAnnouncementResponse(tournament=self._tournament(result))

    def GivePenalty(
        self, request: wire.GivePenaltyRequest, context: grpc.ServicerContext
    ) -> wire.GivePenaltyResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        result = self._tournaments.give_penalty(
            caller,
            request.request_id,
            request.tournament_id,
            request.player_id,
            request.points,
            request.reason,
        )
        if isinstance(result, Rejection):
            return wire.GivePenaltyResponse(rejected=rejection_message(result))
        return wire.GivePenaltyResponse(tournament=self._tournament(result))

    def StartStage(
        self, request: wire.StartStageRequest, context: grpc.ServicerContext
    ) -> wire.StartStageResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        result = self._tournaments.start_stage(
            caller,
            request.request_id,
            request.tournament_id,
        )
        if isinstance(result, Rejection):
            return wire.StartStageResponse(rejected=rejection_message(result))
        return wire.StartStageResponse(tournament=self._tournament(result))

    def FinishStage(
        self, request: wire.FinishStageRequest, context: grpc.ServicerContext
    ) -> wire.FinishStageResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        result = self._tournaments.finish_stage(
            caller,
            request.request_id,
            request.tournament_id,
        )
        if isinstance(result, Rejection):
            return wire.FinishStageResponse(rejected=rejection_message(result))
        return wire.FinishStageResponse(tournament=self._tournament(result))

    def ProposeRound(
        self, request: wire.ProposeRoundRequest, context: grpc.ServicerContext
    ) -> wire.ProposeRoundResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        result = self._rounds.propose(
            caller,
            request.request_id,
            request.tournament_id,
        )
        if isinstance(result, Rejection):
            return wire.ProposeRoundResponse(rejected=rejection_message(result))
        return wire.ProposeRoundResponse(round=round_message(result))

    def OverrideRound(
        self, request: wire.OverrideRoundRequest, context: grpc.ServicerContext
    ) -> wire.OverrideRoundResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        result = self._rounds.override(
            caller,
            request.request_id,
            request.round_id,
            [(each.title, tuple(each.seats)) for each in request.tables],
            request.reason,
        )
        if isinstance(result, Rejection):
            return wire.OverrideRoundResponse(rejected=rejection_message(result))
        return wire.OverrideRoundResponse(round=round_message(result))

    def PreviewOverride(
        self, request: wire.PreviewOverrideRequest, context: grpc.ServicerContext
    ) -> wire.PreviewOverrideResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        tables = [(each.title, tuple(each.seats)) for each in request.tables]
        result = self._rounds.preview_override(caller.player_id, request.round_id, tables)
        if isinstance(result, Rejection):
            return wire.PreviewOverrideResponse(rejected=rejection_message(result))
        return wire.PreviewOverrideResponse(proposal=document(result))

    def PublishRound(
        self, request: wire.PublishRoundRequest, context: grpc.ServicerContext
    ) -> wire.PublishRoundResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        result = self._rounds.publish(
            caller,
            request.request_id,
            request.round_id,
            request.publish_time_ms,
            lambda: not context.is_active(),
        )
        if isinstance(result, Rejection):
            return wire.PublishRoundResponse(rejected=rejection_message(result))
        return wire.PublishRoundResponse(round=round_message(result))

    def RecordNoShow(
        self, request: wire.RecordNoShowRequest, context: grpc.ServicerContext
    ) -> wire.RecordNoShowResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        where = (request.request_id, request.round_id, request.table)
        result = self._rounds.record_no_show(caller, *where, request.player_id, request.reason)
        if isinstance(result, Rejection):
            return wire.RecordNoShowResponse(rejected=rejection_message(result))
        return wire.RecordNoShowResponse(round=round_message(result))

    def WithdrawNoShow(
        self, request: wire.WithdrawNoShowRequest, context: grpc.ServicerContext
    ) -> wire.WithdrawNoShowResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        where = (request.request_id, request.round_id, request.table)
        result = self._rounds.withdraw_no_show(caller, *where, request.player_id, request.reason)
        if isinstance(result, Rejection):
            return wire.WithdrawNoShowResponse(rejected=rejection_message(result))
        return wire.WithdrawNoShowResponse(round=round_message(result))

    def RecordSubstitution(
        self, request: wire.RecordSubstitutionRequest, context: grpc.ServicerContext
    ) -> wire.RecordSubstitutionResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        where = (request.request_id, request.round_id, request.table)
        seat = (request.player_id, request.substitute_id, (request.substitute_turns, request.turns))
        result = self._substitutions.record(caller, *where, *seat, request.reason, request.is_bot)
        if isinstance(result, Rejection):
            return wire.RecordSubstitutionResponse(rejected=rejection_message(result))
        return wire.RecordSubstitutionResponse(round=round_message(result))

    def WithdrawSubstitution(
        self, request: wire.WithdrawSubstitutionRequest, context: grpc.ServicerContext
    ) -> wire.WithdrawSubstitutionResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        where = (request.request_id, request.round_id, request.table)
        seat = (request.player_id, request.substitute_id)
        result = self._substitutions.withdraw(caller, *where, *seat, request.reason)
        if isinstance(result, Rejection):
            return wire.WithdrawSubstitutionResponse(rejected=rejection_message(result))
        return wire.WithdrawSubstitutionResponse(round=round_message(result))

    def Adjudicate(
        self, request: wire.AdjudicateRequest, context: grpc.ServicerContext
    ) -> wire.AdjudicateResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        result = self._rounds.adjudicate(
            caller,
            request.request_id,
            request.round_id,
            request.table,
            _ruling(request),
            request.reason,
        )
        if isinstance(result, Rejection):
            return wire.AdjudicateResponse(rejected=rejection_message(result))
        return wire.AdjudicateResponse(round=round_message(result))

    def ConfirmAdjudication(
        self, request: wire.ConfirmAdjudicationRequest, context: grpc.ServicerContext
    ) -> wire.ConfirmAdjudicationResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        result = self._rounds.confirm_adjudication(
            caller,
            request.request_id,
            request.round_id,
            request.table,
            request.adjudication,
        )
        if isinstance(result, Rejection):
            return wire.ConfirmAdjudicationResponse(rejected=rejection_message(result))
        return wire.ConfirmAdjudicationResponse(round=round_message(result))

    def DecideAppeal(
        self, request: wire.DecideAppealRequest, context: grpc.ServicerContext
    ) -> wire.DecideAppealResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        result = self._rounds.decide_appeal(
            caller,
            request.request_id,
            request.round_id,
            request.table,
            request.adjudication,
            request.is_upheld,
            request.reason,
        )
        if isinstance(result, Rejection):
            return wire.DecideAppealResponse(rejected=rejection_message(result))
        return wire.DecideAppealResponse(round=round_message(result))

    def GetEvidence(
        self, request: wire.GetEvidenceRequest, context: grpc.ServicerContext
    ) -> wire.GetEvidenceResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        found = self._evidence.of_table(caller.player_id, request.round_id, request.table, request.run_count)
        return evidence_message(found)

    def _tournament(self, tournament: Tournament) -> pb.Tournament:
        return tournament_message(tournament, self._reader.round_counts(tournament.tournament_id))


def _ruling(request: wire.AdjudicateRequest) -> Ruling:
    moved = request.transfer
    return Ruling(
        kind=_kind(request.kind),
        awards=tuple(Award(each.player_id, each.points) for each in request.awards),
        sequence=request.sequence,
        transfer=MoneyTransfer(moved.source, moved.target, moved.amount, moved.subject),
        worths=tuple(FinalWorth(each.player_id, each.worth) for each in request.worths),
        expected_sequence=request.expected_sequence,
    )


def _kind(number: pb.AdjudicationKind) -> AdjudicationKind:
    try:
        return AdjudicationKind(enum_value(pb.AdjudicationKind.DESCRIPTOR, number))
    except ValueError:
        raise InvalidRequest("kind is not known") from None
