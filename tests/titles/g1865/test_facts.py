"""The figures of 1865 are those collected from public sources: the shared facts, block by block."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from services.rules.kernel.titledata import TitleData
from services.rules.parts.market.data import chart_of
from services.rules.titles.g1865.dragontable import table_of, zone_in
from services.rules.titles.g1865.figures import TrainKind, figures_of, phases_of, railway_cards
from services.rules.titles.g1865.maritime import maritime_cards
from services.rules.titles.g1865.title import TITLE

Facts = dict[str, Any]


@pytest.fixture(scope="module")
def facts(shared: Path) -> Facts:
    """The facts as collected, with sources and confidence."""
    found: Facts = json.loads((shared / "facts" / "1865.json").read_text(encoding="utf-8"))
    return found


def data_of(*options: str) -> TitleData:
    """The title under the synopsis's rulings."""
    return TITLE.load(options, {ruling.name: ruling.values[0] for ruling in TITLE.rulings})


def trains_of_box(data: TitleData) -> list[TrainKind]:
    """The kinds of trains."""
    found: list[TrainKind] = list(data.sections["trains"].kinds.values())
    return found


def by_number(table: Facts) -> dict[int, Any]:
    """The entries of a table that are named by numbers."""
    return {int(key): value for key, value in table.items() if key.isdecimal()}


@pytest.mark.clause("1865/2-a")
@pytest.mark.clause("1865/2-b")
@pytest.mark.clause("1865/x-a")
@pytest.mark.clause("1865/x-c")
def test_money_and_limits(facts: Facts) -> None:
    """Players, cash, bank and certificates, in the whole game and in the short one."""
    header, short = data_of().header, data_of("short_game").header
    assert list(header.player_counts) == facts["players"]["value"]
    assert header.starting_cash == by_number(facts["starting_cash"])
    assert (header.bank, short.bank) == (facts["bank"]["normal"], facts["bank"]["short_game"])
    limits = facts["certificate_limits"]
    assert header.certificate_limit == by_number(limits["players"])
    in_short = {players: short.certificate_limit[players] for players in short.player_counts}
    assert in_short == by_number(limits["players_short_game"])
    percent = limits["max_percent_in_one_company"]
    figures = figures_of(data_of())
    own = (figures.player_percent_most, figures.dragon_percent_most, figures.pool_percent_most)
    assert own == (percent["player"], percent["dragons"], percent["bank_pool"])


@pytest.mark.clause("1865/1-j")
@pytest.mark.clause("1865/5.5-c")
@pytest.mark.clause("1865/5.5-l")
@pytest.mark.clause("1865/x-b")
def test_trains(facts: Facts) -> None:
    """Cost, discount on the last, coverage, count in both games, and which train removes it."""
    short = {kind.name: kind.count for kind in trains_of_box(data_of("short_game"))}
    listed = facts["trains"]["types"]
    assert len(listed) == len(trains_of_box(data_of()))
    for kind, fact in zip(trains_of_box(data_of()), listed, strict=True):
        assert (kind.number, kind.price, kind.coverage) == (fact["phase"], fact["cost"], fact["coverage"])
        assert kind.last_price == fact["cost_of_last"]
        assert kind.count == (fact["count"] or 0)
        assert short[kind.name] == (fact["count_short_game"] or 0)
        rusts = fact["rusts_at_phase"]
        assert kind.removed_by == ((str(rusts),) if rusts else ())


@pytest.mark.clause("1865/5.1-n")
@pytest.mark.clause("1865/5.5-d")
def test_phases(facts: Facts) -> None:
    """Tiles, train limits, starting values, the size in which companies start, what the Dragons may hold, tokens."""
    dragons = facts["certificate_limits"]["dragons_by_phase"]
    for name, phase in phases_of(data_of()).items():
        fact = facts["phases"][name]
        assert list(phase.tiles) == fact["tiles"]
        assert phase.train_limit == {"railway": fact["train_limit"]}
        assert list(phase.starting_prices) == fact["starting_values"]
        assert phase.starts_major == (fact["companies_start_as"] == "major")
        assert phase.dragon_certificates == dragons[name]
        assert phase.conversion_tokens == facts["tokens"]["conversion_extra_by_phase"][name]
    rows = [phase.starting_row for phase in phases_of(data_of()).values()]
    assert rows == ["2", "2", "2", "3", "3", "3"]
    assert figures_of(data_of()).major_tokens == facts["tokens"]["major_from_phase_5"]


