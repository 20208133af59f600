from google.protobuf import any_pb2 as _any_pb2
from services.gen.signalbox.log.v1 import schema_version_pb2 as _schema_version_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DecisionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DECISION_KIND_UNSPECIFIED: _ClassVar[DecisionKind]
    DECISION_KIND_ASSIGN_SEAT: _ClassVar[DecisionKind]
    DECISION_KIND_SUSPEND: _ClassVar[DecisionKind]
    DECISION_KIND_RESUME: _ClassVar[DecisionKind]
    DECISION_KIND_ROLL_BACK: _ClassVar[DecisionKind]
    DECISION_KIND_ACT_FOR_SEAT: _ClassVar[DecisionKind]
    DECISION_KIND_CORRECT: _ClassVar[DecisionKind]
    DECISION_KIND_END_GAME: _ClassVar[DecisionKind]

class BearerKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BEARER_KIND_UNSPECIFIED: _ClassVar[BearerKind]
    BEARER_KIND_PLAYER: _ClassVar[BearerKind]
    BEARER_KIND_SUBSTITUTE: _ClassVar[BearerKind]
    BEARER_KIND_BOT: _ClassVar[BearerKind]
    BEARER_KIND_DIRECTOR: _ClassVar[BearerKind]

class UndoPolicy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    UNDO_POLICY_UNSPECIFIED: _ClassVar[UndoPolicy]
    UNDO_POLICY_FREE: _ClassVar[UndoPolicy]
    UNDO_POLICY_OWN_TURN: _ClassVar[UndoPolicy]
    UNDO_POLICY_NONE: _ClassVar[UndoPolicy]
DECISION_KIND_UNSPECIFIED: DecisionKind
DECISION_KIND_ASSIGN_SEAT: DecisionKind
DECISION_KIND_SUSPEND: DecisionKind
DECISION_KIND_RESUME: DecisionKind
DECISION_KIND_ROLL_BACK: DecisionKind
DECISION_KIND_ACT_FOR_SEAT: DecisionKind
DECISION_KIND_CORRECT: DecisionKind
DECISION_KIND_END_GAME: DecisionKind
BEARER_KIND_UNSPECIFIED: BearerKind
BEARER_KIND_PLAYER: BearerKind
BEARER_KIND_SUBSTITUTE: BearerKind
BEARER_KIND_BOT: BearerKind
BEARER_KIND_DIRECTOR: BearerKind
UNDO_POLICY_UNSPECIFIED: UndoPolicy
UNDO_POLICY_FREE: UndoPolicy
UNDO_POLICY_OWN_TURN: UndoPolicy
UNDO_POLICY_NONE: UndoPolicy

