"""What every adapter of game summaries must do. Each adapter's test class inherits these tests."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

from services.lobby.domain.games import GameResult, GameStatus, GameSummary, SeatBearer, summary_after
from services.lobby.ports import GameSummaries, PageCursor


def status(game_id: str = "g1", sequence: int = 1, time_ms: int = 1_000, **more: Any) -> GameStatus:
    """Ann and Bob play, and Ann is asked."""
    fields: dict[str, Any] = {"title": "1824", "players": ("ann", "bob"), "acting_players": ("ann",)}
    return GameStatus(game_id=game_id, sequence=sequence, time_ms=time_ms, **(fields | more))


def summary(game_id: str = "g1", sequence: int = 1, time_ms: int = 1_000, **more: Any) -> GameSummary:
    """The summary of a game that nobody has played for long."""
    return summary_after(None, status(game_id, sequence, time_ms, **more), "t-" + game_id, 0)


def ids(found: list[GameSummary]) -> list[str]:
    """Games of summaries."""
    return [each.game_id for each in found]


class GameSummariesContract:
    """Needs a fixture `summaries`, empty."""

    def test_a_summary_comes_back_as_it_was(self, summaries: GameSummaries) -> None:
        """With everything that lists show; a game without a summary has none."""
        full = summary_after(
            summary_after(None, status(sequence=1), "t1", 60),
            status(
                sequence=9,
                time_ms=5_000,
                acting_players=("bob",),
                round_kind="operating",
                turn=3,
                round_number=2,
                phase="4+4",
                actor="BK",
                ending="bank_broken",
                results=(GameResult("bob", 2_000), GameResult("ann", -5)),
            ),
            "t1",
            60,
        )
        assert summaries.put(full)
        assert summaries.get("g1") == full
        assert summaries.get("g2") is None

    def test_only_later_sequences_are_kept(self, summaries: GameSummaries) -> None:
        """The same sequence again and an earlier one change nothing and return False, whatever their times."""
        assert summaries.put(summary(sequence=5, time_ms=9_000))
        assert not summaries.put(summary(sequence=5, time_ms=9_999))
        assert not summaries.put(summary(sequence=4, time_ms=9_999))
        assert summaries.put(summary(sequence=6, time_ms=1_000))
        kept = summaries.get("g1")
        assert kept is not None
        assert (kept.sequence, kept.time_ms) == (6, 1_000)

    def test_games_of_a_player(self, summaries: GameSummaries) -> None:
        """Those the player has a seat in, the one that moved on last first, and those that wait for the player."""
        summaries.put(summary("g1", time_ms=1_000))
        summaries.put(summary("g2", time_ms=3_000, acting_players=("bob",)))
        summaries.put(summary("g3", time_ms=2_000, players=("bob", "cem"), acting_players=("bob", "cem")))
        assert ids(summaries.of_player("ann", False, 10)) == ["g2", "g1"]
        assert ids(summaries.of_player("bob", False, 10)) == ["g2", "g3", "g1"]
        assert ids(summaries.of_player("bob", True, 10)) == ["g2", "g3"]
        assert ids(summaries.of_player("ann", True, 10)) == ["g1"]
        assert summaries.of_player("dora", False, 10) == []

    def test_lists_follow_the_game(self, summaries: GameSummaries) -> None:
        """A game that moved on waits for somebody else and comes first; one that has ended waits for nobody."""
        summaries.put(summary("g1", time_ms=1_000))
        summaries.put(summary("g2", time_ms=2_000))
        summaries.put(summary("g1", 2, time_ms=3_000, acting_players=("bob",)))
        assert ids(summaries.recent(10)) == ["g1", "g2"]
        assert ids(summaries.of_player("ann", True, 10)) == ["g2"]
        assert ids(summaries.of_player("bob", True, 10)) == ["g1"]
        summaries.put(summary("g1", 3, time_ms=4_000, ending="bankruptcy", acting_players=()))
        assert summaries.of_player("bob", True, 10) == []
        assert ids(summaries.of_player("bob", False, 10)) == ["g1", "g2"]

    def test_lists_follow_who_plays(self, summaries: GameSummaries) -> None:
        """A game leaves the lists of an account whose seat another one took, and is in those of that one."""
        summaries.put(summary("g1", time_ms=1_000))
        summaries.put(summary("g2", time_ms=2_000))
        sue = SeatBearer("ann", "sue", "substitute")
        summaries.put(summary("g1", 2, time_ms=3_000, bearers=(sue,)))
        assert ids(summaries.of_player("ann", False, 10)) == ["g2"]
        assert ids(summaries.of_player("ann", True, 10)) == ["g2"]
        assert ids(summaries.of_player("sue", False, 10)) == ["g1"]
        assert ids(summaries.of_player("sue", True, 10)) == ["g1"]
        back = SeatBearer("ann", "ann", "player")
        summaries.put(summary("g1", 3, time_ms=4_000, bearers=(back,)))
        assert summaries.of_player("sue", False, 10) == []
        assert ids(summaries.of_player("ann", True, 10)) == ["g1", "g2"]

    def test_pages_hold_every_game_once(self, summaries: GameSummaries) -> None:
        """Also games that moved on at the same time: those come by their ids, the greatest first."""
        for number in range(10):
            summaries.put(summary(f"g{number}", time_ms=1_000 + number // 4))
        found: list[GameSummary] = []
        for _ in range(4):
            cursor = PageCursor(found[-1].time_ms, found[-1].game_id) if found else None
            page = summaries.recent(3, cursor)
            mine = summaries.of_player("ann", True, 3, cursor)
            assert page == mine
            found += page
        assert sorted(ids(found)) == [f"g{number}" for number in range(10)]
        assert all((a.time_ms, a.game_id) > (b.time_ms, b.game_id) for a, b in pairwise(found))

    def test_games_with_a_time_limit(self, summaries: GameSummaries) -> None:
        """Only those in which somebody is asked, as long as somebody is."""
        timed = summary_after(None, status("g1"), "t1", 60)
        summaries.put(timed)
        summaries.put(summary("g2"))
        assert summaries.timed() == [timed]
        summaries.put(summary_after(timed, status("g1", 2, ending="bankruptcy"), "t1", 60))
        assert summaries.timed() == []

    def test_lists_are_complete_once_they_are_filled(self, summaries: GameSummaries) -> None:
        """A new store is incomplete until it is marked."""
        summaries.put(summary())
        assert not summaries.is_complete
        summaries.mark_complete()
        assert summaries.is_complete

    def test_the_latest_of_many_writers_stays(self, summaries: GameSummaries) -> None:
        """Summaries of one game put at the same time in any order leave the latest, in the lists as well."""
        with ThreadPoolExecutor(8) as pool:
            kept = list(
                pool.map(
                    lambda n: summaries.put(
                        summary(sequence=n, time_ms=n, acting_players=("ann" if n % 2 else "bob",))
                    ),
                    (3, 1, 8, 2, 7, 5, 4, 6),
                )
            )
        assert any(kept)
        latest = summaries.get("g1")
        assert latest is not None
        assert latest.sequence == 8
        assert summaries.of_player("bob", True, 10) == summaries.recent(10) == [latest]
        assert summaries.of_player("ann", True, 10) == []
