from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class StopKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STOP_KIND_UNSPECIFIED: _ClassVar[StopKind]
    STOP_KIND_CITY: _ClassVar[StopKind]
    STOP_KIND_TOWN: _ClassVar[StopKind]
    STOP_KIND_OFFBOARD: _ClassVar[StopKind]
    STOP_KIND_MINE: _ClassVar[StopKind]
    STOP_KIND_PORT: _ClassVar[StopKind]

class TrainKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TRAIN_KIND_UNSPECIFIED: _ClassVar[TrainKind]
    TRAIN_KIND_NORMAL: _ClassVar[TrainKind]
    TRAIN_KIND_GOODS: _ClassVar[TrainKind]
    TRAIN_KIND_FREIGHT: _ClassVar[TrainKind]
    TRAIN_KIND_LOCAL: _ClassVar[TrainKind]
    TRAIN_KIND_EXPRESS: _ClassVar[TrainKind]

class TownRule(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TOWN_RULE_UNSPECIFIED: _ClassVar[TownRule]
    TOWN_RULE_STOP: _ClassVar[TownRule]
    TOWN_RULE_SKIP: _ClassVar[TownRule]
    TOWN_RULE_FREE: _ClassVar[TownRule]
    TOWN_RULE_EXTRA: _ClassVar[TownRule]

class Where(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WHERE_UNSPECIFIED: _ClassVar[Where]
    WHERE_VISITED: _ClassVar[Where]
    WHERE_COUNTED: _ClassVar[Where]
    WHERE_ENDS: _ClassVar[Where]
    WHERE_COUNTED_ENDS: _ClassVar[Where]

class PlacesOnce(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PLACES_ONCE_UNSPECIFIED: _ClassVar[PlacesOnce]
    PLACES_ONCE_RUN: _ClassVar[PlacesOnce]
    PLACES_ONCE_COMPANY: _ClassVar[PlacesOnce]

class Measure(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MEASURE_UNSPECIFIED: _ClassVar[Measure]
    MEASURE_STOPS: _ClassVar[Measure]
    MEASURE_HEXES: _ClassVar[Measure]

class BoundBy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BOUND_BY_UNSPECIFIED: _ClassVar[BoundBy]
    BOUND_BY_ALONE: _ClassVar[BoundBy]
    BOUND_BY_PRICES: _ClassVar[BoundBy]
    BOUND_BY_ROUTES: _ClassVar[BoundBy]
    BOUND_BY_BESIDE: _ClassVar[BoundBy]
    BOUND_BY_FLOWS: _ClassVar[BoundBy]

class Links(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LINKS_UNSPECIFIED: _ClassVar[Links]
    LINKS_CITIES: _ClassVar[Links]
    LINKS_ANY_STOP: _ClassVar[Links]

class FreightJoins(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FREIGHT_JOINS_UNSPECIFIED: _ClassVar[FreightJoins]
    FREIGHT_JOINS_ONE_ROUTE: _ClassVar[FreightJoins]
    FREIGHT_JOINS_ENDS_MEET: _ClassVar[FreightJoins]
STOP_KIND_UNSPECIFIED: StopKind
STOP_KIND_CITY: StopKind
STOP_KIND_TOWN: StopKind
STOP_KIND_OFFBOARD: StopKind
STOP_KIND_MINE: StopKind
STOP_KIND_PORT: StopKind
TRAIN_KIND_UNSPECIFIED: TrainKind
TRAIN_KIND_NORMAL: TrainKind
TRAIN_KIND_GOODS: TrainKind
TRAIN_KIND_FREIGHT: TrainKind
TRAIN_KIND_LOCAL: TrainKind
TRAIN_KIND_EXPRESS: TrainKind
TOWN_RULE_UNSPECIFIED: TownRule
TOWN_RULE_STOP: TownRule
TOWN_RULE_SKIP: TownRule
TOWN_RULE_FREE: TownRule
TOWN_RULE_EXTRA: TownRule
WHERE_UNSPECIFIED: Where
WHERE_VISITED: Where
WHERE_COUNTED: Where
WHERE_ENDS: Where
WHERE_COUNTED_ENDS: Where
PLACES_ONCE_UNSPECIFIED: PlacesOnce
PLACES_ONCE_RUN: PlacesOnce
PLACES_ONCE_COMPANY: PlacesOnce
MEASURE_UNSPECIFIED: Measure
MEASURE_STOPS: Measure
MEASURE_HEXES: Measure
BOUND_BY_UNSPECIFIED: BoundBy
BOUND_BY_ALONE: BoundBy
BOUND_BY_PRICES: BoundBy
BOUND_BY_ROUTES: BoundBy
BOUND_BY_BESIDE: BoundBy
BOUND_BY_FLOWS: BoundBy
LINKS_UNSPECIFIED: Links
LINKS_CITIES: Links
LINKS_ANY_STOP: Links
FREIGHT_JOINS_UNSPECIFIED: FreightJoins
FREIGHT_JOINS_ONE_ROUTE: FreightJoins
FREIGHT_JOINS_ENDS_MEET: FreightJoins

class RouteProblem(_message.Message):
    __slots__ = ("company", "stops", "segments", "trains", "token_stops", "separate_track", "one_network", "direct_routes", "options")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    STOPS_FIELD_NUMBER: _ClassVar[int]
    SEGMENTS_FIELD_NUMBER: _ClassVar[int]
    TRAINS_FIELD_NUMBER: _ClassVar[int]
    TOKEN_STOPS_FIELD_NUMBER: _ClassVar[int]
    SEPARATE_TRACK_FIELD_NUMBER: _ClassVar[int]
    ONE_NETWORK_FIELD_NUMBER: _ClassVar[int]
    DIRECT_ROUTES_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    company: str
    stops: _containers.RepeatedCompositeFieldContainer[Stop]
    segments: _containers.RepeatedCompositeFieldContainer[Segment]
    trains: _containers.RepeatedCompositeFieldContainer[Train]
    token_stops: _containers.RepeatedScalarFieldContainer[str]
    separate_track: SeparateTrackFamily
    one_network: OneNetworkFamily
    direct_routes: DirectRoutesFamily
    options: SolveOptions
    def __init__(self, company: _Optional[str] = ..., stops: _Optional[_Iterable[_Union[Stop, _Mapping]]] = ..., segments: _Optional[_Iterable[_Union[Segment, _Mapping]]] = ..., trains: _Optional[_Iterable[_Union[Train, _Mapping]]] = ..., token_stops: _Optional[_Iterable[str]] = ..., separate_track: _Optional[_Union[SeparateTrackFamily, _Mapping]] = ..., one_network: _Optional[_Union[OneNetworkFamily, _Mapping]] = ..., direct_routes: _Optional[_Union[DirectRoutesFamily, _Mapping]] = ..., options: _Optional[_Union[SolveOptions, _Mapping]] = ...) -> None: ...

class Stop(_message.Message):
    __slots__ = ("id", "kind", "place", "revenue", "slots", "tariffs", "position", "beyond")
    class TariffsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    REVENUE_FIELD_NUMBER: _ClassVar[int]
    SLOTS_FIELD_NUMBER: _ClassVar[int]
    TARIFFS_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    BEYOND_FIELD_NUMBER: _ClassVar[int]
    id: str
    kind: StopKind
    place: str
    revenue: int
    slots: _containers.RepeatedScalarFieldContainer[str]
    tariffs: _containers.ScalarMap[str, int]
    position: HexPosition
    beyond: int
    def __init__(self, id: _Optional[str] = ..., kind: _Optional[_Union[StopKind, str]] = ..., place: _Optional[str] = ..., revenue: _Optional[int] = ..., slots: _Optional[_Iterable[str]] = ..., tariffs: _Optional[_Mapping[str, int]] = ..., position: _Optional[_Union[HexPosition, _Mapping]] = ..., beyond: _Optional[int] = ...) -> None: ...

class HexPosition(_message.Message):
    __slots__ = ("q", "r")
    Q_FIELD_NUMBER: _ClassVar[int]
    R_FIELD_NUMBER: _ClassVar[int]
    q: int
    r: int
    def __init__(self, q: _Optional[int] = ..., r: _Optional[int] = ...) -> None: ...

class Segment(_message.Message):
    __slots__ = ("id", "a", "b", "resources", "hexes", "terminal_a", "terminal_b", "length", "revenue", "cost")
    ID_FIELD_NUMBER: _ClassVar[int]
    A_FIELD_NUMBER: _ClassVar[int]
    B_FIELD_NUMBER: _ClassVar[int]
    RESOURCES_FIELD_NUMBER: _ClassVar[int]
    HEXES_FIELD_NUMBER: _ClassVar[int]
    TERMINAL_A_FIELD_NUMBER: _ClassVar[int]
    TERMINAL_B_FIELD_NUMBER: _ClassVar[int]
    LENGTH_FIELD_NUMBER: _ClassVar[int]
    REVENUE_FIELD_NUMBER: _ClassVar[int]
    COST_FIELD_NUMBER: _ClassVar[int]
    id: str
    a: str
    b: str
    resources: _containers.RepeatedScalarFieldContainer[str]
    hexes: _containers.RepeatedScalarFieldContainer[str]
    terminal_a: bool
    terminal_b: bool
    length: int
    revenue: int
    cost: int
    def __init__(self, id: _Optional[str] = ..., a: _Optional[str] = ..., b: _Optional[str] = ..., resources: _Optional[_Iterable[str]] = ..., hexes: _Optional[_Iterable[str]] = ..., terminal_a: _Optional[bool] = ..., terminal_b: _Optional[bool] = ..., length: _Optional[int] = ..., revenue: _Optional[int] = ..., cost: _Optional[int] = ...) -> None: ...

class Train(_message.Message):
    __slots__ = ("id", "kind", "reach", "towns", "counts", "measure", "tariff", "joins", "town_reach", "factor", "only_tokens")
    ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    REACH_FIELD_NUMBER: _ClassVar[int]
    TOWNS_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    MEASURE_FIELD_NUMBER: _ClassVar[int]
    TARIFF_FIELD_NUMBER: _ClassVar[int]
    JOINS_FIELD_NUMBER: _ClassVar[int]
    TOWN_REACH_FIELD_NUMBER: _ClassVar[int]
    FACTOR_FIELD_NUMBER: _ClassVar[int]
    ONLY_TOKENS_FIELD_NUMBER: _ClassVar[int]
    id: str
    kind: TrainKind
    reach: int
    towns: TownRule
    counts: int
    measure: Measure
    tariff: str
    joins: bool
    town_reach: int
    factor: int
    only_tokens: bool
    def __init__(self, id: _Optional[str] = ..., kind: _Optional[_Union[TrainKind, str]] = ..., reach: _Optional[int] = ..., towns: _Optional[_Union[TownRule, str]] = ..., counts: _Optional[int] = ..., measure: _Optional[_Union[Measure, str]] = ..., tariff: _Optional[str] = ..., joins: _Optional[bool] = ..., town_reach: _Optional[int] = ..., factor: _Optional[int] = ..., only_tokens: _Optional[bool] = ...) -> None: ...

class SeparateTrackFamily(_message.Message):
    __slots__ = ("compare_treasury_income", "bonuses", "requirements", "places_once")
    COMPARE_TREASURY_INCOME_FIELD_NUMBER: _ClassVar[int]
    BONUSES_FIELD_NUMBER: _ClassVar[int]
    REQUIREMENTS_FIELD_NUMBER: _ClassVar[int]
    PLACES_ONCE_FIELD_NUMBER: _ClassVar[int]
    compare_treasury_income: bool
    bonuses: _containers.RepeatedCompositeFieldContainer[Bonus]
    requirements: _containers.RepeatedCompositeFieldContainer[Requirement]
    places_once: PlacesOnce
    def __init__(self, compare_treasury_income: _Optional[bool] = ..., bonuses: _Optional[_Iterable[_Union[Bonus, _Mapping]]] = ..., requirements: _Optional[_Iterable[_Union[Requirement, _Mapping]]] = ..., places_once: _Optional[_Union[PlacesOnce, str]] = ...) -> None: ...

class Bonus(_message.Message):
    __slots__ = ("id", "groups", "where", "pays", "runs", "tariffs", "to_treasury", "times_factor")
    ID_FIELD_NUMBER: _ClassVar[int]
    GROUPS_FIELD_NUMBER: _ClassVar[int]
    WHERE_FIELD_NUMBER: _ClassVar[int]
    PAYS_FIELD_NUMBER: _ClassVar[int]
    RUNS_FIELD_NUMBER: _ClassVar[int]
    TARIFFS_FIELD_NUMBER: _ClassVar[int]
    TO_TREASURY_FIELD_NUMBER: _ClassVar[int]
    TIMES_FACTOR_FIELD_NUMBER: _ClassVar[int]
    id: str
    groups: _containers.RepeatedCompositeFieldContainer[StopGroup]
    where: Where
    pays: int
    runs: int
    tariffs: _containers.RepeatedScalarFieldContainer[str]
    to_treasury: bool
    times_factor: bool
    def __init__(self, id: _Optional[str] = ..., groups: _Optional[_Iterable[_Union[StopGroup, _Mapping]]] = ..., where: _Optional[_Union[Where, str]] = ..., pays: _Optional[int] = ..., runs: _Optional[int] = ..., tariffs: _Optional[_Iterable[str]] = ..., to_treasury: _Optional[bool] = ..., times_factor: _Optional[bool] = ...) -> None: ...

class StopGroup(_message.Message):
    __slots__ = ("stops",)
    class StopsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    STOPS_FIELD_NUMBER: _ClassVar[int]
    stops: _containers.ScalarMap[str, int]
    def __init__(self, stops: _Optional[_Mapping[str, int]] = ...) -> None: ...

class Requirement(_message.Message):
    __slots__ = ("id", "stops", "where", "tariffs")
    ID_FIELD_NUMBER: _ClassVar[int]
    STOPS_FIELD_NUMBER: _ClassVar[int]
    WHERE_FIELD_NUMBER: _ClassVar[int]
    TARIFFS_FIELD_NUMBER: _ClassVar[int]
    id: str
    stops: _containers.RepeatedScalarFieldContainer[str]
    where: Where
    tariffs: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, id: _Optional[str] = ..., stops: _Optional[_Iterable[str]] = ..., where: _Optional[_Union[Where, str]] = ..., tariffs: _Optional[_Iterable[str]] = ...) -> None: ...

class OneNetworkFamily(_message.Message):
    __slots__ = ("compare_treasury_income", "home", "links", "freight_joins", "bonus_per_hex", "bonus_per_hex_port", "subsidy_per_hex")
    COMPARE_TREASURY_INCOME_FIELD_NUMBER: _ClassVar[int]
    HOME_FIELD_NUMBER: _ClassVar[int]
    LINKS_FIELD_NUMBER: _ClassVar[int]
    FREIGHT_JOINS_FIELD_NUMBER: _ClassVar[int]
    BONUS_PER_HEX_FIELD_NUMBER: _ClassVar[int]
    BONUS_PER_HEX_PORT_FIELD_NUMBER: _ClassVar[int]
    SUBSIDY_PER_HEX_FIELD_NUMBER: _ClassVar[int]
    compare_treasury_income: bool
    home: str
    links: Links
    freight_joins: FreightJoins
    bonus_per_hex: int
    bonus_per_hex_port: int
    subsidy_per_hex: int
    def __init__(self, compare_treasury_income: _Optional[bool] = ..., home: _Optional[str] = ..., links: _Optional[_Union[Links, str]] = ..., freight_joins: _Optional[_Union[FreightJoins, str]] = ..., bonus_per_hex: _Optional[int] = ..., bonus_per_hex_port: _Optional[int] = ..., subsidy_per_hex: _Optional[int] = ...) -> None: ...

class DirectRoutesFamily(_message.Message):
    __slots__ = ("traffic", "coverage_beside", "goals")
    TRAFFIC_FIELD_NUMBER: _ClassVar[int]
    COVERAGE_BESIDE_FIELD_NUMBER: _ClassVar[int]
    GOALS_FIELD_NUMBER: _ClassVar[int]
    traffic: int
    coverage_beside: int
    goals: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, traffic: _Optional[int] = ..., coverage_beside: _Optional[int] = ..., goals: _Optional[_Iterable[str]] = ...) -> None: ...

class SolveOptions(_message.Message):
    __slots__ = ("locked_runs", "deadline_ms", "node_budget", "explain")
    LOCKED_RUNS_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_MS_FIELD_NUMBER: _ClassVar[int]
    NODE_BUDGET_FIELD_NUMBER: _ClassVar[int]
    EXPLAIN_FIELD_NUMBER: _ClassVar[int]
    locked_runs: _containers.RepeatedCompositeFieldContainer[LockedRun]
    deadline_ms: int
    node_budget: int
    explain: bool
    def __init__(self, locked_runs: _Optional[_Iterable[_Union[LockedRun, _Mapping]]] = ..., deadline_ms: _Optional[int] = ..., node_budget: _Optional[int] = ..., explain: _Optional[bool] = ...) -> None: ...

class LockedRun(_message.Message):
    __slots__ = ("train", "stops", "segments")
    TRAIN_FIELD_NUMBER: _ClassVar[int]
    STOPS_FIELD_NUMBER: _ClassVar[int]
    SEGMENTS_FIELD_NUMBER: _ClassVar[int]
    train: str
    stops: _containers.RepeatedScalarFieldContainer[str]
    segments: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, train: _Optional[str] = ..., stops: _Optional[_Iterable[str]] = ..., segments: _Optional[_Iterable[str]] = ...) -> None: ...

class RouteSolution(_message.Message):
    __slots__ = ("runs", "revenue", "treasury_income", "proven", "upper_bound", "nodes_explored", "explanation", "goals", "covered", "order")
    RUNS_FIELD_NUMBER: _ClassVar[int]
    REVENUE_FIELD_NUMBER: _ClassVar[int]
    TREASURY_INCOME_FIELD_NUMBER: _ClassVar[int]
    PROVEN_FIELD_NUMBER: _ClassVar[int]
    UPPER_BOUND_FIELD_NUMBER: _ClassVar[int]
    NODES_EXPLORED_FIELD_NUMBER: _ClassVar[int]
    EXPLANATION_FIELD_NUMBER: _ClassVar[int]
    GOALS_FIELD_NUMBER: _ClassVar[int]
    COVERED_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    runs: _containers.RepeatedCompositeFieldContainer[Run]
    revenue: int
    treasury_income: int
    proven: bool
    upper_bound: int
    nodes_explored: int
    explanation: Explanation
    goals: _containers.RepeatedCompositeFieldContainer[Goal]
    covered: _containers.RepeatedCompositeFieldContainer[Covered]
    order: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, runs: _Optional[_Iterable[_Union[Run, _Mapping]]] = ..., revenue: _Optional[int] = ..., treasury_income: _Optional[int] = ..., proven: _Optional[bool] = ..., upper_bound: _Optional[int] = ..., nodes_explored: _Optional[int] = ..., explanation: _Optional[_Union[Explanation, _Mapping]] = ..., goals: _Optional[_Iterable[_Union[Goal, _Mapping]]] = ..., covered: _Optional[_Iterable[_Union[Covered, _Mapping]]] = ..., order: _Optional[_Iterable[str]] = ...) -> None: ...

class Goal(_message.Message):
    __slots__ = ("stop", "routes", "least_cost", "most_traffic", "proven")
    STOP_FIELD_NUMBER: _ClassVar[int]
    ROUTES_FIELD_NUMBER: _ClassVar[int]
    LEAST_COST_FIELD_NUMBER: _ClassVar[int]
    MOST_TRAFFIC_FIELD_NUMBER: _ClassVar[int]
    PROVEN_FIELD_NUMBER: _ClassVar[int]
    stop: str
    routes: _containers.RepeatedCompositeFieldContainer[DirectRoute]
    least_cost: int
    most_traffic: int
    proven: bool
    def __init__(self, stop: _Optional[str] = ..., routes: _Optional[_Iterable[_Union[DirectRoute, _Mapping]]] = ..., least_cost: _Optional[int] = ..., most_traffic: _Optional[int] = ..., proven: _Optional[bool] = ...) -> None: ...

class DirectRoute(_message.Message):
    __slots__ = ("stops", "segments", "hexes", "cost", "traffic")
    STOPS_FIELD_NUMBER: _ClassVar[int]
    SEGMENTS_FIELD_NUMBER: _ClassVar[int]
    HEXES_FIELD_NUMBER: _ClassVar[int]
    COST_FIELD_NUMBER: _ClassVar[int]
    TRAFFIC_FIELD_NUMBER: _ClassVar[int]
    stops: _containers.RepeatedScalarFieldContainer[str]
    segments: _containers.RepeatedScalarFieldContainer[str]
    hexes: _containers.RepeatedScalarFieldContainer[str]
    cost: int
    traffic: int
    def __init__(self, stops: _Optional[_Iterable[str]] = ..., segments: _Optional[_Iterable[str]] = ..., hexes: _Optional[_Iterable[str]] = ..., cost: _Optional[int] = ..., traffic: _Optional[int] = ...) -> None: ...

class Covered(_message.Message):
    __slots__ = ("train", "traffic")
    TRAIN_FIELD_NUMBER: _ClassVar[int]
    TRAFFIC_FIELD_NUMBER: _ClassVar[int]
    train: str
    traffic: int
    def __init__(self, train: _Optional[str] = ..., traffic: _Optional[int] = ...) -> None: ...

class Explanation(_message.Message):
    __slots__ = ("bounds", "alone", "second", "complete")
    BOUNDS_FIELD_NUMBER: _ClassVar[int]
    ALONE_FIELD_NUMBER: _ClassVar[int]
    SECOND_FIELD_NUMBER: _ClassVar[int]
    COMPLETE_FIELD_NUMBER: _ClassVar[int]
    bounds: _containers.RepeatedCompositeFieldContainer[BoundStep]
    alone: _containers.RepeatedCompositeFieldContainer[AloneRun]
    second: SecondBest
    complete: bool
    def __init__(self, bounds: _Optional[_Iterable[_Union[BoundStep, _Mapping]]] = ..., alone: _Optional[_Iterable[_Union[AloneRun, _Mapping]]] = ..., second: _Optional[_Union[SecondBest, _Mapping]] = ..., complete: _Optional[bool] = ...) -> None: ...

class BoundStep(_message.Message):
    __slots__ = ("by", "bound")
    BY_FIELD_NUMBER: _ClassVar[int]
    BOUND_FIELD_NUMBER: _ClassVar[int]
    by: BoundBy
    bound: int
    def __init__(self, by: _Optional[_Union[BoundBy, str]] = ..., bound: _Optional[int] = ...) -> None: ...

class AloneRun(_message.Message):
    __slots__ = ("train", "run", "proven")
    TRAIN_FIELD_NUMBER: _ClassVar[int]
    RUN_FIELD_NUMBER: _ClassVar[int]
    PROVEN_FIELD_NUMBER: _ClassVar[int]
    train: str
    run: Run
    proven: bool
    def __init__(self, train: _Optional[str] = ..., run: _Optional[_Union[Run, _Mapping]] = ..., proven: _Optional[bool] = ...) -> None: ...

class SecondBest(_message.Message):
    __slots__ = ("train", "runs", "revenue", "treasury_income", "loses")
    TRAIN_FIELD_NUMBER: _ClassVar[int]
    RUNS_FIELD_NUMBER: _ClassVar[int]
    REVENUE_FIELD_NUMBER: _ClassVar[int]
    TREASURY_INCOME_FIELD_NUMBER: _ClassVar[int]
    LOSES_FIELD_NUMBER: _ClassVar[int]
    train: str
    runs: _containers.RepeatedCompositeFieldContainer[Run]
    revenue: int
    treasury_income: int
    loses: int
    def __init__(self, train: _Optional[str] = ..., runs: _Optional[_Iterable[_Union[Run, _Mapping]]] = ..., revenue: _Optional[int] = ..., treasury_income: _Optional[int] = ..., loses: _Optional[int] = ...) -> None: ...

class Run(_message.Message):
    __slots__ = ("train", "stops", "segments", "hexes", "revenue", "treasury_income", "counted_stops", "bonus", "joined_trains", "bonuses")
    TRAIN_FIELD_NUMBER: _ClassVar[int]
    STOPS_FIELD_NUMBER: _ClassVar[int]
    SEGMENTS_FIELD_NUMBER: _ClassVar[int]
    HEXES_FIELD_NUMBER: _ClassVar[int]
    REVENUE_FIELD_NUMBER: _ClassVar[int]
    TREASURY_INCOME_FIELD_NUMBER: _ClassVar[int]
    COUNTED_STOPS_FIELD_NUMBER: _ClassVar[int]
    BONUS_FIELD_NUMBER: _ClassVar[int]
    JOINED_TRAINS_FIELD_NUMBER: _ClassVar[int]
    BONUSES_FIELD_NUMBER: _ClassVar[int]
    train: str
    stops: _containers.RepeatedScalarFieldContainer[str]
    segments: _containers.RepeatedScalarFieldContainer[str]
    hexes: _containers.RepeatedScalarFieldContainer[str]
    revenue: int
    treasury_income: int
    counted_stops: _containers.RepeatedScalarFieldContainer[str]
    bonus: int
    joined_trains: _containers.RepeatedScalarFieldContainer[str]
    bonuses: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, train: _Optional[str] = ..., stops: _Optional[_Iterable[str]] = ..., segments: _Optional[_Iterable[str]] = ..., hexes: _Optional[_Iterable[str]] = ..., revenue: _Optional[int] = ..., treasury_income: _Optional[int] = ..., counted_stops: _Optional[_Iterable[str]] = ..., bonus: _Optional[int] = ..., joined_trains: _Optional[_Iterable[str]] = ..., bonuses: _Optional[_Iterable[str]] = ...) -> None: ...

class SolveRequest(_message.Message):
    __slots__ = ("problem",)
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    problem: RouteProblem
    def __init__(self, problem: _Optional[_Union[RouteProblem, _Mapping]] = ...) -> None: ...

class SolveResponse(_message.Message):
    __slots__ = ("solution", "elapsed_us", "cached", "final")
    SOLUTION_FIELD_NUMBER: _ClassVar[int]
    ELAPSED_US_FIELD_NUMBER: _ClassVar[int]
    CACHED_FIELD_NUMBER: _ClassVar[int]
    FINAL_FIELD_NUMBER: _ClassVar[int]
    solution: RouteSolution
    elapsed_us: int
    cached: bool
    final: bool
    def __init__(self, solution: _Optional[_Union[RouteSolution, _Mapping]] = ..., elapsed_us: _Optional[int] = ..., cached: _Optional[bool] = ..., final: _Optional[bool] = ...) -> None: ...

class SolveBatchRequest(_message.Message):
    __slots__ = ("problems",)
    PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    problems: _containers.RepeatedCompositeFieldContainer[RouteProblem]
    def __init__(self, problems: _Optional[_Iterable[_Union[RouteProblem, _Mapping]]] = ...) -> None: ...

class SolveBatchResponse(_message.Message):
    __slots__ = ("answers",)
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[BatchAnswer]
    def __init__(self, answers: _Optional[_Iterable[_Union[BatchAnswer, _Mapping]]] = ...) -> None: ...

class BatchAnswer(_message.Message):
    __slots__ = ("solved", "fault")
    SOLVED_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    solved: SolveResponse
    fault: ProblemFault
    def __init__(self, solved: _Optional[_Union[SolveResponse, _Mapping]] = ..., fault: _Optional[_Union[ProblemFault, _Mapping]] = ...) -> None: ...

class ProblemFault(_message.Message):
    __slots__ = ("field", "reason", "message")
    FIELD_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    field: str
    reason: str
    message: str
    def __init__(self, field: _Optional[str] = ..., reason: _Optional[str] = ..., message: _Optional[str] = ...) -> None: ...

class SolveTrackRequest(_message.Message):
    __slots__ = ("problem",)
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    problem: TrackProblem
    def __init__(self, problem: _Optional[_Union[TrackProblem, _Mapping]] = ...) -> None: ...

class TrackProblem(_message.Message):
    __slots__ = ("hexes", "start", "end", "count")
    HEXES_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    hexes: _containers.RepeatedCompositeFieldContainer[TrackHex]
    start: str
    end: str
    count: int
    def __init__(self, hexes: _Optional[_Iterable[_Union[TrackHex, _Mapping]]] = ..., start: _Optional[str] = ..., end: _Optional[str] = ..., count: _Optional[int] = ...) -> None: ...

class TrackHex(_message.Message):
    __slots__ = ("id", "cost", "sides", "is_city", "is_full")
    ID_FIELD_NUMBER: _ClassVar[int]
    COST_FIELD_NUMBER: _ClassVar[int]
    SIDES_FIELD_NUMBER: _ClassVar[int]
    IS_CITY_FIELD_NUMBER: _ClassVar[int]
    IS_FULL_FIELD_NUMBER: _ClassVar[int]
    id: str
    cost: int
    sides: _containers.RepeatedCompositeFieldContainer[TrackSide]
    is_city: bool
    is_full: bool
    def __init__(self, id: _Optional[str] = ..., cost: _Optional[int] = ..., sides: _Optional[_Iterable[_Union[TrackSide, _Mapping]]] = ..., is_city: _Optional[bool] = ..., is_full: _Optional[bool] = ...) -> None: ...

class TrackSide(_message.Message):
    __slots__ = ("beyond", "cost", "is_closed")
    BEYOND_FIELD_NUMBER: _ClassVar[int]
    COST_FIELD_NUMBER: _ClassVar[int]
    IS_CLOSED_FIELD_NUMBER: _ClassVar[int]
    beyond: str
    cost: int
    is_closed: bool
    def __init__(self, beyond: _Optional[str] = ..., cost: _Optional[int] = ..., is_closed: _Optional[bool] = ...) -> None: ...

class SolveTrackResponse(_message.Message):
    __slots__ = ("tracks", "proven")
    TRACKS_FIELD_NUMBER: _ClassVar[int]
    PROVEN_FIELD_NUMBER: _ClassVar[int]
    tracks: _containers.RepeatedCompositeFieldContainer[Track]
    proven: bool
    def __init__(self, tracks: _Optional[_Iterable[_Union[Track, _Mapping]]] = ..., proven: _Optional[bool] = ...) -> None: ...

class Track(_message.Message):
    __slots__ = ("cost", "hexes")
    COST_FIELD_NUMBER: _ClassVar[int]
    HEXES_FIELD_NUMBER: _ClassVar[int]
    cost: int
    hexes: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, cost: _Optional[int] = ..., hexes: _Optional[_Iterable[str]] = ...) -> None: ...

