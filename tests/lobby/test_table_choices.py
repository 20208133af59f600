"""What the lobby does with choices that cannot be played, over gRPC."""

from __future__ import annotations

import grpc

from services.common.eventlog.memory import MemoryEventLog
from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as wire, table_pb2
from services.gen.signalbox.lobby.v1.lobby_service_pb2_grpc import LobbyServiceStub
from services.lobby.bootstrap import Lobby
from services.lobby.domain.catalogue import TitleRefusal
from services.lobby.handlers.tables import ResumedTables
from services.lobby.ports import GameStartRefused
from tests.lobby.fakes import FixedCatalogue, RecordingStarter
from tests.lobby.test_service import SignIn, create, join, reason, start, status_of


def test_a_rejection_lists_what_there_is(stub: LobbyServiceStub, signed_in: SignIn) -> None:
    """Titles, player counts, options with so many players, profiles, rulings and their values."""
    ann = signed_in("Ann")

    def sentence(**chosen: object) -> str:
        return create(stub, ann, **chosen).rejected.sentence  # type: ignore[arg-type]

    unknown = wire.CreateTableRequest(request_id="c2", title="1899", player_count=3)
    assert "Titles: 1824." in stub.CreateTable(unknown, metadata=ann).rejected.sentence
    assert "2, 3, 4" in sentence(player_count=9)
    assert "Options of 1824 for 2 players: long_game." in sentence(options=["steam"])
    assert "Options of 1824 for 2 players: long_game." in sentence(options=["goods_time"])
    assert "Profiles: 18xx.games" in sentence(ruling_profile="house")
    ruling = table_pb2.RulingChoice(ruling_id="lap", value="x")
    assert "Rulings: first_lap, export." in sentence(rulings=[ruling])
    ruling.ruling_id = "export"
    assert "Values: rulebook, none." in sentence(rulings=[ruling])


def test_what_the_title_does_not_play_together_is_rejected(
    stub: LobbyServiceStub, signed_in: SignIn, log: MemoryEventLog
) -> None:
    """By the title's own check, with the clause and what there is; nothing is written."""
    ann = signed_in("Ann")
    before = log.last_position()
    answer = create(stub, ann, player_count=3, options=["goods_time", "long_game"])
    assert reason(answer) == "OPTIONS_NOT_PLAYABLE"
    assert answer.rejected.clause == "1824/XII.1-a"
    assert "goods_time excludes long_game" in answer.rejected.sentence
    assert "Options of 1824 for 3 players: goods_time, long_game." in answer.rejected.sentence
    assert log.last_position() == before


def test_a_title_that_changed_since_leaves_the_table_open(
    stub: LobbyServiceStub, signed_in: SignIn, catalogue: FixedCatalogue
) -> None:
    """The start is rejected before the seats are drawn, and the owner can leave."""
    ann = signed_in("Ann")
    table_id = create(stub, ann).table.table_id
    join(stub, signed_in("Bob"), table_id)
    catalogue.refused = TitleRefusal("no longer", "1824/1")
    assert reason(start(stub, ann, table_id)) == "OPTIONS_NOT_PLAYABLE"
    leave = wire.LeaveTableRequest(request_id="l1", table_id=table_id)
    assert stub.LeaveTable(leave, metadata=ann).table.state == table_pb2.TABLE_STATE_CLOSED


def test_a_lasting_refusal_closes_the_table_for_everybody_to_see(
    stub: LobbyServiceStub, signed_in: SignIn, starter: RecordingStarter, lobby: Lobby
) -> None:
    """It is no UNAVAILABLE: the owner gets the reason, the same again for the repeated request, and others see it."""
    ann = signed_in("Ann")
    tables = [create(stub, ann, request_id).table.table_id for request_id in ("c1", "c2")]
    for table_id in tables:
        join(stub, signed_in("Bob"), table_id)
    starter.refusal = GameStartRefused("unknown_option", "it needs steam", "1824/1")
    for _ in range(2):
        answer = start(stub, ann, tables[0])
        assert reason(answer) == "START_REFUSED"
        assert answer.rejected.sentence == "The rules refuse to begin the game: it needs steam."
        assert answer.rejected.clause == "1824/1"
    table = stub.GetTable(wire.GetTableRequest(table_id=tables[0])).table
    assert (table.state, table.start_refusal) == (table_pb2.TABLE_STATE_CLOSED, answer.rejected)
    again = start(stub, ann, tables[0], "s2").rejected
    assert "it needs steam" in again.sentence
    starter.is_failing, starter.refusal = True, None
    assert status_of(lambda: start(stub, ann, tables[1])) is grpc.StatusCode.UNAVAILABLE
    starter.is_failing, starter.refusal = False, GameStartRefused("unknown_option", "it needs steam")
    resumed = lobby.tables.resume_starting_tables()
    assert resumed == ResumedTables(
        (), {}, {tables[1]: "The rules refuse to begin the game: it needs steam."}
    )
    assert lobby.tables.resume_starting_tables() == ResumedTables((), {}, {})


def test_a_title_that_fails_does_not_stop_the_others(
    stub: LobbyServiceStub, signed_in: SignIn, starter: RecordingStarter, lobby: Lobby
) -> None:
    """A host that resumes its tables starts all the same, and names the table."""
    ann = signed_in("Ann")
    table_id = create(stub, ann).table.table_id
    join(stub, signed_in("Bob"), table_id)
    starter.is_failing = True
    assert status_of(lambda: start(stub, ann, table_id)) is grpc.StatusCode.UNAVAILABLE
    starter.start_game = None  # type: ignore[assignment, method-assign]
    assert list(lobby.tables.resume_starting_tables().waiting) == [table_id]
