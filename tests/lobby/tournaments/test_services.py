"""`Tournaments` and `TournamentDesk` over gRPC."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from copy import copy

import grpc
import pytest
from google.protobuf.message import Message
from msgspec.structs import replace

from services.gen.signalbox.lobby.v1 import (
    lobby_service_pb2,
    rejection_pb2,
    tournament_desk_service_pb2 as desk_pb,
    tournament_pb2 as pb,
    tournaments_service_pb2 as wire,
)
from services.gen.signalbox.lobby.v1.lobby_service_pb2_grpc import LobbyServiceStub
from services.gen.signalbox.lobby.v1.tournament_desk_service_pb2_grpc import TournamentDeskStub
from services.gen.signalbox.lobby.v1.tournaments_service_pb2_grpc import TournamentsStub
from services.lobby import pages
from services.lobby.domain.tournaments.charter import charter_digest, charter_json
from services.lobby.domain.tournaments.exports.tournament_file import check_file, read_file
from services.lobby.domain.tournaments.formats.stages import Swiss
from tests.lobby.conftest import Metadata
from tests.lobby.scoring import recompute
from tests.lobby.tournaments.club import EXTERNAL, charter_of

SignIn = Callable[[str], Metadata]
CHARTER = charter_of(Swiss(1), titles=(EXTERNAL,))
EVENTS = 15


class Guest:
    """A signed-in person."""

    def __init__(self, channel: grpc.Channel, signed_in: SignIn, name: str) -> None:
        self.metadata = signed_in(name)
        self.events, self.desk = TournamentsStub(channel), TournamentDeskStub(channel)
        self._lobby = LobbyServiceStub(channel)
        session = self._lobby.LogIn(
            lobby_service_pb2.LogInRequest(name=name, password="correct horse")
        ).session
        self.player_id = session.player.player_id
        self._requests = 0

    def limited(self, scope: str) -> Guest:
        """The same person with a token that is limited to a scope."""
        asked = lobby_service_pb2.MakeApiTokenRequest(scopes=[scope])
        made = self._lobby.MakeApiToken(asked, metadata=self.metadata)
        limited = copy(self)
        limited.metadata = (("authorization", f"Bearer {made.token}"),)
        return limited

    def _request_id(self) -> str:
        self._requests += 1
        return f"r{self._requests}"

    def ask(self, method: str, **fields: object):  # type: ignore[no-untyped-def]
        """Call a method of either service; a changing one gets a new request id."""
        module, stub = (desk_pb, self.desk) if hasattr(self.desk, method) else (wire, self.events)
        request = getattr(module, f"{method}Request")(**fields)
        if "request_id" in request.DESCRIPTOR.fields_by_name and not request.request_id:
            request.request_id = self._request_id()
        return getattr(stub, method)(request, metadata=self.metadata)


@pytest.fixture
def guests(channel: grpc.Channel, signed_in: SignIn) -> list[Guest]:
    """A director and four players."""
    return [Guest(channel, signed_in, name) for name in ("Dora", "Ann", "Bob", "Cy", "Dan")]


def reason(response) -> str:  # type: ignore[no-untyped-def]
    """Why something was rejected."""
    assert response.WhichOneof("outcome") == "rejected", response
    assert response.rejected.sentence
    return rejection_pb2.RejectionReason.Name(response.rejected.reason).removeprefix("REJECTION_REASON_")


def played(guests: list[Guest]) -> tuple[str, str]:
    """A whole tournament of one external table, one result of which is adjudicated; its id and that of its round."""
    director, *players = guests
    event = director.ask("CreateTournament", charter=charter_json(CHARTER)).tournament
    named = {"tournament_id": event.tournament_id}
    director.ask("SetEntries", are_open=True, **named)
    for number, player in enumerate(players):
        player.ask("EnterTournament", preferences=["over the board"], hours=[number], **named)
    director.ask("PostAnnouncement", text="Lunch at noon", **named)
    director.ask("StartStage", **named)
    drawn = director.ask("ProposeRound", **named).round
    round_id = drawn.round_id
    assert json.loads(drawn.proposal)["problem_digest"] == drawn.problem_digest
    published = director.ask("PublishRound", round_id=round_id).round
    (table,) = published.tables
    by_id = {each.player_id: each for each in players}
    first, second, *_ = (by_id[seat] for seat in table.table.seats)
    worths = [
        wire.PlayerWorth(player_id=seat, worth=1000 + 10 * number)
        for number, seat in enumerate(table.table.seats)
    ]
    first.ask("ReportResult", round_id=round_id, table=1, worths=worths)
    confirmed = second.ask("ConfirmResult", round_id=round_id, table=1, worths=worths).round.tables[0]
    assert (confirmed.is_settled, confirmed.is_verified) == (True, False)
    assert confirmed.result.ending == pb.RESULT_ENDING_EXTERNAL
    director.ask("FinishStage", **named)
    return event.tournament_id, round_id


def test_a_tournament_from_its_charter_to_its_standings(guests: list[Guest]) -> None:
    """Every step over the wire; standings have names and reasons, the files recompute."""
    event_id, round_id = played(guests)
    event = guests[1].ask("GetTournament", tournament_id=event_id).tournament
    assert (event.is_finished, event.active_count, event.charter_version) == (True, 4, 1)
    assert event.charter_digest == charter_digest(CHARTER)
    assert event.announcements[0].text == "Lunch at noon"
    assert event.stages[0].round_count == 1
    standings = guests[1].ask("GetStandings", tournament_id=event_id, page_size=3)
    assert standings.digest == event.stages[0].standings_digest
    assert [line.rank for line in standings.lines] == [1, 2, 3]
    assert standings.lines[0].explanation == "points 5"
    rest = guests[1].ask("GetStandings", tournament_id=event_id, page_token=standings.next_page_token)
    assert [line.player.player_id for line in (*standings.lines, *rest.lines)] == list(event.ranking)
    assert rest.next_page_token == ""
    entries = guests[1].ask("ListEntries", tournament_id=event_id).entries
    (own,) = guests[1].ask("ListEntries", tournament_id=event_id, player_id=guests[2].player_id).entries
    assert own == entries[1]
    assert [(each.player.name, list(each.hours)) for each in entries][:2] == [("Ann", [0]), ("Bob", [1])]
    listed = guests[1].ask("ListRounds", tournament_id=event_id).rounds
    assert [each.round_id for each in listed] == [round_id]
    assert guests[1].ask("GetRound", round_id=round_id).round == listed[0]
    assert [each.tournament_id for each in guests[1].ask("ListTournaments").tournaments] == [event_id]
    assert guests[1].ask("GetLeaderboard").lines == []


def test_the_files_of_a_tournament(guests: list[Guest]) -> None:
    """JSON that checks itself, CSV that an independent script reproduces, a calendar, sheets."""
    event_id, _ = played(guests)

    def file(kind: str) -> tuple[str, bytes]:
        answer = guests[0].ask("ExportTournament", tournament_id=event_id, format=f"EXPORT_FORMAT_{kind}")
        return answer.name, answer.content

    name, content = file("JSON")
    assert name == f"{event_id}.json"
    check_file(read_file(content))
    archive = zipfile.ZipFile(io.BytesIO(file("CSV")[1]))
    assert archive.read("names.csv").decode().startswith("player,name\n")
    staged = [each for each in archive.namelist() if "/" in each]
    files = {each.split("/")[1]: archive.read(each).decode() for each in staged}
    assert recompute.recomputed(files) == recompute.given(files)
    calendar = file("ICALENDAR")[1].decode()
    assert calendar.startswith("BEGIN:VCALENDAR\r\n")
    assert "SUMMARY:Spring cup: stage 0\\, round 1\r\n" in calendar
    assert all(len(line.encode()) <= 75 for line in calendar.split("\r\n"))
    assert "(not verified here)" in file("SHEETS")[1].decode()


def test_refusals_over_the_wire(guests: list[Guest]) -> None:
    """Each by its reason; a missing token by the status."""
    director, ann, *_ = guests
    assert reason(director.ask("CreateTournament", charter="{}")) == "CHARTER_MALFORMED"
    event = director.ask("CreateTournament", charter=charter_json(CHARTER)).tournament
    named = {"tournament_id": event.tournament_id}
    assert reason(ann.ask("StartStage", **named)) == "NOT_DIRECTOR"
    assert reason(ann.ask("EnterTournament", **named)) == "ENTRIES_CLOSED"
    director.ask("SetEntries", are_open=True, **named)
    entered = ann.ask("EnterTournament", request_id="once", **named)
    assert ann.ask("EnterTournament", request_id="once", **named) == entered
    assert reason(ann.ask("EnterTournament", **named)) == "ALREADY_ENTERED"
    with pytest.raises(grpc.RpcError) as caught:
        ann.events.EnterTournament(wire.EnterTournamentRequest(request_id="x", **named))
    assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED
    given = director.ask("SetRole", player_id="ann", role=pb.TOURNAMENT_ROLE_SCORER, is_given=True, **named)
    assert [each.name for each in given.tournament.scorers] == ["Ann"]
    for method, fields, status in (
        ("GetTournament", {"tournament_id": "nothing"}, grpc.StatusCode.NOT_FOUND),
        ("GetRound", {"round_id": f"{event.tournament_id}.0.1"}, grpc.StatusCode.NOT_FOUND),
        ("GetRound", {"round_id": "nothing"}, grpc.StatusCode.INVALID_ARGUMENT),
        ("GetRound", {"round_id": f"{event.tournament_id}.0.01"}, grpc.StatusCode.INVALID_ARGUMENT),
        ("ExportTournament", {**named, "format": 99}, grpc.StatusCode.INVALID_ARGUMENT),
        ("Adjudicate", {"round_id": "x.0.1", "kind": 0}, grpc.StatusCode.INVALID_ARGUMENT),
        ("GetStandings", {**named, "stage": 0}, grpc.StatusCode.NOT_FOUND),
        ("ListTournaments", {"page_size": 101}, grpc.StatusCode.INVALID_ARGUMENT),
        ("ListTournaments", {"page_token": "x"}, grpc.StatusCode.INVALID_ARGUMENT),
        ("SetRole", {**named, "player_id": ann.player_id}, grpc.StatusCode.INVALID_ARGUMENT),
        ("SetEntries", {**named, "request_id": "not an id"}, grpc.StatusCode.INVALID_ARGUMENT),
    ):
        with pytest.raises(grpc.RpcError) as caught:
            director.ask(method, **fields)
        assert caught.value.code() is status, method


def test_only_directors_see_drafts_and_evidence(guests: list[Guest]) -> None:
    """The evidence names each seat."""
    director, *players = guests
    event = director.ask("CreateTournament", charter=charter_json(CHARTER)).tournament
    named = {"tournament_id": event.tournament_id}
    director.ask("SetEntries", are_open=True, **named)
    for player in players:
        player.ask("EnterTournament", **named)
    director.ask("StartStage", **named)
    draft = director.ask("ProposeRound", **named).round
    assert director.ask("ListRounds", **named).rounds == [draft]
    assert players[0].ask("ListRounds", **named).rounds == []
    director.ask("PublishRound", round_id=draft.round_id)
    evidence = director.ask("GetEvidence", round_id=draft.round_id, table=1)
    assert len(evidence.seats) == 4
    with pytest.raises(grpc.RpcError) as caught:
        players[0].ask("GetEvidence", round_id=draft.round_id, table=1)
    assert caught.value.code() is grpc.StatusCode.PERMISSION_DENIED


def test_a_limited_token_of_a_director_sees_drafts_only_to_direct(guests: list[Guest]) -> None:
    """One for a bot reads what everybody reads."""
    director, *players = guests
    event = director.ask("CreateTournament", charter=charter_json(CHARTER)).tournament
    named = {"tournament_id": event.tournament_id}
    director.ask("SetEntries", are_open=True, **named)
    for player in players:
        player.ask("EnterTournament", **named)
    director.ask("StartStage", **named)
    draft = director.ask("ProposeRound", **named).round
    playing, directing = director.limited("bot:play"), director.limited("tournament:direct")
    assert playing.ask("ListRounds", **named).rounds == []
    with pytest.raises(grpc.RpcError) as caught:
        playing.ask("GetRound", round_id=draft.round_id)
    assert caught.value.code() is grpc.StatusCode.NOT_FOUND
    assert directing.ask("ListRounds", **named).rounds == [draft]
    assert directing.ask("GetRound", round_id=draft.round_id).round == draft
    director.ask("PublishRound", round_id=draft.round_id)
    assert playing.ask("GetRound", round_id=draft.round_id).round.is_published


def test_other_tables_are_priced_without_being_set(guests: list[Guest]) -> None:
    """The preview costs what the override then costs; tables that cannot be set are rejected, and players learn nothing."""
    director, *players = guests
    event = director.ask("CreateTournament", charter=charter_json(CHARTER)).tournament
    named = {"tournament_id": event.tournament_id}
    director.ask("SetEntries", are_open=True, **named)
    for player in players:
        player.ask("EnterTournament", **named)
    director.ask("StartStage", **named)
    draft = director.ask("ProposeRound", **named).round
    seats = json.loads(draft.proposal)["tables"][0]["seats"][::-1]
    asked = {
        "round_id": draft.round_id,
        "tables": [desk_pb.TableOverride(title="over the board", seats=seats)],
    }
    previewed = json.loads(director.ask("PreviewOverride", **asked).proposal)
    assert previewed["tables"][0]["seats"] == seats
    assert director.ask("GetRound", round_id=draft.round_id).round == draft
    overridden = json.loads(director.ask("OverrideRound", reason="a lift home", **asked).round.proposal)
    assert (overridden["tables"], overridden["cost"]) == (previewed["tables"], previewed["cost"])
    assert reason(players[0].ask("PreviewOverride", **asked)) == "NOT_DIRECTOR"
    short = [desk_pb.TableOverride(title="over the board", seats=seats[:3])]
    answer = director.ask("PreviewOverride", round_id=draft.round_id, tables=short)
    assert reason(answer) == "PLAYER_MISSING"
    director.ask("PublishRound", round_id=draft.round_id)
    assert reason(director.ask("PreviewOverride", **asked)) == "ROUND_PUBLISHED"


def test_long_events_leave_the_list_readable(guests: list[Guest]) -> None:
    """A page ends by bytes too; its token goes on until all are listed once."""
    director, reader, *_ = guests
    charter = charter_json(replace(CHARTER, text="\N{STEAM LOCOMOTIVE}" * 20_000))
    made = [director.ask("CreateTournament", charter=charter).tournament.tournament_id for _ in range(EVENTS)]
    listed: list[str] = []
    token = ""
    while token or not listed:
        page = reader.ask("ListTournaments", page_token=token)
        assert page.ByteSize() < 1_000_000 + 1_000
        listed += [each.tournament_id for each in page.tournaments]
        token = page.next_page_token
    assert listed == made[::-1]


def test_an_event_longer_than_a_page_is_listed(guests: list[Guest], monkeypatch: pytest.MonkeyPatch) -> None:
    """By itself, so that readers get on to the others."""
    director, reader, *_ = guests
    made = [
        director.ask("CreateTournament", charter=charter_json(CHARTER)).tournament.tournament_id
        for _ in range(2)
    ]
    monkeypatch.setattr(pages, "PAGE_BYTES_MAX", 1)
    first = reader.ask("ListTournaments")
    second = reader.ask("ListTournaments", page_token=first.next_page_token)
    assert [each.tournament_id for page in (first, second) for each in page.tournaments] == made[::-1]
    assert second.next_page_token == ""


def test_preset_scoring_systems_fit_into_charters(guests: list[Guest]) -> None:
    """Each is what `scoring.system` takes."""
    systems = guests[1].ask("ListScoringSystems").systems
    assert "place" in [each.name for each in systems]
    for each in systems:
        charter = json.loads(charter_json(CHARTER))
        charter["scoring"]["system"] = json.loads(each.system)
        answer = guests[0].ask("CreateTournament", charter=json.dumps(charter))
        assert answer.WhichOneof("outcome") == "tournament", (each.name, answer.rejected.sentence)


def test_each_list_about_an_event_ends_a_page_by_bytes(
    guests: list[Guest], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Players, rounds and standings, too: one on a page at least, and each once."""
    director, *players = guests
    charter = charter_json(charter_of(Swiss(2), titles=(EXTERNAL,)))
    event_id = director.ask("CreateTournament", charter=charter).tournament.tournament_id
    director.ask("SetEntries", tournament_id=event_id, are_open=True)
    for player in players:
        player.ask("EnterTournament", tournament_id=event_id)
    director.ask("StartStage", tournament_id=event_id)
    for _ in range(2):
        draft = director.ask("ProposeRound", tournament_id=event_id).round
        published = director.ask("PublishRound", round_id=draft.round_id).round
        director.ask(
            "Adjudicate",
            round_id=published.round_id,
            table=1,
            kind=pb.ADJUDICATION_KIND_VOID,
            reason="the pub was shut",
        )
    monkeypatch.setattr(pages, "PAGE_BYTES_MAX", 1)
    for method, field, many in (
        ("ListEntries", "entries", 4),
        ("ListRounds", "rounds", 2),
        ("GetStandings", "lines", 4),
    ):
        whole = pages_of(players[0], method, field, tournament_id=event_id)
        assert [len(page) for page in whole] == [1] * many
        assert len({each.SerializeToString() for (each,) in whole}) == many


def pages_of(reader: Guest, method: str, field: str, **named: str) -> list[list[Message]]:
    """All pages of a list."""
    found: list[list[Message]] = []
    token = ""
    while token or not found:
        page = reader.ask(method, page_token=token, **named)
        found.append(list(getattr(page, field)))
        token = page.next_page_token
    return found
