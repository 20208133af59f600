"""How a game of 1862 begins, clause by clause (section 2)."""

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from services.lobby.domain.seats import draw_seats
from services.rules.kernel.commands import CreateGame
from services.rules.kernel.decide import Accepted, create
from services.rules.kernel.events import RoundStarted
from services.rules.kernel.rejections import Rejection
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.values import Ruling
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.auctions.commands import Bid
from services.rules.parts.map.data import map_data
from services.rules.parts.map.state import unplaced_tokens
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.data import train_kinds_of
from services.rules.parts.trains.state import phase_of, trains_of
from services.rules.titles.g1862.companies import is_started
from services.rules.titles.g1862.figures import phases_of
from services.rules.titles.g1862.state import charter_of
from services.rules.titles.g1862.stock.quotation import most_tokens
from services.rules.titles.g1862.title import TITLE
from tests.titles.g1862.table import ADA, BEN, CLEO, DORA, PLAYERS, Table, new_table, of_type

RECORDED = ("46925", "p2-s215", "p5-s111", "p8-s128")
PRINTED = (
    pytest.param("E&H", "Ely & Huntingdon", "Ely", marks=pytest.mark.clause("1862/2.1-d")),
    pytest.param("ECR", "Eastern Counties Railway", "Witham", marks=pytest.mark.clause("1862/2.1-e")),
    pytest.param("ENR", "East Norfolk Railway", "Cromer", marks=pytest.mark.clause("1862/2.1-f")),
    pytest.param("ESR", "East Suffolk Railway", "Ipswich", marks=pytest.mark.clause("1862/2.1-g")),
    pytest.param("EUR", "Eastern Union Railway", "Colchester", marks=pytest.mark.clause("1862/2.1-h")),
    pytest.param("FDR", "Felixstowe Dock & Railway", "Felixstowe", marks=pytest.mark.clause("1862/2.1-i")),
    pytest.param("I&B", "Ipswich & Bury Railway", "Bury St Edmunds", marks=pytest.mark.clause("1862/2.1-j")),
    pytest.param("L&D", "Lynn & Dereham Railway", "Swaffham", marks=pytest.mark.clause("1862/2.1-k")),
    pytest.param("L&E", "Lynn & Ely Railway", "Downham Market", marks=pytest.mark.clause("1862/2.1-l")),
    pytest.param("L&H", "Lynn & Hunstanton Railway", "King's Lynn", marks=pytest.mark.clause("1862/2.1-m")),
    pytest.param("N&B", "Norwich & Brandon Railway", "Thetford", marks=pytest.mark.clause("1862/2.1-n")),
    pytest.param(
        "N&E", "Northern & Eastern Railway", "Bishop's Stortford", marks=pytest.mark.clause("1862/2.1-o")
    ),
    pytest.param(
        "N&S", "Norfolk & Suffolk, Joint Railway", "Lowestoft", marks=pytest.mark.clause("1862/2.1-p")
    ),
    pytest.param(
        "Y&N", "Yarmouth & Norwich Railway", "Great Yarmouth", marks=pytest.mark.clause("1862/2.1-q")
    ),
    pytest.param(
        "NGC", "Newmarket and Great Chesterford Railway", "Newmarket", marks=pytest.mark.clause("1862/2.1-r")
    ),
    pytest.param(
        "SVR",
        "Colchester, Stour Valley, Sudbury & Halstead",
        "Sudbury",
        marks=pytest.mark.clause("1862/2.1-s"),
    ),
    pytest.param("WNR", "West Norfolk Railway", "Wells-next-the-Sea", marks=pytest.mark.clause("1862/2.1-t")),
    pytest.param("W&F", "Wells & Fakenham Railway", "Fakenham", marks=pytest.mark.clause("1862/2.1-u")),
    pytest.param("WVR", "Waveney Valley Railway", "Beccles", marks=pytest.mark.clause("1862/2.1-v")),
    pytest.param(
        "WStI", "Wisbech, St Ives & Cambridge Junction Rwy", "Wisbech", marks=pytest.mark.clause("1862/2.1-w")
    ),
)
LICENCE_COUNTS = {"freight": 6, "local": 5, "express": 5}


def data_of(*options: str) -> TitleData:
    """The printed figures with these options."""
    return TITLE.load(options, {})


def in_play(table: Table) -> list[str]:
    """Companies dealt into the offer, in its order."""
    return [symbol for symbol, company in companies_of(table.game).items() if not company.closed]


