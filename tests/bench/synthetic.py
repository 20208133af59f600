"""Games by the million, of a seeded generator: a few that were really played, each standing in many under ids of their own.

Of a finished game there is what a platform has: its commits in Kafka, an object in the archive with its listing, and a row in the
snapshot of its partition. A game in play has its commits and is whole in the snapshot, with its latest state.

Synthetic is that games of one kind have the same seats, events and times, that finished ones are short, that no status, command
or outcome of them is in Kafka, and that no owner wrote the snapshots: they consist of what one would have read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from random import Random

from msgspec.structs import replace

from services.bots import RandomBot
from services.common.archive.contents import Heading, written
from services.common.archive.names import content_name
from services.common.eventlog.archived import Marker
from services.common.eventlog.memory import MemoryEventLog, MemorySnapshotStore
from services.common.eventlog.port import Record, RequestRecord, Snapshot
from services.common.eventlog.whole_streams import WholeStream
from services.common.kafka.commits import facts_of, request_of
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.adapters.snapshots import SNAPSHOT_SCHEMA, encode_snapshot
from services.rules.catalogue import TableRulings, rulings_of
from services.rules.history import stream_of
from services.rules.kernel.commands import CreateGame
from services.rules.kernel.decide import acting_players
from services.rules.kernel.directing.commands import Direct, EndGame
from services.rules.kernel.values import EVERYBODY, Score
from services.rules.requests import CommandAccepted, Request
from services.rules.titles import TITLES
from tests.bench.archive import commits_in, stream_field, without_stream
from tests.rules.service.desk import GAME, Desk

SEED = 20
# Games that are really played, finished ones and those in play.
FINISHED_KINDS, LIVE_KINDS = 24, 12
# Commands of players in a finished game; of a game in play before and after the snapshots.
FINISHED_MOVES, LIVE_MOVES, LIVE_MOVES_AFTER = 2, 39, 2
# Finished ones mostly of the title whose setting up takes the fewest events: making a million takes long enough.
FINISHED_TITLES = ("1865",) * 9 + tuple(sorted({*TITLES} - {"1865"}))
LIVE_TITLES = ("1824", "1862", "1865", "rotw")
NAMES = ("ann", "bob", "cem", "dora", "eve", "finn", "gus", "hana")
SEATS = 3
ID_BYTES = 7


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was really played. `bodies`: its commits in bytes, without a stream; records have none either."""

    title: str
    seats: tuple[str, ...]
    is_restricted: bool
    bodies: tuple[bytes, ...]
    records: tuple[Record, ...]
    requests: tuple[RequestRecord, ...]
    state: bytes

    @property
    def sequence(self) -> int:
        """Its last."""
        return len(self.records)


@dataclass(frozen=True, slots=True)
class SyntheticGame:
    """One of the many: `played` under an id of its own."""

    game_id: str
    played: Played

    @property
    def stream(self) -> str:
        """Its stream in the log."""
        return stream_of(self.game_id)

    def commits(self) -> Iterator[bytes]:
        """The values of its records in Kafka."""
        stream = stream_field(self.game_id)
        for body in self.played.bodies:
            yield body + stream

    def records(self) -> list[Record]:
        """Its events as a log has them."""
        return [replace(each, stream=self.stream) for each in self.played.records]

    def archived(self) -> tuple[Heading, bytes]:
        """Its object in the archive."""
        played = self.played
        return written(played.title, played.seats, played.is_restricted, self.records(), played.requests)

    def row(self) -> WholeStream:
        """What a snapshot has of a game in the archive."""
        sequence = self.played.sequence
        marker = Marker(self.stream, sequence, content_name(self.game_id, sequence))
        return WholeStream(self.stream, marker=marker)

    def whole(self) -> WholeStream:
        """What a snapshot has of a game in play."""
        state = Snapshot(self.stream, self.played.sequence, SNAPSHOT_SCHEMA, self.played.state)
        return WholeStream(self.stream, tuple(self.records()), self.played.requests, state)


