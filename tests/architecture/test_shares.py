"""Shares are counted in shares: no event, command, state, message or account counts a part of a company in percent."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.gen.signalbox.ledger.v1 import ledger_pb2
from services.ledger.domain.accounts import company_of, shares_of

ROOT = Path(__file__).parents[2]
SERVICES = ROOT / "services"
COUNTING = ("rules/kernel", "rules/parts", "rules/titles", "ledger", "audit", "bots", "client", "lobby")
# Figures that rulebooks state in percent: limits, which are compared with no rounding, and interest; and scores of a
# tournament, in percent of the winner's.
IN_PERCENT = {
    "lobby/domain/tournaments/scoring/performances.py percent",
    "rules/parts/shares/data.py float_percent",
    "rules/titles/g1824/figures.py bank_percent_for_sales",
    "rules/titles/g1824/figures.py interest_percent_at_once",
    "rules/titles/g1824/figures.py interest_percent_per_stock_round",
    "rules/titles/g1824/figures.py max_percent",
    "rules/titles/g1865/figures.py dragon_percent_most",
    "rules/titles/g1865/figures.py player_percent_most",
    "rules/titles/g1865/figures.py pool_percent_most",
}


def fields_in_percent(path: Path) -> Iterator[str]:
    """The fields of classes in a module whose names speak of percent."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef):
            for member in node.body:
                if isinstance(member, ast.AnnAssign) and "percent" in ast.unparse(member.target).lower():
                    yield ast.unparse(member.target)


def test_nothing_but_figures_of_rulebooks_is_in_percent() -> None:
    """How the importer reads another platform's games is no count of ours."""
    found = {
        f"{path.relative_to(SERVICES).as_posix()} {field}"
        for folder in COUNTING
        for path in (SERVICES / folder).rglob("*.py")
        for field in fields_in_percent(path)
    }
    assert found == IN_PERCENT


@pytest.mark.parametrize(
    "path", sorted((ROOT / "proto").rglob("*.proto")), ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_no_message_speaks_of_percent(path: Path) -> None:
    """Clients reckon percent from shares and from how many a company is divided into."""
    assert "percent" not in path.read_text(encoding="utf-8").lower()


def test_accounts_count_shares() -> None:
    """The ledger's units are money, debt and the shares of each company."""
    assert ledger_pb2.Unit.keys() == ["UNIT_UNSPECIFIED", "UNIT_MONEY", "UNIT_SHARES", "UNIT_DEBT"]
    assert (shares_of("BK"), company_of(shares_of("BK"))) == ("shares:BK", "BK")


def test_a_field_in_percent_would_be_seen(tmp_path: Path) -> None:
    """In any class, whatever its base."""
    module = tmp_path / "events.py"
    module.write_text("class Moved(Event):\n    percent: int\n    shares: int\n")
    assert list(fields_in_percent(module)) == ["percent"]
