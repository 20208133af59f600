"""Who sees a game: of an invited one nobody but its people, of a delayed one the others see what is old enough."""

from __future__ import annotations

import pytest

from services.rules.kernel.commands import CreateGame
from services.rules.kernel.directing.commands import AssignSeat, Direct, EndGame
from services.rules.kernel.values import EVERYBODY, Audience, Score
from services.rules.reading import GameReader
from services.rules.requests import CommandAccepted, Request
from services.rules.sessions import UnknownGameError
from tests.rules.service.desk import ANN, BOB, GAME, SEATS, Desk

DAY_SECONDS = 24 * 3600


class LaterClock:
    """A clock that is a day ahead of the one that stamps events, and can be set back."""

    def __init__(self, recorded_ms: int) -> None:
        self.time_ms = recorded_ms + DAY_SECONDS * 1000

    def now_ms(self) -> int:
        """See `Clock`."""
        return self.time_ms


def create(desk: Desk, audience: Audience) -> None:
    """A game of three players with this audience."""
    created = desk.rules.create(GAME, CreateGame("1824", SEATS, audience=audience))
    assert isinstance(created, CommandAccepted)


def directed(desk: Desk, direction: AssignSeat | EndGame) -> int:
    """What a director decides; returns where the game is then."""
    result = desk.rules.execute(
        Request(GAME, "olga", type(direction).__name__, desk.sequence(), Direct(direction, "It is so."))
    )
    assert isinstance(result, CommandAccepted), result
    return result.last


def test_a_game_for_everybody_has_no_fact_about_it(desk: Desk) -> None:
    """Nothing is written for a public game, and everybody sees all of it."""
    create(desk, EVERYBODY)
    assert "AudienceSet" not in {type(event).__name__ for event in desk.stored()}
    assert desk.rules.reader.seen_by(GAME, "stranger") is None
    assert desk.rules.reader.is_for_everybody(GAME)


def test_an_invited_game_is_not_there_for_others(desk: Desk) -> None:
    """Players and readers see all; a stranger gets what an unknown id gives, also after a restart of the service."""
    create(desk, Audience(is_invited=True, readers=("olga",)))
    for reader in (desk.rules.reader, Desk(desk.log, desk.snapshots).rules.reader):
        assert [reader.seen_by(GAME, each) for each in (*SEATS, "olga")] == [None] * 4
        with pytest.raises(UnknownGameError) as hidden:
            reader.seen_by(GAME, "stranger")
        with pytest.raises(UnknownGameError) as absent:
            reader.seen_by("g2", "stranger")
        assert str(hidden.value) == str(absent.value).replace("g2", GAME)


def test_a_former_bearer_becomes_a_stranger(desk: Desk) -> None:
    """Who takes a seat sees the game from then on, and who had it does not."""
    create(desk, Audience(is_invited=True))
    directed(desk, AssignSeat(ANN, "dora", "substitute"))
    assert desk.rules.reader.seen_by(GAME, "dora") is None
    with pytest.raises(UnknownGameError):
        desk.rules.reader.seen_by(GAME, ANN)


def test_a_delay_in_moves_ends_with_the_game(desk: Desk) -> None:
    """Others see the game without its last two commands, all of it from its end on, and its beginning always."""
    create(desk, Audience(delay_moves=2))
    ends = [desk.sequence()]
    reader = desk.rules.reader
    assert reader.seen_by(GAME, "stranger") == ends[0]
    for _ in range(4):
        desk.play_on(1)
        ends.append(desk.sequence())
        assert reader.seen_by(GAME, "stranger") == (ends[-3] if len(ends) > 2 else ends[0])
        assert reader.seen_by(GAME, BOB) is None
    directed(desk, EndGame(tuple(Score(seat, 1) for seat in SEATS)))
    assert reader.seen_by(GAME, "stranger") is None


def test_a_delay_in_time_shows_what_is_old_enough(desk: Desk) -> None:
    """Others see what was recorded long enough ago; where both delays are set, what passes both."""
    create(desk, Audience(delay_moves=1, delay_seconds=DAY_SECONDS))
    first = desk.sequence()
    desk.play_on(3)
    records = desk.log.read(f"game/{GAME}", 0, None)
    clock = LaterClock(max(record.recorded_time_ms for record in records))
    reader = GameReader(desk.log, desk.sessions, desk.solver, desk.rules.reader.notifier, clock=clock)
    seen = reader.seen_by(GAME, "stranger")
    assert seen is not None
    assert first < seen < desk.sequence()
    clock.time_ms -= 2 * DAY_SECONDS * 1000
    assert reader.seen_by(GAME, "stranger") == first


@pytest.mark.parametrize("audience", [EVERYBODY, Audience(is_invited=True), Audience(delay_moves=2)])
def test_only_the_end_of_a_public_game_is_known_by_the_log_alone(desk: Desk, audience: Audience) -> None:
    """Without the game in memory, also when it has just been created; of no sequence but the last."""
    create(desk, audience)
    for _ in range(2):
        reader, last = Desk(desk.log, desk.snapshots).rules.reader, desk.sequence()
        assert reader.is_known(GAME, last) is (audience == EVERYBODY)
        assert not any(reader.is_known(GAME, last + other) for other in (-1, 1))
        desk.play_on(1)
    assert not desk.rules.reader.is_known("g2", 1)
