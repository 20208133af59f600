"""What changed in a game between two moves: the facts, and for each owner the difference in money and certificates. All of it
is what the rules say about any title."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from services.gen.signalbox.rules.v1 import game_pb2, rules_pb2 as wire
from services.web.pages import fields
from services.web.pages.gameview import log_lines
from services.web.pages.site import Site
from services.web.pages.visitors import Visitor, check_signed_in

FACTS = 1_000
BANK = "bank"
Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class Figure:
    """A number before and after."""

    before: int
    after: int

    @property
    def change(self) -> int:
        """What was added."""
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class OwnerChange:
    """What an owner has more or less of. `shares`: by company, those that changed."""

    owner: str
    cash: Figure
    debt: Figure
    shares: Mapping[str, Figure]

    @property
    def is_any(self) -> bool:
        """Whether there is a difference."""
        return bool(self.cash.change or self.debt.change or self.shares)


class BetweenPages:
    """The endpoint."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._ask = site.backend.ask

    def routes(self) -> list[Route]:
        """For an application."""
        return [Route("/games/{game_id}/between", self._site.page(self._between))]

    async def _between(self, request: Request, visitor: Visitor) -> Response:
        check_signed_in(visitor)
        game_id = request.path_params["game_id"]
        asked = request.query_params
        first, last = (fields.sequence(asked.get(name) or "0", name) for name in ("from", "to"))
        if last and first > last:
            first, last = last, first
        before, after = await asyncio.gather(
            self._game(visitor, game_id, max(1, first)), self._game(visitor, game_id, last)
        )
        facts = await self._ask(
            wire.ListEventsRequest(
                game_id=game_id, after_sequence=before.sequence, page_size=FACTS, with_sentences=True
            ),
            wire.ListEventsResponse,
            visitor.caller,
        )
        names = await self._site.backend.names([each.player for each in after.players], visitor.caller)
        listed_to = facts.events[-1].sequence if facts.next_after_sequence else after.sequence
        return self._site.shown(
            "between.html",
            visitor,
            before=before,
            after=after,
            last=facts.sequence,
            facts=log_lines(facts, after.sequence, names, self._site.texts(visitor)),
            listed_to=min(listed_to, after.sequence),
            changes=changes_of(before, after),
            names=names,
        )

    async def _game(self, visitor: Visitor, game_id: str, at: int) -> game_pb2.GameView:
        asked = wire.GetGameRequest(game_id=game_id, at_sequence=at)
        return (await self._ask(asked, wire.GetGameResponse, visitor.caller)).game


def changes_of(before: game_pb2.GameView, after: game_pb2.GameView) -> Sequence[OwnerChange]:
    """Of all owners who have more or less than before: players in their order, companies, the bank, and any others."""
    cash, debt = (_figures(_money(before, name), _money(after, name)) for name in ("cash", "debt"))
    shares = _figures(_shares(before), _shares(after))
    holders = (holder for holder, _ in shares)
    found = [
        OwnerChange(
            owner,
            cash.get(owner, Figure(0, 0)),
            debt.get(owner, Figure(0, 0)),
            {company: each for (holder, company), each in shares.items() if holder == owner and each.change},
        )
        for owner in dict.fromkeys((*cash, *holders))
    ]
    return [each for each in found if each.is_any]


def _money(game: game_pb2.GameView, name: str) -> Mapping[str, int]:
    owners = {each.player: int(getattr(each, name)) for each in game.players}
    owners |= {each.company: int(getattr(each, name)) for each in game.companies}
    return {**owners, BANK: game.bank_cash} if name == "cash" else owners


def _shares(game: game_pb2.GameView) -> Mapping[tuple[str, str], int]:
    return {(each.holder, each.company): each.shares for each in game.holdings}


def _figures(before: Mapping[Key, int], after: Mapping[Key, int]) -> Mapping[Key, Figure]:
    return {key: Figure(before.get(key, 0), after.get(key, 0)) for key in dict.fromkeys((*before, *after))}
