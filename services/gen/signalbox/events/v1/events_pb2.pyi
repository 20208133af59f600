from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class UndoPolicy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    UNDO_POLICY_UNSPECIFIED: _ClassVar[UndoPolicy]
    UNDO_POLICY_FREE: _ClassVar[UndoPolicy]
    UNDO_POLICY_OWN_TURN: _ClassVar[UndoPolicy]
    UNDO_POLICY_NONE: _ClassVar[UndoPolicy]

class MoneyReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MONEY_REASON_UNSPECIFIED: _ClassVar[MoneyReason]
    MONEY_REASON_STARTING_CASH: _ClassVar[MoneyReason]
    MONEY_REASON_CERTIFICATE_BOUGHT: _ClassVar[MoneyReason]
    MONEY_REASON_CERTIFICATE_SOLD: _ClassVar[MoneyReason]
    MONEY_REASON_COMPANY_BOUGHT: _ClassVar[MoneyReason]
    MONEY_REASON_CAPITAL_PAID_IN: _ClassVar[MoneyReason]
    MONEY_REASON_TILE_COST: _ClassVar[MoneyReason]
    MONEY_REASON_TOKEN_COST: _ClassVar[MoneyReason]
    MONEY_REASON_TRAIN_BOUGHT: _ClassVar[MoneyReason]
    MONEY_REASON_COMPANY_INCOME: _ClassVar[MoneyReason]
    MONEY_REASON_DIVIDEND: _ClassVar[MoneyReason]
    MONEY_REASON_REVENUE_WITHHELD: _ClassVar[MoneyReason]
    MONEY_REASON_MINE_INCOME: _ClassVar[MoneyReason]
    MONEY_REASON_EMERGENCY_CONTRIBUTION: _ClassVar[MoneyReason]
    MONEY_REASON_LOAN_TAKEN: _ClassVar[MoneyReason]
    MONEY_REASON_LOAN_REPAID: _ClassVar[MoneyReason]
    MONEY_REASON_TREASURY_TRANSFERRED: _ClassVar[MoneyReason]
    MONEY_REASON_CORRECTION: _ClassVar[MoneyReason]
    MONEY_REASON_AUCTION_WON: _ClassVar[MoneyReason]
    MONEY_REASON_FINE: _ClassVar[MoneyReason]
    MONEY_REASON_OPTION_REDEEMED: _ClassVar[MoneyReason]
    MONEY_REASON_OPTION_SOLD: _ClassVar[MoneyReason]
    MONEY_REASON_REFINANCING: _ClassVar[MoneyReason]
    MONEY_REASON_SUBSIDY: _ClassVar[MoneyReason]
    MONEY_REASON_HUDSON: _ClassVar[MoneyReason]
    MONEY_REASON_WARRANTY_BOUGHT: _ClassVar[MoneyReason]
    MONEY_REASON_SHARE_REDEEMED: _ClassVar[MoneyReason]
    MONEY_REASON_BANKRUPTCY_REFUND: _ClassVar[MoneyReason]
    MONEY_REASON_COMPANY_DISSOLVED: _ClassVar[MoneyReason]

class CertificateReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CERTIFICATE_REASON_UNSPECIFIED: _ClassVar[CertificateReason]
    CERTIFICATE_REASON_BOUGHT: _ClassVar[CertificateReason]
    CERTIFICATE_REASON_SOLD: _ClassVar[CertificateReason]
    CERTIFICATE_REASON_EXCHANGED: _ClassVar[CertificateReason]
    CERTIFICATE_REASON_DIRECTOR_SWAP: _ClassVar[CertificateReason]
    CERTIFICATE_REASON_REMOVED: _ClassVar[CertificateReason]
    CERTIFICATE_REASON_ISSUED: _ClassVar[CertificateReason]
    CERTIFICATE_REASON_REDEEMED: _ClassVar[CertificateReason]
    CERTIFICATE_REASON_MERGED: _ClassVar[CertificateReason]
    CERTIFICATE_REASON_RETURNED: _ClassVar[CertificateReason]

class PriceReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PRICE_REASON_UNSPECIFIED: _ClassVar[PriceReason]
    PRICE_REASON_STARTED: _ClassVar[PriceReason]
    PRICE_REASON_DIVIDEND: _ClassVar[PriceReason]
    PRICE_REASON_WITHHELD: _ClassVar[PriceReason]
    PRICE_REASON_SALE: _ClassVar[PriceReason]
    PRICE_REASON_SOLD_OUT: _ClassVar[PriceReason]
    PRICE_REASON_NO_DIRECTOR: _ClassVar[PriceReason]
    PRICE_REASON_MERGED: _ClassVar[PriceReason]

class TokenReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TOKEN_REASON_UNSPECIFIED: _ClassVar[TokenReason]
    TOKEN_REASON_HOME: _ClassVar[TokenReason]
    TOKEN_REASON_BOUGHT: _ClassVar[TokenReason]
    TOKEN_REASON_INHERITED: _ClassVar[TokenReason]
    TOKEN_REASON_BLOCKED: _ClassVar[TokenReason]
    TOKEN_REASON_RETURNED: _ClassVar[TokenReason]
    TOKEN_REASON_REMOVED: _ClassVar[TokenReason]
    TOKEN_REASON_DISPLACED: _ClassVar[TokenReason]

class TrainReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TRAIN_REASON_UNSPECIFIED: _ClassVar[TrainReason]
    TRAIN_REASON_BOUGHT: _ClassVar[TrainReason]
    TRAIN_REASON_TRANSFERRED: _ClassVar[TrainReason]
    TRAIN_REASON_TRADED_IN: _ClassVar[TrainReason]
    TRAIN_REASON_RUSTED: _ClassVar[TrainReason]
    TRAIN_REASON_EXPORTED: _ClassVar[TrainReason]
    TRAIN_REASON_DISCARDED: _ClassVar[TrainReason]
    TRAIN_REASON_REMOVED: _ClassVar[TrainReason]
    TRAIN_REASON_GRANTED: _ClassVar[TrainReason]

class RoundKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ROUND_KIND_UNSPECIFIED: _ClassVar[RoundKind]
    ROUND_KIND_INITIAL_STOCK: _ClassVar[RoundKind]
    ROUND_KIND_STOCK: _ClassVar[RoundKind]
    ROUND_KIND_OPERATING: _ClassVar[RoundKind]
    ROUND_KIND_PARLIAMENTARY: _ClassVar[RoundKind]

class DividendKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DIVIDEND_KIND_UNSPECIFIED: _ClassVar[DividendKind]
    DIVIDEND_KIND_PAY: _ClassVar[DividendKind]
    DIVIDEND_KIND_WITHHOLD: _ClassVar[DividendKind]
    DIVIDEND_KIND_HALF: _ClassVar[DividendKind]
    DIVIDEND_KIND_HUDSON: _ClassVar[DividendKind]

class DebtReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DEBT_REASON_UNSPECIFIED: _ClassVar[DebtReason]
    DEBT_REASON_LOAN: _ClassVar[DebtReason]
    DEBT_REASON_INTEREST: _ClassVar[DebtReason]
    DEBT_REASON_REPAID: _ClassVar[DebtReason]
    DEBT_REASON_FINE: _ClassVar[DebtReason]
    DEBT_REASON_FORGIVEN: _ClassVar[DebtReason]

class InterruptKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    INTERRUPT_KIND_UNSPECIFIED: _ClassVar[InterruptKind]
    INTERRUPT_KIND_DISCARD_TRAIN: _ClassVar[InterruptKind]
    INTERRUPT_KIND_EXCHANGE_COMPANY: _ClassVar[InterruptKind]
    INTERRUPT_KIND_CHOOSE_TOKEN: _ClassVar[InterruptKind]
    INTERRUPT_KIND_SELL_TRAIN: _ClassVar[InterruptKind]
    INTERRUPT_KIND_BUY_TOKENS: _ClassVar[InterruptKind]
    INTERRUPT_KIND_PAY_FINE: _ClassVar[InterruptKind]
    INTERRUPT_KIND_ANSWER_MERGER: _ClassVar[InterruptKind]
    INTERRUPT_KIND_CHOOSE_SURVIVOR: _ClassVar[InterruptKind]
    INTERRUPT_KIND_SETTLE_OPTION: _ClassVar[InterruptKind]
    INTERRUPT_KIND_REMOVE_TOKEN: _ClassVar[InterruptKind]

class ServiceKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SERVICE_KIND_UNSPECIFIED: _ClassVar[ServiceKind]
    SERVICE_KIND_FREIGHT: _ClassVar[ServiceKind]
    SERVICE_KIND_LOCAL: _ClassVar[ServiceKind]
    SERVICE_KIND_EXPRESS: _ClassVar[ServiceKind]

class ExchangeKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EXCHANGE_KIND_UNSPECIFIED: _ClassVar[ExchangeKind]
    EXCHANGE_KIND_MERGER: _ClassVar[ExchangeKind]
    EXCHANGE_KIND_ACQUISITION: _ClassVar[ExchangeKind]
    EXCHANGE_KIND_REFINANCING: _ClassVar[ExchangeKind]

