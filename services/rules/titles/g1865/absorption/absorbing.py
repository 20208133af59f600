"""Absorption in 1865: which company may absorb which, and what becomes of both (section 6)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import ActionTaken
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import Rejected, reject_if
from services.rules.kernel.title import Action, Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.board import token_cities
from services.rules.parts.map.events import CharterTokensSet, TokenReplaced
from services.rules.parts.map.state import map_of, unplaced_tokens
from services.rules.parts.market.events import PriceRemoved
from services.rules.parts.shares.events import CompanyReset
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.events import TrainMoved
from services.rules.parts.trains.state import owned_by
from services.rules.titles.g1865.absorption.finance import (
    loans_possible,
    means_of,
    pay_shareholders,
    total_cost,
)
from services.rules.titles.g1865.absorption.replacing import (
    check_replacing,
    tokens_of,
    ways_of_replacing,
)
from services.rules.titles.g1865.commands import Absorb
from services.rules.titles.g1865.companies import president_of, price_with_premium
from services.rules.titles.g1865.directroutes import are_joined
from services.rules.titles.g1865.events import CompanyAbsorbed, MaritimeTaken, PortUsed, TableRowLeft
from services.rules.titles.g1865.figures import figures_of, railway_cards
from services.rules.titles.g1865.maritime import maritime_cards
from services.rules.titles.g1865.operating.order import follow_prices
from services.rules.titles.g1865.operating.phases import discard_trains, make_major
from services.rules.titles.g1865.operating.turns import railway_step
from services.rules.titles.g1865.rulings import plays
from services.rules.titles.g1865.state import maritime_of, own, traffic_of
from services.rules.titles.g1865.stock.opening import set_charter
from services.rules.titles.g1865.traffic import give_traffic, use_ports

TURN_OVER = "turn_over"
ABSORBED = "1865.absorbed"


def check_pair(game: Game, data: TitleData, company: str, target: str) -> None:
    """What both companies need, whatever becomes of tokens (6-a to 6-c, 6.1)."""
    for symbol in (company, target):
        reject_if(symbol not in railway_cards(data), "unknown_company", detail=symbol)
    at_turn = company != target and game.actor in (company, target)
    reject_if(not at_turn, "1865.absorption_not_possible", "1865/6-a", company)
    reject_if(ABSORBED in game.turn.actions, "1865.absorption_not_possible", "1865/6-b", company)
    later = game.current_round.order[game.current_round.position :]
    reject_if(target not in later, "1865.operated_this_round", "1865/6-b", target)
    for symbol in (company, target):
        operated = companies_of(game)[symbol].operated
        reject_if(not operated, "1865.not_operated_yet", "1865/6.1-a", symbol)
    other = president_of(game, company) != president_of(game, target)
    reject_if(other, "1865.other_president", "1865/6-c", target)
    reject_if(not _are_connected(game, data, company, target), "1865.not_joined", "1865/6.1-b", target)
    indebted = loans_possible(game, data, company, target) < 0
    reject_if(indebted, "1865.without_means", "1865/6.2-c", target)
    missing = total_cost(game, data, target) - means_of(game, data, company, target)
    reject_if(missing > 0, "1865.without_means", "1865/6.1-c", str(missing))


def _are_connected(game: Game, data: TitleData, company: str, target: str) -> bool:
    """Whether they have tokens in one city, or in two that a direct route joins (6.1-b)."""
    ours, theirs = (token_cities(map_of(game).tokens, symbol) for symbol in (company, target))
    return not set(ours).isdisjoint(theirs) or are_joined(game, data, ours, theirs)


def _check(game: Game, context: Context, player: str, command: Absorb) -> None:
    data, company, target = context.data, command.company, command.target
    check_pair(game, data, company, target)
    check_replacing(data, tokens_of(game, data, company, target), command.replaced, command.abandoned)


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    """The company at turn absorbs another one, or is absorbed, in every way in which tokens can be replaced."""
    data, actor = context.data, game.actor
    for other in railway_cards(data):
        for company, target in ((actor, other), (other, actor)):
            if _may_pair(game, data, company, target):
                tokens = tokens_of(game, data, company, target)
                for replaced, abandoned in ways_of_replacing(data, tokens):
                    cost = total_cost(game, data, target)
                    yield Choice(player, Absorb(company, target, replaced, abandoned), cost=cost)


def _may_pair(game: Game, data: TitleData, company: str, target: str) -> bool:
    try:
        check_pair(game, data, company, target)
    except Rejected:
        return False
    return True


def _absorb(draft: Draft, context: Context, player: str, command: Absorb) -> None:
    """Pay the shareholders, take over everything, replace tokens, and lay the target out to be launched anew."""
    data, company, target = context.data, command.company, command.target
    draft.emit(CompanyAbsorbed(target, company, price_with_premium(draft.game, data, target)))
    pay_shareholders(draft, data, company, target)
    _take_over(draft, company, target)
    _replace_tokens(draft, data, command)
    _join_ports(draft, data, company)
    _lay_out(draft, data, target, company)
    discard_trains(draft, data, company)
    follow_prices(draft, data)
    if company == draft.game.actor:
        draft.emit(ActionTaken(ABSORBED))
        if plays(draft.game, "after_absorbing", "turn_over"):
            draft.emit(ActionTaken(TURN_OVER))


def _take_over(draft: Draft, company: str, target: str) -> None:
    """Traffic, trains and sea companies pass to the absorber (6.3-a)."""
    traffic = traffic_of(draft.game, target)
    give_traffic(draft, target, -traffic, "absorbed", company)
    give_traffic(draft, company, traffic, "absorbed", target)
    for train in owned_by(draft.game, target):
        draft.emit(TrainMoved(train, target, company, "1865.absorbed"))
    for name in maritime_of(draft.game, target):
        draft.emit(MaritimeTaken(name, company))


def _replace_tokens(draft: Draft, data: TitleData, command: Absorb) -> None:
    """Mines are given up first; then each token of the target gives way to one of the absorber, to 50 where it has one there,
    or to nothing (6.3-b, 6.3-c, 6.3-d, 6.3-f)."""
    company, target = command.company, command.target
    for hex_id, city in token_cities(map_of(draft.game).tokens, company):
        if hex_id in command.abandoned:
            _take_off(draft, company, hex_id, city, "", "1865.abandoned")
    tokens = len(unplaced_tokens(draft.game, company)) + len(command.abandoned) - len(command.replaced)
    for hex_id, city in token_cities(map_of(draft.game).tokens, target):
        shared = company in map_of(draft.game).tokens[hex_id, city]
        successor = company if hex_id in command.replaced else ""
        _take_off(draft, target, hex_id, city, successor, "1865.absorbed")
        if shared:
            draft.pay(BANK, company, figures_of(data).synergy, "1865.synergy", hex_id)
    set_charter(draft, company, tokens)


def _take_off(draft: Draft, company: str, hex_id: str, city: int, successor: str, reason: str) -> None:
    slot = map_of(draft.game).tokens[hex_id, city].index(company)
    draft.emit(TokenReplaced(company, hex_id, city, slot, successor, reason))


def _join_ports(draft: Draft, data: TitleData, company: str) -> None:
    """A port where the absorber now has both sea company and token brings its traffic, or by ruling never does (3-j)."""
    if plays(draft.game, "port_in_absorption", "brings_traffic"):
        use_ports(draft, data, company)
        return
    hexes = {hex_id for hex_id, _ in token_cities(map_of(draft.game).tokens, company)}
    for name in maritime_of(draft.game, company):
        if name not in own(draft.game).ports and not hexes.isdisjoint(maritime_cards(data)[name].ports):
            draft.emit(PortUsed(name, company))


def _lay_out(draft: Draft, data: TitleData, target: str, absorber: str) -> None:
    """The target is a major that nobody has launched, without home (6.3-g)."""
    draft.emit(CompanyReset(target, absorber))
    draft.emit(PriceRemoved(target))
    draft.emit(TableRowLeft(target))
    draft.emit(CharterTokensSet(target, railway_cards(data)[target].tokens))
    make_major(draft, data, target)


ABSORB = railway_step("absorb", {Absorb: Action(_check, _absorb, _candidates)})
