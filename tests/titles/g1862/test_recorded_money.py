"""Dividends and train purchases of recorded games of 1862, each done again from the state before it."""

from pathlib import Path
from typing import Any

import pytest

from services.rules.kernel.commands import Command
from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.title import Context
from services.rules.kernel.titledata import TitleData
from services.rules.parts.market.state import market_of
from services.rules.parts.trains.commands import BuyTrain, DeclareDividend
from services.rules.parts.trains.state import TrainTurn, phase_of, trains_of
from services.rules.titles.g1862.commands import BuyNewTrain
from services.rules.titles.g1862.figures import kind_of
from services.rules.titles.g1862.operating import dividends
from services.rules.titles.g1862.state import own
from services.rules.titles.g1862.trains import buying as trains
from tests.rules.board.boards import actions_of
from tests.titles.g1862.recorded_boards import RECORDED, Line, kind_named, position, recorded_steps

DIVIDENDS = {"payout": "pay", "withhold": "withhold", "hudson": "1862.hudson"}


def differences(game: Game, data: TitleData, line: Line, *symbols: str) -> list[tuple[str, Any, Any]]:
    """What of money, prices and trains is not as recorded."""
    pairs: list[tuple[str, Any, Any]]
    pairs = [(player, game.cash[player], state["cash"]) for player, state in line["players"].items()]
    pairs.append(("bank", game.cash["bank"], line["bank"]))
    for symbol in symbols:
        state = line["corporations"][symbol]
        names = [_name(game, data, train) for train in trains_of(game).owned.get(symbol, ())]
        pairs.append((symbol, game.cash[symbol], state["cash"]))
        pairs.append((f"trains of {symbol}", sorted(names), sorted(state.get("trains", []))))
    cells = {
        f"{row},{column}": list(stack) for (row, column), stack in market_of(game).cells.items() if stack
    }
    pairs += [("market", cells, line["market"]), ("phase", phase_of(game), line["phase"])]
    return [pair for pair in pairs if pair[1] != pair[2]]


def _name(game: Game, data: TitleData, train: str) -> str:
    face = kind_of(data, train).faces[own(game).train_kinds[train]]
    return face.name + "*" * own(game).warranties.get(train, 0)


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
        TrainTurn(ran=True, revenue=revenue, treasury_income=subsidy).note_turn(game)
        command = DeclareDividend(symbol, DIVIDENDS[action["kind"]])
        pay = dividends.DIVIDE.step.actions[DeclareDividend]
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
        seller = next((owner for owner, owned in trains_of(game).owned.items() if train in owned), "bank")
        command: Command = BuyTrain(symbol, train, action["price"], seller)
        if seller == "bank":
            kind, warranties = kind_named(action["variant"]), action.get("warranties") or 0
            command = BuyNewTrain(symbol, train, action["price"], kind, warranties)
        buy = trains.BUY.step.actions[type(command)]
        buy.check(game, context, "", command)
        draft = Draft(game, data)
        buy.perform(draft, context, "", command)
        if after["active"][:1] == [symbol]:
            everybody = [owner for owner, state in after["corporations"].items() if state["floated"]]
            assert not differences(draft.game, data, after, *everybody), after["n"]
    assert count > 10
