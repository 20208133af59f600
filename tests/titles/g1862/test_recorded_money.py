"""Dividends and train purchases of recorded games of 1862, each done again from the state before it."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from services.rules.domain import commands as c
from services.rules.domain.draft import Draft
from services.rules.domain.game import Game
from services.rules.domain.title import Context
from services.rules.domain.titledata import TitleData
from services.rules.titles.g1862 import dividends, trains
from tests.rules.board.boards import actions_of
from tests.titles.g1862.recorded_boards import RECORDED, Line, kind_named, position, recorded_steps

DIVIDENDS = {"payout": "pay", "withhold": "withhold", "hudson": "hudson"}


def differences(game: Game, data: TitleData, line: Line, *symbols: str) -> list[tuple[str, Any, Any]]:
    """What of money, prices and trains is not as recorded."""
    pairs: list[tuple[str, Any, Any]]
    pairs = [(player, game.cash[player], state["cash"]) for player, state in line["players"].items()]
    pairs.append(("bank", game.cash["bank"], line["bank"]))
    for symbol in symbols:
        state = line["corporations"][symbol]
        names = [_name(game, data, train) for train in game.trains.get(symbol, ())]
        pairs.append((symbol, game.cash[symbol], state["cash"]))
        pairs.append((f"trains of {symbol}", sorted(names), sorted(state.get("trains", []))))
    cells = {f"{row},{column}": list(stack) for (row, column), stack in game.cells.items() if stack}
    pairs += [("market", cells, line["market"]), ("phase", game.phase, line["phase"])]
    return [pair for pair in pairs if pair[1] != pair[2]]


def _name(game: Game, data: TitleData, train: str) -> str:
    face = data.trains[train.partition("-")[0]].faces[game.train_kinds[train]]
    return face.name + "*" * game.warranties.get(train, 0)


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_dividends_pay_and_move_as_recorded(shared: Path, name: str) -> None:
    """Every recorded dividend leaves the money, the market and the trains as recorded after it, before another turn."""
    data, steps = recorded_steps(shared, name)
    revenue = subsidy = count = 0
    for before, after in steps:
        action = after.get("action", {})
        if action.get("type") == "run_routes":
            revenue = sum(route["revenue"] for route in action["routes"])
            subsidy = sum(route.get("subsidy", 0) for route in action["routes"])
        if action.get("type") != "dividend" or not after["corporations"][action["entity"]]["floated"]:
            continue
        count += 1
        symbol, context = action["entity"], Context(data)
        game = position(data, before, symbol)
        game.turn = replace(game.turn, ran=True, revenue=revenue, treasury_income=subsidy)
        command = c.DeclareDividend(symbol, DIVIDENDS[action["kind"]])  # type: ignore[arg-type]
        pay = dividends.STEP.actions[c.DeclareDividend]
        pay.check(game, context, "", command)
        draft = Draft(game, data)
        pay.perform(draft, context, "", command)
        if after["active"][:1] == [symbol]:
            assert not differences(draft.game, data, after, symbol), after["n"]
    assert count > 30


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_purchases_of_trains_are_done_as_recorded(shared: Path, name: str) -> None:
    """Every recorded purchase is allowed at the recorded price and leaves money, trains and phase as recorded."""
    data, steps = recorded_steps(shared, name)
    count = 0
    for before, after, action in actions_of(steps, "buy_train"):
        count += 1
        symbol, train, context = action["entity"], action["train"], Context(data)
        game = position(data, before, symbol)
        seller = next((owner for owner, owned in game.trains.items() if train in owned), "bank")
        kind = kind_named(action["variant"]) if seller == "bank" else ""
        command = c.BuyTrain(
            symbol, train, action["price"], seller, kind=kind, warranties=action.get("warranties") or 0
        )
        buy = trains.STEP.actions[c.BuyTrain]
        buy.check(game, context, "", command)
        draft = Draft(game, data)
        buy.perform(draft, context, "", command)
        if after["active"][:1] == [symbol]:
            everybody = [owner for owner, state in after["corporations"].items() if state["floated"]]
            assert not differences(draft.game, data, after, *everybody), after["n"]
    assert count > 10
