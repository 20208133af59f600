"""The model of what a platform costs, and what it says of other sizes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import asdict, replace

from services.bench.measured import Measured, NoMeasurements, Replica
from services.bench.model import Model, RulesTerms, fitted
from services.bench.sizing import (
    Assumption,
    Assumptions,
    Demand,
    Figure,
    Sizing,
    TooMuch,
    assumptions,
    cores_of_replica,
    replicas_needed,
)
from tests.sizing.made_up import ALL, BROKERS, SIZES, STORED, TERMS, measured

MODEL = fitted(ALL)
COST = st.floats(0.05, 5.0)


@given(owner=COST, copy=COST, hop=COST, idle=st.floats(0.001, 0.1))
@settings(max_examples=50)
def test_made_up_terms_are_found(owner: float, copy: float, hop: float, idle: float) -> None:
    """From whole copies and shared ones, with 1 to 8 replicas, each term comes back, and nothing is left unexplained."""
    terms = replace(TERMS, owner=owner, copy=copy, hop=hop, idle=idle)
    found = fitted([measured(*size, terms=terms) for size in SIZES])
    assert asdict(found.rules) == pytest.approx(asdict(terms), rel=1e-3, abs=1e-3)
    assert all(abs(each.share) < 1e-3 for each in found.residuals)


def test_brokers_services_and_topics_are_found() -> None:
    """Beside rules: what brokers take once and for each copy, the lobby, and bytes by topic."""
    assert MODEL.brokers is not None
    assert asdict(MODEL.brokers) == pytest.approx(asdict(BROKERS))
    (lobby,) = MODEL.services
    assert (lobby.service, lobby.read, lobby.written) == ("lobby", 200.0, 100.0)
    assert lobby.ms == pytest.approx(1.2)
    assert MODEL.stored == pytest.approx(STORED)
    assert (MODEL.replicas, MODEL.rates) == ((1, 8), (20.0, 400.0))


def test_one_platform_without_brokers_in_sight_is_enough() -> None:
    """An operator has one size: then all is the owner's, and nothing is said of the brokers."""
    found = fitted([replace(measured(2), broker_cpu=None)])
    assert found.brokers is None
    assert found.rules.ms(2, 1.0, 0.5) == pytest.approx(TERMS.ms(2, 1.0, 0.5))
    assert not found.tells_copies
    beyond = Sizing(found, Demand(games=100, rate=1000.0, copies=1)).figures()[0].extrapolated
    assert "one size measured" in beyond and "passed on were not measured" in beyond
    names = [each.what for each in Sizing(found, Demand(games=100, rate=50.0, copies=0)).figures()]
    assert "cores of the brokers" not in names


@pytest.mark.parametrize(
    "rows", [[], [replace(measured(1), accepted=0)], [replace(measured(1), replicas=[])]]
)
def test_nothing_is_fitted_to_nothing(rows: list[Measured]) -> None:
    """Without a command, or a replica of rules that was read, there is no model."""
    with pytest.raises(NoMeasurements):
        fitted(rows)


def test_a_replica_that_began_anew_is_no_replica_without_cost() -> None:
    """Its figures are left out, and do not make the others cheaper; it counts as one of those among whom work is divided."""
    one = measured(2)
    rows = [each for each in one.replicas if each.service == "rules"]
    others = [each for each in one.replicas if each.service != "rules"]
    restarted = Replica("rules", rows[0].address, is_restarted=True)
    found = fitted([replace(one, replicas=[restarted, rows[1], *others])])
    assert found.rules.ms(2, 1.0, 0.5) == pytest.approx(TERMS.ms(2, 1.0, 0.5))


@given(rate=st.floats(1, 20_000), more=st.floats(1.0, 3.0), copies=st.integers(1, 4))
def test_more_commands_never_need_less(rate: float, more: float, copies: int) -> None:
    """Replicas and the whole of their cores grow with the rate."""
    small = Demand(games=100, rate=rate, copies=copies)
    large = replace(small, rate=rate * more)
    try:
        few, many = (replicas_needed(MODEL, each, 0.7) for each in (small, large))
    except TooMuch:
        return
    assert few <= many
    assert cores_of_replica(MODEL, small, many) <= cores_of_replica(MODEL, large, many) + 1e-9


@given(rate=st.floats(1, 5_000), count=st.integers(1, 100), copies=st.integers(0, 4))
def test_a_further_replica_never_makes_one_busier(rate: float, count: int, copies: int) -> None:
    """What one replica takes falls with their number, or stays."""
    demand = Demand(games=1, rate=rate, copies=copies, finds_owner=True)
    assert cores_of_replica(MODEL, demand, count + 1) <= cores_of_replica(MODEL, demand, count) + 1e-9


