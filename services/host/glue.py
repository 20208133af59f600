"""Where the services meet inside one process: each one's port, answered by another one's handlers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from services.common.eventlog.port import EventLog
from services.common.telemetry.logs import get_logger
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.ledger.domain.audit import RulesReport
from services.ledger.handlers import Ledger
from services.lobby.domain.catalogue import OptionOffer, RulingOffer, RulingSelection, TitleOffer, UndoPolicy
from services.lobby.domain.games import GameResult, GameStanding
from services.lobby.domain.players import Player
from services.lobby.handlers.following import FollowedGames
from services.lobby.ports import GameStartFailed
from services.rules.catalogue import PEER_PROFILE, GameCreator, SetUpRefused, TableRulings, start
from services.rules.domain.title import Title
from services.rules.handlers import Rules
from services.rules.history import STREAM_PREFIX, stream_of
from services.rules.ports import Standing
from services.rules.reading import standing_of
from services.rules.sessions import UnknownGameError


class RulesCatalogue:
    """The lobby's `TitleCatalogue` from the installed titles."""

    def __init__(self, titles: Mapping[str, Title]) -> None:
        self._titles = titles

    def offer(self, title: str) -> TitleOffer | None:
        """See `TitleCatalogue`."""
        known = self._titles.get(title)
        if known is None:
            return None
        counts = tuple(known.player_counts)
        return TitleOffer(
            title=known.name,
            player_counts=counts,
            options=tuple(OptionOffer(option, counts) for option in known.options),
            ruling_profiles=(PEER_PROFILE,),
            rulings=tuple(RulingOffer(ruling.name, ruling.values) for ruling in known.rulings),
        )


class RulesStarter:
    """The lobby's `GameStarter` from the rules handlers, or from the way to them."""

    def __init__(self, rules: GameCreator, titles: Mapping[str, Title]) -> None:
        self._rules = rules
        self._titles = titles

    def start_game(
        self,
        game_id: str,
        title: str,
        players: tuple[Player, ...],
        options: tuple[str, ...],
        rulings: RulingSelection,
        undo_policy: UndoPolicy,
        seed: int,
    ) -> None:
        """See `GameStarter`."""
        chosen = TableRulings(rulings.profile, {each.ruling_id: each.value for each in rulings.single})
        seats = [player.player_id for player in players]
        try:
            start(self._rules, self._titles, game_id, title, seats, options, chosen, undo_policy, seed)
        except SetUpRefused as refused:
            raise GameStartFailed(str(refused)) from refused


class LedgerFollower:
    """Rules' `Follower` that books what was committed and compares the books with rules."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def follow(self, game_id: str, events: Sequence[GameEvent], standing: Standing) -> None:
        """See `Follower`."""
        self._ledger.handle(game_id, events)
        report = RulesReport(standing.sequence, standing.cash, standing.percents, standing.debts)
        self._ledger.audit(game_id, report)


class LobbyFollower:
    """Rules' `Follower` that hands results, clocks and cards to the lobby, and what it missed when it is told to catch up:
    everything written before it followed, as in an older file, and what the lobby failed to take."""

    def __init__(self, log: EventLog, rules: Rules, followed: FollowedGames) -> None:
        self._log = log
        self._rules = rules
        self._followed = followed
        self._missed: set[str] = set()
        self._knows_all = False

    def follow(self, game_id: str, events: Sequence[GameEvent], standing: Standing) -> None:
        """See `Follower`."""
        try:
            self._followed.follow_standing(lobby_standing(game_id, standing))
        except Exception:
            self._missed.add(game_id)
            raise

    def catch_up(self, is_unwanted: Callable[[], bool]) -> None:
        """Bring every game that needs it up to date; the lists are complete then. A game that cannot be read stays out."""
        if not self._knows_all:
            self._missed.update(each.removeprefix(STREAM_PREFIX) for each in self._log.streams(STREAM_PREFIX))
            self._knows_all = True
        for game_id in sorted(self._missed):
            if is_unwanted():
                return
            try:
                self._catch_up(game_id)
            except Exception as problem:
                get_logger("lobby").error("game not listed", game_id=game_id, problem=repr(problem))
            else:
                self._missed.discard(game_id)
        if not self._missed:
            self._followed.cards.mark_complete()

    def _catch_up(self, game_id: str) -> None:
        card = self._followed.cards.get(game_id)
        missed = self._log.read(stream_of(game_id), 0 if card is None else card.sequence)
        if not missed:
            return
        try:
            at = self._rules.reader.standing(game_id)
        except UnknownGameError:
            # A game of a title that is not installed: nobody can play it, so nothing is to be told of it.
            return
        standing = standing_of(at.hot.title, at.hot.data, at.game, missed[-1].recorded_time_ms)
        self._followed.follow_standing(lobby_standing(game_id, standing))


def lobby_standing(game_id: str, standing: Standing) -> GameStanding:
    """A standing as the lobby takes it."""
    return GameStanding(
        game_id=game_id,
        sequence=standing.sequence,
        title=standing.title,
        players=standing.players,
        acting_players=standing.acting_players,
        round_kind=standing.round_kind,
        turn=standing.turn,
        round_number=standing.round_number,
        phase=standing.phase,
        actor=standing.actor,
        ending=standing.ending,
        results=tuple(GameResult(each.player, each.value) for each in standing.results),
        time_ms=standing.recorded_time_ms,
    )


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