class SolveDeliveriesRequest(_message.Message):
    __slots__ = ("problem",)
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    problem: DeliveryProblem
    def __init__(self, problem: _Optional[_Union[DeliveryProblem, _Mapping]] = ...) -> None: ...

class DeliveryProblem(_message.Message):
    __slots__ = ("company", "cities", "links", "cubes", "steps")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    CITIES_FIELD_NUMBER: _ClassVar[int]
    LINKS_FIELD_NUMBER: _ClassVar[int]
    CUBES_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    company: str
    cities: _containers.RepeatedCompositeFieldContainer[GoodsCity]
    links: _containers.RepeatedCompositeFieldContainer[OwnedLink]
    cubes: _containers.RepeatedCompositeFieldContainer[Cube]
    steps: int
    def __init__(self, company: _Optional[str] = ..., cities: _Optional[_Iterable[_Union[GoodsCity, _Mapping]]] = ..., links: _Optional[_Iterable[_Union[OwnedLink, _Mapping]]] = ..., cubes: _Optional[_Iterable[_Union[Cube, _Mapping]]] = ..., steps: _Optional[int] = ...) -> None: ...

class GoodsCity(_message.Message):
    __slots__ = ("id", "colour")
    ID_FIELD_NUMBER: _ClassVar[int]
    COLOUR_FIELD_NUMBER: _ClassVar[int]
    id: str
    colour: str
    def __init__(self, id: _Optional[str] = ..., colour: _Optional[str] = ...) -> None: ...

