"""Recorded games of 1862 played as native ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.rules.importer.record import NotAGameError, parse
from tests.positions.trains import corrected_revenues
from tests.recorded.documents import (
    OLD_GAME,
    Json,
    act,
    encoded,
    load_document,
    load_trace,
    played,
    record,
    refused,
    replayed,
    run,
)


def test_old_runs_are_recomputed(shared: Path) -> None:
    """The eleven old freight runs show the file's figure and, as `recomputed`, ours; no other run does."""
    lines, theirs = played(shared, OLD_GAME).lines, load_trace(shared, OLD_GAME)
    found = [
        (line["n"], route["train"], route["revenue"], route["recomputed"])
        for line in lines[1:-1]
        for route in line.get("routes", {}).get("routes", ())
        if "recomputed" in route
    ]
    expected = [
        (line["n"], route["train"], route["revenue"], route["recomputed"])
        for line in theirs[1:-1]
        for route in line.get("routes", {}).get("routes", ())
        if "recomputed" in route
    ]
    assert found == expected and len(found) == 11
    marks = corrected_revenues(played(shared, OLD_GAME).events)
    assert len(marks) == len(played(shared, OLD_GAME).corrections) == 11


def test_a_subsidy_that_is_not_totalled_is_that_of_the_routes(shared: Path) -> None:
    """Files from before the total was kept hold the subsidy of each route only."""
    data = load_document(shared, "1862/p2-s215")
    for action in data["actions"]:
        if action["type"] == "run_routes":
            del action["subsidy"]
    assert run(parse(encoded(data))).matches


@pytest.mark.parametrize(
    ("named", "players", "ours"),
    [
        ("short_length", 3, ("short_game",)),
        ("long_length", 3, ("long_game",)),
        ("eight_tokens", 3, ("eight_stations",)),
        ("short_length", 7, ("short_game", "extra_companies")),
        ("eight_tokens", 8, ("eight_stations", "extra_companies")),
    ],
)
def test_options_have_other_names(named: str, players: int, ours: tuple[str, ...]) -> None:
    """Lengths and stations are named otherwise; with seven and eight players the peer always adds companies."""
    seats = [{"id": number} for number in range(players)]
    game = record(title="1862", players=seats, result={}, settings={"seed": 1, "optional_rules": [named]})
    found = run(game, traced=True)
    assert found.game.options == ours
    assert found.lines[0]["setup"]["optional_rules"] == [named]


def test_an_unknown_option_is_no_game() -> None:
    """An option that neither side names is refused before the first action."""
    with pytest.raises(NotAGameError, match="no such option"):
        run(record(title="1862", settings={"seed": 1, "optional_rules": ["goods_time"]}))


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (act(1, "bid", 12, corporation="EUR", price=0), "not_your_turn"),
        (act(1, "bid", 99, corporation="EUR", price=0), "not_a_player"),
        (act(1, "bid", 11, corporation="XX", price=0), "unknown_company"),
        (act(1, "bid", 11, price=0), "unknown_company"),
        (act(1, "bid", 11, corporation="EUR", price=-5), "value_out_of_range"),
        (act(1, "par", 11, corporation="EUR", share_price="54,0,12"), "wrong_step"),
        (act(1, "par", 11, corporation="EUR", share_price="cheap"), "price_not_offered"),
        (act(1, "choose", 11, choice=3), "wrong_step"),
        (act(1, "buy_shares", 11, shares=["EUR_99"], percent=10), "unknown_certificate"),
        (act(1, "buy_shares", 11, shares=["XX_1"], percent=10), "unknown_company"),
        (act(1, "buy_shares", 11, shares=["EUR_1", "EUR_2"], percent=20), "already_bought"),
        (act(1, "sell_shares", 11, shares=["EUR_1", "ECR_2"], percent=20), "unknown_certificate"),
        (act(1, "lay_tile", "EUR", hex="E12", tile="790", rotation=0), "unknown_tile"),
        (act(1, "place_token", "EUR", city="B15-0-1", slot=0), "unknown_city"),
        (act(1, "remove_token", "EUR", city="nowhere", slot=0), "unknown_city"),
        (act(1, "dividend", "EUR", kind="half"), "dividend_kind"),
        (act(1, "buy_train", "EUR", train="A-0", price=100), "1862.train_kind_not_chosen"),
        (act(1, "buy_train", "EUR", train="A-0", price=100, variant="2X*"), "1862.train_kind_not_chosen"),
        (act(1, "buy_company", 11, company="EUR", price=100), "recorded_action_unknown"),
        (act(1, "special_buy", 11, description="EUR"), "recorded_action_unknown"),
        (act(1, "discard_train", "EUR", train="A-0"), "recorded_action_unknown"),
        (act(1, "merge", "XX", corporation="EUR"), "unknown_company"),
    ],
)
def test_forged_actions_are_refused_with_their_reason(action: Json, code: str) -> None:
    """A wrong player or action is refused with its own code, and the game is unchanged."""
    replay = replayed(action, title="1862")
    assert refused(replay) == (1, code)
    assert replay.game == replayed(title="1862").game and replay.accepted == 0


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (act(1, "bid", 11, corporation="EUR"), r"missing required field `price` - at `\$\.actions\[0\]`"),
        (act(1, "bid", 11, corporation=3, price=0), r"at `\$\.actions\[0\]\.corporation`"),
        (act(1, "merge", "EUR"), "missing required field `corporation`"),
        (act(1, "choose", 11), "missing required field `choice`"),
        (act(1, "choose", 11, choice=[3]), r"at `\$\.actions\[0\]\.choice`"),
        (act(1, "buy_train", "EUR", train="A-0", price=100, warranties="2"), r"\.warranties`"),
        (act(1, "buy_train", "EUR", train="A-0", price=100, variant=2), r"\.variant`"),
        (act(1, "run_routes", "EUR", routes=[], subsidy="0"), r"\.subsidy`"),
    ],
)
def test_malformed_actions_are_named(action: Json, reason: str) -> None:
    """Missing or wrong fields of an action are refused by place."""
    with pytest.raises(NotAGameError, match=reason):
        record(action, title="1862")