class TurnAction(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TURN_ACTION_UNSPECIFIED: _ClassVar[TurnAction]
    TURN_ACTION_SMALL_STATION: _ClassVar[TurnAction]
    TURN_ACTION_MERGED: _ClassVar[TurnAction]
    TURN_ACTION_ACQUIRED: _ClassVar[TurnAction]
    TURN_ACTION_REDEEMED: _ClassVar[TurnAction]
    TURN_ACTION_SOLD_TREASURY_SHARES: _ClassVar[TurnAction]
    TURN_ACTION_REFINANCED: _ClassVar[TurnAction]
    TURN_ACTION_DECLINED_MERGER: _ClassVar[TurnAction]
    TURN_ACTION_HOME_UPGRADED: _ClassVar[TurnAction]
    TURN_ACTION_TURN_OVER: _ClassVar[TurnAction]
    TURN_ACTION_REDEEMING_MISSED: _ClassVar[TurnAction]

class CashSource(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CASH_SOURCE_UNSPECIFIED: _ClassVar[CashSource]
    CASH_SOURCE_TREASURY_SHARES: _ClassVar[CashSource]
    CASH_SOURCE_REFINANCING: _ClassVar[CashSource]
UNDO_POLICY_UNSPECIFIED: UndoPolicy
UNDO_POLICY_FREE: UndoPolicy
UNDO_POLICY_OWN_TURN: UndoPolicy
UNDO_POLICY_NONE: UndoPolicy
MONEY_REASON_UNSPECIFIED: MoneyReason
MONEY_REASON_STARTING_CASH: MoneyReason
MONEY_REASON_CERTIFICATE_BOUGHT: MoneyReason
MONEY_REASON_CERTIFICATE_SOLD: MoneyReason
MONEY_REASON_COMPANY_BOUGHT: MoneyReason
MONEY_REASON_CAPITAL_PAID_IN: MoneyReason
MONEY_REASON_TILE_COST: MoneyReason
MONEY_REASON_TOKEN_COST: MoneyReason
MONEY_REASON_TRAIN_BOUGHT: MoneyReason
MONEY_REASON_COMPANY_INCOME: MoneyReason
MONEY_REASON_DIVIDEND: MoneyReason
MONEY_REASON_REVENUE_WITHHELD: MoneyReason
MONEY_REASON_MINE_INCOME: MoneyReason
MONEY_REASON_EMERGENCY_CONTRIBUTION: MoneyReason
MONEY_REASON_LOAN_TAKEN: MoneyReason
MONEY_REASON_LOAN_REPAID: MoneyReason
MONEY_REASON_TREASURY_TRANSFERRED: MoneyReason
MONEY_REASON_CORRECTION: MoneyReason
MONEY_REASON_AUCTION_WON: MoneyReason
MONEY_REASON_FINE: MoneyReason
MONEY_REASON_OPTION_REDEEMED: MoneyReason
MONEY_REASON_OPTION_SOLD: MoneyReason
MONEY_REASON_REFINANCING: MoneyReason
MONEY_REASON_SUBSIDY: MoneyReason
MONEY_REASON_HUDSON: MoneyReason
MONEY_REASON_WARRANTY_BOUGHT: MoneyReason
MONEY_REASON_SHARE_REDEEMED: MoneyReason
MONEY_REASON_BANKRUPTCY_REFUND: MoneyReason
MONEY_REASON_COMPANY_DISSOLVED: MoneyReason
CERTIFICATE_REASON_UNSPECIFIED: CertificateReason
CERTIFICATE_REASON_BOUGHT: CertificateReason
CERTIFICATE_REASON_SOLD: CertificateReason
CERTIFICATE_REASON_EXCHANGED: CertificateReason
CERTIFICATE_REASON_DIRECTOR_SWAP: CertificateReason
CERTIFICATE_REASON_REMOVED: CertificateReason
CERTIFICATE_REASON_ISSUED: CertificateReason
CERTIFICATE_REASON_REDEEMED: CertificateReason
CERTIFICATE_REASON_MERGED: CertificateReason
CERTIFICATE_REASON_RETURNED: CertificateReason
PRICE_REASON_UNSPECIFIED: PriceReason
PRICE_REASON_STARTED: PriceReason
PRICE_REASON_DIVIDEND: PriceReason
PRICE_REASON_WITHHELD: PriceReason
PRICE_REASON_SALE: PriceReason
PRICE_REASON_SOLD_OUT: PriceReason
PRICE_REASON_NO_DIRECTOR: PriceReason
PRICE_REASON_MERGED: PriceReason
TOKEN_REASON_UNSPECIFIED: TokenReason
TOKEN_REASON_HOME: TokenReason
TOKEN_REASON_BOUGHT: TokenReason
TOKEN_REASON_INHERITED: TokenReason
TOKEN_REASON_BLOCKED: TokenReason
TOKEN_REASON_RETURNED: TokenReason
TOKEN_REASON_REMOVED: TokenReason
TOKEN_REASON_DISPLACED: TokenReason
TRAIN_REASON_UNSPECIFIED: TrainReason
TRAIN_REASON_BOUGHT: TrainReason
TRAIN_REASON_TRANSFERRED: TrainReason
TRAIN_REASON_TRADED_IN: TrainReason
TRAIN_REASON_RUSTED: TrainReason
TRAIN_REASON_EXPORTED: TrainReason
TRAIN_REASON_DISCARDED: TrainReason
TRAIN_REASON_REMOVED: TrainReason
TRAIN_REASON_GRANTED: TrainReason
ROUND_KIND_UNSPECIFIED: RoundKind
ROUND_KIND_INITIAL_STOCK: RoundKind
ROUND_KIND_STOCK: RoundKind
ROUND_KIND_OPERATING: RoundKind
ROUND_KIND_PARLIAMENTARY: RoundKind
DIVIDEND_KIND_UNSPECIFIED: DividendKind
DIVIDEND_KIND_PAY: DividendKind
DIVIDEND_KIND_WITHHOLD: DividendKind
DIVIDEND_KIND_HALF: DividendKind
DIVIDEND_KIND_HUDSON: DividendKind
DEBT_REASON_UNSPECIFIED: DebtReason
DEBT_REASON_LOAN: DebtReason
DEBT_REASON_INTEREST: DebtReason
DEBT_REASON_REPAID: DebtReason
DEBT_REASON_FINE: DebtReason
DEBT_REASON_FORGIVEN: DebtReason
INTERRUPT_KIND_UNSPECIFIED: InterruptKind
INTERRUPT_KIND_DISCARD_TRAIN: InterruptKind
INTERRUPT_KIND_EXCHANGE_COMPANY: InterruptKind
INTERRUPT_KIND_CHOOSE_TOKEN: InterruptKind
INTERRUPT_KIND_SELL_TRAIN: InterruptKind
INTERRUPT_KIND_BUY_TOKENS: InterruptKind
INTERRUPT_KIND_PAY_FINE: InterruptKind
INTERRUPT_KIND_ANSWER_MERGER: InterruptKind
INTERRUPT_KIND_CHOOSE_SURVIVOR: InterruptKind
INTERRUPT_KIND_SETTLE_OPTION: InterruptKind
INTERRUPT_KIND_REMOVE_TOKEN: InterruptKind
SERVICE_KIND_UNSPECIFIED: ServiceKind
SERVICE_KIND_FREIGHT: ServiceKind
SERVICE_KIND_LOCAL: ServiceKind
SERVICE_KIND_EXPRESS: ServiceKind
EXCHANGE_KIND_UNSPECIFIED: ExchangeKind
EXCHANGE_KIND_MERGER: ExchangeKind
EXCHANGE_KIND_ACQUISITION: ExchangeKind
EXCHANGE_KIND_REFINANCING: ExchangeKind
TURN_ACTION_UNSPECIFIED: TurnAction
TURN_ACTION_SMALL_STATION: TurnAction
TURN_ACTION_MERGED: TurnAction
TURN_ACTION_ACQUIRED: TurnAction
TURN_ACTION_REDEEMED: TurnAction
TURN_ACTION_SOLD_TREASURY_SHARES: TurnAction
TURN_ACTION_REFINANCED: TurnAction
TURN_ACTION_DECLINED_MERGER: TurnAction
TURN_ACTION_HOME_UPGRADED: TurnAction
TURN_ACTION_TURN_OVER: TurnAction
TURN_ACTION_REDEEMING_MISSED: TurnAction
CASH_SOURCE_UNSPECIFIED: CashSource
CASH_SOURCE_TREASURY_SHARES: CashSource
CASH_SOURCE_REFINANCING: CashSource

class GameEvent(_message.Message):
    __slots__ = ("game_id", "sequence", "schema_version", "request_id", "recorded_time_ms", "game_created", "cash_moved", "certificates_moved", "certificates_reserved", "company_bought", "price_started", "price_moved", "company_opened", "director_changed", "company_closed", "tile_laid", "tokens_arranged", "token_placed", "token_replaced", "charter_tokens_set", "train_moved", "phase_started", "round_started", "order_changed", "turn_started", "step_started", "player_passed", "turn_ended", "stock_turn_acted", "trains_ran", "revenue_corrected", "dividend_declared", "priority_moved", "debt_changed", "interrupt_raised", "interrupt_settled", "game_end_triggered", "game_ended", "undone", "round_ended", "step_passed", "company_offered", "licences_set", "charter_side_set", "ipo_marker_set", "price_removed", "company_reset", "auction_opened", "bid_made", "auction_passed", "auction_won", "auction_closed", "obligation_taken", "obligation_ended", "train_kind_chosen", "warranties_set", "action_taken", "exchange_started", "option_marked", "option_settled", "holder_settled", "exchange_ended", "monopoly_formed")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    SCHEMA_VERSION_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    RECORDED_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    GAME_CREATED_FIELD_NUMBER: _ClassVar[int]
    CASH_MOVED_FIELD_NUMBER: _ClassVar[int]
    CERTIFICATES_MOVED_FIELD_NUMBER: _ClassVar[int]
    CERTIFICATES_RESERVED_FIELD_NUMBER: _ClassVar[int]
    COMPANY_BOUGHT_FIELD_NUMBER: _ClassVar[int]
    PRICE_STARTED_FIELD_NUMBER: _ClassVar[int]
    PRICE_MOVED_FIELD_NUMBER: _ClassVar[int]
    COMPANY_OPENED_FIELD_NUMBER: _ClassVar[int]
    DIRECTOR_CHANGED_FIELD_NUMBER: _ClassVar[int]
    COMPANY_CLOSED_FIELD_NUMBER: _ClassVar[int]
    TILE_LAID_FIELD_NUMBER: _ClassVar[int]
    TOKENS_ARRANGED_FIELD_NUMBER: _ClassVar[int]
    TOKEN_PLACED_FIELD_NUMBER: _ClassVar[int]
    TOKEN_REPLACED_FIELD_NUMBER: _ClassVar[int]
    CHARTER_TOKENS_SET_FIELD_NUMBER: _ClassVar[int]
    TRAIN_MOVED_FIELD_NUMBER: _ClassVar[int]
    PHASE_STARTED_FIELD_NUMBER: _ClassVar[int]
    ROUND_STARTED_FIELD_NUMBER: _ClassVar[int]
    ORDER_CHANGED_FIELD_NUMBER: _ClassVar[int]
    TURN_STARTED_FIELD_NUMBER: _ClassVar[int]
    STEP_STARTED_FIELD_NUMBER: _ClassVar[int]
    PLAYER_PASSED_FIELD_NUMBER: _ClassVar[int]
    TURN_ENDED_FIELD_NUMBER: _ClassVar[int]
    STOCK_TURN_ACTED_FIELD_NUMBER: _ClassVar[int]
    TRAINS_RAN_FIELD_NUMBER: _ClassVar[int]
    REVENUE_CORRECTED_FIELD_NUMBER: _ClassVar[int]
    DIVIDEND_DECLARED_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_MOVED_FIELD_NUMBER: _ClassVar[int]
    DEBT_CHANGED_FIELD_NUMBER: _ClassVar[int]
    INTERRUPT_RAISED_FIELD_NUMBER: _ClassVar[int]
    INTERRUPT_SETTLED_FIELD_NUMBER: _ClassVar[int]
    GAME_END_TRIGGERED_FIELD_NUMBER: _ClassVar[int]
    GAME_ENDED_FIELD_NUMBER: _ClassVar[int]
    UNDONE_FIELD_NUMBER: _ClassVar[int]
    ROUND_ENDED_FIELD_NUMBER: _ClassVar[int]
    STEP_PASSED_FIELD_NUMBER: _ClassVar[int]
    COMPANY_OFFERED_FIELD_NUMBER: _ClassVar[int]
    LICENCES_SET_FIELD_NUMBER: _ClassVar[int]
    CHARTER_SIDE_SET_FIELD_NUMBER: _ClassVar[int]
    IPO_MARKER_SET_FIELD_NUMBER: _ClassVar[int]
    PRICE_REMOVED_FIELD_NUMBER: _ClassVar[int]
    COMPANY_RESET_FIELD_NUMBER: _ClassVar[int]
    AUCTION_OPENED_FIELD_NUMBER: _ClassVar[int]
    BID_MADE_FIELD_NUMBER: _ClassVar[int]
    AUCTION_PASSED_FIELD_NUMBER: _ClassVar[int]
    AUCTION_WON_FIELD_NUMBER: _ClassVar[int]
    AUCTION_CLOSED_FIELD_NUMBER: _ClassVar[int]
    OBLIGATION_TAKEN_FIELD_NUMBER: _ClassVar[int]
    OBLIGATION_ENDED_FIELD_NUMBER: _ClassVar[int]
    TRAIN_KIND_CHOSEN_FIELD_NUMBER: _ClassVar[int]
    WARRANTIES_SET_FIELD_NUMBER: _ClassVar[int]
    ACTION_TAKEN_FIELD_NUMBER: _ClassVar[int]
    EXCHANGE_STARTED_FIELD_NUMBER: _ClassVar[int]
    OPTION_MARKED_FIELD_NUMBER: _ClassVar[int]
    OPTION_SETTLED_FIELD_NUMBER: _ClassVar[int]
    HOLDER_SETTLED_FIELD_NUMBER: _ClassVar[int]
    EXCHANGE_ENDED_FIELD_NUMBER: _ClassVar[int]
    MONOPOLY_FORMED_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    sequence: int
    schema_version: int
    request_id: str
    recorded_time_ms: int
    game_created: GameCreated
    cash_moved: CashMoved
    certificates_moved: CertificatesMoved
    certificates_reserved: CertificatesReserved
    company_bought: CompanyBought
    price_started: PriceStarted
    price_moved: PriceMoved
    company_opened: CompanyOpened
    director_changed: DirectorChanged
    company_closed: CompanyClosed
    tile_laid: TileLaid
    tokens_arranged: TokensArranged
    token_placed: TokenPlaced
    token_replaced: TokenReplaced
    charter_tokens_set: CharterTokensSet
    train_moved: TrainMoved
    phase_started: PhaseStarted
    round_started: RoundStarted
    order_changed: OrderChanged
    turn_started: TurnStarted
    step_started: StepStarted
    player_passed: PlayerPassed
    turn_ended: TurnEnded
    stock_turn_acted: StockTurnActed
    trains_ran: TrainsRan
    revenue_corrected: RevenueCorrected
    dividend_declared: DividendDeclared
    priority_moved: PriorityMoved
    debt_changed: DebtChanged
    interrupt_raised: InterruptRaised
    interrupt_settled: InterruptSettled
    game_end_triggered: GameEndTriggered
    game_ended: GameEnded
    undone: Undone
    round_ended: RoundEnded
    step_passed: StepPassed
    company_offered: CompanyOffered
    licences_set: LicencesSet
    charter_side_set: CharterSideSet
    ipo_marker_set: IpoMarkerSet
    price_removed: PriceRemoved
    company_reset: CompanyReset
    auction_opened: AuctionOpened
    bid_made: BidMade
    auction_passed: AuctionPassed
    auction_won: AuctionWon
    auction_closed: AuctionClosed
    obligation_taken: ObligationTaken
    obligation_ended: ObligationEnded
    train_kind_chosen: TrainKindChosen
    warranties_set: WarrantiesSet
    action_taken: ActionTaken
    exchange_started: ExchangeStarted
    option_marked: OptionMarked
    option_settled: OptionSettled
    holder_settled: HolderSettled
    exchange_ended: ExchangeEnded
    monopoly_formed: MonopolyFormed
    def __init__(self, game_id: _Optional[str] = ..., sequence: _Optional[int] = ..., schema_version: _Optional[int] = ..., request_id: _Optional[str] = ..., recorded_time_ms: _Optional[int] = ..., game_created: _Optional[_Union[GameCreated, _Mapping]] = ..., cash_moved: _Optional[_Union[CashMoved, _Mapping]] = ..., certificates_moved: _Optional[_Union[CertificatesMoved, _Mapping]] = ..., certificates_reserved: _Optional[_Union[CertificatesReserved, _Mapping]] = ..., company_bought: _Optional[_Union[CompanyBought, _Mapping]] = ..., price_started: _Optional[_Union[PriceStarted, _Mapping]] = ..., price_moved: _Optional[_Union[PriceMoved, _Mapping]] = ..., company_opened: _Optional[_Union[CompanyOpened, _Mapping]] = ..., director_changed: _Optional[_Union[DirectorChanged, _Mapping]] = ..., company_closed: _Optional[_Union[CompanyClosed, _Mapping]] = ..., tile_laid: _Optional[_Union[TileLaid, _Mapping]] = ..., tokens_arranged: _Optional[_Union[TokensArranged, _Mapping]] = ..., token_placed: _Optional[_Union[TokenPlaced, _Mapping]] = ..., token_replaced: _Optional[_Union[TokenReplaced, _Mapping]] = ..., charter_tokens_set: _Optional[_Union[CharterTokensSet, _Mapping]] = ..., train_moved: _Optional[_Union[TrainMoved, _Mapping]] = ..., phase_started: _Optional[_Union[PhaseStarted, _Mapping]] = ..., round_started: _Optional[_Union[RoundStarted, _Mapping]] = ..., order_changed: _Optional[_Union[OrderChanged, _Mapping]] = ..., turn_started: _Optional[_Union[TurnStarted, _Mapping]] = ..., step_started: _Optional[_Union[StepStarted, _Mapping]] = ..., player_passed: _Optional[_Union[PlayerPassed, _Mapping]] = ..., turn_ended: _Optional[_Union[TurnEnded, _Mapping]] = ..., stock_turn_acted: _Optional[_Union[StockTurnActed, _Mapping]] = ..., trains_ran: _Optional[_Union[TrainsRan, _Mapping]] = ..., revenue_corrected: _Optional[_Union[RevenueCorrected, _Mapping]] = ..., dividend_declared: _Optional[_Union[DividendDeclared, _Mapping]] = ..., priority_moved: _Optional[_Union[PriorityMoved, _Mapping]] = ..., debt_changed: _Optional[_Union[DebtChanged, _Mapping]] = ..., interrupt_raised: _Optional[_Union[InterruptRaised, _Mapping]] = ..., interrupt_settled: _Optional[_Union[InterruptSettled, _Mapping]] = ..., game_end_triggered: _Optional[_Union[GameEndTriggered, _Mapping]] = ..., game_ended: _Optional[_Union[GameEnded, _Mapping]] = ..., undone: _Optional[_Union[Undone, _Mapping]] = ..., round_ended: _Optional[_Union[RoundEnded, _Mapping]] = ..., step_passed: _Optional[_Union[StepPassed, _Mapping]] = ..., company_offered: _Optional[_Union[CompanyOffered, _Mapping]] = ..., licences_set: _Optional[_Union[LicencesSet, _Mapping]] = ..., charter_side_set: _Optional[_Union[CharterSideSet, _Mapping]] = ..., ipo_marker_set: _Optional[_Union[IpoMarkerSet, _Mapping]] = ..., price_removed: _Optional[_Union[PriceRemoved, _Mapping]] = ..., company_reset: _Optional[_Union[CompanyReset, _Mapping]] = ..., auction_opened: _Optional[_Union[AuctionOpened, _Mapping]] = ..., bid_made: _Optional[_Union[BidMade, _Mapping]] = ..., auction_passed: _Optional[_Union[AuctionPassed, _Mapping]] = ..., auction_won: _Optional[_Union[AuctionWon, _Mapping]] = ..., auction_closed: _Optional[_Union[AuctionClosed, _Mapping]] = ..., obligation_taken: _Optional[_Union[ObligationTaken, _Mapping]] = ..., obligation_ended: _Optional[_Union[ObligationEnded, _Mapping]] = ..., train_kind_chosen: _Optional[_Union[TrainKindChosen, _Mapping]] = ..., warranties_set: _Optional[_Union[WarrantiesSet, _Mapping]] = ..., action_taken: _Optional[_Union[ActionTaken, _Mapping]] = ..., exchange_started: _Optional[_Union[ExchangeStarted, _Mapping]] = ..., option_marked: _Optional[_Union[OptionMarked, _Mapping]] = ..., option_settled: _Optional[_Union[OptionSettled, _Mapping]] = ..., holder_settled: _Optional[_Union[HolderSettled, _Mapping]] = ..., exchange_ended: _Optional[_Union[ExchangeEnded, _Mapping]] = ..., monopoly_formed: _Optional[_Union[MonopolyFormed, _Mapping]] = ...) -> None: ...

class GameCreated(_message.Message):
    __slots__ = ("title", "rules_version", "players", "options", "rulings", "undo_policy", "seed", "bank_cash")
    TITLE_FIELD_NUMBER: _ClassVar[int]
    RULES_VERSION_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    RULINGS_FIELD_NUMBER: _ClassVar[int]
    UNDO_POLICY_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    BANK_CASH_FIELD_NUMBER: _ClassVar[int]
    title: str
    rules_version: int
    players: _containers.RepeatedScalarFieldContainer[str]
    options: _containers.RepeatedScalarFieldContainer[str]
    rulings: _containers.RepeatedCompositeFieldContainer[Ruling]
    undo_policy: UndoPolicy
    seed: int
    bank_cash: int
    def __init__(self, title: _Optional[str] = ..., rules_version: _Optional[int] = ..., players: _Optional[_Iterable[str]] = ..., options: _Optional[_Iterable[str]] = ..., rulings: _Optional[_Iterable[_Union[Ruling, _Mapping]]] = ..., undo_policy: _Optional[_Union[UndoPolicy, str]] = ..., seed: _Optional[int] = ..., bank_cash: _Optional[int] = ...) -> None: ...

class CashMoved(_message.Message):
    __slots__ = ("source", "target", "amount", "reason", "subject")
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    source: str
    target: str
    amount: int
    reason: MoneyReason
    subject: str
    def __init__(self, source: _Optional[str] = ..., target: _Optional[str] = ..., amount: _Optional[int] = ..., reason: _Optional[_Union[MoneyReason, str]] = ..., subject: _Optional[str] = ...) -> None: ...

class CertificatesMoved(_message.Message):
    __slots__ = ("company", "numbers", "source", "target", "reason", "percent")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    NUMBERS_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    PERCENT_FIELD_NUMBER: _ClassVar[int]
    company: str
    numbers: _containers.RepeatedScalarFieldContainer[int]
    source: str
    target: str
    reason: CertificateReason
    percent: int
    def __init__(self, company: _Optional[str] = ..., numbers: _Optional[_Iterable[int]] = ..., source: _Optional[str] = ..., target: _Optional[str] = ..., reason: _Optional[_Union[CertificateReason, str]] = ..., percent: _Optional[int] = ...) -> None: ...

class CertificatesReserved(_message.Message):
    __slots__ = ("company", "numbers")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    NUMBERS_FIELD_NUMBER: _ClassVar[int]
    company: str
    numbers: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, company: _Optional[str] = ..., numbers: _Optional[_Iterable[int]] = ...) -> None: ...

class CompanyBought(_message.Message):
    __slots__ = ("company", "owner", "price")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    company: str
    owner: str
    price: int
    def __init__(self, company: _Optional[str] = ..., owner: _Optional[str] = ..., price: _Optional[int] = ...) -> None: ...

class PriceStarted(_message.Message):
    __slots__ = ("company", "price", "row", "column")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    ROW_FIELD_NUMBER: _ClassVar[int]
    COLUMN_FIELD_NUMBER: _ClassVar[int]
    company: str
    price: int
    row: int
    column: int
    def __init__(self, company: _Optional[str] = ..., price: _Optional[int] = ..., row: _Optional[int] = ..., column: _Optional[int] = ...) -> None: ...

class PriceMoved(_message.Message):
    __slots__ = ("company", "row", "column", "reason", "price")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    ROW_FIELD_NUMBER: _ClassVar[int]
    COLUMN_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    company: str
    row: int
    column: int
    reason: PriceReason
    price: int
    def __init__(self, company: _Optional[str] = ..., row: _Optional[int] = ..., column: _Optional[int] = ..., reason: _Optional[_Union[PriceReason, str]] = ..., price: _Optional[int] = ...) -> None: ...

class CompanyOpened(_message.Message):
    __slots__ = ("company",)
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    company: str
    def __init__(self, company: _Optional[str] = ...) -> None: ...

class DirectorChanged(_message.Message):
    __slots__ = ("company", "director")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    DIRECTOR_FIELD_NUMBER: _ClassVar[int]
    company: str
    director: str
    def __init__(self, company: _Optional[str] = ..., director: _Optional[str] = ...) -> None: ...

class CompanyClosed(_message.Message):
    __slots__ = ("company", "successor")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    SUCCESSOR_FIELD_NUMBER: _ClassVar[int]
    company: str
    successor: str
    def __init__(self, company: _Optional[str] = ..., successor: _Optional[str] = ...) -> None: ...

class TileLaid(_message.Message):
    __slots__ = ("company", "hex", "tile", "rotation", "copy", "upgrade", "station")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    HEX_FIELD_NUMBER: _ClassVar[int]
    TILE_FIELD_NUMBER: _ClassVar[int]
    ROTATION_FIELD_NUMBER: _ClassVar[int]
    COPY_FIELD_NUMBER: _ClassVar[int]
    UPGRADE_FIELD_NUMBER: _ClassVar[int]
    STATION_FIELD_NUMBER: _ClassVar[int]
    company: str
    hex: str
    tile: str
    rotation: int
    copy: int
    upgrade: bool
    station: bool
    def __init__(self, company: _Optional[str] = ..., hex: _Optional[str] = ..., tile: _Optional[str] = ..., rotation: _Optional[int] = ..., copy: _Optional[int] = ..., upgrade: _Optional[bool] = ..., station: _Optional[bool] = ...) -> None: ...

class TokensArranged(_message.Message):
    __slots__ = ("hex", "cities")
    HEX_FIELD_NUMBER: _ClassVar[int]
    CITIES_FIELD_NUMBER: _ClassVar[int]
    hex: str
    cities: _containers.RepeatedCompositeFieldContainer[CityTokens]
    def __init__(self, hex: _Optional[str] = ..., cities: _Optional[_Iterable[_Union[CityTokens, _Mapping]]] = ...) -> None: ...

class TokenPlaced(_message.Message):
    __slots__ = ("company", "hex", "city", "slot", "charter_cost", "reason", "slots")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    HEX_FIELD_NUMBER: _ClassVar[int]
    CITY_FIELD_NUMBER: _ClassVar[int]
    SLOT_FIELD_NUMBER: _ClassVar[int]
    CHARTER_COST_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    SLOTS_FIELD_NUMBER: _ClassVar[int]
    company: str
    hex: str
    city: int
    slot: int
    charter_cost: int
    reason: TokenReason
    slots: int
    def __init__(self, company: _Optional[str] = ..., hex: _Optional[str] = ..., city: _Optional[int] = ..., slot: _Optional[int] = ..., charter_cost: _Optional[int] = ..., reason: _Optional[_Union[TokenReason, str]] = ..., slots: _Optional[int] = ...) -> None: ...

class TokenReplaced(_message.Message):
    __slots__ = ("company", "hex", "city", "slot", "successor", "reason")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    HEX_FIELD_NUMBER: _ClassVar[int]
    CITY_FIELD_NUMBER: _ClassVar[int]
    SLOT_FIELD_NUMBER: _ClassVar[int]
    SUCCESSOR_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    company: str
    hex: str
    city: int
    slot: int
    successor: str
    reason: TokenReason
    def __init__(self, company: _Optional[str] = ..., hex: _Optional[str] = ..., city: _Optional[int] = ..., slot: _Optional[int] = ..., successor: _Optional[str] = ..., reason: _Optional[_Union[TokenReason, str]] = ...) -> None: ...

class CharterTokensSet(_message.Message):
    __slots__ = ("company", "costs")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    COSTS_FIELD_NUMBER: _ClassVar[int]
    company: str
    costs: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, company: _Optional[str] = ..., costs: _Optional[_Iterable[int]] = ...) -> None: ...

