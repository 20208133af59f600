"""Ports of the lobby to set games up, implemented with the rules' own handlers, or the way to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from services.lobby.domain.catalogue import (
    OptionOffer,
    RulingOffer,
    RulingSelection,
    TableChoices,
    TitleOffer,
    TitleRefusal,
    UndoPolicy,
)
from services.lobby.domain.players import Player
from services.lobby.domain.visibility import FOR_EVERYBODY, GameAudience
from services.lobby.ports import GameStartFailed, GameStartRefused
from services.rules.adapters.imported_games import unpacked_game
from services.rules.catalogue import (
    PEER_PROFILE,
    GameCreator,
    SetUpRejected,
    TableRulings,
    TitleNotInstalled,
    begin,
    rulings_of,
    start,
)
from services.rules.kernel.decide import check_choices
from services.rules.kernel.title import Title
from services.rules.kernel.values import Audience


class RulesCatalogue:
    """The lobby's `TitleCatalogue` from the installed titles."""

    def __init__(self, titles: Mapping[str, Title]) -> None:
        self._titles = titles

    def titles(self) -> tuple[str, ...]:
        """See `TitleCatalogue`."""
        return tuple(self._titles)

    def offer(self, title: str) -> TitleOffer | None:
        """See `TitleCatalogue`."""
        known = self._titles.get(title)
        if known is None:
            return None
        counts = known.all_player_counts
        return TitleOffer(
            title=known.name,
            player_counts=counts,
            options=tuple(
                OptionOffer(option.name, option.player_counts or tuple(known.player_counts))
                for option in known.options
            ),
            ruling_profiles=(PEER_PROFILE,),
            rulings=tuple(RulingOffer(ruling.name, ruling.values) for ruling in known.rulings),
        )

    def refusal(self, choices: TableChoices) -> TitleRefusal | None:
        """See `TitleCatalogue`."""
        title = self._titles[choices.title]
        rulings = rulings_of(title, _table_rulings(choices.rulings))
        rejection = check_choices(title, choices.options, rulings, choices.player_count)
        return None if rejection is None else TitleRefusal(rejection.message, rejection.clause)


def _table_rulings(rulings: RulingSelection) -> TableRulings:
    return TableRulings(rulings.profile, {each.ruling_id: each.value for each in rulings.single})


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
        audience: GameAudience = FOR_EVERYBODY,
    ) -> None:
        """See `GameStarter`."""
        chosen = _table_rulings(rulings)
        seats = [player.player_id for player in players]
        seen_by = Audience(
            audience.is_invited, audience.readers, audience.delay_moves, audience.delay_seconds
        )
        with _starting():
            start(
                self._rules, self._titles, game_id, title, seats, options, chosen, undo_policy, seed, seen_by
            )

    def continue_game(self, game_id: str, events: bytes) -> None:
        """See `GameStarter`."""
        with _starting():
            begin(self._rules, game_id, unpacked_game(events))


@contextmanager
def _starting() -> Iterator[None]:
    """Turns the errors of rules into those of the port."""
    try:
        yield
    except TitleNotInstalled as missing:
        raise GameStartFailed(str(missing)) from missing
    except SetUpRejected as rejected:
        rejection = rejected.rejection
        if rejection.retryable:
            raise GameStartFailed(rejection.message) from rejected
        raise GameStartRefused(rejection.code, rejection.message, rejection.clause) from rejected
