"""A lobby over a log in memory, served on loopback."""

from collections.abc import Callable, Iterator

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.common.clock import ManualClock
from services.common.eventlog.memory import MemoryEventLog
from services.common.grpc.server import Guard, create_server
from services.common.settings.service import Settings
from services.common.telemetry.logs import Telemetry
from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as wire
from services.gen.signalbox.lobby.v1.lobby_service_pb2_grpc import LobbyServiceStub
from services.lobby.bootstrap import Lobby, bootstrap_lobby
from services.lobby.bootstrap_ports import GamePorts, LobbyPorts
from tests.lobby.fakes import FixedCatalogue, FixedSeeds, PlainPasswords, RecordingStarter


@pytest.fixture
def clock() -> ManualClock:
    """A clock that a test moves by hand."""
    return ManualClock()


@pytest.fixture
def log(clock: ManualClock) -> Iterator[MemoryEventLog]:
    """An empty log."""
    log = MemoryEventLog(clock)
    yield log
    log.close()


@pytest.fixture
def starter() -> RecordingStarter:
    """Where games begin."""
    return RecordingStarter()


@pytest.fixture
def catalogue() -> FixedCatalogue:
    """What can be played."""
    return FixedCatalogue()


@pytest.fixture
def lobby(
    log: MemoryEventLog, clock: ManualClock, starter: RecordingStarter, catalogue: FixedCatalogue
) -> Lobby:
    """The lobby with fakes."""
    return bootstrap_lobby(
        LobbyPorts(
            log=log,
            games=GamePorts(catalogue, starter),
            signing_key=Ed25519PrivateKey.generate(),
            settings=Settings(),
            clock=clock,
            seeds=FixedSeeds(),
            passwords=PlainPasswords(),
        )
    )


@pytest.fixture
def channel(lobby: Lobby) -> Iterator[grpc.Channel]:
    """A connection to the served lobby."""
    server, port = create_server(
        [lobby.hosted, *lobby.also_hosted], Settings(), Telemetry(), guard=Guard(lobby.verifier)
    )
    server.start()
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        yield channel
    server.stop(0)


@pytest.fixture
def stub(channel: grpc.Channel) -> LobbyServiceStub:
    """The served lobby."""
    return LobbyServiceStub(channel)


Metadata = tuple[tuple[str, str], ...]


@pytest.fixture
def signed_in(stub: LobbyServiceStub) -> Callable[[str], Metadata]:
    """Registers and signs in by name; gives the metadata of that player's calls."""

    def sign_in(name: str) -> Metadata:
        stub.RegisterPlayer(
            wire.RegisterPlayerRequest(
                request_id="register-" + name.replace(" ", "-"), name=name, password="correct horse"
            )
        )
        session = stub.LogIn(wire.LogInRequest(name=name, password="correct horse")).session
        return (("authorization", f"Bearer {session.token}"),)

    return sign_in
