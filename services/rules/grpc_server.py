"""The rules service over gRPC."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from functools import partial
from typing import NoReturn

import grpc

from services.common.auth.identity import service_id
from services.common.auth.operators import Operators
from services.common.auth.tokens import ANYBODY, ONLY_SERVICES, Principal, TokenVerifier
from services.common.errors import DeadlineExceeded, PermissionDenied, Unavailable
from services.common.grpc.context import caller_of
from services.common.grpc.waiting import wait_once
from services.common.shown import shown
from services.common.watching.feeds import STOPS, Feeds
from services.common.watching.latest import LatestFeeds
from services.gen.signalbox.rules.v1 import command_pb2, picture_pb2, rules_pb2 as pb, rules_pb2_grpc
from services.rules.adapters.answers import best_runs_message, rejection_message, valued_message
from services.rules.adapters.codec import choice_message, read_command
from services.rules.adapters.directions import NEEDS_SEQUENCE, read_direction
from services.rules.adapters.messages import MalformedMessageError
from services.rules.adapters.sentences import sentence_message
from services.rules.adapters.view import game_view
from services.rules.catalogue import TableRulings
from services.rules.kernel.rejections import Rejected
from services.rules.moves import not_found, seen_later, watched_games
from services.rules.parts.trains.commands import RunTrains
from services.rules.pictures import PictureReader
from services.rules.requests import NUL, CommandAccepted, CommandRejected, Request, StaleSequenceError
from services.rules.service import RulesService
from services.rules.sessions import UnknownGameError, UnreachedSequenceError, not_reached
from services.rules.titlereader import TitleReader

PAGE_SIZE = 200
PAGE_SIZE_MAX = 1000
ID_LENGTH_MAX = 64
# How often a stream for those who see a game later looks whether the next event is due.
LATE_LOOK_SECONDS = 1.0
REASON_KEY = "signalbox-reason"
SEQUENCE_KEY = "signalbox-sequence"
STALE_SEQUENCE = "stale_sequence"
LOBBY = service_id("lobby")


class RulesServicer(rules_pb2_grpc.RulesServicer):
    """The rpcs of the rules service."""

    def __init__(
        self,
        rules: RulesService,
        feeds: Feeds,
        moves: LatestFeeds,
        verifier: TokenVerifier,
        titles: TitleReader,
        pictures: PictureReader,
        operators: Operators | None = None,
    ) -> None:
        """`feeds`: the events of its games for watchers; `moves`: the state of its games, for those who watch many. `operators`
        see every game; without them bearers of their tokens do."""
        self._operators = operators or Operators(verifier, ())
        self._rules = rules
        self._verifier = verifier
        self._feeds = feeds
        self._moves = moves
        self._pictures = pictures
        self._titles = titles

    def Execute(self, request: pb.ExecuteRequest, context: grpc.ServicerContext) -> pb.ExecuteResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        with _answering(context):
            _check_ids(request)
            if request.expected_sequence < 1:
                raise MalformedMessageError("expected_sequence", NEEDS_SEQUENCE)
            if not self._has_seat(request, caller, context):
                refused = Rejected("not_a_player", detail=caller.player_id).rejection()
                return pb.ExecuteResponse(rejected=rejection_message(refused, None))
            self._check_expected(request, context)
            wanted = _request(request, caller.player_id)
            result = self._rules.execute(wanted, context.time_remaining())
            if isinstance(result, CommandRejected):
                return pb.ExecuteResponse(rejected=rejection_message(result.rejection, result.best_runs))
            return pb.ExecuteResponse(accepted=self._accepted(request.game_id, result, context))

    def Direct(self, request: pb.DirectRequest, context: grpc.ServicerContext) -> pb.DirectResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context, ONLY_SERVICES)
        if caller.player_id != LOBBY:
            raise PermissionDenied("only the lobby passes on what directors decide")
        with _answering(context):
            _check_ids(request)
            if not request.author:
                raise MalformedMessageError("author", "needs the account that decided")
            command = read_direction(request.direction, request.expected_sequence)
            if request.expected_sequence:
                self._check_expected(request, context)
            wanted = Request(
                request.game_id, request.author, request.request_id, request.expected_sequence, command
            )
            result = self._rules.execute(wanted, context.time_remaining())
            if isinstance(result, CommandRejected):
                return pb.DirectResponse(rejected=rejection_message(result.rejection, result.best_runs))
            return pb.DirectResponse(accepted=self._accepted(request.game_id, result, context))

    def ListChoices(
        self, request: pb.ListChoicesRequest, context: grpc.ServicerContext
    ) -> pb.ListChoicesResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        with _answering(context):
            limit = self._seen_by(caller, request.game_id)
            self._await(request.game_id, request.at_least_sequence, context, limit)
            reader = self._rules.reader
            seat = request.player or reader.seat_of(request.game_id, caller.player_id) or ""
            options = reader.options(request.game_id, seat, request.with_best_runs, limit or 0)
            response = pb.ListChoicesResponse(
                sequence=options.sequence, choices=[choice_message(choice) for choice in options.choices]
            )
            if options.best_runs is not None:
                response.best_runs.CopyFrom(best_runs_message(options.best_runs))
            return response

    def ValueRuns(self, request: pb.ValueRunsRequest, context: grpc.ServicerContext) -> pb.ValueRunsResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        with _answering(context):
            game_id, reader = request.game_id, self._rules.reader
            limit = self._seen_by(caller, game_id)
            self._await(game_id, request.at_least_sequence, context, limit)
            seat = reader.seat_of(game_id, caller.player_id)
            if limit is not None or seat is None:
                refused = Rejected("not_a_player", detail=caller.player_id).rejection()
                return pb.ValueRunsResponse(rejected=rejection_message(refused, None))
            command = read_command(command_pb2.Command(run_trains=request.runs))
            assert isinstance(command, RunTrains), "the field holds runs"
            found = reader.valued_runs(game_id, seat, command)
            if isinstance(found, CommandRejected):
                return pb.ValueRunsResponse(rejected=rejection_message(found.rejection, found.best_runs))
            return pb.ValueRunsResponse(valued=valued_message(found))

    def GetGame(self, request: pb.GetGameRequest, context: grpc.ServicerContext) -> pb.GetGameResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context, ANYBODY)
        with _answering(context):
            limit = self._seen_by(caller, request.game_id)
            self._await(request.game_id, request.at_least_sequence, context, limit)
            at_sequence = request.at_sequence or limit or 0
            _check_seen(limit, at_sequence)
            found = self._rules.reader.game_at(request.game_id, at_sequence)
            loaded = found.loaded
            return pb.GetGameResponse(game=game_view(request.game_id, loaded.title, loaded.data, found.game))

    def ListEvents(
        self, request: pb.ListEventsRequest, context: grpc.ServicerContext
    ) -> pb.ListEventsResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context, ANYBODY)
        with _answering(context):
            size = request.page_size or PAGE_SIZE
            if not 0 < size <= PAGE_SIZE_MAX:
                raise MalformedMessageError("page_size", f"{size} is not 1 to {PAGE_SIZE_MAX}")
            _not_negative("after_sequence", request.after_sequence)
            after = request.after_sequence
            limit = self._seen_by(caller, request.game_id)
            self._await(request.game_id, request.at_least_sequence, context, limit)
            _check_seen(limit, after)
            up_to = after + size if limit is None else min(after + size, limit)
            events = self._rules.reader.events(request.game_id, after, up_to)
            last = limit or self._rules.reader.last_sequence(request.game_id)
            more = bool(events) and events[-1].sequence < last
            response = pb.ListEventsResponse(
                events=events, sequence=last, next_after_sequence=events[-1].sequence if more else 0
            )
            if request.with_sentences and events:
                sentences = self._rules.reader.sentences(request.game_id, after, events[-1].sequence)
                response.sentences.extend(map(sentence_message, sentences))
            return response

    async def WatchGame(
        self, request: pb.WatchGameRequest, context: grpc.ServicerContext
    ) -> AsyncIterator[bytes]:
        """See the contract."""
        caller = self._verifier.authenticate(context)
        game_id, sequence = request.game_id, request.after_sequence
        with _answering(context):
            _not_negative("after_sequence", sequence)
            # In a thread: the game may have to be loaded.
            _check_seen(await asyncio.to_thread(self._seen_by, caller, game_id), sequence)
            is_for_everybody = await asyncio.to_thread(self._rules.reader.is_for_everybody, game_id)
            async for event in self._feeds.watch(game_id, sequence, caller_of(context).key):
                sequence += 1
                if not is_for_everybody:
                    await self._until_seen(caller, game_id, sequence)
                yield event

    async def WatchMoves(
        self, request: pb.WatchMovesRequest, context: grpc.ServicerContext
    ) -> AsyncIterator[bytes]:
        """See the contract."""
        refusal = partial(self._refusal, self._verifier.authenticate(context))
        with _answering(context):
            after, caller = watched_games(request.games), caller_of(context)
            async for message in self._moves.watch(after, caller.key, refusal, has_share=not caller.is_ours):
                yield message

    def GetPicture(
        self, request: picture_pb2.GetPictureRequest, context: grpc.ServicerContext
    ) -> picture_pb2.GetPictureResponse:
        """See the contract."""
        caller = self._verifier.authenticate(context, ANYBODY)
        with _answering(context):
            _not_negative("at_sequence", request.at_sequence)
            _not_negative("known_sequence", request.known_sequence)
            limit = self._seen_by(caller, request.game_id)
            self._await(request.game_id, request.at_least_sequence, context, limit)
            at_sequence = request.at_sequence or limit or 0
            _check_seen(limit, max(at_sequence, request.known_sequence))
            return self._pictures.answer(request, at_sequence)

    def ListTitles(
        self, request: pb.ListTitlesRequest, context: grpc.ServicerContext
    ) -> pb.ListTitlesResponse:
        """See the contract."""
        return pb.ListTitlesResponse(titles=self._titles.summaries())

    def GetTitle(self, request: pb.GetTitleRequest, context: grpc.ServicerContext) -> pb.GetTitleResponse:
        """See the contract."""
        chosen = TableRulings(request.ruling_profile, {each.name: each.value for each in request.rulings})
        read = self._titles.title(request.title, tuple(request.options), chosen, request.players)
        is_known = request.known_checksum == read.checksum
        return pb.GetTitleResponse(title=None if is_known else read.view(), checksum=read.checksum)

    def _seen_by(self, caller: Principal, game_id: str) -> int | None:
        """The sequence up to which the caller sees the game, None where all of it. Raises `UnknownGameError` where nothing: an
        answer to somebody else must not show even that there is such a game."""
        if caller.kind == "service" or self._operators.includes(caller):
            return None
        return self._rules.reader.seen_by(game_id, caller.player_id)

    def _refusal(self, caller: Principal, game_id: str) -> bytes | None:
        """What the caller gets instead of the moves of a game, None who sees all of it."""
        try:
            return None if self._seen_by(caller, game_id) is None else seen_later(game_id)
        except UnknownGameError:
            return not_found(game_id)

    async def _until_seen(self, caller: Principal, game_id: str, sequence: int) -> None:
        """Wait until the caller sees an event. Raises `UnknownGameError` once the caller sees nothing of the game any more."""
        while True:
            limit = await asyncio.to_thread(self._seen_by, caller, game_id)
            if limit is None or sequence <= limit:
                return
            if self._rules.reader.notifier.closed:
                raise Unavailable(STOPS)
            await asyncio.sleep(LATE_LOOK_SECONDS)

    def _await(
        self, game_id: str, sequence: int, context: grpc.ServicerContext, limit: int | None = None
    ) -> None:
        """Wait until the game can be read up to what the caller knows, perhaps from another replica. Who sees the game only up
        to a `limit` does not wait: the time would show how far the game is."""
        _not_negative("at_least_sequence", sequence)
        if limit is not None:
            _check_seen(limit, sequence)
            return
        if sequence and not self._has_reached(game_id, sequence, context):
            reached = self._rules.reader.last_sequence(game_id)
            raise Unavailable(f"sequence {sequence} is not known here yet, only {reached}; retry")

    def _has_reached(self, game_id: str, sequence: int, context: grpc.ServicerContext) -> bool:
        """Whether the game can be read up to this sequence. Where it cannot, the call waits for it once, without a thread."""
        if self._rules.reader.has_reached(game_id, sequence):
            return True
        caller = caller_of(context).key
        wait_once(context, lambda: self._feeds.reach(game_id, sequence, caller))
        return False

    def _has_seat(self, request: pb.ExecuteRequest, caller: Principal, context: grpc.ServicerContext) -> bool:
        """Whether the caller plays a seat, as far as it is known here. A seat that was taken a moment ago is waited for, so that
        nobody is refused who has just got one, in a game that everybody sees. Raises `UnknownGameError` as `_seen_by` does."""
        game_id, reader, account = request.game_id, self._rules.reader, caller.player_id
        if self._seen_by(caller, game_id) is not None:
            return False
        if reader.seat_of(game_id, account) is not None:
            return True
        if request.expected_sequence <= reader.last_sequence(game_id):
            return False
        self._await(game_id, request.expected_sequence, context)
        return reader.seat_of(game_id, account) is not None

    def _check_expected(
        self, request: pb.ExecuteRequest | pb.DirectRequest, context: grpc.ServicerContext
    ) -> None:
        """Refuse a sequence that is not the latest before the command is read. Raises `StaleSequenceError`."""
        game_id, expected, reader = request.game_id, request.expected_sequence, self._rules.reader
        try:
            is_known = self._has_reached(game_id, expected, context)
        except UnreachedSequenceError:
            raise StaleSequenceError(expected, reader.last_sequence(game_id)) from None
        # What is not known here the owner of the game may know.
        if is_known and reader.is_stale(game_id, request.request_id, expected):
            raise StaleSequenceError(expected, reader.last_sequence(game_id))

    def _accepted(self, game_id: str, result: CommandAccepted, context: grpc.ServicerContext) -> pb.Accepted:
        # The result of a repeat may come before its events; then the request is sent to the owner again.
        if not self._has_reached(game_id, result.last, context):
            raise DeadlineExceeded(
                "the command is carried out and cannot be read here yet; the same request may be sent again"
            )
        return pb.Accepted(
            first_sequence=result.first,
            last_sequence=result.last,
            events=result.events or self._rules.reader.events(game_id, result.first - 1, result.last),
            repeated_request=result.repeated,
        )


def _check_ids(message: pb.ExecuteRequest | pb.DirectRequest) -> None:
    if not message.game_id or NUL in message.game_id:
        raise UnknownGameError(f"no game has the id {shown(message.game_id)}")
    if not 0 < len(message.request_id) <= ID_LENGTH_MAX or NUL in message.request_id:
        raise MalformedMessageError("request_id", f"needs 1 to {ID_LENGTH_MAX} characters, none of them NUL")


def _request(message: pb.ExecuteRequest, player: str) -> Request:
    command = read_command(message.command)
    return Request(message.game_id, player, message.request_id, message.expected_sequence, command)


def _check_seen(limit: int | None, sequence: int) -> None:
    """Raises `UnreachedSequenceError` for a sequence after the last one that the caller sees."""
    if limit is not None and sequence > limit:
        raise not_reached(limit, sequence)


def _not_negative(field: str, value: int) -> None:
    if value < 0:
        raise MalformedMessageError(field, f"{value} is negative")


@contextmanager
def _answering(context: grpc.ServicerContext) -> Iterator[None]:
    """Turns errors into the gRPC statuses of the contract."""
    try:
        yield
    except MalformedMessageError as problem:
        context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(problem))
    except UnknownGameError as unknown:
        context.abort(grpc.StatusCode.NOT_FOUND, str(unknown))
    except UnreachedSequenceError as unreached:
        context.abort(grpc.StatusCode.OUT_OF_RANGE, str(unreached))
    except StaleSequenceError as stale:
        _abort_stale(context, stale)


def _abort_stale(context: grpc.ServicerContext, stale: StaleSequenceError) -> NoReturn:
    context.set_trailing_metadata(((REASON_KEY, STALE_SEQUENCE), (SEQUENCE_KEY, str(stale.actual))))
    context.abort(grpc.StatusCode.ABORTED, str(stale))
