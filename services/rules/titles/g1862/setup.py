"""The start of a game of 1862: options that go together, money, the draw, the offer (section 2.4)."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.domain import events as e
from services.rules.domain.commands import CreateGame
from services.rules.domain.draft import Draft
from services.rules.domain.rejections import Refused, refuse_if
from services.rules.domain.title import Context
from services.rules.domain.titledata import TitleData
from services.rules.titles.g1862.companies import BEGINNERS
from services.rules.titles.g1862.draw import draw
from services.rules.titles.g1862.rulings import plays

LENGTHS = frozenset(("short_game", "long_game", "mixed_length"))
SIMPLE = frozenset(("simple_express", "simple_freight"))
KINDS_OF_TRAIN = SIMPLE | {"advanced_freight", "advanced_express"}
EXTRA_COMPANIES_FROM = 7
STANDARD_LENGTH_IN_SHORTER_GAME_FROM = 5
OPENING_PARLIAMENTS = 2


def check_options(options: tuple[str, ...], players: int) -> None:
    """Refuse options that contradict each other or mean nothing with so many players (2.4.2, 2.4.3, section 11)."""
    chosen = frozenset(options)
    refuse_if(len(chosen) != len(options), "unknown_option", detail="an option is named twice")
    for group in (LENGTHS, KINDS_OF_TRAIN):
        if len(chosen & group) > 1:
            raise Refused("unknown_option", "1862/11.1-a", " and ".join(sorted(chosen & group)))
    few = players < EXTRA_COMPANIES_FROM
    refuse_if("extra_companies" in chosen and few, "unknown_option", "1862/2.4.2-a", "extra_companies")
    simple = bool(chosen & SIMPLE)
    refuse_if(BEGINNERS in chosen and not simple, "unknown_option", "1862/11.3-a", BEGINNERS)
    if "shorter_game" in chosen:
        _check_shorter_game(chosen, players)


def _check_shorter_game(chosen: frozenset[str], players: int) -> None:
    """The trains of the short game, with five or more players also those of the standard one (1862/11.2-a)."""
    standard = players >= STANDARD_LENGTH_IN_SHORTER_GAME_FROM and not chosen & LENGTHS
    refuse_if("short_game" not in chosen and not standard, "unknown_option", "1862/11.2-a", "shorter_game")


def opening_bank(data: TitleData, players: int, rulings: Mapping[str, str]) -> int:
    """What the bank holds before the players' cash is dealt out of it (1862/2.0-a)."""
    return data.figures.bank


def set_up(draft: Draft, context: Context, command: CreateGame) -> None:
    """Draw the offer, deal the money and begin with two parliamentary rounds (2.4.1 to 2.4.4)."""
    data, players = context.data, command.players
    for player in players:
        draft.pay(e.BANK, player, data.figures.starting_cash[len(players)], "starting_cash")
    extra = "extra_companies" in command.options or plays(draft.game, "extra_companies", "always")
    for offer in draw(data, len(players), command.seed, extra):
        draft.emit(e.CompanyOffered(offer.company, offer.phase, offer.licence))
        numbers = tuple(range(len(data.companies[offer.company].certificates)))
        draft.move_certificates(offer.company, numbers, "", e.BANK, "issued")
    for symbol in data.companies:
        if symbol not in draft.game.companies:
            draft.emit(e.CompanyClosed(symbol))
    draft.emit(e.PhaseStarted(next(iter(data.phases))))
    draft.emit(e.PriorityMoved(players[0]))
    draft.emit(e.RoundStarted("parliamentary", 1, 1, OPENING_PARLIAMENTS, players))
    draft.emit(e.TurnStarted(0))