class TrainMoved(_message.Message):
    __slots__ = ("train", "source", "target", "reason")
    TRAIN_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    train: str
    source: str
    target: str
    reason: TrainReason
    def __init__(self, train: _Optional[str] = ..., source: _Optional[str] = ..., target: _Optional[str] = ..., reason: _Optional[_Union[TrainReason, str]] = ...) -> None: ...

class PhaseStarted(_message.Message):
    __slots__ = ("phase",)
    PHASE_FIELD_NUMBER: _ClassVar[int]
    phase: str
    def __init__(self, phase: _Optional[str] = ...) -> None: ...

class RoundStarted(_message.Message):
    __slots__ = ("kind", "turn", "number", "count", "order")
    KIND_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    kind: RoundKind
    turn: int
    number: int
    count: int
    order: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, kind: _Optional[_Union[RoundKind, str]] = ..., turn: _Optional[int] = ..., number: _Optional[int] = ..., count: _Optional[int] = ..., order: _Optional[_Iterable[str]] = ...) -> None: ...

class RoundEnded(_message.Message):
    __slots__ = ("kind",)
    KIND_FIELD_NUMBER: _ClassVar[int]
    kind: RoundKind
    def __init__(self, kind: _Optional[_Union[RoundKind, str]] = ...) -> None: ...