class SyntheticGames:
    """The same for the same seed and time, whatever their numbers are."""

    def __init__(self, live_time_ms: int, seed: int = SEED) -> None:
        """`live_time_ms`: when the events of games in play were written."""
        self._seed = seed
        draw = Random(seed)
        self._finished = [
            _finished(draw, FINISHED_TITLES[number % len(FINISHED_TITLES)])
            for number in range(FINISHED_KINDS)
        ]
        live = [
            _live(draw, LIVE_TITLES[number % len(LIVE_TITLES)], live_time_ms) for number in range(LIVE_KINDS)
        ]
        self._live = [before for before, _ in live]
        self._after = [after for _, after in live]

    def finished(self, number: int) -> SyntheticGame:
        """One of the finished games."""
        return self._game("finished", number, self._finished)

    def live(self, number: int) -> SyntheticGame:
        """One of the games in play, as it was when the snapshots were written."""
        return self._game("live", number, self._live)

    def live_after(self, number: int) -> Iterator[bytes]:
        """The values of the records in Kafka by which a game in play goes on after the snapshots."""
        stream = stream_field(self.live(number).game_id)
        for body in self._after[number % len(self._after)]:
            yield body + stream

    def _game(self, kind: str, number: int, kinds: list[Played]) -> SyntheticGame:
        digest = blake2b(f"{self._seed} {kind} {number}".encode(), digest_size=ID_BYTES)
        return SyntheticGame(digest.hexdigest(), kinds[number % len(kinds)])


def _finished(draw: Random, title: str) -> Played:
    desk, log = _begun(draw, title)
    _play(desk, draw, FINISHED_MOVES)
    scores = tuple(Score(seat, draw.randrange(100, 9_000)) for seat in desk.game().players)
    ending = Direct(EndGame(scores), "time is up", "pia")
    assert isinstance(desk.rules.execute(Request(GAME, "olga", "end", 0, ending)), CommandAccepted)
    return _played(desk, commits_in(log, stream_of(GAME)))


def _live(draw: Random, title: str, time_ms: int) -> tuple[Played, tuple[bytes, ...]]:
    """A game as it is in a snapshot, and the commits that follow."""
    desk, log = _begun(draw, title)
    _play(desk, draw, LIVE_MOVES)
    before = desk.game().sequence
    played = _played(desk, _at(commits_in(log, stream_of(GAME)), time_ms))
    _play(desk, draw, LIVE_MOVES_AFTER)
    after = [each for each in commits_in(log, stream_of(GAME)) if each.first_sequence > before]
    return played, tuple(map(without_stream, _at(after, time_ms)))


def _begun(draw: Random, name: str) -> tuple[Desk, MemoryEventLog]:
    title = TITLES[name]
    seats, rulings = tuple(draw.sample(NAMES, SEATS)), rulings_of(title, TableRulings("", {}))
    log = MemoryEventLog()
    desk = Desk(log, MemorySnapshotStore())
    table = CreateGame(title.name, seats, (), rulings, "own_turn", draw.randrange(2**31))
    assert isinstance(desk.rules.create(GAME, table), CommandAccepted)
    return desk, log


def _play(desk: Desk, draw: Random, moves: int) -> None:
    bot = RandomBot(draw.randrange(2**31))
    for _ in range(moves):
        loaded = desk.rules.reader.game_at(GAME).loaded
        player = acting_players(loaded.title, loaded.data, loaded.game)[0]
        options = desk.rules.reader.options(GAME, player, with_best_runs=True)
        desk.move(player, bot.choose(options.choices), f"m{loaded.game.sequence}")


def _at(commits: list[pb.Commit], time_ms: int) -> list[pb.Commit]:
    for each in commits:
        each.recorded_time_ms = time_ms
    return commits


def _played(desk: Desk, commits: list[pb.Commit]) -> Played:
    records: list[Record] = []
    requests: list[RequestRecord] = []
    for commit in commits:
        for fact in facts_of(commit):
            sequence = len(records) + 1
            records.append(
                Record("", sequence, fact.type, fact.schema_version, fact.payload, commit.recorded_time_ms, 0)
            )
        request = request_of(commit)
        assert request is not None
        requests.append(request)
    game = desk.game()
    return Played(
        game.title,
        game.players,
        game.audience != EVERYBODY,
        tuple(map(without_stream, commits)),
        tuple(records),
        tuple(sorted(requests, key=lambda each: each.request_id)),
        encode_snapshot(game),
    )
