"""The answers to the players of one game, compared with every later answer."""

from __future__ import annotations

from services.audit.findings import Acknowledged
from services.gen.signalbox.rules.v1 import rules_pb2 as pb


class Contradiction(Exception):
    """The service contradicts an earlier answer."""


class Answers:
    """Answers to the requests of one game."""

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id
        self.acknowledged: dict[str, Acknowledged] = {}
        self.events: dict[int, bytes] = {}
        self.refused: dict[str, str] = {}
        self.repeats = 0

    def carried_out(self, request: pb.ExecuteRequest, accepted: pb.Accepted) -> None:
        """A command was accepted. Raises `Contradiction` where that is not what was said before."""
        name = request.request_id
        if name in self.refused:
            raise Contradiction(f"{name} was refused ({self.refused[name]}) and then accepted")
        now = Acknowledged(self.game_id, name, accepted.first_sequence, accepted.last_sequence)
        before = self.acknowledged.setdefault(name, now)
        if before != now:
            raise Contradiction(f"{before}, and then {now}")
        if accepted.first_sequence <= request.expected_sequence:
            raise Contradiction(f"{now} was asked for at {request.expected_sequence}")
        self.repeats += accepted.repeated_request
        for event in accepted.events:
            content = event.SerializeToString(deterministic=True)
            if self.events.setdefault(event.sequence, content) != content:
                raise Contradiction(f"event {event.sequence} differs between two answers")

    def not_carried_out(self, request_id: str, why: str) -> None:
        """A command changed nothing. Raises `Contradiction` where it was accepted before."""
        if request_id in self.acknowledged:
            raise Contradiction(f"{self.acknowledged[request_id]}, and then refused: {why}")
        self.refused[request_id] = why
