"""Seats that other accounts have taken, as tables, lists and notifications of the lobby know them."""

from __future__ import annotations

from typing import Any

import pytest

from services.common.eventlog.port import Record
from services.gen.signalbox.events.v1 import events_pb2
from services.gen.signalbox.log.v1 import log_pb2
from services.lobby.adapters.memory_summaries import MemorySummaries
from services.lobby.domain.directing import DirectorNamed, TableSeatTaken, house_bot, named_house_bot
from services.lobby.domain.games import GameStatus, SeatBearer
from services.lobby.domain.players import Player
from services.lobby.domain.tables import BrokenTableLog, TableState, folded
from services.lobby.event_codec import decode, encode
from services.lobby.handlers.watching import topic_of
from services.lobby.statuses import status_from
from services.lobby.summary_codec import decode_summary, encode_summary
from tests.lobby.test_following import Followed, ended, status

SUE = SeatBearer("ann", "sue", "substitute")
BOT = SeatBearer("ann", "house-bot-1", "bot")
BACK = SeatBearer("ann", "ann", "player")


def taken(sequence: int, *bearers: SeatBearer, **more: Any) -> GameStatus:
    """A status in which Ann is asked, and her seat may be played by somebody else."""
    return status(
        sequence, **({"bearers": bearers, "players": ("ann", "bob"), "acting_players": ("ann",)} | more)
    )


def test_a_table_notes_who_takes_a_seat_once() -> None:
    """Each change in order; a repeated or late status writes nothing, and a new lobby knows the same."""
    followed = Followed()
    followed.follow(taken(5), taken(7, SUE), taken(8, SUE), taken(9, BOT), taken(12, BACK))
    expected = (
        TableSeatTaken("ann", Player("sue", "sue"), "substitute", 7),
        TableSeatTaken("ann", Player("house-bot-1", "house-bot-1"), "bot", 9),
        TableSeatTaken("ann", Player("ann", "ann"), "player", 12),
    )
    assert followed.table.seat_takers == expected
    position = followed.log.last_position()
    followed.follow(taken(7, SUE), taken(12, BACK))
    followed.begin_again()
    followed.follow(taken(9, BOT), taken(7, SUE), taken(12, BACK))
    assert followed.log.last_position() == position
    assert followed.table.accounts == ("ann", "bob")


def test_a_lobby_that_died_in_between_notes_the_seat_later() -> None:
    """Whichever of table and summary was written, the next status brings both up to date, and doubles nothing."""
    followed = Followed()
    followed.follow(taken(5), taken(7, SUE))
    # The table has it, the summary was not kept.
    followed.begin_again()
    followed.follow(taken(7, SUE))
    assert [each.bearer.player_id for each in followed.table.seat_takers] == ["sue"]
    assert followed.summaries.of_player("sue", False, 10)
    # Neither has it.
    followed.begin_again()
    followed.follow(taken(9, BOT))
    assert [each.bearer.player_id for each in followed.table.seat_takers] == ["sue", "house-bot-1"]


def test_games_are_listed_for_who_plays_now() -> None:
    """The former bearer's lists lose the game, the new one's have it; what is waited for follows."""
    followed = Followed()
    followed.follow(taken(5))
    assert _listed(followed.summaries, "ann") == (1, 1)
    followed.follow(taken(7, SUE))
    assert _listed(followed.summaries, "ann") == (0, 0)
    assert _listed(followed.summaries, "sue") == (1, 1)
    followed.follow(taken(8, SUE, acting_players=("bob",)))
    assert _listed(followed.summaries, "sue") == (1, 0)
    followed.follow(taken(9, SUE, acting_players=(), suspended=True))
    assert _listed(followed.summaries, "bob") == (1, 0)


def _listed(summaries: MemorySummaries, account: str) -> tuple[int, int]:
    """How many games the account has, and how many wait for it."""
    return len(summaries.of_player(account, False, 10)), len(summaries.of_player(account, True, 10))


def test_both_bearers_are_notified() -> None:
    """The streams of the former bearer and of the new one see that something changed."""
    followed, notified = Followed(), []
    publish = followed.games.notifier.publish

    def noted(topic: str) -> None:
        notified.append(topic)
        publish(topic)

    followed.games.notifier.publish = noted  # type: ignore[method-assign]
    followed.follow(taken(5))
    notified.clear()
    followed.follow(taken(7, SUE))
    assert set(notified) == {topic_of(each) for each in ("ann", "bob", "sue")}


def test_the_clock_of_a_seat_goes_on_with_its_bearer() -> None:
    """A turn began when the seat was asked, and goes on with another bearer; it stops while the game is suspended."""
    followed = Followed(turn_seconds=60)
    followed.follow(taken(5), taken(7, SUE))
    (clock, _) = followed.summaries.get("g1").clocks  # type: ignore[union-attr]
    assert (clock.player_id, clock.asked_sequence) == ("ann", 5)
    followed.follow(taken(8, SUE, acting_players=(), suspended=True))
    (clock, _) = followed.summaries.get("g1").clocks  # type: ignore[union-attr]
    assert not clock.is_asked


def test_an_end_and_a_seat_in_one_status_are_both_noted() -> None:
    """A lobby that was away may learn of both at once; the results are those of the seats."""
    followed = Followed()
    table = followed.follow(ended(9, bearers=(SUE,)))
    assert table.state is TableState.FINISHED
    assert table.accounts == ("sue", "bob")
    assert {each.player_id for each in table.results} == {"ann", "bob"}


def test_seats_of_a_bearer_count_for_the_quota() -> None:
    """The former bearer has one more seat to take, the new one has one less."""
    followed = Followed()
    followed.follow(taken(5), taken(7, SUE))
    usage = {each: followed.games.directory.usage_of(each).seats for each in ("ann", "bob", "sue")}
    assert usage == {"ann": 0, "bob": 1, "sue": 1}


@pytest.mark.parametrize(
    "event", [DirectorNamed("ann"), TableSeatTaken("ann", Player("sue", "Sue"), "substitute", 7)]
)
def test_the_events_survive_their_bytes(event: DirectorNamed | TableSeatTaken) -> None:
    """What is read from the log is what was written."""
    stored = encode(event)
    record = Record("lobby.table.t1", 2, stored.type, stored.schema_version, stored.payload, 0, 2)
    assert decode(record) == event


def test_statuses_and_summaries_keep_who_plays() -> None:
    """From rules to the lobby, and in the stores of the lobby."""
    message = log_pb2.GameStatus(
        game_id="g1",
        sequence=7,
        players=["ann", "bob"],
        bearers=[log_pb2.SeatBearer(seat="ann", bearer="sue", kind=events_pb2.BEARER_KIND_SUBSTITUTE)],
        suspended=True,
    )
    assert status_from(message).bearers == (SUE,)
    followed = Followed()
    followed.follow(taken(7, SUE, acting_players=(), suspended=True))
    kept = followed.summaries.get("g1")
    assert kept is not None
    assert decode_summary(encode_summary(kept)) == kept


def test_each_seat_has_a_bot_of_the_house_of_its_own() -> None:
    """An account plays one seat of a game at most."""
    bots = [house_bot(("ann", "bob"), seat) for seat in ("ann", "bob")]
    assert len({bot.player_id for bot in bots}) == 2
    assert [named_house_bot(bot.player_id) for bot in bots] == bots
    assert named_house_bot("ann") is None


def test_a_table_without_events_is_broken() -> None:
    """It has to be opened first."""
    with pytest.raises(BrokenTableLog):
        folded([])
