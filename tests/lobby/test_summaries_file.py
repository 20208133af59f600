"""The file of a replica's summaries over a restart: what the topic says, and no more."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from services.common.kafka.landmarks import landmark
from services.common.kafka.tail import TailRecord
from services.lobby.cluster.summaries_file import IsLost, SummariesFile
from services.lobby.domain.games import GameSummary
from services.lobby.summary_codec import encode_summary
from tests.contracts.game_summaries_contract import summary


@contextmanager
def opened(path: Path, identity: str = "topic", is_lost: IsLost = lambda _: False) -> Iterator[SummariesFile]:
    """The file as a replica that starts opens it."""
    with closing(SummariesFile(path, identity, is_lost)) as file:
        yield file


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the file is."""
    return tmp_path / "summaries.db"


def record(offset: int, of: GameSummary) -> TailRecord:
    """A record of the topic."""
    return TailRecord(0, offset, of.game_id, encode_summary(of))


def test_what_the_topic_says_is_kept_with_its_offsets(path: Path) -> None:
    """After a restart the summaries are there, and only later records are to be read."""
    with opened(path) as file:
        file.take([record(0, summary("g1")), record(4, summary("g2"))])
    with opened(path) as file:
        assert (file.summaries.get("g1"), file.next_offsets()) == (summary("g1"), {0: 5})


def test_what_only_this_replica_said_is_forgotten_at_the_start(path: Path) -> None:
    """The topic may never have got it; what it said before counts again, and is not read again."""
    with opened(path) as file:
        file.take([record(0, summary("g1", 1))])
        assert file.put(summary("g1", 2)) and file.put(summary("g1", 3)) and file.put(summary("g2", 1))
        assert file.summaries.get("g1") == summary("g1", 3)
    with opened(path) as file:
        assert (file.summaries.get("g1"), file.summaries.get("g2")) == (summary("g1", 1), None)


def test_what_came_back_from_the_topic_is_kept(path: Path) -> None:
    """A summary of this replica whose record was read is one of the topic; an earlier record than it does not replace it."""
    with opened(path) as file:
        for game_id in ("g1", "g2"):
            file.put(summary(game_id, 5))
        file.take([record(0, summary("g1", 5)), record(1, summary("g2", 4)), record(2, summary("g2", 3))])
        assert file.summaries.get("g2") == summary("g2", 5)
    with opened(path) as file:
        assert (file.summaries.get("g1"), file.summaries.get("g2")) == (summary("g1", 5), summary("g2", 4))


@pytest.mark.parametrize("harm", ["another topic", "lost records", "damaged"])
def test_a_file_that_does_not_fit_is_made_anew(path: Path, harm: str) -> None:
    """Made from another topic, from records that Kafka no longer has, or damaged."""
    with opened(path) as file:
        file.take([record(7, summary("g1"))])
    if harm == "damaged":
        path.write_bytes(b"no database" * 1000)
    asked = []

    def is_lost(landmarks: object) -> bool:
        asked.append(landmarks)
        return harm == "lost records"

    with opened(path, "another" if harm == "another topic" else "topic", is_lost) as file:
        assert (file.summaries.get("g1"), file.next_offsets()) == (None, {})
    if harm == "lost records":
        assert asked == [{0: landmark(7, encode_summary(summary("g1")))}]