class GameEvent(_message.Message):
    __slots__ = ("game_id", "sequence", "schema_version", "request_id", "recorded_time_ms", "game_created", "cash_moved", "certificates_moved", "debt_changed", "round_started", "round_ended", "order_changed", "turn_started", "step_started", "step_passed", "player_passed", "player_acted", "turn_ended", "action_taken", "offer_declined", "priority_moved", "interrupt_raised", "interrupt_settled", "game_end_triggered", "game_ended", "undone", "director_decided", "seat_taken", "game_suspended", "game_resumed", "audience_set", "company_added", "company_bought", "company_opened", "company_operated", "director_changed", "par_set", "company_closed", "company_reset", "shares_bought", "shares_sold", "shares_divided", "price_started", "price_moved", "price_removed", "tile_laid", "tokens_arranged", "token_placed", "token_replaced", "charter_tokens_set", "train_moved", "train_kind_sold", "phase_started", "trains_ran", "revenue_corrected", "dividend_declared", "auction_opened", "bid_made", "auction_passed", "auction_won", "auction_closed", "title_event")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    SCHEMA_VERSION_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    RECORDED_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    GAME_CREATED_FIELD_NUMBER: _ClassVar[int]
    CASH_MOVED_FIELD_NUMBER: _ClassVar[int]
    CERTIFICATES_MOVED_FIELD_NUMBER: _ClassVar[int]
    DEBT_CHANGED_FIELD_NUMBER: _ClassVar[int]
    ROUND_STARTED_FIELD_NUMBER: _ClassVar[int]
    ROUND_ENDED_FIELD_NUMBER: _ClassVar[int]
    ORDER_CHANGED_FIELD_NUMBER: _ClassVar[int]
    TURN_STARTED_FIELD_NUMBER: _ClassVar[int]
    STEP_STARTED_FIELD_NUMBER: _ClassVar[int]
    STEP_PASSED_FIELD_NUMBER: _ClassVar[int]
    PLAYER_PASSED_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ACTED_FIELD_NUMBER: _ClassVar[int]
    TURN_ENDED_FIELD_NUMBER: _ClassVar[int]
    ACTION_TAKEN_FIELD_NUMBER: _ClassVar[int]
    OFFER_DECLINED_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_MOVED_FIELD_NUMBER: _ClassVar[int]
    INTERRUPT_RAISED_FIELD_NUMBER: _ClassVar[int]
    INTERRUPT_SETTLED_FIELD_NUMBER: _ClassVar[int]
    GAME_END_TRIGGERED_FIELD_NUMBER: _ClassVar[int]
    GAME_ENDED_FIELD_NUMBER: _ClassVar[int]
    UNDONE_FIELD_NUMBER: _ClassVar[int]
    DIRECTOR_DECIDED_FIELD_NUMBER: _ClassVar[int]
    SEAT_TAKEN_FIELD_NUMBER: _ClassVar[int]
    GAME_SUSPENDED_FIELD_NUMBER: _ClassVar[int]
    GAME_RESUMED_FIELD_NUMBER: _ClassVar[int]
    AUDIENCE_SET_FIELD_NUMBER: _ClassVar[int]
    COMPANY_ADDED_FIELD_NUMBER: _ClassVar[int]
    COMPANY_BOUGHT_FIELD_NUMBER: _ClassVar[int]
    COMPANY_OPENED_FIELD_NUMBER: _ClassVar[int]
    COMPANY_OPERATED_FIELD_NUMBER: _ClassVar[int]
    DIRECTOR_CHANGED_FIELD_NUMBER: _ClassVar[int]
    PAR_SET_FIELD_NUMBER: _ClassVar[int]
    COMPANY_CLOSED_FIELD_NUMBER: _ClassVar[int]
    COMPANY_RESET_FIELD_NUMBER: _ClassVar[int]
    SHARES_BOUGHT_FIELD_NUMBER: _ClassVar[int]
    SHARES_SOLD_FIELD_NUMBER: _ClassVar[int]
    SHARES_DIVIDED_FIELD_NUMBER: _ClassVar[int]
    PRICE_STARTED_FIELD_NUMBER: _ClassVar[int]
    PRICE_MOVED_FIELD_NUMBER: _ClassVar[int]
    PRICE_REMOVED_FIELD_NUMBER: _ClassVar[int]
    TILE_LAID_FIELD_NUMBER: _ClassVar[int]
    TOKENS_ARRANGED_FIELD_NUMBER: _ClassVar[int]
    TOKEN_PLACED_FIELD_NUMBER: _ClassVar[int]
    TOKEN_REPLACED_FIELD_NUMBER: _ClassVar[int]
    CHARTER_TOKENS_SET_FIELD_NUMBER: _ClassVar[int]
    TRAIN_MOVED_FIELD_NUMBER: _ClassVar[int]
    TRAIN_KIND_SOLD_FIELD_NUMBER: _ClassVar[int]
    PHASE_STARTED_FIELD_NUMBER: _ClassVar[int]
    TRAINS_RAN_FIELD_NUMBER: _ClassVar[int]
    REVENUE_CORRECTED_FIELD_NUMBER: _ClassVar[int]
    DIVIDEND_DECLARED_FIELD_NUMBER: _ClassVar[int]
    AUCTION_OPENED_FIELD_NUMBER: _ClassVar[int]
    BID_MADE_FIELD_NUMBER: _ClassVar[int]
    AUCTION_PASSED_FIELD_NUMBER: _ClassVar[int]
    AUCTION_WON_FIELD_NUMBER: _ClassVar[int]
    AUCTION_CLOSED_FIELD_NUMBER: _ClassVar[int]
    TITLE_EVENT_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    sequence: int
    schema_version: int
    request_id: str
    recorded_time_ms: int
    game_created: GameCreated
    cash_moved: CashMoved
    certificates_moved: CertificatesMoved
    debt_changed: DebtChanged
    round_started: RoundStarted
    round_ended: RoundEnded
    order_changed: OrderChanged
    turn_started: TurnStarted
    step_started: StepStarted
    step_passed: StepPassed
    player_passed: PlayerPassed
    player_acted: PlayerActed
    turn_ended: TurnEnded
    action_taken: ActionTaken
    offer_declined: OfferDeclined
    priority_moved: PriorityMoved
    interrupt_raised: InterruptRaised
    interrupt_settled: InterruptSettled
    game_end_triggered: GameEndTriggered
    game_ended: GameEnded
    undone: Undone
    director_decided: DirectorDecided
    seat_taken: SeatTaken
    game_suspended: GameSuspended
    game_resumed: GameResumed
    audience_set: AudienceSet
    company_added: CompanyAdded
    company_bought: CompanyBought
    company_opened: CompanyOpened
    company_operated: CompanyOperated
    director_changed: DirectorChanged
    par_set: ParSet
    company_closed: CompanyClosed
    company_reset: CompanyReset
    shares_bought: SharesBought
    shares_sold: SharesSold
    shares_divided: SharesDivided
    price_started: PriceStarted
    price_moved: PriceMoved
    price_removed: PriceRemoved
    tile_laid: TileLaid
    tokens_arranged: TokensArranged
    token_placed: TokenPlaced
    token_replaced: TokenReplaced
    charter_tokens_set: CharterTokensSet
    train_moved: TrainMoved
    train_kind_sold: TrainKindSold
    phase_started: PhaseStarted
    trains_ran: TrainsRan
    revenue_corrected: RevenueCorrected
    dividend_declared: DividendDeclared
    auction_opened: AuctionOpened
    bid_made: BidMade
    auction_passed: AuctionPassed
    auction_won: AuctionWon
    auction_closed: AuctionClosed
    title_event: _any_pb2.Any
    def __init__(self, game_id: _Optional[str] = ..., sequence: _Optional[int] = ..., schema_version: _Optional[int] = ..., request_id: _Optional[str] = ..., recorded_time_ms: _Optional[int] = ..., game_created: _Optional[_Union[GameCreated, _Mapping]] = ..., cash_moved: _Optional[_Union[CashMoved, _Mapping]] = ..., certificates_moved: _Optional[_Union[CertificatesMoved, _Mapping]] = ..., debt_changed: _Optional[_Union[DebtChanged, _Mapping]] = ..., round_started: _Optional[_Union[RoundStarted, _Mapping]] = ..., round_ended: _Optional[_Union[RoundEnded, _Mapping]] = ..., order_changed: _Optional[_Union[OrderChanged, _Mapping]] = ..., turn_started: _Optional[_Union[TurnStarted, _Mapping]] = ..., step_started: _Optional[_Union[StepStarted, _Mapping]] = ..., step_passed: _Optional[_Union[StepPassed, _Mapping]] = ..., player_passed: _Optional[_Union[PlayerPassed, _Mapping]] = ..., player_acted: _Optional[_Union[PlayerActed, _Mapping]] = ..., turn_ended: _Optional[_Union[TurnEnded, _Mapping]] = ..., action_taken: _Optional[_Union[ActionTaken, _Mapping]] = ..., offer_declined: _Optional[_Union[OfferDeclined, _Mapping]] = ..., priority_moved: _Optional[_Union[PriorityMoved, _Mapping]] = ..., interrupt_raised: _Optional[_Union[InterruptRaised, _Mapping]] = ..., interrupt_settled: _Optional[_Union[InterruptSettled, _Mapping]] = ..., game_end_triggered: _Optional[_Union[GameEndTriggered, _Mapping]] = ..., game_ended: _Optional[_Union[GameEnded, _Mapping]] = ..., undone: _Optional[_Union[Undone, _Mapping]] = ..., director_decided: _Optional[_Union[DirectorDecided, _Mapping]] = ..., seat_taken: _Optional[_Union[SeatTaken, _Mapping]] = ..., game_suspended: _Optional[_Union[GameSuspended, _Mapping]] = ..., game_resumed: _Optional[_Union[GameResumed, _Mapping]] = ..., audience_set: _Optional[_Union[AudienceSet, _Mapping]] = ..., company_added: _Optional[_Union[CompanyAdded, _Mapping]] = ..., company_bought: _Optional[_Union[CompanyBought, _Mapping]] = ..., company_opened: _Optional[_Union[CompanyOpened, _Mapping]] = ..., company_operated: _Optional[_Union[CompanyOperated, _Mapping]] = ..., director_changed: _Optional[_Union[DirectorChanged, _Mapping]] = ..., par_set: _Optional[_Union[ParSet, _Mapping]] = ..., company_closed: _Optional[_Union[CompanyClosed, _Mapping]] = ..., company_reset: _Optional[_Union[CompanyReset, _Mapping]] = ..., shares_bought: _Optional[_Union[SharesBought, _Mapping]] = ..., shares_sold: _Optional[_Union[SharesSold, _Mapping]] = ..., shares_divided: _Optional[_Union[SharesDivided, _Mapping]] = ..., price_started: _Optional[_Union[PriceStarted, _Mapping]] = ..., price_moved: _Optional[_Union[PriceMoved, _Mapping]] = ..., price_removed: _Optional[_Union[PriceRemoved, _Mapping]] = ..., tile_laid: _Optional[_Union[TileLaid, _Mapping]] = ..., tokens_arranged: _Optional[_Union[TokensArranged, _Mapping]] = ..., token_placed: _Optional[_Union[TokenPlaced, _Mapping]] = ..., token_replaced: _Optional[_Union[TokenReplaced, _Mapping]] = ..., charter_tokens_set: _Optional[_Union[CharterTokensSet, _Mapping]] = ..., train_moved: _Optional[_Union[TrainMoved, _Mapping]] = ..., train_kind_sold: _Optional[_Union[TrainKindSold, _Mapping]] = ..., phase_started: _Optional[_Union[PhaseStarted, _Mapping]] = ..., trains_ran: _Optional[_Union[TrainsRan, _Mapping]] = ..., revenue_corrected: _Optional[_Union[RevenueCorrected, _Mapping]] = ..., dividend_declared: _Optional[_Union[DividendDeclared, _Mapping]] = ..., auction_opened: _Optional[_Union[AuctionOpened, _Mapping]] = ..., bid_made: _Optional[_Union[BidMade, _Mapping]] = ..., auction_passed: _Optional[_Union[AuctionPassed, _Mapping]] = ..., auction_won: _Optional[_Union[AuctionWon, _Mapping]] = ..., auction_closed: _Optional[_Union[AuctionClosed, _Mapping]] = ..., title_event: _Optional[_Union[_any_pb2.Any, _Mapping]] = ...) -> None: ...

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
    reason: str
    subject: str
    def __init__(self, source: _Optional[str] = ..., target: _Optional[str] = ..., amount: _Optional[int] = ..., reason: _Optional[str] = ..., subject: _Optional[str] = ...) -> None: ...

