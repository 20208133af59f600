"""How play flows: opening auctions; then turns of three company rounds, dividends, mergers and auctions, until the end
(overview-c, end-a)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import GameEnded, GameEndTriggered
from services.rules.kernel.flow import Flow
from services.rules.kernel.game import Game
from services.rules.kernel.scoring import ranked
from services.rules.kernel.title import Context
from services.rules.kernel.titledata import TitleData
from services.rules.parts.market.events import PriceRemoved
from services.rules.parts.market.market import price_at, price_of, shift
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.worth import worth_of_shares
from services.rules.titles.rotw import auctions, companyrounds, dividends, merging
from services.rules.titles.rotw.events import GameTurnBegan
from services.rules.titles.rotw.figures import figures_of
from services.rules.titles.rotw.financing import bonds_of
from services.rules.titles.rotw.state import BUILD, DELIVER, own

CITIES_EMPTIED = "rotw.cities_emptied"
NOTHING_DONE = "rotw.nothing_done"


def player_value(game: Game, data: TitleData, player: str) -> int:
    """Cash, and shares at their values, which each bond that is not repaid lowers, however the game ends (end-d, end-e)."""
    return game.money(player) + worth_of_shares(game, data, player, _settled_price)


def _settled_price(game: Game, data: TitleData, company: str) -> int:
    """The value of a share less its company's bonds. At an end by the rules the markers have been moved already."""
    are_settled = game.finished and game.ending in (CITIES_EMPTIED, NOTHING_DONE)
    cell = market_of(game).markers.get(company)
    if are_settled or cell is None:
        return price_of(game, data, company)
    row, column = cell
    bonds = bonds_of(game, data, company)
    return 0 if bonds > column else price_at(data, (row, column - bonds))


def _begin_turn(draft: Draft, context: Context, turn: int, idle_turns: int) -> None:
    draft.emit(GameTurnBegan(turn, idle_turns))
    companyrounds.start_round(draft, context, turn, 1)


def _start_next_round(draft: Draft, context: Context) -> None:
    """The round after the one that ended, or the end."""
    current = draft.game.current_round
    if current.kind == auctions.OPENING:
        _begin_turn(draft, context, current.turn, 0)
    elif current.kind == companyrounds.COMPANIES and current.number < current.count:
        companyrounds.start_round(draft, context, current.turn, current.number + 1)
    elif current.kind == companyrounds.COMPANIES:
        dividends.start_round(draft, context, current.turn)
    elif current.kind == dividends.DIVIDENDS:
        merging.start_round(draft, context, current.turn)
    elif current.kind == merging.MERGERS:
        auctions.start_round(draft, auctions.NEW_SHARES, current.turn)
    else:
        _end_turn(draft, context)


def _end_turn(draft: Draft, context: Context) -> None:
    """The game ends with the turn in which enough cities were emptied (end-a), or when nothing is done for long: no rule says
    so, but nothing else would end it then."""
    game, data = draft.game, context.data
    done = any({BUILD, DELIVER} & set(actions) for actions in own(game).actions.values())
    idle_turns = 0 if done else own(game).idle_turns + 1
    scores = ranked(game, data, player_value)
    if game.ending:
        _settle_bonds(draft, data)
        draft.emit(GameEnded(game.ending, scores))
    elif idle_turns >= figures_of(data).idle_turns:
        _settle_bonds(draft, data)
        draft.emit(GameEnded(NOTHING_DONE, scores))
    else:
        _begin_turn(draft, context, game.current_round.turn + 1, idle_turns)


def _settle_bonds(draft: Draft, data: TitleData) -> None:
    """Each bond that is not repaid lowers its company's share value (end-d, bonds-g)."""
    for company in cards_of(data):
        bonds = bonds_of(draft.game, data, company)
        if bonds > market_of(draft.game).markers[company][1]:
            # Nothing is left of the value: the marker leaves the track.
            draft.emit(PriceRemoved(company))
        elif bonds:
            move = figures_of(data).outstanding_bond
            shift(draft, data, company, move, "rotw.outstanding_bonds", bonds)


def _notice(draft: Draft, context: Context) -> None:
    """The cities that are empty are as many as the table agreed on (end-a to -c)."""
    game = draft.game
    if not game.ending and len(own(game).emptied) >= figures_of(context.data).empty_cities:
        current = game.current_round
        draft.emit(GameEndTriggered(CITIES_EMPTIED, current.turn, current.number))


def _closes_turn(game: Game) -> bool:
    return game.current_round.kind == auctions.NEW_SHARES


FLOW = Flow(
    rounds={
        auctions.OPENING: auctions.ROUND,
        companyrounds.COMPANIES: companyrounds.ROUND,
        dividends.DIVIDENDS: dividends.ROUND,
        merging.MERGERS: merging.ROUND,
        auctions.NEW_SHARES: auctions.ROUND,
    },
    questions={},
    start_next=_start_next_round,
    player_value=player_value,
    closes_turn=_closes_turn,
    notice=_notice,
)
