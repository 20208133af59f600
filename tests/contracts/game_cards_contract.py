"""What every adapter of game cards must do. Each adapter's test class inherits these tests."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

from services.lobby.domain.games import GameCard, GameResult, GameStanding, card_after
from services.lobby.ports import GameCards, Place


def standing(game_id: str = "g1", sequence: int = 1, time_ms: int = 1_000, **more: Any) -> GameStanding:
    """Ann and Bob play, and Ann is asked."""
    told: dict[str, Any] = {"title": "1824", "players": ("ann", "bob"), "acting_players": ("ann",)}
    return GameStanding(game_id=game_id, sequence=sequence, time_ms=time_ms, **(told | more))


def card(game_id: str = "g1", sequence: int = 1, time_ms: int = 1_000, **more: Any) -> GameCard:
    """The card of a game that nobody has played for long."""
    return card_after(None, standing(game_id, sequence, time_ms, **more), "t-" + game_id, 0)


def ids(found: list[GameCard]) -> list[str]:
    """Games of cards."""
    return [each.game_id for each in found]


class GameCardsContract:
    """Needs a fixture `cards`, empty."""

    def test_a_card_comes_back_as_it_was(self, cards: GameCards) -> None:
        """With everything that lists show; a game without a card has none."""
        full = card_after(
            card_after(None, standing(sequence=1), "t1", 60),
            standing(
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
        assert cards.put(full)
        assert cards.get("g1") == full
        assert cards.get("g2") is None

    def test_only_later_sequences_are_kept(self, cards: GameCards) -> None:
        """The same sequence again and an earlier one change nothing and say so, whatever the clocks say."""
        assert cards.put(card(sequence=5, time_ms=9_000))
        assert not cards.put(card(sequence=5, time_ms=9_999))
        assert not cards.put(card(sequence=4, time_ms=9_999))
        assert cards.put(card(sequence=6, time_ms=1_000))
        kept = cards.get("g1")
        assert kept is not None
        assert (kept.sequence, kept.time_ms) == (6, 1_000)

    def test_games_of_a_player(self, cards: GameCards) -> None:
        """Those the player has a seat in, the one that moved on last first, and those that wait for the player."""
        cards.put(card("g1", time_ms=1_000))
        cards.put(card("g2", time_ms=3_000, acting_players=("bob",)))
        cards.put(card("g3", time_ms=2_000, players=("bob", "cem"), acting_players=("bob", "cem")))
        assert ids(cards.of_player("ann", False, 10)) == ["g2", "g1"]
        assert ids(cards.of_player("bob", False, 10)) == ["g2", "g3", "g1"]
        assert ids(cards.of_player("bob", True, 10)) == ["g2", "g3"]
        assert ids(cards.of_player("ann", True, 10)) == ["g1"]
        assert cards.of_player("dora", False, 10) == []

    def test_lists_follow_the_game(self, cards: GameCards) -> None:
        """A game that moved on waits for somebody else and comes first; one that has ended waits for nobody."""
        cards.put(card("g1", time_ms=1_000))
        cards.put(card("g2", time_ms=2_000))
        cards.put(card("g1", 2, time_ms=3_000, acting_players=("bob",)))
        assert ids(cards.recent(10)) == ["g1", "g2"]
        assert ids(cards.of_player("ann", True, 10)) == ["g2"]
        assert ids(cards.of_player("bob", True, 10)) == ["g1"]
        cards.put(card("g1", 3, time_ms=4_000, ending="bankruptcy", acting_players=()))
        assert cards.of_player("bob", True, 10) == []
        assert ids(cards.of_player("bob", False, 10)) == ["g1", "g2"]

    def test_pages_hold_every_game_once(self, cards: GameCards) -> None:
        """Also games that moved on at the same time: those come by their ids, the greatest first."""
        for number in range(10):
            cards.put(card(f"g{number}", time_ms=1_000 + number // 4))
        found: list[GameCard] = []
        for _ in range(4):
            place = Place(found[-1].time_ms, found[-1].game_id) if found else None
            page = cards.recent(3, place)
            mine = cards.of_player("ann", True, 3, place)
            assert page == mine
            found += page
        assert sorted(ids(found)) == [f"g{number}" for number in range(10)]
        assert all((a.time_ms, a.game_id) > (b.time_ms, b.game_id) for a, b in pairwise(found))

    def test_games_against_an_allowance(self, cards: GameCards) -> None:
        """Only those in which somebody is asked, as long as somebody is."""
        timed = card_after(None, standing("g1"), "t1", 60)
        cards.put(timed)
        cards.put(card("g2"))
        assert cards.timed() == [timed]
        cards.put(card_after(timed, standing("g1", 2, ending="bankruptcy"), "t1", 60))
        assert cards.timed() == []

    def test_lists_are_complete_once_they_are_filled(self, cards: GameCards) -> None:
        """A new store does not know what it lacks."""
        cards.put(card())
        assert not cards.is_complete
        cards.mark_complete()
        assert cards.is_complete

    def test_the_latest_of_many_writers_stays(self, cards: GameCards) -> None:
        """Cards of one game put at the same time in any order leave the latest, in the lists as well."""
        with ThreadPoolExecutor(8) as pool:
            kept = list(
                pool.map(
                    lambda n: cards.put(
                        card(sequence=n, time_ms=n, acting_players=("ann" if n % 2 else "bob",))
                    ),
                    (3, 1, 8, 2, 7, 5, 4, 6),
                )
            )
        assert any(kept)
        latest = cards.get("g1")
        assert latest is not None
        assert latest.sequence == 8
        assert cards.of_player("bob", True, 10) == cards.recent(10) == [latest]
        assert cards.of_player("ann", True, 10) == []
