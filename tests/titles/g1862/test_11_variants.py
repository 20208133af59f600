"""The variants of 1862 as options of a table: fewer kinds of trains, the shorter game, beginners, eight stations (11)."""

from collections import Counter

import pytest

from services.rules.kernel.commands import CreateGame
from services.rules.kernel.decide import Accepted, create
from services.rules.parts.auctions.commands import Bid
from services.rules.parts.shares.commands import StartCompany
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.data import train_kinds_of
from services.rules.titles.g1862.commands import BuyNewTrain
from services.rules.titles.g1862.companies import kinds_in_play
from services.rules.titles.g1862.figures import kind_of, phases_of
from services.rules.titles.g1862.state import charter_of
from services.rules.titles.g1862.title import TITLE
from tests.positions.rounds import causes_of_end
from tests.titles.g1862.reading import monopolies
from tests.titles.g1862.table import ADA, PLAYERS, Table, new_table

OFFER = ("ESR", "ECR", "EUR", "L&H")


def licences(table: Table) -> Counter[str]:
    """How many licences of each kind were dealt."""
    in_play = (symbol for symbol, company in companies_of(table.game).items() if not company.closed)
    return Counter(charter_of(table.game, symbol).licence for symbol in in_play)


def kinds_on_sale(table: Table) -> set[str]:
    """As what ESR may take its next train from the bank."""
    table.is_founded("ESR", 100, ADA, treasury=500)
    table.operating_round_is("ESR")
    return {each.kind for each in table.offered(ADA, BuyNewTrain) if isinstance(each, BuyNewTrain)}


@pytest.mark.parametrize(
    ("option", "kinds"),
    [
        pytest.param("simple_express", {"express"}, marks=pytest.mark.clause("1862/11.1-a")),
        pytest.param("simple_freight", {"freight"}, marks=pytest.mark.clause("1862/11.1-b")),
        pytest.param("advanced_freight", {"freight", "local"}, marks=pytest.mark.clause("1862/11.1-c")),
        pytest.param("advanced_express", {"express", "local"}, marks=pytest.mark.clause("1862/11.1-d")),
    ],
)
def test_only_some_kinds_of_train_are_used(option: str, kinds: set[str]) -> None:
    """Trains run as these kinds only; no other is bought."""
    assert set(kinds_in_play((option,))) == kinds
    table = new_table(3, option, offer=OFFER)
    assert kinds_on_sale(table) == kinds
    other = next(kind for kind in kinds_in_play(()) if kind not in kinds)
    assert table.refusal(ADA, BuyNewTrain("ESR", "A-0", 100, other))[0] == "1862.variant_forbids"
    assert kinds_on_sale(new_table(3, offer=OFFER)) == {"freight", "local", "express"}


@pytest.mark.clause("1862/11.1-e")
@pytest.mark.parametrize("option", ["simple_express", "simple_freight"])
def test_train_limits_of_simple_games(option: str) -> None:
    """Four trains in phases A to D, three in E and F, two in G and H, in all."""
    phases = phases_of(TITLE.load((option,), {}))
    assert [phase.train_limit["public"] for phase in phases.values()] == [4, 4, 4, 4, 3, 3, 2, 2]
    assert not any(phase.limit_of_each_kind for phase in phases.values())


@pytest.mark.clause("1862/11.1-f")
@pytest.mark.parametrize("option", ["advanced_freight", "advanced_express"])
def test_train_limits_of_advanced_games(option: str) -> None:
    """Three of each kind in phases A to D, two of each in E and F, three in all in G and H."""
    phases = phases_of(TITLE.load((option,), {}))
    assert [phase.train_limit["public"] for phase in phases.values()] == [3, 3, 3, 3, 2, 2, 3, 3]
    assert [phase.limit_of_each_kind for phase in phases.values()] == [True] * 6 + [False] * 2


@pytest.mark.clause("1862/11.1-g")
@pytest.mark.parametrize(
    ("option", "kind"), [("advanced_freight", "freight"), ("advanced_express", "express")]
)
def test_licences_of_advanced_games(option: str, kind: str) -> None:
    """Eight licences of each of the two kinds, dealt at random; with extra companies as many as are needed."""
    assert licences(new_table(4, option)) == {kind: 8, "local": 8}
    assert licences(new_table(8, option, "extra_companies")) == {kind: 9, "local": 9}
    games = [new_table(4, option, seed=seed).game for seed in (1, 2)]
    dealt = [[charter_of(game, symbol).licence for symbol in companies_of(game)] for game in games]
    assert dealt[0] != dealt[1]


