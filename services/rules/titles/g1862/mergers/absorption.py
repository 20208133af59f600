"""After a merger's exchange of shares: the survivor takes over what the absorbed company had (1862/7.5.6, 7.5.7)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import ActionTaken, InterruptRaised, OrderChanged
from services.rules.kernel.game import Game
from services.rules.kernel.title import Context
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import CityId, token_cities
from services.rules.parts.map.events import CharterTokensSet, TokenReplaced
from services.rules.parts.map.state import map_of, unplaced_tokens
from services.rules.parts.map.ways import stop_id
from services.rules.parts.shares.shares import move_certificates
from services.rules.parts.trains.events import TrainMoved
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1862.companies import LONDON, decider
from services.rules.titles.g1862.events import CharterSideSet, ExchangeEnded, LicencesSet
from services.rules.titles.g1862.mergers.holderexchange import under_way
from services.rules.titles.g1862.mergers.restarting import restart
from services.rules.titles.g1862.operating.homes import home_place
from services.rules.titles.g1862.operating.london import terminals
from services.rules.titles.g1862.rulings import plays
from services.rules.titles.g1862.state import ServiceKind, charter_of
from services.rules.titles.g1862.stock.quotation import most_tokens


def absorb(draft: Draft, context: Context) -> None:
    """Hand over shares, cash, trains, licences and tokens; asks for tokens above the limit, else ends the merger."""
    exchange = under_way(draft.game)
    survivor, absorbed = exchange.company, exchange.other
    _move_assets(draft, survivor, absorbed)
    _turn_charter(draft, survivor, absorbed)
    rests = _change_order(draft, survivor, absorbed)
    draft.emit(ActionTaken("merged" if exchange.kind == "merger" else "acquired"))
    if rests:
        draft.emit(ActionTaken("turn_over"))
    _remove_double_tokens(draft, context.data, survivor, absorbed)
    if tokens_in_excess(draft.game, context.data):
        player = decider(draft.game, context.data, survivor) or exchange.player
        draft.emit(InterruptRaised("1862.remove_token", player, survivor, absorbed))
    else:
        finish(draft, context.data)


def _move_assets(draft: Draft, survivor: str, absorbed: str) -> None:
    """The joint treasury is the survivor's, as are cash and trains of both (1862/7.5.6-a) and all licences (7.5.6-f); the
    absorbed company has the one it began with (1862/7.5.7-c)."""
    game = draft.game
    move_certificates(draft, survivor, game.held(absorbed, survivor), absorbed, survivor, "1862.merged")
    draft.pay(absorbed, survivor, game.money(absorbed), "treasury_transferred", absorbed)
    for train in trains_of(game).owned.get(absorbed, ()):
        draft.emit(TrainMoved(train, absorbed, survivor, "transferred"))
    licences = (*charter_of(game, survivor).licences, *charter_of(game, absorbed).licences)
    draft.emit(LicencesSet(survivor, tuple(dict.fromkeys(licences))))
    draft.emit(LicencesSet(absorbed, _first_licence(game, absorbed)))


def _first_licence(game: Game, symbol: str) -> tuple[ServiceKind, ...]:
    licence = charter_of(game, symbol).licence
    return (licence,) if licence else ()


def _turn_charter(draft: Draft, survivor: str, absorbed: str) -> None:
    """Both charters lie on their non-chartered side from now on (1862/3.1-b, 7.5.6-g)."""
    chartered = [symbol for symbol in (survivor, absorbed) if charter_of(draft.game, symbol).chartered]
    both_stay = len(chartered) == 2 and plays(draft.game, "charter_after_merger", "chartered_if_both")
    for symbol in chartered:
        if symbol == absorbed or not both_stay:
            draft.emit(CharterSideSet(symbol, chartered=False))


def _change_order(draft: Draft, survivor: str, absorbed: str) -> bool:
    """The survivor stands where the company at turn stood, and nowhere later; whether it rests, because the other company
    has already operated in this round (1862/5.1.1-b, 5.1.1-c)."""
    current = draft.game.current_round
    here = current.position
    other = absorbed if current.order[here] == survivor else survivor
    later = tuple(symbol for symbol in current.order[here + 1 :] if symbol != other)
    order = (*current.order[:here], survivor, *later)
    if order != current.order:
        draft.emit(OrderChanged(order))
    return other in current.order[:here]


def location_of(data: TitleData, city: CityId) -> str:
    """The place a token stands in: London is one, every other city is by itself."""
    return LONDON if city in terminals(data) else stop_id(city)


def _remove_double_tokens(draft: Draft, data: TitleData, survivor: str, absorbed: str) -> None:
    """Where both have a token one is lost for good (1862/7.5.6-c)."""
    taken = {location_of(data, city) for city in token_cities(map_of(draft.game).tokens, survivor)}
    for city in token_cities(map_of(draft.game).tokens, absorbed):
        if location_of(data, city) in taken:
            take_off(draft, absorbed, city)


def take_off(draft: Draft, symbol: str, city: CityId) -> None:
    """A token leaves the map and is not used again."""
    slot = map_of(draft.game).tokens[city].index(symbol)
    draft.emit(TokenReplaced(symbol, city[0], city[1], slot, "", "removed"))


def tokens_on_map(game: Game) -> tuple[tuple[str, CityId], ...]:
    """The tokens of both merging companies, the survivor's first."""
    exchange = under_way(game)
    return tuple(
        (symbol, city)
        for symbol in (exchange.company, exchange.other)
        for city in token_cities(map_of(game).tokens, symbol)
    )


def tokens_in_excess(game: Game, data: TitleData) -> int:
    """How many tokens of both have to leave the map (1862/7.5.6-e)."""
    return max(len(tokens_on_map(game)) - most_tokens(data), 0)


def removable_tokens(game: Game, data: TitleData) -> tuple[tuple[str, CityId], ...]:
    """The tokens the survivor's director may take off the map."""
    found = tokens_on_map(game)
    if plays(game, "survivor_home_token", "removable"):
        return found
    survivor = under_way(game).company
    home = home_place(game, data, survivor)[0]
    return tuple((symbol, city) for symbol, city in found if symbol != survivor or city[0] != home)


def finish(draft: Draft, data: TitleData) -> None:
    """Replace the absorbed company's tokens, fill the charter as far as the limit goes, and put the absorbed company back
    on offer (1862/7.5.6-b, 7.5.6-d, 7.5.7)."""
    exchange = under_way(draft.game)
    survivor, absorbed = exchange.company, exchange.other
    spare = len(unplaced_tokens(draft.game, survivor)) + len(unplaced_tokens(draft.game, absorbed))
    room = most_tokens(data) - len(tokens_on_map(draft.game))
    for hex_id, city in token_cities(map_of(draft.game).tokens, absorbed):
        slot = map_of(draft.game).tokens[hex_id, city].index(absorbed)
        draft.emit(TokenReplaced(absorbed, hex_id, city, slot, survivor, "inherited"))
    draft.emit(CharterTokensSet(survivor, (0,) * min(spare, room)))
    restart(draft, absorbed, survivor)
    draft.emit(ExchangeEnded(survivor))
