"""The handlers of the rules service, used by both hosts: set games up and execute commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from services.common.eventlog.port import Appended, Conflict, EventLog, NewRecord, RequestRecord
from services.common.notifier import LocalNotifier, Notifier
from services.common.settings.accounts import QuotaSettings
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.routing.domain.solution import RouteSolution
from services.rules.adapters.codec import UnreadableEventError, encode_event
from services.rules.adapters.records import decoded, envelope
from services.rules.history import EventRange, decode_event_range, encode_event_range, stream_of
from services.rules.kernel import decide as core
from services.rules.kernel.commands import CreateGame, Undo
from services.rules.kernel.directing.commands import Direct, RollBack
from services.rules.kernel.directing.decide import Past, decide_direction
from services.rules.kernel.events import Event
from services.rules.kernel.fold import replay
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import Rejected, Rejection
from services.rules.kernel.title import Title
from services.rules.kernel.titledata import TitleData
from services.rules.leastmove import asked_of_routing, with_least_move
from services.rules.parts.trains.bestruns import reckon_for
from services.rules.ports import Follower, RouteSolver, RulesAlarm
from services.rules.quota import most_events
from services.rules.reading import GameReader
from services.rules.requests import (
    CREATION_REQUEST,
    CommandAccepted,
    CommandRejected,
    CommandResult,
    ImportGame,
    Move,
    Request,
    StaleSequenceError,
    is_roll_back,
    move_in,
)
from services.rules.sessions import GameSessions, LoadedGame
from services.rules.status import balances_of, status_of
from services.rules.valuing import best_runs_for, refused


class Rules:
    """Writes games. Safe to use from many threads; each game is changed by one thread at a time."""

    def __init__(
        self,
        log: EventLog,
        sessions: GameSessions,
        titles: Mapping[str, Title],
        solver: RouteSolver,
        alarm: RulesAlarm,
        notifier: Notifier | None = None,
        quota: QuotaSettings = QuotaSettings(),  # noqa: B008  # frozen
    ) -> None:
        self._log = log
        self._sessions = sessions
        self._titles = titles
        self._solver = solver
        self._alarm = alarm
        self._notifier = notifier or LocalNotifier()
        self._events_max = quota.game_events
        self._followers: list[Follower] = []
        self._holds: dict[str, str] = {}
        self._bring_back: Callable[[str], None] = lambda _: None
        self.reader = GameReader(log, sessions, solver, self._notifier)

    def add_follower(self, follower: Follower) -> None:
        """Pass everything committed from now on to `follower`, before the caller gets the result."""
        self._followers.append(follower)

    def hold(self, game_id: str, reason: str) -> None:
        """Reject all commands of this game from now on. May be repeated."""
        self._holds[game_id] = reason

    def release(self, game_id: str) -> None:
        """Accept commands of this game again. May be repeated."""
        self._holds.pop(game_id, None)

    @property
    def held(self) -> frozenset[str]:
        """The games whose commands are all rejected."""
        return frozenset(self._holds.copy())

    def is_held(self, game_id: str) -> bool:
        """Whether all commands of this game are rejected."""
        return game_id in self._holds

    def before_roll_backs(self, bring_back: Callable[[str], None]) -> None:
        """Call `bring_back` with the id of each game that is to be rolled back, before it is read; it may raise `CallError`."""
        self._bring_back = bring_back

    def create(self, game_id: str, command: CreateGame | ImportGame) -> CommandResult:
        """Set a game up, or let one begin with the events it has elsewhere. A repeat gets the first result, another game for
        the same id the rejection `request_id_reused`."""
        decided = self._imported(command) if isinstance(command, ImportGame) else self._set_up(command)
        if isinstance(decided, Rejection):
            return CommandRejected(decided)
        request = Request(game_id, "", CREATION_REQUEST, 0, command)
        result = self._append(request, 0, decided.events)
        if isinstance(result, CommandAccepted) and not result.repeated:
            title = self._titles[decided.game.title]
            self._publish(result, game_id, decided.game, title, title.data_of(decided.game))
        return result

    def _set_up(self, command: CreateGame) -> core.Accepted | Rejection:
        title = self._titles.get(command.title)
        return _not_here(command.title) if title is None else core.create(title, command)

    def _imported(self, command: ImportGame) -> core.Accepted | Rejection:
        """The events are facts that the lobby's importer took from the rules or verified."""
        try:
            events = tuple(decoded(command.facts))
        except UnreadableEventError as problem:
            return _not_here(str(problem))
        game = replay(events)
        return core.Accepted(events, game) if game.title in self._titles else _not_here(game.title)

    def execute(self, request: Request, seconds: float | None = None) -> CommandResult:
        """Execute a command of a player or a director, or reject it. Raises `StaleSequenceError`, `UnknownGameError`: nothing
        changed then.

        `seconds` is not used: nothing here waits."""
        if is_roll_back(request.command):
            self._bring_back(request.game_id)
        with self._sessions.locked(request.game_id) as loaded:
            earlier = self.earlier_result(request)
            if earlier is not None:
                return earlier
            held_because = self._holds.get(request.game_id)
            if held_because is not None:
                return _rejected("ledger_hold", held_because)
            if request.expects(loaded.game.sequence):
                over_quota = self._over_quota(loaded, request)
                if over_quota is not None:
                    return over_quota
                decided, best_runs = self._decide(loaded, request)
                if isinstance(decided, Rejection):
                    return refused(decided, best_runs)
                return self._commit(loaded, request, decided)
        raise StaleSequenceError(request.expected_sequence, loaded.game.sequence)

    def record(self, request: Request, decided: core.Accepted) -> CommandResult:
        """Append what a trusted local tool decided from the latest state, as the result of `request`."""
        with self._sessions.locked(request.game_id) as loaded:
            return self.earlier_result(request) or self._commit(loaded, request, decided)

    def earlier_result(self, request: Request) -> CommandResult | None:
        """The result of a request accepted earlier, None if there is none. Its game may be unknown."""
        return earlier_result(self._log, request)

    def _over_quota(self, loaded: LoadedGame, request: Request) -> CommandResult | None:
        """The rejection of a player who has written enough into the game. Directors may always act."""
        if isinstance(request.command, Direct):
            return None
        most, sequence = most_events(request.command, self._events_max), loaded.game.sequence
        # Nobody has written more events than there are, so that most games need not be looked through.
        written = loaded.history.written(request.player, sequence) if sequence >= most else 0
        return _rejected("too_many_events", str(written)) if written >= most else None

    def _decide(
        self, loaded: LoadedGame, request: Request
    ) -> tuple[core.Accepted | Rejection, RouteSolution | None]:
        title, data, game = loaded.title, loaded.data, loaded.game
        move = move_in(request, game)
        try:
            best_runs = None if move is None else self._best_runs(loaded, move)
            if isinstance(request.command, Direct):
                command = with_least_move(loaded, request.command, best_runs)
                past = self._past(loaded, command.direction)
                return decide_direction(
                    title, data, game, request.player, command, best_runs, past
                ), best_runs
        except Rejected as rejected:
            return rejected.rejection(loaded.title.reasons), None
        if move is None:
            return Rejected("not_a_player", detail=request.player).rejection(), None
        if isinstance(move.command, Undo):
            past = self._past(loaded, move.command)
            return core.decide_undo(
                title, data, game, move.seat, move.command, past.earlier, past.since
            ), None
        return core.decide(title, data, game, move.seat, move.command, best_runs), best_runs

    def _past(self, loaded: LoadedGame, command: object) -> Past:
        """Where a command that takes back leads, nowhere for any other."""
        if not isinstance(command, Undo | RollBack):
            return Past()
        target = command.to_sequence
        since = loaded.history.since(target) if 0 < target < loaded.game.sequence else None
        return Past() if since is None else Past(self._sessions.state_at(loaded.game_id, target), since)

    def _best_runs(self, loaded: LoadedGame, move: Move) -> RouteSolution | None:
        """See `best_runs_for`. A solution that rules values differently is reported, and the title then uses its own figures."""
        game = loaded.game
        best_runs = best_runs_for(loaded, game, self._solver, move.seat, asked_of_routing(move.command))
        if best_runs is None:
            return None
        difference = reckon_for(loaded.title, game, loaded.data, best_runs).disagreement(best_runs)
        if difference:
            self._alarm.disagreed(loaded.game_id, game.sequence, difference)
        return best_runs

    def _commit(self, loaded: LoadedGame, request: Request, decided: core.Accepted) -> CommandResult:
        result = self._append(request, loaded.game.sequence, decided.events)
        if isinstance(result, CommandAccepted) and not result.repeated:
            loaded.advance(decided.game)
            loaded.history.add(request.request_id, request.player, EventRange(result.first, result.last))
            self._publish(result, request.game_id, decided.game, loaded.title, loaded.data)
            self._sessions.keep_snapshot(loaded)
        return result

    def _append(self, request: Request, expected: int, events: tuple[Event, ...]) -> CommandResult:
        """Write events and request in one append, after the event `expected`. Raises `StaleSequenceError` when another writer of
        the log was faster."""
        written_range = EventRange(expected + 1, expected + len(events))
        stored = RequestRecord(
            request.request_id, request.player, request.content(), encode_event_range(written_range)
        )
        records = [NewRecord(*encode_event(event)) for event in events]
        written = self._log.append(stream_of(request.game_id), expected, records, stored)
        if isinstance(written, Appended):
            return CommandAccepted(
                written.first, written.last, events=_game_events(request, records, written)
            )
        if isinstance(written, Conflict):
            raise StaleSequenceError(expected, written.actual)
        return _repeated(written.outcome, written.same_content)

    def _publish(
        self, result: CommandAccepted, game_id: str, game: Game, title: Title, data: TitleData
    ) -> None:
        """Notify the watchers and pass the events on to the followers."""
        self._notifier.publish(game_id)
        if not self._followers:
            return
        status = status_of(game_id, title, data, game, result.events[-1].recorded_time_ms)
        balances = balances_of(data, game)
        for follower in self._followers:
            try:
                follower.follow(game_id, result.events, status, balances)
            except Exception as problem:
                self._alarm.failed(game_id, result.last, problem)


def _game_events(request: Request, records: Sequence[NewRecord], written: Appended) -> tuple[GameEvent, ...]:
    """The events just written, as readers get them."""
    return tuple(
        envelope(record, request.game_id, sequence, request.request_id, written.recorded_time_ms)
        for sequence, record in enumerate(records, written.first)
    )


def earlier_result(log: EventLog, request: Request) -> CommandResult | None:
    """The result of a request accepted earlier, by the log; None if there is none."""
    known = log.outcome(stream_of(request.game_id), request.request_id)
    if known is None:
        return None
    return _repeated(known.outcome, (known.player, known.content_hash) == (request.player, request.content()))


def _not_here(what: str) -> Rejection:
    """Replicas of another version, or with other settings, may have the title, or know the event."""
    return Rejected("unknown_title", detail=what, retryable=True).rejection()


def _repeated(stored: bytes, same_content: bool) -> CommandResult:
    if not same_content:
        return _rejected("request_id_reused")
    events = decode_event_range(stored)
    return CommandAccepted(events.first, events.last, repeated=True)


def _rejected(code: str, detail: str = "") -> CommandRejected:
    return CommandRejected(Rejected(code, detail=detail).rejection())