def groups(table: Table) -> Counter[str]:
    """How many companies can be opened from which phase on."""
    return Counter(charter_of(table.game, symbol).offered_from for symbol in in_play(table))


@pytest.mark.clause("1862/2.0-a")
def test_bank_holds_15000() -> None:
    """The bank notes add up to 15,000, and that is all the money of a game."""
    notes = {1: 25, 2: 25, 5: 25, 10: 30, 20: 40, 50: 24, 100: 50, 500: 15}
    assert sum(value * count for value, count in notes.items()) == 15000
    table = new_table(3)
    assert sum(table.game.cash.values()) == 15000
    assert table.game.money(BANK) == 12600


@pytest.mark.clause("1862/2.0-b")
@pytest.mark.clause("1862/2.1-a")
def test_20_companies_of_eight_certificates() -> None:
    """Each of the 20 companies has a director's certificate of 30 % and seven of 10 %: 160 in all."""
    companies = cards_of(data_of())
    assert len(companies) == 20
    for company in companies.values():
        assert company.certificates == (3, 1, 1, 1, 1, 1, 1, 1)
    assert sum(len(company.certificates) for company in companies.values()) == 160


@pytest.mark.clause("1862/2.0-c")
def test_train_cards_and_phases() -> None:
    """Up to 28 cards from A to G in the long game, H without end, and eight phases A to H."""
    data = data_of("long_game")
    assert sum(kind.count for kind in train_kinds_of(data).values()) == 28
    assert train_kinds_of(data)["H"].count == 0
    assert "".join(phases_of(data)) == "ABCDEFGH"


@pytest.mark.clause("1862/2.1-b")
def test_a_company_has_seven_stations_and_one_for_the_option() -> None:
    """Seven station tokens, the home among them, an eighth only when it was agreed on."""
    assert most_tokens(data_of()) == 7
    assert most_tokens(data_of("eight_stations")) == 8


@pytest.mark.clause("1862/2.1-c")
def test_a_charter_holds_shares_licences_cash_trains_and_tokens() -> None:
    """All that a charter holds is the company's own: shares, licences, cash, trains, tokens not yet placed."""
    table = new_table(offer=("ESR",), licences={"ESR": "local"})
    table.found("ESR", 74, ADA, chartered=False, treasury=100, tokens=4)
    (train,) = table.train("ESR", "A")
    assert table.shares("ESR", "ESR") == 5
    assert charter_of(table.game, "ESR").licences == ("local",)
    assert table.game.money("ESR") == 100
    assert trains_of(table.game).owned["ESR"] == (train,)
    assert unplaced_tokens(table.game, "ESR") == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("symbol", "name", "town"),
    PRINTED,
)
def test_printed_companies(symbol: str, name: str, town: str) -> None:
    """Name and home station of a company as in the printed list."""
    data = data_of()
    company = cards_of(data)[symbol]
    assert company.name == name
    assert company.home is not None
    home = map_data(data).hexes[company.home.hex]
    assert home.name.replace("\u2019", "'").replace(".", "") == town
    assert home.face.stops[company.home.stop].kind == "city"


def test_companies_stand_in_the_order_of_the_printed_list() -> None:
    """The draw shuffles the printed list as it stands."""
    assert tuple(cards_of(data_of())) == tuple(row.values[0] for row in PRINTED)


@pytest.mark.clause("1862/2.4-a")
def test_trains_lie_from_a_to_h() -> None:
    """The stack of trains begins with A and ends with H."""
    assert "".join(train_kinds_of(data_of())) == "ABCDEFGH"


@pytest.mark.clause("1862/2.4.1-a")
@pytest.mark.clause("1862/2.4.1-b")
@pytest.mark.parametrize("players", range(2, 7))
def test_16_companies_for_up_to_six_players(players: int) -> None:
    """Eight companies from phase A on, four each from B and C, four out of the game; the deal depends on the seed."""
    table = new_table(players, seed=players)
    assert groups(table) == {"A": 8, "B": 4, "C": 4}
    order = in_play(table)
    assert [charter_of(table.game, symbol).offered_from for symbol in order] == ["A"] * 8 + ["B"] * 4 + [
        "C"
    ] * 4
    out = [symbol for symbol, company in companies_of(table.game).items() if company.closed]
    assert len(out) == 4
    table.cash(table.asked(), 600)
    assert table.refusal(table.asked(), Bid(out[0], 0)) == ("company_closed", "1862/2.4.1-b")
    assert in_play(new_table(players, seed=players + 1)) != order
    assert in_play(new_table(players, seed=players)) == order


