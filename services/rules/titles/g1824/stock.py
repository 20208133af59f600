"""Stock rounds of 1824: whose turn it is, when a turn and the round end, and what the end brings (VI.1 to VI.3)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Pass
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import DebtChanged, OrderChanged, PlayerActed, PlayerPassed, TurnStarted
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import Rejected, reject_if
from services.rules.kernel.title import Action, Context, Step
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turns import actor_alone, ask_in_turn, has_choice
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.events import CharterTokensSet
from services.rules.parts.market.data import chart_of
from services.rules.parts.market.market import operating_order, shift
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from services.rules.parts.shares.state import companies_of, stock_turn
from services.rules.parts.shares.stockround import end_stock_round, end_turn_action, unless_selling
from services.rules.titles.g1824.buying import BUY_CERTIFICATE, BUY_COMPANY, START_COMPANY
from services.rules.titles.g1824.commands import BuyCompany, ExchangeCompany, RepayDebt
from services.rules.titles.g1824.companies import (
    COAL,
    MAJORS,
    PRE_STATE,
    PRIVATES,
    in_play,
    is_sold_out,
    of_kind,
    shares_released,
)
from services.rules.titles.g1824.events import CertificatesReserved
from services.rules.titles.g1824.exchanges import EXCHANGE_BY_CHOICE, close_private
from services.rules.titles.g1824.figures import cards_of, figures_of
from services.rules.titles.g1824.rulings import plays
from services.rules.titles.g1824.selling import SELL, must_sell
from services.rules.titles.g1824.state import reserved_of

INITIAL_STOCK_TURN = "initial_stock_turn"
STOCK_TURN = "stock_turn"
SELL_FIRST = "1824/VI.7-c"


def _has_to_sell(game: Game, context: Context, player: str) -> bool:
    """Over his certificate limit a player sells first, if he can (VI.7-c)."""
    sale = _step(game).actions[SellCertificates]
    return must_sell(game, context, player) and sale.is_open(game, context, player)


def _sells_before_exchange(game: Game, context: Context, player: str) -> bool:
    """The same before an exchange; by ruling a coal company, which is worth as many certificates as it brings, may go first."""
    free = plays(game, "coal_exchange_over_limit", "allowed")
    return not free and _has_to_sell(game, context, player)


def _check_repay(game: Game, context: Context, player: str, command: RepayDebt) -> None:
    owed = game.debts.get(player, 0)
    reject_if(command.amount <= 0, "value_out_of_range", detail=f"amount = {command.amount}")
    reject_if(command.amount > owed, "1824.no_debt", "1824/VII.12-g", str(owed))
    reject_if(command.amount > game.money(player), "not_enough_cash", "1824/VII.12-g")


def _perform_repay(draft: Draft, context: Context, player: str, command: RepayDebt) -> None:
    draft.pay(player, BANK, command.amount, "1824.loan_repaid")
    draft.emit(DebtChanged(player, -command.amount, "repaid"))
    if plays(draft.game, "debt_repayment", "action"):
        draft.emit(PlayerActed(player))


def _check_no_sale(game: Game, context: Context, player: str, command: SellCertificates) -> None:
    raise Rejected("sales_forbidden", "1824/VI.3-d")


def _no_sale(game: Game, context: Context, player: str) -> Iterator[Choice]:
    yield from ()


def _repay_candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    most = min(game.debts.get(player, 0), game.money(player))
    if most > 0:
        yield Choice(player, RepayDebt(most), "amount", 1, most)


def _end_turn(draft: Draft, player: str) -> None:
    """Close the player's turn and hand over; the first lap of the initial round runs backwards (VI.3-c)."""
    if not draft.game.turn.acted:
        draft.emit(PlayerPassed(player))
    current = draft.game.current_round
    if _all_passed(draft.game):
        return
    position = (current.position + 1) % len(current.order)
    if current.kind == "1824.initial_stock" and position == 0 and current.order != draft.game.players:
        draft.emit(OrderChanged(draft.game.players))
    draft.emit(TurnStarted(position))


def _until_bought(action: Action) -> Action:
    """The same action, with no candidates once the player has bought, when its check refuses all of them (VI.1-c)."""

    def candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
        if not stock_turn(game).bought:
            yield from action.candidates(game, context, player)

    return Action(action.check, action.perform, candidates)


