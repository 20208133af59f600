"""A client of the rules service: choices, commands, states and events of games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import grpc

from services.client.calls import Caller, NotAnsweredError, Rejected, new_command_id, owner_channel_to
from services.client.retries import RIDE_OVER, Retries
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.gen.signalbox.events.v1.sentence_pb2 import Sentence
from services.gen.signalbox.rules.v1 import game_pb2, picture_pb2, rules_pb2 as pb
from services.gen.signalbox.rules.v1.rules_pb2_grpc import RulesStub
from services.rules.adapters.codec import command_message, read_choice
from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Command

PAGE_SIZE = 1000
RULES = pb.DESCRIPTOR.services_by_name["Rules"]
SEQUENCE_KEY = "signalbox-sequence"


@dataclass(frozen=True, slots=True)
class Offer:
    """The player's choices at `sequence`; none when it is not the player's turn."""

    sequence: int
    choices: tuple[Choice, ...]


class MovedOnError(Exception):
    """The game has advanced to `sequence`, so the command was not checked: ask for the choices again."""

    def __init__(self, sequence: int) -> None:
        self.sequence = sequence
        super().__init__(f"the game has advanced to sequence {sequence}")


class Games:
    """The rules service for one signed-in player. Reads are monotonic, whichever replica answers."""

    def __init__(
        self, address: str, token: str, retries: Retries = RIDE_OVER, channel: grpc.Channel | None = None
    ) -> None:
        """`address`: host:port, or several separated by commas. `channel`: one that several use; it stays open."""
        self._has_own_channel = channel is None
        channel = channel or owner_channel_to(address, RULES.full_name)
        self._caller = Caller(address, RULES, token, channel, retries)
        self._stub = RulesStub(self._caller.channel)
        self._known: dict[str, int] = {}

    def choices(self, game_id: str, with_best_runs: bool = True) -> Offer:
        """The player's current choices; runs are filled in with the best ones unless `with_best_runs` is false."""
        request = pb.ListChoicesRequest(
            game_id=game_id, with_best_runs=with_best_runs, at_least_sequence=self._known_of(game_id)
        )
        response = self._caller.call(self._stub.ListChoices, request, pb.ListChoicesResponse)
        self.expect(game_id, response.sequence)
        return Offer(response.sequence, tuple(read_choice(choice) for choice in response.choices))

    def execute(self, game_id: str, expected_sequence: int, command: Command) -> pb.Accepted:
        """Execute a command. Raises `Rejected`, or `MovedOnError` when the game has advanced.

        When an answer is lost, the same request is sent again, and the service returns the first outcome."""
        request = pb.ExecuteRequest(
            game_id=game_id,
            request_id=new_command_id(),
            expected_sequence=expected_sequence,
            command=command_message(command),
        )
        try:
            response = self._caller.call(self._stub.Execute, request, pb.ExecuteResponse)
        except NotAnsweredError as failed:
            if failed.status is grpc.StatusCode.ABORTED:
                actual = int(failed.trailing.get(SEQUENCE_KEY, 0))
                self.expect(game_id, actual)
                raise MovedOnError(actual) from failed
            raise
        if response.WhichOneof("outcome") == "rejected":
            rejected = response.rejected
            raise Rejected(rejected.code, rejected.message, rejected.clause, rejected.retryable)
        self.expect(game_id, response.accepted.last_sequence)
        return response.accepted

    def game(self, game_id: str, at_sequence: int = 0) -> game_pb2.GameView:
        """The game at a sequence, 0 for now."""
        request = pb.GetGameRequest(
            game_id=game_id, at_sequence=at_sequence, at_least_sequence=self._known_of(game_id)
        )
        view = self._caller.call(self._stub.GetGame, request, pb.GetGameResponse).game
        self.expect(game_id, view.sequence)
        return view

    def events(self, game_id: str, after: int = 0) -> Iterator[GameEvent]:
        """All events after a sequence, in order."""
        for page in self._pages(game_id, after):
            yield from page.events

    def watch(self, game_id: str, after: int = 0, seconds: float | None = None) -> Iterator[GameEvent]:
        """Every event after a sequence once, past ones first, then new ones, for `seconds`; through restarts of the service."""
        last = after

        def next_request() -> pb.WatchGameRequest:
            return pb.WatchGameRequest(game_id=game_id, after_sequence=last)

        for answer in self._caller.stream(self._stub.WatchGame, next_request, pb.WatchGameResponse, seconds):
            last = answer.event.sequence
            self.expect(game_id, last)
            yield answer.event

    def said(self, game_id: str, after: int = 0) -> Iterator[tuple[GameEvent, Sentence]]:
        """All events after a sequence, in order, each with its sentence."""
        for page in self._pages(game_id, after, with_sentences=True):
            yield from zip(page.events, page.sentences, strict=True)

    def _pages(
        self, game_id: str, after: int, with_sentences: bool = False
    ) -> Iterator[pb.ListEventsResponse]:
        more = True
        while more:
            request = pb.ListEventsRequest(
                game_id=game_id,
                after_sequence=after,
                page_size=PAGE_SIZE,
                at_least_sequence=self._known_of(game_id),
                with_sentences=with_sentences,
            )
            page = self._caller.call(self._stub.ListEvents, request, pb.ListEventsResponse)
            yield page
            after = page.next_after_sequence
            more = after > 0

    def moves(
        self, after: Mapping[str, int], seconds: float | None = None
    ) -> Iterator[pb.WatchMovesResponse]:
        """The state of each of up to 500 games, if that is after the sequence given with its id, and again after every move, for
        `seconds`; through restarts of the service. Of several moves in a row perhaps only the last."""
        known = dict(after)

        def next_request() -> pb.WatchMovesRequest:
            games = [pb.WatchedGame(game_id=game, after_sequence=last) for game, last in known.items()]
            return pb.WatchMovesRequest(games=games)

        for answer in self._caller.stream(
            self._stub.WatchMoves, next_request, pb.WatchMovesResponse, seconds
        ):
            if not answer.not_found:
                known[answer.game_id] = max(answer.sequence, known[answer.game_id])
            yield answer

    def picture(
        self, game_id: str, at_sequence: int = 0, known_sequence: int = 0, known_checksum: str = ""
    ) -> picture_pb2.GetPictureResponse:
        """The picture of a game, or what has to be replaced in one that the caller has."""
        request = picture_pb2.GetPictureRequest(
            game_id=game_id,
            at_sequence=at_sequence,
            at_least_sequence=self._known_of(game_id),
            known_sequence=known_sequence,
            known_checksum=known_checksum,
        )
        return self._caller.call(self._stub.GetPicture, request, picture_pb2.GetPictureResponse)

    def expect(self, game_id: str, sequence: int) -> None:
        """Require that later answers are at `sequence` or later."""
        self._known[game_id] = max(sequence, self._known.get(game_id, 0))

    def _known_of(self, game_id: str) -> int:
        """The sequence that a replica must have reached; for a new game its first."""
        return self._known.get(game_id, 1)

    def close(self) -> None:
        """End the calls, and the channel unless it is shared."""
        if self._has_own_channel:
            self._caller.close()
        else:
            self._caller.end()
