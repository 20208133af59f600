"""Buying trains in 1862: order, prices, kinds, limits, the consent of a seller (2.2, 7.9, 10.3, 11.1)."""

import pytest

from services.rules.kernel.commands import AnswerOffer, Pass
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.trains.commands import BuyTrain
from services.rules.parts.trains.state import phase_of, trains_of
from services.rules.titles.g1862.commands import BuyNewTrain
from services.rules.titles.g1862.figures import phases_of
from services.rules.titles.g1862.state import ServiceKind, own
from services.rules.titles.g1862.trains.depots import bank_price, bank_train, used_price
from tests.positions.reading import TrainMove, only
from tests.positions.rounds import causes_of_end
from tests.positions.trains import phases
from tests.titles.g1862.table import ADA, BEN, CLEO, Table, new_table


def buying(*options: str, cash: int = 2000, **rulings: str) -> Table:
    """L&E of Ada is about to buy trains; SVR of Ben and ENR of Ada are quoted too."""
    table = new_table(4, *options, offer=("L&E", "SVR", "ENR"), licences=_licences(options), by=rulings)
    table.is_founded("L&E", 90, ADA, treasury=cash)
    table.is_founded("SVR", 82, BEN, treasury=500)
    table.is_founded("ENR", 74, ADA, treasury=500)
    table.priority_is(ADA)
    table.operating_round_is("L&E", "SVR", "ENR")
    return table


def _licences(options: tuple[str, ...]) -> dict[str, ServiceKind]:
    return {} if options else {"L&E": "express", "SVR": "freight", "ENR": "local"}


def bank(train: str, price: int, kind: ServiceKind = "express", warranties: int = 0) -> BuyNewTrain:
    """L&E buys this train from the bank."""
    return BuyNewTrain("L&E", train, price, kind, warranties)


@pytest.mark.clause("1862/7.9-a", "1862/2.4-a", "1862/9.0-a")
def test_trains_of_one_letter_go_before_the_next() -> None:
    """While one A is left no B is sold; after the last A the first B starts phase B."""
    table = buying()
    table.trains_are_sold("A", leave=1)
    assert table.refusal(ADA, bank("B-0", 200)) == ("train_not_available", "1862/7.9-a")
    table.act(ADA, bank("A-6", 100))
    assert phase_of(table.game) == "A"
    events = table.act(ADA, bank("B-0", 200))
    assert phases(events) == ["B"]
    assert trains_of(table.game).owned["L&E"] == ("A-6", "B-0")


@pytest.mark.clause("1862/7.9-b", "1862/7.9-d")
def test_the_price_is_fixed_and_the_train_goes_to_the_buyer() -> None:
    """A train costs what is printed, no more and no less; the company pays and owns it."""
    table = buying(cash=250)
    assert table.refusal(ADA, bank("A-0", 90)) == ("train_price", "1862/7.9-b")
    assert table.refusal(ADA, bank("A-0", 110)) == ("train_price", "1862/7.9-b")
    table.act(ADA, bank("A-0", 100))
    assert table.game.money("L&E") == 150
    assert trains_of(table.game).owned["L&E"] == ("A-0",)
    table.act(ADA, bank("A-1", 100))
    assert table.refusal(ADA, bank("A-2", 100))[0] == "not_your_turn"


@pytest.mark.clause("1862/7.3-e", "1862/7.1-d")
def test_only_a_company_in_receivership_buys_of_itself() -> None:
    """L&E has a train, room and money for more: when Ada passes it buys none."""
    table = buying()
    table.owns_trains("L&E", "A")
    assert not only(table.act(ADA, Pass()), TrainMove)
    assert (trains_of(table.game).owned["L&E"], table.game.money("L&E")) == (("A-0",), 2000)


@pytest.mark.clause("1862/7.9-b")
def test_a_train_that_cannot_be_paid_is_refused() -> None:
    """A company with 99 has to find another way to its train of 100."""
    table = buying(cash=99)
    assert table.refusal(ADA, bank("A-0", 100)) == ("not_enough_cash", "1862/7.9-b")