INITIAL_STEP = Step(
    INITIAL_STOCK_TURN,
    {
        BuyCompany: _until_bought(BUY_COMPANY),
        BuyCertificate: _until_bought(BUY_CERTIFICATE),
        StartCompany: _until_bought(START_COMPANY),
        SellCertificates: Action(_check_no_sale, SELL.perform, _no_sale),
        Pass: end_turn_action(_has_to_sell, SELL_FIRST, _end_turn),
    },
    actor_alone,
)
STOCK_STEP = Step(
    STOCK_TURN,
    {
        SellCertificates: _until_bought(SELL),
        BuyCertificate: _until_bought(unless_selling(BUY_CERTIFICATE, _has_to_sell, SELL_FIRST)),
        StartCompany: _until_bought(unless_selling(START_COMPANY, _has_to_sell, SELL_FIRST)),
        ExchangeCompany: _until_bought(
            unless_selling(EXCHANGE_BY_CHOICE, _sells_before_exchange, SELL_FIRST)
        ),
        RepayDebt: Action(_check_repay, _perform_repay, _repay_candidates),
        Pass: end_turn_action(_has_to_sell, SELL_FIRST, _end_turn),
    },
    actor_alone,
)


def _step(game: Game) -> Step:
    return INITIAL_STEP if game.current_round.kind == "1824.initial_stock" else STOCK_STEP


def _all_passed(game: Game) -> bool:
    """Whether all players passed in succession; in the initial round this differs by ruling, for its first lap may let
    two turns follow each other in which others do not act (VI.2-b)."""
    current = game.current_round
    once = plays(game, "passes_in_initial_round", "once")
    return len(current.passed if once else current.passed_in_succession) == len(game.players)


def advance_turn(draft: Draft, context: Context) -> bool:
    """Carry the round on; true when a player has to decide, false when the round is over."""
    return ask_in_turn(draft, context, _step(draft.game).name, is_asked, _end_turn, _all_passed)


def is_asked(game: Game, context: Context, player: str) -> bool:
    """Whether the player has anything to decide; under ruling `asked` also while a coal company, whose price is free, is
    unsold."""
    if has_choice(_step(game), game, context, player):
        return True
    if (
        game.current_round.kind != "1824.initial_stock"
        or stock_turn(game).bought
        or plays(game, "idle_turns", "skipped")
    ):
        return False
    coal = of_kind(context.data, COAL)
    return any(in_play(game, symbol) and not companies_of(game)[symbol].bought for symbol in coal)


def end_round(draft: Draft, context: Context) -> None:
    """Sold-out companies rise, debts grow, unsold private companies go, the priority card moves on."""
    data, game = context.data, draft.game
    priced = [symbol for symbol in of_kind(data, *MAJORS) if symbol in market_of(game).markers]
    for symbol in operating_order(game, data, priced):
        if is_sold_out(draft.game, data, symbol):
            shift(draft, data, symbol, chart_of(data).moves.sold_out, "1824.sold_out")
    interest = figures_of(data).interest_percent_per_stock_round
    for player, debt in list(draft.game.debts.items()):
        draft.emit(DebtChanged(player, percent_up(debt, interest), "1824.interest"))
    if game.current_round.kind == "1824.initial_stock":
        _remove_unsold(draft, data)
    end_stock_round(draft)


def percent_up(amount: int, percent: int) -> int:
    """`percent` of `amount`, rounded up (VII.12-e)."""
    return -(-amount * percent // 100)


def _remove_unsold(draft: Draft, data: TitleData) -> None:
    """Private companies nobody bought leave the game; what was kept for them is released (VI.3-e, IV.2-u, VI.3-f)."""
    for symbol in of_kind(data, *PRIVATES):
        if in_play(draft.game, symbol) and not companies_of(draft.game)[symbol].bought:
            exchange = cards_of(data)[symbol].exchange
            target = exchange.company if exchange else None
            close_private(draft, data, symbol, BANK)
            if target:
                _release(draft, data, symbol, target)
                shares_released(draft, data, target)


def _release(draft: Draft, data: TitleData, symbol: str, target: str) -> None:
    kind = cards_of(data)[symbol].kind
    reserved = reserved_of(draft.game, target)
    if kind == COAL:
        draft.emit(CertificatesReserved(target, ()))
        return
    if kind == PRE_STATE:
        sizes = cards_of(data)[target].certificates
        exchange = cards_of(data)[symbol].exchange
        shares = exchange.shares if exchange else 0
        released = next(number for number in reserved if sizes[number] == shares)
        left = tuple(number for number in reserved if number != released)
        draft.emit(CertificatesReserved(target, left))
        taken_over = sum(1 for linked in cards_of(data)[target].linked if in_play(draft.game, linked))
        draft.emit(CharterTokensSet(target, cards_of(data)[target].tokens[taken_over:]))
