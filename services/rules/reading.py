"""Reads games: state, choices, past events, and events as they happen."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from services.common.clock import Clock, SystemClock
from services.common.eventlog.port import EventLog
from services.common.notifier import Notifier
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.routing.domain.solution import RouteSolution
from services.rules.adapters.records import decoded
from services.rules.history import stream_of
from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Undo
from services.rules.kernel.decide import Accepted, choices, decide_undo
from services.rules.kernel.directing.events import AudienceSet
from services.rules.kernel.game import Game
from services.rules.kernel.sentences import Names, Sentence, sentence_of
from services.rules.kernel.stepclauses import Clauses, clauses_of
from services.rules.kernel.values import EVERYBODY
from services.rules.parts.trains.bestruns import best_runs_of, problem_for, reckon_for
from services.rules.parts.trains.commands import RunTrains
from services.rules.parts.trains.runs import as_drawn
from services.rules.ports import RouteSolver, RoutingUnavailableError
from services.rules.requests import CommandRejected
from services.rules.sessions import (
    GameSessions,
    LoadedGame,
    UnreachedSequenceError,
    not_reached,
    unknown_game,
)
from services.rules.valuing import ValuedRuns, value_runs

# No replica is further behind another one that serves.
AHEAD_MAX = 1_000


@dataclass(frozen=True, slots=True)
class Options:
    """Everything a player may do at `sequence`. `best_runs`: where they were requested and trains may run. `clauses`: of the
    rulebook, by the kind of command."""

    sequence: int
    choices: tuple[Choice, ...]
    best_runs: RouteSolution | None
    clauses: Clauses


@dataclass(frozen=True, slots=True)
class GameAt:
    """The state of a game at one sequence, with its title and options."""

    loaded: LoadedGame
    game: Game


class GameReader:
    """Reads games. Takes no locks and changes nothing."""

    def __init__(
        self,
        log: EventLog,
        sessions: GameSessions,
        solver: RouteSolver,
        notifier: Notifier,
        timeout_seconds: float = 0.0,
        clock: Clock | None = None,
    ) -> None:
        """`timeout_seconds`: how long a caller may wait until a log that others write shows what is committed."""
        self._clock = clock or SystemClock()
        self._log = log
        self._sessions = sessions
        self._solver = solver
        self._notifier = notifier
        self.timeout_seconds = timeout_seconds

    def game_at(self, game_id: str, at_sequence: int = 0) -> GameAt:
        """The game at a sequence, 0 for the latest. Raises `UnknownGameError`, `UnreachedSequenceError`."""
        loaded = self._sessions.get(game_id)
        return GameAt(loaded, self._sessions.state_at(game_id, at_sequence) if at_sequence else loaded.game)

    def seen_by(self, game_id: str, account: str) -> int | None:
        """The sequence up to which an account sees the game, None where it sees all of it.

        Raises `UnknownGameError` for an account that sees nothing, as for a game that is not there."""
        loaded = self._sessions.get(game_id)
        game, audience = loaded.game, loaded.game.audience
        if audience == EVERYBODY or account in audience.readers or game.seat_of(account) is not None:
            return None
        if audience.is_invited:
            raise unknown_game(game_id)
        if game.finished:
            return None
        until_ms = self._clock.now_ms() - 1000 * audience.delay_seconds if audience.delay_seconds else None
        return loaded.history.shown_until(game.sequence, audience.delay_moves, until_ms)

    def is_for_everybody(self, game_id: str) -> bool:
        """Whether everybody sees all of the game; that never changes. Raises `UnknownGameError`."""
        return self._sessions.get(game_id).game.audience == EVERYBODY

    def options(
        self, game_id: str, player: str, with_best_runs: bool = False, at_sequence: int = 0
    ) -> Options:
        """What `player` may do at a sequence, 0 for now. `with_best_runs`: trains that may run get the best runs, if routing
        answers and the rules accept them."""
        found_game = self.game_at(game_id, at_sequence)
        loaded, game = found_game.loaded, found_game.game
        found = choices(loaded.title, loaded.data, game, player)
        best_runs = None
        runs_open = any(choice.open_field == "runs" for choice in found)
        if with_best_runs and runs_open and best_runs_of(loaded.title) is not None:
            found, best_runs = self._with_best_runs(loaded, game, found)
        clauses = clauses_of(loaded.title, loaded.data, game) if found else {}
        return Options(game.sequence, found, best_runs, clauses)

    def undo_target(self, game_id: str, seat: str) -> int:
        """Where `Undo` of a seat leads that takes back the last command that stands; 0 where it would be refused. Raises
        `UnknownGameError`."""
        loaded = self._sessions.get(game_id)
        game, history = loaded.game, loaded.history
        target = history.before_last(game.sequence)
        since = history.since(target) if target else None
        if since is None:
            return 0
        earlier, undo = self._sessions.state_at(game_id, target), Undo(target)
        decided = decide_undo(loaded.title, loaded.data, game, seat, undo, earlier, since)
        return target if isinstance(decided, Accepted) else 0

    def valued_runs(self, game_id: str, seat: str, command: RunTrains) -> ValuedRuns | CommandRejected:
        """What runs of a seat would earn now, or why they would be refused. Raises `UnknownGameError`."""
        found = self.game_at(game_id)
        return value_runs(found.loaded, found.game, self._solver, seat, command)

    def events(self, game_id: str, after: int = 0, up_to: int | None = None) -> list[GameEvent]:
        """The game's events after one sequence and up to another, in order."""
        self.check_reached(game_id, after)
        return self.logged(game_id, after, up_to)

    def sentences(self, game_id: str, after: int, up_to: int) -> list[Sentence]:
        """A sentence for each of these events, in order."""
        loaded = self._sessions.get(game_id)
        names = Names(frozenset(loaded.game.players), loaded.data.holders())
        return [
            sentence_of(event, loaded.title.sentences, names)
            for event in decoded(self._log.read(stream_of(game_id), after, up_to))
        ]

    def check_reached(self, game_id: str, sequence: int) -> None:
        """Raises `UnreachedSequenceError` for a sequence beyond the game, `UnknownGameError`."""
        reached = self._sessions.get(game_id).game.sequence
        if sequence > reached:
            raise not_reached(reached, sequence)

    def logged(self, game_id: str, after: int, up_to: int | None) -> list[GameEvent]:
        """Events from the log, which may be ahead of the state in memory for a moment."""
        history = self._sessions.get(game_id).history
        return history.game_events(self._log.read(stream_of(game_id), after, up_to))

    def last_sequence(self, game_id: str) -> int:
        """Sequence of the game's last event."""
        return self._sessions.get(game_id).game.sequence

    def has_reached(self, game_id: str, sequence: int) -> bool:
        """Whether the game can be read up to `sequence`.

        Raises `UnreachedSequenceError` for a sequence so far ahead that nobody can know it, `UnknownGameError`."""
        reached = self.last_sequence(game_id)
        if sequence > reached + AHEAD_MAX:
            raise UnreachedSequenceError(
                f"the game is at sequence {reached}; {sequence} is more than {AHEAD_MAX} ahead of it"
            )
        return reached >= sequence

    def is_known(self, game_id: str, sequence: int) -> bool:
        """Whether everybody sees all of the game, and this is the sequence of its last event, by the log alone: the game need
        not come into memory. False as well where there is no such game."""
        stream = stream_of(game_id)
        latest = self._log.read(stream, sequence - 1, sequence + 1)
        if [each.sequence for each in latest] != [sequence]:
            return False
        # An audience is set right after the game is created, or never.
        return not any(isinstance(event, AudienceSet) for event in decoded(self._log.read(stream, 0, 2)))

    def seat_of(self, game_id: str, account: str) -> str | None:
        """The seat that an account plays now, None if it plays none. Raises `UnknownGameError`."""
        return self._sessions.get(game_id).game.seat_of(account)

    def is_stale(self, game_id: str, request_id: str, expected: int) -> bool:
        """Whether a request that expects this sequence comes too late. False for a repeat of an accepted one, which gets the
        first result. Raises `UnknownGameError`."""
        # In this order: the log has the outcome of every request whose events the state has.
        return (
            expected < self.last_sequence(game_id)
            and self._log.outcome(stream_of(game_id), request_id) is None
        )

    @property
    def notifier(self) -> Notifier:
        """Publishes the id of a game when it has new events."""
        return self._notifier

    def end_watches(self) -> None:
        """End all watches, now and later."""
        self._notifier.close()

    def _with_best_runs(
        self, loaded: LoadedGame, game: Game, found: tuple[Choice, ...]
    ) -> tuple[tuple[Choice, ...], RouteSolution | None]:
        filled = []
        solution = None
        for choice in found:
            command = choice.command
            if choice.open_field == "runs" and isinstance(command, RunTrains):
                problem = problem_for(loaded.title, game, loaded.data, command.company)
                try:
                    solution = self._solver.solve(problem)
                except RoutingUnavailableError:
                    return found, None
                if reckon_for(loaded.title, game, loaded.data, solution).refusal:
                    return found, None
                choice = replace(choice, command=replace(command, runs=as_drawn(problem, solution)))
            filled.append(choice)
        return tuple(filled), solution
