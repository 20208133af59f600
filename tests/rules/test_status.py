"""The status of a game in short, as it follows the first one of its game."""

from __future__ import annotations

from hypothesis import given, strategies as st

from services.gen.signalbox.log.v1.log_pb2 import GameStatus
from services.rules.status import SCHEMA_VERSION, shortened, whole

PLAYERS = ("ann", "bob", "cem")
NAMED = st.sampled_from([*PLAYERS, "BK", ""])


@given(st.lists(st.sampled_from([*PLAYERS, "nobody"]), unique=True), NAMED, st.integers(1, 300))
def test_the_whole_status_comes_back(acting: list[str], actor: str, sequence: int) -> None:
    """Also where somebody acts who has no seat, or a company has the turn; what is left out is not in the record."""
    status = GameStatus(
        schema_version=SCHEMA_VERSION,
        game_id="g",
        sequence=sequence,
        title="1824",
        players=PLAYERS,
        acting_players=acting,
        actor=actor,
        balances_digest=b"12345678",
    )
    short = shortened(status)
    assert whole(short, "1824", PLAYERS) == status
    assert not (short.title or short.players)
    assert not set(PLAYERS).intersection(short.acting_players) or "nobody" in acting
    assert short.actor not in PLAYERS
    assert whole(status, "another", ("x",)) == status


def test_seats_that_a_game_does_not_have_are_nobodys() -> None:
    """A damaged status is no reason to fail: it differs from the one that the events give."""
    found = whole(GameStatus(acting_seats=[-1, 0, 3], actor_seat=9), "1824", PLAYERS)
    assert (list(found.acting_players), found.actor) == (["ann"], "")
