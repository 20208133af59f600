"""The figures of 1824 and of Goods Time, clause by clause."""

import pytest

from services.rules.parts.map.board import stop_value, terrain_cost
from services.rules.parts.map.data import map_data
from services.rules.parts.market.data import chart_of
from services.rules.parts.shares.data import shares_data
from services.rules.parts.trains.data import phases_of, train_kinds_of
from services.rules.titles.g1824.figures import Card, cards_of, figures_of, kind_of
from tests.rules.board.boards import laid, title_1824

TITLE = title_1824()
GOODS_TIME = title_1824("goods_time")
COAL = {"EPP": "BK", "EOD": "MS", "MLB": "CL", "SPB": "SB"}


def of_kind(kind: str) -> list[Card]:
    """The companies of one kind, in the order of the data."""
    return [company for company in cards_of(TITLE).values() if company.kind == kind]


def clause_case(clause: pytest.MarkDecorator, *values: object) -> object:
    """One row of a table of figures, marked with the clause it proves."""
    return pytest.param(*values, id=clause.args[0], marks=clause)


@pytest.mark.parametrize(
    ("row", "prices"),
    [
        clause_case(
            pytest.mark.clause("1824/I-a"),
            0,
            (100, 110, 120, 130, 140, 155, 170, 190, 210, 235, 260, 290, 320, 350),
        ),
        clause_case(
            pytest.mark.clause("1824/I-b"),
            1,
            (90, 100, 110, 120, 130, 145, 160, 180, 200, 225, 250, 280, 310, 340),
        ),
        clause_case(
            pytest.mark.clause("1824/I-c"),
            2,
            (80, 90, 100, 110, 120, 135, 150, 170, 190, 215, 240, 270, 300, 330),
        ),
        clause_case(pytest.mark.clause("1824/I-d"), 3, (70, 80, 90, 100, 110, 125, 140, 160, 180, 200, 220)),
        clause_case(pytest.mark.clause("1824/I-e"), 4, (60, 70, 80, 90, 100, 115, 130, 150, 170)),
        clause_case(pytest.mark.clause("1824/I-f"), 5, (50, 60, 70, 80, 90, 105, 120)),
        clause_case(pytest.mark.clause("1824/I-g"), 6, (40, 50, 60, 70, 80)),
    ],
)
def test_price_chart_row(row: int, prices: tuple[int, ...]) -> None:
    """Each row of the share price chart has its printed prices."""
    assert chart_of(TITLE).rows[row] == prices


@pytest.mark.clause("1824/I-h")
def test_price_chart_is_left_aligned() -> None:
    """Columns get shorter to the right: 7 rows, then 6, 5, 4 and 3."""
    heights = [sum(len(row) > column for row in chart_of(TITLE).rows) for column in range(14)]
    assert heights == [7, 7, 7, 7, 7, 6, 6, 5, 5, 4, 4, 3, 3, 3]


@pytest.mark.clause("1824/I-i", "1824/IV.4.4-b")
def test_starting_prices_stand_in_the_third_column() -> None:
    """States start at 120, regionals at 100, 90, 80, 70 or 60; 110 is no starting price."""
    prices = {
        zone: [chart_of(TITLE).rows[row][column] for row, column in cells]
        for zone, cells in chart_of(TITLE).zones.items()
    }
    assert prices == {"start_national": [120], "par_regional": [100, 90, 80, 70, 60]}
    assert {column for cells in chart_of(TITLE).zones.values() for _, column in cells} == {2}
    assert all(company.par_prices == (120,) for company in of_kind("national"))


@pytest.mark.clause("1824/I-j")
def test_number_of_companies_of_each_kind() -> None:
    """6 mountain, 4 coal, 7 pre-state, 5 regional and 3 state companies."""
    kinds = ("mountain", "coal", "pre_state", "regional", "national")
    assert [len(of_kind(kind)) for kind in kinds] == [6, 4, 7, 5, 3]
    assert shares_data(TITLE).kinds == kinds


@pytest.mark.clause("1824/I-k")
def test_number_of_share_certificates() -> None:
    """The eight majors have 72 certificates in all."""
    majors = of_kind("regional") + of_kind("national")
    assert sum(len(company.certificates) for company in majors) == 72


