"""What the page of a game shows, read from the services."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from services.gen.signalbox.events.v1 import events_pb2, sentence_pb2
from services.gen.signalbox.rules.v1 import game_pb2, picture_pb2, rejection_pb2, rules_pb2 as wire, title_pb2
from services.web.clocks import GameClocks
from services.web.pages.backend import Backend
from services.web.pages.choices import ChoiceGroup, grouped, sendable
from services.web.pages.happened import sentence_of
from services.web.pages.phrases import plain
from services.web.pages.runs import OpenRuns, open_runs
from services.web.pages.texts import Texts
from services.web.pages.visitors import Visitor
from services.web.problems import ProblemError

LOG_EVENTS = 60


@dataclass(frozen=True, slots=True)
class LogLine:
    """A sentence about an event."""

    sequence: int
    words: str


@dataclass(frozen=True, slots=True)
class ShownGame:
    """A game as its page shows it. `last`: its latest sequence. `names`: of players and companies, by id. `undo_to`: what stays
    when the visitor takes back the last command, 0 where that is refused. `clocks`: None for a game without, and for the past.
    `best`: what routing found for the trains that may run, None where it does not answer."""

    game: game_pb2.GameView
    last: int
    names: Mapping[str, str]
    heading: str
    groups: Sequence[ChoiceGroup]
    log: Sequence[LogLine]
    runs: OpenRuns | None
    best: rejection_pb2.BestRuns | None
    undo_to: int
    clocks: GameClocks | None

    @property
    def is_past(self) -> bool:
        """Whether the game has moved on since."""
        return self.game.sequence < self.last

    @property
    def is_set_up(self) -> bool:
        """Whether its first round has begun; there is a picture then."""
        return self.game.HasField("round")

    @property
    def may_act(self) -> bool:
        """Whether the visitor has to choose."""
        return bool(self.groups) or self.runs is not None

    @property
    def operating(self) -> str:
        """The company whose turn it is; empty in a turn of a player, and once the game is over."""
        actor = "" if self.game.finished else self.game.round.actor
        return actor if any(each.company == actor for each in self.game.companies) else ""

    def holdings(self, holder: str) -> Sequence[game_pb2.Holding]:
        """Certificates of a holder."""
        return [each for each in self.game.holdings if each.holder == holder]


@dataclass(frozen=True, slots=True)
class ShownPicture:
    """A picture with the names of players, or what has to be replaced in one."""

    sequence: int
    checksum: str
    document: str
    elements: Mapping[str, str]


def no_picture(game: game_pb2.GameView) -> ShownPicture:
    """Of a game that is still being set up."""
    return ShownPicture(game.sequence, "", "", {})


class GameReader:
    """Reads games for a visitor."""

    def __init__(self, backend: Backend, texts: Callable[[Visitor], Texts]) -> None:
        """`texts`: those of a visitor."""
        self._backend = backend
        self._texts = texts

    async def shown(self, visitor: Visitor, game_id: str, at: int, least: int) -> ShownGame:
        """A game after event `at`, 0 for now. Raises `ProblemError`."""
        ask, caller = self._backend.ask, visitor.caller
        asked = wire.GetGameRequest(game_id=game_id, at_sequence=at, at_least_sequence=least)
        game = (await ask(asked, wire.GetGameResponse, caller)).game
        events, title, clocks = await asyncio.gather(
            ask(
                wire.ListEventsRequest(
                    game_id=game_id,
                    after_sequence=max(0, game.sequence - LOG_EVENTS),
                    at_least_sequence=game.sequence,
                    with_sentences=True,
                ),
                wire.ListEventsResponse,
                caller,
            ),
            self._backend.title(game.title, game.options, caller),
            self._clocks(game_id, visitor, is_now=not at),
        )
        offered = await self._choices(visitor, game, is_now=not at or at >= events.sequence)
        names, texts = await self._names(visitor, game), self._texts(visitor)
        return ShownGame(
            game=game,
            last=max(events.sequence, game.sequence),
            names=names,
            heading=_heading(game, title, texts),
            groups=grouped(
                sendable(offered), texts, names, {each.tile: each.face for each in title.map.tiles}
            ),
            log=log_lines(events, game.sequence, names, texts)[::-1],
            runs=open_runs(offered.choices, game),
            best=offered.best_runs if offered.HasField("best_runs") else None,
            undo_to=offered.undo_to_sequence,
            clocks=clocks,
        )

    async def picture(
        self,
        visitor: Visitor,
        game_id: str,
        at: int,
        least: int,
        names: Mapping[str, str],
        known: tuple[int, str] = (0, ""),
    ) -> ShownPicture:
        """The picture after event `at`, or what changed since a known one (sequence and checksum). Raises `ProblemError`."""
        asked = picture_pb2.GetPictureRequest(
            game_id=game_id,
            at_sequence=at,
            at_least_sequence=least,
            known_sequence=known[0],
            known_checksum=known[1],
        )
        found = await self._backend.ask(asked, picture_pb2.GetPictureResponse, visitor.caller)
        translated = self._texts(visitor).said.in_drawing
        return ShownPicture(
            found.sequence,
            found.checksum,
            translated(_named(found.document, names)),
            {each.id: translated(_named(each.svg, names)) for each in found.changed},
        )

    async def _choices(
        self, visitor: Visitor, game: game_pb2.GameView, is_now: bool
    ) -> wire.ListChoicesResponse:
        """Only who plays a seat that may act has any, and something to take back; or who plays any seat, where all may."""
        own = {each.seat for each in game.seats if each.bearer == visitor.player_id}
        may_undo = game.undo_policy == events_pb2.UNDO_POLICY_FREE and bool(own) and not game.finished
        if not is_now or not (may_undo or own.intersection(game.acting_players)):
            return wire.ListChoicesResponse()
        asked = wire.ListChoicesRequest(
            game_id=game.game_id, with_best_runs=True, at_least_sequence=game.sequence, with_undo=True
        )
        return await self._backend.ask(asked, wire.ListChoicesResponse, visitor.caller)

    async def _clocks(self, game_id: str, visitor: Visitor, is_now: bool) -> GameClocks | None:
        """None too while the lobby is away: the game goes on without it, and the stream brings them later."""
        try:
            return await self._backend.clocks(game_id, visitor.caller) if is_now else None
        except ProblemError:
            return None

    async def _names(self, visitor: Visitor, game: game_pb2.GameView) -> Mapping[str, str]:
        bearers = {each.seat: each.bearer for each in game.seats}
        ids = {*bearers, *bearers.values(), *(each.author for each in game.decisions)}
        return await self._backend.names(sorted(ids), visitor.caller)


def _heading(game: game_pb2.GameView, title: title_pb2.TitleView, texts: Texts) -> str:
    box = texts.said(title.name)
    if not game.round.kind:
        return texts("game.heading", title=box, round=texts("game.before_rounds"))
    names = {each.kind: each.name for each in title.round_names}
    name = texts.said(names.get(game.round.kind, plain(game.round.kind)))
    at = texts("game.round", name=name, number=game.round.number, turn=game.round.turn)
    return texts("game.heading", title=box, round=at)


def log_lines(
    events: wire.ListEventsResponse, up_to: int, names: Mapping[str, str], texts: Texts
) -> Sequence[LogLine]:
    """The sentences that say something, in order, up to a sequence."""
    pairs = zip(events.events, events.sentences, strict=True)
    return [
        LogLine(
            event.sequence,
            sentence_of(event, texts.happened, names) or texts.said(words(sentence.parts, names)),
        )
        for event, sentence in pairs
        if sentence.parts and not sentence.is_detail and event.sequence <= up_to
    ]


def words(parts: Iterable[sentence_pb2.SentencePart], names: Mapping[str, str]) -> str:
    """A sentence with the names of players."""
    players = sentence_pb2.SUBJECT_PLAYER
    return "".join(
        names.get(part.text, part.text) if part.subject == players else part.text for part in parts
    )


def _named(svg: str, names: Mapping[str, str]) -> str:
    """A drawing with names in the place of players' ids, which are random and stand nowhere else."""
    for each, name in names.items():
        svg = svg.replace(each, escape(name))
    return svg