@pytest.mark.clause("1862/2.2-a", "1862/2.2-b")
def test_the_kind_is_named_at_the_purchase_and_stays() -> None:
    """A train from the bank needs its kind; from a company it keeps the kind it has."""
    table = buying()
    for without in (BuyTrain("L&E", "A-0", 100), BuyNewTrain("L&E", "A-0", 100, "")):
        assert table.refusal(ADA, without) == ("1862.train_kind_not_chosen", "1862/2.2-a")
    for number, kind in enumerate(("freight", "local", "express")):
        table.act(ADA, BuyNewTrain("L&E", f"A-{number}", 100, kind))
    assert [own(table.game).train_kinds[f"A-{number}"] for number in range(3)] == [
        "freight",
        "local",
        "express",
    ]
    (other,) = table.owns_trains("ENR", "A", runs_as="local")
    table.act(ADA, BuyTrain("L&E", other, 100, "ENR"))
    assert own(table.game).train_kinds[other] == "local"


@pytest.mark.clause("1862/7.9-c")
def test_a_train_of_an_earlier_letter_changes_hands_for_half() -> None:
    """F2 of letter B costs 200; after the first C is sold it costs 100."""
    table = buying()
    table.trains_are_sold("A")
    (used,) = table.owns_trains("ENR", "B", runs_as="freight")
    table.phase_is("B")
    table.trains_are_sold("B", leave=1)
    assert used_price(table.game, table.data, used) == 200
    assert table.refusal(ADA, BuyTrain("L&E", used, 100, "ENR")) == ("train_price", "1862/7.9-b")
    table.phase_is("C")
    table.act(ADA, BuyTrain("L&E", used, 100, "ENR"))
    assert table.game.money("ENR") == 600


@pytest.mark.clause("1862/7.9-c")
@pytest.mark.parametrize(("ruling", "price"), [("next_letter_on_sale", 50), ("next_letter_bought", 100)])
def test_when_a_train_falls_to_half(ruling: str, price: int) -> None:
    """With the last A gone and no B sold an A costs half once B is on sale, or the whole until a B is bought."""
    table = buying(used_train_price=ruling)
    (used,) = table.owns_trains("ENR", "A")
    table.trains_are_sold("A")
    assert used_price(table.game, table.data, used) == price


@pytest.mark.clause("1862/7.9-c")
def test_a_director_consents_to_the_sale_of_his_companys_train() -> None:
    """Ben is asked for the train of SVR; declined it stays and is not asked for again, agreed it goes for its price."""
    table = buying()
    first, second = table.owns_trains("SVR", "A", "A")
    table.act(ADA, BuyTrain("L&E", first, 100, "SVR"))
    assert table.asked() == BEN
    table.act(BEN, AnswerOffer(False))
    assert table.refusal(ADA, BuyTrain("L&E", first, 100, "SVR")) == ("offer_declined", "1862/7.9-c")
    table.act(ADA, BuyTrain("L&E", second, 100, "SVR"))
    table.act(BEN, AnswerOffer(True))
    assert trains_of(table.game).owned["SVR"] == (first,)
    assert table.game.money("SVR") == 600
    assert second in trains_of(table.game).owned["L&E"]


def test_without_consent_under_the_other_ruling() -> None:
    """Where directors are not asked the train changes hands at once."""
    table = buying(train_sale_between_directors="not_asked")
    (train,) = table.owns_trains("SVR", "A")
    table.act(ADA, BuyTrain("L&E", train, 100, "SVR"))
    assert trains_of(table.game).owned["L&E"] == (train,)


def test_what_no_company_sells() -> None:
    """Unknown trains and companies, trains the seller does not own and own trains are refused."""
    table = buying()
    (own,) = table.owns_trains("L&E", "A")
    assert table.refusal(ADA, BuyTrain("L&E", own, 100, "nobody"))[0] == "unknown_company"
    assert table.refusal(ADA, BuyTrain("L&E", own, 100, "SVR"))[0] == "train_not_available"
    assert table.refusal(ADA, BuyTrain("L&E", own, 100, "L&E"))[0] == "train_not_available"
    for strange in (BuyTrain("L&E", "X-0", 100), bank("X-0", 100)):
        assert table.refusal(ADA, strange)[0] == "unknown_train"
    for other in (BuyTrain("SVR", own, 100, "L&E"), BuyNewTrain("SVR", "A-1", 100, "local")):
        assert table.refusal(ADA, other)[0] == "not_your_turn"