class CertificatesMoved(_message.Message):
    __slots__ = ("company", "numbers", "source", "target", "reason", "shares")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    NUMBERS_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    SHARES_FIELD_NUMBER: _ClassVar[int]
    company: str
    numbers: _containers.RepeatedScalarFieldContainer[int]
    source: str
    target: str
    reason: str
    shares: int
    def __init__(self, company: _Optional[str] = ..., numbers: _Optional[_Iterable[int]] = ..., source: _Optional[str] = ..., target: _Optional[str] = ..., reason: _Optional[str] = ..., shares: _Optional[int] = ...) -> None: ...

class DebtChanged(_message.Message):
    __slots__ = ("player", "amount", "reason")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    player: str
    amount: int
    reason: str
    def __init__(self, player: _Optional[str] = ..., amount: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class RoundStarted(_message.Message):
    __slots__ = ("kind", "turn", "number", "count", "order")
    KIND_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    kind: str
    turn: int
    number: int
    count: int
    order: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, kind: _Optional[str] = ..., turn: _Optional[int] = ..., number: _Optional[int] = ..., count: _Optional[int] = ..., order: _Optional[_Iterable[str]] = ...) -> None: ...

class RoundEnded(_message.Message):
    __slots__ = ("kind",)
    KIND_FIELD_NUMBER: _ClassVar[int]
    kind: str
    def __init__(self, kind: _Optional[str] = ...) -> None: ...

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