class OwnedLink(_message.Message):
    __slots__ = ("id", "one", "other", "owner")
    ID_FIELD_NUMBER: _ClassVar[int]
    ONE_FIELD_NUMBER: _ClassVar[int]
    OTHER_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    id: str
    one: str
    other: str
    owner: str
    def __init__(self, id: _Optional[str] = ..., one: _Optional[str] = ..., other: _Optional[str] = ..., owner: _Optional[str] = ...) -> None: ...

class Cube(_message.Message):
    __slots__ = ("city", "colour")
    CITY_FIELD_NUMBER: _ClassVar[int]
    COLOUR_FIELD_NUMBER: _ClassVar[int]
    city: str
    colour: str
    def __init__(self, city: _Optional[str] = ..., colour: _Optional[str] = ...) -> None: ...

class SolveDeliveriesResponse(_message.Message):
    __slots__ = ("deliveries", "proven", "own_most")
    DELIVERIES_FIELD_NUMBER: _ClassVar[int]
    PROVEN_FIELD_NUMBER: _ClassVar[int]
    OWN_MOST_FIELD_NUMBER: _ClassVar[int]
    deliveries: _containers.RepeatedCompositeFieldContainer[CubeDelivery]
    proven: bool
    own_most: int
    def __init__(self, deliveries: _Optional[_Iterable[_Union[CubeDelivery, _Mapping]]] = ..., proven: _Optional[bool] = ..., own_most: _Optional[int] = ...) -> None: ...

class CubeDelivery(_message.Message):
    __slots__ = ("city", "colour", "own", "others", "links", "target")
    CITY_FIELD_NUMBER: _ClassVar[int]
    COLOUR_FIELD_NUMBER: _ClassVar[int]
    OWN_FIELD_NUMBER: _ClassVar[int]
    OTHERS_FIELD_NUMBER: _ClassVar[int]
    LINKS_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    city: str
    colour: str
    own: int
    others: int
    links: _containers.RepeatedScalarFieldContainer[str]
    target: str
    def __init__(self, city: _Optional[str] = ..., colour: _Optional[str] = ..., own: _Optional[int] = ..., others: _Optional[int] = ..., links: _Optional[_Iterable[str]] = ..., target: _Optional[str] = ...) -> None: ...
