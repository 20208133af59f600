"""In-process adapters of the embedded host: the ports of each service, implemented by the handlers of another."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from services.common.auth.tokens import Principal
from services.common.balances import Balances
from services.common.clock import Clock
from services.common.eventlog.port import EventLog, Record
from services.common.telemetry.logs import get_logger
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.gen.signalbox.log.v1.log_pb2 import GameStatus
from services.ledger.convert import reported_balances
from services.ledger.handlers import Ledger, UnknownGameError as UnknownBookError
from services.lobby.domain.games import HoldChange
from services.lobby.handlers.clocks.holds import HoldChanges
from services.lobby.handlers.following import FollowedGames
from services.lobby.statuses import status_from
from services.routing.domain.problem import ProblemError, RouteProblem
from services.routing.domain.solution import RouteSolution
from services.routing.handlers import InvalidAnswerError
from services.routing.ports import SolverFailedError
from services.routing.questions import (
    PLATFORM,
    ClosingError,
    DeadlyQuestionError,
    OverloadedError,
    WaitedTooLongError,
)
from services.routing.service import RoutingService
from services.rules.adapters.routing import NOTHING_FOUND
from services.rules.handlers import Rules
from services.rules.history import STREAM_PREFIX, stream_of
from services.rules.ports import RoutingUnavailableError
from services.rules.sessions import UnknownGameError
from services.rules.status import status_of


class OwnRouting:
    """Rules' `RouteSolver` from the routing service of this host, whose workers serve the platform before players."""

    def __init__(self, routing: RoutingService, seconds: float) -> None:
        """`seconds`: how long to wait for an answer, also while the workers warm up; the search ends by then with the best
        runs found."""
        self._routing = routing
        self._seconds = seconds
        self._log = get_logger("rules")

    def solve(self, problem: RouteProblem) -> RouteSolution:
        """See `RouteSolver`. As with routing elsewhere, an answer that failed its check leaves the best runs unknown."""
        end = time.monotonic() + self._seconds
        try:
            return self._routing.solve(problem, PLATFORM, end, _never_cancelled).solution
        except InvalidAnswerError:
            self._log.error("routing withheld its answer", company=problem.company)
            return NOTHING_FOUND
        except (
            ClosingError,
            DeadlyQuestionError,
            OverloadedError,
            ProblemError,
            SolverFailedError,
            WaitedTooLongError,
        ) as failure:
            raise RoutingUnavailableError(repr(failure)) from failure


def _never_cancelled(_callback: Callable[[], None]) -> bool:
    return True


class HeldGames:
    """The ledger's `GameHold`: rules rejects commands, and the clocks of the lobby stand still."""

    def __init__(self, rules: Rules, changes: HoldChanges, clock: Clock) -> None:
        self._rules = rules
        self._changes = changes
        self._clock = clock

    def hold(self, game_id: str, reason: str) -> None:
        """See `GameHold`."""
        self._rules.hold(game_id, reason)
        self._changes.add(HoldChange(game_id, True, self._clock.now_ms()))

    def release(self, game_id: str) -> None:
        """See `GameHold`."""
        self._changes.add(HoldChange(game_id, False, self._clock.now_ms()))
        self._rules.release(game_id)


class LedgerFollower:
    """Rules' `Follower` that books what was committed and compares the books with rules."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def follow(
        self, game_id: str, events: Sequence[GameEvent], status: GameStatus, balances: Balances
    ) -> None:
        """See `Follower`."""
        self._ledger.handle(game_id, events)
        self._ledger.audit(game_id, reported_balances(status.sequence, balances))


class LobbyFollower:
    """Rules' `Follower` that passes results, clocks and summaries to the lobby, and what it missed on `catch_up`:
    everything written before it followed, as in an older file, and what the lobby failed to take."""

    def __init__(self, log: EventLog, rules: Rules, followed: FollowedGames) -> None:
        self._log = log
        self._rules = rules
        self._followed = followed
        self._missed: set[str] = set()
        self._knows_all = False

    def follow(
        self, game_id: str, events: Sequence[GameEvent], status: GameStatus, balances: Balances
    ) -> None:
        """See `Follower`."""
        try:
            if self._has_clock(game_id) and (game_id in self._missed or not self._knows_all):
                # Time is charged in the order in which it passed.
                self._catch_up(game_id)
            self._followed.follow_status(status_from(status))
        except Exception:
            self._missed.add(game_id)
            raise

    def catch_up(self, is_cancelled: Callable[[], bool]) -> None:
        """Bring every game that needs it up to date; the lists are complete then. A game that cannot be read stays out."""
        if not self._knows_all:
            self._missed.update(each.removeprefix(STREAM_PREFIX) for each in self._log.streams(STREAM_PREFIX))
            self._knows_all = True
        for game_id in sorted(self._missed):
            if is_cancelled():
                return
            try:
                self._catch_up(game_id)
            except Exception as problem:
                get_logger("lobby").error("game not listed", game_id=game_id, problem=repr(problem))
            else:
                self._missed.discard(game_id)
        if not self._missed:
            self._followed.summaries.mark_complete()

    def _catch_up(self, game_id: str) -> None:
        summary = self._followed.summaries.get(game_id)
        missed = self._log.read(stream_of(game_id), 0 if summary is None else summary.sequence)
        if not missed:
            return
        try:
            for last in self._positions(game_id, missed):
                found = self._rules.reader.game_at(game_id, last.sequence)
                loaded = found.loaded
                status = status_of(game_id, loaded.title, loaded.data, found.game, last.recorded_time_ms)
                self._followed.follow_status(status_from(status))
        except UnknownGameError:
            # A game of a title that is not installed: nobody can play it, so there is nothing to pass on.
            return

    def _positions(self, game_id: str, missed: Sequence[Record]) -> Sequence[Record]:
        """The events whose statuses count: the last one, and for clocks the last of each instant, at which somebody's time
        began or ended."""
        if not self._has_clock(game_id):
            return missed[-1:]
        last_of_instants = {each.recorded_time_ms: each for each in missed}
        return sorted(last_of_instants.values(), key=lambda each: each.sequence)

    def _has_clock(self, game_id: str) -> bool:
        table = self._followed.directory.of_game(game_id)
        return table is not None and table.clock is not None


class OwnSight:
    """The ledger's `GameSight` from the rules reader."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def seen_by(self, game_id: str, caller: Principal, authorization: str) -> int | None:
        """See `GameSight`."""
        try:
            return self._rules.reader.seen_by(game_id, caller.player_id)
        except UnknownGameError as unknown:
            raise UnknownBookError(game_id) from unknown


class RulesLog:
    """The ledger's `EventSource` from the rules reader."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def events(self, game_id: str, after: int) -> Sequence[GameEvent]:
        """See `EventSource`."""
        try:
            return self._rules.reader.events(game_id, after)
        except UnknownGameError:
            return ()