class StepStarted(_message.Message):
    __slots__ = ("step",)
    STEP_FIELD_NUMBER: _ClassVar[int]
    step: str
    def __init__(self, step: _Optional[str] = ...) -> None: ...

class StepPassed(_message.Message):
    __slots__ = ("step",)
    STEP_FIELD_NUMBER: _ClassVar[int]
    step: str
    def __init__(self, step: _Optional[str] = ...) -> None: ...

class PlayerPassed(_message.Message):
    __slots__ = ("player",)
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    player: str
    def __init__(self, player: _Optional[str] = ...) -> None: ...

class PlayerActed(_message.Message):
    __slots__ = ("player",)
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    player: str
    def __init__(self, player: _Optional[str] = ...) -> None: ...

class TurnEnded(_message.Message):
    __slots__ = ("actor",)
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    actor: str
    def __init__(self, actor: _Optional[str] = ...) -> None: ...

class ActionTaken(_message.Message):
    __slots__ = ("action",)
    ACTION_FIELD_NUMBER: _ClassVar[int]
    action: str
    def __init__(self, action: _Optional[str] = ...) -> None: ...

class OfferDeclined(_message.Message):
    __slots__ = ("subject",)
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    subject: str
    def __init__(self, subject: _Optional[str] = ...) -> None: ...

