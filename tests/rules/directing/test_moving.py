"""A game whose seats have changed goes out and comes in with its whole history."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from services.rules.adapters.snapshots import state_bytes
from services.rules.kernel.directing.events import DirectorDecided, SeatTaken
from services.rules.kernel.events import Event, Undone
from services.rules.kernel.fold import replay
from services.rules.kernel.values import BearerKind
from services.rules.moving.native import bearers_in
from services.rules.moving.refusals import FileRefused
from tests.rules.moving.files import account, exported, imported, records_of
from tests.rules.moving.test_native import small_game

ANN, BOB, CEM, SUE, TIM = (account(number) for number in (11, 12, 13, 24, 25))
HERE = {each: account(number) for number, each in enumerate((ANN, BOB, CEM, TIM), start=31)}


def taken(seat: str, former: str, bearer: str, kind: BearerKind = "substitute") -> list[Event]:
    """One change of a seat."""
    return [
        DirectorDecided("assign_seat", seat, "operator:olga", "away", ""),
        SeatTaken(seat, bearer, former, kind),
    ]


def changed() -> list[Event]:
    """Ann's seat changed twice, Bob's went to a bot; a director's undo in between left all of it standing."""
    events: list[Event] = [*imported(exported(small_game())).events]
    start = len(events)
    events += [*taken(ANN, ANN, SUE), *taken(BOB, BOB, "house-bot-2", "bot")]
    events += [Undone("operator:olga", start), *taken(ANN, SUE, TIM)]
    return events


def brought(events: Sequence[Event], accounts: dict[str, str] | None = None) -> Sequence[Event]:
    """The events after a journey."""
    opening = imported(exported(records_of(events)), accounts)
    assert state_bytes(opening.game) == state_bytes(replay(opening.events))
    return opening.events


def test_the_history_of_seats_is_kept() -> None:
    """Every change, and who plays now."""
    events = changed()
    assert list(brought(events)) == events
    game = replay(events)
    assert [game.bearer_of(seat).account for seat in game.players].count(TIM) == 1
    assert bearers_in(game) == (TIM,)


def test_who_plays_now_gets_an_account_here() -> None:
    """So do the seats; who played before and bots keep their ids."""
    game = replay(brought(changed(), HERE))
    assert set(game.players) == {HERE[each] for each in (ANN, BOB, CEM)}
    assert game.bearer_of(HERE[ANN]).account == HERE[TIM]
    assert game.bearer_of(HERE[BOB]).account == "house-bot-2"
    formers = [each.former for each in brought(changed(), HERE) if isinstance(each, SeatTaken)]
    assert formers == [HERE[ANN], HERE[BOB], SUE]


def test_nobody_who_plays_is_forgotten() -> None:
    """Without an account here they could not go on."""
    with pytest.raises(FileRefused) as refused:
        brought(changed(), {each: here for each, here in HERE.items() if each != TIM})
    assert (refused.value.code, refused.value.player) == ("seat_missing", TIM)
