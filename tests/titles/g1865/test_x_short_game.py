"""The short game of 1865, and what belongs to its figures alone (x)."""

import pytest

from services.rules.kernel.commands import CreateGame
from services.rules.kernel.decide import create
from services.rules.kernel.rejections import Rejection
from services.rules.kernel.title import printed_limit
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.data import map_data
from services.rules.parts.shares.data import cards_of
from services.rules.titles.g1865.figures import kind_of
from services.rules.titles.g1865.operating.forced import new_price
from services.rules.titles.g1865.title import TITLE
from tests.titles.g1865.table import PLAYERS, new_table


@pytest.mark.clause("1865/x-a")
def test_the_short_game_is_for_two_or_three_without_corsica() -> None:
    """Bank 6000, without CFC, CFD and their part of the map; not with four."""
    table = new_table(2, "short_game")
    assert table.game.money(BANK) == 6000 - 2 * 360
    assert set(cards_of(new_table(2).data)) - set(cards_of(table.data)) == {"CFC", "CFD"}
    assert "Bastia" not in {each.name for each in map_data(table.data).hexes.values()}
    refused = create(TITLE, CreateGame("1865", PLAYERS, ("short_game",)))
    assert isinstance(refused, Rejection) and (refused.code, refused.clause) == ("unknown_option", "1865/x-a")


@pytest.mark.clause("1865/x-b")
def test_the_short_game_has_fewer_trains() -> None:
    """5, 4, 3, 2, 2 and no end of the last; the last of the first three kinds is cheaper here too."""
    data = new_table(3, "short_game").data
    assert [kind_of(data, f"{kind}-0").count for kind in "234567"] == [5, 4, 3, 2, 2, 0]
    assert [new_price(data, train) for train in ("2-4", "3-3", "4-2", "2-3")] == [70, 160, 300, 100]


@pytest.mark.clause("1865/x-c")
@pytest.mark.parametrize(("players", "limit"), [(2, 27), (3, 18)])
def test_the_certificate_limit_of_the_short_game(players: int, limit: int) -> None:
    """27 and 18."""
    table = new_table(players, "short_game")
    assert printed_limit(table.game, table.data) == limit
