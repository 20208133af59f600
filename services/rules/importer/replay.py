"""Playing a recorded game as a native one: every action becomes a command and goes through `decide`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from services.rules.importer import actions as a
from services.rules.importer.dialect import Dialect, Scene, View, dialect_of
from services.rules.importer.names import Names, names_of
from services.rules.importer.record import NotAGameError, Record, Step
from services.rules.importer.reduce import reduce_steps
from services.rules.importer.trace import setup_fields, state_fields
from services.rules.importer.trace_actions import action_fields
from services.rules.importer.translate import Order, actor_of, translate
from services.rules.kernel.commands import CreateGame
from services.rules.kernel.decide import Accepted, acting_players, create, decide, end_by_hand
from services.rules.kernel.events import Event
from services.rules.kernel.fold import replay as fold_log
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import Rejected, Rejection
from services.rules.kernel.title import Title
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.values import Ruling, UndoPolicy
from services.rules.parts.map.events import TokenReplaced
from services.rules.parts.trains.events import RevenueCorrected, TrainsRan

REVENUE_MAX = 1_000_000

Clock = Callable[[], float]
Progress = Callable[[int, int], None]


class Refusal(Struct, frozen=True):
    """The action at which a recorded game could not go on: index in the effective list, id, the player behind it (empty if
    nobody can be named), and why."""

    line: int
    id: int
    type: str
    rejection: Rejection
    player: int | str = ""


class Seating(Struct, frozen=True):
    """Who plays a recorded game here: `accounts` by the file's players, who keep their names where it has none for them."""

    accounts: Mapping[str, str] = {}
    undo_policy: UndoPolicy = "free"

    def of(self, player: int | str) -> str:
        """Who plays for a player of the file."""
        return self.accounts.get(str(player), str(player))


AS_RECORDED = Seating()


class Correction(Struct, frozen=True):
    """A run that the recorded game booked otherwise than its routes earn here."""

    line: int
    company: str
    recorded: int
    recorded_treasury_income: int
    ours: int
    our_treasury_income: int


class RecordedRun(Struct, frozen=True):
    """A company's run: what the file booked for it, and what its routes earn here. `line`: index in the effective list."""

    line: int
    id: int
    company: str
    recorded: int
    recorded_treasury_income: int
    ours: int
    our_treasury_income: int


OnRun = Callable[[RecordedRun, Game, TitleData], None]


@dataclass(slots=True)
class Replay:
    """How far a recorded game came. `actions`: length of the effective list; `events`: the whole log; `orders`: the
    accepted commands with their players.

    `folds`: the log folded anew gives the very state in which the game stands. Seconds are wall time."""

    record: Record
    actions: int
    game: Game
    data: TitleData
    events: list[Event]
    orders: list[Order] = field(default_factory=list)
    accepted: int = 0
    refusal: Refusal | None = None
    corrections: list[Correction] = field(default_factory=list)
    lines: list[dict[str, Any]] = field(default_factory=list)
    folds: bool = False
    decide_seconds: float = 0.0
    fold_seconds: float = 0.0

    @property
    def result(self) -> dict[str, int]:
        """Final value by player, empty while the game is not over."""
        return {score.player: score.value for score in self.game.scores}

    @property
    def matches(self) -> bool:
        """Every action was accepted, the log folds, and the result is the file's."""
        return self.accepted == self.actions and self.folds and self.result == self.record.result


def peer_rulings(title: Title) -> tuple[Ruling, ...]:
    """The profile `18xx.games`: every ruling as that project plays it."""
    return tuple(Ruling(each.name, each.peer) for each in title.rulings)


def play(
    record: Record,
    title: Title,
    clock: Clock,
    *,
    as_recorded: bool = False,
    traced: bool = False,
    on_progress: Progress | None = None,
    on_run: OnRun | None = None,
    seating: Seating = AS_RECORDED,
) -> Replay:
    """Play `record` under the profile `18xx.games`, to its end or to the first refused action.

    `as_recorded`: where the file's revenue differs from ours, book the file's figure as a correction.
    `traced`: keep the state after every action as a trace line. `on_run`: called with every legal run and the state before it.
    Raises `NotAGameError` when the title cannot be set up as the file says."""
    dialect = dialect_of(title)
    if dialect is None:
        raise NotAGameError(f"recorded games of title {title.name!r} cannot be read")
    player = _Player(record, title, dialect, clock, as_recorded, traced, on_run, seating)
    steps = reduce_steps(record.steps)
    replay = player.begin(len(steps))
    for number, step in enumerate(steps, start=1):
        if not player.perform(number, step):
            break
        if on_progress is not None:
            on_progress(number, len(steps))
    player.finish()
    return replay


