"""Registering and signing in over gRPC, also when somebody guesses passwords or floods the lobby."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from services.common.errors import RETRY_HINT
from services.common.eventlog.memory import MemoryEventLog
from services.common.eventlog.port import AppendResult, NewRecord, Record, RequestRecord
from services.common.grpc.rate_settings import RateSettings
from services.common.grpc.server import Guard, create_server
from services.common.settings.accounts import SignInSettings
from services.common.settings.service import Settings
from services.common.telemetry.logs import Telemetry
from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as wire
from services.gen.signalbox.lobby.v1.lobby_service_pb2_grpc import LobbyServiceStub
from services.lobby.adapters.hashing_pool import HashingPool
from services.lobby.bootstrap import Lobby, bootstrap_lobby
from services.lobby.bootstrap_ports import GamePorts, LobbyPorts
from services.lobby.domain.players import Player
from services.lobby.domain.rejections import Rejection
from services.lobby.handlers.requests import derived_id
from services.lobby.ports import HashingBusy
from tests.lobby.fakes import FixedCatalogue, FixedSeeds, PlainPasswords, RecordingStarter
from tests.lobby.test_service import reason, register
from tests.redis_connections import wait_until

PASSWORD = "correct horse"
SECONDS = 60.0
# Nobody waits for these delays in a test.
LIMITS = SignInSettings(
    free_attempts=5,
    free_attempts_per_address=12,
    free_registrations_per_address=10,
    delay_seconds=60.0,
    delay_seconds_max=600.0,
    hashing_threads=2,
    hashing_queue=16,
    hashing_queue_per_address=6,
)
SETTINGS = Settings(sign_in=LIMITS, rate=RateSettings(trusted_proxies=("127.0.0.0/8",)))


class SlowPasswords(PlainPasswords):
    """Every password takes until `released` is set."""

    def __init__(self) -> None:
        self.released = threading.Event()
        self.released.set()
        self.entered = 0

    def verify(self, password_hash: str | None, password: str) -> bool:
        """Waits, then compares."""
        self.entered += 1
        assert self.released.wait(SECONDS)
        return super().verify(password_hash, password)


class InterruptedLog(MemoryEventLog):
    """A log with which something else happens before a step, once."""

    def __init__(self) -> None:
        super().__init__()
        self._steps_left = 0

    def interrupt(self, step: int, happens: Callable[[], object]) -> None:
        """`happens` is called before the step of this number from now on."""
        self._steps_left, self._happens = step, happens

    def _step(self) -> None:
        self._steps_left -= 1
        if self._steps_left == 0:
            self._happens()

    def read(self, stream: str, after: int = 0, up_to: int | None = None) -> list[Record]:
        """See `EventLog.read`."""
        self._step()
        return super().read(stream, after, up_to)

    def outcome(self, stream: str, request_id: str) -> RequestRecord | None:
        """See `EventLog.outcome`."""
        self._step()
        return super().outcome(stream, request_id)

    def append(
        self, stream: str, expected: int, records: Sequence[NewRecord], request: RequestRecord | None = None
    ) -> AppendResult:
        """See `EventLog.append`."""
        self._step()
        return super().append(stream, expected, records, request)


@contextmanager
def served(lobby: Lobby, settings: Settings = SETTINGS) -> Iterator[LobbyServiceStub]:
    """The lobby on loopback."""
    server, port = create_server([lobby.hosted], settings, Telemetry(), guard=Guard(lobby.verifier))
    server.start()
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        yield LobbyServiceStub(channel)
    server.stop(0)


def lobby_over(log: MemoryEventLog, passwords: PlainPasswords | None = None) -> Lobby:
    """A lobby whose callers name their own address, as behind a proxy on loopback."""
    return bootstrap_lobby(
        LobbyPorts(
            log=log,
            games=GamePorts(FixedCatalogue(), RecordingStarter()),
            signing_key=Ed25519PrivateKey.generate(),
            settings=SETTINGS,
            seeds=FixedSeeds(),
            passwords=passwords or PlainPasswords(),
        )
    )


@pytest.fixture
def passwords() -> SlowPasswords:
    """Fast until a test slows them down."""
    return SlowPasswords()


@pytest.fixture
def stub(log: MemoryEventLog, passwords: SlowPasswords) -> Iterator[LobbyServiceStub]:
    """The served lobby with low limits."""
    with served(lobby_over(log, passwords)) as stub:
        yield stub


def log_in(
    stub: LobbyServiceStub, name: str, password: str = PASSWORD, address: str = "192.0.2.1"
) -> wire.LogInResponse:
    """Signs in from an address."""
    response: wire.LogInResponse = stub.LogIn(
        wire.LogInRequest(name=name, password=password),
        metadata=(("x-forwarded-for", address),),
        timeout=SECONDS,
    )
    return response


def outcome_of(call: Callable[[], wire.LogInResponse]) -> str:
    """`session`, the reason of a rejection, or the status with which the call failed."""
    try:
        response = call()
    except grpc.RpcError as error:
        code: grpc.StatusCode = error.code()
        return code.name
    return "session" if response.HasField("session") else reason(response)


def test_a_registration_is_repeated(stub: LobbyServiceStub, log: MemoryEventLog) -> None:
    """A repeat gets the first player and writes nothing."""
    player = register(stub, "r1", "Ann").player
    written = log.last_position()
    assert register(stub, "r1", "Ann").player == player
    assert log.last_position() == written


def test_request_ids_of_registrations_are_scoped_to_the_name(stub: LobbyServiceStub) -> None:
    """A stranger who uses the same request id for another name keeps nobody from registering."""
    assert register(stub, "r1", "Ann").player.name == "Ann"
    assert register(stub, "r1", "Bob").player.name == "Bob"
    assert reason(register(stub, "r2", "aNN")) == "NAME_TAKEN"


def test_player_ids_cannot_be_computed(stub: LobbyServiceStub) -> None:
    """They do not depend on the request id."""
    player = register(stub, "r1", "Ann").player
    assert player.player_id != derived_id("p", "r1")


def test_a_known_request_id_does_not_tell_right_from_wrong_passwords(stub: LobbyServiceStub) -> None:
    """A wrong password gets the answer that every request for the name gets; each try counts like one to sign in."""
    register(stub, "r1", "Ann")
    guesses = [reason(register(stub, "r1", "Ann", f"wrong guess {number}")) for number in range(6)]
    assert guesses == ["NAME_TAKEN"] * 5 + ["TOO_MANY_ATTEMPTS"]
    assert reason(register(stub, "r1", "Ann")) == "TOO_MANY_ATTEMPTS"
    assert reason(register(stub, "r2", "Ann")) == "NAME_TAKEN"


def test_an_interrupted_registration_continues(log: MemoryEventLog) -> None:
    """If only the name was claimed when the process died, the repeated request completes the registration."""
    with served(lobby_over(log)) as stub:
        register(stub, "r1", "Ann")
    (claimed,) = log.read("lobby.name.ann")
    request = log.outcome("lobby.name.ann", "r1")
    after_the_crash = MemoryEventLog()
    event = NewRecord(claimed.type, claimed.schema_version, claimed.payload)
    after_the_crash.append("lobby.name.ann", 0, [event], request)
    with served(lobby_over(after_the_crash)) as stub:
        assert reason(register(stub, "r2", "Ann")) == "NAME_TAKEN"
        assert register(stub, "r1", "Ann").player.name == "Ann"
        assert outcome_of(lambda: log_in(stub, "Ann")) == "session"


@pytest.mark.parametrize("step", range(1, 20))
def test_the_same_registration_in_between_is_the_same(step: int) -> None:
    """Before each step of a registration another replica carries the same request out: both get one player."""
    log = InterruptedLog()
    first, second = (lobby_over(log).players for _ in range(2))
    others: list[Player | Rejection] = []
    log.interrupt(step, lambda: others.append(second.register("r1", "Ann", PASSWORD, address="b")))
    player = first.register("r1", "Ann", PASSWORD, address="a")
    assert isinstance(player, Player)
    assert others in ([], [player])
    assert second.register("r1", "Ann", PASSWORD, address="b") == player


def test_one_of_many_gets_a_name(stub: LobbyServiceStub) -> None:
    """Of registrations of one name, or of its looks, at the same time exactly one succeeds, and signs in."""
    names = ["Ian", "IAN", "lan", "Ian", "1an", "lan"]
    with ThreadPoolExecutor(6) as pool:
        responses = list(pool.map(lambda n: register(stub, f"r{n}", names[n]), range(6)))
    (player,) = (response.player for response in responses if response.HasField("player"))
    assert outcome_of(lambda: log_in(stub, player.name)) == "session"


@pytest.mark.parametrize(
    ("known", "name"),
    [("Ada", "ADA"), ("асе", "ace"), ("P 1", "P l"), ("José", "Jose\u0301"), ("Ian", "lan")],
)
def test_look_alikes_of_a_name_are_taken(stub: LobbyServiceStub, known: str, name: str) -> None:
    """And the name itself stays its owner's; a name that was refused leaves nothing behind."""
    assert register(stub, "r1", known).HasField("player")
    assert reason(register(stub, "r2", name)) == "NAME_TAKEN"
    assert outcome_of(lambda: log_in(stub, known)) == "session"


