"""What the rules service does, whoever hosts it: sets games up and carries out commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b

import msgspec

from services.common.eventlog.port import Appended, Conflict, EventLog, NewRecord, RequestRecord
from services.common.notifier import Bell, LocalBell
from services.routing.domain.solution import RouteSolution
from services.rules.adapters.codec import EVENT_SCHEMA_VERSION, encode_event
from services.rules.domain import decide as core
from services.rules.domain.commands import Command, CreateGame, Undo
from services.rules.domain.events import Event
from services.rules.domain.game import Game
from services.rules.domain.rejections import Refused, Rejection
from services.rules.domain.title import Title
from services.rules.domain.titledata import TitleData
from services.rules.history import History, Outcome, read_outcome, stored_outcome, stream_of
from services.rules.ports import Follower, RouteSolver, RoutingUnavailableError, RulesAlarm
from services.rules.reading import GameReader, standing_of
from services.rules.sessions import GameSessions, HotGame

CREATION_REQUEST = "create"
NUL = "\0"
"""No id of a game or a request has one: too much of what they pass through ends a text there."""


class StaleSequenceError(Exception):
    """The game stands at `actual`, the request expected another sequence."""

    def __init__(self, expected: int, actual: int) -> None:
        self.expected = expected
        self.actual = actual
        super().__init__(f"the game stands at sequence {actual}, the request expects {expected}")


@dataclass(frozen=True, slots=True)
class Request:
    """Who asks for what. `expected_sequence` is the last event the player knew; `request_id` is unique in the game."""

    game_id: str
    player: str
    request_id: str
    expected_sequence: int
    command: Command

    def content(self) -> bytes:
        """A hash of all that was asked for."""
        said = (self.expected_sequence, type(self.command).__name__, self.command)
        return blake2b(msgspec.msgpack.encode(said), digest_size=16).digest()


@dataclass(frozen=True, slots=True)
class CarriedOut:
    """A command's events `first` to `last` are in the log. `repeated`: since before, this is the first outcome again."""

    first: int
    last: int
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class TurnedDown:
    """A command changed nothing. `best_runs` are shown when a better run was possible."""

    rejection: Rejection
    best_runs: RouteSolution | None = None


Result = CarriedOut | TurnedDown


