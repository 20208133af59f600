"""Games as a lobby on Kafka meets them: they begin, change once for each decision, and report to the topic of statuses. They are
kept in a file, so that a lobby that dies finds them as they were."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

from services.common.kafka.clients import new_producer
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import GAME_STATUSES
from services.common.partitions import partition_of
from services.gen.signalbox.events.v1.events_pb2 import BEARER_KIND_SUBSTITUTE
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.gen.signalbox.rules.v1.direction_pb2 import Direction
from services.lobby.domain.players import Player
from services.lobby.domain.positions import GameRuling, MoneyTransfer, Position, SeatWorth
from services.lobby.ports import Directed, GameMovedOn
from services.rules.status import CHANGE_POSITION

FLUSH_SECONDS = 60.0
EVENTS_OF_A_DECISION = 2


class FiledGames:
    """`GameStarter`, `GameDirector` and `GamePositions` of a lobby on Kafka. A game has the seat that is asked, and what was
    decided about it."""

    def __init__(self, file: Path, kafka: KafkaSettings) -> None:
        self._file, self._kafka = file, kafka
        self._producer = new_producer(kafka)
        self._lock = threading.Lock()

    def start_game(self, game_id: str, title: str, players: tuple[Player, ...], *_: Any) -> None:
        """See `GameStarter`."""
        with self._lock:
            games = self._read()
            seats = [each.player_id for each in players]
            new = {"seats": seats, "sequence": 1, "time_ms": _now_ms(), "done": {}, "bearers": {}}
            games.setdefault(game_id, new)
            self._write(games)

    def continue_game(self, game_id: str, events: bytes) -> None:
        """No game is moved in."""
        raise AssertionError(game_id)

    def direct(
        self, game_id: str, author: str, request_id: str, expected_sequence: int, direction: Direction
    ) -> Directed:
        """See `GameDirector`."""
        with self._lock:
            games = self._read()
            game = games[game_id]
            if request_id not in game["done"]:
                if expected_sequence not in (0, game["sequence"]):
                    raise GameMovedOn(game["sequence"])
                game["sequence"] += EVENTS_OF_A_DECISION
                kind = direction.WhichOneof("body")
                made = direction.SerializeToString(deterministic=True).hex()
                game["done"][request_id] = [kind, game["sequence"], author, made]
                if kind == "assign_seat":
                    game["bearers"][direction.assign_seat.seat] = direction.assign_seat.bearer
                else:
                    game["time_ms"] = _now_ms()
                self._write(games)
            last = game["done"][request_id][1]
            return Directed(game_id, last - 1, last)

    def decisions(self, game_id: str) -> list[str]:
        """The kinds of what was decided."""
        return [kind for kind, *_ in self._read()[game_id]["done"].values()]

    def sequence(self, game_id: str) -> int:
        """How far it is."""
        found: int = self._read()[game_id]["sequence"]
        return found

    def position(self, game_id: str, at_sequence: int = 0) -> Position:
        """Nobody looks at a position."""
        raise AssertionError(game_id)

    def rulings(self, game_id: str) -> tuple[GameRuling, ...]:
        """See `GamePositions`."""
        done = self._read()[game_id]["done"].values()
        return tuple(
            _ruling(last, author, Direction.FromString(bytes.fromhex(made)))
            for kind, last, author, made in done
            if kind in CHANGE_POSITION
        )

    def report_all(self) -> None:
        """The latest status of each game; a repeated one changes nothing."""
        for game_id, game in self._read().items():
            self._report(game_id, game)

    def _read(self) -> dict[str, Any]:
        return json.loads(self._file.read_text()) if self._file.exists() else {}

    def _write(self, games: dict[str, Any]) -> None:
        """In one step, whenever this process dies."""
        new = self._file.with_suffix(".new")
        new.write_text(json.dumps(games))
        new.replace(self._file)
        for game_id, game in games.items():
            self._report(game_id, game)

    def _report(self, game_id: str, game: dict[str, Any]) -> None:
        kinds = [kind for kind, *_ in game["done"].values()]
        moves = kinds.count("act_for_seat")
        asked = game["seats"][moves % len(game["seats"])]
        bearers = [
            pb.SeatBearer(seat=seat, bearer=account, kind=BEARER_KIND_SUBSTITUTE)
            for seat, account in game["bearers"].items()
        ]
        status = pb.GameStatus(
            schema_version=1,
            game_id=game_id,
            sequence=game["sequence"],
            title="1824",
            players=game["seats"],
            acting_players=[asked],
            round_kind="stock",
            turn=1,
            round_number=1,
            actor=asked,
            recorded_time_ms=game["time_ms"],
            bearers=bearers,
            ruling_count=sum(kind in CHANGE_POSITION for kind in kinds),
        )
        if "end_game" in kinds:
            status.ending = "ended_by_director"
            del status.acting_players[:]
            status.results.extend(pb.PlayerResult(player=seat, value=1_000) for seat in game["seats"])
        partition = partition_of(game_id, GAME_STATUSES.partitions(self._kafka))
        name = GAME_STATUSES.name_in(self._kafka)
        self._producer.produce(name, status.SerializeToString(), game_id.encode(), partition)
        self._producer.flush(FLUSH_SECONDS)


def _ruling(last: int, author: str, made: Direction) -> GameRuling:
    moved = made.correct
    return GameRuling(
        last - EVENTS_OF_A_DECISION,
        author,
        made.reason,
        made.confirmed_by,
        made.roll_back.to_sequence,
        MoneyTransfer(moved.source, moved.target, moved.amount, moved.subject),
        tuple(SeatWorth(each.player, each.value) for each in made.end_game.scores),
    )


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