class OrderChanged(_message.Message):
    __slots__ = ("order",)
    ORDER_FIELD_NUMBER: _ClassVar[int]
    order: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, order: _Optional[_Iterable[str]] = ...) -> None: ...

class TurnStarted(_message.Message):
    __slots__ = ("position",)
    POSITION_FIELD_NUMBER: _ClassVar[int]
    position: int
    def __init__(self, position: _Optional[int] = ...) -> None: ...

class StepPassed(_message.Message):
    __slots__ = ("step",)
    STEP_FIELD_NUMBER: _ClassVar[int]
    step: str
    def __init__(self, step: _Optional[str] = ...) -> None: ...

class StepStarted(_message.Message):
    __slots__ = ("step",)
    STEP_FIELD_NUMBER: _ClassVar[int]
    step: str
    def __init__(self, step: _Optional[str] = ...) -> None: ...

class PlayerPassed(_message.Message):
    __slots__ = ("player", "acted")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    ACTED_FIELD_NUMBER: _ClassVar[int]
    player: str
    acted: bool
    def __init__(self, player: _Optional[str] = ..., acted: _Optional[bool] = ...) -> None: ...

class TurnEnded(_message.Message):
    __slots__ = ("actor",)
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    actor: str
    def __init__(self, actor: _Optional[str] = ...) -> None: ...

