"""Clients of tournaments: for players and everybody else, and for directors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from google.protobuf.descriptor import ServiceDescriptor

from services.client.calls import Caller, new_request_id
from services.client.lobby import raise_rejection
from services.client.retries import RIDE_OVER, Retries
from services.gen.signalbox.lobby.v1 import (
    tournament_desk_service_pb2 as desk_pb,
    tournament_pb2 as pb,
    tournament_round_pb2 as round_pb,
    tournament_series_pb2 as series_pb,
    tournament_series_service_pb2 as series_wire,
    tournaments_service_pb2 as wire,
)
from services.gen.signalbox.lobby.v1.tournament_desk_service_pb2_grpc import TournamentDeskStub
from services.gen.signalbox.lobby.v1.tournament_series_service_pb2_grpc import TournamentSeriesStub
from services.gen.signalbox.lobby.v1.tournaments_service_pb2_grpc import TournamentsStub

TOURNAMENTS = wire.DESCRIPTOR.services_by_name["Tournaments"]
SERIES = series_wire.DESCRIPTOR.services_by_name["TournamentSeries"]
DESK = desk_pb.DESCRIPTOR.services_by_name["TournamentDesk"]
# Pairing plans the rounds of a small event ahead.
PATIENT = Retries(seconds=120.0, attempt_seconds=60.0)
PAGE_SIZE = 100


class _Requests:
    """Calls of one service; every changing request gets an id of its own."""

    def __init__(
        self,
        address: str,
        service: ServiceDescriptor,
        module: Any,
        stub: Callable[..., Any],
        token: str,
        retries: Retries,
    ) -> None:
        self._caller = Caller(address, service, token, retries=retries)
        self._stub = stub(self._caller.channel)
        self._module = module

    def close(self) -> None:
        """Close the channel."""
        self._caller.close()

    def _read(self, method: str, **fields: Any) -> Any:
        request = getattr(self._module, f"{method}Request")(**fields)
        answer = getattr(self._module, f"{method}Response")
        return self._caller.call(getattr(self._stub, method), request, answer)

    def _pages(self, method: str, **fields: Any) -> Iterator[Any]:
        token = ""
        while True:
            page = self._read(method, page_size=PAGE_SIZE, page_token=token, **fields)
            yield page
            token = page.next_page_token
            if not token:
                return

    def _tournament(self, method: str, **fields: Any) -> pb.Tournament:
        response = self._read(method, request_id=new_request_id(), **fields)
        raise_rejection(response)
        changed: pb.Tournament = response.tournament
        return changed

    def _round(self, method: str, **fields: Any) -> round_pb.Round:
        response = self._read(method, request_id=new_request_id(), **fields)
        raise_rejection(response)
        changed: round_pb.Round = response.round
        return changed


NOBODY: Mapping[str, int] = MappingProxyType({})


class Tournaments(_Requests):
    """Tournaments for one player, or without a token for reading alone. Changing methods raise `Rejected`."""

    def __init__(self, address: str, token: str = "", retries: Retries = RIDE_OVER) -> None:
        super().__init__(address, TOURNAMENTS, wire, TournamentsStub, token, retries)

    def enter(
        self, tournament_id: str, preferences: Sequence[str] = (), hours: Sequence[int] = ()
    ) -> pb.Tournament:
        """Enter, perhaps only on the waiting list; titles preferred first, hours of the week in UTC."""
        return self._tournament(
            "EnterTournament", tournament_id=tournament_id, preferences=preferences, hours=hours
        )

    def withdraw(self, tournament_id: str, reason: str = "") -> pb.Tournament:
        """Withdraw."""
        return self._tournament("WithdrawEntry", tournament_id=tournament_id, reason=reason)

    def check_in(self, tournament_id: str) -> pb.Tournament:
        """Check in for the round whose check-in is open."""
        return self._tournament("CheckIn", tournament_id=tournament_id)

    def refuse_place(self, tournament_id: str, stage: int) -> pb.Tournament:
        """Refuse a place in a later stage."""
        return self._tournament("RefusePlace", tournament_id=tournament_id, stage=stage)

    def report(
        self, round_id: str, table: int, worths: Mapping[str, int], orders: Mapping[str, int] = NOBODY
    ) -> round_pb.Round:
        """Report the result of an external table: the worth of each player, and the order of bankruptcies from 1."""
        return self._round("ReportResult", round_id=round_id, table=table, worths=_given(worths, orders))

    def confirm(
        self, round_id: str, table: int, worths: Mapping[str, int], orders: Mapping[str, int] = NOBODY
    ) -> round_pb.Round:
        """Confirm a reported result, which has these worths and bankruptcies."""
        return self._round("ConfirmResult", round_id=round_id, table=table, worths=_given(worths, orders))

    def appeal(self, round_id: str, table: int, adjudication: int, text: str) -> round_pb.Round:
        """Appeal against the adjudication of this number on a table."""
        return self._round("FileAppeal", round_id=round_id, table=table, adjudication=adjudication, text=text)

    def tournament(self, tournament_id: str) -> pb.Tournament:
        """A tournament as it is now."""
        found: pb.Tournament = self._read("GetTournament", tournament_id=tournament_id).tournament
        return found

    def all(self) -> list[pb.Tournament]:
        """All tournaments, the newest first."""
        return [each for page in self._pages("ListTournaments") for each in page.tournaments]

    def entries(self, tournament_id: str) -> list[pb.TournamentPlayerEntry]:
        """The players of a tournament."""
        pages = self._pages("ListEntries", tournament_id=tournament_id)
        return [each for page in pages for each in page.entries]

    def rounds(self, tournament_id: str) -> list[round_pb.Round]:
        """The rounds of a tournament that the caller may see."""
        pages = self._pages("ListRounds", tournament_id=tournament_id)
        return [each for page in pages for each in page.rounds]

    def round(self, round_id: str) -> round_pb.Round:
        """A round as it is now."""
        found: round_pb.Round = self._read("GetRound", round_id=round_id).round
        return found

    def standings(self, tournament_id: str, stage: int) -> list[wire.StandingsLine]:
        """The standings of a stage, from 0."""
        pages = self._pages("GetStandings", tournament_id=tournament_id, stage=stage)
        return [each for page in pages for each in page.lines]

    def leaderboard(self, board: str = "") -> list[wire.LeaderboardLine]:
        """A leaderboard: `overall`, `title NAME` or `players NUMBER`."""
        return [each for page in self._pages("GetLeaderboard", board=board) for each in page.lines]

    def export(self, tournament_id: str, file_format: wire.ExportFormat) -> tuple[str, bytes]:
        """Name and content of a file."""
        answer = self._read("ExportTournament", tournament_id=tournament_id, format=file_format)
        return answer.name, answer.content


class Series(_Requests):
    """Series of seasons for one player, or without a token for reading alone. Changing methods raise `Rejected`."""

    def __init__(self, address: str, token: str = "", retries: Retries = RIDE_OVER) -> None:
        super().__init__(address, SERIES, series_wire, TournamentSeriesStub, token, retries)

    def all(self) -> Iterator[series_pb.Series]:
        """All series, the newest first."""
        for page in self._pages("ListSeries"):
            yield from page.series

    def get(self, series_id: str) -> series_pb.Series:
        """One series."""
        found: series_pb.Series = self._read("GetSeries", series_id=series_id).series
        return found

    def create(
        self, name: str, rule: series_pb.SeasonRule, divisions: Sequence[Sequence[str]]
    ) -> series_pb.Series:
        """Set up a series; players by id or name, the highest division first. They are invited: see `join`."""
        given = [series_pb.Division(players=division) for division in divisions]
        return self._series("CreateSeries", name=name, rule=rule, divisions=given)

    def join(self, series_id: str) -> series_pb.Series:
        """Agree to play the seasons that begin later."""
        return self._series("JoinSeries", series_id=series_id)

    def leave(self, series_id: str) -> series_pb.Series:
        """Play no further season; one that runs is played on."""
        return self._series("LeaveSeries", series_id=series_id)

    def change_members(
        self, series_id: str, newcomers: Sequence[str] = (), leaving: Sequence[str] = ()
    ) -> series_pb.Series:
        """Invite players and take members out, between seasons; players by id or name."""
        return self._series("ChangeMembers", series_id=series_id, newcomers=newcomers, leaving=leaving)

    def open_season(self, series_id: str, charter: str) -> series_pb.Series:
        """Begin the next season by a charter in JSON, for those who have agreed to play."""
        return self._series("OpenSeason", series_id=series_id, charter=charter)

    def close_season(
        self, series_id: str, newcomers: Sequence[str] = (), leaving: Sequence[str] = ()
    ) -> series_pb.Series:
        """End the season; players by id or name."""
        return self._series("CloseSeason", series_id=series_id, newcomers=newcomers, leaving=leaving)

    def export(self, series_id: str, kind: int = 0) -> tuple[str, bytes]:
        """Name and content of a file; `kind` is a value of `ExportFormat`: JSON or CSV."""
        answer = self._read("ExportSeries", series_id=series_id, format=kind)
        return answer.name, answer.content

    def _series(self, method: str, **fields: Any) -> series_pb.Series:
        response = self._read(method, request_id=new_request_id(), **fields)
        raise_rejection(response)
        changed: series_pb.Series = response.series
        return changed


class TournamentDesk(_Requests):
    """Tournaments for one director. Every method raises `Rejected`, `NOT_DIRECTOR` for others."""

    def __init__(self, address: str, token: str, retries: Retries = PATIENT) -> None:
        super().__init__(address, DESK, desk_pb, TournamentDeskStub, token, retries)

    def create(self, charter: str) -> pb.Tournament:
        """Set up a tournament by a charter in JSON."""
        return self._tournament("CreateTournament", charter=charter)

    def amend(self, tournament_id: str, charter: str, charter_version: int, reason: str) -> pb.Tournament:
        """Replace the charter of that version."""
        return self._tournament(
            "AmendCharter",
            tournament_id=tournament_id,
            charter=charter,
            charter_version=charter_version,
            reason=reason,
        )

    def set_role(self, tournament_id: str, player_id: str, role: int, is_given: bool) -> pb.Tournament:
        """Give or take a role, a value of `TournamentRole`."""
        return self._tournament(
            "SetRole", tournament_id=tournament_id, player_id=player_id, role=role, is_given=is_given
        )

    def set_entries(self, tournament_id: str, are_open: bool) -> pb.Tournament:
        """Open or close the entries."""
        return self._tournament("SetEntries", tournament_id=tournament_id, are_open=are_open)

    def admit(self, tournament_id: str, player_id: str) -> pb.Tournament:
        """Take a player from the waiting list."""
        return self._tournament("AdmitEntry", tournament_id=tournament_id, player_id=player_id)

    def remove(self, tournament_id: str, player_id: str, reason: str) -> pb.Tournament:
        """Take a player out."""
        return self._tournament(
            "RemoveEntry", tournament_id=tournament_id, player_id=player_id, reason=reason
        )

    def open_check_in(self, tournament_id: str, number: int, until_time_ms: int) -> pb.Tournament:
        """Open the check-in for a round."""
        return self._tournament(
            "OpenCheckIn", tournament_id=tournament_id, number=number, until_time_ms=until_time_ms
        )

    def post(self, tournament_id: str, text: str) -> pb.Tournament:
        """Show a text to everybody."""
        return self._tournament("PostAnnouncement", tournament_id=tournament_id, text=text)

    def penalty(self, tournament_id: str, player_id: str, points: int, reason: str) -> pb.Tournament:
        """Take millionths of a point from a player."""
        return self._tournament(
            "GivePenalty", tournament_id=tournament_id, player_id=player_id, points=points, reason=reason
        )

    def start_stage(self, tournament_id: str) -> pb.Tournament:
        """Begin the next stage."""
        return self._tournament("StartStage", tournament_id=tournament_id)

    def finish_stage(self, tournament_id: str) -> pb.Tournament:
        """End the stage that runs."""
        return self._tournament("FinishStage", tournament_id=tournament_id)

    def propose(self, tournament_id: str) -> round_pb.Round:
        """Pair the next round."""
        return self._round("ProposeRound", tournament_id=tournament_id)

    def override(
        self, round_id: str, tables: Sequence[tuple[str, Sequence[str]]], reason: str
    ) -> round_pb.Round:
        """Set other tables: the title and the seats of each."""
        given = [desk_pb.TableOverride(title=title, seats=seats) for title, seats in tables]
        return self._round("OverrideRound", round_id=round_id, tables=given, reason=reason)

    def publish(self, round_id: str, publish_time_ms: int = 0) -> round_pb.Round:
        """Publish a round, now or at a time."""
        return self._round("PublishRound", round_id=round_id, publish_time_ms=publish_time_ms)

    def no_show(self, round_id: str, table: int, player_id: str, reason: str) -> round_pb.Round:
        """Record that a player was missing."""
        return self._round("RecordNoShow", round_id=round_id, table=table, player_id=player_id, reason=reason)

    def withdraw_no_show(self, round_id: str, table: int, player_id: str, reason: str) -> round_pb.Round:
        """Take back that a player was missing."""
        given = {"round_id": round_id, "table": table, "player_id": player_id, "reason": reason}
        return self._round("WithdrawNoShow", **given)

    def withdraw_substitution(
        self, round_id: str, table: int, player_id: str, substitute_id: str, reason: str
    ) -> round_pb.Round:
        """Take back that somebody was a substitute."""
        given = {"round_id": round_id, "table": table, "player_id": player_id, "reason": reason}
        return self._round("WithdrawSubstitution", substitute_id=substitute_id, **given)

    def substitute(
        self,
        round_id: str,
        table: int,
        player_id: str,
        substitute_id: str,
        reason: str,
        substitute_turns: int = 0,
        turns: int = 0,
        is_bot: bool = False,
    ) -> round_pb.Round:
        """Give a seat to a substitute, or to a bot of the house; repeated with the turns it changes those alone."""
        return self._round(
            "RecordSubstitution",
            round_id=round_id,
            table=table,
            player_id=player_id,
            substitute_id=substitute_id,
            substitute_turns=substitute_turns,
            turns=turns,
            reason=reason,
            is_bot=is_bot,
        )

    def adjudicate(
        self,
        round_id: str,
        table: int,
        kind: int,
        reason: str,
        awards: Mapping[str, int] | None = None,
        sequence: int = 0,
        transfer: pb.MoneyTransfer | None = None,
        worths: Mapping[str, int] | None = None,
        expected_sequence: int = 0,
    ) -> round_pb.Round:
        """Rule on a table; `kind` is a value of `AdjudicationKind`. `awards`: millionths of a point by player; `worths`:
        with which an award ends the game; `expected_sequence`: of the position that was looked at, where the game changes."""
        ends = [pb.FinalWorth(player_id=player, worth=worth) for player, worth in (worths or {}).items()]
        given = [pb.Award(player_id=player, points=points) for player, points in (awards or {}).items()]
        return self._round(
            "Adjudicate",
            round_id=round_id,
            table=table,
            kind=kind,
            awards=given,
            sequence=sequence,
            reason=reason,
            transfer=transfer,
            worths=ends,
            expected_sequence=expected_sequence,
        )

    def confirm_adjudication(self, round_id: str, table: int, adjudication: int) -> round_pb.Round:
        """Confirm the latest adjudication of another director, which has this number."""
        return self._round("ConfirmAdjudication", round_id=round_id, table=table, adjudication=adjudication)

    def decide_appeal(
        self, round_id: str, table: int, adjudication: int, is_upheld: bool, reason: str
    ) -> round_pb.Round:
        """Decide an appeal against the adjudication of this number."""
        return self._round(
            "DecideAppeal",
            round_id=round_id,
            table=table,
            adjudication=adjudication,
            is_upheld=is_upheld,
            reason=reason,
        )

    def evidence(self, round_id: str, table: int, run_count: int = 0) -> desk_pb.GetEvidenceResponse:
        """What an adjudication can rest on."""
        asked = {"round_id": round_id, "table": table, "run_count": run_count}
        found: desk_pb.GetEvidenceResponse = self._read("GetEvidence", **asked)
        return found


def _given(worths: Mapping[str, int], orders: Mapping[str, int]) -> list[wire.PlayerWorth]:
    return [
        wire.PlayerWorth(player_id=player, worth=worth, bankrupt_order=orders.get(player, 0))
        for player, worth in worths.items()
    ]
