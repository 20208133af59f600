"""What everybody may know of a game: how it stands, what may be done, what happened, and what happens next."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from services.common.eventlog.port import EventLog
from services.common.notifier import Bell
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.routing.domain.solution import RouteSolution
from services.rules.domain.choice import Choice
from services.rules.domain.commands import RunTrains
from services.rules.domain.decide import acting_players, choices
from services.rules.domain.game import Game
from services.rules.domain.runs import as_drawn
from services.rules.domain.shares import percent_of
from services.rules.domain.title import Title
from services.rules.domain.titledata import TitleData
from services.rules.history import stream_of
from services.rules.ports import RouteSolver, RoutingUnavailableError, Standing
from services.rules.sessions import GameSessions, HotGame, UnknownGameError, UnreachedSequenceError

WATCH_BATCH = 200


@dataclass(frozen=True, slots=True)
class Options:
    """Everything a player may do at `sequence`; `best_runs` where they were asked for and runs are open."""

    sequence: int
    choices: tuple[Choice, ...]
    best_runs: RouteSolution | None


@dataclass(frozen=True, slots=True)
class GameAt:
    """A game at one sequence with what its table plays."""

    hot: HotGame
    game: Game


class GameReader:
    """The reading half of the rules service. Takes no locks and changes nothing."""

    def __init__(
        self,
        log: EventLog,
        sessions: GameSessions,
        solver: RouteSolver,
        bell: Bell,
        patience_seconds: float = 0.0,
    ) -> None:
        """`patience_seconds`: how long a log that others write to may take to show what is committed."""
        self._log = log
        self._sessions = sessions
        self._solver = solver
        self._bell = bell
        self._patience_seconds = patience_seconds

    def standing(self, game_id: str, at_sequence: int = 0) -> GameAt:
        """The game at a sequence, 0 for now. `UnknownGameError`, `UnreachedSequenceError`."""
        hot = self._sessions.look(game_id)
        return GameAt(hot, self._sessions.state_at(game_id, at_sequence) if at_sequence else hot.game)

    def options(self, game_id: str, player: str, with_best_runs: bool = False) -> Options:
        """What `player` may do now. With best runs the open runs are filled with them while routing answers, unless the
        rules refuse them."""
        hot = self._sessions.look(game_id)
        game = hot.game
        found = choices(hot.title, hot.data, game, player)
        best_runs = None
        if with_best_runs and any(choice.open_field == "runs" for choice in found):
            found, best_runs = self._with_best_runs(hot, game, found)
        return Options(game.sequence, found, best_runs)

    def events(self, game_id: str, after: int = 0, up_to: int | None = None) -> list[GameEvent]:
        """The game's events after one sequence and up to another, in order."""
        self._check_reached(game_id, after)
        return self._events(game_id, after, up_to)

    def _check_reached(self, game_id: str, sequence: int) -> None:
        reached = self._sessions.look(game_id).game.sequence
        if sequence > reached:
            raise UnreachedSequenceError(f"the game stands at sequence {reached}, not yet at {sequence}")

    def _events(self, game_id: str, after: int, up_to: int | None) -> list[GameEvent]:
        """From the log alone, which may be ahead of the state in memory for a moment."""
        history = self._sessions.look(game_id).history
        return history.game_events(self._log.read(stream_of(game_id), after, up_to))

    def last_sequence(self, game_id: str) -> int:
        """Sequence of the game's last event."""
        return self._sessions.look(game_id).game.sequence

    def reach(self, game_id: str, sequence: int, seconds: float) -> bool:
        """Wait until the game can be read up to `sequence`, `seconds` at most and never beyond what is reasonable.

        At once False for a game that does not exist."""
        end = time.monotonic() + min(seconds, self._patience_seconds)
        try:
            return self.last_sequence(game_id) >= sequence or self._comes_to(game_id, sequence, end)
        except UnknownGameError:
            return False

    def _comes_to(self, game_id: str, sequence: int, end: float) -> bool:
        with self._bell.listening(game_id) as listener:
            while not self._bell.closed:
                listener.expect()
                if self.last_sequence(game_id) >= sequence:
                    return True
                remaining = end - time.monotonic()
                if remaining <= 0:
                    return False
                listener.wait(remaining)
        return False

    def watch(self, game_id: str, after: int, goes_on: Callable[[], bool]) -> Iterator[GameEvent]:
        """Every event after `after`, then each as it happens, while `goes_on` and until `end_watches`. A slow reader
        delays nobody: it reads from the log at its own pace."""
        with self._bell.listening(game_id) as listener:
            self._check_reached(game_id, after)
            while goes_on() and not self._bell.closed:
                listener.expect()
                batch = self._events(game_id, after, after + WATCH_BATCH)
                if not batch:
                    listener.wait()
                for event in batch:
                    after = event.sequence
                    yield event

    def end_watches(self) -> None:
        """Let everybody who watches go; nobody can watch from now on."""
        self._bell.close()

    def _with_best_runs(
        self, hot: HotGame, game: Game, found: tuple[Choice, ...]
    ) -> tuple[tuple[Choice, ...], RouteSolution | None]:
        filled = []
        solution = None
        for choice in found:
            command = choice.command
            if choice.open_field == "runs" and isinstance(command, RunTrains):
                problem = hot.title.route_problem(game, hot.data, command.company)
                try:
                    solution = self._solver.solve(problem)
                except RoutingUnavailableError:
                    return found, None
                if hot.title.reckon(game, hot.data, solution).refusal:
                    return found, None
                choice = replace(choice, command=replace(command, runs=as_drawn(problem, solution)))
            filled.append(choice)
        return tuple(filled), solution


def standing_of(title: Title, data: TitleData, game: Game, recorded_time_ms: int = 0) -> Standing:
    """How the game stands, for whoever audits it, lists it or waits for its end."""
    percents = {
        (holder, company): percent_of(data, company, numbers)
        for (holder, company), numbers in game.holdings.items()
    }
    current = game.round
    return Standing(
        sequence=game.sequence,
        cash=game.cash,
        percents=percents,
        debts=game.debts,
        title=game.title,
        players=game.players,
        acting_players=acting_players(title, data, game),
        round_kind="" if current is None else current.kind,
        turn=0 if current is None else current.turn,
        round_number=0 if current is None else current.number,
        phase=game.phase,
        actor=game.actor,
        ending=game.ending if game.finished else "",
        results=game.scores if game.finished else (),
        recorded_time_ms=recorded_time_ms,
    )
