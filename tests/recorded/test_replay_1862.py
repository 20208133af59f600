"""Recorded games of 1862 played as native ones."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from services.rules.domain import events as e
from services.rules.domain.evolve import replay as fold_log
from services.rules.recorded.compare import compare
from services.rules.recorded.record import NotAGameError, Record, parse
from services.rules.recorded.replay import Replay, play
from services.rules.titles import TITLES
from tests.recorded.documents import (
    GAMES_1862,
    Json,
    act,
    clock,
    encoded,
    load_document,
    load_trace,
    record,
    replayed,
)

OLD_GAME = "46925"


def run(game: Record, **options: Any) -> Replay:
    """Play `game` with a clock that stands still."""
    return play(game, TITLES["1862"], clock, **options)


@lru_cache(maxsize=4)
def played(shared: Path, name: str) -> Replay:
    """A recorded game played once with its trace, runs of the old game booked as recorded."""
    return run(
        parse(encoded(load_document(shared, f"1862/{name}"))), traced=True, as_recorded=name == OLD_GAME
    )


def refused(replay: Replay) -> tuple[int, str]:
    """Line and reason code of the first refused action."""
    assert replay.refusal is not None
    return replay.refusal.line, replay.refusal.rejection.code


@pytest.mark.parametrize("name", GAMES_1862)
def test_recorded_game_replays_to_its_result(shared: Path, name: str) -> None:
    """Every action is accepted, the result is the file's, and the log folds to the same state."""
    replay = played(shared, name)
    assert replay.refusal is None
    assert (replay.accepted, replay.result) == (replay.actions, replay.record.result)
    assert replay.game.finished and replay.matches
    assert fold_log(replay.events) == replay.game


@pytest.mark.parametrize("name", GAMES_1862)
def test_trace_equals_the_recorded_one_after_every_action(shared: Path, name: str) -> None:
    """No field that both traces hold differs in any line, setup and result included."""
    theirs, ours = load_trace(shared, f"1862/{name}"), played(shared, name).lines
    assert len(ours) == len(theirs)
    assert compare(ours, theirs) == []


@pytest.mark.parametrize("name", GAMES_1862)
def test_trace_holds_the_same_fields(shared: Path, name: str) -> None:
    """Only messages, legal action types and standing orders are the peer's alone; `other` and companies agree on what
    they leave out."""
    lines = zip(played(shared, name).lines[:-1], load_trace(shared, f"1862/{name}")[:-1], strict=True)
    for ours, theirs in lines:
        assert set(theirs) - set(ours) <= {"log", "legal"}
        assert set(theirs["other"]) ^ set(ours["other"]) <= {"programs"}
        for symbol, company in theirs["corporations"].items():
            assert set(ours["corporations"][symbol]) == set(company)


def test_old_runs_are_recomputed(shared: Path) -> None:
    """The eleven old freight runs show the file's figure and, as `recomputed`, ours; no other run does."""
    lines, theirs = played(shared, OLD_GAME).lines, load_trace(shared, f"1862/{OLD_GAME}")
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
    marks = [event for event in played(shared, OLD_GAME).events if isinstance(event, e.RevenueCorrected)]
    assert len(marks) == len(played(shared, OLD_GAME).corrections) == 11


def run_of(data: Json) -> Json:
    """The first run of a game's file that earned something."""
    found: Json = next(each for each in data["actions"] if each["type"] == "run_routes" and each["routes"])
    return found


@pytest.mark.parametrize("field", ["revenue", "subsidy"])
def test_a_forged_revenue_is_refused(shared: Path, field: str) -> None:
    """Revenue and subsidy are computed here: a file that books more for the same routes is refused at that run."""
    data = load_document(shared, "1862/p5-s111")
    forged = run_of(data)
    target = forged["routes"][0] if field == "revenue" else forged
    target[field] += 10
    replay = run(parse(encoded(data)))
    assert refused(replay)[1] == "recorded_revenue_differs"
    assert replay.refusal is not None and replay.refusal.id == forged["id"]
    assert replay.refusal.rejection.clause.startswith("1862/")


def test_a_subsidy_that_is_not_totalled_is_that_of_the_routes(shared: Path) -> None:
    """Files from before the total was kept hold the subsidy of each route only."""
    data = load_document(shared, "1862/p2-s215")
    for action in data["actions"]:
        if action["type"] == "run_routes":
            del action["subsidy"]
    assert run(parse(encoded(data))).matches


def test_a_wrong_result_does_not_match(shared: Path) -> None:
    """A game whose file states another result is accepted action by action, but does not match."""
    data = load_document(shared, "1862/p5-s111")
    data["result"]["1"] += 1
    replay = run(parse(encoded(data)))
    assert replay.accepted == replay.actions and not replay.matches


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
        (act(1, "buy_train", "EUR", train="A-0", price=100), "train_kind_not_chosen"),
        (act(1, "buy_train", "EUR", train="A-0", price=100, variant="2X*"), "train_kind_not_chosen"),
        (act(1, "buy_company", 11, company="EUR", price=100), "recorded_action_unknown"),
        (act(1, "special_buy", 11, description="EUR"), "recorded_action_unknown"),
        (act(1, "discard_train", "EUR", train="A-0"), "recorded_action_unknown"),
        (act(1, "merge", "XX", corporation="EUR"), "unknown_company"),
    ],
)
def test_forged_actions_are_refused_with_their_reason(action: Json, code: str) -> None:
    """Whoever and whatever does not fit is refused with its own code, and the game stands as it stood before."""
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
