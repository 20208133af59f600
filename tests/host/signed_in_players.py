"""Players of a real host, over the wire."""

from __future__ import annotations

from types import TracebackType
from uuid import uuid4

from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.gen.signalbox.ledger.v1 import ledger_pb2, ledger_pb2_grpc
from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as lobby_pb2
from services.gen.signalbox.lobby.v1.lobby_service_pb2_grpc import LobbyServiceStub
from services.gen.signalbox.rules.v1 import command_pb2, game_pb2, rules_pb2
from services.gen.signalbox.rules.v1.rules_pb2_grpc import RulesStub
from services.host.addresses import Addresses
from tests.hosting import channel_to, followed, new_name

NAMES = ("Ada", "Ben", "Cleo")
PASSWORD = "three wise locomotives"
SECONDS = 60.0
Metadata = tuple[tuple[str, str], ...]


class Party:
    """Three players signed in at a host, and one spectator, each with a token."""

    def __init__(self, addresses: Addresses) -> None:
        self._addresses = addresses
        self._channels = [channel_to(each) for each in (addresses.lobby, addresses.rules, addresses.ledger)]
        self.lobby = LobbyServiceStub(self._channels[0])
        self.rules = RulesStub(self._channels[1])
        self.ledger = ledger_pb2_grpc.LedgerStub(self._channels[2])
        self.tokens: dict[str, Metadata] = {}
        self.ids: dict[str, str] = {}
        for name in (*NAMES, "Spectator"):
            self.sign_in(name, self.register(name))

    def __enter__(self) -> Party:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for channel in self._channels:
            channel.close()

    def request_id(self) -> str:
        """An id never used before."""
        return uuid4().hex

    def register(self, name: str) -> str:
        """A new player; gives the name registered, which nobody else has."""
        own = new_name(name)
        request = lobby_pb2.RegisterPlayerRequest(request_id=self.request_id(), name=own, password=PASSWORD)
        assert self.lobby.RegisterPlayer(request, timeout=SECONDS).HasField("player")
        return own

    def sign_in(self, name: str, registered: str) -> None:
        """A token for a player."""
        answer = self.lobby.LogIn(lobby_pb2.LogInRequest(name=registered, password=PASSWORD), timeout=SECONDS)
        self.tokens[name] = (("authorization", f"Bearer {answer.session.token}"),)
        self.ids[name] = answer.session.player.player_id

    def name_of(self, player_id: str) -> str:
        """Who has this id."""
        return next(name for name, known in self.ids.items() if known == player_id)

    def begin(self, title: str = "1824") -> str:
        """A table of three is opened, filled and started; gives the game's id."""
        ada = self.tokens["Ada"]
        opened = self.lobby.CreateTable(
            lobby_pb2.CreateTableRequest(request_id=self.request_id(), title=title, player_count=3, seed=7),
            metadata=ada,
            timeout=SECONDS,
        )
        table_id = opened.table.table_id
        for name in NAMES[1:]:
            join = lobby_pb2.JoinTableRequest(request_id=self.request_id(), table_id=table_id)
            self.lobby.JoinTable(join, metadata=self.tokens[name], timeout=SECONDS)
        start = lobby_pb2.StartTableRequest(request_id=self.request_id(), table_id=table_id)
        started = self.lobby.StartTable(start, metadata=ada, timeout=SECONDS)
        assert started.HasField("table"), started
        return str(started.table.game_id)

    def game(self, game_id: str, at_sequence: int = 0) -> game_pb2.GameView:
        """Status of the game."""
        request = rules_pb2.GetGameRequest(game_id=game_id, at_sequence=at_sequence, at_least_sequence=1)
        answer: rules_pb2.GetGameResponse = self.rules.GetGame(
            request, metadata=self.tokens["Spectator"], timeout=SECONDS
        )
        return answer.game

    def asked(self, game_id: str) -> str:
        """Name of the player who is asked now."""
        return self.name_of(self.game(game_id).acting_players[0])

    def execute(
        self, name: str, game_id: str, command: command_pb2.Command, expected: int = 0, request_id: str = ""
    ) -> rules_pb2.ExecuteResponse:
        """One command; without an expected sequence the latest is expected."""
        request = rules_pb2.ExecuteRequest(
            game_id=game_id,
            request_id=request_id or self.request_id(),
            expected_sequence=expected or self.game(game_id).sequence,
            command=command,
        )
        answer: rules_pb2.ExecuteResponse = self.rules.Execute(
            request, metadata=self.tokens[name], timeout=SECONDS
        )
        return answer

    def move(self, game_id: str) -> rules_pb2.ExecuteResponse:
        """The acting player takes the first complete choice, or runs the best way."""
        name = self.asked(game_id)
        request = rules_pb2.ListChoicesRequest(game_id=game_id, with_best_runs=True)
        listed = self.rules.ListChoices(request, metadata=self.tokens[name], timeout=SECONDS)
        choice = min(listed.choices, key=lambda each: each.open_field)
        answer = self.execute(name, game_id, choice.command, listed.sequence)
        assert answer.HasField("accepted"), answer
        return answer

    def events(self, game_id: str) -> list[GameEvent]:
        """All events of the game, page by page."""
        found: list[GameEvent] = []
        after = 0
        while True:
            request = rules_pb2.ListEventsRequest(game_id=game_id, after_sequence=after, page_size=50)
            page = self.rules.ListEvents(request, metadata=self.tokens["Spectator"], timeout=SECONDS)
            found.extend(page.events)
            after = page.next_after_sequence
            if not after:
                return found

    def ledger_sequence(self, game_id: str, wanted: int) -> int:
        """How far the ledger has booked the game, once it has had the time to book as far as `wanted`."""
        request = ledger_pb2.GetTrialBalanceRequest(game_id=game_id)

        def booked() -> int:
            metadata = self.tokens["Spectator"]
            return int(self.ledger.GetTrialBalance(request, metadata=metadata, timeout=SECONDS).sequence)

        followed(self._addresses, lambda: booked() >= wanted)
        return booked()