@pytest.mark.clause("1862/7.9-g", "1862/7.9-i")
def test_three_of_each_kind() -> None:
    """With two express 2/3 and one express 3 L&E may buy no express but a local 3."""
    table = buying()
    table.phase_is("B")
    table.owns_trains("L&E", "B", "B")
    table.phase_is("C")
    (third,) = table.owns_trains("L&E", "C")
    assert third == "C-1"
    assert table.refusal(ADA, bank("C-2", 280)) == ("train_limit", "1862/7.9-g")
    table.act(ADA, bank("C-2", 280, "local"))
    assert len(trains_of(table.game).owned["L&E"]) == 4


@pytest.mark.clause("1862/7.9-j", "1862/7.9-e", "1862/9.0-t")
def test_a_purchase_that_makes_own_trains_obsolete() -> None:
    """Express 4, express 4/5, freight 5 at 2 of each kind: no express G, but a freight 8, and D trains go."""
    table = buying()
    table.phase_is("D")
    (express,) = table.owns_trains("L&E", "D")
    (freight,) = table.owns_trains("L&E", "D", runs_as="freight")
    table.phase_is("E")
    (newer,) = table.owns_trains("L&E", "E")
    table.phase_is("F")
    table.trains_are_sold("F")
    assert table.refusal(ADA, bank("G-0", 700)) == ("train_limit", "1862/7.9-g")
    events = table.act(ADA, bank("G-0", 700, "freight"))
    assert phase_of(table.game) == "G"
    rusted = {event.train for event in only(events, TrainMove) if event.reason == "rusted"}
    assert rusted == {express, freight}
    assert trains_of(table.game).owned["L&E"] == (newer, "G-0")


@pytest.mark.clause("1862/7.9-k", "1862/7.9-h")
def test_a_company_above_the_limit_keeps_its_trains() -> None:
    """Five trains at 2 of each kind: only a local 5/6 may be bought, and what is above the limit of 3 is kept."""
    table = buying()
    table.phase_is("D")
    table.owns_trains("L&E", "D")
    table.phase_is("E")
    table.owns_trains("L&E", "E")
    table.owns_trains("L&E", "E", runs_as="local")
    table.phase_is("F")
    table.train_is_owned("F-1", "L&E", source=BANK)
    table.runs_as("F-1", "freight")
    table.train_is_owned("F-0", "L&E")
    table.runs_as("F-0", "freight")
    for kind in ("express", "freight"):
        assert table.refusal(ADA, bank("G-0", 700, kind))[0] == "train_limit"
    table.act(ADA, bank("G-0", 700, "local"))
    assert set(trains_of(table.game).owned["L&E"]) == {"E-1", "E-2", "F-1", "F-0", "G-0"}
    assert table.game.actor == "SVR"


@pytest.mark.clause("1862/7.9-g", "1862/9.0-p", "1862/9.0-q")
def test_three_trains_in_all_from_phase_g() -> None:
    """From G on three trains of whatever kind are the limit, so that nobody asks the company for a fourth."""
    table = buying(cash=4000)
    table.phase_is("H")
    kinds: tuple[ServiceKind, ...] = ("express", "freight", "local")
    for number, kind in enumerate(kinds, start=1):
        assert table.game.actor == "L&E"
        if number == 3:
            table.owns_trains("L&E", "H", runs_as="local")
            assert table.refusal(ADA, bank("H-4", 800, "freight")) == ("train_limit", "1862/7.9-g")
        else:
            table.act(ADA, bank(f"H-{number}", 800, kind))


@pytest.mark.clause("1862/9.0-s")
def test_h_trains_never_run_out() -> None:
    """After many H trains there is another one."""
    table = buying()
    table.phase_is("H")
    for number in range(1, 40):
        assert table.owns_trains("", "H") == (f"H-{number}",)
    table.act(ADA, bank("H-40", 800))
    assert "H-40" in trains_of(table.game).owned["L&E"]


@pytest.mark.clause("1862/10.3-a", "1862/3.0-c")
def test_the_first_h_train_sold_brings_the_lner() -> None:
    """With the only G train sold H is next; one of it bought, the end is due."""
    table = buying()
    table.phase_is("G")
    assert not table.game.ending
    events = table.act(ADA, bank("H-0", 800))
    assert causes_of_end(events) == [("1862.lner", 2, 1)]


@pytest.mark.clause("1862/7.9-f")
def test_a_new_phase_does_not_change_the_set_under_way() -> None:
    """Phase B begun in a set of one operating round leaves it at one."""
    table = buying()
    table.trains_are_sold("A")
    table.act(ADA, bank("B-0", 200))
    assert (phase_of(table.game), table.game.current_round.count) == ("B", 1)


