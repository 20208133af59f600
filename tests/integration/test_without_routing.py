"""Play while the routing service is away: only moves that need its proof have to wait."""

from __future__ import annotations

import time
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

import grpc
import pytest

from services.client import Games, Rejected
from services.gen.signalbox.rules.v1 import rules_pb2 as pb
from services.gen.signalbox.rules.v1.rules_pb2_grpc import RulesStub
from services.host.children import free_ports
from services.host.embedded import EmbeddedHost
from services.rules.adapters.codec import command_message
from services.rules.parts.trains.commands import RunTrains
from tests.hosting import Seated, hosting, seat
from tests.integration.test_whole_games import assert_books_agree, first_run, players_of, turns
from tests.routing.serving import plain_routing

pytestmark = pytest.mark.integration

SECONDS_TO_COME_BACK = 60
COMMANDS_MOST = 300
OTHERS = ("Gil", "Hana", "Ida")


def refused_over_the_wire(
    host: EmbeddedHost, seated: Seated, seat_number: int, sequence: int, command: RunTrains
) -> pb.ExecuteResponse:
    """The raw answer to a command."""
    request = pb.ExecuteRequest(
        game_id=seated.game_id,
        request_id="while routing is away",
        expected_sequence=sequence,
        command=command_message(command),
    )
    token = seated.tokens[seated.seats[seat_number]]
    with grpc.insecure_channel(host.addresses.rules) as wire:
        metadata = (("authorization", f"Bearer {token}"),)
        answer: pb.ExecuteResponse = RulesStub(wire).Execute(request, metadata=metadata, timeout=60)
        return answer


def run_again(director: Games, game_id: str, sequence: int, command: RunTrains) -> pb.Accepted:
    """The same move until it is accepted; every refusal before says that routing is away."""
    end = time.monotonic() + SECONDS_TO_COME_BACK
    while True:
        try:
            return director.execute(game_id, sequence, command)
        except Rejected as refused:
            assert refused.reason == "routing_unavailable" and time.monotonic() < end
        time.sleep(0.2)


def test_only_moves_that_need_proof_wait(tmp_path: Path) -> None:
    """The run is refused as worth repeating and changes nothing, choices come without best runs; other games go on, begin
    and run under a free ruling; once routing is back the same move is accepted."""
    with ExitStack() as until_the_end, ExitStack() as routing:
        (port,) = free_ports(1)
        routing.enter_context(plain_routing(port))
        host = until_the_end.enter_context(hosting(tmp_path, (f"127.0.0.1:{port}",)))
        seated = seat(host, "1824", 3)
        players = players_of(seated, host, "sensible")
        games = [players[each].games for each in seated.seats]
        sequence, director, best = first_run(games, seated.game_id, players)
        before = director.game(seated.game_id)
        routing.close()

        answer = refused_over_the_wire(host, seated, games.index(director), sequence, best)
        assert (answer.rejected.code, answer.rejected.retryable) == ("routing_unavailable", True)
        assert answer.rejected.clause == "1824/VII.10-e"
        (choice,) = director.choices(seated.game_id).choices
        assert (choice.open_field, choice.command) == ("runs", RunTrains(best.company, ()))
        assert director.game(seated.game_id) == before
        assert len(list(director.events(seated.game_id))) == sequence
        assert_books_agree(host, seated, sequence)
        play_under_a_free_ruling(host)

        until_the_end.enter_context(plain_routing(port))
        accepted = run_again(director, seated.game_id, sequence, best)
        assert [event.trains_ran.company for event in accepted.events if event.HasField("trains_ran")] == [
            best.company
        ]
        assert_books_agree(host, seated, accepted.last_sequence)


def play_under_a_free_ruling(host: EmbeddedHost) -> None:
    """A game begun while routing is away, whose rulings ask for no proof, is played until trains have run."""
    seated = seat(host, "1824", 3, "18xx.games", names=OTHERS)
    played = turns(players_of(seated, host, "sensible"), seated.game_id)
    games = seated.games(host, 0)
    seen = games.game(seated.game_id).sequence
    for sequence in islice(played, COMMANDS_MOST):
        if any(event.HasField("trains_ran") for event in games.events(seated.game_id, seen)):
            return
        seen = sequence
    raise AssertionError("no train ran")