def test_names_and_passwords_have_reasons(stub: LobbyServiceStub) -> None:
    """Every kind of refusal has its own."""
    assert reason(register(stub, "r1", "?")) == "NAME_MALFORMED"
    assert reason(register(stub, "r1", "Аda")) == "NAME_MIXES_SCRIPTS"
    assert reason(register(stub, "r1", "admin")) == "NAME_RESERVED"
    assert reason(register(stub, "r1", "Ann", "short")) == "PASSWORD_MALFORMED"
    assert register(stub, "r1", "अनीता").player.name == "अनीता"


def test_a_name_is_signed_in_with_in_any_form(stub: LobbyServiceStub) -> None:
    """Decomposed and in other case."""
    register(stub, "r1", "José")
    assert outcome_of(lambda: log_in(stub, "JOSE\u0301")) == "session"


def test_wrong_passwords_reveal_nothing(stub: LobbyServiceStub) -> None:
    """Unknown, impossible and known names look alike."""
    register(stub, "r1", "Ann")
    for name in ("Ann", "Nobody Known", "x" * 10_000, "admin"):
        assert outcome_of(lambda name=name: log_in(stub, name, "wrong")) == "CREDENTIALS_WRONG"  # type: ignore[misc]


def test_wrong_passwords_from_one_address_never_keep_the_player_out(stub: LobbyServiceStub) -> None:
    """The guesser waits, longer each time; the named player signs in from elsewhere at once."""
    register(stub, "r1", "Ann")
    guesses = [outcome_of(lambda: log_in(stub, "Ann", "wrong", "192.0.2.66")) for _ in range(8)]
    assert guesses == ["CREDENTIALS_WRONG"] * 5 + ["TOO_MANY_ATTEMPTS"] * 3
    refused = log_in(stub, "Ann", PASSWORD, "192.0.2.66").rejected
    assert 0 < refused.retry_after_ms <= 60_000
    assert "seconds" in refused.sentence
    for _ in range(20):
        assert outcome_of(lambda: log_in(stub, "Ann", PASSWORD, "192.0.2.1")) == "session"