class PriorityMoved(_message.Message):
    __slots__ = ("player",)
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    player: str
    def __init__(self, player: _Optional[str] = ...) -> None: ...

class InterruptRaised(_message.Message):
    __slots__ = ("kind", "player", "company", "subject")
    KIND_FIELD_NUMBER: _ClassVar[int]
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    kind: str
    player: str
    company: str
    subject: str
    def __init__(self, kind: _Optional[str] = ..., player: _Optional[str] = ..., company: _Optional[str] = ..., subject: _Optional[str] = ...) -> None: ...

class InterruptSettled(_message.Message):
    __slots__ = ("kind", "company")
    KIND_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    kind: str
    company: str
    def __init__(self, kind: _Optional[str] = ..., company: _Optional[str] = ...) -> None: ...

class GameEndTriggered(_message.Message):
    __slots__ = ("reason", "turn", "number")
    REASON_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    reason: str
    turn: int
    number: int
    def __init__(self, reason: _Optional[str] = ..., turn: _Optional[int] = ..., number: _Optional[int] = ...) -> None: ...

class GameEnded(_message.Message):
    __slots__ = ("reason", "scores")
    REASON_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    reason: str
    scores: _containers.RepeatedCompositeFieldContainer[Score]
    def __init__(self, reason: _Optional[str] = ..., scores: _Optional[_Iterable[_Union[Score, _Mapping]]] = ...) -> None: ...

class Undone(_message.Message):
    __slots__ = ("player", "to_sequence")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    TO_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    player: str
    to_sequence: int
    def __init__(self, player: _Optional[str] = ..., to_sequence: _Optional[int] = ...) -> None: ...