class StockTurnActed(_message.Message):
    __slots__ = ("player", "bought", "sold")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    BOUGHT_FIELD_NUMBER: _ClassVar[int]
    SOLD_FIELD_NUMBER: _ClassVar[int]
    player: str
    bought: str
    sold: str
    def __init__(self, player: _Optional[str] = ..., bought: _Optional[str] = ..., sold: _Optional[str] = ...) -> None: ...

class TrainsRan(_message.Message):
    __slots__ = ("company", "runs", "revenue", "treasury_income")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    RUNS_FIELD_NUMBER: _ClassVar[int]
    REVENUE_FIELD_NUMBER: _ClassVar[int]
    TREASURY_INCOME_FIELD_NUMBER: _ClassVar[int]
    company: str
    runs: _containers.RepeatedCompositeFieldContainer[Run]
    revenue: int
    treasury_income: int
    def __init__(self, company: _Optional[str] = ..., runs: _Optional[_Iterable[_Union[Run, _Mapping]]] = ..., revenue: _Optional[int] = ..., treasury_income: _Optional[int] = ...) -> None: ...

class RevenueCorrected(_message.Message):
    __slots__ = ("company", "revenue", "treasury_income")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    REVENUE_FIELD_NUMBER: _ClassVar[int]
    TREASURY_INCOME_FIELD_NUMBER: _ClassVar[int]
    company: str
    revenue: int
    treasury_income: int
    def __init__(self, company: _Optional[str] = ..., revenue: _Optional[int] = ..., treasury_income: _Optional[int] = ...) -> None: ...