def test_whole_copies_have_an_end() -> None:
    """Where each replica follows all, no number of them carries more than one core can follow; sharing does."""
    demand = Demand(games=1000, rate=5000.0, copies=0)
    with pytest.raises(TooMuch, match=r"4\.5 cores of each replica: let them share it"):
        Sizing(MODEL, demand)
    shared = Sizing(MODEL, replace(demand, copies=2))
    assert 0.65 < cores_of_replica(MODEL, replace(demand, copies=2), shared.replicas) <= 0.7


def figure(demand: Demand, what: str, model: Model = MODEL) -> Figure:
    """One figure of a sizing."""
    return next(each for each in Sizing(model, demand).figures() if each.what == what)


def test_figures_say_where_they_leave_what_was_measured() -> None:
    """Within the measured range nothing is marked; beyond it each says which range it left."""
    within = Demand(games=64, rate=100.0, copies=2)
    assert figure(within, "cores of rules").extrapolated == ""
    beyond = replace(within, rate=5000.0, games=100_000)
    assert (
        figure(beyond, "cores of rules").extrapolated
        == "20 to 400 commands/s measured; 1 to 8 replicas measured"
    )
    assert "games for each replica measured" in figure(beyond, "memory of rules").extrapolated
    assert all(each.extrapolated for each in Sizing(MODEL, beyond).figures())


def test_figures_follow_from_the_terms() -> None:
    """Disk and network, reckoned by hand: 550 bytes a command, three copies, 100 a second."""
    demand = Demand(games=64, rate=100.0, copies=0, replication=3)
    assert figure(demand, "written to Kafka a day").value == pytest.approx(100 * 86_400 * 550 * 3 / 1e9)
    assert figure(demand, "of which Kafka keeps for ever").value == pytest.approx(
        100 * 86_400 * 350 * 3 / 1e9
    )
    assert figure(demand, "and what goes again takes").value == pytest.approx(
        100 * 86_400 * 200 * 1.25 * 3 / 1e9
    )
    assert figure(demand, "network into the brokers").value == pytest.approx(100 * 550 * 8 / 1e6)
    assert figure(demand, "replicas of rules").value == 1
    assert figure(demand, "cores of rules").value == pytest.approx(0.02 + 0.1 * (2.4 + 0.9 + 0.8 / 2))
    assert figure(demand, "cores of the brokers").value == pytest.approx(
        0.1 + 0.1 * (1.5 + 0.25 * 3 + 2.5 / 2)
    )


def test_each_replica_of_the_lobby_takes_over_all_summaries() -> None:
    """What is done once divides among replicas, the copy does not; beyond what one core follows, no number of them is enough."""
    taken = replace(assumptions(), lobby_summaries=Assumption(1000.0, "made up"))
    few, many = (
        next(
            each
            for each in Sizing(MODEL, Demand(games=64, rate=rate, summaries="all"), taken).figures()
            if "lobby" in each.what
        )
        for rate in (600.0, 800.0)
    )
    # 1.2 ms measured, one of them for the copy: 0.12 cores in all, and 0.6 of each replica, which may be busy for 0.7.
    assert few.what == "cores of lobby" and "2 processes" in few.basis
    assert few.value == pytest.approx(0.12 + 2 * 0.6)
    assert (many.what, many.unit) == ("lobby ends at", "commands/s")
    assert many.value == pytest.approx(700.0)


def test_replicas_of_the_lobby_that_keep_what_they_follow_divide_everything() -> None:
    """Whatever the rate, and however many there are: as in the services that divide by partitions."""
    for rate in (600.0, 6000.0):
        lobby = figure(Demand(games=64, rate=rate, summaries="followed"), "cores of lobby")
        assert lobby.value == pytest.approx(rate * 1.2 / 1000)


def test_commands_that_share_transactions_cost_less() -> None:
    """Ten commands in each transaction instead of two: the brokers take less, rules too."""
    demand = Demand(games=64, rate=100.0)
    for what in ("cores of the brokers", "cores of rules"):
        assert figure(replace(demand, together=10.0), what).value < figure(demand, what).value


def test_assumptions_say_why() -> None:
    """Each figure that was not measured in the run has its reason."""
    taken = assumptions()
    for name in Assumptions.__struct_fields__:
        if name != "kept_days":
            assert getattr(taken, name).value > 0 and getattr(taken, name).why, name
    assert RulesTerms().ms(1, 1.0, 1.0) == 0.0