class DirectorDecided(_message.Message):
    __slots__ = ("kind", "seat", "author", "reason", "confirmed_by")
    KIND_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    CONFIRMED_BY_FIELD_NUMBER: _ClassVar[int]
    kind: DecisionKind
    seat: str
    author: str
    reason: str
    confirmed_by: str
    def __init__(self, kind: _Optional[_Union[DecisionKind, str]] = ..., seat: _Optional[str] = ..., author: _Optional[str] = ..., reason: _Optional[str] = ..., confirmed_by: _Optional[str] = ...) -> None: ...

class SeatTaken(_message.Message):
    __slots__ = ("seat", "bearer", "former", "kind")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    BEARER_FIELD_NUMBER: _ClassVar[int]
    FORMER_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    seat: str
    bearer: str
    former: str
    kind: BearerKind
    def __init__(self, seat: _Optional[str] = ..., bearer: _Optional[str] = ..., former: _Optional[str] = ..., kind: _Optional[_Union[BearerKind, str]] = ...) -> None: ...

class GameSuspended(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GameResumed(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class AudienceSet(_message.Message):
    __slots__ = ("is_invited", "readers", "delay_moves", "delay_seconds")
    IS_INVITED_FIELD_NUMBER: _ClassVar[int]
    READERS_FIELD_NUMBER: _ClassVar[int]
    DELAY_MOVES_FIELD_NUMBER: _ClassVar[int]
    DELAY_SECONDS_FIELD_NUMBER: _ClassVar[int]
    is_invited: bool
    readers: _containers.RepeatedScalarFieldContainer[str]
    delay_moves: int
    delay_seconds: int
    def __init__(self, is_invited: _Optional[bool] = ..., readers: _Optional[_Iterable[str]] = ..., delay_moves: _Optional[int] = ..., delay_seconds: _Optional[int] = ...) -> None: ...

class CompanyAdded(_message.Message):
    __slots__ = ("company",)
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    company: str
    def __init__(self, company: _Optional[str] = ...) -> None: ...

class SharesDivided(_message.Message):
    __slots__ = ("company", "shares")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    SHARES_FIELD_NUMBER: _ClassVar[int]
    company: str
    shares: int
    def __init__(self, company: _Optional[str] = ..., shares: _Optional[int] = ...) -> None: ...

class CompanyBought(_message.Message):
    __slots__ = ("company", "owner", "price")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    company: str
    owner: str
    price: int
    def __init__(self, company: _Optional[str] = ..., owner: _Optional[str] = ..., price: _Optional[int] = ...) -> None: ...

class CompanyOpened(_message.Message):
    __slots__ = ("company",)
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    company: str
    def __init__(self, company: _Optional[str] = ...) -> None: ...

class CompanyOperated(_message.Message):
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

class ParSet(_message.Message):
    __slots__ = ("company", "price")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    company: str
    price: int
    def __init__(self, company: _Optional[str] = ..., price: _Optional[int] = ...) -> None: ...

class CompanyClosed(_message.Message):
    __slots__ = ("company", "successor")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    SUCCESSOR_FIELD_NUMBER: _ClassVar[int]
    company: str
    successor: str
    def __init__(self, company: _Optional[str] = ..., successor: _Optional[str] = ...) -> None: ...

class CompanyReset(_message.Message):
    __slots__ = ("company", "successor")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    SUCCESSOR_FIELD_NUMBER: _ClassVar[int]
    company: str
    successor: str
    def __init__(self, company: _Optional[str] = ..., successor: _Optional[str] = ...) -> None: ...

class SharesBought(_message.Message):
    __slots__ = ("player", "company", "count")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    player: str
    company: str
    count: int
    def __init__(self, player: _Optional[str] = ..., company: _Optional[str] = ..., count: _Optional[int] = ...) -> None: ...

class SharesSold(_message.Message):
    __slots__ = ("player", "company")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    player: str
    company: str
    def __init__(self, player: _Optional[str] = ..., company: _Optional[str] = ...) -> None: ...

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
    reason: str
    price: int
    def __init__(self, company: _Optional[str] = ..., row: _Optional[int] = ..., column: _Optional[int] = ..., reason: _Optional[str] = ..., price: _Optional[int] = ...) -> None: ...

class PriceRemoved(_message.Message):
    __slots__ = ("company",)
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    company: str
    def __init__(self, company: _Optional[str] = ...) -> None: ...

class TileLaid(_message.Message):
    __slots__ = ("company", "hex", "tile", "rotation", "copy", "upgrade")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    HEX_FIELD_NUMBER: _ClassVar[int]
    TILE_FIELD_NUMBER: _ClassVar[int]
    ROTATION_FIELD_NUMBER: _ClassVar[int]
    COPY_FIELD_NUMBER: _ClassVar[int]
    UPGRADE_FIELD_NUMBER: _ClassVar[int]
    company: str
    hex: str
    tile: str
    rotation: int
    copy: int
    upgrade: bool
    def __init__(self, company: _Optional[str] = ..., hex: _Optional[str] = ..., tile: _Optional[str] = ..., rotation: _Optional[int] = ..., copy: _Optional[int] = ..., upgrade: _Optional[bool] = ...) -> None: ...

class TokensArranged(_message.Message):
    __slots__ = ("hex", "cities")
    HEX_FIELD_NUMBER: _ClassVar[int]
    CITIES_FIELD_NUMBER: _ClassVar[int]
    hex: str
    cities: _containers.RepeatedCompositeFieldContainer[CityTokens]
    def __init__(self, hex: _Optional[str] = ..., cities: _Optional[_Iterable[_Union[CityTokens, _Mapping]]] = ...) -> None: ...

class TokenPlaced(_message.Message):
    __slots__ = ("company", "hex", "city", "slot", "reason", "slots")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    HEX_FIELD_NUMBER: _ClassVar[int]
    CITY_FIELD_NUMBER: _ClassVar[int]
    SLOT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    SLOTS_FIELD_NUMBER: _ClassVar[int]
    company: str
    hex: str
    city: int
    slot: int
    reason: str
    slots: int
    def __init__(self, company: _Optional[str] = ..., hex: _Optional[str] = ..., city: _Optional[int] = ..., slot: _Optional[int] = ..., reason: _Optional[str] = ..., slots: _Optional[int] = ...) -> None: ...

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
    reason: str
    def __init__(self, company: _Optional[str] = ..., hex: _Optional[str] = ..., city: _Optional[int] = ..., slot: _Optional[int] = ..., successor: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

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
    reason: str
    def __init__(self, train: _Optional[str] = ..., source: _Optional[str] = ..., target: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class TrainKindSold(_message.Message):
    __slots__ = ("kind",)
    KIND_FIELD_NUMBER: _ClassVar[int]
    kind: str
    def __init__(self, kind: _Optional[str] = ...) -> None: ...

class PhaseStarted(_message.Message):
    __slots__ = ("phase",)
    PHASE_FIELD_NUMBER: _ClassVar[int]
    phase: str
    def __init__(self, phase: _Optional[str] = ...) -> None: ...

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
    __slots__ = ("company", "kind", "revenue", "per_share", "share_count")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    REVENUE_FIELD_NUMBER: _ClassVar[int]
    PER_SHARE_FIELD_NUMBER: _ClassVar[int]
    SHARE_COUNT_FIELD_NUMBER: _ClassVar[int]
    company: str
    kind: str
    revenue: int
    per_share: int
    share_count: int
    def __init__(self, company: _Optional[str] = ..., kind: _Optional[str] = ..., revenue: _Optional[int] = ..., per_share: _Optional[int] = ..., share_count: _Optional[int] = ...) -> None: ...

class DividendDeclaredV1(_message.Message):
    __slots__ = ("company", "kind", "revenue", "per_share")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    REVENUE_FIELD_NUMBER: _ClassVar[int]
    PER_SHARE_FIELD_NUMBER: _ClassVar[int]
    company: str
    kind: str
    revenue: int
    per_share: int
    def __init__(self, company: _Optional[str] = ..., kind: _Optional[str] = ..., revenue: _Optional[int] = ..., per_share: _Optional[int] = ...) -> None: ...

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