class Rules:
    """The writing half of the rules service. Safe to use from many threads; a game is moved on by one at a time."""

    def __init__(
        self,
        log: EventLog,
        sessions: GameSessions,
        titles: Mapping[str, Title],
        solver: RouteSolver,
        alarm: RulesAlarm,
        bell: Bell | None = None,
    ) -> None:
        self._log = log
        self._sessions = sessions
        self._titles = titles
        self._solver = solver
        self._alarm = alarm
        self._bell = bell or LocalBell()
        self._followers: list[Follower] = []
        self._holds: dict[str, str] = {}
        self.reader = GameReader(log, sessions, solver, self._bell)

    def add_follower(self, follower: Follower) -> None:
        """From now on `follower` is told of everything committed, before the caller has the outcome."""
        self._followers.append(follower)

    def hold(self, game_id: str, reason: str) -> None:
        """Take no command in this game from now on. May be repeated."""
        self._holds[game_id] = reason

    def release(self, game_id: str) -> None:
        """Take commands in this game again. May be repeated."""
        self._holds.pop(game_id, None)

    def create(self, game_id: str, command: CreateGame) -> Result:
        """Set a game up. The same again is a repeat, another game under the same id `request_id_reused`."""
        title = self._titles.get(command.title)
        if title is None:
            return _turned_down("unknown_title", command.title)
        decided = core.create(title, command)
        if isinstance(decided, Rejection):
            return TurnedDown(decided)
        request = Request(game_id, "", CREATION_REQUEST, 0, command)
        result = self._append(request, decided.events)
        if isinstance(result, CarriedOut) and not result.repeated:
            data = title.load(decided.game.options, decided.game.rulings)
            self._tell(game_id, History(self._log, game_id), result, decided.game, title, data)
        return result

    def execute(self, request: Request, seconds: float | None = None) -> Result:
        """Carry out a command or say why not. Raises `StaleSequenceError`, `UnknownGameError`: nothing changed then.

        It is done at once, however many `seconds` the caller would wait."""
        with self._sessions.moving(request.game_id) as hot:
            earlier = self.earlier_outcome(request)
            if earlier is not None:
                return earlier
            held_because = self._holds.get(request.game_id)
            if held_because is not None:
                return _turned_down("ledger_hold", held_because)
            if request.expected_sequence == hot.game.sequence:
                decided, best_runs = self._decide(hot, request)
                if isinstance(decided, Rejection):
                    return TurnedDown(decided, best_runs if decided.code == "route_not_best" else None)
                return self._carry_out(hot, request, decided)
        raise StaleSequenceError(request.expected_sequence, hot.game.sequence)

    def record(self, request: Request, decided: core.Accepted) -> Result:
        """Append what a trusted local tool decided over the latest state, as the outcome of `request`."""
        with self._sessions.moving(request.game_id) as hot:
            return self.earlier_outcome(request) or self._carry_out(hot, request, decided)

    def earlier_outcome(self, request: Request) -> Result | None:
        """What became of a request carried out before, nothing if none was. Its game may be unknown."""
        known = self._log.outcome(stream_of(request.game_id), request.request_id)
        if known is None:
            return None
        return _repeated(
            known.outcome, (known.player, known.content_hash) == (request.player, request.content())
        )

    def _decide(
        self, hot: HotGame, request: Request
    ) -> tuple[core.Accepted | Rejection, RouteSolution | None]:
        title, data, game, command = hot.title, hot.data, hot.game, request.command
        if isinstance(command, Undo):
            target = command.to_sequence
            since = hot.history.since(target) if 0 < target < game.sequence else None
            earlier = Game() if since is None else self._sessions.state_at(hot.game_id, target)
            return core.decide_undo(title, data, game, request.player, command, earlier, since or ()), None
        try:
            best_runs = self._best_runs(hot, request)
        except Refused as refused:
            return refused.rejection, None
        return core.decide(title, data, game, request.player, command, best_runs), best_runs

    def _best_runs(self, hot: HotGame, request: Request) -> RouteSolution | None:
        """The best runs known where the command needs them, nothing when routing does not answer: the title then refuses.
        Nobody but who may act can set the solver to work. What the rules reckon otherwise is reported, and the title then
        goes by its own reckoning."""
        if request.player not in core.acting_players(hot.title, hot.data, hot.game):
            return None
        question = hot.title.route_question(hot.game, hot.data, request.command)
        if question is None:
            return None
        try:
            best_runs = self._solver.solve(question)
        except RoutingUnavailableError:
            return None
        difference = hot.title.reckon(hot.game, hot.data, best_runs).disagreement(best_runs)
        if difference:
            self._alarm.disagreed(request.game_id, hot.game.sequence, difference)
        return best_runs

    def _carry_out(self, hot: HotGame, request: Request, decided: core.Accepted) -> Result:
        result = self._append(request, decided.events)
        if isinstance(result, CarriedOut) and not result.repeated:
            hot.advance(decided.game)
            hot.history.add(request.request_id, result.last)
            self._tell(request.game_id, hot.history, result, decided.game, hot.title, hot.data)
            self._sessions.keep_snapshot(hot)
        return result

    def _append(self, request: Request, events: tuple[Event, ...]) -> Result:
        """Write events and outcome as one. `StaleSequenceError` when another writer of the log was faster."""
        expected = request.expected_sequence
        outcome = Outcome(expected + 1, expected + len(events))
        stored = RequestRecord(request.request_id, request.player, request.content(), stored_outcome(outcome))
        records = [
            NewRecord(name, EVENT_SCHEMA_VERSION, payload) for name, payload in map(encode_event, events)
        ]
        written = self._log.append(stream_of(request.game_id), expected, records, stored)
        if isinstance(written, Appended):
            return CarriedOut(written.first, written.last)
        if isinstance(written, Conflict):
            raise StaleSequenceError(expected, written.actual)
        return _repeated(written.outcome, written.same_content)

    def _tell(
        self, game_id: str, history: History, result: CarriedOut, game: Game, title: Title, data: TitleData
    ) -> None:
        self._bell.announce(game_id)
        if not self._followers:
            return
        records = self._log.read(stream_of(game_id), result.first - 1, result.last)
        events = history.game_events(records)
        standing = standing_of(title, data, game, records[-1].recorded_time_ms)
        for follower in self._followers:
            try:
                follower.follow(game_id, events, standing)
            except Exception as problem:
                self._alarm.failed(game_id, result.last, problem)


def _repeated(stored: bytes, same_content: bool) -> Result:
    if not same_content:
        return _turned_down("request_id_reused")
    outcome = read_outcome(stored)
    return CarriedOut(outcome.first, outcome.last, repeated=True)


def _turned_down(code: str, detail: str = "") -> TurnedDown:
    return TurnedDown(Refused(code, detail=detail).rejection)
