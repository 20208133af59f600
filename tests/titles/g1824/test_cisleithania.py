"""Cisleithania: map, companies, trains, money and limits of both variants, and the rounds of three players (X.1, X.2, XI)."""

from __future__ import annotations

import pytest

from services.rules.kernel.commands import CreateGame
from services.rules.kernel.decide import create
from services.rules.kernel.rejections import Rejection
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.board import face, stop_value
from services.rules.parts.map.data import map_data
from services.rules.parts.map.state import map_of, unplaced_tokens
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.data import train_kinds_of
from services.rules.titles.g1824.commands import BuyCompany
from services.rules.titles.g1824.companies import (
    COAL,
    MOUNTAIN,
    NATIONAL,
    PRE_STATE,
    REGIONAL,
    in_play,
    of_kind,
)
from services.rules.titles.g1824.figures import TrainKind, cards_of
from services.rules.titles.g1824.state import reserved_of
from services.rules.titles.g1824.title import TITLE
from tests.titles.g1824.cisleithania import OPTION, table_of_two
from tests.titles.g1824.table import ADA, BEN, CLEO, PLAYERS, Table, new_table

RED_AREAS = {
    "A4": (10, 20, 30, 40),
    "A24": (10, 30, 40, 50),
    "E14": (20, 30, 40, 40),
    "F25": (20, 30, 40, 40),
    "G12": (20, 40, 60, 70),
    "H1": (10, 30, 50, 70),
    "I10": (10, 10, 50, 50),
}
PHASES = ("2", "3", "5", "8")


def table_of(players: int) -> Table:
    """A new game on the Cisleithania map."""
    return new_table(players, OPTION) if players == 3 else table_of_two()


@pytest.mark.clause("1824/X.1-a", "1824/XI.1-a")
@pytest.mark.parametrize("players", [2, 3])
def test_the_map_is_the_west_and_north(players: int) -> None:
    """65 hexes, red areas on its borders with their values by phase, no tiles of Buda Pest."""
    table = table_of(players)
    board = map_data(table.data)
    assert len(board.hexes) == 65
    assert {hex_id[0] for hex_id in board.hexes} == set("ABCDEFGHI")
    assert not {"F17", "G26", "J13", "H25"} & set(board.hexes)
    for hex_id, values in RED_AREAS.items():
        found = tuple(stop_value(table.data, map_of(table.game).tiles, hex_id, 0, phase) for phase in PHASES)
        assert found == values, hex_id
    assert "Bu" not in {tile.face.label for tile in board.tiles.values()}
    assert sum(tile.count for tile in board.tiles.values()) == 139
    assert face(table.data, {}, "G12").stops[0].kind == ("city" if players == 3 else "offboard")


@pytest.mark.clause("1824/X.1-b", "1824/XI.1-b", "1824/XI.3-a")
@pytest.mark.parametrize(("players", "without"), [(2, {"UG1", "UG"}), (3, set())])
def test_companies_in_play(players: int, without: set[str]) -> None:
    """No BH, SB, SPB and UG2, with two players no UG either; as many mountain companies as players."""
    table = table_of(players)

    def playing(kind: str) -> set[str]:
        return {symbol for symbol in of_kind(table.data, kind) if in_play(table.game, symbol)}

    assert playing(PRE_STATE) == {"SD1", "SD2", "SD3", "KK1", "KK2", "UG1"} - without
    assert playing(COAL) == {"EPP", "EOD", "MLB"}
    assert playing(REGIONAL) == {"BK", "MS", "CL"}
    assert playing(NATIONAL) == {"SD", "KK", "UG"} - without
    assert playing(MOUNTAIN) == {f"B{number + 1}" for number in range(players)}


@pytest.mark.clause("1824/X.1-c", "1824/X.1-d", "1824/XI.1-c", "1824/XI.1-d")
@pytest.mark.parametrize(
    ("players", "normal", "goods"),
    [(2, (6, 5, 4, 2, 2, 1, 0), (3, 2, 2, 1, 2)), (3, (8, 6, 4, 3, 3, 2, 0), (5, 4, 3, 2, 2))],
)
def test_numbers_of_trains(players: int, normal: tuple[int, ...], goods: tuple[int, ...]) -> None:
    """Fewer trains; prices, trade-ins and what they make obsolete are those of the base game."""
    kinds = train_kinds_of(table_of(players).data)
    assert tuple(kind.count for kind in kinds.values() if kind.kind == "normal") == normal
    assert tuple(kind.count for kind in kinds.values() if kind.kind == "goods") == goods
    for name, base in train_kinds_of(new_table(4).data).items():
        kind = kinds[name]
        assert isinstance(kind, TrainKind) and isinstance(base, TrainKind)
        assert (kind.price, kind.trade_in, kind.removed_by) == (base.price, base.trade_in, base.removed_by)


