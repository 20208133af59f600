"""The initial stock round of 1824: what is on offer, its reversed first lap, what becomes of the rest (VI.3)."""

import pytest

from services.rules.kernel.commands import Command, Pass
from services.rules.kernel.events import Event
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from services.rules.parts.shares.state import companies_of
from services.rules.titles.g1824.commands import BuyCompany
from services.rules.titles.g1824.companies import PRIVATES, of_kind
from services.rules.titles.g1824.state import reserved_of
from tests.positions.reading import CertificateMove, only
from tests.titles.g1824.table import ADA, BEN, CLEO, DORA, EMIL, Table, clear_table, new_table, owned_table

PRE_STATES = {"SD1", "SD2", "SD3", "UG1", "UG2", "KK1", "KK2"}
COALS = {"EPP", "EOD", "MLB", "SPB"}


def on_offer(table: Table, kind: type[BuyCompany | BuyCertificate | StartCompany]) -> set[str]:
    """The companies that the player asked may buy from in this way."""
    return {command.company for command in table.offered(table.asked(), kind) if isinstance(command, kind)}


@pytest.mark.clause("1824/VI.3-a")
@pytest.mark.parametrize(("players", "mountains"), [(3, 4), (4, 6), (5, 6), (6, 4)])
def test_private_companies_on_offer(players: int, mountains: int) -> None:
    """All seven pre-states, all four coal companies, and the mountain companies of this number of players."""
    table = new_table(players)
    expected = PRE_STATES | COALS | {f"B{number + 1}" for number in range(mountains)}
    assert on_offer(table, BuyCompany) == expected
    if mountains < 6:
        assert table.refusal(table.asked(), BuyCompany("B5", 120))[0] == "company_closed"


@pytest.mark.clause("1824/VI.3-b")
def test_shares_on_offer() -> None:
    """BH may be started and the states' unreserved shares bought; a coal company's regional follows its purchase."""
    table = new_table(3)
    assert on_offer(table, StartCompany) == {"BH"}
    assert on_offer(table, BuyCertificate) == {"SD", "UG", "KK"}
    assert table.refusal(CLEO, BuyCertificate("BK")) == ("company_without_price", "1824/VI.4-b")
    table.act(CLEO, BuyCompany("EPP", 160))
    assert on_offer(table, BuyCertificate) == {"SD", "UG", "KK", "BK"}
    assert on_offer(table, StartCompany) == {"BH"}
    table.act(BEN, BuyCertificate("BK"))
    assert table.game.money(BEN) == 820 - 80


@pytest.mark.clause("1824/VI.3-b")
@pytest.mark.parametrize(("state", "free"), [("SD", 6), ("UG", 7), ("KK", 7)])
def test_reserved_shares_of_states_are_not_on_offer(state: str, free: int) -> None:
    """Of the nine certificates those kept for the pre-states cannot be bought."""
    table = new_table(3)
    accepted = []
    for number in range(9):
        trial = Table(table.game, table.data)
        if number in reserved_of(table.game, state):
            assert trial.refusal(CLEO, BuyCertificate(state, number=number))[0] == "certificate_reserved"
        else:
            trial.act(CLEO, BuyCertificate(state, number=number))
            accepted.append(number)
    assert len(accepted) == free
    assert 0 not in accepted


def cheapest_purchase(table: Table) -> Command:
    """The first private company on offer, else the first share."""
    kinds = (BuyCompany, BuyCertificate)
    return next(command for kind in kinds for command in table.offered(table.asked(), kind))


@pytest.mark.clause("1824/VI.3-c")
def test_first_lap_runs_backwards() -> None:
    """Five players: 5-4-3-2-1, then 1-2-3-4-5, and again 1-2-3-4-5."""
    table = new_table(5)
    for player in table.game.players:
        table.has_cash(player, 2000)
    asked = []
    for _ in range(15):
        asked.append(table.asked())
        table.act(asked[-1], cheapest_purchase(table))
    seats = [ADA, BEN, CLEO, DORA, EMIL]
    assert asked == [*reversed(seats), *seats, *seats]


def test_a_player_may_have_several_mountain_companies() -> None:
    """One each is a rule of the variant for two alone."""
    table = new_table(3)
    table.pass_on(2)
    table.act(ADA, BuyCompany("B1", 120))
    table.act(ADA, BuyCompany("B2", 120))
    assert {companies_of(table.game)[each].director for each in ("B1", "B2")} == {ADA}


def last_seat_bought_first_lap(**rulings: str) -> Table:
    """Cleo and Ben pass, Ada buys at the end of the first lap and passes at the start of the second."""
    table = new_table(3, **rulings)
    table.pass_on(2)
    table.act(ADA, BuyCompany("B1", 120))
    table.pass_on()
    return table


@pytest.mark.clause("1824/VI.2-b", "1824/VI.3-c")
def test_a_purchase_at_the_turn_of_the_laps_gives_everybody_another_turn() -> None:
    """By the rulebook the passes before a purchase do not count: Ben and Cleo are asked again, then the round ends."""
    table = last_seat_bought_first_lap()
    assert (table.game.current_round.kind, table.asked()) == ("1824.initial_stock", BEN)
    table.pass_on()
    assert (table.game.current_round.kind, table.asked()) == ("1824.initial_stock", CLEO)
    table.pass_on()
    assert table.game.current_round.kind != "1824.initial_stock"