class SetUpRefusedError(NotAGameError):
    """The title does not play what the file says; `rejection` says why."""

    def __init__(self, rejection: Rejection) -> None:
        self.rejection = rejection
        super().__init__(rejection.message)


class _StoppedError(Exception):
    """An action was refused."""

    def __init__(self, rejection: Rejection) -> None:
        self.rejection = rejection
        super().__init__(rejection.message)


class _Player:
    """One replay in the making."""

    def __init__(
        self,
        record: Record,
        title: Title,
        dialect: Dialect,
        clock: Clock,
        as_recorded: bool,
        traced: bool,
        on_run: OnRun | None,
        seating: Seating,
    ) -> None:
        self._dialect, self._on_run, self._seating = dialect, on_run, seating
        self._record, self._title, self._clock = record, title, clock
        self._as_recorded, self._traced = as_recorded, traced
        self._inherited: tuple[TokenReplaced, ...] = ()
        self._names: Names = names_of(record.players, seating.accounts)
        self._replay: Replay
        self._view: View[Any]
        self._shadow = Game()

    def begin(self, actions: int) -> Replay:
        """Set the game up."""
        record, title, dialect = self._record, self._title, self._dialect
        rulings = peer_rulings(title)
        players = tuple(map(self._seating.of, record.players))
        options = dialect.options_of(record.options, len(players), record.title)
        command = CreateGame(title.name, players, options, rulings, self._seating.undo_policy, record.seed)
        created = create(title, command)
        if isinstance(created, Rejection):
            raise SetUpRefusedError(created)
        data = title.data_of(created.game)
        self._replay = Replay(record, actions, created.game, data, list(created.events))
        if self._traced:
            self._view = View(title, data, self._names, dialect.trace_state(data))
            self._view.trace_state.follow(self._shadow, created.events)
            setup = setup_fields(dialect, self._view, created.game, record)
            state = state_fields(dialect, self._view, created.game)
            self._replay.lines.append({"n": 0, "setup": setup} | state)
        return self._replay

    def perform(self, number: int, step: Step) -> bool:
        """Play one recorded action with those derived from it; False when one is refused."""
        replay = self._replay
        before, brought = replay.game, []
        try:
            for action in (step.action, *step.action.auto_actions):
                brought.append(self._decided(number, action, derived=action is not step.action))
        except _StoppedError as stopped:
            tag = str(action.__struct_config__.tag)
            player = self._player_behind(step.action)
            replay.refusal = Refusal(number, step.action.id or 0, tag, stopped.rejection, player)
            return False
        replay.accepted += 1
        if self._traced:
            self._write_line(number, step, before, brought)
        return True

    def finish(self) -> None:
        """Fold the log anew and close the trace."""
        replay = self._replay
        began = self._clock()
        folded = fold_log(replay.events)
        replay.fold_seconds = self._clock() - began
        replay.folds = folded == replay.game
        if self._traced:
            ending = {
                "result": replay.result,
                "game_end_reason": replay.game.ending.rpartition(".")[2] or None,
            }
            replay.lines.append(ending | {"finished": replay.game.finished, "actions": replay.accepted})

    def _decided(self, number: int, action: a.Action, derived: bool) -> tuple[Event, ...]:
        """The events an action led to; raises `_StoppedError`."""
        if isinstance(action, (a.Message, *a.STANDING_ORDERS)):
            return ()
        replay = self._replay
        began = self._clock()
        try:
            outcome = self._decide(number, action, derived)
        except Rejected as rejected:
            outcome = rejected.rejection(self._title.reasons)
        replay.decide_seconds += self._clock() - began
        if isinstance(outcome, Rejection):
            raise _StoppedError(outcome)
        if self._on_run is not None and isinstance(action, a.RunRoutes):
            self._on_run(self._recorded_run(number, action, outcome.events), replay.game, replay.data)
        replay.game = outcome.game
        replay.events.extend(outcome.events)
        inherited = [event for event in outcome.events if isinstance(event, TokenReplaced)]
        if inherited:
            self._inherited = tuple(event for event in inherited if event.reason == "inherited")
        return outcome.events

    def _decide(self, number: int, action: a.Action, derived: bool) -> Accepted | Rejection:
        replay, title = self._replay, self._title
        if isinstance(action, a.EndGame):
            return end_by_hand(title, replay.data, replay.game)
        action, scene = self._seated(action), self._scene(derived)
        order = translate(self._dialect, action, scene)
        if order is None:
            return Accepted((), replay.game)
        outcome = decide(title, replay.data, replay.game, order.player, order.command)
        if isinstance(outcome, Accepted):
            replay.orders.append(order)
        if isinstance(outcome, Accepted) and isinstance(action, a.RunRoutes):
            return self._checked_run(number, action, order, outcome)
        return outcome

    def _seated(self, action: a.Action) -> a.Action:
        """The action with the account of the player who acts in it."""
        return (
            replace(action, entity=self._seating.of(action.entity))
            if action.entity_type == "player"
            else action
        )

    def _scene(self, derived: bool = False) -> Scene:
        replay = self._replay
        asked = acting_players(self._title, replay.data, replay.game)
        return Scene(replay.game, replay.data, asked[0] if asked else "", self._inherited, derived)

    def _player_behind(self, action: a.Action) -> int | str:
        """The file's player behind an action that was refused."""
        try:
            return self._names.of(actor_of(self._seated(action), self._scene()))
        except Rejected:
            return ""

    def _checked_run(
        self, number: int, action: a.RunRoutes, order: Order, outcome: Accepted
    ) -> Accepted | Rejection:
        """Hold the file's revenue against ours."""
        ran = self._recorded_run(number, action, outcome.events)
        recorded = (ran.recorded, ran.recorded_treasury_income)
        ours = (ran.ours, ran.our_treasury_income)
        if recorded == ours:
            return outcome
        word = self._dialect.treasury_income
        if not self._as_recorded:
            found = f"{ran.company} earns {ours[0]} ({word} {ours[1]})"
            detail = f"{found}, recorded {recorded[0]} ({word} {recorded[1]})"
            raise Rejected("recorded_revenue_differs", self._dialect.revenue_clause, detail)
        if not all(0 <= figure <= REVENUE_MAX for figure in recorded):
            raise Rejected("value_out_of_range", detail=f"revenue {recorded[0]}, {recorded[1]} from {word}")
        self._replay.corrections.append(Correction(number, ran.company, *recorded, *ours))
        booked = RevenueCorrected(ran.company, *recorded)
        replay = self._replay
        return decide(self._title, replay.data, replay.game, order.player, order.command, correction=booked)

    def _recorded_run(self, number: int, action: a.RunRoutes, events: Sequence[Event]) -> RecordedRun:
        ran = next(event for event in events if isinstance(event, TrainsRan))
        revenue = sum(route.revenue for route in action.routes)
        income = self._dialect.income_of(action)
        earned = (ran.revenue, ran.treasury_income)
        return RecordedRun(number, action.id or 0, ran.company, revenue, income, *earned)

    def _write_line(self, number: int, step: Step, before: Game, brought: Sequence[Sequence[Event]]) -> None:
        replay, view = self._replay, self._view
        for events in brought:
            view.trace_state.follow(self._shadow, events)
        replay.lines.append(
            {"n": number, "action": without_times(step.raw)}
            | action_fields(self._dialect, step.action, brought[0], before, replay.data, self._names)
            | state_fields(self._dialect, view, replay.game)
        )


def without_times(raw: Mapping[str, Any]) -> dict[str, Any]:
    plain = {key: value for key, value in raw.items() if key != "created_at"}
    derived = plain.get("auto_actions")
    if isinstance(derived, list):
        plain["auto_actions"] = [without_times(each) for each in derived]
    return plain
