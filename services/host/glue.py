"""Where the services meet inside one process: each one's port, answered by another one's handlers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.ledger.domain.audit import RulesReport
from services.ledger.handlers import Ledger
from services.lobby.domain.catalogue import OptionOffer, RulingOffer, RulingSelection, TitleOffer, UndoPolicy
from services.lobby.domain.players import Player
from services.lobby.ports import GameStartFailed
from services.rules.catalogue import PEER_PROFILE, SetUpRefused, TableRulings, start
from services.rules.domain.title import Title
from services.rules.handlers import Rules
from services.rules.ports import Standing
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
    """The lobby's `GameStarter` from the rules handlers."""

    def __init__(self, rules: Rules, titles: Mapping[str, Title]) -> None:
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
