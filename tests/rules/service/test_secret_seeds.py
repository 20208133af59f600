"""What is drawn in a game follows from its seed, so nobody who plays or watches reads it."""

from __future__ import annotations

from services.common.auth.tokens import Principal, TokenIssuer
from services.common.clock import SystemClock
from services.common.settings.service import Settings
from services.gen.signalbox.rules.v1.rules_pb2 import ListEventsRequest, WatchGameRequest
from services.rules.kernel.commands import CreateGame
from services.rules.requests import CommandAccepted
from tests.rules.service.desk import ANN, GAME, SEATS, Desk
from tests.rules.service.served import KEY, TOKEN_SECONDS, served, stub_of, token

SEED = 4_611_686_018_427


def test_nobody_but_services_reads_the_seed_of_a_game(desk: Desk) -> None:
    """Neither its players nor strangers, in lists and while watching; services get the log as it is."""
    created = desk.rules.create(GAME, CreateGame("1824", SEATS, seed=SEED))
    assert isinstance(created, CommandAccepted)
    issuer = TokenIssuer(KEY, TOKEN_SECONDS, SystemClock())
    service = issuer.issue(Principal("lobby", "lobby", "service")).token
    metadata = {
        ANN: token(ANN),
        "stranger": token("stranger"),
        "service": [("authorization", f"Bearer {service}")],
    }
    with served(desk, Settings()) as port, stub_of(port) as stub:
        listed = {
            name: stub.ListEvents(ListEventsRequest(game_id=GAME), metadata=given).events[0].game_created
            for name, given in metadata.items()
        }
        assert {name: each.seed for name, each in listed.items()} == {ANN: 0, "stranger": 0, "service": SEED}
        assert listed[ANN].players == listed["service"].players
        watched = stub.WatchGame(WatchGameRequest(game_id=GAME), metadata=token("stranger"))
        assert next(watched).event.game_created.seed == 0
        watched.cancel()