@pytest.mark.clause("1824/X.2-a", "1824/X.2-b", "1824/XI.2-a", "1824/XI.2-b")
@pytest.mark.parametrize(("players", "bank", "cash"), [(2, 4000, 830), (3, 9000, 680)])
def test_money_at_the_start(players: int, bank: int, cash: int) -> None:
    """The players' money comes out of the bank's."""
    table = table_of(players)
    assert [table.game.money(player) for player in table.game.players] == [cash] * players
    assert table.game.money(BANK) == bank - players * cash


@pytest.mark.clause("1824/XI.2-b")
def test_another_platform_gives_three_players_700() -> None:
    """By ruling, here only: the base game for three keeps its 820."""
    assert new_table(3, OPTION, cash_of_three_in_cisleithania="corrected").game.money(ADA) == 700
    assert new_table(3, cash_of_three_in_cisleithania="corrected").game.money(ADA) == 820


@pytest.mark.clause("1824/X.2-c", "1824/XI.2-c")
@pytest.mark.parametrize(("players", "limit"), [(2, 14), (3, 16)])
def test_certificate_limit(players: int, limit: int) -> None:
    """14 certificates with two players, 16 with three."""
    table = table_of(players)
    assert TITLE.certificate_limit(table.game, table.data) == limit


def test_only_the_variant_is_for_two() -> None:
    """Two players need the option, four cannot choose it, and it excludes Goods Time."""

    def code(players: int, *options: str) -> str:
        outcome = create(TITLE, CreateGame("1824", PLAYERS[:players], options))
        return outcome.code if isinstance(outcome, Rejection) else ""

    assert code(2) == "player_count"
    assert (code(2, OPTION), code(3, OPTION), code(3)) == ("", "", "")
    assert code(4, OPTION) == "unknown_option"
    assert code(3, OPTION, "goods_time") == "unknown_option"


@pytest.mark.clause("1824/XI.3-b")
def test_ug1_is_at_home_in_budapest() -> None:
    """Its token comes to the one space of the red hex in its first turn."""
    table = new_table(3, OPTION)
    table.owns_private(ADA, "UG1")
    table.leave_initial_round()
    assert table.game.actor == "UG1"
    assert table.tokens("UG1") == {("G12", 0): ("UG1",)}


@pytest.mark.clause("1824/XI.3-c")
def test_initial_round_of_three() -> None:
    """As in the base game: the first lap runs backwards, over six pre-states, three coal and three mountain companies."""
    table = new_table(3, OPTION)
    assert table.game.current_round.kind == "1824.initial_stock"
    assert table.asked() == CLEO
    offered = {
        command.company for command in table.offered(CLEO, BuyCompany) if isinstance(command, BuyCompany)
    }
    assert offered == {*of_kind(table.data, PRE_STATE, COAL), "B1", "B2", "B3"}
    for player, company in ((CLEO, "B1"), (BEN, "B2"), (ADA, "B3")):
        table.act(player, BuyCompany(company, 120))
    assert table.asked() == ADA


@pytest.mark.clause("1824/XI.3-d")
def test_ug_forms_with_eight_shares_paid_in() -> None:
    """20 % of UG are kept for UG1; the other 80 % bring 960 when the first 5-train forms it."""
    table = new_table(3, OPTION)
    table.owns_private(ADA, "UG1")
    table.leave_initial_round()
    assert reserved_of(table.game, "UG") == (0,)
    table.has_cash("UG1", 0)
    table.phase_is("5")
    table.owns_trains("UG1", "5")
    table.operating_round_is("UG1", step="buy_trains")
    table.pass_on()
    assert companies_of(table.game)["UG"].opened
    assert table.game.money("UG") == 960
    assert table.director("UG") == ADA
    assert unplaced_tokens(table.game, "UG") == (40, 100, 100, 100)
    assert table.tokens("UG") == {("G12", 0): ("UG",)}


@pytest.mark.clause("1824/XI.3-d")
def test_tokens_of_ug_by_ruling() -> None:
    """Another platform gives it one less; with two players there is no UG to change."""
    rulings = {"tokens_of_ug": "four"}
    assert cards_of(TITLE.load((OPTION,), rulings, 3))["UG"].tokens == (40, 100, 100, 100)
    assert "UG" not in cards_of(TITLE.load((OPTION,), rulings, 2))
    assert len(cards_of(TITLE.load((OPTION,), {}, 3))["UG"].tokens) == 5