@pytest.mark.clause("1824/II-a")
def test_number_of_players() -> None:
    """The base game takes 3 to 6 players, with Goods Time as an option."""
    assert TITLE.header.players == (3, 6)
    assert GOODS_TIME.header.players == (3, 6)
    assert "goods_time" in [option.name for option in TITLE.header.options]


@pytest.mark.clause("1824/III.3-a", "1824/III.4-a")
def test_starting_cash_and_bank() -> None:
    """820, 680, 560 or 460 G for each player; 12,000 G in the bank."""
    assert TITLE.header.starting_cash == {3: 820, 4: 680, 5: 560, 6: 460}
    assert TITLE.header.bank == 12_000


@pytest.mark.clause("1824/VI.7-a")
def test_certificate_limit() -> None:
    """21, 16, 13 or 11 certificates with 3, 4, 5 or 6 players."""
    assert TITLE.header.certificate_limit == {3: 21, 4: 16, 5: 13, 6: 11}


@pytest.mark.clause("1824/IV.1-a")
def test_price_of_mountain_companies() -> None:
    """A mountain company costs 120 G."""
    assert {company.price for company in of_kind("mountain")} == {120}
    assert {company.income for company in of_kind("mountain")} == {25}


@pytest.mark.clause("1824/IV.1-m")
def test_mountain_companies_in_play() -> None:
    """Four mountain companies with 3 or 6 players, six with 4 or 5."""
    assert figures_of(TITLE).mountain_companies == {3: 4, 4: 6, 5: 6, 6: 4}
    assert [company.number for company in of_kind("mountain")] == [1, 2, 3, 4, 5, 6]


@pytest.mark.clause("1824/IV.2-a")
def test_coal_companies_and_their_regionals() -> None:
    """Each coal company is exchanged for the director's certificate of its regional."""
    for symbol, regional in COAL.items():
        exchange = cards_of(TITLE)[symbol].exchange
        assert exchange is not None
        assert (exchange.company, exchange.shares) == (regional, 2)
        assert cards_of(TITLE)[regional].linked == (symbol,)
        assert cards_of(TITLE)[regional].reserved == (2,)
    assert [company.symbol for company in of_kind("coal")] == list(COAL)


def test_figures_of_coal_companies() -> None:
    """Five prices, 120 G less in the treasury, a 1g-train, and goods trains only."""
    for company in of_kind("coal"):
        assert company.price_options == (120, 140, 160, 180, 200)
        assert (company.treasury_price_less, company.first_train) == (120, "1g")
        assert company.train_kinds == ("goods",)


@pytest.mark.clause("1824/IV.3-a", "1824/IV.3-b")
def test_pre_state_companies_and_their_prices() -> None:
    """Number 1 of a state costs 240 G, numbers 2 and 3 cost 120 G."""
    assert {company.symbol: company.price for company in of_kind("pre_state")} == {
        "SD1": 240,
        "SD2": 120,
        "SD3": 120,
        "UG1": 240,
        "UG2": 120,
        "KK1": 240,
        "KK2": 120,
    }


@pytest.mark.parametrize(
    ("state", "train", "certificates"),
    [
        ("SD", "4", {"SD1": 2, "SD2": 1, "SD3": 1}),
        ("UG", "5", {"UG1": 2, "UG2": 1}),
        ("KK", "6", {"KK1": 2, "KK2": 1}),
    ],
)
def test_states_their_pre_states_and_trigger_trains(
    state: str, train: str, certificates: dict[str, int]
) -> None:
    """Each pre-state is exchanged for a certificate of its state, formed by the first 4-, 5- or 6-train."""
    company = cards_of(TITLE)[state]
    found = {symbol: cards_of(TITLE)[symbol].exchange for symbol in company.linked}
    assert {symbol: exchange.shares for symbol, exchange in found.items() if exchange} == certificates
    assert {exchange.forced_by_train for exchange in found.values() if exchange} == {train}
    assert (company.formed_by_train, company.reserved) == (train, tuple(certificates.values()))
    assert company.capital_times_price == 10 - sum(certificates.values())


