"""Everything from one side to the other: streams, requests with their outcomes, recorded times, holds, and the cards with
the players' thinking times.

Kept on Kafka: the order of all events of the lobby, and of each game's. Games of one partition follow each other in the
order in which they began. Kept in a file: the order of the lobby, and within each partition the order of all games.
Snapshots and books stay behind: services make them again from the events.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from services.audit.cases import KeptFact
from services.audit.kafka_log import LogReader, reading
from services.common.kafka.administration import check_topics
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS, LEDGER_EVENTS, LOBBY_CARDS, LOBBY_EVENTS, STANDINGS
from services.gen.signalbox.lobby.v1.game_card_pb2 import GameCard
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.ledger.ports import Hold
from services.migration.appends import GAMES, is_game
from services.migration.compare import Compared, compare
from services.migration.errors import NotMoved, OtherContent
from services.migration.kafka_side import (
    CountedLog,
    TransactionalWriter,
    kept_cards,
    kept_holds,
    refuse_running,
    standing_sequences,
)
from services.migration.sqlite_side import SqliteSide
from services.migration.standings import standing_after

HOLD_VERSION = 1
COMMITS_PER_WRITE = 1000
TOPICS_MOVED = (EVENTS, LOBBY_EVENTS, LOBBY_CARDS, STANDINGS, LEDGER_EVENTS)
Told = Callable[[str, int, int], None]
"""Called with the name of the step, events done since the last call, and events of the step in all."""


@dataclass(slots=True)
class Moved:
    """What a move came to. `there_before`: events that an earlier run had moved. `without_standing`: games
    whose events are moved and cannot be read here."""

    games: int = 0
    lobby_streams: int = 0
    events: int = 0
    requests: int = 0
    holds: int = 0
    there_before: int = 0
    without_standing: list[str] = field(default_factory=list)


def to_kafka(file: SqliteSide, kafka: KafkaSettings, told: Told, *, is_offline: bool = False) -> Moved:
    """Bring Kafka to where the file is; may be called again after it was cut off.

    Raises `InUse`, `OtherContent`, `NotMoved`, `UnmovableStream`, `TopicsDiffer`, `KafkaUnreachable`."""
    if not is_offline:
        refuse_running(kafka)
    check_topics(kafka, TOPICS_MOVED)
    writer = TransactionalWriter(kafka)
    with reading(kafka) as reader:
        before = _compared(kafka, reader, file, told, "looking")
        foreign = [*before.differences, *before.beyond(before.kafka, before.file)]
        holds, known_holds = file.holds(), kept_holds(reader)
        foreign += [f"game {game_id} is held" for game_id in sorted(known_holds.keys() - holds.keys())]
        if foreign:
            raise OtherContent(f"Kafka at {', '.join(kafka.servers)}", foreign)
        missing = sum(before.file.values()) - sum(before.kafka.values())
        _write_lobby(file, writer, before, told, missing)
        unread = _write_games(file, writer, before, standing_sequences(reader), told, missing)
        for game_id, hold in holds.items():
            if known_holds.get(game_id) != hold:
                writer.hold(_hold_changed(hold))
        cards = _newer(file.cards(), kept_cards(reader))
        for game_id, card in cards.items():
            writer.card(game_id, card)
        writer.finish()
        after = _compared(kafka, reader, file, told, "verifying")
        _check(after, holds, kept_holds(reader), _newer(file.cards(), kept_cards(reader)))
    return _summary(before.kafka, after, file, len(holds), unread)


def to_sqlite(kafka: KafkaSettings, file: SqliteSide, told: Told, *, is_offline: bool = False) -> Moved:
    """Bring the file to where Kafka is; may be called again after it was cut off. Raises what `to_kafka` raises."""
    if not is_offline:
        refuse_running(kafka)
    check_topics(kafka, TOPICS_MOVED)
    with reading(kafka) as reader:
        before = _compared(kafka, reader, file, told, "looking")
        foreign = [*before.differences, *before.beyond(before.file, before.kafka)]
        holds = kept_holds(reader)
        foreign += [f"game {game_id} is held" for game_id in sorted(file.holds().keys() - holds.keys())]
        if foreign:
            raise OtherContent(str(file.path), foreign)
        _write_file(CountedLog(kafka, reader), file, before, told)
        file.put_holds(list(holds.values()))
        cards = kept_cards(reader)
        file.put_cards(_newer(cards, file.cards()).values())
        after = _compared(kafka, reader, file, told, "verifying")
        _check(after, holds, file.holds(), _newer(cards, file.cards()))
    return _summary(before.file, after, file, len(holds), [])


def _write_lobby(
    file: SqliteSide, writer: TransactionalWriter, before: Compared, told: Told, missing: int
) -> None:
    for commit in file.lobby_commits():
        if commit.first_sequence > before.kafka.get(commit.stream, 0):
            writer.commit(commit)
            writer.end_stream()
            told("writing", len(commit.facts), missing)


def _write_games(
    file: SqliteSide,
    writer: TransactionalWriter,
    before: Compared,
    standings: dict[str, int],
    told: Told,
    missing: int,
) -> list[str]:
    """A game's standing follows its last event in the same transaction. Returns the games that have none."""
    unread = []
    for stream in file.games():
        last, there = before.file[stream], before.kafka.get(stream, 0)
        game_id = stream.removeprefix(GAMES)
        if there == last and standings.get(game_id) == last:
            continue
        commits = file.commits(stream)
        for commit in commits:
            if commit.first_sequence > there:
                writer.commit(commit)
                told("writing", len(commit.facts), missing)
        standing = standing_after(game_id, _facts(commits))
        if standing is None:
            unread.append(game_id)
        else:
            writer.standing(standing)
        writer.end_stream()
    return unread


