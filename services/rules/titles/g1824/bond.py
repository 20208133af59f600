"""The regional without director of two players: it pays its share price in every operating round (1824/X.4-d to X.4-n).

Its shares are bought and sold like bonds, so it is called the bond company here."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Pass
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import InterruptRaised, InterruptSettled
from services.rules.kernel.game import Game, Interrupt
from services.rules.kernel.questions import player_asked
from services.rules.kernel.rejections import Rejected, reject_if
from services.rules.kernel.title import Action, Context, Step
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turnstep import TurnStep
from services.rules.kernel.values import kind_name
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.map.board import city_slots, face
from services.rules.parts.map.commands import PlaceToken
from services.rules.parts.map.data import map_data
from services.rules.parts.map.events import CharterTokensSet
from services.rules.parts.map.placing import check_city, check_hex_is_new, check_slot, place_next_token
from services.rules.parts.map.state import map_of, unplaced_tokens
from services.rules.parts.market.data import chart_of
from services.rules.parts.market.market import price_of, shift
from services.rules.parts.shares.events import CompanyOpened
from services.rules.parts.shares.shares import holders, move_certificates
from services.rules.parts.shares.state import companies_of
from services.rules.parts.shares.trading import set_par
from services.rules.parts.trains.data import phases_of
from services.rules.parts.trains.depot import next_copy, next_normal
from services.rules.titles.g1824.building import TOKEN_CLAUSES
from services.rules.titles.g1824.events import BondCompanyBegun, CertificatesReserved, TokenTrainChanged
from services.rules.titles.g1824.figures import ConstructionTerms, figures_of
from services.rules.titles.g1824.homes import check_not_kept, first_free_slot, place_home_token
from services.rules.titles.g1824.rulings import plays
from services.rules.titles.g1824.state import State, bond_of

PLACE_BOND_TOKEN = "1824.place_bond_token"


def begin_bond_company(draft: Draft, data: TitleData, terms: ConstructionTerms, symbol: str) -> None:
    """All its certificates are in the pool at once, at a fixed price, and its base token is on the map (X.4-d, e, k)."""
    row, column = terms.bond_cell
    draft.emit(BondCompanyBegun(symbol))
    draft.emit(TokenTrainChanged(terms.token_trains[0]))
    draft.emit(CertificatesReserved(symbol, ()))
    move_certificates(draft, symbol, draft.game.held(BANK, symbol), BANK, POOL, "issued")
    set_par(draft, symbol, chart_of(data).rows[row][column], terms.bond_cell)
    draft.emit(CompanyOpened(symbol))
    draft.emit(CharterTokensSet(symbol, terms.bond_tokens))
    if plays(draft.game, "bond_home_token", "at_start"):
        place_home_token(draft, data, symbol)


def _pay_income(draft: Draft, context: Context) -> None:
    """The share price is divided among all shares; a holder's amount is rounded by ruling. The marker moves as after a
    dividend (X.4-g)."""
    data, symbol = context.data, draft.game.actor
    price, shares = price_of(draft.game, data, symbol), companies_of(draft.game)[symbol].shares
    rounds_up = plays(draft.game, "bond_income_rounding", "up")
    for player, held in holders(draft.game, data, symbol).items():
        amount = -(-price * held // shares) if rounds_up else price * held // shares
        draft.pay(BANK, player, amount, "1824.bond_income", symbol)
    shift(draft, data, symbol, chart_of(data).moves.dividend, "dividend")


def _is_never_asked(game: Game, context: Context) -> bool:
    return False


PAY_BOND = TurnStep(Step("pay_bond", {}, lambda game, context: ()), _is_never_asked, begin=_pay_income)


def note_train_gone(draft: Draft, data: TitleData, train: str, buyer: str) -> None:
    """A train left the depot for `buyer`, or abroad when that is empty: the last one of its kind may bring the bond company
    a token (X.4-l), or leave that to the next kind (X.4-m)."""
    kind, terms = kind_name(train), figures_of(data).construction
    if terms is None or kind != State.of(draft.game).token_train or next_copy(draft.game, data, kind):
        return
    later = terms.token_trains[terms.token_trains.index(kind) + 1 :]
    if not buyer and not later and _used_trains_count(draft.game):
        return
    draft.emit(TokenTrainChanged("" if buyer or not later else later[0]))
    if buyer:
        _ask_for_token(draft, data, buyer, "")


def note_used_train(draft: Draft, data: TitleData, train: str, buyer: str) -> None:
    """By ruling, a used train brings the token that is still to come, while the bank sells the type after it."""
    game, terms, kind = draft.game, figures_of(data).construction, kind_name(train)
    if terms is None or kind not in terms.token_trains or not State.of(game).token_train:
        return
    types = list(phases_of(data))
    bank_sells_the_next = kind_name(next_normal(game, data)) == types[types.index(kind) + 1]
    if bank_sells_the_next and _used_trains_count(game):
        draft.emit(TokenTrainChanged(""))
        _ask_for_token(draft, data, buyer, "")


def _used_trains_count(game: Game) -> bool:
    return plays(game, "bond_token_by_used_train", "yes")


def raise_token_in_wien(draft: Draft, data: TitleData) -> None:
    """Wien has turned brown: the bond company gets a token there at once (X.4-n), where the director of the company at turn
    wants it."""
    game, terms = draft.game, figures_of(data).construction
    if terms is None or not bond_of(game) or game.current_round.kind != "operating" or not game.actor:
        return
    asked = any(waiting.kind == PLACE_BOND_TOKEN and waiting.subject for waiting in game.interrupts)
    if not asked and face(data, map_of(game).tiles, terms.token_hex).colour == terms.token_colour:
        _ask_for_token(draft, data, game.actor, terms.token_hex)


def _ask_for_token(draft: Draft, data: TitleData, company: str, hex_id: str) -> None:
    """Ask the director of `company` where the token goes, if there is any place for it."""
    asked = companies_of(draft.game)[company].director
    if any(_places(draft.game, data, hex_id)):
        draft.emit(InterruptRaised(PLACE_BOND_TOKEN, asked, company, hex_id))


def _places(game: Game, data: TitleData, hex_id: str) -> Iterator[PlaceToken]:
    """The cities with room for the token: of one hex when that is named."""
    for at in (hex_id,) if hex_id else map_data(data).hexes:
        for city in range(len(face(data, map_of(game).tiles, at).stops)):
            command = PlaceToken(bond_of(game), at, city)
            if _is_possible(game, data, command):
                yield command


def _is_possible(game: Game, data: TitleData, command: PlaceToken) -> bool:
    try:
        _check_place(game, data, command)
    except Rejected:
        return False
    return True


def _check_place(game: Game, data: TitleData, command: PlaceToken) -> None:
    check_city(game, data, command)
    reject_if(not unplaced_tokens(game, command.company), "no_token_left", "1824/X.4-l")
    check_hex_is_new(game, command, TOKEN_CLAUSES)
    check_not_kept(game, data, command, check_slot(game, data, command, TOKEN_CLAUSES.slot_taken))


def _check(game: Game, context: Context, player: str, command: PlaceToken) -> None:
    wanted = game.interrupts[0].subject
    reject_if(command.company != bond_of(game), "not_your_turn", "1824/X.4-l", command.company)
    reject_if(bool(wanted) and command.hex != wanted, "token_choice", "1824/X.4-n", command.hex)
    _check_place(game, context.data, command)


def _perform(draft: Draft, context: Context, player: str, command: PlaceToken) -> None:
    game, data, city = draft.game, context.data, (command.hex, command.city)
    question = game.interrupts[0]
    draft.emit(InterruptSettled(PLACE_BOND_TOKEN, question.company))
    slots = city_slots(data, map_of(game).tiles, map_of(game).tokens, city)
    slot = command.slot if command.slot >= 0 else first_free_slot(game, data, command, slots)
    place_next_token(draft, command.company, city, slot, len(slots), "1824.granted")
    if _was_that_of_wien(game, data, question, command.hex):
        _ask_for_token(draft, data, question.company, "")


def _was_that_of_wien(game: Game, data: TitleData, question: Interrupt, hex_id: str) -> bool:
    """Whether by ruling the token just placed for a train was the one for Wien, so that the one for the train is due."""
    terms = figures_of(data).construction
    in_wien = terms is not None and not question.subject and hex_id == terms.token_hex
    return in_wien and plays(game, "bond_token_in_wien", "is_that_of_wien")


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    for command in _places(game, context.data, game.interrupts[0].subject):
        yield Choice(player, command)


def _check_pass(game: Game, context: Context, player: str, command: Pass) -> None:
    in_wien = bool(game.interrupts[0].subject)
    reject_if(in_wien, "may_not_pass", "1824/X.4-n")
    reject_if(plays(game, "bond_tokens_placed", "always"), "may_not_pass", "1824/X.4-l")


def _perform_pass(draft: Draft, context: Context, player: str, command: Pass) -> None:
    draft.emit(InterruptSettled(PLACE_BOND_TOKEN, draft.game.interrupts[0].company))


def _pass_candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    yield Choice(player, Pass())


TOKEN_STEP = Step(
    "place_bond_token",
    {
        PlaceToken: Action(_check, _perform, _candidates),
        Pass: Action(_check_pass, _perform_pass, _pass_candidates),
    },
    player_asked,
)