def test_ruling_passes_of_the_first_lap_may_count_on() -> None:
    """Under `once` the passes of the first lap still count, and Ada's pass ends the round."""
    table = last_seat_bought_first_lap(passes_in_initial_round="once")
    assert table.game.current_round.kind != "1824.initial_stock"


@pytest.mark.clause("1824/VI.3-d")
def test_nothing_is_sold_in_the_initial_round() -> None:
    """Even shares of a regional that is already open cannot be sold."""
    table = new_table(3)
    table.price_is("BH", 80)
    table.holds(CLEO, "BH", 6, director=True)
    table.company_runs("BH")
    table.round_is("1824.initial_stock", CLEO, BEN, ADA, turn=1)
    table.carry_on()
    assert table.refusal(CLEO, SellCertificates("BH", 1)) == ("sales_forbidden", "1824/VI.3-d")
    assert table.offered(CLEO, SellCertificates) == []


@pytest.mark.clause("1824/VI.3-e", "1824/IV.2-u")
def test_unsold_private_companies_leave_the_game() -> None:
    """At the end of the round everything unsold is closed and nobody holds its certificate; the rest stays."""
    sold = {"SD1": ADA, "EPP": BEN, "B2": CLEO}
    table = owned_table(sold, 4)
    for symbol in of_kind(table.data, *PRIVATES):
        assert companies_of(table.game)[symbol].closed == (symbol not in sold)
        holders = [holder for holder, company in table.game.holdings if company == symbol]
        assert [holder for holder in holders if table.game.held(holder, symbol)] == (
            [sold[symbol]] if symbol in sold else []
        )
    assert reserved_of(table.game, "BK") == (0,)
    assert reserved_of(table.game, "MS") == ()


@pytest.mark.clause("1824/VI.3-f")
def test_an_unreserved_state_directors_certificate_cannot_be_bought() -> None:
    """Without SD1 the 20 % certificate of SD is not kept, yet players can buy 10 % only."""
    table = clear_table(3)
    assert reserved_of(table.game, "SD") == ()
    assert table.refusal(ADA, BuyCertificate("SD", number=0)) == ("certificate_reserved", "1824/VI.3-f")
    assert table.refusal(ADA, StartCompany("SD", 100)) == ("company_has_price", "1824/VI.4-b")
    table.act(ADA, BuyCertificate("SD"))
    assert (table.shares(ADA, "SD"), table.game.money(ADA)) == (1, 820 - 120)


def second_share(**rulings: str) -> tuple[Table, list[Event]]:
    """Ada buys two shares of a state without pre-states, Ben one between them."""
    table = clear_table(3, **rulings)
    table.act(ADA, BuyCertificate("SD"))
    table.act(BEN, BuyCertificate("SD"))
    table.act(CLEO, Pass())
    assert table.director("SD") == ""
    return table, list(table.act(ADA, BuyCertificate("SD")))


@pytest.mark.clause("1824/VI.3-g")
def test_the_first_player_with_20_percent_gets_the_states_directors_certificate() -> None:
    """By the rulebook the second share is swapped at once: two plain certificates for the director's."""
    table, events = second_share()
    assert table.director("SD") == ADA
    assert table.game.held(ADA, "SD") == (0,)
    assert table.shares(BANK, "SD") == 7
    swapped = [each for each in only(events, CertificateMove) if each.reason == "director_swap"]
    assert [(each.source, each.target, each.shares) for each in swapped] == [
        (ADA, BANK, 2),
        (BANK, ADA, 2),
    ]


def test_ruling_the_states_directors_certificate_may_wait_for_its_formation() -> None:
    """Under `at_formation` the two plain certificates stay with the player, and there is no director yet."""
    table, _ = second_share(state_director_certificate="at_formation")
    assert table.director("SD") == ""
    assert table.shares(ADA, "SD") == 2
    assert 0 in table.game.held(BANK, "SD")


@pytest.mark.clause("1824/VI.3-g")
def test_a_certificate_released_by_the_end_of_the_round_goes_to_a_holder_of_20_percent() -> None:
    """Two shares bought while SD1 was still on offer become the director's certificate when SD1 leaves the game."""
    table = new_table(3)
    table.holds(BEN, "SD", 2)
    table.leave_initial_round()
    assert (table.director("SD"), table.game.held(BEN, "SD")) == (BEN, (0,))


def poor_at_the_end_of_a_lap(**rulings: str) -> str:
    """Who is asked after Cleo's purchase when Ben has no money."""
    table = new_table(3, **rulings)
    table.has_cash(BEN, 0)
    table.act(CLEO, BuyCompany("B1", 120))
    return table.asked()


def test_ruling_who_can_only_pass_is_skipped_or_asked() -> None:
    """A player who can pay for nothing is passed over, or asked all the same while a coal company is unsold."""
    assert poor_at_the_end_of_a_lap() == ADA
    assert poor_at_the_end_of_a_lap(idle_turns="asked") == BEN