def test_an_address_that_tries_many_names_waits(stub: LobbyServiceStub) -> None:
    """Guessing one password for many names is counted by address; signing in rightly between does not reset that."""
    register(stub, "r1", "Ann")
    for number in range(12):
        assert outcome_of(lambda: log_in(stub, "Ann", PASSWORD)) == "session"
        name = f"Victim {number}"
        assert outcome_of(lambda name=name: log_in(stub, name, "wrong")) == "CREDENTIALS_WRONG"  # type: ignore[misc]
    assert outcome_of(lambda: log_in(stub, "Victim 99", "wrong")) == "TOO_MANY_ATTEMPTS"
    assert outcome_of(lambda: log_in(stub, "Ann", PASSWORD, "192.0.2.2")) == "session"


def test_an_address_that_registers_without_end_waits(stub: LobbyServiceStub) -> None:
    """Names are not to be had by the thousand."""
    answers = [register(stub, "r", f"Squatter {number}").WhichOneof("outcome") for number in range(11)]
    assert answers == ["player"] * 10 + ["rejected"]
    assert reason(register(stub, "r", "Late")) == "TOO_MANY_ATTEMPTS"


def test_guesses_at_once_are_counted_before_they_are_tried(
    stub: LobbyServiceStub, passwords: SlowPasswords
) -> None:
    """Of 64 at the same time only the free ones reach the password."""
    register(stub, "r1", "Ann")
    passwords.released.clear()
    with ThreadPoolExecutor(64) as pool:
        guesses = [
            pool.submit(outcome_of, lambda n=n: log_in(stub, "Ann", f"wrong {n}", "192.0.2.66"))  # type: ignore[misc]
            for n in range(64)
        ]
        wait_until(lambda: sum(guess.done() for guess in guesses) == 59)
        passwords.released.set()
        outcomes = Counter(guess.result() for guess in guesses)
    assert outcomes == {"CREDENTIALS_WRONG": 5, "TOO_MANY_ATTEMPTS": 59}


