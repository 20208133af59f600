"""The services as the pages ask them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import aclosing
from typing import TypeVar

from google.protobuf.message import Message

from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as lobby
from services.gen.signalbox.rules.v1 import rules_pb2 as rules, title_pb2
from services.web.calls import Caller, ServiceCalls
from services.web.clocks import GameClocks, clocks_of_policy, clocks_of_turns
from services.web.contracts import Rpc
from services.web.pages.times import now_ms
from services.web.problems import of_http, of_rejection

NOT_FOUND = 404
NAMES_KEPT = 20_000
NAMES_ASKED = 100
TITLES_KEPT = 200
UNTIMED_KEPT = 20_000
Answer = TypeVar("Answer", bound=Message)
TitleKey = tuple[str, tuple[str, ...]]


class Backend:
    """Calls by the message that asks: each is of one rpc only. Used on one event loop."""

    def __init__(self, calls: ServiceCalls, rpcs: Mapping[str, Rpc], seconds: float) -> None:
        self.calls = calls
        self.seconds = seconds
        self._rpcs = {rpc.takes.full_name: rpc for rpc in rpcs.values()}
        self._names: OrderedDict[str, str] = OrderedDict()
        self._titles: OrderedDict[TitleKey, title_pb2.TitleView] = OrderedDict()
        self._untimed: OrderedDict[str, None] = OrderedDict()
        self._usual_policy = ""

    def rpc(self, request: Message) -> Rpc:
        """The method that takes a message."""
        return self._rpcs[request.DESCRIPTOR.full_name]

    async def ask(self, request: Message, kind: type[Answer], caller: Caller) -> Answer:
        """The answer. Raises `ProblemError`, for a rejection too."""
        answer = await self.calls.answer(self.rpc(request), request, caller, self.seconds)
        if (rejected := of_rejection(answer)) is not None:
            raise rejected
        assert isinstance(answer, kind), "a method answers with its message"
        return answer

    async def moves(
        self, game_id: str, after: int, caller: Caller
    ) -> AsyncGenerator[rules.WatchMovesResponse, None]:
        """The states of a game after a sequence, as they come. Raises `ProblemError`."""
        request = rules.WatchMovesRequest(games=[rules.WatchedGame(game_id=game_id, after_sequence=after)])
        async with aclosing(self.calls.answers(self.rpc(request), request, caller, None)) as answers:
            async for answer in answers:
                assert isinstance(answer, rules.WatchMovesResponse), "a method answers with its message"
                yield answer

    async def check_sight(self, game_id: str, caller: Caller) -> None:
        """Raises `ProblemError` where the token is not good any more, or the caller may not see the game."""
        request = rules.ListEventsRequest(game_id=game_id, page_size=1)
        await self.ask(request, rules.ListEventsResponse, caller)

    async def clocks(self, game_id: str, caller: Caller) -> GameClocks | None:
        """The clocks of a game now, None for a game without, which never gets any. Raises `ProblemError`, also where the lobby
        has not heard of the game or begun its clocks yet."""
        if game_id in self._untimed:
            return None
        found = await self.ask(lobby.GetTableRequest(game_id=game_id), lobby.GetTableResponse, caller)
        if found.HasField("clocks"):
            return clocks_of_policy(found.clocks, now_ms(), found.table.clock)
        if found.table.turn_seconds:
            asked = lobby.ListGamesRequest(listing=lobby.GAME_LISTING_NAMED, game_ids=[game_id])
            for each in (await self.ask(asked, lobby.ListGamesResponse, caller)).games:
                return clocks_of_turns(each)
        if found.table.turn_seconds or found.table.clock:
            raise of_http(NOT_FOUND, "no_clocks_yet", "the clocks of the game are not known yet")
        self._untimed[game_id] = None
        while len(self._untimed) > UNTIMED_KEPT:
            self._untimed.popitem(last=False)
        return None

    async def usual_policy(self, caller: Caller) -> str:
        """What a clock policy has where it does not say otherwise, as JSON; it never changes. Raises `ProblemError`."""
        if not self._usual_policy:
            rules = await self.ask(lobby.GetClockRulesRequest(), lobby.GetClockRulesResponse, caller)
            self._usual_policy = rules.usual_policy
        return self._usual_policy

    async def names(self, ids: Iterable[str], caller: Caller) -> Mapping[str, str]:
        """Names of those of these ids that are players'; they never change."""
        wanted = [each for each in dict.fromkeys(ids) if each]
        unknown = [each for each in wanted if each not in self._names]
        for start in range(0, len(unknown), NAMES_ASKED):
            request = lobby.ListPlayerNamesRequest(player_ids=unknown[start : start + NAMES_ASKED])
            found = await self.ask(request, lobby.ListPlayerNamesResponse, caller)
            self._names.update((each.player_id, each.name) for each in found.players)
        known = {each: self._names[each] for each in wanted if each in self._names}
        while len(self._names) > NAMES_KEPT:
            self._names.popitem(last=False)
        return known

    async def title(self, title: str, options: Iterable[str], caller: Caller) -> title_pb2.TitleView:
        """A title with everything printed. Raises `ProblemError`."""
        key = (title, tuple(options))
        if key not in self._titles:
            request = rules.GetTitleRequest(title=title, options=key[1])
            found = await self.ask(request, rules.GetTitleResponse, caller)
            self._titles[key] = found.title
            while len(self._titles) > TITLES_KEPT:
                self._titles.popitem(last=False)
        return self._titles[key]