@pytest.mark.clause("1862/11.1-h")
@pytest.mark.parametrize("option", ["simple_express", "simple_freight"])
def test_no_licences_in_simple_games(option: str) -> None:
    """No company has a licence, and the game goes on without."""
    table = new_table(4, option)
    assert licences(table) == {"": 16}
    assert table.asked() == ADA


@pytest.mark.clause("1862/11.2-a")
def test_the_shorter_game_has_the_trains_of_the_short_one() -> None:
    """With five or more players the standard numbers may be used instead."""
    short = train_kinds_of(TITLE.load(("short_game", "shorter_game"), {}))
    assert (short["A"].count, short["B"].count) == (6, 5)
    for players, options, accepted in (
        (4, ("short_game", "shorter_game"), True),
        (4, ("shorter_game",), False),
        (5, ("shorter_game",), True),
        (5, ("short_game", "shorter_game"), True),
        (5, ("long_game", "shorter_game"), False),
    ):
        outcome = create(TITLE, CreateGame("1862", PLAYERS[:players], options))
        assert isinstance(outcome, Accepted) is accepted


@pytest.mark.clause("1862/11.2-b")
@pytest.mark.parametrize(("ruling", "letter", "before"), [("F", "F", "E"), ("E", "E", "D"), ("G", "G", "F")])
def test_in_the_shorter_game_an_earlier_letter_brings_the_lner(ruling: str, letter: str, before: str) -> None:
    """The first train of that letter does, none before it; F unless the table rules otherwise."""
    table = new_table(5, "shorter_game", monopoly_letter_in_shorter_game=ruling)
    table.phase_is(before)
    table.carry_on()
    assert table.game.ending == ""
    table.phase_is(letter)
    events = table.carry_on()
    assert causes_of_end(events) == [("1862.lner", 1, 0)]
    table.round_is("operating", turn=3)
    assert len(monopolies(table.carry_on())) == 1
    assert new_table(5, "shorter_game").game.rulings["monopoly_letter_in_shorter_game"] == "F"


@pytest.mark.clause("1862/11.2-c")
def test_d_trains_are_permanent_in_the_shorter_game() -> None:
    """Nothing removes them."""
    assert kind_of(TITLE.load((), {}), "D").removed_by == ("G",)
    assert kind_of(TITLE.load(("shorter_game",), {}), "D").removed_by == ()


@pytest.mark.clause("1862/11.3-a")
def test_beginners_open_companies_in_parliament_only() -> None:
    """In a stock round no company is opened, in parliament it is; and a simple game is played."""
    table = new_table(4, "simple_freight", "beginners", offer=OFFER)
    table.act(ADA, Bid("ESR", 0))
    table.pass_on(3)
    table.act(ADA, StartCompany("ESR", 54))
    table.stock_round_is(ADA)
    assert table.refusal(ADA, StartCompany("ECR", 54)) == ("1862.variant_forbids", "1862/11.3-a")
    assert table.offered(ADA, StartCompany) == []


@pytest.mark.clause("1862/11.3-e")
def test_beginners_may_play_the_shorter_game() -> None:
    """All three options together are accepted."""
    table = new_table(3, "simple_express", "beginners", "short_game", "shorter_game")
    assert table.game.options == ("simple_express", "beginners", "short_game", "shorter_game")
    assert kind_of(table.data, "D").removed_by == ()


@pytest.mark.parametrize("players", range(2, 9))
@pytest.mark.parametrize(
    "options",
    [
        (),
        ("long_game", "eight_stations"),
        ("simple_express",),
        ("advanced_freight", "short_game"),
        ("simple_freight", "beginners", "short_game", "shorter_game"),
    ],
)
def test_every_variant_can_be_set_up_for_every_number_of_players(
    players: int, options: tuple[str, ...]
) -> None:
    """The first player is asked to open an auction."""
    table = new_table(players, *options)
    assert table.asked() == ADA
    assert table.game.current_round.kind == "1862.parliamentary"