@pytest.mark.clause("1862/2.4.1-c")
@pytest.mark.clause("1862/2.4.1-d")
def test_every_company_has_one_of_16_licences() -> None:
    """Six freight, five local and five express licences, one for each company in play."""
    for seed in range(5):
        table = new_table(seed=seed)
        dealt = [charter_of(table.game, symbol).licences for symbol in in_play(table)]
        assert all(len(licences) == 1 for licences in dealt)
        assert Counter(licences[0] for licences in dealt) == LICENCE_COUNTS


@pytest.mark.clause("1862/2.4.2-a")
@pytest.mark.clause("1862/2.4.2-b")
@pytest.mark.clause("1862/2.4.2-c")
@pytest.mark.parametrize(("players", "extra"), [(7, 1), (8, 2)])
def test_extra_companies_come_when_agreed_on(players: int, extra: int) -> None:
    """With 7 players one more company, with 8 two, all from the first round on; under one ruling always."""
    assert len(in_play(new_table(players))) == 16
    for table in (new_table(players, "extra_companies"), new_table(players, extra_companies="always")):
        assert groups(table) == {"A": 8 + extra, "B": 4, "C": 4}
        last = in_play(table)[8 + extra - 1]
        assert table.act(table.asked(), Bid(last, 0))


def test_extra_companies_need_seven_players() -> None:
    """With fewer players there are no extra companies to agree on, whatever the ruling."""
    outcome = create(TITLE, CreateGame("1862", PLAYERS[:6], ("extra_companies",)))
    assert isinstance(outcome, Rejection)
    assert outcome.code == "unknown_option"
    assert len(in_play(new_table(6, extra_companies="always"))) == 16


@pytest.mark.clause("1862/2.4.2-d")
def test_18_licences_for_seven_or_eight_players() -> None:
    """Six licences of each kind: 17 companies leave one undealt, 18 none."""
    full = new_table(8, "extra_companies", seed=3)
    dealt = Counter(charter_of(full.game, symbol).licence for symbol in in_play(full))
    assert dealt == {"freight": 6, "local": 6, "express": 6}
    one_left = new_table(7, "extra_companies", seed=3)
    dealt = Counter(charter_of(one_left.game, symbol).licence for symbol in in_play(one_left))
    assert sorted(dealt.values()) == [5, 6, 6]


@pytest.mark.parametrize(
    ("options", "counts"),
    [
        pytest.param((), (7, 6, 4, 3, 3, 2, 1), marks=pytest.mark.clause("1862/2.4.3-a"), id="standard"),
        pytest.param(
            ("short_game",), (6, 5, 4, 3, 3, 2, 1), marks=pytest.mark.clause("1862/2.4.3-b"), id="short"
        ),
        pytest.param(("mixed_length",), (6, 5, 5, 4, 3, 2, 1), id="mixed"),
        pytest.param(
            ("long_game",), (7, 6, 5, 4, 3, 2, 1), marks=pytest.mark.clause("1862/2.4.3-c"), id="long"
        ),
    ],
)
def test_trains_by_length_of_game(options: tuple[str, ...], counts: tuple[int, ...]) -> None:
    """So many trains from A to G; H without end."""
    trains = train_kinds_of(data_of(*options))
    assert tuple(trains[letter].count for letter in "ABCDEFG") == counts
    assert trains["H"].count == 0


@pytest.mark.clause("1862/2.4.3-d")
def test_every_letter_has_its_phase() -> None:
    """A phase is named by the letter of its trains, and a game starts in phase A."""
    data = data_of()
    assert tuple(phases_of(data)) == tuple(train_kinds_of(data))
    assert phase_of(new_table().game) == "A"


@pytest.mark.parametrize(
    ("players", "cash"),
    [
        pytest.param(2, 1200, marks=pytest.mark.clause("1862/2.4.4-a")),
        pytest.param(3, 800, marks=pytest.mark.clause("1862/2.4.4-b")),
        pytest.param(4, 600, marks=pytest.mark.clause("1862/2.4.4-c")),
        pytest.param(5, 480, marks=pytest.mark.clause("1862/2.4.4-d")),
        pytest.param(6, 400, marks=pytest.mark.clause("1862/2.4.4-e")),
        pytest.param(7, 345, marks=pytest.mark.clause("1862/2.4.4-f")),
        pytest.param(8, 300, marks=pytest.mark.clause("1862/2.4.4-g")),
    ],
)
def test_starting_cash(players: int, cash: int) -> None:
    """Every player starts with this much, out of the bank."""
    table = new_table(players)
    assert [table.game.money(player) for player in table.game.players] == [cash] * players
    assert table.game.money(BANK) == 15000 - players * cash


