"""Commands no honest client sends: each is refused with its own reason and changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from services.routing.domain.solver import solve
from services.rules.adapters.snapshots import state_bytes
from services.rules.kernel.commands import Command, CreateGame, Pass
from services.rules.kernel.decide import create, decide
from services.rules.kernel.rejections import REASONS, Rejection
from services.rules.kernel.values import Ruling
from services.rules.parts.map.commands import LayTile
from services.rules.parts.shares.commands import SellCertificates
from services.rules.parts.trains.bestruns import question_for
from services.rules.parts.trains.commands import BuyTrain, DeclareDividend, RunTrains, TrainRun
from services.rules.parts.trains.events import TrainsRan
from services.rules.titles.g1824.commands import ExchangeCompany, RepayDebt
from services.rules.titles.g1824.title import TITLE
from tests.titles.g1824.positions import ADA, BEN, PLAYERS, Table, clear_table, new_table, owned_table
from tests.titles.g1824.positions_operating import buyer, lay, major, pilsen_table, run


@dataclass(frozen=True)
class Forged:
    """A command out of place, where it is sent, and the reason with which it has to come back."""

    reason: str
    table: Callable[[], Table]
    command: Command
    player: str = ADA
    clause: str = ""


def at_home(hex_id: str, *tiles: tuple[str, str, int], phase: str = "2") -> Table:
    """MS of the first player with its only token on a hex, about to lay track with enough money."""
    table = clear_table(4)
    major(table, "MS", ADA, treasury=500)
    lay(table, tiles)
    table.token("MS", hex_id)
    table.phase(phase)
    table.operating_round("MS", step="lay_track")
    return table


def in_brno() -> Table:
    """At home in C12, which is empty."""
    return at_home("C12")


def in_built_brno() -> Table:
    """At home in C12 with a yellow tile, green ones in use."""
    return at_home("C12", ("C12", "57", 2), phase="3")


def without_57() -> Table:
    """At home in C12, with every tile 57 on other hexes."""
    return at_home("C12", *((hex_id, "57", 0) for hex_id in ("B5", "B9", "B15", "D19", "E14")))


def tile(hex_id: str, name: str, rotation: int, copy: int = -1) -> LayTile:
    """MS lays this."""
    return LayTile("MS", hex_id, name, rotation, copy)


def selling() -> Table:
    """MS, at its market price and open, with 50 % at the first player, who may sell."""
    table = clear_table(3)
    major(table, "MS", ADA, shares=4)
    table.hold(BEN, "MS", 2)
    table.stock_round(ADA)
    return table


def owners_of_coal() -> Table:
    """Coal companies of the first and the second player in a stock round of the green phase."""
    table = owned_table({"EPP": ADA, "EOD": BEN})
    table.phase("3")
    table.stock_round(ADA)
    return table


def beyond_dresden() -> Table:
    """A 3-train in Pilsen, from where track leads through red Dresden to a town."""
    table = pilsen_table("3")
    lay(table, (("A6", "3", 0),))
    return table


def paying() -> Table:
    """MS has run, and its revenue is to be divided."""
    table = pilsen_table("2")
    table.operating_round("MS", step="declare_dividend")
    table.write(TrainsRan("MS", (), 40, 0))
    return table


def runs(*proposed: TrainRun) -> RunTrains:
    """MS runs these."""
    return RunTrains("MS", proposed)


CASES = (
    Forged("not_a_player", new_table, Pass(), "mallory"),
    Forged("not_a_player", new_table, Pass(), ""),
    Forged("not_a_player", new_table, Pass(), "bank"),
    Forged("not_your_turn", new_table, Pass(), ADA),
    Forged("not_your_turn", pilsen_table, runs(), BEN),
    Forged("not_your_turn", pilsen_table, RunTrains("CL", ())),
    Forged("not_your_turn", in_brno, LayTile("CL", "C12", "57", 2)),
    Forged("wrong_step", pilsen_table, Pass()),
    Forged("wrong_step", pilsen_table, BuyTrain("MS", "2-0", 80)),
    Forged("wrong_step", selling, DeclareDividend("MS", "pay")),
    Forged("wrong_step", selling, CreateGame("1824", PLAYERS[:3])),
    Forged("value_out_of_range", selling, RepayDebt(-2)),
    Forged("value_out_of_range", selling, RepayDebt(2**62)),
    Forged("value_out_of_range", selling, SellCertificates("MS", 0)),
    Forged("value_out_of_range", in_brno, tile("C12", "57", 6)),
    Forged("value_out_of_range", buyer, BuyTrain("MS", "2-0", -(2**40))),
    Forged("unknown_company", selling, SellCertificates("XX", 1)),
    Forged("unknown_certificate", selling, SellCertificates("MS", 1, (2**40,))),
    Forged("shares_not_owned", selling, SellCertificates("MS", 6), clause="1824/VI.8-c"),
    Forged("shares_not_owned", selling, SellCertificates("MS", 2, (3, 3)), clause="1824/VI.1-a"),
    Forged("shares_not_owned", selling, SellCertificates("MS", 1, (8,)), clause="1824/VI.1-a"),
    Forged("shares_not_owned", selling, SellCertificates("MS", 2, (1,)), clause="1824/VI.8-c"),
    Forged("1824.not_your_company", owners_of_coal, ExchangeCompany("EOD", "BK")),
    Forged("unknown_hex", in_brno, tile("Z99", "57", 0)),
    Forged("unknown_hex", in_brno, tile("", "57", 0)),
    Forged("unknown_tile", in_brno, tile("C12", "no such", 0)),
    Forged("tile_fixed", in_brno, tile("A4", "57", 0), clause="1824/VII.6-a"),
    Forged("tile_colour", in_brno, tile("C12", "14", 2), clause="1824/VII.14-b"),
    Forged("tile_colour", in_built_brno, tile("C12", "5", 2)),
    Forged("tile_label", in_brno, tile("C12", "401", 2), clause="1824/VII.6-i"),
    Forged("tile_kind", in_brno, tile("C12", "9", 2), clause="1824/VII.6-h"),
    Forged("tile_kind", in_brno, tile("C12", "4", 2), clause="1824/VII.6-f"),
    Forged("tile_exhausted", in_brno, tile("C12", "57", 2, 9), clause="1824/TILES-a"),
    Forged("tile_exhausted", without_57, tile("C12", "57", 2), clause="1824/TILES-a"),
    Forged("tile_drops_track", in_built_brno, tile("C12", "14", 0), clause="1824/VII.7-c"),
    Forged("tile_off_map", lambda: at_home("I8"), tile("I8", "401", 0)),
    Forged("tile_off_map", lambda: at_home("B5"), tile("B5", "5", 0), clause="1824/VII.6-m"),
    Forged("tile_not_connected", in_brno, tile("D13", "9", 1)),
    Forged(
        "route_unknown_track", lambda: pilsen_table("2"), runs(run("2-0", "B5 Z9")), clause="1824/VII.2-b"
    ),
    Forged(
        "route_unknown_track", lambda: pilsen_table("2"), runs(run("2-0", "B5 B7")), clause="1824/VII.2-b"
    ),
    Forged("route_unknown_track", lambda: pilsen_table("2"), runs(run("2-0", "")), clause="1824/VII.2-b"),
    Forged(
        "route_passes_terminal", beyond_dresden, runs(run("3-0", "B5 A4", "A4 A6")), clause="1824/VII.2-g"
    ),
    Forged(
        "1824.route_mine_train", lambda: pilsen_table("2"), runs(run("2-0", "B5 C6")), clause="1824/VII.3-a"
    ),
    Forged(
        "1824.route_mine_train", lambda: pilsen_table("1g"), runs(run("1g-0", "B5 A4")), clause="1824/VII.9-d"
    ),
    Forged("train_not_owned", lambda: pilsen_table("2"), runs(run("8-0", "B5 A4")), clause="1824/VII.9-a"),
    Forged("route_runs_twice", lambda: pilsen_table("2"), runs(*[run("2-0", "B5 A4")] * 2)),
    Forged("dividend_kind", paying, DeclareDividend("MS", ""), clause="1824/VII.10-f"),
    Forged("dividend_kind", paying, DeclareDividend("MS", "1862.hudson"), clause="1824/VII.10-f"),
    Forged("route_not_best", lambda: pilsen_table("2"), runs(), clause="1824/VII.10-e"),
)


def names() -> list[str]:
    """The reason of each case, numbered."""
    return [f"{number}-{case.reason}" for number, case in enumerate(CASES)]


@pytest.mark.parametrize("case", CASES, ids=names())
def test_a_forged_command_is_refused_and_changes_nothing(case: Forged) -> None:
    """It comes back with exactly its reason (and clause where there is one), and the game stands as before."""
    table = case.table()
    before = state_bytes(table.game)
    question = question_for(TITLE, table.game, table.data, case.command)
    best = solve(question) if question is not None else None
    outcome = decide(TITLE, table.data, table.game, case.player, case.command, best)
    assert isinstance(outcome, Rejection), outcome
    assert outcome.code == case.reason
    assert case.clause in ("", outcome.clause)
    assert state_bytes(table.game) == before


TABLES = (
    ("unknown_title", CreateGame("1862", PLAYERS[:3])),
    ("unknown_option", CreateGame("1824", PLAYERS[:3], ("beer",))),
    ("unknown_ruling", CreateGame("1824", PLAYERS[:3], (), (Ruling("tea", "loaded"),))),
    ("unknown_ruling", CreateGame("1824", PLAYERS[:3], (), (Ruling("best_run", "sometimes"),))),
    ("player_count", CreateGame("1824", PLAYERS[:2])),
    ("player_count", CreateGame("1824", (*PLAYERS, "Gil"))),
    ("player_count", CreateGame("1824", ())),
    ("duplicate_player", CreateGame("1824", (ADA, BEN, ADA))),
    ("duplicate_player", CreateGame("1824", (ADA, BEN, "bank"))),
    ("duplicate_player", CreateGame("1824", (ADA, BEN, "BK"))),
    ("duplicate_player", CreateGame("1824", (ADA, BEN, ""))),
)


@pytest.mark.parametrize(("reason", "command"), TABLES)
def test_a_table_that_does_not_fit_is_not_set_up(reason: str, command: CreateGame) -> None:
    """Unknown titles, options and rulings, wrong numbers of players and names that mean something else."""
    outcome = create(TITLE, command)
    assert isinstance(outcome, Rejection)
    assert outcome.code == reason


def test_a_refusal_never_echoes_more_than_a_line() -> None:
    """However long the unknown name, the sentence that says so stays short."""
    table = in_brno()
    for command in (
        tile("Z" * 10**6, "57", 0),
        tile("C12", "9" * 10**6, 0),
        LayTile("M" * 10**6, "C12", "57", 0),
    ):
        outcome = decide(TITLE, table.data, table.game, ADA, command)
        assert isinstance(outcome, Rejection)
        assert len(outcome.message) < 400


def test_every_reason_is_proven_somewhere(repository: Path) -> None:
    """Each reason for a refusal is named by some test."""
    texts = "".join(path.read_text(encoding="utf-8") for path in (repository / "tests").rglob("test_*.py"))
    assert [code for code in REASONS if f'"{code}"' not in texts] == []