@pytest.mark.clause("1865/1-i")
@pytest.mark.clause("1865/4.4-m")
def test_share_line_and_premiums(facts: Facts) -> None:
    """31 values, and for each what a share of the Dragons costs in the white and in the green zone."""
    line = facts["share_price_line"]["values"]
    assert list(chart_of(data_of()).rows) == [tuple(line)]
    for zone, prices in table_of(data_of()).premium_prices.items():
        assert dict(zip(map(str, line), prices, strict=True)) == facts["premium_prices"][zone]
    assert set(table_of(data_of()).premium_prices) == {"white", "green"}


@pytest.mark.clause("1865/1-f")
def test_dragon_table(facts: Facts) -> None:
    """The zone of every rank on every row."""
    table = facts["dragon_table"]
    assert figures_of(data_of()).rank_most == table["rank"]["max"]
    for row, fact in zip(table_of(data_of()).rows, table["rows"], strict=True):
        assert row.name == str(fact["phase"])
        for zone in ("red", "white", "green"):
            first, last = fact[zone]
            assert {zone_in(row, rank) for rank in range(first, last + 1)} == {zone}


@pytest.mark.clause("1865/1-l")
def test_railways(facts: Facts) -> None:
    """Names and abbreviations, certificates of minors and majors in shares, and which are in the short game."""
    listed = {fact["abbr"]: fact for fact in facts["companies"]}
    cards = railway_cards(data_of())
    assert list(cards) == list(listed)
    minor, major = (facts["certificates"][size] for size in ("minor", "major"))
    for symbol, card in cards.items():
        # The source spells one accent otherwise.
        assert card.name.replace("à", "á") == listed[symbol]["name"].replace("à", "á")
        assert card.divided_into == (sum(minor) // minor[1], sum(major) // major[1])
        assert card.certificates == tuple(percent // major[1] for percent in major)
        assert len(card.tokens) == facts["tokens"]["minor"]
    in_short = [symbol for symbol, fact in listed.items() if fact["in_short_game"]]
    assert list(railway_cards(data_of("short_game"))) == in_short


@pytest.mark.clause("1865/5.2-e")
@pytest.mark.clause("1865/3-a")
@pytest.mark.clause("1865/3-d")
def test_other_figures(facts: Facts) -> None:
    """Costs of hexsides, sea companies, mines, cubes, loans, absorption, the second tile, revenue."""
    figures = figures_of(data_of())
    for kind in ("plain", "river", "mountain"):
        assert figures.token_cost[kind] == facts["token_cost_by_hexside"][kind]
    sea = facts["maritime_companies"]
    assert list(maritime_cards(data_of())) == sea["ids"]
    assert (figures.maritime_income, figures.maritime_coverage, figures.maritime_per_player) == (
        sea["income_per_operating_round"],
        sea["coverage_when_owned_by_railway"],
        sea["per_player"],
    )
    assert figures.cubes == facts["traffic"]["cubes"]
    assert figures.revenue_per_traffic == facts["traffic"]["revenue_per_covered_chip"]
    assert figures.mines_of_district_most == facts["mines"]["max_tokens_per_company_in_carbonia"]
    assert (figures.loan, figures.loans_most) == (facts["loans"]["unit"], facts["absorption"]["max_loans"])
    assert figures.synergy == facts["absorption"]["synergy_per_shared_city"]
    assert figures.tile_costs == (0, facts["tiles"]["second_action_cost"])