@pytest.mark.clause("1862/2.4.4-h")
def test_seats_are_drawn_and_the_first_has_priority() -> None:
    """The draw decides the seats; the first seat gets the priority marker."""
    seats = draw_seats(7, (ADA, BEN, CLEO, DORA))
    assert seats != draw_seats(8, (ADA, BEN, CLEO, DORA))
    table = new_table(4)
    assert table.game.priority == ADA
    assert table.asked() == ADA


@pytest.mark.clause("1862/2.4.4-i")
@pytest.mark.clause("1862/3.0-a")
def test_two_parliaments_then_a_stock_round_then_operating_rounds() -> None:
    """The game opens with two parliamentary rounds; after the first set of operating rounds there is one a turn."""
    table = new_table(3)
    seen = of_type(table.log, RoundStarted)
    for _ in range(3):
        seen += of_type(table.pass_round(), RoundStarted)
    assert [(each.kind, each.turn, each.number) for each in seen if isinstance(each, RoundStarted)] == [
        ("1862.parliamentary", 1, 1),
        ("1862.parliamentary", 1, 2),
        ("stock", 1, 1),
        ("operating", 1, 1),
        ("1862.parliamentary", 2, 1),
    ]
    assert table.game.current_round.count == 1
    (started,) = of_type(table.pass_round(), RoundStarted)
    assert isinstance(started, RoundStarted)
    assert (started.kind, started.turn) == ("stock", 2)


@pytest.mark.parametrize("players", [1, 9])
def test_other_numbers_of_players_are_refused(players: int) -> None:
    """Two to eight can play."""
    outcome = create(TITLE, CreateGame("1862", tuple(f"player {number}" for number in range(players))))
    assert isinstance(outcome, Rejection)
    assert outcome.code == "player_count"


@pytest.mark.parametrize(
    ("options", "clause"),
    [
        (("short_game", "long_game"), "1862/11.1-a"),
        (("long_game", "mixed_length"), "1862/11.1-a"),
        (("simple_express", "simple_freight"), "1862/11.1-a"),
        (("advanced_freight", "simple_freight"), "1862/11.1-b"),
        (("beginners",), "1862/11.3-a"),
        (("beginners", "advanced_freight"), "1862/11.3-a"),
        (("shorter_game",), "1862/11.2-a"),
        (("shorter_game", "long_game"), "1862/11.2-a"),
        (("short_game", "short_game"), ""),
    ],
)
def test_options_that_do_not_go_together_are_refused(options: tuple[str, ...], clause: str) -> None:
    """Two lengths, two selections of trains, beginners without a simple game, a shorter game with too many trains."""
    outcome = create(TITLE, CreateGame("1862", PLAYERS[:4], options))
    assert isinstance(outcome, Rejection)
    assert (outcome.code, outcome.clause) == ("unknown_option", clause)


@pytest.mark.parametrize("name", RECORDED)
def test_the_draw_is_that_of_the_recorded_games(name: str, shared: Path) -> None:
    """From the seed of a recorded game come its offer, the companies left out, and the licences."""
    path = shared / "fixtures" / "18xx.games" / "1862" / f"{name}.trace.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        setup = json.loads(file.readline())["setup"]
    always = (Ruling("extra_companies", "always"),)
    players = PLAYERS[: len(setup["players"])]
    outcome = create(TITLE, CreateGame("1862", players, rulings=always, seed=setup["seed"]))
    assert isinstance(outcome, Accepted)
    companies = [symbol for symbol, each in companies_of(outcome.game).items() if not each.closed]
    charters = {symbol: charter_of(outcome.game, symbol) for symbol in companies}
    assert companies == setup["offer_order"]
    assert {symbol: charter.offered_from for symbol, charter in charters.items()} == setup["starting_phase"]
    assert {symbol: list(charter.licences) for symbol, charter in charters.items()} == setup["permits"]
    assert not any(is_started(outcome.game, symbol) for symbol in companies)