@pytest.mark.clause("1824/IV.4.2-a", "1824/IV.4.3-a")
def test_figures_of_regionals() -> None:
    """One 20 % and eight 10 % certificates, three tokens for 0, 40 and 100 G, homes as printed."""
    homes = {"BK": "B9", "MS": "C12", "CL": "B23", "SB": "G26", "BH": "J13"}
    for company in of_kind("regional"):
        assert company.certificates == (2,) + (1,) * 8
        assert company.tokens == (0, 40, 100)
        assert company.home is not None
        assert company.home.hex == homes[company.symbol]
        assert company.capital_times_price == (10 if company.symbol == "BH" else 8)
        assert company.capital_times_price_unlinked == 10
    assert [company.symbol for company in of_kind("regional") if not company.linked] == ["BH"]
    limits = [phases_of(TITLE)[name].train_limit["regional"] for name in ("2", "3", "4", "5", "6", "8", "10")]
    assert limits == [4, 4, 3, 3, 2, 2, 2]


@pytest.mark.clause("1824/IV.4.4-a")
def test_figures_of_states() -> None:
    """One 20 % and eight 10 % certificates, five tokens for 0, 40 and 100 G, train limit 4 then 3."""
    for company in of_kind("national"):
        assert company.certificates == (2,) + (1,) * 8
        assert company.tokens == (0, 40, 100, 100, 100)
        first = cards_of(TITLE)[company.linked[0]].home
        assert first is not None
        assert map_data(TITLE).hexes[first.hex].name == ("Buda Pest" if company.symbol == "UG" else "Wien")
    limits = [phases_of(TITLE)[name].train_limit.get("national") for name in phases_of(TITLE)]
    assert limits == [None, None, 4, 4, 3, 3, 3]


@pytest.mark.clause("1824/VII.14-h", "1824/VII.14-l", "1824/IV.3-h")
def test_train_limits_by_phase() -> None:
    """Regionals 4, 3, 2 and states 4, 3; pre-states and coal companies always 2."""
    limits = {name: phase.train_limit for name, phase in phases_of(TITLE).items()}
    assert limits["3"]["regional"] == 4
    assert (limits["4"]["regional"], limits["4"]["national"]) == (3, 4)
    assert (limits["6"]["regional"], limits["6"]["national"]) == (2, 3)
    assert {limit["pre_state"] for limit in limits.values()} == {2}
    assert {limit["coal"] for limit in limits.values() if "coal" in limit} == {2}


@pytest.mark.clause("1824/VII.14-b", "1824/VII.14-d", "1824/VII.14-k")
def test_tiles_and_operating_rounds_by_phase() -> None:
    """Yellow and one operating round; green and two; brown; three from the 6-train; grey from the 8-train."""
    rounds = {name: phase.operating_rounds for name, phase in phases_of(TITLE).items()}
    assert rounds == {"2": 1, "3": 2, "4": 2, "5": 2, "6": 3, "8": 3, "10": 3}
    newest = [phase.tiles[-1] for phase in phases_of(TITLE).values()]
    assert newest == ["yellow", "green", "green", "brown", "brown", "grey", "grey"]


@pytest.mark.parametrize(
    ("name", "stops", "count", "price", "traded_in", "removed_by"),
    [
        clause_case(pytest.mark.clause("1824/VII.11-a"), "2", 2, 9, 80, None, ("4",)),
        clause_case(pytest.mark.clause("1824/VII.11-b"), "3", 3, 7, 180, ("2", 140), ("6",)),
        clause_case(pytest.mark.clause("1824/VII.11-c"), "4", 4, 4, 280, ("3", 190), ("8",)),
        clause_case(pytest.mark.clause("1824/VII.11-d"), "5", 5, 3, 400, ("4", 260), ("10",)),
        clause_case(pytest.mark.clause("1824/VII.11-e"), "6", 6, 3, 600, ("5", 400), ()),
        clause_case(pytest.mark.clause("1824/VII.11-f"), "8", 8, 2, 800, ("6", 500), ()),
        clause_case(pytest.mark.clause("1824/VII.11-g"), "10", 10, 0, 1000, ("8", 600), ()),
    ],
)
def test_normal_trains(
    name: str,
    stops: int,
    count: int,
    price: int,
    traded_in: tuple[str, int] | None,
    removed_by: tuple[str, ...],
) -> None:
    """Number, price, trade-in and removal of each normal train; its first sale starts a phase."""
    train = kind_of(TITLE, name)
    assert (train.kind, train.stops, train.count, train.price) == ("normal", stops, count, price)
    assert (train.trade_in and (train.trade_in.train, train.trade_in.price)) == traded_in
    assert train.removed_by == removed_by
    assert name in phases_of(TITLE)


