"""A lobby with players and a director, for tests: games begin in memory and end as a test wants."""

from __future__ import annotations

from itertools import count
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.common.auth.tokens import Principal
from services.common.clock import ManualClock
from services.common.eventlog.memory import MemoryEventLog
from services.common.eventlog.port import EventLog
from services.common.settings.accounts import QuotaSettings
from services.common.settings.service import Settings
from services.gen.signalbox.rules.v1.direction_pb2 import Direction
from services.lobby.adapters.no_director import NoDirector
from services.lobby.adapters.no_positions import NoPositions
from services.lobby.bootstrap import Lobby, bootstrap_lobby
from services.lobby.bootstrap_ports import GamePorts, LobbyPorts
from services.lobby.domain.games import GameResult, GameStatus
from services.lobby.domain.rejections import Rejection
from services.lobby.domain.tournaments.charter import Charter, PlayedTitle, charter_json
from services.lobby.domain.tournaments.formats.stages import Format, Stage, Swiss
from services.lobby.domain.tournaments.rounds.round import Round, TableState
from services.lobby.domain.tournaments.scoring.policy import ScoringPolicy
from services.lobby.domain.tournaments.tournament import Tournament
from services.lobby.ports import Directed, GameDirector, GamePositions
from services.lobby.presets.loading import SYSTEMS
from tests.lobby.fakes import FixedCatalogue, FixedSeeds, PlainPasswords, RecordingStarter

TITLE = PlayedTitle("1824", 3, 4)
EXTERNAL = PlayedTitle("over the board", 3, 5, is_external=True)


def charter_of(*formats: Format, **more: Any) -> Charter:
    """A charter with a stage for each format."""
    stages = tuple(
        Stage(f"stage {number}", each, places=0 if number == 0 else 4) for number, each in enumerate(formats)
    )
    usual: dict[str, Any] = {
        "name": "Spring cup",
        "stages": stages,
        "titles": (TITLE,),
        "scoring": ScoringPolicy(SYSTEMS["place"], bye_points=3_000_000),
    }
    return Charter(**(usual | more))


SWISS = charter_of(Swiss(3))
ONE_ROUND = charter_of(Swiss(1))


class WillingDirector:
    """Carries out every direction once for each request id; raises `failure` while there is one. Games are at `sequence`."""

    def __init__(self) -> None:
        self.sequence = 0
        self.done: dict[str, tuple[str, str, int, Direction]] = {}
        self.failure: Exception | None = None

    def direct(
        self, game_id: str, author: str, request_id: str, expected_sequence: int, direction: Direction
    ) -> Directed:
        """See `GameDirector`."""
        if self.failure is not None:
            raise self.failure
        kept = Direction.FromString(direction.SerializeToString())
        known = self.done.setdefault(request_id, (game_id, author, expected_sequence, kept))
        assert known == (game_id, author, expected_sequence, kept), "a request id has one content"
        first = max(expected_sequence, self.sequence) + 1
        return Directed(game_id, first, first + 1)

    @property
    def directions(self) -> list[Direction]:
        """What was carried out."""
        return [each[-1] for each in self.done.values()]