def _write_file(log: CountedLog, file: SqliteSide, before: Compared, told: Told) -> None:
    missing = sum(before.kafka.values()) - sum(before.file.values())
    waiting: list[pb.Commit] = []
    for commit in log.commits():
        if commit.first_sequence > before.file.get(commit.stream, 0):
            waiting.append(commit)
            told("writing", len(commit.facts), missing)
        if len(waiting) == COMMITS_PER_WRITE:
            file.append(waiting)
            waiting = []
    if waiting:
        file.append(waiting)


def _compared(kafka: KafkaSettings, reader: LogReader, file: SqliteSide, told: Told, step: str) -> Compared:
    total = sum(file.last_sequences().values())
    return compare(kafka, reader, file, lambda events: told(step, events, total))


def _newer(ours: Mapping[str, bytes], theirs: Mapping[str, bytes]) -> dict[str, bytes]:
    """Those of our cards that are further on than theirs."""
    return {
        game_id: card
        for game_id, card in ours.items()
        if GameCard.FromString(card).sequence > GameCard.FromString(theirs.get(game_id, b"")).sequence
    }


def _check(
    after: Compared, wanted: dict[str, Hold], found: dict[str, Hold], cards_missing: Iterable[str]
) -> None:
    differences = after.all_differences
    differences += [f"the card of game {each} is missing" for each in cards_missing]
    differences += [f"the hold of game {each} differs" for each in wanted if wanted[each] != found.get(each)]
    if differences:
        raise NotMoved("; ".join(differences[:5]))


def _facts(commits: list[pb.Commit]) -> list[KeptFact]:
    return [
        KeptFact(fact.type, fact.schema_version, fact.payload, commit.recorded_time_ms)
        for commit in commits
        for fact in commit.facts
    ]


def _hold_changed(hold: Hold) -> pb.HoldChanged:
    return pb.HoldChanged(
        schema_version=HOLD_VERSION,
        game_id=hold.game_id,
        held=True,
        reason=hold.reason,
        detail=hold.detail,
        sequence=hold.sequence,
        recorded_time_ms=int(time.time() * 1000),
    )


def _summary(
    before: Mapping[str, int], after: Compared, file: SqliteSide, holds: int, unread: list[str]
) -> Moved:
    games = sum(is_game(stream) for stream in after.file)
    return Moved(
        games=games,
        lobby_streams=len(after.file) - games,
        events=sum(after.file.values()),
        requests=sum(file.request_counts().values()),
        holds=holds,
        there_before=sum(before.values()),
        without_standing=unread,
    )