@pytest.mark.parametrize(
    ("name", "stops", "count", "price", "traded_in", "on_sale_from", "removed_by"),
    [
        clause_case(
            pytest.mark.clause("1824/VII.11-h"), "1g", 1, 6, 120, None, "2", {"3g", "4g", "5g", "10"}
        ),
        clause_case(
            pytest.mark.clause("1824/VII.11-i"), "2g", 2, 5, 240, ("1g", 180), "3", {"4g", "5g", "10"}
        ),
        clause_case(pytest.mark.clause("1824/VII.11-j"), "3g", 3, 4, 360, ("2g", 240), "4", {"5g", "10"}),
        clause_case(pytest.mark.clause("1824/VII.11-k"), "4g", 4, 3, 600, ("3g", 420), "6", set()),
        clause_case(pytest.mark.clause("1824/VII.11-l"), "5g", 5, 2, 800, ("4g", 500), "8", set()),
    ],
)
def test_goods_trains(
    name: str,
    stops: int,
    count: int,
    price: int,
    traded_in: tuple[str, int] | None,
    on_sale_from: str,
    removed_by: set[str],
) -> None:
    """Number, price, trade-in, start of sale and removal of each goods train."""
    train = kind_of(TITLE, name)
    assert (train.kind, train.stops, train.count, train.price) == ("goods", stops, count, price)
    assert (train.trade_in and (train.trade_in.train, train.trade_in.price)) == traded_in
    assert (train.on_sale_from, set(train.removed_by)) == (on_sale_from, removed_by)


@pytest.mark.clause("1824/VII.13-b")
def test_traded_in_train_is_worth_half() -> None:
    """Every trade-in takes half of the old train's price off."""
    for name in train_kinds_of(TITLE):
        train = kind_of(TITLE, name)
        if train.trade_in is not None:
            old = kind_of(TITLE, train.trade_in.train)
            assert train.price - train.trade_in.price == old.price // 2


@pytest.mark.clause("1824/VII.10-d")
def test_values_of_red_areas() -> None:
    """Dresden, Kiew, Mailand, Bukarest and Sarajevo by phase."""
    expected = {
        "A4": (10, 20, 20, 30, 30, 40, 40),
        "A26": (10, 30, 30, 40, 40, 50, 50),
        "H1": (10, 30, 30, 50, 50, 70, 70),
        "G28": (10, 30, 30, 40, 40, 50, 50),
        "J13": (10, 10, 10, 50, 50, 50, 50),
    }
    found = {
        hex_id: tuple(stop_value(TITLE, {}, hex_id, 0, phase) for phase in phases_of(TITLE))
        for hex_id in expected
    }
    assert found == expected
    assert stop_value(TITLE, laid("C12:57/0"), "C12", 0, "2") == 20


@pytest.mark.clause("1824/VII.3-d")
def test_values_of_mines() -> None:
    """Pilsen and Oderberg 10 then 40, Lemberg and Petrosani 20 then 60, from the first 5-train on."""
    mines = {"C6": (10, 40), "A12": (10, 40), "A22": (20, 60), "H25": (20, 60)}
    for hex_id, (low, high) in mines.items():
        values = [stop_value(TITLE, {}, hex_id, 0, phase) for phase in phases_of(TITLE)]
        assert values == [low, low, low, high, high, high, high]


@pytest.mark.clause("1824/VII.6-l")
def test_terrain_is_paid_with_the_first_tile_only() -> None:
    """River 20 G, mountain 40 G, on the first tile; nothing elsewhere."""
    assert terrain_cost(TITLE, {}, "E10") == 20
    assert terrain_cost(TITLE, {}, "D19") == 40
    assert terrain_cost(TITLE, {}, "B9") == 0
    assert terrain_cost(TITLE, laid("D19:57/0"), "D19") == 0


@pytest.mark.clause("1824/VII.7-i")
def test_upgrades_cost_nothing() -> None:
    """No hex that has a tile costs anything more, whatever its terrain."""
    tiles = laid(" ".join(f"{hex_id}:57/0" for hex_id in map_data(TITLE).hexes))
    assert {terrain_cost(TITLE, tiles, hex_id) for hex_id in map_data(TITLE).hexes} == {0}
