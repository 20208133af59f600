"""What the pages of an event show, read from the services."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from services.gen.signalbox.lobby.v1 import (
    game_summary_pb2,
    lobby_service_pb2 as lobby,
    tournament_desk_service_pb2 as desk,
    tournament_pb2 as pb,
    tournament_round_pb2 as round_pb,
    tournaments_service_pb2 as wire,
)
from services.web.pages.backend import Backend
from services.web.pages.visitors import Visitor
from services.web.problems import of_http

PAGE = 100


@dataclass(frozen=True)
class ShownEvent:
    """A tournament. `rounds`: those that the visitor sees. `names`: of players, by id."""

    event: pb.Tournament
    rounds: Sequence[round_pb.Round]
    names: Mapping[str, str]
    visitor: Visitor

    @property
    def path(self) -> str:
        """Of its pages."""
        return f"/events/{self.event.tournament_id}"

    @cached_property
    def charter(self) -> dict[str, Any]:
        """What its directors decided."""
        found: dict[str, Any] = json.loads(self.event.charter)
        return found

    @property
    def is_director(self) -> bool:
        """Whether the visitor directs it."""
        return any(each.player_id == self.visitor.player_id for each in self.event.directors)

    @property
    def may_score(self) -> bool:
        """Whether the visitor may report results for others."""
        return self.is_director or any(
            each.player_id == self.visitor.player_id for each in self.event.scorers
        )

    @property
    def running_stage(self) -> int | None:
        """The stage that runs."""
        stages = self.event.stages
        return len(stages) - 1 if stages and not stages[-1].is_finished else None

    def stage_name(self, stage: int) -> str:
        """Of a stage, begun or not."""
        return str(self.charter["stages"][stage]["name"])

    def rounds_of(self, stage: int) -> Sequence[round_pb.Round]:
        """In order."""
        return [each for each in self.rounds if each.stage == stage]

    def is_played_elsewhere(self, title: str) -> bool:
        """Whether the charter has the title as an external one."""
        return any(each["title"] == title and each.get("is_external") for each in self.charter["titles"])


@dataclass(frozen=True)
class ShownRound:
    """A round and its proposal."""

    shown: ShownEvent
    round: round_pb.Round

    @property
    def path(self) -> str:
        """Of its pages."""
        return f"{self.shown.path}/rounds/{self.round.round_id}"

    @cached_property
    def proposal(self) -> dict[str, Any]:
        """The pairing."""
        return proposal_in(self.round.proposal)

    @property
    def heading(self) -> Mapping[str, Any]:
        """What names it in a text of the catalogue."""
        return {"stage": self.shown.stage_name(self.round.stage), "number": self.round.number}


def proposal_in(text: str) -> dict[str, Any]:
    """A proposal of the lobby."""
    found: dict[str, Any] = json.loads(text)
    return found


class EventReader:
    """Reads events for a visitor. All raise `ProblemError`."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._ask = backend.ask

    async def event(self, visitor: Visitor, event_id: str) -> ShownEvent:
        """An event with its rounds."""
        asked = wire.GetTournamentRequest(tournament_id=event_id)
        event = (await self._ask(asked, wire.GetTournamentResponse, visitor.caller)).tournament
        rounds = await self._rounds(visitor, event_id)
        names = await self._backend.names(_ids_in(event, rounds), visitor.caller)
        return ShownEvent(event, rounds, names, visitor)

    async def names(self, visitor: Visitor, ids: Iterable[str]) -> Mapping[str, str]:
        """Names of players by id."""
        return await self._backend.names(ids, visitor.caller)

    async def round(self, visitor: Visitor, event_id: str, round_id: str) -> ShownRound:
        """A round of an event."""
        shown = await self.event(visitor, event_id)
        found = next((each for each in shown.rounds if each.round_id == round_id), None)
        if found is None:
            raise of_http(404, "not_found", "there is no such round")
        return ShownRound(shown, found)

    async def entries(
        self, visitor: Visitor, event_id: str, page: str = "", player_id: str = ""
    ) -> wire.ListEntriesResponse:
        """Players of an event, or only one."""
        asked = wire.ListEntriesRequest(
            tournament_id=event_id, page_size=PAGE, page_token=page, player_id=player_id
        )
        return await self._ask(asked, wire.ListEntriesResponse, visitor.caller)

    async def standings(
        self, visitor: Visitor, event_id: str, stage: int, page: str = ""
    ) -> wire.GetStandingsResponse:
        """Lines of the standings of a stage."""
        asked = wire.GetStandingsRequest(tournament_id=event_id, stage=stage, page_size=PAGE, page_token=page)
        return await self._ask(asked, wire.GetStandingsResponse, visitor.caller)

    async def evidence(
        self, visitor: Visitor, round_id: str, table: int, run_count: int
    ) -> desk.GetEvidenceResponse:
        """What a ruling on a table can rest on."""
        asked = desk.GetEvidenceRequest(round_id=round_id, table=table, run_count=run_count)
        return await self._ask(asked, desk.GetEvidenceResponse, visitor.caller)

    async def games(
        self, visitor: Visitor, game_ids: Sequence[str]
    ) -> Mapping[str, game_summary_pb2.GameSummary]:
        """Where games are, by id."""
        found: dict[str, game_summary_pb2.GameSummary] = {}
        for start in range(0, len(game_ids), PAGE):
            asked = lobby.ListGamesRequest(
                listing=lobby.GAME_LISTING_NAMED, game_ids=game_ids[start : start + PAGE]
            )
            listed = await self._ask(asked, lobby.ListGamesResponse, visitor.caller)
            found |= {each.status.game_id: each for each in listed.games}
        return found

    async def _rounds(self, visitor: Visitor, event_id: str) -> list[round_pb.Round]:
        found: list[round_pb.Round] = []
        token = ""
        while True:
            asked = wire.ListRoundsRequest(tournament_id=event_id, page_size=PAGE, page_token=token)
            page = await self._ask(asked, wire.ListRoundsResponse, visitor.caller)
            found += page.rounds
            token = page.next_page_token
            if not token:
                return found


def _ids_in(event: pb.Tournament, rounds: Iterable[round_pb.Round]) -> list[str]:
    """Everybody whom the pages of an event name."""
    found = [*event.ranking, *event.check_in.present]
    found += [each.author for each in event.announcements]
    for penalty in event.penalties:
        found += [penalty.player_id, penalty.author]
    for each in rounds:
        proposal = proposal_in(each.proposal)
        found += [player for table in proposal["tables"] for player in table["seats"]]
        found.append((proposal.get("override") or {}).get("author", ""))
        found += each.byes
        for state in each.tables:
            for ruling in state.adjudications:
                found += [ruling.author, ruling.confirmed_by, ruling.appeal.author]
            found += [substitution.author for substitution in state.substitutions]
    return list(dict.fromkeys(found))