@pytest.mark.clause("1862/10.3-h")
def test_after_the_lner_trains_come_from_the_bank_only() -> None:
    """Once the LNER has formed another company's train cannot be bought."""
    table = buying()
    table.phase_is("H")
    (train,) = table.owns_trains("ENR", "H")
    table.monopoly_is("LNER", 10)
    assert table.refusal(ADA, BuyTrain("L&E", train, 800, "ENR")) == ("1862.after_monopoly", "1862/10.3-h")
    assert not table.offered(ADA, BuyTrain)
    table.act(ADA, bank("H-2", 800))


@pytest.mark.clause("1862/8.0-e")
def test_a_company_in_receivership_sells_no_train() -> None:
    """Nobody can buy the train of a company whose director's certificate lies in the pool."""
    table = buying()
    (train,) = table.owns_trains("SVR", "A")
    table.puts_into_pool(BEN, "SVR", 0)
    table.has_no_director("SVR")
    assert table.refusal(ADA, BuyTrain("L&E", train, 100, "SVR")) == ("1862.in_receivership", "1862/8.0-e")


@pytest.mark.clause("1862/11.1-a", "1862/11.1-b", "1862/11.1-c", "1862/11.1-d")
@pytest.mark.parametrize(
    ("option", "kinds", "clause"),
    [
        ("simple_express", {"express"}, "1862/11.1-a"),
        ("simple_freight", {"freight"}, "1862/11.1-b"),
        ("advanced_freight", {"freight", "local"}, "1862/11.1-c"),
        ("advanced_express", {"express", "local"}, "1862/11.1-d"),
    ],
)
def test_variants_with_fewer_kinds(option: str, kinds: set[str], clause: str) -> None:
    """Only the kinds of the variant can be bought."""
    table = buying(option)
    offered = {command.kind for command in table.offered(ADA, BuyNewTrain)}  # type: ignore[attr-defined]
    assert offered == kinds
    for kind in {"express", "freight", "local"} - kinds:
        assert table.refusal(ADA, bank("A-0", 100, kind)) == ("1862.variant_forbids", clause)


@pytest.mark.clause("1862/11.1-e")
@pytest.mark.parametrize(("phase", "limit"), [("A", 4), ("D", 4), ("E", 3), ("F", 3), ("G", 2), ("H", 2)])
def test_limits_of_the_simple_games(phase: str, limit: int) -> None:
    """Four trains in A to D, three in E and F, two from G."""
    table = buying("simple_express")
    table.phase_is(phase)
    for number in range(limit):
        table.train_is_owned(f"H-9{number}", "L&E")
        table.runs_as(f"H-9{number}", "express")
    wanted = bank(bank_train(table.game, table.data), bank_price(table.game, table.data))
    assert table.refusal(ADA, wanted) == ("train_limit", "1862/7.9-g")
    table.train_is_gone("H-90", "L&E")
    table.act(ADA, wanted)


@pytest.mark.clause("1862/11.1-f")
@pytest.mark.parametrize(("phase", "each", "in_all"), [("D", 3, 0), ("F", 2, 0), ("G", 0, 3)])
def test_limits_of_the_advanced_games(phase: str, each: int, in_all: int) -> None:
    """Three of each kind, then two of each, then three in all, as in the standard game."""
    table = buying("advanced_express")
    limits = phases_of(table.data)[phase]
    assert limits.train_limit == {"public": each or in_all}
    assert limits.limit_of_each_kind == bool(each)


@pytest.mark.clause("1862/11.2-c")
def test_d_trains_are_permanent_in_the_shorter_game() -> None:
    """The first G train leaves the D trains where they are."""
    table = buying("short_game", "shorter_game")
    table.phase_is("D")
    (kept,) = table.owns_trains("L&E", "D")
    table.phase_is("F")
    table.trains_are_sold("F")
    table.act(ADA, bank("G-0", 700))
    assert trains_of(table.game).owned["L&E"] == (kept, "G-0")


def test_every_choice_listed_is_accepted() -> None:
    """What a director is offered in the step can be done as it is listed, by him alone."""
    table = buying(cash=260)
    table.owns_trains("ENR", "A")
    assert table.choices(CLEO) == ()
    for choice in table.choices(ADA):
        twin = Table(table.game, table.data)
        if not isinstance(choice.command, Pass):
            twin.act(ADA, choice.command)