def test_hashing_holds_up_no_other_call(stub: LobbyServiceStub, passwords: SlowPasswords) -> None:
    """While 80 sign-ins from as many addresses flood the pool, other calls answer; those beyond its queue are refused at
    once, with a hint when to return, and are not counted as guesses."""
    register(stub, "r1", "Ann")
    passwords.released.clear()
    with ThreadPoolExecutor(80) as pool:
        flood = [
            pool.submit(outcome_of, lambda n=n: log_in(stub, "Ann", "wrong", f"198.51.100.{n}"))  # type: ignore[misc]
            for n in range(80)
        ]
        refused = 80 - LIMITS.hashing_queue
        wait_until(lambda: sum(guess.done() for guess in flood) == refused)
        stub.ListTables(wire.ListTablesRequest(), timeout=SECONDS)
        with pytest.raises(grpc.RpcError) as busy:
            log_in(stub, "Ann")
        hints = [each.value for each in busy.value.trailing_metadata() if each.key == RETRY_HINT]
        assert [str(hint) for hint in hints] == ["1000"]
        passwords.released.set()
        outcomes = Counter(guess.result() for guess in flood)
    assert outcomes == {"CREDENTIALS_WRONG": LIMITS.hashing_queue, "RESOURCE_EXHAUSTED": refused}
    for _ in range(6):
        assert outcome_of(lambda: log_in(stub, "Ann", PASSWORD)) == "session"


def test_hashing_takes_no_thread_of_other_calls(log: MemoryEventLog, passwords: SlowPasswords) -> None:
    """As many wait for their passwords as the server has threads, and more: other calls have all of them."""
    threads = LIMITS.hashing_threads
    with (
        served(lobby_over(log, passwords), replace(SETTINGS, worker_threads=threads)) as stub,
        ThreadPoolExecutor(3 * threads) as pool,
    ):
        passwords.released.clear()
        waiting = [
            pool.submit(outcome_of, lambda n=n: log_in(stub, "Ann", "wrong", f"198.51.100.{n}"))  # type: ignore[misc]
            for n in range(3 * threads)
        ]
        wait_until(lambda: passwords.entered == threads)
        stub.ListTables(wire.ListTablesRequest(), timeout=SECONDS)
        assert not any(each.done() for each in waiting)
        passwords.released.set()
        assert {each.result() for each in waiting} == {"CREDENTIALS_WRONG"}


def test_one_address_does_not_fill_the_hashing_pool() -> None:
    """It gets a part of the queue; another address still gets in, in its turn."""
    slow = SlowPasswords()
    slow.released.clear()
    pool = HashingPool(slow, LIMITS)
    with ThreadPoolExecutor(20) as threads:
        flood = [threads.submit(pool.verify, None, "wrong", "192.0.2.66") for _ in range(10)]
        wait_until(lambda: sum(each.done() for each in flood) == 10 - LIMITS.hashing_queue_per_address)
        player = threads.submit(pool.verify, "plain:right", "right", "192.0.2.1")
        slow.released.set()
        assert player.result(SECONDS)
    assert sum(isinstance(each.exception(), HashingBusy) for each in flood) == 4
    assert pool.hash("right", "192.0.2.66") == "plain:right"


def test_guessers_from_many_addresses_leave_room_for_players() -> None:
    """Addresses whose last password was wrong, and registrations, get half of the queue."""
    slow = SlowPasswords()
    pool = HashingPool(slow, LIMITS)
    guessers = [f"198.51.100.{number}" for number in range(20)]
    for address in guessers:
        assert not pool.verify(None, "wrong", address)
    slow.released.clear()
    with ThreadPoolExecutor(21) as threads:
        flood = [threads.submit(pool.verify, None, "wrong", address) for address in guessers]
        wait_until(lambda: sum(each.done() for each in flood) == 20 - LIMITS.hashing_queue // 2)
        with pytest.raises(HashingBusy):
            pool.hash("new password", "192.0.2.2")
        player = threads.submit(pool.verify, "plain:right", "right", "192.0.2.1")
        slow.released.set()
        assert player.result(SECONDS)