class DividendDeclared(_message.Message):
    __slots__ = ("company", "kind", "revenue", "per_share")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    REVENUE_FIELD_NUMBER: _ClassVar[int]
    PER_SHARE_FIELD_NUMBER: _ClassVar[int]
    company: str
    kind: DividendKind
    revenue: int
    per_share: int
    def __init__(self, company: _Optional[str] = ..., kind: _Optional[_Union[DividendKind, str]] = ..., revenue: _Optional[int] = ..., per_share: _Optional[int] = ...) -> None: ...

class PriorityMoved(_message.Message):
    __slots__ = ("player",)
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    player: str
    def __init__(self, player: _Optional[str] = ...) -> None: ...

class DebtChanged(_message.Message):
    __slots__ = ("player", "amount", "reason")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    player: str
    amount: int
    reason: DebtReason
    def __init__(self, player: _Optional[str] = ..., amount: _Optional[int] = ..., reason: _Optional[_Union[DebtReason, str]] = ...) -> None: ...

class InterruptRaised(_message.Message):
    __slots__ = ("kind", "player", "company", "subject")
    KIND_FIELD_NUMBER: _ClassVar[int]
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    kind: InterruptKind
    player: str
    company: str
    subject: str
    def __init__(self, kind: _Optional[_Union[InterruptKind, str]] = ..., player: _Optional[str] = ..., company: _Optional[str] = ..., subject: _Optional[str] = ...) -> None: ...

class InterruptSettled(_message.Message):
    __slots__ = ("kind", "company", "agreed")
    KIND_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    AGREED_FIELD_NUMBER: _ClassVar[int]
    kind: InterruptKind
    company: str
    agreed: bool
    def __init__(self, kind: _Optional[_Union[InterruptKind, str]] = ..., company: _Optional[str] = ..., agreed: _Optional[bool] = ...) -> None: ...

class GameEndTriggered(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: str
    def __init__(self, reason: _Optional[str] = ...) -> None: ...

class GameEnded(_message.Message):
    __slots__ = ("reason", "scores")
    REASON_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    reason: str
    scores: _containers.RepeatedCompositeFieldContainer[Score]
    def __init__(self, reason: _Optional[str] = ..., scores: _Optional[_Iterable[_Union[Score, _Mapping]]] = ...) -> None: ...

class CompanyOffered(_message.Message):
    __slots__ = ("company", "phase", "licence")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    LICENCE_FIELD_NUMBER: _ClassVar[int]
    company: str
    phase: str
    licence: ServiceKind
    def __init__(self, company: _Optional[str] = ..., phase: _Optional[str] = ..., licence: _Optional[_Union[ServiceKind, str]] = ...) -> None: ...

class LicencesSet(_message.Message):
    __slots__ = ("company", "licences")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    LICENCES_FIELD_NUMBER: _ClassVar[int]
    company: str
    licences: _containers.RepeatedScalarFieldContainer[ServiceKind]
    def __init__(self, company: _Optional[str] = ..., licences: _Optional[_Iterable[_Union[ServiceKind, str]]] = ...) -> None: ...

class CharterSideSet(_message.Message):
    __slots__ = ("company", "chartered")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    CHARTERED_FIELD_NUMBER: _ClassVar[int]
    company: str
    chartered: bool
    def __init__(self, company: _Optional[str] = ..., chartered: _Optional[bool] = ...) -> None: ...

class IpoMarkerSet(_message.Message):
    __slots__ = ("company", "price", "chartered_area")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    CHARTERED_AREA_FIELD_NUMBER: _ClassVar[int]
    company: str
    price: int
    chartered_area: bool
    def __init__(self, company: _Optional[str] = ..., price: _Optional[int] = ..., chartered_area: _Optional[bool] = ...) -> None: ...

class PriceRemoved(_message.Message):
    __slots__ = ("company",)
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    company: str
    def __init__(self, company: _Optional[str] = ...) -> None: ...

class CompanyReset(_message.Message):
    __slots__ = ("company", "successor")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    SUCCESSOR_FIELD_NUMBER: _ClassVar[int]
    company: str
    successor: str
    def __init__(self, company: _Optional[str] = ..., successor: _Optional[str] = ...) -> None: ...

class AuctionOpened(_message.Message):
    __slots__ = ("company", "bidders")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    BIDDERS_FIELD_NUMBER: _ClassVar[int]
    company: str
    bidders: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, company: _Optional[str] = ..., bidders: _Optional[_Iterable[str]] = ...) -> None: ...

