"""The tables of random games: every option, length, player count and sort of players, as often as any other."""

from __future__ import annotations

from collections import Counter

import pytest

from services.rules.kernel.decide import Accepted, create
from services.rules.titles import TITLES
from tests.simulation.tables import BOTS, bot_of, option_sets, table_of
from tests.simulation.test_random_games import GAMES

SEEDS = range(900_000, 901_000)


@pytest.mark.parametrize("title", TITLES)
def test_a_thousand_tables_hold_every_set_of_options(title: str) -> None:
    """With each number of players no set of options that go together comes up twice before all others did."""
    tables = [table_of(seed, title) for seed in SEEDS]
    for count in TITLES[title].all_player_counts:
        sets = option_sets(title, count)
        met = Counter(table.options for table in tables if len(table.players) == count)
        assert set(met) <= set(sets)
        assert len(met) == min(len(sets), met.total())
        assert max(met.values()) - min(met[each] for each in sets) <= 1
    assert {option for table in tables for option in table.options} == {
        option.name for option in TITLES[title].options
    }
    assert {bot_of(seed, title) for seed in SEEDS} == set(BOTS)


@pytest.mark.parametrize("title", TITLES)
def test_the_games_of_every_test_run_hold_every_option(title: str) -> None:
    """Few as they are, each option and each number of players is among them, and each table can be set up."""
    tables = [table_of(seed, title) for seed in range(GAMES)]
    assert {option for table in tables for option in table.options} == {
        option.name for option in TITLES[title].options
    }
    assert {len(table.players) for table in tables} == set(TITLES[title].all_player_counts)
    for table in tables:
        assert isinstance(create(TITLES[title], table), Accepted), table


def test_lengths_that_contradict_each_other_are_no_table() -> None:
    """No table of 1862 plays two lengths, and each length is played."""
    lengths = ("short_game", "long_game", "mixed_length")
    met = Counter(tuple(each for each in lengths if each in table_of(seed, "1862").options) for seed in SEEDS)
    assert set(met) == {(), *((length,) for length in lengths)}