class Club:
    """The lobby with `players` registered and a director."""

    def __init__(
        self,
        players: int = 0,
        log: EventLog | None = None,
        director: GameDirector | None = None,
        positions: GamePositions | None = None,
        has_house_bots: bool = False,
        stored_bytes: int = QuotaSettings().stored_bytes,
        seats: int = QuotaSettings().seats,
    ) -> None:
        """`stored_bytes`: how many a player's requests may store; `seats`: at how many tables a player may sit."""
        self._settings = Settings(quota=QuotaSettings(stored_bytes=stored_bytes, seats=seats))
        self.clock = ManualClock()
        self.log = log or MemoryEventLog(self.clock)
        self.starter = RecordingStarter()
        self._games = GamePorts(
            FixedCatalogue(),
            self.starter,
            director=director or NoDirector(),
            positions=positions or NoPositions(),
        )
        self._has_house_bots = has_house_bots
        self.lobby = self.open()
        self.director = self.person("Dora")
        self.players = [self.person(f"Player {number}") for number in range(players)]
        self._numbers = count(1)

    def open(self) -> Lobby:
        """A lobby over the log, as after a new start."""
        self.lobby = bootstrap_lobby(
            LobbyPorts(
                log=self.log,
                games=self._games,
                signing_key=Ed25519PrivateKey.generate(),
                settings=self._settings,
                clock=self.clock,
                seeds=FixedSeeds(),
                passwords=PlainPasswords(),
                has_house_bots=self._has_house_bots,
            )
        )
        return self.lobby

    def person(self, name: str) -> Principal:
        """Somebody who is registered."""
        request_id = "register-" + name.replace(" ", "-")
        player = self.lobby.players.register(request_id, name, "correct horse", address="a")
        assert not isinstance(player, Rejection)
        return Principal(player.player_id, player.name)

    def request(self) -> str:
        """A new request id."""
        return f"r{next(self._numbers)}"

    @property
    def desk(self) -> Any:
        """Requests about tournaments: `desk.start_stage(caller, id)` sends one with a new request id."""
        return _Requests(self, self.lobby.tournaments.handlers)

    @property
    def rounds(self) -> Any:
        """Requests about rounds, as `desk`."""
        return _Requests(self, self.lobby.tournaments.rounds)

    @property
    def substitutions(self) -> Any:
        """Requests about substitutes, as `desk`."""
        return _Requests(self, self.lobby.tournaments.substitutions)

    def tournament(self, charter: Charter = SWISS, entrants: int | None = None) -> Tournament:
        """A tournament with these players entered and its first stage begun."""
        made = done(self.desk.create(self.director, charter_json(charter)))
        done(self.desk.set_entries(self.director, made.tournament_id, True))
        for player in self.players[:entrants]:
            done(self.desk.enter(player, made.tournament_id, (), ()))
        done(self.desk.set_entries(self.director, made.tournament_id, False))
        started: Tournament = done(self.desk.start_stage(self.director, made.tournament_id))
        return started

    def standby(self, person: Principal, tournament_id: str) -> Principal:
        """The same person, on the waiting list of a tournament that has begun."""
        done(self.desk.set_entries(self.director, tournament_id, True))
        done(self.desk.enter(person, tournament_id, (), ()))
        done(self.desk.set_entries(self.director, tournament_id, False))
        return person

    def published(self, tournament_id: str) -> Round:
        """The next round, published."""
        proposed = done(self.rounds.propose(self.director, tournament_id))
        published: Round = done(self.rounds.publish(self.director, proposed.round_id, 0))
        return published

    def finish(self, state: TableState, worths: dict[str, int] | None = None, sequence: int = 9) -> None:
        """The game of a table ends; without `worths` the earlier seats have more."""
        seats = state.table.seats
        given = worths or {player: 1000 - 100 * seat for seat, player in enumerate(seats)}
        results = tuple(
            GameResult(player, given[player]) for player in sorted(seats, key=lambda each: -given[each])
        )
        self.follow(state, sequence, ending="bank_broken", results=results)

    def follow(self, state: TableState, sequence: int, **more: Any) -> None:
        """The lobby hears of a game."""
        status = GameStatus(
            game_id=state.table.game_id,
            sequence=sequence,
            title=state.table.title,
            players=state.table.seats,
            time_ms=self.clock.now_ms(),
            **more,
        )
        self.lobby.followed.follow_status(status)

    def play(self, tournament_id: str) -> Round:
        """The next round, published and played."""
        current = self.published(tournament_id)
        for state in current.tables.values():
            self.finish(state)
        return self.lobby.tournaments.rounds.get("", current.round_id)


class _Requests:
    """Calls of handlers, each with a new request id."""

    def __init__(self, club: Club, handlers: Any) -> None:
        self._club, self._handlers = club, handlers

    def __getattr__(self, name: str) -> Any:
        def send(caller: Principal, *given: Any) -> Any:
            return getattr(self._handlers, name)(caller, self._club.request(), *given)

        return send


def done(answer: Any) -> Any:
    """An answer that is no rejection."""
    assert not isinstance(answer, Rejection), answer
    return answer


def reason(answer: Any) -> str:
    """Why something was rejected."""
    assert isinstance(answer, Rejection), answer
    assert answer.sentence
    return answer.reason.value