class BidMade(_message.Message):
    __slots__ = ("player", "company", "price")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    player: str
    company: str
    price: int
    def __init__(self, player: _Optional[str] = ..., company: _Optional[str] = ..., price: _Optional[int] = ...) -> None: ...

class AuctionPassed(_message.Message):
    __slots__ = ("player", "company")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    player: str
    company: str
    def __init__(self, player: _Optional[str] = ..., company: _Optional[str] = ...) -> None: ...

class AuctionWon(_message.Message):
    __slots__ = ("player", "company", "price")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    player: str
    company: str
    price: int
    def __init__(self, player: _Optional[str] = ..., company: _Optional[str] = ..., price: _Optional[int] = ...) -> None: ...

class AuctionClosed(_message.Message):
    __slots__ = ("company",)
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    company: str
    def __init__(self, company: _Optional[str] = ...) -> None: ...

class ObligationTaken(_message.Message):
    __slots__ = ("player", "company")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    player: str
    company: str
    def __init__(self, player: _Optional[str] = ..., company: _Optional[str] = ...) -> None: ...

class ObligationEnded(_message.Message):
    __slots__ = ("player", "company", "met")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    MET_FIELD_NUMBER: _ClassVar[int]
    player: str
    company: str
    met: bool
    def __init__(self, player: _Optional[str] = ..., company: _Optional[str] = ..., met: _Optional[bool] = ...) -> None: ...

class TrainKindChosen(_message.Message):
    __slots__ = ("train", "kind")
    TRAIN_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    train: str
    kind: ServiceKind
    def __init__(self, train: _Optional[str] = ..., kind: _Optional[_Union[ServiceKind, str]] = ...) -> None: ...

class WarrantiesSet(_message.Message):
    __slots__ = ("train", "count")
    TRAIN_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    train: str
    count: int
    def __init__(self, train: _Optional[str] = ..., count: _Optional[int] = ...) -> None: ...

class ActionTaken(_message.Message):
    __slots__ = ("action",)
    ACTION_FIELD_NUMBER: _ClassVar[int]
    action: TurnAction
    def __init__(self, action: _Optional[_Union[TurnAction, str]] = ...) -> None: ...

class ExchangeStarted(_message.Message):
    __slots__ = ("kind", "company", "other", "player", "price", "holders")
    KIND_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    OTHER_FIELD_NUMBER: _ClassVar[int]
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    HOLDERS_FIELD_NUMBER: _ClassVar[int]
    kind: ExchangeKind
    company: str
    other: str
    player: str
    price: int
    holders: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, kind: _Optional[_Union[ExchangeKind, str]] = ..., company: _Optional[str] = ..., other: _Optional[str] = ..., player: _Optional[str] = ..., price: _Optional[int] = ..., holders: _Optional[_Iterable[str]] = ...) -> None: ...

class OptionMarked(_message.Message):
    __slots__ = ("holder", "company", "number", "redeem_price", "give_up_price")
    HOLDER_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    REDEEM_PRICE_FIELD_NUMBER: _ClassVar[int]
    GIVE_UP_PRICE_FIELD_NUMBER: _ClassVar[int]
    holder: str
    company: str
    number: int
    redeem_price: int
    give_up_price: int
    def __init__(self, holder: _Optional[str] = ..., company: _Optional[str] = ..., number: _Optional[int] = ..., redeem_price: _Optional[int] = ..., give_up_price: _Optional[int] = ...) -> None: ...

class OptionSettled(_message.Message):
    __slots__ = ("holder", "company", "number", "redeemed")
    HOLDER_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    REDEEMED_FIELD_NUMBER: _ClassVar[int]
    holder: str
    company: str
    number: int
    redeemed: bool
    def __init__(self, holder: _Optional[str] = ..., company: _Optional[str] = ..., number: _Optional[int] = ..., redeemed: _Optional[bool] = ...) -> None: ...

class HolderSettled(_message.Message):
    __slots__ = ("holder",)
    HOLDER_FIELD_NUMBER: _ClassVar[int]
    holder: str
    def __init__(self, holder: _Optional[str] = ...) -> None: ...

class ExchangeEnded(_message.Message):
    __slots__ = ("company",)
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    company: str
    def __init__(self, company: _Optional[str] = ...) -> None: ...

class MonopolyFormed(_message.Message):
    __slots__ = ("name", "certificate_limit")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CERTIFICATE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    name: str
    certificate_limit: int
    def __init__(self, name: _Optional[str] = ..., certificate_limit: _Optional[int] = ...) -> None: ...

class Undone(_message.Message):
    __slots__ = ("player", "to_sequence")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    TO_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    player: str
    to_sequence: int
    def __init__(self, player: _Optional[str] = ..., to_sequence: _Optional[int] = ...) -> None: ...

class Ruling(_message.Message):
    __slots__ = ("name", "value")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: str
    def __init__(self, name: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...

class Run(_message.Message):
    __slots__ = ("train", "stops", "segments", "hexes", "revenue", "treasury_income", "counted")
    TRAIN_FIELD_NUMBER: _ClassVar[int]
    STOPS_FIELD_NUMBER: _ClassVar[int]
    SEGMENTS_FIELD_NUMBER: _ClassVar[int]
    HEXES_FIELD_NUMBER: _ClassVar[int]
    REVENUE_FIELD_NUMBER: _ClassVar[int]
    TREASURY_INCOME_FIELD_NUMBER: _ClassVar[int]
    COUNTED_FIELD_NUMBER: _ClassVar[int]
    train: str
    stops: _containers.RepeatedScalarFieldContainer[str]
    segments: _containers.RepeatedScalarFieldContainer[str]
    hexes: _containers.RepeatedScalarFieldContainer[str]
    revenue: int
    treasury_income: int
    counted: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, train: _Optional[str] = ..., stops: _Optional[_Iterable[str]] = ..., segments: _Optional[_Iterable[str]] = ..., hexes: _Optional[_Iterable[str]] = ..., revenue: _Optional[int] = ..., treasury_income: _Optional[int] = ..., counted: _Optional[_Iterable[str]] = ...) -> None: ...

class Score(_message.Message):
    __slots__ = ("player", "value")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    player: str
    value: int
    def __init__(self, player: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...

class CityTokens(_message.Message):
    __slots__ = ("city", "slots")
    CITY_FIELD_NUMBER: _ClassVar[int]
    SLOTS_FIELD_NUMBER: _ClassVar[int]
    city: int
    slots: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, city: _Optional[int] = ..., slots: _Optional[_Iterable[str]] = ...) -> None: ...
